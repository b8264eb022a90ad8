/* Statistics of the report: heap bytes of bodies and contacts, and use of SIMD lanes. Also trial runs of
 * solvers on the problem of the next step, and gathered bytes. */
#include "support/scene.h"
#include "scree/problem.h"

/* Returns a world with side x side columns of spheres on a floor, `high` spheres per column, after two
 * steps. */
static scree_world *pile(int side, int high) {
  scree_world *world = make_world(1e-3, 9.81);
  add_plane(world, 0, 0, 0, 0, 0, 1);
  for (int k = 0; k < side * side * high; k++)
    add_sphere(world, 0.1, 0.2 * (k % side), 0.2 * (k / side % side), 0.1 + 0.2 * (k / side / side));
  step_world(world, 2);
  return world;
}

static void bytes_are_counted(void **unused) {
  (void)unused;
  scree_world *small = pile(5, 4), *large = pile(10, 8);
  scree_report a = report_of(small), b = report_of(large);
  /* lower bounds: 13 doubles per body (position, orientation, velocity, spin), 10 doubles per contact */
  assert_true(a.bytes_bodies >= a.bodies * 13 * 8 && a.bytes_contacts >= a.contacts * 10 * 8);
  assert_true(b.bytes_bodies > 4 * a.bytes_bodies && b.bytes_contacts > 4 * a.bytes_contacts);
  assert_true(b.bytes_bodies < 4000 * b.bodies && b.bytes_contacts < 8000 * b.contacts);
  assert_true(b.bundle_fill > 0.5 && b.bundle_fill <= 1);
  scree_world_destroy(small);
  scree_world_destroy(large);
}

static void trying_moves_nothing(void **unused) {
  (void)unused;
  scree_world *one = pile(4, 5), *two = pile(4, 5);
  scree_solver_def solver = {
      .iterations = 2000, .min_iterations = 1, .tolerance = 1e-6, .relaxation = 1, .warm_start = 1};
  scree_problem_result loose, tight;
  scree_error error = {0};
  assert_int_equal(scree_world_try_solver(one, &solver, 1, &tight, &error), SCREE_OK);
  solver.tolerance = 1e-2;
  assert_int_equal(scree_world_try_solver(one, &solver, 1, &loose, &error), SCREE_OK);
  /* with all impulses zero at the start, the first residual is the velocity that gravity adds in a step */
  CLOSE(tight.start_residual, 9.81e-3, 1e-9);
  assert_int_equal(tight.contacts, report_of(two).contacts);
  assert_true(loose.iterations < tight.iterations && tight.residual <= 1e-6 * tight.scale &&
      tight.residual < loose.residual);
  solver.name = "nbsg";
  assert_int_equal(scree_world_try_solver(one, &solver, 1, &tight, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "nbsg"));
  step_world(one, 5);
  step_world(two, 5);
  assert_true(scree_world_hash(one) == scree_world_hash(two));
  scree_world_destroy(one);
  scree_world_destroy(two);
}

/* A world that is not distributed gathers its own bytes, and again after a call with none. */
static void one_rank_gathers_its_own(void **unused) {
  (void)unused;
  scree_world *world = make_world(1e-3, 9.81);
  scree_error error = {0};
  const void *all = NULL;
  size_t total = 1;
  for (int i = 0; i < 3; i++) {
    const size_t size = i == 1 ? 0 : 5;
    assert_int_equal(scree_world_gather(world, "scree", size, &all, &total, &error), SCREE_OK);
    assert_true(total == size && !memcmp(all, "scree", size));
  }
  scree_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_are_counted),
      cmocka_unit_test(trying_moves_nothing), cmocka_unit_test(one_rank_gathers_its_own)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
