/* Hertz contacts: f = 4/3 E* sqrt(R*) overlap^(3/2). */
#include "law/penalty.h"

#include <math.h>

#define AT(i) ((size_t)(i) * sizeof(double))
static const scree_param params[SC_PENALTY_COUNT] = {
  {"mu", SCREE_REAL, 0, "", 0.5, 0, INFINITY, AT(SC_PENALTY_MU), NULL, "coefficient of friction"},
  {"modulus", SCREE_REAL, SCREE_REQUIRED | SCREE_POSITIVE, "Pa", 1e9, 0, INFINITY, AT(SC_PENALTY_STIFFNESS), NULL,
      "effective modulus, 1/E* = (1-nu1^2)/E1 + (1-nu2^2)/E2"},
  {"damping", SCREE_REAL, 0, "", 1, 0, 100, AT(SC_PENALTY_DAMPING), NULL,
      "share of critical damping: restitution exp(-pi z/sqrt(1-z^2)) at any speed, 0 from z = 1 on"},
  {"tangential", SCREE_REAL, 0, "", 2.0 / 7, 0, 100, AT(SC_PENALTY_TANGENTIAL), NULL,
      "tangential over normal stiffness; Mindlin: 2(1-nu)/(2-nu)"},
  {"tangential_damping", SCREE_REAL, 0, "", 0.5, 0, 100, AT(SC_PENALTY_TANGENTIAL_DAMPING), NULL,
      "tangential over normal damping"},
  {"rolling", SCREE_REAL, 0, "", 0, 0, 100, AT(SC_PENALTY_ROLLING), NULL,
      "rolling resistance: torque at most rolling * R * normal force"},
  {"no_pull", SCREE_REAL, 0, "", 0, 0, 1, AT(SC_PENALTY_NO_PULL), NULL, "1: damping never pulls bodies together"},
};

static double coefficient(const double *par, double radius) { return 4.0 / 3 * par[SC_PENALTY_STIFFNESS] * sqrt(radius); }

static const sc_penalty hertz = {.exponent = 2.5, .damping_factor = 1.8257418583505538 /* sqrt(10/3) */, .coefficient = coefficient};

const sc_law sc_law_hertz = {
  .name = "hertz", .doc = "Hertz spring and dashpot with a Coulomb slider (penalty stepper); Coulomb friction in the hard steppers",
  .params = params, .params_count = SC_PENALTY_COUNT, .state_count = SC_PENALTY_STATES, .ball_kernel = true,
      .ball_mu = sc_penalty_ball_mu,
  .solve = sc_penalty_solve_hard, .project = sc_penalty_project, .shift = sc_penalty_shift, .penalty = &hertz,
};
