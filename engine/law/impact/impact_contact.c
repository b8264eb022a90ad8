/* The impact law at a contact of the time stepper: blocks in the order (n,t,o). */
#include "law/impact/impact.h"
#include "base/base.h"
#include "math/vec.h"

void sc_impact_ball(double An, double At, const double v[3], double mu, double e, double x[3]) {
  SC_ASSERT(v && x && mu >= 0);
  sc_set3(0, 0, 0, x);
  if (!(v[0] < 0)) return;
  // v_n and the slip are not coupled; friction acts along the slip until the slip vanishes
  x[0] = -(1 + e) * v[0] / An;
  double slip = sqrt(v[1] * v[1] + v[2] * v[2]), most = mu * x[0];
  if (!(slip > 0)) return;
  double size = slip / At < most ? slip / At : most;
  x[1] = -size * (v[1] / slip);
  x[2] = -size * (v[2] / slip);
}

bool sc_impact_contact(const double A[9], const double v[3], double mu, double e, int law, double x[3]) {
  SC_ASSERT(A && v && x && mu >= 0 && e >= 0);
  sc_set3(0, 0, 0, x);
  if (!(v[0] < 0)) return true;
  if (A[1] == 0 && A[2] == 0 && A[5] == 0 && A[4] == A[8]) {
    sc_impact_ball(A[0], A[4], v, mu, e, x);
    return true;
  }
  scree_impact_def def = {.W = {A[4], A[5], A[3], A[7], A[8], A[6], A[1], A[2], A[0]},
      .v = {v[1], v[2], v[0]},
      .mu = mu,
      .e = e,
      .law = law};
  scree_impact_result result;
  if (scree_impact_solve(&def, &result, NULL) != SCREE_OK) {
    x[0] = -v[0] / A[0];
    return false;
  }
  sc_set3(result.impulse[2], result.impulse[0], result.impulse[1], x);
  return true;
}
