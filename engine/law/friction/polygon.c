/* One contact whose friction impulse lies in x_n P. P is a convex polygon in the tangent plane. The friction
 * impulse is the point of x_n P that opposes the end-of-step slip most (Stewart & Trinkle 1996, section 2).
 * Used by the laws `polyhedral` and `directional`.
 *
 * The solution lies inside (sticking), at a corner or on an edge. Each case is a linear problem:
 *   corner i:   y = mu x_n p_i;               slip v.p_i not above v.p_j of the neighbours
 *   edge i,j:   y = mu x_n p_i + s (p_j - p_i), 0 <= s <= mu x_n;   v.(p_j - p_i) = 0, v.p_i <= 0
 * All cases are tried. Of the cases whose conditions are satisfied, the case of least energy is chosen. A
 * polygon of two corners means friction along a line. */
#include "law/law_parts.h"

typedef struct search {
  const double *A, *b;
  double mu, scale, violation, energy; /* violation and energy of the best candidate so far */
  double best[3];
  scree_contact_state state;
  double *all; /* list of the candidates that satisfy their conditions; NULL: there is no list */
  int count;   /* number of candidates in `all` */
} search;

/* Adds a candidate solution: to the list `all` if it satisfies its conditions, and as the best candidate if
 * it is better than the best so far. violation: relative amount by which the candidate violates its
 * conditions. */
