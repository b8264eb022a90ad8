/* Tests the unbalanced force relative to the load: for a ball that lacks a known part of its support, for a
 * row of a joint, and for general contacts after a solve. NaN is reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../solve/random_problem.h"
#include "problem/residual/balance.h"
#include "problem/contacts/apply.h"
#include "problem/residual/residual.h"

static const double g = 9.81, dt = 1e-3;

/* A ball of a given mass on the ground. Its contact carries a share of its weight, and the ball slides at a
 * speed. */
typedef struct one_ball {
  sc_problem problem;
  sc_solver_body body[2];
  sc_ball_contact ball;
} one_ball;

static void one_ball_make(one_ball *b, double mass, double share, double mu, double slide) {
  *b = (one_ball){.problem = {.bodies = 2, .balls = 1, .dt = dt, .gravity = g}};
  b->problem.body = b->body, b->problem.ball = &b->ball;
  b->body[0] = (sc_solver_body){.inv_mass = 1 / mass, .k = 2.5 / mass};
  b->body[0].v[2] = (share - 1) * g * dt;
  b->body[0].v[0] = slide;
  b->ball = (sc_ball_contact){
      .j = 1, .n = {0, 0, 1}, .p = {-mu * share * mass * g * dt, 0, share * mass * g * dt}, .mu = mu};
}

/* A ball that moves with the fraction e of w = g dt lacks this fraction of its support. Relative to load and
 * motion the error is e/(1 + e). */
static void what_is_not_carried_counts(void **unused) {
  (void)unused;
  for (int k = 0; k < 6; k++) {
    one_ball b;
    double e = k % 3 * 0.1, mass = k < 3 ? 1 : 1e-9;
    one_ball_make(&b, mass, 1 - e, 0, 0);
    sc_balance found = sc_problem_balance(&b.problem, g * dt, NULL);
    near(found.error / found.load, e / (1 + e), 1e-12);
    near(found.residual, e * g * dt, 1e-15);
  }
}

/* If a ball slides with the friction of the law, the forces are in balance. Missing friction counts by its
 * work. */
static void slip_counts_by_its_work(void **unused) {
  (void)unused;
  one_ball b;
  one_ball_make(&b, 2, 1, 0.3, 100 * g * dt);
  assert_true(sc_problem_balance(&b.problem, g * dt, NULL).error == 0);
  b.ball.p[0] *= 0.5;
  sc_balance found = sc_problem_balance(&b.problem, g * dt, NULL);
  assert_true(found.error > 0 && found.error / found.load < 0.01);
}

/* A row that should be at rest and moves at v has the residual v divided by the row's length, for any length
 * of the row. */
static void rows_count_by_their_length(void **unused) {
  (void)unused;
  for (int k = 0; k < 3; k++) {
    double size = k ? pow(10, 3 * k) : 1;
    sc_solver_body body[2] = {{.inv_mass = 1, .k = 1, .v = {0, 0, 0.1}}, {.inv_mass = 0}};
    sc_joint_row row = {.j = 1, .lin1 = {0, 0, size}, .lo = -INFINITY, .hi = INFINITY, .x = 2 / size};
    sc_problem problem = {
        .bodies = 2, .body = body, .joint_rows = 1, .joint_row = &row, .dt = dt, .gravity = g};
    sc_balance found = sc_problem_balance(&problem, 0.3, NULL);
    near(found.load, 2 * (0.3 + 0.1), 1e-12);
    near(found.error, 2 * 0.1, 1e-12);
  }
}

/* After a solve the general contacts of a problem are in balance. */
static void a_solved_problem_is_in_balance(void **unused) {
  (void)unused;
  sc_arena arena = {0};
  sc_rng rng;
  sc_rng_seed(&rng, 3);
  static const double par[] = {0.4};
  const sc_law *law = sc_law_find("coulomb");
  sc_problem problem = random_problem(&rng, 6, 12, &law, par, 1, &arena);
  sc_problem_apply_all(&problem, NULL);
  scree_solver_def def = {.name = "nbgs",
      .iterations = 5000,
      .min_iterations = 1,
      .tolerance = 1e-12,
      .relaxation = 1,
      .warm_start = 1};
  sc_solver_report report = {0};
  assert_int_equal(sc_solver_find("pgs")->solve(&problem, &def, NULL, &arena, &report, NULL), SCREE_OK);
  sc_balance found = sc_problem_balance(&problem, g * dt, NULL);
  assert_true(found.load > 0 && found.error / found.load < 1e-9);
  assert_true(found.residual == sc_problem_residual(&problem));
  /* an impulse that is NaN is reported */
  problem.x[1] = NAN;
  found = sc_problem_balance(&problem, g * dt, NULL);
  assert_true(found.residual != found.residual);
  sc_arena_free(&arena);
}

/* The unbalanced force has the same bits for any number of threads. */
static void threads_change_nothing(void **unused) {
  (void)unused;
  sc_arena arena = {0};
  sc_rng rng;
  sc_rng_seed(&rng, 5);
  static const double par[] = {0.4};
  const sc_law *law = sc_law_find("coulomb");
  sc_problem problem = random_problem(&rng, 300, 2000, &law, par, 1, &arena);
  for (int32_t c = 0; c < 3 * problem.generals; c++) problem.x[c] = c % 3 ? 0.1 : 1;
  sc_pool *pool = sc_pool_create(3);
  assert_non_null(pool);
  sc_balance one = sc_problem_balance(&problem, 0.3, NULL), three = sc_problem_balance(&problem, 0.3, pool);
  assert_true(one.error > 0 && one.error == three.error && one.load == three.load);
  assert_true(one.residual == three.residual && one.residual == sc_problem_residual(&problem));
  sc_pool_destroy(pool);
  sc_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_not_carried_counts),
      cmocka_unit_test(slip_counts_by_its_work), cmocka_unit_test(rows_count_by_their_length),
      cmocka_unit_test(a_solved_problem_is_in_balance), cmocka_unit_test(threads_change_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
