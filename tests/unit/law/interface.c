/* Tests the public single-contact interface: names, tables, errors and their messages. */
#include "law_support.h"
#include "scree/law.h"

static const double block[9] = {2, 0.3, 0.1, 0.3, 3, 0.2, 0.1, 0.2, 4}, push[3] = {1, 0.5, 0.2};

static scree_status try_solve(
    const char *law, const double *A, const double *b, const double *par, const char *text) {
  scree_law_result result;
  scree_error error = {0};
  scree_status status = scree_law_solve(law, 3, A, b, par, &result, &error);
  if (text && !strstr(error.text, text)) fail_msg("\"%s\" does not contain \"%s\"", error.text, text);
  return status;
}

static void test_names(void **state) {
  (void)state;
  static const char *const wanted[] = {
      "cone", "coulomb", "decoupled", "frictionless", "max_dissipation", "polyhedral"};
  for (int i = 1; i < scree_law_count(); i++)
    assert_true(strcmp(scree_law_name(i - 1), scree_law_name(i)) < 0);
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) assert_non_null(sc_law_find(wanted[i]));
  assert_null(scree_law_name(scree_law_count()));
  assert_null(scree_law_name(-1));
  int count = -1;
  assert_null(scree_law_params("unheard_of", &count));
  assert_int_equal(count, 0);
  assert_int_equal(scree_law_dim("unheard_of", NULL), -1);
}

/* Every parameter table has consecutive offsets, unique names, and defaults within bounds. */
static void test_tables(void **state) {
  (void)state;
  for (int i = 0; i < scree_law_count(); i++) {
    int count;
    const scree_param *params = scree_law_params(scree_law_name(i), &count);
    double par[SCREE_LAW_MAX_PARAMS];
    assert_true(count <= SCREE_LAW_MAX_PARAMS);
    scree_param_defaults(params, count, par);
    for (int k = 0; k < count; k++) {
      assert_int_equal(params[k].offset, (size_t)k * sizeof(double));
      assert_ptr_equal(scree_param_find(params, count, params[k].name), params + k);
      assert_int_equal(scree_param_check(params + k, par, params[k].name, NULL), SCREE_OK);
      assert_true(strlen(params[k].doc) > 10);
    }
  }
}

static void test_solve(void **state) {
  (void)state;
  law_call call = call_law("coulomb", 0.1);
  scree_law_result result;
  assert_int_equal(scree_law_solve("coulomb", 3, block, push, call.par, &result, NULL), SCREE_OK);
  double v[3];
  slip_of(block, push, result.x, v);
  for (int i = 0; i < 3; i++) assert_true(v[i] == result.v[i]);
  assert_true(fabs(result.energy - sc_energy3(block, push, result.x)) < 1e-15);
  assert_int_equal(result.state, SCREE_SLIDING);
  assert_true(result.iterations > 0);
}

static void test_refusals(void **state) {
  (void)state;
  law_call call = call_law("coulomb", 0.5), wrong = call;
  assert_int_equal(try_solve("coulom", block, push, call.par, "did you mean \"coulomb\""), SCREE_E_ARGUMENT);
  assert_int_equal(
      try_solve("xyzzyxyzzy", block, push, call.par, "unknown law \"xyzzyxyzzy\""), SCREE_E_ARGUMENT);
  wrong.par[SC_PAR_MU] = -0.1;
  assert_int_equal(try_solve("coulomb", block, push, wrong.par, "mu must be at least 0"), SCREE_E_ARGUMENT);
  wrong.par[SC_PAR_MU] = NAN;
  assert_int_equal(try_solve("coulomb", block, push, wrong.par, "mu is NaN"), SCREE_E_ARGUMENT);
  double A[9], b[3];
  memcpy(A, block, sizeof A);
  A[1] = 0.4;
  assert_int_equal(try_solve("coulomb", A, push, call.par, "not symmetric"), SCREE_E_NUMERIC);
  memcpy(A, block, sizeof A);
  A[5] = A[7] = 5;
  assert_int_equal(try_solve("coulomb", A, push, call.par, "not positive definite"), SCREE_E_NUMERIC);
  memcpy(A, block, sizeof A);
  A[0] = -2;
  assert_int_equal(try_solve("coulomb", A, push, call.par, "not positive definite"), SCREE_E_NUMERIC);
  A[0] = INFINITY;
  assert_int_equal(try_solve("coulomb", A, push, call.par, "A_n,n is infinite"), SCREE_E_ARGUMENT);
  memcpy(b, push, sizeof b);
  b[2] = NAN;
  assert_int_equal(try_solve("coulomb", block, b, call.par, "b_o is NaN"), SCREE_E_ARGUMENT);
  call.par[SC_PAR_ROLLING] = 0.1;
  assert_int_equal(try_solve("coulomb", block, push, call.par, "wants 6 rows, not 3"), SCREE_E_ARGUMENT);
  // an error text is optional
  scree_law_result result;
  assert_int_equal(scree_law_solve("nothing", 3, block, push, call.par, &result, NULL), SCREE_E_ARGUMENT);
}

