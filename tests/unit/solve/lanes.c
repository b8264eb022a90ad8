/* Gauss-Seidel gives the same bits for every width of vectors and number of threads, and those of the
 * plain loop. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/base.h"
#include "math/vec.h"
#include "problem/contacts/store.h"
#include "solve/solver.h"
#include "solve/sweeps/kernels/sweep.h"
#include "problem/contacts/contacts.h"
#include "problem/operator/delassus.h"
#include "problem/contacts/apply.h"
#include "problem/residual/residual.h"

enum { SIDE = 18, BODIES = SIDE * SIDE * SIDE + 2, CONTACTS = 3 * SIDE * SIDE * SIDE };

typedef struct {
  sc_problem problem;
  sc_solver_body body[BODIES];
  double position[BODIES][3];
  sc_inertia_row K[BODIES];
  sc_ball_contact ball[CONTACTS];
} bed;

static double between(sc_rng *rng, double a, double b) { return a + (b - a) * sc_rng_unit(rng); }

/* Returns a jittered cubic bed of balls. Each ball touches its lower neighbours. The lowest layer touches an
 * immovable body. */
static bed *make_bed(int side) {
  bed *b = aligned_alloc(64, (sizeof(bed) + 63) & ~(size_t)63);
  sc_rng rng;
  memset(b, 0, sizeof *b);
  sc_rng_seed(&rng, 3);
  sc_problem *p = &b->problem;
  p->bodies = BODIES;
  p->body = b->body;
  p->position = (const double(*)[3])b->position;
  p->K = b->K;
  p->ball = b->ball;
  p->dt = 1e-3;
  p->gravity = 10;
  for (int i = 0; i < side * side * side; i++) {
    int at[3] = {i % side, i / side % side, i / side / side};
    for (int k = 0; k < 3; k++) {
      b->position[i][k] = at[k] + between(&rng, -0.1, 0.1);
      b->body[i].v[k] = between(&rng, -1, 1);
      b->body[i].q[k] = between(&rng, -1, 1);
    }
    b->body[i].inv_mass = between(&rng, 0.5, 2);
    b->body[i].k = 2.5 * b->body[i].inv_mass;
    for (int k = 0, step = 1; k < 3; k++, step *= side) {
      if (at[k] == 0 && k < 2) continue;
      sc_ball_contact *c = &b->ball[p->balls++];
      c->i = i;
      c->j = at[k] ? i - step : BODIES - 2;
      sc_set3(k == 0, k == 1, k == 2, c->n);
      for (int m = 0; m < 3; m++) c->n[m] += between(&rng, -0.2, 0.2);
      sc_normalise(c->n, c->n);
      c->bias = between(&rng, -0.1, 0.1);
      c->mu = between(&rng, 0, 0.5);
    }
  }
  return b;
}

/* The plain loop in the order of the visit: one-lane bundles of one contact each. */
static void plain(bed *b, int sweeps, double omega) {
  sc_arena arena = {0};
  sc_order order;
  assert_true(sc_order_build(&b->problem, SC_BALL_BLOCKS, b->problem.balls, &b->ball[0].i, &b->ball[0].j,
      sizeof(sc_ball_contact) / 4, NULL, &arena, &order));
  sc_solver_body sink;
  sc_solver_body *body = sc_arena_take(&arena, (BODIES + 2) * sizeof *body);
  memcpy(body, b->body, sizeof b->body);
  memset(body + BODIES, 0, 2 * sizeof *body);
  body[BODIES].inv_mass = 1;
  for (int s = 0; s < sweeps; s++)
    for (int32_t k = 0; k < order.count; k++) {
      sc_ball_contact *c = &b->ball[order.visit[k]];
      sc_bundle one;
      const double mu[1][SC_LANES] = {{c->mu}};
      for (int l = 0; l < SC_LANES; l++) {
        for (int m = 0; m < 3; m++) one.n[m][l] = l ? 0 : c->n[m], one.p[m][l] = l ? 0 : c->p[m];
        one.bias[l] = l ? 1 : c->bias;
        one.i[l] = l ? BODIES : c->i;
        one.j[l] = l || body[c->j].inv_mass == 0 ? (l ? ~(BODIES + 1) : ~c->j) : c->j;
      }
      const sc_bundles bundles = {.bundle = &one, .mu = mu, .least = -INFINITY};
      sc_sweeps_scalar.plain(
          &(sc_sweep_in){.bundles = &bundles, .end = 1, .body = body, .sink = &sink, .omega = omega});
      for (int m = 0; m < 3; m++) c->p[m] = one.p[m][0];
    }
  memcpy(b->body, body, sizeof b->body);
  sc_arena_free(&arena);
}