static void add_candidate(search *q, const double *x, double violation, scree_contact_state state) {
  const double slack = 1e-12;
  double energy = sc_energy3(q->A, q->b, x);
  if (!(violation < INFINITY) || !(x[0] < INFINITY)) return;
  if (violation <= slack && q->all && q->count < SCREE_LAW_MAX_SOLUTIONS) {
    // the list is sorted by energy and has no duplicates
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
  double vt = A[3] * x[0] + A[4] * x[1] + A[5] * x[2] - q->b[1],
         vo = A[6] * x[0] + A[7] * x[1] + A[8] * x[2] - q->b[2];
  return vt * d[0] + vo * d[1];
}

static void try_stick(search *q, double mu_static, const sc_polygon *P) {
  const sc_reduced r = sc_reduce(q->A, q->b);
  double x[3] = {0, r.pt / r.det, r.po / r.det}, worst = 0;
  x[0] = (r.bn - r.at * x[1] - r.ao * x[2]) / r.ann;
  double size = fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
  if (P->count < 3 || x[0] < 0) return;
  for (int i = 0; i < P->count; i++) {
    const double *p = P->corner[i], *next = P->corner[(i + 1) % P->count];
    double m[2] = {next[1] - p[1], p[0] - next[0]}, length = sqrt(m[0] * m[0] + m[1] * m[1]);
    double most = mu_static * x[0] * (m[0] * p[0] + m[1] * p[1]);
    worst = fmax(worst, (m[0] * x[1] + m[1] * x[2] - most) / length);
  }
  add_candidate(q, x, size > 0 ? worst / size : 0, SCREE_STICKING);
}

static void try_corner(search *q, const double *before, const double *d, const double *after) {
  double stiffness = q->A[0] + q->mu * (q->A[1] * d[0] + q->A[2] * d[1]);
  if (!(stiffness > 0)) return;
  double s = q->b[0] / stiffness, x[3] = {s, q->mu * s * d[0], q->mu * s * d[1]}, slip = slip_along(q, x, d);
  double worst = fmax(slip - slip_along(q, x, before), slip - slip_along(q, x, after));
  add_candidate(q, x, fmax(0, worst) / (q->scale + fabs(slip)), SCREE_SLIDING);
}

static void try_edge(search *q, const double *d, const double *next) {
  const double *A = q->A, e[2] = {next[0] - d[0], next[1] - d[1]}, p[2] = {q->mu * d[0], q->mu * d[1]};
  double ce[2] = {A[4] * e[0] + A[5] * e[1], A[5] * e[0] + A[8] * e[1]}, ae = A[1] * e[0] + A[2] * e[1];
  double m11 = A[0] + A[1] * p[0] + A[2] * p[1], m21 = ce[0] * p[0] + ce[1] * p[1] + ae,
         m22 = ce[0] * e[0] + ce[1] * e[1];
  double det = m11 * m22 - ae * m21, right = e[0] * q->b[1] + e[1] * q->b[2];
  if (det == 0) return;
  double xn = (q->b[0] * m22 - ae * right) / det, s = (m11 * right - m21 * q->b[0]) / det;
  if (!(xn > 0)) return;
  double x[3] = {xn, xn * p[0] + s * e[0], xn * p[1] + s * e[1]}, most = q->mu * xn,
         slip = slip_along(q, x, d);
  double outside = fmax(0, fmax(-s, s - most)) / most;
  add_candidate(q, x, fmax(outside, fmax(0, slip) / (q->scale + fabs(slip))), SCREE_SLIDING);
}

static void try_candidates(search *q, const sc_polygon *P, double mu_static) {
  int k = P->count;
  q->violation = q->energy = INFINITY;
  q->scale = fabs(q->b[0]) + fabs(q->b[1]) + fabs(q->b[2]);
  try_stick(q, mu_static, P);
  for (int i = 0; i < k; i++) {
    int after = (i + 1) % k, before = (i + k - 1) % k;
    try_corner(q, P->corner[before], P->corner[i], P->corner[after]);
    if (k > 2 || i == 0) try_edge(q, P->corner[i], P->corner[after]);
  }
  const double zero[3] = {0, 0, 0};
  if (q->b[0] == 0) add_candidate(q, zero, 0, SCREE_SEPARATING);
}

scree_contact_state sc_polygon_solve(
    const sc_polygon *P, const double *A, const double *b, double mu, double mu_static, double *x) {
  if (!(b[0] >= 0)) return sc_law_zero(x);
  if (mu == 0 || P->count < 2) {
    const sc_reduced r = sc_reduce(A, b);
    return sc_slip_free(&r, x);
  }
  search q = {.A = A, .b = b, .mu = mu};
  try_candidates(&q, P, mu_static);
  if (!(q.violation < INFINITY)) return sc_law_zero(x);
  for (int i = 0; i < 3; i++) x[i] = q.best[i];
  return q.state;
}

int sc_polygon_solutions(
    const sc_polygon *P, const double *A, const double *b, double mu, double mu_static, double *x) {
  search q = {.A = A, .b = b, .mu = mu, .all = x};
  if (b[0] >= 0 && mu > 0 && P->count > 1) try_candidates(&q, P, mu_static);
  if (q.count) return q.count;
  sc_polygon_solve(P, A, b, mu, mu_static, x);
  return 1;
}

/* ---- polygons from vectors ---- */

static double turn_of(const double *a, const double *b, const double *c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static bool is_before(const double *a, const double *b) {
  return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

void sc_polygon_hull(const double (*point)[2], int count, sc_polygon *P) {
  SC_ASSERT(count >= 0 && P && (point || !count));
  double sorted[SC_POLYGON_MOST + 1][2] = {{0, 0}};
  int n = 1;
  // sorts 0 and the points by insertion
  for (int i = 0; i < count && n <= SC_POLYGON_MOST; i++, n++) {
    int at = n;
    for (; at > 0 && is_before(point[i], sorted[at - 1]); at--)
      sorted[at][0] = sorted[at - 1][0], sorted[at][1] = sorted[at - 1][1];
    sorted[at][0] = point[i][0];
    sorted[at][1] = point[i][1];
  }
  // lower chain to the right, upper chain back (Andrew 1979); a corner must turn left by more than rounding,
  // which is never true for numbers that overflow or are NaN
  double hull[2 * SC_POLYGON_MOST + 4][2], big = 0;
  for (int i = 0; i < n; i++) big = fmax(big, sorted[i][0] * sorted[i][0] + sorted[i][1] * sorted[i][1]);
  int k = 0;
  for (int step = 0, floor = 2; step < 2 * n - 1; step++) {
    const double *p = sorted[step < n ? step : 2 * n - 2 - step];
    if (step == n) floor = k + 1;
    while (k >= floor && !(turn_of(hull[k - 2], hull[k - 1], p) > 1e-14 * big)) k--;
    hull[k][0] = p[0];
    hull[k++][1] = p[1];
  }
  const int most = n < SC_POLYGON_MOST ? n : SC_POLYGON_MOST;
  P->count = 0;
  for (int i = 0; i + 1 < k && P->count < most; i++) { // the last point equals the first
    if (P->count && hull[i][0] == P->corner[P->count - 1][0] && hull[i][1] == P->corner[P->count - 1][1])
      continue;
    P->corner[P->count][0] = hull[i][0];
    P->corner[P->count++][1] = hull[i][1];
  }
}

void sc_polygon_section(const sc_polygon *P, double range[2]) {
  SC_ASSERT(P && range);
  range[0] = range[1] = 0;
  for (int i = 0; i < P->count; i++) {
    const double *p = P->corner[i], *q = P->corner[(i + 1) % P->count];
    double cut = (p[1] > 0) != (q[1] > 0) ? p[0] + (q[0] - p[0]) * p[1] / (p[1] - q[1])
        : p[1] == 0                       ? p[0]
                                          : 0;
    range[0] = fmin(range[0], cut);
    range[1] = fmax(range[1], cut);
  }
}
