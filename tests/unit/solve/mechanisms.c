/* Mechanisms in bundles: one pass satisfies all rows like blocks do, with the same bits at every width.
 * Equal mechanisms share a bundle; mechanisms with loops, springs or bounded rows are left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "random_problem.h"
#include "solve/joints/joint_blocks.h"
#include "solve/joints/joint_order.h"
#include "solve/sweeps/bundles/mechanism_form.h"
#include "solve/sweeps/kernels/sweep.h"
#include "problem/operator/delassus.h"

enum {
  LINKS = 5,
  MANY = 11,
  KINDS = 6,
  BODIES = LINKS * MANY * KINDS,
  ROWS = 3 * (LINKS + 1) * MANY * KINDS
};
enum { FREE_CHAIN, HUNG_CHAIN, STAR, LOOP, GIVING, BOUNDED }; /* the first three fit into bundles */

static void tie(sc_rng *rng, sc_problem *p, int32_t i, int32_t j) {
  for (int k = 0; k < 3; k++) {
    add_random_joint(rng, p, i, j, -INFINITY, INFINITY);
    p->joint_row[p->joint_rows - 1].joint = (p->joint_rows - 1) / 3;
  }
}

/* A mechanism of LINKS bodies from `first` on. */
static void add_mechanism(sc_rng *rng, sc_problem *p, int kind, int32_t first) {
  for (int k = 1; k < LINKS; k++) tie(rng, p, first + k, kind == STAR ? first : first + k - 1);
  if (kind == HUNG_CHAIN) tie(rng, p, first, p->bodies - 1);
  if (kind == LOOP) tie(rng, p, first, first + LINKS - 1);
  sc_joint_row *last = p->joint_row + p->joint_rows - 1;
  if (kind == GIVING) last->softness = 0.1;
  if (kind == BOUNDED) last->lo = -1, last->hi = 1;
}

static sc_problem make(sc_arena *arena) {
  sc_rng rng;
  const sc_law *law = NULL;
  sc_rng_seed(&rng, 7);
  sc_problem p = random_problem(&rng, BODIES, 0, &law, NULL, 0, arena);
  p.joint_row = SC_TAKE(arena, sc_joint_row, ROWS);
  for (int k = 0; k < MANY * KINDS; k++) add_mechanism(&rng, &p, k % KINDS, LINKS * k);
  return p;
}

static double worst(const sc_problem *p) {
  double most = 0;
  for (int32_t r = 0; r < p->joint_rows; r++)
    if (p->joint_row[r].lo < p->joint_row[r].x && p->joint_row[r].x < p->joint_row[r].hi)
      most = fmax(most, fabs(sc_problem_joint_unmet(p, p->joint_row + r)));
  return most;
}

/* All mechanisms met once, by bundles of this width and blocks for what is left. */
static void by_bundles(sc_problem *p, const char *width, sc_arena *arena, sc_mechanisms *m) {
  sc_joint_lists lists;
  sc_joint_blocks rest;
  _Alignas(64) sc_solver_body sink;
  setenv("SCREE_SIMD", width, 1);
  assert_true(sc_joint_lists_make(p, arena, &lists));
  assert_true(sc_mechanisms_build(p, &lists, 1, arena, m));
  assert_true(sc_joint_blocks_rest(p, &lists, arena, &rest));
  assert_int_equal(rest.count, MANY * (KINDS - LOOP));
  const sc_mechanism_sweep_in in = {m, 0, m->count, 1, p->body, &sink, m->room};
  sc_sweeps_best()->mechanism_factor(&in);
  double change = sc_sweeps_best()->mechanism(&in);
  assert_true(change > 0.01);
  assert_true(sc_sweeps_best()->mechanism(&in) < 1e-20);
  sc_mechanisms_unpack(m, p);
  sc_joint_blocks_relax(p, &rest);
}

static void as_blocks_do(void **unused) {
  (void)unused;
  sc_arena arena = {0};
  sc_problem mine = make(&arena), theirs = make(&arena);
  sc_mechanisms m;
  sc_joint_blocks blocks;
  by_bundles(&mine, "scalar", &arena, &m);
  assert_true(sc_joint_blocks_build(&theirs, &arena, &blocks));
  sc_joint_blocks_relax(&theirs, &blocks);
  assert_true(worst(&mine) < 1e-11);
  for (int32_t r = 0; r < mine.joint_rows; r++) near(mine.joint_row[r].x, theirs.joint_row[r].x, 1e-10);
  for (int32_t b = 0; b < BODIES; b++)
    for (int k = 0; k < 3; k++) {
      near(mine.body[b].v[k], theirs.body[b].v[k], 1e-10);
      near(mine.body[b].q[k], theirs.body[b].q[k], 1e-10);
    }
  sc_arena_free(&arena);
}

static void like_ones_together(void **unused) {
  (void)unused;
  sc_arena arena = {0};
  sc_problem p = make(&arena);
  sc_mechanisms m;
  by_bundles(&p, "scalar", &arena, &m);
  assert_int_equal(m.count, 3 * ((MANY + SC_LANES - 1) / SC_LANES));
  assert_int_equal(m.bundle[0].count, SC_LANES);
  sc_arena_free(&arena);
}

