/* The common parameters of Coulomb-like laws. */
#include "law/law_parts.h"

#define AT(i) ((size_t)(i) * sizeof(double))
const scree_param sc_friction_params[SC_PAR_COUNT + 1] = {
  {"mu", SCREE_REAL, 0, "", 0.5, 0, INFINITY, AT(SC_PAR_MU), NULL, "coefficient of friction"},
};

int sc_friction_dim(const double *par) { (void)par; return 3; }

bool sc_friction_ball_mu(const double *par, double *mu) {
  *mu = par[SC_PAR_MU];
  return true;
}
