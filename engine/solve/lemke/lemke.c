/* Lemke's algorithm on a dense tableau, and the solver that uses it.
 *
 * The system  w - M z - d z0 = q  with d = (1,..,1) is stored as a compact tableau,
 *     basic + T nonbasic = rhs,
 * of n rows and n + 1 columns of nonbasic variables. First z0 enters the basis, which makes all right-hand
 * sides non-negative. Then the complement of the variable that left enters, until z0 leaves. Ties of the
 * ratio test are broken lexicographically by the rows of the basis inverse (Cottle, Pang & Stone 1992,
 * section 4.9). The tableau contains this inverse: the column of w_k is a nonbasic column, or a unit vector
 * if w_k is basic. At the end the basic variables are computed again with the original M, which removes the
 * rounding errors of a long path.
 *
 * Redundant contacts (a box on its four corners) make vertices degenerate. Rounding can then lead the path
 * into a ray or a wrong basis. Therefore each result is checked against its conditions. If it fails, the next
 * attempt uses data without ties: q is increased by a few 1e-9, d is another positive vector, and of nearly
 * equal ratios the largest pivot is chosen (Harris 1973). The final computation with the original data
 * removes the shift.
 *
 * The matrix of Stewart & Trinkle (1996) is copositive, so for their right-hand sides the path ends in a
 * solution. A ray means that the problem is of another kind (conflicting joints) or too ill-conditioned. */
#include "solve/lemke/lemke.h"

#include <math.h>
#include <string.h>
#include "base/base.h"
#include "math/dense.h"
#include "problem/operator/lcp.h"
#include "solve/solver.h"
#include "problem/residual/residual.h"

static const double TINY_PIVOT =
    1e-11;                            /* entries below this share of the column's largest entry count as 0 */
static const double TIE = 1e-12;      /* maximum relative difference of ratios that count as equal */
enum { ATTEMPTS = 12 };               /* maximum number of attempts */
static const double SHIFT = 1e-9;     /* shift of q in the second attempt; it grows with each attempt */
static const double ACCEPTED = 1e-10; /* maximum relative error of the conditions */

typedef struct tableau {
  int n;
  bool shifted;          /* the data are shifted so that they have no ties (every attempt after the first) */
  double *T, *rhs;       /* [n * (n + 1)] table, [n] right-hand sides */
  int *basic, *nonbasic; /* [n], [n + 1] variables: w_k is k, z_k is n + k, z0 is 2n */
  int *column_of;        /* [n] nonbasic column of w_k; -1 - row: w_k is basic in this row */
} tableau;

static bool allocate_tableau(int n, sc_arena *arena, tableau *t) {
  t->n = n;
  t->T = SC_TAKE(arena, double, (size_t)n *(size_t)(n + 1));
  t->rhs = SC_TAKE(arena, double, n);
  t->basic = SC_TAKE(arena, int, n);
  t->nonbasic = SC_TAKE(arena, int, n + 1);
  t->column_of = SC_TAKE(arena, int, n);
  return t->T && t->rhs && t->basic && t->nonbasic && t->column_of;
}

/* Fills the tableau. attempt: 0 for the original problem with d = 1, else the shifted problem. */
static void start_tableau(const double *M, const double *q, int attempt, tableau *t) {
  int n = t->n;
  sc_rng rng;
  sc_rng_seed(&rng, (uint64_t)attempt);
  t->shifted = attempt > 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) t->T[i * (n + 1) + j] = -M[i * n + j];
    t->T[i * (n + 1) + n] = attempt ? -0.5 - sc_rng_unit(&rng) : -1;
    t->rhs[i] = attempt ? q[i] + attempt * SHIFT * (1 + sc_rng_unit(&rng)) : q[i];
    t->basic[i] = i;
    t->nonbasic[i] = n + i;
    t->column_of[i] = -1 - i;
  }
  t->nonbasic[n] = 2 * n;
}

/* Exchanges the basic variable of row r with the nonbasic variable of column c. */
static void exchange_variables(tableau *t, int r, int c) {
  int n = t->n, m = n + 1;
  double *pivot_row = t->T + r * m, inverse = 1 / pivot_row[c];
  for (int j = 0; j < m; j++) pivot_row[j] *= inverse;
  t->rhs[r] *= inverse;
  pivot_row[c] = inverse;
  for (int i = 0; i < n; i++) {
    double *row = t->T + i * m, f = row[c];
    if (i == r || f == 0) continue;
    row[c] = 0;
    for (int j = 0; j < m; j++) row[j] -= f * pivot_row[j];
    t->rhs[i] -= f * t->rhs[r];
  }
  int out = t->basic[r], in = t->nonbasic[c];
  t->basic[r] = in;
  t->nonbasic[c] = out;
  if (out < n) t->column_of[out] = c;
  if (in < n) t->column_of[in] = -1 - r;
}

