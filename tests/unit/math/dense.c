/* Tests dense factorisations and inverses on random systems: the product of matrix and solution must be the
 * right-hand side. Factorisations must find the rank of singular matrices. Singular systems with a solution
 * must be solved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "base/base.h"
#include "math/dense.h"
#include "math/mass.h"
#include "math/small.h"

enum { MOST = 12 };

static double between(sc_rng *rng, double a, double b) { return a + (b - a) * sc_rng_unit(rng); }

static void multiply(int n, const double *A, const double *x, double *out) {
  for (int i = 0; i < n; i++) {
    out[i] = 0;
    for (int j = 0; j < n; j++) out[i] += A[i * n + j] * x[j];
  }
}

static void assert_same(int n, const double *a, const double *b, double within) {
  for (int i = 0; i < n; i++) assert_true(fabs(a[i] - b[i]) <= within);
}

/* Sets A = B B' for a random B (n x rank), with the rows and columns of A scaled by powers of ten. */
static void semidefinite(sc_rng *rng, int n, int rank, double decades, double *A) {
  double B[MOST][MOST], scale[MOST];
  for (int i = 0; i < n; i++) {
    scale[i] = pow(10, between(rng, -decades, decades));
    for (int k = 0; k < rank; k++) B[i][k] = between(rng, -1, 1);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i * n + j] = 0;
      for (int k = 0; k < rank; k++) A[i * n + j] += scale[i] * scale[j] * B[i][k] * B[j][k];
    }
}

static void lu_solves(void **unused) {
  (void)unused;
  sc_rng rng;
  sc_rng_seed(&rng, 1);
  for (int round = 0; round < 200; round++) {
    const int n = round % (MOST + 1);
    double A[MOST * MOST], F[MOST * MOST], b[MOST], x[MOST], back[MOST];
    int row[MOST];
    for (int k = 0; k < n * n; k++) A[k] = k % 3 ? between(&rng, -1, 1) : 0;
    for (int k = 0; k < n; k++) b[k] = between(&rng, -1, 1), A[k * n + (k + 1) % n] += 3;
    memcpy(F, A, sizeof A);
    assert_true(sc_lu_factor(n, F, row));
    sc_lu_solve(n, F, row, b, x);
    multiply(n, A, x, back);
    assert_same(n, back, b, 1e-11);
    if (n < 2) continue;
    for (int j = 0; j < n; j++) A[j * n + 1] = 0; // a column of zeros
    assert_false(sc_lu_factor(n, A, row));
  }
}

static void cholesky_solves(void **unused) {
  (void)unused;
  sc_rng rng;
  sc_rng_seed(&rng, 2);
  for (int round = 0; round < 400; round++) {
    const int n = 1 + round % MOST, rank = round % 3 ? n : 1 + (int)between(&rng, 0, n);
    double A[MOST * MOST], F[MOST * MOST], b[MOST], x[MOST], of[MOST], back[MOST], scratch[MOST];
    int order[MOST], seen = 0;
    semidefinite(&rng, n, rank, round % 2 ? 3 : 0, A);
    for (int k = 0; k < n; k++) of[k] = between(&rng, -1, 1) / sqrt(A[k * n + k]);
    multiply(n, A, of, b); // a right-hand side for which there is a solution
    memcpy(F, A, sizeof A);
    for (int i = 0; i < n; i++)
      for (int j = i + 1; j < n; j++) F[i * n + j] = NAN; // only the lower triangle is read
    assert_int_equal(sc_cholesky_factor(n, F, order, 1e-9, scratch), rank);
    for (int k = 0; k < n; k++) seen |= 1 << order[k];
    assert_int_equal(seen, (1 << n) - 1);
    sc_cholesky_solve(n, rank, F, order, b, x, scratch);
    multiply(n, A, x, back);
    for (int i = 0; i < n; i++) assert_true(fabs(back[i] - b[i]) <= 1e-6 * sqrt(A[i * n + i]));
    for (int i = rank; i < n; i++) assert_true(x[order[i]] == 0);
    for (int i = 0; i < rank; i++) // P A P' = L L'
      for (int j = 0; j <= i; j++) {
        double sum = 0;
        for (int k = 0; k <= j; k++) sum += F[i * n + k] * F[j * n + k];
        const double entry = A[order[i] * n + order[j]];
        assert_true(fabs(sum - entry) <= 1e-9 * sqrt(A[order[i] * (n + 1)] * A[order[j] * (n + 1)]));
      }
  }
}

