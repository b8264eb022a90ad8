/* The problem: all contacts and joints of one step as plain arrays. Assembly writes the problem. Solvers,
 * residual and dumps read it. The problem does not depend on the world, a solver or a processor. Solvers
 * change only the impulses, and the velocities that follow from them.
 *
 * Unknowns are impulses. Every body has its velocity v and the scaled spin q = s w. The length s is the
 * radius of a ball, and the bounding radius of any other body. Then v and q have the same unit, and a contact
 * of balls needs no radii:
 *     u = n,t,o components of (v1 + q1 x (r1/s1)) - (v2 + q2 x (r2/s2)),
 *     r = contact point - centre of mass.
 * An impulse p (world frame) on body 1, and -p on body 2, changes their velocities: v += p / m,
 * q += K (r/s x p) with K = s^2 I^-1 in world axes. The law of a contact has b_n = -(u_n + bias) with
 *     bias = erp min(0, gap/dt) + max(0, gap/dt)        (Preclik et al. 2017, section 3).
 *
 * A contact is recorded in one of two forms (docs/decisions/0005-two-records-of-a-contact.md):
 *   general  any shape, any law: scaled arms, frame, packed A
 *   ball     both bodies are balls, or a ball and an immovable body, and the rule admits the closed form:
 *            A is diagonal, r/s = -+n, only normal and impulse are needed
 * problem/operator/operator.h presents both forms as rows of one matrix. problem/contacts/contacts.h reads
 * both forms, from rows or from bundles. */
#ifndef SC_PROBLEM_H
#define SC_PROBLEM_H
#include <stdint.h>
#include "base/base.h"
#include "base/parallel.h"
#include "law/law.h"
#include "math/vec.h"
#include "model/bodies.h"
#include "problem/contact.h"
#include "problem/exchange.h"
#include "problem/joint_row.h"

typedef struct sc_solver_body { /* fills one cache line of 64 bytes */
  double v[3], inv_mass;
  double q[3], k; /* q = s w; k = s^2/I for a ball, 0 for immovable and for general bodies */
} sc_solver_body;

/* Scaled inverse inertia in world axes: xx, xy, xz, yy, yz, zz, and padding to a cache line. */
typedef double sc_inertia_row[8];

typedef struct sc_problem sc_problem;
typedef struct sc_contacts sc_contacts; /* contacts in bundles (contacts/contacts.h) */
typedef struct sc_matrix sc_matrix;

