/* The solver `newton` by its former name `ipm`: random problems with joints against Gauss-Seidel, redundant
 * rows, what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "law/law_parts.h"
#include "random_problem.h"

static void add_joint(sc_rng *rng, sc_problem *problem, int32_t i, int32_t j, double lo, double hi) {
  sc_joint_row *row = problem->joint_row + problem->joint_rows++;
  memset(row, 0, sizeof *row);
  row->i = i, row->j = j, row->lo = lo, row->hi = hi, row->joint = problem->joint_rows;
  random_unit(rng, row->lin1);
  sc_scale(-1, row->lin1, row->lin2);
  random_vector(rng, 1, row->ang1);
  random_vector(rng, 1, row->ang2);
  row->bias = random_between(rng, -0.2, 0.2);
}

/* Velocities of all bodies after a solver, from impulses 0. */
static double solved(const char *name, const sc_problem *original, double tolerance, sc_solver_body *out) {
  sc_arena arena = {0};
  sc_problem problem = *original;
  sc_solver_report report = {0};
  scree_solver_def par = {.iterations = 100000, .min_iterations = 1, .tolerance = tolerance, .relaxation = 1};
  size_t rows = 0;
  for (int32_t c = 0; c < problem.generals; c++) rows += (size_t)problem.general[c].dim;
  problem.body = SC_TAKE(&arena, sc_solver_body, problem.bodies);
  problem.x = SC_TAKE(&arena, double, rows + 1);
  problem.joint_row = SC_TAKE(&arena, sc_joint_row, problem.joint_rows + 1);
  memcpy(problem.body, original->body, (size_t)problem.bodies * sizeof *problem.body);
  memset(problem.x, 0, rows * sizeof *problem.x);
  memcpy(problem.joint_row, original->joint_row, (size_t)problem.joint_rows * sizeof *problem.joint_row);
  assert_int_equal(sc_solver_find(name)->solve(&problem, &par, NULL, &arena, &report, NULL), SCREE_OK);
  memcpy(out, problem.body, (size_t)problem.bodies * sizeof *out);
  double residual = sc_problem_residual(&problem);
  sc_arena_free(&arena);
  return residual;
}

static void compare(sc_rng *rng, const char *law, double mu, int32_t bodies, int32_t contacts, int joints) {
  sc_arena arena = {0};
  const sc_law *laws[1] = {sc_law_find(law)};
  double par[SCREE_LAW_MAX_PARAMS];
  scree_param_defaults(laws[0]->params, laws[0]->params_count, par);
  if (laws[0]->params_count) par[SC_PAR_MU] = mu;
  sc_problem problem = random_problem(rng, bodies, contacts, laws, par, laws[0]->params_count, &arena);
  for (int i = 0; i < joints; i++) {
    double bound = i % 3 == 2 ? 0.2 : INFINITY;
    add_joint(rng, &problem, i % bodies, (i + 1) % bodies, i % 3 == 1 ? 0 : -bound, bound);
  }
  sc_solver_body ours[32], theirs[32];
  double residual = solved("ipm", &problem, 1e-10, ours);
  if (!(residual <= 1e-8))
    fail_msg("%s mu %g, %d contacts, %d joints: residual %g", law, mu, (int)contacts, joints, residual);
  assert_true(solved("pgs", &problem, 1e-12, theirs) < 1e-9);
  for (int32_t b = 0; b < bodies; b++)
    for (int k = 0; k < 3; k++) {
      near(ours[b].v[k], theirs[b].v[k], 1e-6);
      near(ours[b].q[k], theirs[b].q[k], 1e-6);
    }
  sc_arena_free(&arena);
}

static void test_against_gauss_seidel(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 11);
  for (int32_t contacts = 1; contacts <= 30; contacts++) {
    compare(&rng, "cone", 0.5, 1 + contacts / 3, contacts, 0);
    compare(&rng, "coulomb", 0.2, 1 + contacts / 3, contacts, 0);
    compare(&rng, "frictionless", 0, 1 + contacts / 2, contacts, 0);
  }
}

static void test_with_joints(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 12);
  for (int32_t bodies = 3; bodies <= 8; bodies++) {
    compare(&rng, "cone", 0.4, bodies, 2 * bodies, bodies - 1);
    compare(&rng, "coulomb", 0.2, bodies, 2 * bodies, bodies - 1);
  }
}

/* The same held row twice, and a box that leaves one value. */
static void test_redundant_rows(void **state) {
  (void)state;
  sc_arena arena = {0};
  sc_rng rng;
  sc_rng_seed(&rng, 13);
  const sc_law *laws[1] = {sc_law_find("coulomb")};
  double par[SCREE_LAW_MAX_PARAMS];
  scree_param_defaults(laws[0]->params, laws[0]->params_count, par);
  par[SC_PAR_MU] = 0.2;
  sc_problem problem = random_problem(&rng, 4, 6, laws, par, laws[0]->params_count, &arena);
  add_joint(&rng, &problem, 0, 1, -INFINITY, INFINITY);
  problem.joint_row[1] = problem.joint_row[0];
  problem.joint_rows = 2;
  add_joint(&rng, &problem, 1, 2, 0.1, 0.1);
  sc_solver_body body[5];
  assert_true(solved("ipm", &problem, 1e-10, body) < 1e-9);
  sc_arena_free(&arena);
}

/* An answer that is not finite does not pass for an exact one. */
static void test_residual_of_nan(void **state) {
  (void)state;
  sc_arena arena = {0};
  sc_rng rng;
  sc_rng_seed(&rng, 15);
  const sc_law *laws[1] = {sc_law_find("coulomb")};
  double par[SCREE_LAW_MAX_PARAMS];
  scree_param_defaults(laws[0]->params, laws[0]->params_count, par);
  sc_problem problem = random_problem(&rng, 3, 5, laws, par, laws[0]->params_count, &arena);
  assert_true(sc_problem_residual(&problem) > 0);
  problem.x[problem.general[1].x] = NAN;
  assert_false(sc_problem_residual(&problem) >= 0);
  sc_arena_free(&arena);
}

static void test_refusals(void **state) {
  (void)state;
  static const struct {
    const char *law;
    int parameter;
    double value;
    const char *text;
  } cases[] = {
      {"polyhedral", SC_PAR_MU, 0.5, "no convex set"}, {"coulomb", SC_PAR_MU_STATIC, 0.9, "mu_static"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_arena arena = {0};
    sc_rng rng;
    scree_error error = {0};
    sc_solver_report report = {0};
    sc_rng_seed(&rng, 14);
    const sc_law *laws[1] = {sc_law_find(cases[i].law)};
    double par[SCREE_LAW_MAX_PARAMS];
    scree_param_defaults(laws[0]->params, laws[0]->params_count, par);
    par[cases[i].parameter] = cases[i].value;
    sc_problem problem = random_problem(&rng, 2, 2, laws, par, laws[0]->params_count, &arena);
    scree_solver_def def = {.iterations = 100, .min_iterations = 1, .relaxation = 1};
    assert_int_equal(
        sc_solver_find("ipm")->solve(&problem, &def, NULL, &arena, &report, &error), SCREE_E_ARGUMENT);
    if (!strstr(error.text, cases[i].text)) fail_msg("'%s' lacks '%s'", error.text, cases[i].text);
    sc_arena_free(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_gauss_seidel),
      cmocka_unit_test(test_with_joints), cmocka_unit_test(test_redundant_rows),
      cmocka_unit_test(test_residual_of_nan), cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
