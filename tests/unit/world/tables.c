/* The tables of keys in the engine are enough to make a world without Lua: defaults of tables and of
 * structs agree, values set by name act, and a wrong value is an error with its path. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "scree/body.h"
#include "scree/bond.h"
#include "scree/cohesion.h"
#include "scree/fill.h"
#include "scree/joint.h"
#include "scree/stiffness.h"
#include "scree/world.h"

typedef struct table {
  const char *name;
  const scree_param *params;
  const int *count;
} table;

/* Sets a number of a def by the name of its key. */
static void set(const table *t, void *def, const char *key, double value) {
  const scree_param *p = scree_param_find(t->params, *t->count, key);
  if (!p) fail_msg("%s has no key %s", t->name, key);
  assert_int_equal(p->type, SCREE_REAL);
  memcpy((char *)def + p->offset, &value, sizeof value);
}

/* Returns whether the member of a key has the default of its table. */
static bool has_default(const scree_param *p, const void *def) {
  const char *at = (const char *)def + p->offset;
  double real;
  int64_t whole;
  int choice;
  switch (p->type) {
  case SCREE_REAL: return memcpy(&real, at, sizeof real), real == p->fallback;
  case SCREE_INTEGER: return memcpy(&whole, at, sizeof whole), (double)whole == p->fallback;
  case SCREE_BOOLEAN:
  case SCREE_CHOICE: return memcpy(&choice, at, sizeof choice), (double)choice == p->fallback;
  default: return true;
  }
}

static void check_defaults(const table *t, const void *def) {
  for (int k = 0; k < *t->count; k++)
    if (!(t->params[k].flags & SCREE_REQUIRED) && !has_default(t->params + k, def))
      fail_msg("%s.%s: the struct has another default than the table", t->name, t->params[k].name);
}

#define TABLE(name) (&(table){#name, scree_##name##_params, &scree_##name##_params_count})

static void structs_start_with_the_defaults_of_their_tables(void **state) {
  (void)state;
  const scree_body_def body = scree_body_defaults();
  const scree_shape_def shape = scree_shape_defaults();
  const scree_fill_def fill = scree_fill_defaults();
  const scree_glue glue = scree_glue_defaults();
  const scree_world_def world = scree_world_defaults();
  check_defaults(TABLE(body), &body);
  check_defaults(TABLE(shape), &shape);
  check_defaults(TABLE(fill), &fill);
  check_defaults(TABLE(glue), &glue);
  check_defaults(TABLE(world), &world);
  for (int type = 0; type < SCREE_JOINT_TYPES; type++) {
    const scree_joint_def joint = scree_joint_defaults(type);
    check_defaults(TABLE(joint), &joint);
  }
}

/* A ball that is dropped on a plane with restitution e rebounds with e times its speed. */
static void a_world_is_made_from_tables_alone(void **state) {
  (void)state;
  scree_error error = {0};
  scree_world_def def = scree_world_defaults();
  set(TABLE(world), &def, "dt", 1e-3);
  def.gravity[2] = 0;
  scree_world *w = scree_world_create(&def, &error);
  assert_non_null(w);

  scree_pair_def pair = {.law = "coulomb"};
  scree_param_defaults(scree_pair_params, scree_pair_params_count, &pair);
  scree_param_defaults(scree_stiffness_params, scree_stiffness_params_count, &pair.stiffness);
  scree_param_defaults(scree_cohesion_params, scree_cohesion_params_count, &pair.cohesion);
  pair.law = "coulomb";
  set(TABLE(pair), &pair, "restitution", 0.5);
  assert_int_equal(scree_world_set_pair(w, &pair, &error), SCREE_OK);

  scree_shape_def floor = scree_shape_defaults(), ball = floor;
  scree_body_def fixed = scree_body_defaults(), moving = fixed;
  floor.type = SCREE_HALFSPACE, ball.type = SCREE_SPHERE, ball.radius = 0.1;
  set(TABLE(shape), &ball, "density", 1000);
  fixed.kind = SCREE_FIXED, fixed.shapes = &floor, fixed.shapes_count = 1;
  moving.shapes = &ball, moving.shapes_count = 1, moving.position[2] = 0.2, moving.velocity[2] = -2;
  assert_true(scree_world_add(w, &fixed, &error));
  const scree_id id = scree_world_add(w, &moving, &error);
  assert_int_equal(scree_world_step(w, 100, &error), SCREE_OK);
  scree_body_state end;
  assert_int_equal(scree_world_get(w, id, &end, &error), SCREE_OK);
  assert_true(end.velocity[2] > 1 - 1e-12 && end.velocity[2] < 1 + 1e-12);
  scree_world_destroy(w);
}

static void a_wrong_value_has_the_path_of_its_key(void **state) {
  (void)state;
  scree_error error = {0};
  scree_pair_def pair = {.law = "coulomb"};
  scree_param_defaults(scree_pair_params, scree_pair_params_count, &pair);
  set(TABLE(pair), &pair, "restitution", 1.5);
  assert_int_equal(
      scree_param_check_all(scree_pair_params, scree_pair_params_count, &pair, "pair(a, b)", &error),
      SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "pair(a, b).restitution"));
  assert_non_null(strstr(error.text, "1.5"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(structs_start_with_the_defaults_of_their_tables),
      cmocka_unit_test(a_world_is_made_from_tables_alone),
      cmocka_unit_test(a_wrong_value_has_the_path_of_its_key)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
