/* Coulomb's law with a polygon in place of the circle (Stewart & Trinkle 1996, section 2): the friction
 * impulse lies in mu x_n P. P is the convex hull of k unit vectors, the first of them along t. With k = 2
 * friction acts along t only. polygon.c solves the contact. */
#include "law/law_parts.h"

/* Sets P to unit vectors at the angles 2 j pi/k, j = 0..k-1. cos and sin of pi/k are computed by their Taylor
 * series, and the vectors by repeated rotation. */
static void fan_of(int k, sc_polygon *P) {
  double angle = 3.14159265358979323846 / k, square = angle * angle, c = 1, s = 1;
  for (int i = 12; i > 0; i--) {
    c = 1 - c * square / ((2 * i - 1) * (2 * i));
    s = 1 - s * square / ((2 * i) * (2 * i + 1));
  }
  s *= angle;
  double e[2] = {1, 0};
  P->count = k;
  for (int j = 0; j < 2 * k; j++) {
    if (j % 2 == 0) P->corner[j / 2][0] = e[0], P->corner[j / 2][1] = e[1];
    double next[2] = {c * e[0] - s * e[1], s * e[0] + c * e[1]};
    e[0] = next[0], e[1] = next[1];
  }
}

static scree_contact_state polyhedral_kernel(const double *par, const double *A, const double *b, double mu,
    double mu_static, double *x, int *iterations) {
  (void)iterations;
  sc_polygon P;
  if (!(b[0] >= 0)) return sc_law_zero(x);
  fan_of((int)par[SC_PAR_DIRECTIONS], &P);
  return sc_polygon_solve(&P, A, b, mu, mu_static, x);
}

static int polyhedral_kernel_all(
    const double *par, const double *A, const double *b, double mu, double mu_static, double *x) {
  sc_polygon P;
  fan_of((int)par[SC_PAR_DIRECTIONS], &P);
  return sc_polygon_solutions(&P, A, b, mu, mu_static, x);
}

static scree_contact_state solve_polyhedral(const sc_law *law, int dim, const double *A, const double *b,
    const double *par, double *x, int *iterations) {
  (void)law;
  return sc_friction_solve(polyhedral_kernel, SC_RULE_SPLIT, dim, A, b, par, x, iterations);
}

static int solutions_of_polyhedral(
    const sc_law *law, int dim, const double *A, const double *b, const double *par, double *x) {
  if (dim == 3) return sc_friction_solutions(polyhedral_kernel_all, A, b, par, x);
  solve_polyhedral(law, dim, A, b, par, x, NULL);
  return 1;
}

static bool slides_polyhedral(const double *par, const double x[3]) {
  sc_polygon P;
  double mu, mu_static, y[3];
  sc_friction_coefficients(par, &mu, &mu_static);
  sc_friction_to_circle(par, x, y);
  fan_of((int)par[SC_PAR_DIRECTIONS], &P);
  return sc_polygon_slides(&P, mu, mu_static, y);
}

const sc_law sc_law_polyhedral = {
    .name = "polyhedral",
    .doc = "Coulomb friction with a polygon of k directions in place of the circle, exact",
    SC_FRICTION_TABLES(SC_PAR_COUNT + 1),
    .solve = solve_polyhedral,
    .solutions = solutions_of_polyhedral,
    .slides = slides_polyhedral,
};
