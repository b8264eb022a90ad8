/* Block-sparse LU against the matrix itself: grids, chains, stars and random graphs of blocks of mixed
 * sizes, with values that are not symmetric; the same bits with every width of vectors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "math/sparse/block_kernel.h"
#include "math/sparse/block_sparse.h"

typedef struct graph {
  int32_t blocks, *size;
  int64_t edges;
  int32_t (*edge)[2];
} graph;

static void fill_block(sc_rng *rng, sc_block_sparse *m, int32_t i, int32_t j, double *dense) {
  sc_block_place at = sc_block_sparse_place(m, i, j);
  for (int r = 0; r < m->size[i]; r++)
    for (int c = 0; c < m->size[j]; c++) {
      double value = sc_rng_unit(rng) - 0.5;
      m->value[at.at + r * at.stride + c] += value;
      dense[(m->start[i] + r) * m->rows + m->start[j] + c] += value;
    }
}

static void fill(sc_rng *rng, const graph *g, sc_block_sparse *m, double *dense) {
  memset(dense, 0, (size_t)m->rows * (size_t)m->rows * sizeof *dense);
  sc_block_sparse_clear(m);
  for (int64_t e = 0; e < g->edges; e++) {
    if (g->edge[e][0] == g->edge[e][1]) continue;
    fill_block(rng, m, g->edge[e][0], g->edge[e][1], dense);
    fill_block(rng, m, g->edge[e][1], g->edge[e][0], dense);
  }
  for (int32_t i = 0; i < g->blocks; i++) {
    sc_block_place at = sc_block_sparse_place(m, i, i);
    fill_block(rng, m, i, i, dense);
    for (int r = 0; r < m->size[i]; r++) {
      double sum = 0;
      for (int k = 0; k < m->rows; k++) sum += fabs(dense[(m->start[i] + r) * m->rows + k]);
      m->value[at.at + r * at.stride + r] += sum;
      dense[(m->start[i] + r) * m->rows + m->start[i] + r] += sum;
    }
  }
}

/* Solves A x = b for a random b in [-0.5, 0.5). Returns the largest component of |A x - b|. */
static double error_of(sc_rng *rng, const graph *g, sc_arena *arena, uint64_t *hash) {
  sc_block_sparse m;
  assert_true(sc_block_sparse_analyse(g->blocks, g->size, g->edges, (const int32_t(*)[2])g->edge, arena, &m));
  assert_true(sc_block_sparse_take(&m, arena));
  double *dense = SC_TAKE(arena, double, m.rows *m.rows), *b = SC_TAKE(arena, double, m.rows),
         *x = SC_TAKE(arena, double, m.rows), worst = 0;
  fill(rng, g, &m, dense);
  for (int i = 0; i < m.rows; i++) b[i] = x[i] = sc_rng_unit(rng) - 0.5;
  assert_true(sc_block_sparse_factor(&m));
  assert_int_equal(m.doubtful, 0);
  sc_block_sparse_solve(&m, x);
  for (int i = 0; i < m.rows; i++) {
    double sum = -b[i];
    for (int j = 0; j < m.rows; j++) sum += dense[i * m.rows + j] * x[j];
    worst = fmax(worst, fabs(sum));
  }
  *hash = sc_hash(SC_HASH_START, x, (size_t)m.rows * sizeof *x);
  return worst;
}

static void check(uint64_t seed, const graph *g) {
  static const char *const width[] = {"scalar", "avx2", "avx512"};
  uint64_t hash[3];
  for (int w = 0; w < 3; w++) {
    sc_arena arena = {0};
    sc_rng rng;
    sc_rng_seed(&rng, seed);
    setenv("SCREE_SIMD", width[w], 1);
    assert_true(error_of(&rng, g, &arena, hash + w) < 1e-13);
    sc_arena_free(&arena);
  }
  unsetenv("SCREE_SIMD");
  assert_true(hash[0] == hash[1] && hash[1] == hash[2]);
}

static void add(graph *g, int32_t a, int32_t b) {
  g->edge[g->edges][0] = a;
  g->edge[g->edges++][1] = b;
}

static void test_graphs(void **state) {
  (void)state;
  int32_t size[400], edge[4000][2];
  sc_rng rng;
  sc_rng_seed(&rng, 11);
  for (int round = 0; round < 40; round++) {
    graph g = {.blocks = 1 + (int32_t)(sc_rng_next(&rng) % 120), .size = size, .edge = edge};
    for (int32_t i = 0; i < g.blocks; i++) size[i] = round % 2 ? 6 : 1 + (int32_t)(sc_rng_next(&rng) % 6);
    for (int32_t i = 1; i < g.blocks; i++) { // a chain, a star, a random graph, a forest
      int32_t other = (int32_t)(sc_rng_next(&rng) % (uint64_t)i);
      if (round % 4 == 0) add(&g, i, i - 1);
      if (round % 4 == 1) add(&g, 0, i);
      if (round % 4 == 2) add(&g, i, other), add(&g, other, i), add(&g, i, i - 1), add(&g, i, i);
      if (round % 4 == 3 && i % 7) add(&g, i, other);
    }
    check(100 + (uint64_t)round, &g);
  }
}

/* A grid of 18 x 18 blocks: the order leaves less than three quarters of what a band would hold. */
static void test_grid(void **state) {
  (void)state;
  enum { N = 18 };
  int32_t size[N * N], edge[2 * N * N][2];
  graph g = {.blocks = N * N, .size = size, .edge = edge};
  for (int32_t i = 0; i < N * N; i++) size[i] = 6;
  for (int32_t i = 0; i < N * N; i++) {
    if (i % N) add(&g, i, i - 1);
    if (i >= N) add(&g, i, i - N);
  }
  check(7, &g);
  sc_arena arena = {0};
  sc_block_sparse m;
  assert_true(sc_block_sparse_analyse(g.blocks, size, g.edges, (const int32_t(*)[2])edge, &arena, &m));
  assert_true(m.values < (int64_t)2 * 36 * N * N * N * 3 / 4);
  sc_arena_free(&arena);
}

/* A pivot that vanishes is replaced and counted; values that are no numbers are reported. */
static void test_faults(void **state) {
  (void)state;
  sc_arena arena = {0};
  sc_block_sparse m;
  int32_t size[2] = {1, 1}, edge[1][2] = {{0, 1}};
  assert_true(sc_block_sparse_analyse(2, size, 1, (const int32_t(*)[2])edge, &arena, &m));
  assert_true(sc_block_sparse_take(&m, &arena));
  for (int32_t i = 0; i < 2; i++)
    for (int32_t j = 0; j < 2; j++) m.value[sc_block_sparse_place(&m, i, j).at] = 1;
  assert_true(sc_block_sparse_factor(&m));
  assert_int_equal(m.doubtful, 1);
  m.value[0] = NAN;
  assert_false(sc_block_sparse_factor(&m));
  sc_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_graphs),
      cmocka_unit_test(test_grid),
      cmocka_unit_test(test_faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
