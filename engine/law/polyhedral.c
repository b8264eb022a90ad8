/* Coulomb's law with a polygon in place of the circle (Stewart & Trinkle 1996, section 2): the friction impulse lies in mu x_n P,
 * P the convex hull of k unit vectors d_i, the first along t, and is the point of it that opposes the end-of-step slip most.
 *
 * The answer lies inside (sticking), on a corner or on an edge. Each is a linear problem:
 *   corner i:   y = mu x_n d_i;               slip v.d_i not above v.d_j of the neighbours
 *   edge i,j:   y = mu x_n d_i + s (d_j - d_i), 0 <= s <= mu x_n;   v.(d_j - d_i) = 0, v.d_i <= 0
 * All are tried; of those that hold, the one of least energy is taken. k = 2 is friction along t alone. */
#include "law/law_parts.h"

enum { MOST = 64 };

/* Unit vectors at the angles j pi/k, j = 0..2k-1. Taylor series of cos and sin at pi/k, then repeated rotation. */
static void fan(int k, double e[2 * MOST][2]) {
  double angle = 3.14159265358979323846 / k, square = angle * angle, c = 1, s = 1;
  for (int i = 12; i > 0; i--) {
    c = 1 - c * square / ((2 * i - 1) * (2 * i));
    s = 1 - s * square / ((2 * i) * (2 * i + 1));
  }
  s *= angle;
  e[0][0] = 1;
  e[0][1] = 0;
  for (int j = 1; j < 2 * k; j++) {
    e[j][0] = c * e[j - 1][0] - s * e[j - 1][1];
    e[j][1] = s * e[j - 1][0] + c * e[j - 1][1];
  }
}

typedef struct search {
  const double *A, *b;
  double mu, scale, violation, energy; /* of the best so far */
  double best[3];
  scree_contact_state state;
  double *all; int count;              /* every candidate that holds, if wanted */
} search;

/* Offers a candidate that breaks its conditions by `violation` (relative). */
static void offer(search *q, const double *x, double violation, scree_contact_state state) {
  const double slack = 1e-12;
  double energy = sc_energy3(q->A, q->b, x);
  if (!(violation < INFINITY) || !(x[0] < INFINITY)) return;
  if (violation <= slack && q->all && q->count < SCREE_LAW_MAX_SOLUTIONS) {
    // keep the list sorted and free of doubles
    int i = q->count;
    for (int j = 0; j < q->count; j++) {
      double *y = q->all + 3 * j, size = fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
      if (fabs(x[0] - y[0]) + fabs(x[1] - y[1]) + fabs(x[2] - y[2]) <= 1e-9 * size) return;
    }
    for (; i > 0 && sc_energy3(q->A, q->b, q->all + 3 * (i - 1)) > energy; i--)
      for (int c = 0; c < 3; c++) q->all[3 * i + c] = q->all[3 * (i - 1) + c];
    for (int c = 0; c < 3; c++) q->all[3 * i + c] = x[c];
    q->count++;
  }
  bool holds = violation <= slack, held = q->violation <= slack;
  if (holds ? held && energy >= q->energy : violation >= q->violation) return;
  for (int c = 0; c < 3; c++) q->best[c] = x[c];
  q->violation = violation;
  q->energy = energy;
  q->state = state;
}

static double slip_along(const search *q, const double *x, const double *d) {
  const double *A = q->A;
  double vt = A[3] * x[0] + A[4] * x[1] + A[5] * x[2] - q->b[1], vo = A[6] * x[0] + A[7] * x[1] + A[8] * x[2] - q->b[2];
  return vt * d[0] + vo * d[1];
}

static void try_stick(search *q, double mu_static, int k, double (*e)[2]) {
  const sc_reduced r = sc_reduce(q->A, q->b);
  double x[3] = {0, r.pt / r.det, r.po / r.det}, worst = 0;
  x[0] = (r.bn - r.at * x[1] - r.ao * x[2]) / r.ann;
  double inner = mu_static * x[0] * e[1][0], size = fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
  if (k == 2 || x[0] < 0) return;
  for (int i = 0; i < k; i++) worst = fmax(worst, x[1] * e[2 * i + 1][0] + x[2] * e[2 * i + 1][1] - inner);
  offer(q, x, size > 0 ? worst / size : 0, SCREE_STICKING);
}