static uint64_t bits(const bed *b) {
  uint64_t hash = sc_hash(SC_HASH_START, b->body, sizeof b->body);
  for (int c = 0; c < b->problem.balls; c++) hash = sc_hash(hash, b->ball[c].p, sizeof b->ball[c].p);
  return hash;
}

static uint64_t solve(const char *simd, int threads, double omega, int acceleration) {
  bed *b = make_bed(SIDE);
  sc_arena arena = {0};
  sc_pool *pool = threads > 1 ? sc_pool_create(threads) : NULL;
  scree_solver_def par = {
      .iterations = 20, .min_iterations = 1, .relaxation = omega, .acceleration = acceleration};
  sc_solver_report report;
  setenv("SCREE_SIMD", simd, 1);
  assert_int_equal(sc_solver_find("nbgs")->solve(&b->problem, &par, pool, &arena, &report, NULL), SCREE_OK);
  assert_int_equal(report.iterations, 20);
  uint64_t hash = bits(b);
  unsetenv("SCREE_SIMD");
  sc_pool_destroy(pool);
  sc_arena_free(&arena);
  free(b);
  return hash;
}

static void same_bits(void **unused) {
  (void)unused;
  const double omegas[] = {1, 0.8};
  for (int o = 0; o < 2; o++) {
    bed *b = make_bed(SIDE);
    plain(b, 20, omegas[o]);
    uint64_t expected = bits(b);
    free(b);
    const char *const simd[] = {"scalar", "avx2", "avx512"};
    for (int s = 0; s < 3; s++)
      for (int threads = 1; threads <= 4; threads++)
        if (solve(simd[s], threads, omegas[o], 0) != expected)
          fail_msg("%s with %d threads differs from the plain loop", simd[s], threads);
  }
}

/* Momentum: the same bits for all widths and threads. */
static void momentum_same_bits(void **unused) {
  (void)unused;
  const char *const simd[] = {"scalar", "avx2", "avx512"};
  uint64_t expected = solve("scalar", 1, 1, 1);
  assert_true(expected != solve("scalar", 1, 1, 0));
  for (int s = 0; s < 3; s++)
    for (int threads = 1; threads <= 4; threads++)
      if (solve(simd[s], threads, 1, 1) != expected)
        fail_msg("%s with %d threads differs with momentum", simd[s], threads);
}

/* Momentum takes a third of the sweeps or less to a small residual; velocities stay those of the
 * impulses, impulses in their cones. */
static void momentum_converges(void **unused) {
  (void)unused;
  int64_t sweeps[2];
  for (int acceleration = 0; acceleration < 2; acceleration++) {
    bed *b = make_bed(14);
    sc_arena arena = {0};
    scree_solver_def par = {.iterations = 4000,
        .min_iterations = 1,
        .relaxation = 1,
        .tolerance = 1e-8,
        .acceleration = acceleration};
    sc_solver_report report;
    sc_solver_body *free_body = malloc(sizeof b->body);
    memcpy(free_body, b->body, sizeof b->body);
    assert_int_equal(sc_solver_find("nbgs")->solve(&b->problem, &par, NULL, &arena, &report, NULL), SCREE_OK);
    sweeps[acceleration] = report.iterations;
    double residual = sc_problem_residual(&b->problem);
    if (!(residual < 1e-7)) fail_msg("residual %g after %d sweeps", residual, (int)report.iterations);
    sc_problem check = b->problem;
    check.body = free_body;
    sc_problem_apply_all(&check, NULL);
    for (int i = 0; i < BODIES; i++)
      for (int k = 0; k < 3; k++)
        if (!(fabs(free_body[i].v[k] - b->body[i].v[k]) < 1e-10))
          fail_msg("body %d moves by %g, its impulses say %g", i, b->body[i].v[k], free_body[i].v[k]);
    for (int c = 0; c < b->problem.balls; c++) {
      const sc_ball_contact *k = &b->ball[c];
      double n = sc_dot(k->p, k->n), t[3];
      sc_axpy(-n, k->n, k->p, t);
      assert_true(n >= 0 && sc_norm(t) <= k->mu * n * (1 + 1e-9) + 1e-13 * n);
    }
    free(free_body);
    sc_arena_free(&arena);
    free(b);
  }
  if (!(3 * sweeps[1] < sweeps[0]))
    fail_msg("%d sweeps with momentum, %d without", (int)sweeps[1], (int)sweeps[0]);
}

