/* Parameter tables of definitions: their defaults equal those of the functions that return defaults, and the
 * engine refuses values outside their bounds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "scree/scree.h"
#include "scree/bond.h"
#include "scree/fill.h"
#include "scree/geometry.h"
#include "scree/impact.h"
#include "scree/joint.h"
#include "scree/ray.h"

static scree_error error;

typedef struct described {
  const scree_param *table;
  const int *count;
  const void *def;
  size_t size;
} described;
#define ROW(table, def) \
  { table, &table##_count, &(def), sizeof(def) }

static void defaults(void **state) {
  (void)state;
  const scree_fill_def fill = scree_fill_defaults();
  const scree_insert_def insert = scree_insert_defaults();
  const scree_body_def body = scree_body_defaults();
  const scree_shape_def shape = scree_shape_defaults();
  const scree_joint_def joint = scree_joint_defaults(SCREE_JOINT_HINGE);
  const scree_glue glue = scree_glue_defaults();
  const scree_spheres_def spheres = scree_spheres_defaults();
  const scree_file_def file = scree_file_defaults();
  const scree_grains_def grains = scree_grains_defaults();
  const scree_grains_place place = {0};
  const scree_export_def export = {.stride = scree_export_defaults().stride};
  const scree_impact_def impact = scree_impact_defaults();
  const scree_impact_pair pair = scree_impact_pair_defaults();
  const described rows[] = {ROW(scree_fill_grain_params, fill), ROW(scree_fill_params, fill),
      ROW(scree_insert_params, insert), ROW(scree_body_params, body), ROW(scree_clump_params, body),
      ROW(scree_shape_params, shape), ROW(scree_shape_place_params, shape), ROW(scree_joint_params, joint),
      ROW(scree_drive_params, joint.drive), ROW(scree_motor_params, joint.drive),
      ROW(scree_servo_params, joint.second), ROW(scree_turn_servo_params, joint.turn_servo),
      ROW(scree_glue_params, glue), ROW(scree_spheres_params, spheres), ROW(scree_impact_params, impact),
      ROW(scree_hull_params, file), ROW(scree_mesh_params, file), ROW(scree_groups_params, file),
      ROW(scree_export_params, export), ROW(scree_grains_params, grains),
      ROW(scree_grains_place_params, place), ROW(scree_impact_body_params, pair.body[1])};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char def[sizeof(scree_joint_def)];
    assert_true(rows[i].size <= sizeof def);
    memcpy(def, rows[i].def, rows[i].size);
    scree_param_defaults(rows[i].table, *rows[i].count, def);
    for (int k = 0; k < *rows[i].count; k++) {
      const scree_param *p = rows[i].table + k;
      static const size_t sizes[] = {
          sizeof(double), sizeof(int64_t), sizeof(int), sizeof(char *), sizeof(int), 24, 32, 0};
      const double *a = (const double *)(const void *)(def + p->offset);
      if (p->type == SCREE_REAL && isnan(p->fallback) && isnan(*a)) continue;
      if (memcmp(a, (const char *)rows[i].def + p->offset, sizes[p->type])) fail_msg("%s", p->name);
    }
  }
}

static void assert_says(const char *words) {
  if (error.status != SCREE_E_ARGUMENT || !strstr(error.text, words))
    fail_msg("wanted '%s', got '%s'", words, error.text);
  error = (scree_error){0};
}

/* Values that only the parameter tables refuse. */
static void bounds(void **state) {
  (void)state;
  const scree_world_def world_def = scree_world_defaults();
  scree_world *world = scree_world_create(&world_def, &error);
  assert_non_null(world);
  scree_fill_def fill = scree_fill_defaults();
  scree_region ball = {.type = SCREE_REGION_SPHERE, .radius = 1}, box = {.type = SCREE_REGION_BOX};
  fill.spacing = 1, fill.radius = 0.1, fill.region = &ball;
  assert_true(scree_world_fill(world, &fill, &error) > 0);
  fill.limit = -1;
  assert_int_equal(scree_world_fill(world, &fill, &error), -1), assert_says("fill.limit must lie in");
  fill.limit = 0, fill.density = -1;
  assert_int_equal(scree_world_fill(world, &fill, &error), -1), assert_says("fill.density must be greater");
  fill.density = 0, ball.radius = -1;
  assert_int_equal(scree_world_fill(world, &fill, &error), -1), assert_says("fill.region.radius must be");
  ball.radius = 1, fill.keep_out = &box, box.min[1] = 1;
  assert_int_equal(scree_world_fill(world, &fill, &error), -1);
  assert_says("fill.keep_out.max[2] must not be less than min[2]: 0 < 1");
  box.type = SCREE_REGION_HALFSPACE;
  assert_int_equal(scree_world_fill(world, &fill, &error), -1), assert_says("fill.keep_out.normal must not");
  box.type = 7;
  assert_int_equal(scree_world_fill(world, &fill, &error), -1), assert_says("unknown type 7");
  scree_insert_def insert = {.grains = {.radius = 0.1, .limit = 1}};
  scree_insert_result result;
  scree_world_insert(world, &insert, &result, &error), assert_says("insert.attempts must lie in [1, 1e+06]");
  insert.attempts = 1, insert.first = -1;
  scree_world_insert(world, &insert, &result, &error), assert_says("insert.first must lie in");
  scree_pair_def pair = {.law = "coulomb", .restitution_law = 5};
  scree_world_set_pair(world, &pair, &error);
  assert_says("pair(default, default).restitution_law must be one of stronge|poisson|newton, 0 to 2, not 5");
  scree_world_destroy(world);
}

static void all_kinds(void **state) {
  (void)state;
  const scree_world_def def = scree_world_defaults();
  scree_world *world = scree_world_create(&def, &error);
  assert_non_null(world);
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  scree_id last = 0;
  shape.radius = 0.1, body.shapes = &shape, body.shapes_count = 1;
  for (int i = 0; i < 6; i++) {
    body.position[0] = i, body.kind = i % 3;
    last = scree_world_add(world, &body, &error);
    assert_true(last);
  }
  scree_select select;
  scree_param_defaults(scree_select_params, scree_select_params_count, &select);
  select.region = NULL;
  assert_int_equal(scree_world_count(world, &select), 2);
  select.kind = SCREE_ALL_KINDS;
  assert_int_equal(scree_world_count(world, &select), 6);
  scree_joint_def joint = scree_joint_defaults(SCREE_JOINT_FIXED);
  int64_t removed = -1;
  joint.a = last - 2, joint.b = last;
  assert_true(scree_world_add_joint(world, &joint, &error));
  scree_world_remove_selected(world, &select, SCREE_JOINED_REFUSE, &removed, &error);
  assert_says("2 of the selected bodies");
  assert_int_equal(scree_world_count(world, &select), 6);
  assert_int_equal(scree_world_remove_selected(world, &select, SCREE_JOINED_KEEP, &removed, &error), 0);
  assert_int_equal(removed, 4);
  scree_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults), cmocka_unit_test(bounds), cmocka_unit_test(all_kinds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
