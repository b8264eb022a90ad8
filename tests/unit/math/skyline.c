/* Skyline Cholesky against the dense one with pivots: random sparse Gram matrices, some of whose rows
 * depend on others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>
#include "base/base.h"
#include "math/dense.h"
#include "math/sparse/skyline.h"

enum { N = 60, WIDTH = 7, COLUMNS = N + WIDTH };

/* Rows of G reach over WIDTH columns from their own place on; every fifth row is the sum of the two
 * before it where `dependent`. */
static void random_rows(sc_rng *rng, int dependent, double G[N][COLUMNS]) {
  memset(G, 0, N * sizeof *G);
  for (int i = 0; i < N; i++)
    for (int k = i; k < i + WIDTH; k++) G[i][k] = sc_rng_unit(rng) - 0.5 + (k == i);
  for (int i = 4; dependent && i < N; i += 5)
    for (int k = 0; k < COLUMNS; k++) G[i][k] = G[i - 1][k] + G[i - 2][k];
}

static double gram(double G[N][COLUMNS], int i, int j) {
  double sum = 0;
  for (int k = 0; k < COLUMNS; k++) sum += G[i][k] * G[j][k];
  return sum;
}

/* The envelope: first column whose rows share a column of G. */
static void fill(double G[N][COLUMNS], sc_skyline *s) {
  s->n = N;
  s->at[0] = 0;
  for (int i = 0; i < N; i++) {
    s->first[i] = i;
    for (int j = i; j >= 0; j--)
      if (gram(G, i, j) != 0) s->first[i] = j;
    s->at[i + 1] = s->at[i] + i - s->first[i] + 1;
    for (int j = s->first[i]; j <= i; j++) *sc_skyline_entry(s, i, j) = gram(G, i, j);
  }
}

static void compare(sc_rng *rng, int dependent) {
  static double G[N][COLUMNS], A[N * N], entry[N * N], scratch[N], b[N], x[N], y[N];
  int32_t first[N];
  int64_t at[N + 1];
  int order[N];
  sc_skyline s = {N, first, at, entry};
  random_rows(rng, dependent, G);
  fill(G, &s);
  assert_true(at[N] < N * N / 3);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) A[i * N + j] = gram(G, i, j);
  int rank = sc_cholesky_factor(N, A, order, 1e-11, scratch);
  assert_int_equal(sc_skyline_factor(&s, 1e-11), rank);
  assert_int_equal(rank, dependent ? N - N / 5 : N);
  // a right-hand side in the range: b = A z
  double z[N];
  for (int i = 0; i < N; i++) z[i] = sc_rng_unit(rng) - 0.5;
  for (int i = 0; i < N; i++) {
    b[i] = 0;
    for (int j = 0; j < N; j++) b[i] += gram(G, i, j) * z[j];
  }
  sc_cholesky_solve(N, rank, A, order, b, x, scratch);
  memcpy(y, b, sizeof y);
  sc_skyline_solve(&s, y, y); // in place
  // x itself is unique only where no row depends on others; A x always is
  for (int i = 0; i < N; i++) {
    double mine = 0;
    for (int j = 0; j < N; j++) mine += gram(G, i, j) * y[j];
    assert_true(fabs(mine - b[i]) < 1e-9);
    if (!dependent) assert_true(fabs(x[i] - y[i]) < 1e-8);
    if (dependent && i % 5 == 4) assert_true(y[i] == 0);
  }
}

static void test_against_dense(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 11);
  for (int round = 0; round < 50; round++) compare(&rng, round % 2);
}

static void test_nothing(void **state) {
  (void)state;
  double entry[1] = {0}, x[1] = {3};
  int32_t first[1] = {0};
  int64_t at[2] = {0, 1};
  sc_skyline s = {1, first, at, entry};
  assert_int_equal(sc_skyline_factor(&s, 1e-11), 0);
  sc_skyline_solve(&s, x, x);
  assert_true(x[0] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_dense), cmocka_unit_test(test_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
