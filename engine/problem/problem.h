/* The problem: all contacts and joints of one step as plain arrays. The waist of the engine: assembly
 * writes it, solvers, residual and dumps read it, and nothing in it knows the world, a solver or a
 * processor. It is constant input but for the impulses, and the velocities that follow from them.
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
 * A contact is recorded in one of two forms (docs/decisions/0005-two-records-of-a-contact.md):
 *   general  any shape, any law: scaled arms, frame, packed A
 *   ball     what is left of that where both bodies are balls (or a ball and an immovable body) and the
 *            rule admits the closed form: A is diagonal, r/s = -+n, nothing but normal and impulse is needed
 * operator.h shows both as one. Ball contacts lie in plain rows, or where a solver wants them
 * (sc_ball_store); sc_problem_ball reads either. */
#ifndef SC_PROBLEM_H
#define SC_PROBLEM_H

#include <stdint.h>
#include "base/base.h"
#include "base/parallel.h"
#include "law/law.h"
#include "math/vec.h"
#include "model/bodies.h"
#include "problem/exchange.h"

typedef struct sc_solver_body { /* one cache line */
  double v[3], inv_mass;
  double q[3], k; /* q = s w; k = s^2/I for a ball, 0 for immovable and for general bodies */
} sc_solver_body;

/* Scaled inverse inertia, world axes: xx, xy, xz, yy, yz, zz, and what fills its cache line. */
typedef double sc_inertia_row[8];

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
  double drift[3];         /* where the problem has drifts: added to u, rows n, t, o [m/s] */
  bool drifts;             /* it has one, or may come to have one while the problem is solved */
  int32_t par;             /* offset into problem.par */
  int32_t block;           /* offset into problem.block: dim x dim Delassus block, row-major */
  int32_t x;               /* offset into problem.x: dim impulses in frame axes */
  int32_t contact;         /* row of the contact this came from */
} sc_general_contact;

/* A general contact with its block and impulses, and room for one that does not lie in rows. */
typedef struct sc_general {
  const sc_general_contact *c;
  const double *A, *x;
} sc_general;
typedef struct sc_general_room {
  sc_general_contact c;
  double A[SCREE_LAW_MAX_DIM * SCREE_LAW_MAX_DIM], x[SCREE_LAW_MAX_DIM];
} sc_general_room;
/* What a general contact does at the bodies' present velocities: impulse and moment on body 1 (world axes),
 * relative velocity in its frame. */
typedef struct sc_general_state {
  double n[3], p[3], m[3], u[3];
} sc_general_state;
/* The same of up to SC_GROUP contacts side by side, with their numbers. */
enum { SC_GROUP = 8 };
typedef struct sc_general_group {
  int count;
  const int32_t *general;
  int32_t i[SC_GROUP], j[SC_GROUP];                            /* bodies */
  const double (*n)[SC_GROUP], (*m)[SC_GROUP];                 /* m: NULL where there are no moments */
  double p[3][SC_GROUP], u[3][SC_GROUP], room[2][3][SC_GROUP]; /* of n and m */
} sc_general_group;

/* What a gap asks of a contact: bias = gap/dt where it is open, else back gap/time, at least `least`; a gap
 * up to `closed` is none. */
typedef struct sc_gap_rule {
  double dt, closed, back, time, least;
} sc_gap_rule;
/* What general contacts whose bodies are free in space are made from side by side. All
 * lanes are set: past the last contact is one of the immovable world with itself. */
typedef struct sc_general_source {
  const sc_gap_rule *gap;
  double warm_start;
  const double *touch[SC_GROUP]; /* point, normal, gap, and a number that is not looked at */
  const double *impulse[SC_GROUP], *position1[SC_GROUP], *position2[SC_GROUP]; /* the step before's; bodies */
  double shift[3][SC_GROUP];                 /* of the image of body 2 that is meant */
  double off[SC_GROUP];                      /* on the bias, of a surface that runs */
  double scale1[SC_GROUP], scale2[SC_GROUP]; /* negated: a ball, whose arm reaches its own surface */
  const double *moment[SC_GROUP];            /* the step before's, of groups with moments */
  const sc_law_lane *lane[SC_GROUP];
  int32_t i[SC_GROUP], j[SC_GROUP];
} sc_general_source;

