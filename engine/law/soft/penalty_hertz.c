/* Hertz contacts: f = 4/3 E* sqrt(R*) overlap^(3/2). */
#include "law/soft/penalty.h"

#include <math.h>

static const scree_param params[SC_PENALTY_COUNT] = {
    SC_PENALTY_MU_ROW,
    {"modulus", SCREE_REAL, SCREE_REQUIRED | SCREE_POSITIVE, "Pa", 1e9, 0, INFINITY,
        SC_PENALTY_AT(SC_PENALTY_STIFFNESS), NULL, "effective modulus, 1/E* = (1-nu1^2)/E1 + (1-nu2^2)/E2"},
    SC_PENALTY_COMMON_ROWS("; Mindlin: 2(1-nu)/(2-nu)"),
};

static double hertz_coefficient(const double *par, double radius) {
  return 4.0 / 3 * par[SC_PENALTY_STIFFNESS] * sqrt(radius);
}

static const sc_penalty hertz = {
    .exponent = 2.5, .damping_factor = 1.8257418583505538 /* sqrt(10/3) */, .coefficient = hertz_coefficient};

const sc_law sc_law_hertz = {
    .name = "hertz",
    .doc = "Hertz spring and dashpot with a Coulomb slider (penalty stepper); Coulomb friction in the hard "
           "steppers",
    SC_PENALTY_LAW,
    .penalty = &hertz,
};