/* The first pivot of a diagonal matrix is its first row, because the remaining share of every diagonal entry
 * is 1. The factorisation skips rows whose diagonal entry is 0 or negative. */
static void pivots(void **unused) {
  (void)unused;
  double A[9] = {4, 0, 0, 0, 0, 0, 0, 0, 9}, scratch[3];
  int order[3];
  assert_int_equal(sc_cholesky_factor(3, A, order, 0, scratch), 2);
  assert_true(order[0] == 0 && order[1] == 2 && order[2] == 1 && A[0] == 2 && A[4] == 3);
  double B[4] = {1, 0, 2, 4}; // singular: the second row is twice the first
  assert_int_equal(sc_cholesky_factor(2, B, order, 0, scratch), 1);
  double C[4] = {1, 0, 0.5, 0.26}; // 1/26 of the second diagonal entry is left
  assert_int_equal(sc_cholesky_factor(2, C, order, 0.03, scratch), 2);
  double D[4] = {1, 0, 0.5, 0.26};
  assert_int_equal(sc_cholesky_factor(2, D, order, 0.05, scratch), 1);
}

static void inverses(void **unused) {
  (void)unused;
  sc_rng rng;
  sc_rng_seed(&rng, 3);
  for (int round = 0; round < 120; round++) {
    const int n = 1 + round % SC_SMALL_MOST;
    double A[MOST * MOST], inverse[MOST * MOST], one[MOST], back[MOST], column[MOST];
    semidefinite(&rng, n, n, 0, A);
    for (int k = 0; k < n; k++) A[k * n + k] += 1;
    if (round % 2) // not symmetric, with leading minors that are not 0
      for (int k = 1; k < n; k++) A[k] += 0.3;
    (round % 2 ? sc_small_invert : sc_small_invert_symmetric)(n, A, inverse);
    for (int c = 0; c < n; c++) {
      for (int k = 0; k < n; k++) column[k] = inverse[k * n + c], one[k] = k == c;
      multiply(n, A, column, back);
      assert_same(n, back, one, 1e-11);
      for (int k = 0; k < n && round % 2 == 0; k++) assert_true(inverse[k * n + c] == inverse[c * n + k]);
    }
  }
}

/* Symmetric tensors (xx, xy, xz, yy, yz, zz). Tensors that are not positive definite have no inverse. */
static void tensors(void **unused) {
  (void)unused;
  static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  sc_rng rng;
  sc_rng_seed(&rng, 4);
  for (int round = 0; round < 100; round++) {
    double A[9], T[6], out[6];
    semidefinite(&rng, 3, 3, 1, A);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) T[at[i][j]] = A[3 * i + j];
    assert_true(sc_sym_invert(T, out));
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        double sum = 0, size = 0;
        for (int k = 0; k < 3; k++) {
          sum += T[at[i][k]] * out[at[k][j]];
          size = fmax(size, fabs(T[at[i][k]] * out[at[k][j]]));
        }
        assert_true(fabs(sum - (i == j)) < 1e-9 * (1 + size));
      }
  }
  static const double none[][6] = {{0}, {-1, 0, 0, 1, 0, 1}, {1, 0, 0, -1, 0, 1}, {1, 0, 0, 1, 0, -1},
      {1, 2, 0, 1, 0, 1}, {1, 0, 2, 1, 0, 1}, {1, 0, 0, 1, 2, 1}, {1, 0, 0, 1, 1, 1}, {-1, 0, 0, -1, 0, 1},
      {1, 0, 0, -1, 0, -1}, {-1, 0, 0, 1, 0, -1}};
  double out[6];
  for (size_t k = 0; k < sizeof none / sizeof *none; k++) assert_false(sc_sym_invert(none[k], out));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lu_solves), cmocka_unit_test(cholesky_solves),
      cmocka_unit_test(pivots), cmocka_unit_test(inverses), cmocka_unit_test(tensors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