/* What the softness and bias of a spring, damper or servo are made from (joints.h), in the row's measure. */
typedef struct sc_spring {
  double stiffness, damping; /* [N/m, N s/m]; both 0: the row has no spring */
  double stretch;            /* from where it is at ease, at the start of the step [m] */
  double push; /* force that it has besides: what a servo is told to add, its speed times damping [N] */
  double time; /* for which it acts with the row's impulse [s] */
} sc_spring;

/* A joint's rows: bilateral or boxed. v_row + bias = -softness x for lo < x < hi; each row a generalised
 * direction on two bodies. */
typedef struct sc_joint_row {
  int32_t i, j;  /* j = immovable world body for joints to the ground */
  int32_t joint; /* rows of one joint are neighbours */
  int32_t
      /* limit, motor, friction, spring along the joint's first or second free direction, 1 or 2; else 0 */
      free;
  bool motor;      /* its work comes from outside */
  bool unresolved; /* the step does not resolve what the row's spring does (springs.c) */
  int32_t third;   /* 1 + index into problem.third; 0: the row has two bodies */
  /* row of the Jacobian against v and q (already divided by s) */
  double lin1[3], ang1[3], lin2[3], ang2[3];
  double bias, lo, hi; /* [row velocity], [row impulse] */
  double softness;     /* at least 0 [row velocity / row impulse] */
  double x;            /* impulse */
  sc_spring spring;
} sc_joint_row;

/* The third body of a joint row: the housing of a gear or rack, with its part of the row's Jacobian. */
typedef struct sc_joint_third {
  int32_t body;
  double lin[3], ang[3];
} sc_joint_third;

/* A bond, a soft block of six rows (bonds.c): u + push = -soft p, r + turn = -soft m. Body i can move. */
typedef struct sc_bond_row {
  int32_t i, j;
  double d[3];             /* from i to j */
  double arm1, arm2;       /* of its point along d, over s of either body */
  double ratio;            /* s1/s2 */
  double p[3], m[3];       /* impulse on i [N s], moment over s1 [N s], world axes */
  double push[3], turn[3]; /* [m/s] */
  double soft[4];          /* of p along d and across, of m along d and across, above 0 */
  double sign;             /* 1: i is the bond's first body, -1: its second */
} sc_bond_row;

/* Who meets in a contact of the collision stage: rows of bodies, and of the rule between their materials, by
 * which problem.par has its law's parameters; where these are the contact's own, behind those of all rules,
 * the row of those, once they are set. */
typedef struct sc_partners {
  int32_t body1, body2, rule;
} sc_partners;

typedef struct sc_problem sc_problem;

/* Where a solver wants contacts, in place of rows; chosen before assembly, which calls for those of balls
 *   open   room for so many contacts; laned: general ones go into it, too
 *   plan   where each of them goes, known by their bodies; the problem's bodies are set. All of the arena
 *          that was taken since the mark, the pairs, too, is given back. one_mu: all have the same
 *          friction, mu; gaps: they come with gaps; holds: some general one's is larger while it sticks;
 *          elliptic: not the same in all directions; rolls: one has torsional or rolling friction
 *   put    contacts first, first + 1, ... ; gap: gap/dt [m/s] of each, whose positive part is the bias,
 *          or NULL
 * and get copies them out, with the impulses that they have now. Open and plan return false without
 * memory. Any threads may put and get different contacts at a time.
 *
 * It takes general contacts of problems with more contacts than `generals_above`, where nothing drifts. Those
 * whose law has a form then have no row; the rest do, and all are planned together. They lie in
 * groups of SC_GROUP at most. */
