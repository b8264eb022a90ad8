/* Springs and dashpots: the penalty form of the laws `hooke` and `hertz`, for the penalty stepper.
 *
 * In the hard steppers these two laws are Coulomb friction with their mu, the limit of large stiffness. */
#ifndef SC_PENALTY_H
#define SC_PENALTY_H

#include "law/law_parts.h"

/* The parameter vector of both laws. */
enum {
  SC_PENALTY_MU,
  SC_PENALTY_STIFFNESS,          /* hooke: k [N/m]; hertz: effective modulus E* [Pa] */
  SC_PENALTY_DAMPING,            /* damping as a fraction of critical damping */
  SC_PENALTY_TANGENTIAL,         /* ratio of tangential to normal stiffness */
  SC_PENALTY_TANGENTIAL_DAMPING, /* ratio of tangential to normal damping */
  SC_PENALTY_ROLLING,            /* coefficient of rolling resistance */
  SC_PENALTY_NO_PULL,            /* nonzero: damping never pulls bodies together */
  SC_PENALTY_COUNT
};

#define SC_PENALTY_AT(i) ((size_t)(i) * sizeof(double))

/* Rows of both parameter tables: mu, the stiffness with the law's own name, then the rest. */
#define SC_PENALTY_MU_ROW \
  { "mu", SCREE_REAL, 0, "", 0.5, 0, INFINITY, SC_PENALTY_AT(SC_PENALTY_MU), NULL, "friction coefficient" }
#define SC_PENALTY_COMMON_ROWS(tangential_doc) \
  {"damping", SCREE_REAL, 0, "", 1, 0, 100, SC_PENALTY_AT(SC_PENALTY_DAMPING), NULL, \
      "share of critical damping: restitution exp(-pi z/sqrt(1-z^2)) at any speed, 0 from z = 1 on"}, \
      {"tangential", SCREE_REAL, 0, "", 2.0 / 7, 0, 100, SC_PENALTY_AT(SC_PENALTY_TANGENTIAL), NULL, \
          "tangential over normal stiffness" tangential_doc}, \
      {"tangential_damping", SCREE_REAL, 0, "", 0.5, 0, 100, SC_PENALTY_AT(SC_PENALTY_TANGENTIAL_DAMPING), \
          NULL, "tangential over normal damping"}, \
      {"rolling_friction", SCREE_REAL, 0, "", 0, 0, 100, SC_PENALTY_AT(SC_PENALTY_ROLLING), NULL, \
          "rolling resistance: torque at most this times the reduced radius R and the normal force"}, \
  { \
    "no_pull", SCREE_REAL, 0, "", 0, 0, 1, SC_PENALTY_AT(SC_PENALTY_NO_PULL), NULL, \
        "1: damping never pulls bodies together" \
  }

/* Members of sc_law that both laws have in common, except their parameter tables. */
#define SC_PENALTY_LAW \
  .params = params, .params_count = SC_PENALTY_COUNT, .state_count = SC_PENALTY_STATES, \
  .ball_mu = sc_penalty_ball_mu, .solve = sc_penalty_solve_hard, .project = sc_penalty_project, \
  .shift = sc_penalty_shift, .slides = sc_penalty_slides, .round = sc_law_round

/* State per contact: tangential spring force [N], normal stiffness at the last step [N/m], rolling spring
 * force [N]. */
enum { SC_PENALTY_SPRING = 0, SC_PENALTY_SLOPE = 3, SC_PENALTY_ROLL = 4, SC_PENALTY_STATES = 7 };

typedef struct sc_penalty {
  double exponent; /* exponent p: elastic force k overlap^(p-1) */
  /* factor f: the dashpot constant is f damping sqrt(m* dF/d overlap). The restitution then does not depend
   * on speed */
  double damping_factor;
  /* returns k for the parameters and the effective radius [m] */
  double (*coefficient)(const double *par, double radius);
} sc_penalty;

typedef struct sc_penalty_in {
  double overlap;      /* overlap of the shapes [m], > 0 */
  double radius, mass; /* effective radius [m] and mass [kg]: 1/r = 1/r1 + 1/r2, 1/m = 1/m1 + 1/m2; finite */
  double normal[3];    /* unit, from body 2 to body 1 */
  double velocity[3];  /* velocity of body 1 relative to body 2 at the contact [m/s] */
  double spin[3];      /* spin of body 1 minus spin of body 2 [rad/s] */
  double twist;        /* mean spin of both bodies about the normal [rad/s] */
  double dt;
} sc_penalty_in;

typedef struct sc_penalty_out {
  double force[3], torque[3]; /* force on body 1 [N]; torque on body 1 by rolling resistance only [N m] */
  double drag[3];             /* part of `force` from the dashpots [N] */
  /* part of `force` that stores energy: normal, and tangential unless it slides [N] */
  double spring[3];
  double elastic;   /* energy stored in the springs [J] */
  double slip_loss; /* energy that the sliders dissipated in the step [J] */
  double slope;     /* normal stiffness at this overlap [N/m] */
  int sliding;
} sc_penalty_out;

/* Computes the force of a contact and updates its state (SC_PENALTY_STATES doubles, 0 for a new contact). */
void sc_penalty_force(const sc_penalty *penalty, const double *par, const sc_penalty_in *in, double *state,
    sc_penalty_out *out);
/* Sets `coulomb` to the parameters of Coulomb friction with the coefficient mu of a law of springs, for the
 * hard steppers. */
void sc_penalty_coulomb(const double *par, double coulomb[SCREE_LAW_MAX_PARAMS]);
/* Solves a contact as Coulomb friction with mu, for the hard steppers (sc_law.solve). */
scree_contact_state sc_penalty_solve_hard(const sc_law *law, int dim, const double *A, const double *b,
    const double *par, double *x, int *iterations);
/* Returns whether a contact of balls needs only mu, and sets *mu. */
bool sc_penalty_ball_mu(const double *par, double *mu);
/* Returns whether the friction of impulse x is at its bound (sc_law.slides). */
bool sc_penalty_slides(const double *par, const double x[3]);
/* Replaces the impulse x [dim] by the nearest point of the friction cone (sc_law.project). */
void sc_penalty_project(const double *par, int dim, double *x);
/* Sets s [dim] to De Saxce's shift of the relative velocity u [dim] (sc_law.shift). */
void sc_penalty_shift(const double *par, int dim, const double *u, double *s);

#endif
