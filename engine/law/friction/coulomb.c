/* Coulomb's law: friction opposes the end-of-step slip (Bonnefon & Daviet 2011; Preclik, Eibl & Ruede 2017,
 * section 2).
 *
 * H, g, a and Ann belong to the reduced problem (law_parts.h). E is the unit matrix, y the friction impulse.
 * Sliding means v_to = -l y with l > 0 on the cone's boundary:  (H + l E) y = g,  |y| = mu x_n.
 * With p = adj(H) g this is
 *     |p + l g| = (mu/Ann) (b_n det(H + l E) - a.(p + l g)),   a quartic in l once squared.
 * Every positive root is a solution. The energy W of y(l) grows with l, dW/dl = l y'(H + l E)^-1 y > 0, so
 * the smallest root is the solution of least energy. sc_law_secular finds this root without the others. If
 * b_n = 0, x = 0 is a solution too, with the largest energy. If b_n < 0, the condition of compression allows
 * only x = 0. */
#include "law/law_parts.h"

/* Computes the impulses for a root l > 0 of the file head's equation, or l = 0 if the contact sticks. The
 * normal impulse follows from the normal row. If friction cancels most of the right-hand side of this row
 * during slip, the normal impulse is |friction|/mu instead. */
static void set_impulse_at(const sc_reduced *r, double mu, double l, double *x) {
  double inv = 1 / (r->det + l * (r->htt + r->hoo + l));
  x[1] = (r->pt + l * r->gt) * inv;
  x[2] = (r->po + l * r->go) * inv;
  double rest = r->bn - r->at * x[1] - r->ao * x[2];
  if (l > 0 && SC_ROW_LEFT * rest < r->bn) x[0] = sqrt(x[1] * x[1] + x[2] * x[2]) / mu;
  else x[0] = rest > 0 ? rest * r->inv : 0;
}

/* Computes the coefficients n[3] and k[3] of the secular equation (secular.c). m = mu/Ann. */
static void secular_coefficients(const sc_reduced *r, double m, double n[3], double k[3]) {
  n[0] = r->pt * r->pt + r->po * r->po;
  n[1] = r->pt * r->gt + r->po * r->go;
  n[2] = r->gt * r->gt + r->go * r->go;
  k[0] = m * (r->at * r->pt + r->ao * r->po - r->bn * r->det);
  k[1] = m * (r->at * r->gt + r->ao * r->go - r->bn * (r->htt + r->hoo));
  k[2] = m * r->bn;
}

/* Returns the initial value of the root search. It is computed from a vector e, |e| <= 1, along the friction
 * impulse of the last iterate x: |e| = 2 |x_to| m/(|x_to|^2 + m^2) with m = mu x_n. |e| = 1 if x lies on the
 * cone. The code computes (et, eo) = s e. */
static double start_of(const sc_reduced *r, double mu, const double k[3], const double *x) {
  double m = mu * x[0], s = x[1] * x[1] + x[2] * x[2] + m * m, et = 2 * m * x[1], eo = 2 * m * x[2];
  return sc_law_secular_start(et * r->pt + eo * r->po, et * r->gt + eo * r->go, s * k[0], s * k[1], s * k[2]);
}

static scree_contact_state coulomb_kernel(const double *par, const double *A, const double *b, double mu,
    double mu_static, double *x, int *iterations) {
  (void)par;
  if (!(b[0] >= 0)) return sc_law_zero(x);
  const sc_reduced r = sc_reduce(A, b);
  if (sc_sticks(&r, mu_static)) {
    set_impulse_at(&r, mu, 0, x);
    return SCREE_STICKING;
  }
  if (mu == 0) return sc_slip_free(&r, x);
  double n[3], k[3];
  secular_coefficients(&r, mu * r.inv, n, k);
  double l = sc_law_secular_from(start_of(&r, mu, k, x), n[0], n[1], n[2], k[0], k[1], k[2], iterations);
  if (l == INFINITY) return sc_law_zero(x);
  set_impulse_at(&r, mu, l, x);
  return SCREE_SLIDING;
}

/* Writes all solutions to x in ascending order of l, in which their energies ascend, too. Returns their
 * number. */
static int coulomb_kernel_all(
    const double *par, const double *A, const double *b, double mu, double mu_static, double *x) {
  (void)par;
  sc_law_zero(x);
  if (!(b[0] >= 0)) return 1;
  const sc_reduced r = sc_reduce(A, b);
  int count = sc_stick(&r, mu_static, x);
  if (mu == 0) return count ? count : (sc_slip_free(&r, x), 1);
  double n[3], k[3], roots[5];
  secular_coefficients(&r, mu * r.inv, n, k);
  int found = sc_law_secular_all(n[0], n[1], n[2], k[0], k[1], k[2], roots);
  for (int i = 0; i < found; i++) set_impulse_at(&r, mu, roots[i], x + 3 * count++);
  if (r.bn == 0 && (count == 0 || x[0] > 0)) sc_law_zero(x + 3 * count++);
  return count;
}

static scree_contact_state solve_coulomb(const sc_law *law, int dim, const double *A, const double *b,
    const double *par, double *x, int *iterations) {
  (void)law;
  return sc_friction_solve(coulomb_kernel, SC_RULE_COULOMB, dim, A, b, par, x, iterations);
}

static int solutions_of_coulomb(
    const sc_law *law, int dim, const double *A, const double *b, const double *par, double *x) {
  if (dim == 3) return sc_friction_solutions(coulomb_kernel_all, A, b, par, x);
  solve_coulomb(law, dim, A, b, par, x, NULL);
  return 1;
}

static sc_law_lane lane_of_coulomb(const double *par) { return sc_friction_lane(par, SC_FORM_COULOMB); }

const sc_law sc_law_coulomb = {
    .name = "coulomb",
    .doc = "Coulomb friction, exact; of several solutions the one of least energy",
    SC_FRICTION_TABLES(SC_PAR_COUNT),
    SC_FRICTION_BOUND,
    .ball_mu = sc_friction_ball_mu,
    .ball_couple = sc_friction_ball_couple,
    .lane = lane_of_coulomb,
    .solve = solve_coulomb,
    .solutions = solutions_of_coulomb,
    .project = sc_friction_project,
    .shift = sc_friction_shift,
};