typedef struct sc_ball_pairs {
  const int32_t *first, *second; /* bodies of contact c: first[c * stride], second[c * stride] */
  size_t stride;
  bool one_mu, gaps, holds, elliptic, rolls;
  double mu;
} sc_ball_pairs;
typedef struct sc_ball_store sc_ball_store;
struct sc_ball_store {
  int32_t spare;          /* rows of memory wanted behind the last body */
  int32_t generals_above; /* see above */
  int32_t groups;         /* of general contacts */
  double seconds;         /* wall time that plans took */
  bool (*open)(sc_ball_store *store, int32_t balls, int32_t generals, bool laned, sc_arena *arena);
  bool (*plan)(sc_ball_store *store, const sc_problem *problem, const sc_ball_pairs *pairs,
      sc_arena_mark mark, sc_arena *arena);
  void (*put)(
      sc_ball_store *store, int32_t first, int32_t count, const sc_ball_contact *from, const double *gap);
  void (*get)(const sc_ball_store *store, int32_t first, int32_t count, sc_ball_contact *to);
  void (*set)(sc_ball_store *store, int32_t contact, const double p[3]); /* an impulse alone */
  /* form: of each general contact's law (sc_law_form) */
  bool (*plan_generals)(sc_ball_store *store, const sc_problem *problem, const sc_ball_pairs *pairs,
      const uint8_t *form, sc_arena_mark mark, sc_arena *arena);
  void (*put_general)(
      sc_ball_store *store, const sc_problem *problem, int32_t c, const sc_general *from, double gap);
  /* how many contacts of a group are made side by side: all, or 0 where they have no form; their numbers. And
   * makes them */
  int (*members)(const sc_ball_store *store, int32_t group, const int32_t **general);
  void (*make)(sc_ball_store *store, const sc_problem *problem, int32_t group, const sc_general_source *from);
  sc_general (*get_general)(
      const sc_ball_store *store, const sc_problem *problem, int32_t c, bool block, sc_general_room *room);
  void (*set_general)(sc_ball_store *store, const sc_problem *problem, int32_t c, const double *x);
  void (*sides)(const sc_ball_store *store, const sc_problem *problem, int32_t c, int32_t *i, int32_t *j);
  void (*states)(const sc_ball_store *store, const sc_problem *problem, int32_t group, sc_general_group *out);
  /* impulses of contacts first, first + 1, ..., at most SC_GROUP, in their order on bodies in rows low..high;
   * false where some have no form, or keep to a plane: nothing is done */
  bool (*apply)(const sc_ball_store *store, const sc_problem *problem, int32_t first, int32_t count,
      int32_t low, int32_t high);
  /* sum over general contacts of the closing velocity max(0, b_n), in their order */
  double (*closing)(const sc_ball_store *store, const sc_problem *problem, sc_pool *pool);
};

struct sc_problem {
  int32_t bodies; /* the last one, bodies - 1, is the immovable world (inv_mass 0) */
  sc_solver_body *body;
  /* centres of mass [m], of bodies that can move: only decides the order of visits */
  const double (*position)[3];
  /* velocities and spins before the step, and scales s, of bodies that can move; NULL: not known */
  const double (*velocity)[3], (*spin)[3], *scale;
  struct sc_wait *wait; /* of all bodies but the world (model/bodies.h), may change; NULL: not kept */
  sc_inertia_row *K;    /* per body; NULL where all are k times the unit matrix */
  int32_t balls;
  sc_ball_contact *ball; /* NULL where they lie in a store */
  sc_ball_store *store;  /* else NULL */
  /* row of the contact each came from; NULL, with a store only: all contacts are ball contacts */
  int32_t *ball_contact;
  /* beside rows of balls; NULL where no rule has torsion or rolling, and for solvers without them */
  sc_ball_couple *couple;
  int32_t generals, laned;     /* laned: those of them that have no row, but lie in the store */
  sc_general_contact *general; /* rows; where `laned` is not 0, of the others alone */
  /* where `laned` is not 0, row of the contact each came from; NULL: all contacts are general contacts */
  int32_t *general_contact;
  /* per contact of the collision stage; NULL for a problem of rows that were not assembled here */
  const sc_partners *partners;
  int32_t *row_law; /* law of each row of `par` that partners name */
  bool drifts;      /* images of bodies move beside them: general contacts have drifts */
  int32_t laws;
  const sc_law **law;
  double *par, *block, *x; /* pools */
  int32_t joint_rows;
  sc_joint_row *joint_row;
  int32_t thirds;        /* entries of `third` in use */
  sc_joint_third *third; /* third bodies of joint rows; NULL if no row has one */
  int32_t bonds;         /* bodies of bonds have the same inertia about all axes */
  sc_bond_row *bond;
  const int32_t (*bond_side)[2];    /* rows of each one's bodies, -1: gone */
  const sc_solver_body *bond_start; /* bodies before the step, with s for k */
  double bond_energy;               /* in all of them before the step [J] */
  const sc_exchange *exchange;      /* with what lies beyond; NULL: nothing does (sc_problem_exchange) */
  /* height against gravity of the contact in a row of the collision stage, in any unit; NULL: not known */
  double (*height)(const void *context, int32_t contact);
  const void *height_context;
  double dt, gravity; /* step [s], |g| [m/s2]: only to form scales for tolerances */
  /* movable bodies keep to planes of normal `plane`; there are then no ball contacts (planar.h) */
  bool planar;
  double plane[3]; /* unit normal */
  /* in place of bodies: the Delassus matrix of general contacts, given as such (matrix.h); else NULL */
  const struct sc_matrix *matrix;
};
typedef struct sc_matrix sc_matrix;

