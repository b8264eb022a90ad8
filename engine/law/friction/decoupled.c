/* Computes the normal impulse first and then shortens the friction to the cone, as many engines do. This law
 * is an approximation and serves for comparison.
 *
 * y is the friction, a the coupling of the normal row with the tangential rows of A. The normal impulse uses
 * the friction of the last iterate, x_n = (b_n - a.y_before)/Ann (y_before = 0 in a bare problem). The
 * friction that would stop the slip for this x_n is shortened to mu x_n along its own direction. The result
 * is exact only if A is diagonal with Att = Aoo. Otherwise v_n has the error a.(y - y_before), and sliding
 * friction neither opposes the slip nor dissipates most. This is the only law whose result depends on the
 * last iterate: one call is a step of an iteration, not the solution of a problem. */
#include "law/law_parts.h"

static scree_contact_state decoupled_kernel(const double *par, const double *A, const double *b, double mu,
    double mu_static, double *x, int *iterations) {
  (void)par, (void)iterations;
  double push = b[0] - A[1] * x[1] - A[2] * x[2];
  if (!(push > 0)) return sc_law_zero(x);
  x[0] = push / A[0];
  // friction that stops the slip at this normal impulse
  double gt = b[1] - A[1] * x[0], go = b[2] - A[2] * x[0], inv = 1 / (A[4] * A[8] - A[5] * A[5]);
  x[1] = (A[8] * gt - A[5] * go) * inv;
  x[2] = (A[4] * go - A[5] * gt) * inv;
  double square = x[1] * x[1] + x[2] * x[2], most = mu_static * x[0];
  if (square <= most * most) return SCREE_STICKING;
  double cut = mu * x[0] / sqrt(square);
  x[1] *= cut;
  x[2] *= cut;
  return SCREE_SLIDING;
}

static scree_contact_state solve_decoupled(const sc_law *law, int dim, const double *A, const double *b,
    const double *par, double *x, int *iterations) {
  (void)law;
  return sc_friction_solve(decoupled_kernel, SC_RULE_SPLIT, dim, A, b, par, x, iterations);
}

static sc_law_lane lane_of_decoupled(const double *par) { return sc_friction_lane(par, SC_FORM_SPLIT); }

const sc_law sc_law_decoupled = {
    .name = "decoupled",
    .doc = "approximate: normal impulse first, then friction cut back to mu times it",
    SC_FRICTION_TABLES(SC_PAR_COUNT),
    SC_FRICTION_BOUND,
    .ball_mu = sc_friction_ball_mu,
    .ball_couple = sc_friction_ball_couple,
    .lane = lane_of_decoupled,
    .solve = solve_decoupled,
};
