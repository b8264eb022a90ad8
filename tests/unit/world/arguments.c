/* Wrong values in structures and views: the engine returns SCREE_E_ARGUMENT with a message.
 * tests/cli/install.sh tests null pointers and indices on all functions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "scree/scree.h"

static scree_error error;

static scree_world *make_world(scree_body_def *def, scree_shape_def *shape) {
  const scree_world_def world_def = scree_world_defaults();
  scree_world *world = scree_world_create(&world_def, &error);
  assert_non_null(world);
  *shape = scree_shape_defaults();
  shape->radius = 0.1;
  *def = scree_body_defaults();
  def->shapes = shape, def->shapes_count = 1;
  assert_true(scree_world_add(world, def, &error));
  error = (scree_error){0};
  return world;
}

static void assert_refused(void) {
  assert_int_equal(error.status, SCREE_E_ARGUMENT);
  assert_true(*error.text);
  error = (scree_error){0};
}

static void members(void **state) {
  (void)state;
  scree_shape_def shape;
  scree_body_def def;
  scree_world *world = make_world(&def, &shape);
  def.shapes = NULL;
  assert_int_equal(scree_world_add(world, &def, &error), 0), assert_refused();
  const scree_pair_def pair = {0};
  scree_world_set_pair(world, &pair, &error), assert_refused();
  scree_law_callbacks law = {.name = "own", .base = "coulomb", .params_count = 3};
  scree_world_define_law(world, &law, &error), assert_refused();
  law.params_count = -3;
  scree_world_define_law(world, &law, &error), assert_refused();
  const scree_material_def material = {.density = 1};
  assert_int_equal(scree_world_add_material(world, &material, &error), -1), assert_refused();
  const scree_file_def file = {.scale = 1};
  assert_null(scree_geometry_mesh_file(&file, &error)), assert_refused();
  assert_null(scree_geometry_hull_file(&file, &error)), assert_refused();
  const scree_mesh_def mesh = {.points_count = 4, .triangles_count = 1};
  assert_null(scree_geometry_mesh(&mesh, &error)), assert_refused();
  assert_null(scree_geometry_hull(NULL, 4, &error)), assert_refused();
  const scree_sizes_def sizes = {.distribution = SCREE_SIZES_PASSING, .passing_count = 3};
  assert_null(scree_sizes_create(&sizes, &error)), assert_refused();
  scree_contact contact = {.gap = 7};
  scree_world_contact(world, 0, &contact);
  assert_true(contact.gap == 0 && contact.body1 == 0);
  scree_shape_info info = {.radius = 7};
  scree_world_shape(world, 1, &info);
  assert_true(info.radius == 0);
  scree_world_destroy(world);
}

static void views(void **state) {
  (void)state;
  static const scree_view view[] = {
      SCREE_VIEW_POSITION, SCREE_VIEW_VELOCITY, SCREE_VIEW_SPIN, SCREE_VIEW_ORIENTATION};
  static const double bad[] = {NAN, INFINITY, 1e300};
  scree_shape_def shape;
  scree_body_def def;
  scree_world *world = make_world(&def, &shape);
  void *data;
  int64_t rows;
  for (int v = 0; v < 4; v++)
    for (int b = 0; b < 3; b++) {
      assert_true(scree_world_view(world, view[v], &data, &rows) >= 3);
      double *at = (double *)data + 2, kept = *at;
      *at = bad[b];
      scree_world_step(world, 1, &error), assert_refused();
      scree_world_step(world, 1, &error), assert_refused();
      assert_true(scree_world_steps(world) == v * 3 + b);
      *at = kept;
      assert_int_equal(scree_world_step(world, 1, &error), SCREE_OK);
    }
  scree_world_view(world, SCREE_VIEW_ORIENTATION, &data, &rows);
  double *q = data;
  q[0] = 0;
  scree_world_step(world, 1, &error), assert_refused();
  q[0] = 1.2, q[3] = 1.6;
  assert_int_equal(scree_world_step(world, 1, &error), SCREE_OK);
  scree_world_view(world, SCREE_VIEW_ORIENTATION, &data, &rows);
  q = data;
  assert_float_equal(q[0], 0.6, 1e-15);
  assert_float_equal(q[3], 0.8, 1e-15);
  scree_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(members), cmocka_unit_test(views)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