/* A solve allocates no memory. */
static void test_no_allocation(void **state) {
  (void)state;
  static const char *const laws[] = {
      "cone", "coulomb", "decoupled", "frictionless", "max_dissipation", "polyhedral"};
  uint64_t before = sc_alloc_count();
  for (int i = 0; i < 6; i++) {
    law_call call = call_law(laws[i], 0.1);
    double x[3];
    solve_law(&call, block, push, x);
  }
  assert_int_equal(sc_alloc_count(), before);
}

/* The last iterate does not change the result. The exception is the law `decoupled`, which is a step of an
 * iteration; its iteration converges. */
static void test_guess(void **state) {
  (void)state;
  static const char *const laws[] = {"cone", "coulomb", "frictionless", "max_dissipation", "polyhedral"};
  law_call step = call_law("decoupled", 0.1);
  double z[3] = {0}, v[3];
  for (int i = 0; i < 100; i++) step.law->solve(step.law, 3, block, push, step.par, z, NULL);
  slip_of(block, push, z, v);
  assert_true(fabs(v[0]) < 1e-15);
  for (int i = 0; i < 5; i++) {
    law_call call = call_law(laws[i], 0.1);
    double x[3], y[3] = {3, -2, 7};
    solve_law(&call, block, push, x);
    call.law->solve(call.law, 3, block, push, call.par, y, NULL);
    assert_memory_equal(x, y, sizeof x);
  }
}

/* Polygons of vectors that overflow or are NaN have at most as many corners as there is memory for. */
static void test_polygons(void **state) {
  (void)state;
  static const double odd[] = {NAN, INFINITY, -INFINITY, 1e200, -1e200, 1e308, 1e-320, 0, 1, -1};
  const sc_law *law = sc_law_find("directional");
  int count;
  assert_non_null(scree_law_params("directional", &count));
  sc_rng rng;
  sc_rng_seed(&rng, 5);
  int most = 0;
  for (int trial = 0; trial < 20000; trial++) {
    double par[64] = {0}, corner[SC_LAW_MOST_CORNERS + 1][2];
    corner[SC_LAW_MOST_CORNERS][0] = 42;
    for (int k = 0; k < count; k++)
      par[k] = trial % 2 ? odd[(int)(sc_rng_unit(&rng) * 10)] : 2 * sc_rng_unit(&rng) - 1;
    par[count - 1] = trial % 4 < 2; // one-sided
    const int corners = law->corners(par, corner);
    assert_true(corners >= 0 && corners <= SC_LAW_MOST_CORNERS);
    assert_true(corner[SC_LAW_MOST_CORNERS][0] == 42);
    if (corners > most) most = corners;
  }
  assert_true(most >= 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_tables),
      cmocka_unit_test(test_solve),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_no_allocation),
      cmocka_unit_test(test_guess),
      cmocka_unit_test(test_polygons),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