/* The residual falls, and every impulse lies in its cone. */
static void converges(void **unused) {
  (void)unused;
  bed *b = make_bed(9);
  sc_arena arena = {0};
  scree_solver_def par = {.iterations = 3000, .min_iterations = 1, .relaxation = 1};
  sc_solver_report report;
  assert_int_equal(sc_solver_find("nbgs")->solve(&b->problem, &par, NULL, &arena, &report, NULL), SCREE_OK);
  double residual = sc_problem_residual(&b->problem);
  if (!(residual < 1e-9))
    fail_msg("residual %g after %d sweeps, %g", residual, (int)report.iterations, report.residual);
  for (int c = 0; c < b->problem.balls; c++) {
    const sc_ball_contact *k = &b->ball[c];
    double n = sc_dot(k->p, k->n), t[3];
    sc_axpy(-n, k->n, k->p, t);
    assert_true(n >= 0 && sc_norm(t) <= k->mu * n * (1 + 1e-9) + 1e-13 * n);
  }
  sc_arena_free(&arena);
  free(b);
}

/* Blocks of one colour share no movable body, and every contact is visited once. */
static void colours(void **unused) {
  (void)unused;
  bed *b = make_bed(SIDE);
  sc_arena arena = {0};
  sc_order order;
  assert_true(sc_order_build(&b->problem, SC_BALL_BLOCKS, b->problem.balls, &b->ball[0].i, &b->ball[0].j,
      sizeof(sc_ball_contact) / 4, NULL, &arena, &order));
  static int seen[CONTACTS], owner[BODIES];
  memset(seen, 0, sizeof seen);
  for (int colour = 0; colour < SC_COLOURS; colour++) {
    memset(owner, 0xff, sizeof owner);
    for (int32_t block = order.colour_block[colour]; block < order.colour_block[colour + 1]; block++)
      for (int32_t k = order.block_first[block]; k < order.block_first[block + 1]; k++) {
        const sc_ball_contact *c = &b->ball[order.visit[k]];
        seen[order.visit[k]]++;
        const int32_t bodies[2] = {c->i, c->j};
        for (int e = 0; e < 2; e++) {
          if (b->body[bodies[e]].inv_mass == 0) continue;
          assert_true(owner[bodies[e]] < 0 || owner[bodies[e]] == block);
          owner[bodies[e]] = block;
        }
      }
  }
  for (int c = 0; c < b->problem.balls; c++) assert_int_equal(seen[c], 1);
  sc_arena_free(&arena);
  free(b);
}

/* A bed with impulses, its rows as they lie or scattered all over. */
static bed *make_warm(bool scattered) {
  bed *b = make_bed(SIDE);
  sc_rng rng;
  sc_rng_seed(&rng, 5);
  for (int c = 0; c < b->problem.balls; c++) {
    sc_ball_contact *k = &b->ball[c];
    for (int m = 0; m < 3; m++) k->p[m] = between(&rng, -1, 1);
    if (scattered) k->i = (int32_t)(7919ll * k->i % (BODIES - 2));
    if (scattered && k->j < BODIES - 2) k->j = (int32_t)(7919ll * k->j % (BODIES - 2));
  }
  return b;
}