static void same_bits_at_every_width(void **unused) {
  (void)unused;
  static const char *const width[] = {"scalar", "avx2", "avx512"};
  uint64_t hash[3];
  for (int k = 0; k < 3; k++) {
    sc_arena arena = {0};
    sc_problem p = make(&arena);
    sc_mechanisms m;
    by_bundles(&p, width[k], &arena, &m);
    hash[k] = sc_hash(SC_HASH_START, p.body, (size_t)p.bodies * sizeof *p.body);
    for (int32_t r = 0; r < p.joint_rows; r++) hash[k] = sc_hash(hash[k], &p.joint_row[r].x, sizeof(double));
    sc_arena_free(&arena);
  }
  unsetenv("SCREE_SIMD");
  assert_int_equal(hash[0], hash[1]);
  assert_int_equal(hash[0], hash[2]);
}

/* Masses of 1 to 10000 along a chain. */
/* The rows of a hung chain and of the chain without its last link are ordered in turn with the same scratch.
 * Each order runs along the chain, and between orders the scratch has no links and no places. */
static void chains_in_order(void **unused) {
  (void)unused;
  sc_arena arena = {0};
  sc_rng rng;
  const sc_law *law = NULL;
  sc_joint_walk walk;
  sc_rng_seed(&rng, 8);
  sc_problem p = random_problem(&rng, LINKS, 0, &law, NULL, 0, &arena);
  static const int32_t ends[LINKS][2] = {{3, 4}, {1, 0}, {2, 3}, {0, LINKS}, {2, 1}};
  for (int k = 0; k < LINKS; k++) tie(&rng, &p, ends[k][0], ends[k][1]);
  assert_true(sc_joint_walk_take(&p, &arena, &walk));
  for (int turn = 0; turn < 4; turn++) {
    int32_t row[3 * LINKS], count = 0;
    for (int32_t r = 0; r < p.joint_rows; r++)
      if (turn % 2 == 0 || fmin(p.joint_row[r].i, p.joint_row[r].j) < 3) row[count++] = r;
    assert_int_equal(count, turn % 2 ? 12 : 15);
    assert_true(sc_joint_order(&walk, count, row));
    for (int32_t b = 0; b <= LINKS; b++) assert_true(walk.head[b] == -1 && walk.place[b] == -1);
    for (int32_t k = 1; k < count; k++) {
      const sc_joint_row *a = p.joint_row + row[k - 1], *b = p.joint_row + row[k];
      assert_true(a->i == b->i || a->i == b->j || a->j == b->i || a->j == b->j);
    }
  }
  sc_arena_free(&arena);
}

static void unlike_masses(void **unused) {
  (void)unused;
  sc_arena arena = {0};
  sc_problem p = make(&arena);
  sc_mechanisms m;
  for (int32_t b = 0; b < BODIES; b += 2) {
    p.body[b].inv_mass *= 1e-4;
    for (int k = 0; k < 6; k++) p.K[b][k] *= 1e-4;
  }
  by_bundles(&p, "avx512", &arena, &m);
  assert_true(worst(&p) < 1e-10);
  unsetenv("SCREE_SIMD");
  sc_arena_free(&arena);
}

/* Three rows that lock a point along the axes of the world have a shorter form if they belong to one joint.
 */
static void points_have_a_form(void **unused) {
  (void)unused;
  for (int32_t other = 0; other < 2; other++) {
    sc_arena arena = {0};
    sc_rng rng;
    const sc_law *law = NULL;
    sc_form_finder f;
    sc_rng_seed(&rng, 3);
    sc_problem p = random_problem(&rng, 2, 0, &law, NULL, 0, &arena);
    p.joint_row = SC_TAKE(&arena, sc_joint_row, 3);
    for (int k = 0; k < 3; k++) {
      const double arm1[3] = {1, 2, 3}, arm2[3] = {-4, 5, 6}, axis[3] = {k == 0, k == 1, k == 2};
      add_random_joint(&rng, &p, 0, 1, -INFINITY, INFINITY);
      sc_joint_row *row = p.joint_row + k;
      row->joint = k == 2 ? other : 0;
      sc_copy3(axis, row->lin1), sc_scale(-1, axis, row->lin2);
      sc_cross(arm1, axis, row->ang1), sc_cross(axis, arm2, row->ang2);
    }
    assert_true(sc_forms_open(&f, &p, &arena));
    assert_int_equal(sc_form_of(&f, (const int32_t[3]){0, 1, 2}, 3), 0);
    assert_int_equal(f.form[0].points, !other);
    sc_arena_free(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_blocks_do), cmocka_unit_test(like_ones_together),
      cmocka_unit_test(same_bits_at_every_width), cmocka_unit_test(unlike_masses),
      cmocka_unit_test(chains_in_order), cmocka_unit_test(points_have_a_form)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
