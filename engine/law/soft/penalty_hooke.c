/* Hooke contacts: f = k overlap. */
#include "law/soft/penalty.h"

#include <math.h>

static const scree_param params[SC_PENALTY_COUNT] = {
    SC_PENALTY_MU_ROW,
    {"stiffness", SCREE_REAL, SCREE_REQUIRED | SCREE_POSITIVE, "N/m", 1e5, 0, INFINITY,
        SC_PENALTY_AT(SC_PENALTY_STIFFNESS), NULL,
        "normal stiffness; relative values count in compatible forces"},
    SC_PENALTY_COMMON_ROWS(""),
};

static double hooke_coefficient(const double *par, double radius) {
  (void)radius;
  return par[SC_PENALTY_STIFFNESS];
}

static const sc_penalty hooke = {.exponent = 2, .damping_factor = 2, .coefficient = hooke_coefficient};

const sc_law sc_law_hooke = {
    .name = "hooke",
    .doc = "linear spring and dashpot with a Coulomb slider (penalty stepper); Coulomb friction in the hard "
           "steppers",
    SC_PENALTY_LAW,
    .penalty = &hooke,
};