struct sc_problem {
  int32_t bodies; /* the last body, index bodies - 1, is the immovable world (inv_mass 0) */
  sc_solver_body *body;
  /* [bodies] centres of mass of bodies that can move [m]; only the order of visits depends on them */
  const double (*position)[3];
  /* [bodies] velocities and spins before the step, and scales s, of bodies that can move; NULL: not
   * available */
  const double (*velocity)[3], (*spin)[3], *scale;
  /* [bodies - 1] back-off counters (model/bodies.h), which solvers may change; NULL: not available */
  struct sc_wait *wait;
  sc_inertia_row *K; /* [bodies] K of each body; NULL if all K are k times the unit matrix */
  int32_t balls;
  sc_ball_contact *ball; /* [balls] ball contacts as rows; NULL if ball contacts lie in the store */
  sc_contacts *store;    /* contacts in bundles; NULL if all contacts lie in rows */
  /* [balls] index of the contact in the collision stage; NULL, with a store only: all contacts are ball
   * contacts */
  int32_t *ball_contact;
  /* [balls] moments; NULL if no rule has torsion or rolling, or the solver does not support moments of
   * balls */
  sc_ball_couple *couple;
  int32_t generals;
  int32_t general_rows; /* with a store: number of general contacts that have a row (sc_problem_rows) */
  sc_general_contact *general; /* [sc_problem_rows] general contacts that have a row */
  /* [generals] index of the contact in the collision stage; NULL, with a store only: all contacts are general
   * contacts */
  int32_t *general_contact;
  double *gap; /* [balls + generals] gap/dt [m/s]; NULL: gaps are in the store, or positions are not
                  corrected */
  /* [contacts of the collision stage] bodies and rule; NULL for a problem of rows that were not assembled
   * here */
  const sc_partners *partners;
  int32_t *row_law; /* [rows of `par`] index of the law to which the parameters belong */
  bool springs;     /* true: some contacts have springs */
  bool drifts;      /* true: general contacts can have a nonzero drift (sc_general_contact.drift) */
  int32_t laws;
  const sc_law **law;
  double *par, *block, *x; /* pools of general contacts: law parameters, Delassus blocks, impulses */
  int32_t joint_rows;
  sc_joint_row *joint_row;
  int32_t thirds;        /* number of entries of `third` in use */
  sc_joint_third *third; /* [thirds] third bodies of joint rows; NULL if all rows have two bodies */
  int32_t bonds;         /* number of bonds; their bodies have the same inertia about all axes */
  sc_bond_row *bond;
  const int32_t (*bond_side)[2];    /* [bonds] rows of both bodies; -1: the body does not exist any more */
  const sc_solver_body *bond_start; /* [bodies] bodies before the step, with s in the member k */
  double bond_energy;               /* energy of all bonds before the step [J] */
  const sc_exchange *exchange;      /* exchange with other ranks; NULL: one rank (sc_problem_exchange) */
  /* Returns the height of a contact of the collision stage against gravity, in any unit. NULL: not
   * available */
  double (*height)(const void *context, int32_t contact);
  const void *height_context;
  double dt, gravity; /* dt: duration of the step [s], gravity: |g| [m/s2]; only scales for tolerances depend
                         on them */
  /* true: movable bodies stay in planes of normal `plane`, and there are no ball contacts (planar.h) */
  bool planar;
  double plane[3]; /* unit normal of the plane */
  /* Delassus matrix of a problem without bodies (problem/operator/matrix.h); NULL: the problem has bodies */
  const struct sc_matrix *matrix;
};

/* Returns the exchange of the problem, or sc_exchange_none on one rank. */
static inline const sc_exchange *sc_problem_exchange(const sc_problem *problem) {
  return problem->exchange ? problem->exchange : &sc_exchange_none;
}

/* Returns true if a script defines one of the laws. One thread must solve contacts with such a law. */
static inline bool sc_problem_has_user_law(const sc_problem *problem) {
  for (int32_t law = 0; law < problem->laws; law++)
    if (problem->law[law]->user) return true;
  return false;
}

/* Returns true if impulses change the velocity of a body. */
static inline bool sc_problem_moves(const sc_problem *problem, int32_t body) {
  return problem->body[body].inv_mass > 0;
}

/* Returns the third body of a joint row, NULL if the row has two bodies. */
static inline const sc_joint_third *sc_problem_third(const sc_problem *problem, const sc_joint_row *row) {
  return row->third ? problem->third + row->third - 1 : NULL;
}
/* Writes the rows of the bodies of a joint row to `body`. Returns the number of bodies, 2 or 3. */
static inline int sc_problem_row_bodies(const sc_problem *problem, const sc_joint_row *row, int32_t body[3]) {
  body[0] = row->i, body[1] = row->j;
  if (!row->third) return 2;
  body[2] = problem->third[row->third - 1].body;
  return 3;
}

/* Returns K of a body (xx, xy, xz, yy, yz, zz). If the problem has no K, the result is in `scratch`. */
static inline const double *sc_problem_inertia(const sc_problem *problem, int32_t body, double scratch[6]) {
  if (problem->K) return problem->K[body];
  scratch[0] = scratch[3] = scratch[5] = problem->body[body].k;
  scratch[1] = scratch[2] = scratch[4] = 0;
  return scratch;
}

/* Returns the length s that scales a body's spin (see above). */
static inline double sc_body_scale(const sc_bodies *bodies, int32_t row) {
  return bodies->kind[row] == SCREE_DYNAMIC || bodies->tensor_row[row] == SC_TENSOR_BALL ? bodies->radius[row]
                                                                                         : 1;
}

#endif
