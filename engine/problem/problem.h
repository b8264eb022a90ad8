/* The problem: all contacts and joints of one step as plain arrays. The waist of the engine: assembly
 * writes it, solvers, residual and dumps read it, and nothing in it knows the world.
 *
 * Unknowns are impulses. Every body carries its velocity with the spin scaled by a length s (its radius
 * for a ball, its bounding radius otherwise), q = s w, so that numbers of v and q are alike and a ball's
 * contact needs no radii:
 *     u = n,t,o components of (v1 + q1 x (r1/s1)) - (v2 + q2 x (r2/s2)),
 *     r = contact point - centre of mass.
 * Applying impulse p (world frame, on body 1, -p on body 2):  v += p / m,  q += K (r/s x p)
 * with K = s^2 I^-1 in world axes.
 * Bias terms: the law's b_n is -(u_n + bias), bias = e min(0, gap/dt) + max(0, gap/dt)
 * (Preclik et al. 2017, section 3).
 *
 * Two buckets of contacts:
 *   balls    both bodies are balls (or a ball and an immovable body) and the rule admits the closed
 *            form: A is diagonal, r/s = -+n, nothing but normal and impulse is needed
 *   general  everything else: scaled arms, frame, packed A, any law
 * Ball contacts lie in plain rows, or, for a solver that sweeps them in bundles, in lanes in the order
 * of its sweeps (lanes.h); sc_problem_ball there reads either. */
#ifndef SC_PROBLEM_H
#define SC_PROBLEM_H

#include <stdint.h>
#include "base/base.h"
#include "base/parallel.h"
#include "law/law.h"

typedef struct sc_solver_body { /* one cache line */
  double v[3], inv_mass;
  double q[3], k; /* q = s w; k = s^2/I for a ball, 0 for immovable and for general bodies */
} sc_solver_body;

typedef struct sc_ball_contact {
  double n[3]; /* from body 2 to body 1 */
  double p[3]; /* impulse on body 1, world frame [N s] */
  double bias; /* [m/s] */
  double mu;
  int32_t i, j; /* bodies 1 and 2; j may be immovable */
} sc_ball_contact;

/* Moments of a ball contact with torsional and rolling friction (couple.c), in the row of its ball. Over
 * the scale s1 of body 1 they are impulses, and the relative spin in the same measure is a velocity, q1
 * - ratio q2. */
typedef struct sc_ball_couple {
  double m[3];             /* moment impulse on body 1, world frame, over s1 [N s] */
  double torsion, rolling; /* bounds of m along the normal and across it, per normal impulse */
  double ratio;            /* s1/s2 */
} sc_ball_couple;

typedef struct sc_general_contact {
  int32_t i, j;
  int32_t law;             /* index into problem.laws */
  int32_t dim;             /* 3..6 */
  double n[3], t[3], o[3]; /* frame, world axes */
  double arm1[3], arm2[3]; /* r/s of either body, world axes */
  double scale1, scale2;   /* s of either body: rows past 3 act on w = q/s */
  double bias;             /* on the normal row [m/s] */
  int32_t par;             /* offset into problem.par */
  int32_t block;           /* offset into problem.block: dim x dim Delassus block, row-major */
  int32_t x;               /* offset into problem.x: dim impulses in frame axes */
  int32_t contact;         /* row of the contact this came from */
} sc_general_contact;

/* A joint's rows: bilateral or boxed. v_row + bias = -softness x, lo <= x <= hi; each row a generalised
 * direction on two bodies. */
typedef struct sc_joint_row {
  int32_t i, j;  /* j = immovable world body for joints to the ground */
  int32_t joint; /* rows of one joint are neighbours */
  bool free;     /* limit, motor or friction along the joint's free direction */
  /* row of the Jacobian against v and q (already divided by s) */
  double lin1[3], ang1[3], lin2[3], ang2[3];
  double bias, lo, hi; /* [row velocity], [row impulse] */
  double x;            /* impulse */
} sc_joint_row;