static double inverse_entry(const tableau *t, int i, int k) {
  int c = t->column_of[k];
  return c >= 0 ? t->T[i * (t->n + 1) + c] : i == -1 - c;
}

/* Returns whether row i is before row j in the lexicographic order of (rhs, basis inverse) / entering
 * entry. */
static bool is_earlier_row(const tableau *t, int i, int j, int c) {
  double pi = t->T[i * (t->n + 1) + c], pj = t->T[j * (t->n + 1) + c];
  double a = t->rhs[i] / pi, b = t->rhs[j] / pj;
  if (fabs(a - b) > TIE * (fabs(a) + fabs(b) + 1)) return a < b;
  // z0 leaves the basis as soon as possible
  if (t->basic[i] == 2 * t->n || t->basic[j] == 2 * t->n) return t->basic[i] == 2 * t->n;
  for (int k = 0; k < t->n; k++) {
    a = inverse_entry(t, i, k) / pi;
    b = inverse_entry(t, j, k) / pj;
    if (fabs(a - b) > TIE * (fabs(a) + fabs(b) + 1)) return a < b;
  }
  return false;
}

/* Returns the row with the largest pivot among rows whose ratio is minimal within rounding; -1: none. */
static int harris_row(const tableau *t, int c, double largest) {
  int n = t->n, best = -1;
  double least = INFINITY;
  for (int i = 0; i < n; i++) {
    double pivot = t->T[i * (n + 1) + c];
    if (pivot > TINY_PIVOT * largest) least = fmin(least, (fmax(t->rhs[i], 0) + TIE) / pivot);
  }
  for (int i = 0; i < n; i++) {
    double pivot = t->T[i * (n + 1) + c];
    if (!(pivot > TINY_PIVOT * largest) || fmax(t->rhs[i], 0) > least * pivot) continue;
    if (t->basic[i] == 2 * n) return i;
    if (best < 0 || pivot > t->T[best * (n + 1) + c]) best = i;
  }
  return best;
}

/* Returns the row that leaves when column c enters; -1: the path ends in a ray. */
static int leaving_row(const tableau *t, int c) {
  int n = t->n, best = -1;
  double largest = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(t->T[i * (n + 1) + c]));
  if (t->shifted) return harris_row(t, c, largest);
  for (int i = 0; i < n; i++)
    if (t->T[i * (n + 1) + c] > TINY_PIVOT * largest && (best < 0 || is_earlier_row(t, i, best, c))) best = i;
  return best;
}

/* Returns the column of the complement of a variable; -1: it is basic. */
static int column_of_complement(const tableau *t, int variable) {
  int n = t->n, complement = variable < n ? variable + n : variable - n;
  for (int j = 0; j <= n; j++)
    if (t->nonbasic[j] == complement) return j;
  return -1;
}

/* Computes the basic variables z again from the original data. Leaves z unchanged if the basis is nearly
 * singular. */
static void solve_basis_again(
    const double *M, const double *q, const tableau *t, sc_arena *arena, double *z) {
  int n = t->n, m = 0;
  int *which = SC_TAKE(arena, int, 2 * n), *order = which + n;
  double *B = SC_TAKE(arena, double, (size_t)n *(size_t)n), *b = SC_TAKE(arena, double, 2 * n), *x = b + n;
  // without the shift, variables of a shifted basis may be slightly negative
  const double slack = t->shifted ? 1e-6 : 1e-9;
  if (!which || !B || !b) return;
  for (int k = 0; k < n; k++)
    if (z[k] > 0) which[m++] = k;
  for (int i = 0; i < m; i++) {
    b[i] = -q[which[i]];
    for (int j = 0; j < m; j++) B[i * m + j] = M[which[i] * n + which[j]];
  }
  if (!sc_lu_factor(m, B, order)) return;
  sc_lu_solve(m, B, order, b, x);
  for (int i = 0; i < m; i++) // reject the result of a nearly singular basis
    if (!(x[i] > -slack * (1 + fabs(z[which[i]])) &&
            fabs(x[i] - z[which[i]]) < 1e-3 * (1 + fabs(z[which[i]]))))
      return;
  for (int i = 0; i < m; i++) z[which[i]] = x[i] > 0 ? x[i] : 0;
}

static sc_lemke_end follow_path_of_pivots(tableau *t, int64_t max_pivots, int64_t *pivots) {
  int n = t->n, row = 0, column = n;
  // z0 enters in the row that is lexicographically smallest
  for (int i = 1; i < n; i++)
    if (t->rhs[i] * t->T[row * (n + 1) + n] >= t->rhs[row] * t->T[i * (n + 1) + n]) row = i;
  for (*pivots = 1;; ++*pivots) {
    int out = t->basic[row];
    exchange_variables(t, row, column);
    if (out == 2 * n) return SC_LEMKE_SOLVED;
    if (*pivots >= max_pivots) return SC_LEMKE_LIMIT;
    column = column_of_complement(t, out);
    row = leaving_row(t, column);
    if (row < 0) return SC_LEMKE_RAY;
  }
}