static inline const sc_exchange *sc_problem_exchange(const sc_problem *problem) {
  return problem->exchange ? problem->exchange : &sc_exchange_none;
}

/* Whether impulses move a body. */
static inline bool sc_problem_moves(const sc_problem *problem, int32_t body) {
  return problem->body[body].inv_mass > 0;
}

/* Returns the third body of a joint row, NULL if the row has two bodies. */
static inline const sc_joint_third *sc_problem_third(const sc_problem *problem, const sc_joint_row *row) {
  return row->third ? problem->third + row->third - 1 : NULL;
}
/* Writes the bodies of a joint row and returns how many there are, 2 or 3. */
static inline int sc_problem_row_bodies(const sc_problem *problem, const sc_joint_row *row, int32_t body[3]) {
  body[0] = row->i, body[1] = row->j;
  if (!row->third) return 2;
  body[2] = problem->third[row->third - 1].body;
  return 3;
}

/* Ball contacts first .. first + count - 1, wherever they lie: in place, or copied to
 * room, which has place for as many. */
enum { SC_BALLS = 64 };
static inline const sc_ball_contact *sc_problem_balls(
    const sc_problem *problem, int32_t first, int32_t count, sc_ball_contact *room) {
  if (!problem->store) return problem->ball + first;
  problem->store->get(problem->store, first, count, room);
  return room;
}
/* One of them. */
static inline sc_ball_contact sc_problem_ball(const sc_problem *problem, int32_t c) {
  sc_ball_contact room;
  return *sc_problem_balls(problem, c, 1, &room);
}

/* Its impulse is written. */
static inline void sc_problem_ball_set(const sc_problem *problem, int32_t c, const double p[3]) {
  if (problem->store) problem->store->set(problem->store, c, p);
  else sc_copy3(p, problem->ball[c].p);
}

/* The contact of the collision stage that a general contact comes from. */
static inline int32_t sc_problem_general_source(const sc_problem *problem, int32_t c) {
  if (!problem->laned) return problem->general[c].contact;
  return problem->general_contact ? problem->general_contact[c] : c;
}
/* A general contact in a row; and general contact c, wherever it lies, and the same without its block. */
static inline sc_general sc_problem_row(const sc_problem *problem, const sc_general_contact *row) {
  return (sc_general){row, problem->block + row->block, problem->x + row->x};
}
static inline sc_general sc_problem_general(const sc_problem *problem, int32_t c, sc_general_room *room) {
  if (problem->laned) return problem->store->get_general(problem->store, problem, c, true, room);
  return sc_problem_row(problem, problem->general + c);
}
static inline sc_general sc_problem_impulse(const sc_problem *problem, int32_t c, sc_general_room *room) {
  if (problem->laned) return problem->store->get_general(problem->store, problem, c, false, room);
  return sc_problem_row(problem, problem->general + c);
}
/* Its impulses are written. */
static inline void sc_problem_general_set(const sc_problem *problem, int32_t c, const double *x) {
  if (problem->laned) problem->store->set_general(problem->store, problem, c, x);
  else memcpy(problem->x + problem->general[c].x, x, (size_t)problem->general[c].dim * sizeof *x);
}
/* Its bodies. */
static inline void sc_problem_sides(const sc_problem *problem, int32_t c, int32_t *i, int32_t *j) {
  if (problem->laned) problem->store->sides(problem->store, problem, c, i, j);
  else *i = problem->general[c].i, *j = problem->general[c].j;
}