/* What lies beyond a part of a problem that is spread over several ranks. A body that several ranks hold
 * (shared: nonzero) has a copy in each, with a share of the mass, and after each sweep gets the mean of
 * its copies' velocities, which keeps momentum to rounding whatever impulses were given. Messages travel
 * while contacts that touch no shared body are swept:
 *   start    the velocities of the shared bodies are those of the end of the sweep: they leave
 *   advance  between pieces of other work: takes what has come and answers it; touches shared bodies
 *            only; false once nothing is on its way any more
 *   finish   waits for the rest: all shared bodies have their means
 *   largest  the largest of a number over all ranks, the same on each
 *   reduce_start   the same begun; reduce_finish waits for it. One number is under way at a time
 * All are called from one thread, in the same order on all ranks. A failed exchange ends the process
 * group; none returns then. */
typedef struct sc_border {
  void *context;
  const uint8_t *shared;
  void (*start)(void *context, const sc_solver_body *body);
  bool (*advance)(void *context, sc_solver_body *body);
  void (*finish)(void *context, sc_solver_body *body);
  double (*largest)(void *context, double value);
  void (*reduce_start)(void *context, double value);
  double (*reduce_finish)(void *context);
} sc_border;
/* All at once. */
static inline void sc_border_meet(const sc_border *border, sc_solver_body *body) {
  border->start(border->context, body);
  border->finish(border->context, body);
}

typedef struct sc_problem {
  int32_t bodies; /* the last one, bodies - 1, is the immovable world (inv_mass 0) */
  sc_solver_body *body;
  int32_t spare; /* rows behind the last body that a solver may use as it likes */
  /* centres of mass [m], of bodies that can move: only decides the order of visits */
  const double (*position)[3];
  /* scaled inverse inertia, world axes (xx,xy,xz,yy,yz,zz), per body; NULL where all are k times the
   * unit matrix */
  double (*K)[6];
  int32_t balls;
  sc_ball_contact *ball;  /* NULL where they lie in lanes */
  struct sc_lanes *lanes; /* else NULL */
  /* row of the contact each came from; NULL, with lanes only: all contacts are ball contacts */
  int32_t *ball_contact;
  /* beside rows of balls; NULL where no rule has torsion or rolling, and for solvers without them */
  sc_ball_couple *couple;
  /* sum over ball contacts of the closing velocity max(0, b_n) that free velocities leave [m/s],
   * found as they */
  double closing;
  bool closing_known; /* went to their lanes; not known once impulses are applied */
  /* wall time that order and plans of lanes took, work for the solver's sake [s] */
  double plan_seconds;
  int32_t generals;
  sc_general_contact *general;
  int32_t laws;
  const sc_law **law;
  double *par, *block, *x; /* pools */
  int32_t joint_rows;
  sc_joint_row *joint_row;
  /* positions are to be corrected after the solve, biases hold no corrections (sc_problem_correct) */
  bool positions;
  /* then gap/dt [m/s]; that of balls in lanes is their bias, negative where they penetrate */
  double *ball_gap, *general_gap;
  /* of a penetration that is left, taken back in a step; at most at this speed [m/s] */
  double share, most;
  /* what corrections work with, made by the solver or sc_problem_prepare; NULL until then */
  struct sc_nbgs *sweeper;
  /* out: speeds v, q by which positions are to go on beside the velocities; NULL until corrected */
  sc_solver_body *shift;
  const sc_border *border; /* NULL: the problem is whole */
  /* per contact row: against gravity; NULL unless a solver's order asks for it */
  double *height;
  double dt, gravity; /* step [s], |g| [m/s2]: only to form scales for tolerances */
  /* movable bodies keep to planes of normal `plane`; there are then no ball contacts (planar.h) */
  bool planar;
  double plane[3]; /* unit normal */
  /* in place of bodies: the Delassus matrix of general contacts, given as such (matrix.h); else NULL */
  const struct sc_matrix *matrix;
} sc_problem;
typedef struct sc_matrix sc_matrix;