static void try_corner(search *q, const double *before, const double *d, const double *after) {
  double stiffness = q->A[0] + q->mu * (q->A[1] * d[0] + q->A[2] * d[1]);
  if (!(stiffness > 0)) return;
  double s = q->b[0] / stiffness, x[3] = {s, q->mu * s * d[0], q->mu * s * d[1]}, slip = slip_along(q, x, d);
  double worst = fmax(slip - slip_along(q, x, before), slip - slip_along(q, x, after));
  offer(q, x, fmax(0, worst) / (q->scale + fabs(slip)), SCREE_SLIDING);
}

static void try_edge(search *q, const double *d, const double *next) {
  const double *A = q->A, e[2] = {next[0] - d[0], next[1] - d[1]}, p[2] = {q->mu * d[0], q->mu * d[1]};
  double ce[2] = {A[4] * e[0] + A[5] * e[1], A[5] * e[0] + A[8] * e[1]}, ae = A[1] * e[0] + A[2] * e[1];
  double m11 = A[0] + A[1] * p[0] + A[2] * p[1], m21 = ce[0] * p[0] + ce[1] * p[1] + ae, m22 = ce[0] * e[0] + ce[1] * e[1];
  double det = m11 * m22 - ae * m21, right = e[0] * q->b[1] + e[1] * q->b[2];
  if (det == 0) return;
  double xn = (q->b[0] * m22 - ae * right) / det, s = (m11 * right - m21 * q->b[0]) / det;
  if (!(xn > 0)) return;
  double x[3] = {xn, xn * p[0] + s * e[0], xn * p[1] + s * e[1]}, most = q->mu * xn, slip = slip_along(q, x, d);
  double outside = fmax(0, fmax(-s, s - most)) / most;
  offer(q, x, fmax(outside, fmax(0, slip) / (q->scale + fabs(slip))), SCREE_SLIDING);
}

static void enumerate(search *q, int k, double mu_static) {
  double e[2 * MOST][2];
  fan(k, e);
  q->violation = q->energy = INFINITY;
  q->scale = fabs(q->b[0]) + fabs(q->b[1]) + fabs(q->b[2]);
  try_stick(q, mu_static, k, e);
  for (int i = 0; i < k; i++) {
    int after = 2 * (i + 1) % (2 * k), before = 2 * (i + k - 1) % (2 * k);
    try_corner(q, e[before], e[2 * i], e[after]);
    if (k > 2 || i == 0) try_edge(q, e[2 * i], e[after]);
  }
  const double zero[3] = {0, 0, 0};
  if (q->b[0] == 0) offer(q, zero, 0, SCREE_SEPARATING);
}

static scree_contact_state kernel(const double *par, const double *A, const double *b, double mu, double mu_static, double *x, int *iterations) {
  (void)iterations;
  if (!(b[0] >= 0)) return sc_law_zero(x);
  const sc_reduced r = sc_reduce(A, b);
  if (mu == 0) return sc_slip_free(&r, x);
  search q = {.A = A, .b = b, .mu = mu};
  enumerate(&q, (int)par[SC_PAR_DIRECTIONS], mu_static);
  if (!(q.violation < INFINITY)) return sc_law_zero(x);
  for (int i = 0; i < 3; i++) x[i] = q.best[i];
  return q.state;
}

static int kernel_all(const double *par, const double *A, const double *b, double mu, double mu_static, double *x) {
  search q = {.A = A, .b = b, .mu = mu, .all = x};
  if (b[0] >= 0 && mu > 0) enumerate(&q, (int)par[SC_PAR_DIRECTIONS], mu_static);
  if (q.count) return q.count;
  kernel(par, A, b, mu, mu_static, x, NULL);
  return 1;
}

static scree_contact_state solve(const sc_law *law, int dim, const double *A, const double *b, const double *par, double *x, int *iterations) {
  (void)law;
  return sc_friction_solve(kernel, SC_RULE_SPLIT, dim, A, b, par, x, iterations);
}

static int solutions(const sc_law *law, int dim, const double *A, const double *b, const double *par, double *x) {
  if (dim == 3) return sc_friction_solutions(kernel_all, A, b, par, x);
  solve(law, dim, A, b, par, x, NULL);
  return 1;
}

const sc_law sc_law_polyhedral = {
  .name = "polyhedral", .doc = "Coulomb friction with a polygon of k directions in place of the circle, exact",
  .params = sc_friction_params, .params_count = SC_PAR_COUNT + 1, .state_count = SC_STATE_COUNT, .states = sc_friction_states, .dim = sc_friction_dim, .solve = solve,
  .solutions = solutions, .refresh = sc_friction_refresh,
};