/* K of a body; room for where it is not kept. */
static inline const double *sc_problem_inertia(const sc_problem *problem, int32_t body, double room[6]) {
  if (problem->K) return problem->K[body];
  room[0] = room[3] = room[5] = problem->body[body].k;
  room[1] = room[2] = room[4] = 0;
  return room;
}

/* Relative velocity of two bodies at a ball contact, world axes. */
static inline void sc_ball_velocity(
    const sc_solver_body *a, const sc_solver_body *b, const double n[3], double u[3]) {
  double q[3], turn[3];
  sc_add(a->q, b->q, q);
  sc_cross(q, n, turn);
  u[0] = a->v[0] - b->v[0] - turn[0];
  u[1] = a->v[1] - b->v[1] - turn[1];
  u[2] = a->v[2] - b->v[2] - turn[2];
}

/* ---- operators (delassus.c) ---- */
/* Relative velocity u of a contact in its frame, rows as dim says (no bias). */
/* world axes for balls */
void sc_problem_ball_velocity(const sc_problem *problem, int32_t c, double u[3]);
void sc_problem_general_velocity(const sc_problem *problem, const sc_general_contact *contact, double *u);
/* Its state. */
void sc_problem_general_state(const sc_problem *problem, const sc_general *contact, sc_general_state *state);
/* Adds the effect of impulse p to the bodies' velocities. */
void sc_problem_ball_apply(const sc_problem *problem, int32_t c, const double p[3]);
void sc_problem_general_apply(const sc_problem *problem, const sc_general_contact *contact, const double *p);
/* The same of bodies in rows low..high alone; of a problem with bodies. */
void sc_problem_general_apply_within(
    const sc_problem *problem, const sc_general_contact *contact, const double *p, int32_t low, int32_t high);
/* Fills A (dim x dim) of a general contact from masses, arms and frame. */
void sc_problem_general_block(const sc_problem *problem, const sc_general_contact *contact, double *A);
/* The same for one joint row: relative velocity, effect of impulse x, diagonal of the Delassus operator with
 * the row's softness; and velocity + bias + softness x, which is 0 where the row is met. */
double sc_problem_joint_velocity(const sc_problem *problem, const sc_joint_row *row);
double sc_problem_joint_unmet(const sc_problem *problem, const sc_joint_row *row);
void sc_problem_joint_apply(const sc_problem *problem, const sc_joint_row *row, double x);
double sc_problem_joint_diagonal(const sc_problem *problem, const sc_joint_row *row);
/* Relative spin of a ball contact with moments, q1 - ratio q2 (couple.c). */
void sc_problem_couple_velocity(const sc_problem *problem, int32_t c, double w[3]);
/* Largest distance in velocity of a ball contact with moments from its law's answer. */
double sc_problem_couple_residual(const sc_problem *problem, int32_t c);
/* Applies all impulses in the problem to its bodies (warm start; apply.c). pool may be NULL. */
void sc_problem_apply_all(const sc_problem *problem, sc_pool *pool);

/* Pulls the bodies of all contacts together by these impulses along the normals, at least 0 [N s]. */
void sc_problem_pull_all(
    const sc_problem *problem, const double *ball_pull, const double *general_pull, sc_pool *pool);

/* ---- local answers (local.c): what one contact's law says, all others held ----
 * New impulse of a ball contact (closed form, docs/theory/laws.md), given its present relative velocity
 * u (world axes). */
void sc_local_ball(const sc_problem *problem, int32_t c, const double u[3], double p[3]);
/* The same of a ball contact with moments; w: q1 - ratio q2. */
void sc_local_couple(
    const sc_problem *problem, int32_t c, const double u[3], const double w[3], double p[3], double m[3]);
/* New impulse of a general contact; u as sc_problem_general_velocity gives it. Negative: a user's law
 * failed. */