/* K of a body; room for where it is not kept. */
static inline const double *sc_problem_inertia(const sc_problem *problem, int32_t body, double room[6]) {
  if (problem->K) return problem->K[body];
  room[0] = room[3] = room[5] = problem->body[body].k;
  room[1] = room[2] = room[4] = 0;
  return room;
}

/* ---- operators (delassus.c) ---- */
/* Relative velocity u of a contact in its frame, rows as dim says (no bias). */
/* world axes for balls */
void sc_problem_ball_velocity(const sc_problem *problem, int32_t c, double u[3]);
void sc_problem_general_velocity(const sc_problem *problem, const sc_general_contact *contact, double *u);
/* Adds the effect of impulse p to the bodies' velocities. */
void sc_problem_ball_apply(const sc_problem *problem, int32_t c, const double p[3]);
void sc_problem_general_apply(const sc_problem *problem, const sc_general_contact *contact, const double *p);
/* Fills A (dim x dim) of a general contact from masses, arms and frame. */
void sc_problem_general_block(const sc_problem *problem, const sc_general_contact *contact, double *A);
/* The same for one joint row: relative velocity, effect of impulse x, diagonal of the Delassus operator. */
double sc_problem_joint_velocity(const sc_problem *problem, const sc_joint_row *row);
void sc_problem_joint_apply(const sc_problem *problem, const sc_joint_row *row, double x);
double sc_problem_joint_diagonal(const sc_problem *problem, const sc_joint_row *row);
/* Relative spin of a ball contact with moments, q1 - ratio q2, and the effect of m (over s1) on the
 * spins (couple.c). */
void sc_problem_couple_velocity(const sc_problem *problem, int32_t c, double w[3]);
void sc_problem_couple_apply(const sc_problem *problem, int32_t c, const double m[3]);
/* Largest distance in velocity of a ball contact with moments from its law's answer. */
double sc_problem_couple_residual(const sc_problem *problem, int32_t c);
/* Applies all impulses in the problem to its bodies (warm start; apply.c). pool may be NULL. */
void sc_problem_apply_all(sc_problem *problem, sc_pool *pool);

/* ---- local answers (local.c): what one contact's law says, all others held ----
 * New impulse of a ball contact (closed form, docs/theory/laws.md), given its present relative velocity
 * u (world axes). */
void sc_local_ball(const sc_problem *problem, int32_t c, const double u[3], double p[3]);
/* The same of a ball contact with moments; w: q1 - ratio q2. */
void sc_local_couple(
    const sc_problem *problem, int32_t c, const double u[3], const double w[3], double p[3], double m[3]);
/* New impulse of a general contact; u as sc_problem_general_velocity gives it. Negative: a user's law
 * failed. */
int sc_local_general(
    const sc_problem *problem, const sc_general_contact *contact, const double *u, double *x);
/* New impulse of a joint row: bilateral within its bounds. */
double sc_local_joint(const sc_problem *problem, const sc_joint_row *row);

/* ---- assembly (assemble.c) ---- */
typedef struct sc_assemble_in {
  const struct sc_bodies *bodies;
  const struct sc_shapes *shapes;
  const struct sc_collide *collide; /* where the contacts are */
  int32_t contacts;
  const struct sc_pairs *pairs; /* rules between materials */
  const sc_law *const *law;
  int32_t laws;
  double *state;
  int state_stride; /* law state, changed by refresh, */
  /* and from here on the last step's moment [N m s], world axes; negative: none is kept */
  int couple_at;
  /* the solver takes moments of ball contacts; else these are general contacts */
  bool couples;
  double dt, erp, drift_time, warm_start;
  /* largest speed at which a penetration is taken back [m/s]; 0: any */
  double max_correction;
  double gravity[3];
  /* penetrations are left to positions: gap is filled, biases hold none */
  int positions;
  const uint8_t *skip; /* per contact, nonzero: left out; NULL: none */
  /* per body, ranks that solve contacts of it: each has a copy of that share of the mass; NULL: 1 */
  const int32_t *copies;
  sc_pool *pool;               /* NULL: one thread */
  int32_t spare;               /* rows wanted behind the bodies (sc_problem.spare) */
  bool lanes;                  /* ball contacts are wanted in lanes, not in rows */
  int64_t contacts_per_thread; /* with lanes: fewer are swept by one thread (sc_solver_pool) */
  const sc_border *border;     /* with lanes: as the problem will have it */
} sc_assemble_in;
/* The length s that a body's spin is scaled by (see above). */
double sc_body_scale(const struct sc_bodies *bodies, int32_t row);
/* Builds a problem in the arena: free velocities, warm-start impulses in place but not yet applied.
 * SCREE_E_LAW: a refresh failed. */
