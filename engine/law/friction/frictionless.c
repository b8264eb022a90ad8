/* Frictionless contact: x_n >= 0 complementary to v_n >= 0 (Signorini), no tangential impulse. */
#include "law/law_parts.h"

static bool ball_mu_of_frictionless(const double *par, double *mu) {
  (void)par;
  *mu = 0;
  return true;
}

static sc_law_lane lane_of_frictionless(const double *par) {
  (void)par;
  return (sc_law_lane){.form = SC_FORM_COULOMB};
}

static scree_contact_state solve_frictionless(const sc_law *law, int dim, const double *A, const double *b,
    const double *par, double *x, int *iterations) {
  (void)law, (void)par;
  if (iterations) *iterations = 0;
  for (int i = 0; i < dim; i++) x[i] = 0;
  if (!(b[0] > 0)) return SCREE_SEPARATING;
  x[0] = b[0] * (1 / A[0]);
  return SCREE_SLIDING;
}

static void project_on_normal(const double *par, int dim, double *x) {
  (void)par;
  if (!(x[0] > 0)) x[0] = 0;
  for (int i = 1; i < dim; i++) x[i] = 0;
}

static bool slides_frictionless(const double *par, const double x[3]) {
  (void)par, (void)x;
  return true;
}

const sc_law sc_law_frictionless = {
    .name = "frictionless",
    .doc = "no friction: normal impulse only",
    .ball_mu = ball_mu_of_frictionless,
    .lane = lane_of_frictionless,
    .solve = solve_frictionless,
    .project = project_on_normal,
    .slides = slides_frictionless,
    .round = sc_law_round,
};