/* Returns the largest error of the conditions z >= 0, w = M z + q >= 0, z w = 0. q is scaled such that |q| <=
 * 1. */
static double error_of(int n, const double *M, const double *q, const double *z) {
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double w = q[i], terms = 1;
    for (int j = 0; j < n; j++) w += M[i * n + j] * z[j], terms += fabs(M[i * n + j] * z[j]);
    worst = fmax(worst, (z[i] > 0 ? fabs(w) : fmax(0, -w)) / terms);
  }
  return worst;
}

/* Follows one path of pivots. Writes z if the path ends in a solution. attempt: as in start_tableau. */
static sc_lemke_end walk_attempt(const double *M, const double *q, int attempt, int64_t max_pivots,
    sc_arena *arena, tableau *t, double *z, int64_t *pivots) {
  int n = t->n;
  int64_t count = 0;
  start_tableau(M, q, attempt, t);
  sc_lemke_end end = follow_path_of_pivots(t, max_pivots, &count);
  *pivots += count;
  if (end != SC_LEMKE_SOLVED) return end;
  memset(z, 0, (size_t)n * sizeof *z);
  for (int i = 0; i < n; i++)
    if (t->basic[i] >= n && t->basic[i] < 2 * n && t->rhs[i] > 0) z[t->basic[i] - n] = t->rhs[i];
  solve_basis_again(M, q, t, arena, z);
  return end;
}

sc_lemke_end sc_lemke(int n, const double *M, const double *q, int64_t max_pivots, sc_arena *arena, double *z,
    int64_t *pivots) {
  int64_t count = 0;
  double least = 0, largest = 0, best = INFINITY;
  memset(z, 0, (size_t)n * sizeof *z);
  for (int i = 0; i < n; i++) least = fmin(least, q[i]), largest = fmax(largest, fabs(q[i]));
  if (pivots) *pivots = 0;
  if (least >= 0) return SC_LEMKE_SOLVED;
  tableau t;
  double *scaled = SC_TAKE(arena, double, 2 * n), *trial = scaled + n;
  if (!scaled || !allocate_tableau(n, arena, &t)) return SC_LEMKE_MEMORY;
  // scale q, because tolerances assume |q| <= 1
  for (int i = 0; i < n; i++) scaled[i] = q[i] / largest;
  sc_lemke_end first = SC_LEMKE_SOLVED;
  for (int attempt = 0; attempt < ATTEMPTS && best > ACCEPTED; attempt++) {
    sc_lemke_end end = walk_attempt(M, scaled, attempt, max_pivots, arena, &t, trial, &count);
    if (attempt == 0) first = end;
    double error = end == SC_LEMKE_SOLVED ? error_of(n, M, scaled, trial) : INFINITY;
    if (!(error < best)) continue;
    best = error;
    for (int i = 0; i < n; i++) z[i] = trial[i] * largest;
  }
  if (pivots) *pivots = count;
  return best < INFINITY ? SC_LEMKE_SOLVED : first;
}

static scree_status solve_lemke(const sc_problem *problem, const scree_solver_def *par, sc_pool *pool,
    sc_arena *arena, sc_solver_report *report, scree_error *error) {
  sc_lcp lcp;
  (void)pool; // a path of pivots is sequential
  scree_status status = sc_lcp_build(
      problem, par->directions > 0 ? (int)par->directions : 8, arena, &lcp, error);
  if (status != SCREE_OK) return status;
  double *z = SC_TAKE(arena, double, lcp.n);
  int64_t limit = 6 * (int64_t)(lcp.n + 10); /* maximum pivots of a path; successful paths take a few n */
  sc_lemke_end end = z ? sc_lemke(lcp.n, lcp.M, lcp.q, limit, arena, z, &report->iterations)
                       : SC_LEMKE_MEMORY;
  if (end == SC_LEMKE_MEMORY)
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a tableau of %d unknowns", lcp.n);
  if (end == SC_LEMKE_RAY)
    return sc_fail(error, SCREE_E_NUMERIC,
        "lemke ended in a ray after %lld pivots (%d unknowns): conflicting joints or an ill-conditioned "
        "problem",
        (long long)report->iterations, lcp.n);
  if (end == SC_LEMKE_LIMIT)
    return sc_fail(
        error, SCREE_E_NUMERIC, "lemke gave up after %lld pivots (%d unknowns)", (long long)limit, lcp.n);
  status = sc_lcp_finish(&lcp, z, problem, arena, error);
  if (status == SCREE_OK) report->residual = sc_problem_residual(problem);
  return status;
}

const sc_solver sc_solver_lemke = {.name = "lemke",
    .doc = "complementary pivoting on the polyhedral problem of Stewart & Trinkle (1996): exact, for some "
           "hundred "
           "unknowns",
    .solve = solve_lemke,
    .misfit = sc_lcp_misfit,
    .may_fail = true};