/* Warm start: every body's sum is taken in the order of the contacts, whichever thread takes it. */
static void warm_start_same_bits(void **unused) {
  (void)unused;
  for (int scattered = 0; scattered < 2; scattered++) {
    bed *b = make_warm(scattered);
    for (int32_t c = 0; c < b->problem.balls; c++)
      sc_problem_ball_apply(&b->problem, b->ball + c, b->ball[c].p);
    uint64_t expected = bits(b);
    free(b);
    for (int threads = 1; threads <= 5; threads++) {
      sc_pool *pool = sc_pool_create(threads);
      b = make_warm(scattered);
      sc_problem_apply_all(&b->problem, pool);
      if (bits(b) != expected)
        fail_msg("%d threads, rows %s: other bits", threads, scattered ? "scattered" : "in order");
      sc_pool_destroy(pool);
      free(b);
    }
  }
}

/* Moves the contacts of a bed from its rows to lanes. */
static void into_lanes(bed *b, sc_pool *pool, bool one_mu, sc_arena *arena) {
  sc_problem *p = &b->problem;
  sc_contacts *store = sc_contacts_create(0, &sc_exchange_none, pool, arena);
  const sc_contact_pairs pairs = {.first = &p->ball->i,
      .second = &p->ball->j,
      .stride = sizeof *p->ball / sizeof(int32_t),
      .one_mu = one_mu,
      .mu = p->ball->mu};
  assert_true(sc_contacts_open(store, p->balls, 0, false, arena));
  assert_true(sc_contacts_plan_balls(store, p, &pairs, sc_arena_here(arena), arena));
  p->store = store;
  sc_problem_put_balls(p, 0, p->balls, p->ball, NULL);
  store->spare = 0; /* the bed has no room behind its bodies */
  p->ball = NULL;
}

/* Hash after a warm start and some sweeps of contacts in rows or lanes. */
static uint64_t solve_in(bool lanes, bool one_mu, int threads, double *residual) {
  bed *b = make_warm(false);
  sc_arena arena = {0};
  sc_pool *pool = threads > 1 ? sc_pool_create(threads) : NULL;
  scree_solver_def par = {.iterations = 10, .min_iterations = 1, .relaxation = 1};
  sc_solver_report report;
  for (int c = 0; c < b->problem.balls && one_mu; c++) b->ball[c].mu = 0.3;
  if (lanes) into_lanes(b, pool, one_mu, &arena);
  sc_problem_apply_all(&b->problem, pool);
  assert_int_equal(sc_solver_find("nbgs")->solve(&b->problem, &par, pool, &arena, &report, NULL), SCREE_OK);
  *residual = sc_problem_residual(&b->problem);
  uint64_t hash = sc_hash(SC_HASH_START, b->body, sizeof b->body);
  for (int32_t c = 0; c < b->problem.balls; c++) {
    const sc_ball_contact ball = sc_problem_ball(&b->problem, c);
    hash = sc_hash(hash, &ball, sizeof ball);
  }
  sc_pool_destroy(pool);
  sc_arena_free(&arena);
  free(b);
  return hash;
}

/* A problem in lanes gives the answer of the same problem in rows. */
static void rows_or_lanes(void **unused) {
  (void)unused;
  for (int one_mu = 0; one_mu < 2; one_mu++) {
    double expected_residual, residual;
    uint64_t expected = solve_in(false, one_mu, 1, &expected_residual);
    assert_true(expected_residual > 0);
    for (int threads = 1; threads <= 4; threads++) {
      if (solve_in(true, one_mu, threads, &residual) != expected)
        fail_msg("%d threads, friction %s: other bits", threads, one_mu ? "alike" : "varied");
      assert_true(residual == expected_residual);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits), cmocka_unit_test(momentum_same_bits),
      cmocka_unit_test(momentum_converges), cmocka_unit_test(converges), cmocka_unit_test(colours),
      cmocka_unit_test(warm_start_same_bits), cmocka_unit_test(rows_or_lanes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