scree_status sc_assemble(const sc_assemble_in *in, sc_arena *arena, sc_problem *problem, scree_error *error);
/* Lanes that corrections of positions have used up get their contacts again, with the impulses that
 * these have now. False where the collision stage has dropped contacts since. */
bool sc_assemble_again(const sc_assemble_in *in, sc_problem *problem);
/* Mean over contacts of the closing velocity max(0, b_n) the bodies' present velocities leave [m/s]. */
double sc_problem_closing(const sc_problem *problem, sc_pool *pool);
/* The velocity that tolerances are shares of, with free velocities [m/s]: what weight gives in a step or
 * the closing velocity, whichever is larger; where neither is above 0, the mean speed in the rows of
 * joints. */
double sc_problem_velocity_scale(const sc_problem *problem, sc_pool *pool);

/* ---- the one residual that judges every solver, [m/s] ----
 * largest over contacts j of |A_jj (x_j - solve_j(b_j - sum_k A_jk x_k))|; bodies' velocities must
 * contain all impulses. */
double sc_problem_residual(const sc_problem *problem);

/* ---- solvers: one file each, same signature ---- */
/* fill: share of the lanes that bundles of contacts use, 0 where there are none. Zeroed by the caller. */
typedef struct sc_solver_report {
  int64_t iterations;
  double residual, fill;
} sc_solver_report;
typedef struct sc_solver {
  const char *name, *doc;
  /* In: bodies with free velocities plus the effect of the warm-start impulses already in the problem.
   * Out: the same with the final impulses. par->tolerance here is absolute [m/s]. pool may be NULL: one
   * thread. The answer must not depend on it. */
  scree_status (*solve)(sc_problem *problem, const scree_solver_def *par, sc_pool *pool, sc_arena *arena,
      sc_solver_report *report, scree_error *error);
  bool couples; /* ball contacts may have moments (problem.couple) */
  bool lanes;   /* takes ball contacts in lanes, and has nothing to copy then */
} sc_solver;
/* Corrections of positions (nbgs_positions.c) for the velocities in the bodies, where problem->positions
 * is set. prepare takes order and memory, where the solver has not left them; correct finds
 * problem->shift. Where all bodies are round it lies in place of the bodies' velocities: those, and
 * impulses in lanes, must have been stored. */
scree_status sc_problem_prepare(
    sc_problem *problem, const scree_solver_def *par, sc_pool *pool, sc_arena *arena, scree_error *error);
void sc_problem_correct(sc_problem *problem);
/* Spare rows with which solvers on so many threads need no copy of the bodies. */
static inline int32_t sc_solver_spare(int threads) { return 3 * threads; }
/* Those of a thread: a body at rest with unit mass and an immovable one, which pad bundles, and one that
 * swallows writes. */
static inline int32_t sc_solver_pad(int32_t bodies, int thread) { return bodies + 3 * thread; }
static inline int32_t sc_solver_sink(int32_t bodies, int thread) { return bodies + 3 * thread + 2; }
/* Few contacts a thread are left to the caller's thread: the barriers between colours cost more than
 * another core helps, above all on a machine with more to do. */
static inline sc_pool *sc_solver_pool(int64_t contacts, int64_t contacts_per_thread, sc_pool *pool) {
  return contacts < contacts_per_thread * sc_pool_threads(pool) ? NULL : pool;
}
const sc_solver *sc_solver_find(const char *name);
const sc_solver *sc_solver_at(int index);

#endif