int sc_local_general(const sc_problem *problem, const sc_general *contact, const double *u, double *x);
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
  int pull_at; /* in it, the impulse by which cohesion pulled [N s]; negative: none is kept */
  /* impulses of impacts before this step's problem, per contact; NULL: there are none */
  const double (*blow)[3];
  /* the solver takes moments of ball contacts; else these are general contacts */
  bool couples;
  double dt, erp, drift_time, warm_start;
  double closed; /* gaps and depths up to this bound count as 0 [m] */
  double way;    /* time in which gaps may close [s]; 0: dt, the time for which forces act */
  bool no_forces;
  /* true: all contacts are general contacts, and their law applies to the velocity `rate_time` later. The
   * state of a contact has the rates from index rate_at on: rate of its velocity, world axes, and rate of
   * its normal velocity [m/s2] */
  bool rates;
  int rate_at;
  double rate_time;
  /* largest speed at which a penetration is taken back [m/s]; 0: any */
  double max_correction;
  double gravity[3];
  /* true: bodies move by dt from the poses at which contacts were found. The velocity of rotating immovable
   * bodies at contacts is then the velocity in the middle of the step (model/turning.h) */
  bool middle;
  /* positions are corrected apart: gaps are found, biases hold no corrections */
  int positions;
  const uint8_t *skip; /* per contact, nonzero: left out; NULL: none */
  /* per body, ranks that solve contacts of it: each has a copy of that share of the mass; NULL: 1 */
  const int32_t *copies;
  /* in a cell, per body: the image whose place and velocity stand for it; and those places. NULL: none.
   * Contacts whose bodies' images move beside them become general ones with drifts; all that leave the cell
   * where `driven` is set: its motion changes while the problem is solved */
  const sc_image *wrap;
  const double (*wrapped)[3];
  bool driven;
  sc_pool *pool;        /* NULL: one thread */
  sc_ball_store *store; /* where ball contacts are wanted; NULL: in rows */
  const uint8_t *alone; /* bodies on which nothing of the problem acts, which do not move in it; NULL: none */
} sc_assemble_in;
/* What assembly finds beside the problem. Gaps are gap/dt [m/s], NULL unless positions are to be
 * corrected; those of balls in a store are there alone. */
typedef struct sc_assembled {
  double closing; /* sum over ball contacts of the closing velocity max(0, b_n) that free velocities leave */
  double *ball_gap, *general_gap;
  sc_partners *partners; /* per contact of the collision stage; NULL where all are ball contacts */
  /* impulses by which cohesion pulls, at least 0 [N s]; NULL: there is none */
  double *ball_pull, *general_pull;
} sc_assembled;
/* The length s that a body's spin is scaled by (see above). */
static inline double sc_body_scale(const sc_bodies *bodies, int32_t row) {
  return bodies->kind[row] == SCREE_DYNAMIC || bodies->tensor_row[row] == SC_TENSOR_BALL ? bodies->radius[row]
                                                                                         : 1;
}
/* Builds a problem in the arena: free velocities, warm-start impulses in place but not yet applied. 
 * Cohesion is in the free velocities, so that contacts are plain (assemble_pull.c).
 * SCREE_E_LAW: a refresh failed. */
scree_status sc_assemble(const sc_assemble_in *in, sc_arena *arena, sc_problem *problem,
    sc_assembled *assembled, scree_error *error);

/* Mean over contacts of the closing velocity max(0, b_n) the bodies' present velocities leave [m/s];
 * closing_balls: the sum over ball contacts; closing_with: the mean, given that sum. */
double sc_problem_closing(const sc_problem *problem, sc_pool *pool);
double sc_problem_closing_balls(const sc_problem *problem, sc_pool *pool);
double sc_problem_closing_with(const sc_problem *problem, double balls, sc_pool *pool);
/* Returns the mean velocity that motors and springs of joints would give to their rows if nothing resisted
 * [m/s]; 0 without any. */
double sc_problem_drive_speed(const sc_problem *problem);
/* Returns the velocity scale of tolerances [m/s]. It is the largest of three velocities: the velocity that
 * weight gives in a step, the mean closing velocity of the free velocities, and 1e-6 of the drive speed. If
 * all are 0: the mean speed in the rows of joints. */
double sc_problem_velocity_scale(const sc_problem *problem, double closing);

/* ---- the one residual that judges every solver, [m/s] ----
 * largest over contacts j of |A_jj (x_j - solve_j(b_j - sum_k A_jk x_k))|; bodies' velocities must
 * contain all impulses. */
double sc_problem_residual(const sc_problem *problem);
/* The same of one: a ball contact, a general contact (from balls on), a joint row, a bond (behind them). */
double sc_problem_residual_of(const sc_problem *problem, int32_t index);
double sc_problem_general_residual(const sc_problem *problem, const sc_general *contact);

#endif
