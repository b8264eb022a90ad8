/* Names of bodies: the hash table finds each name, whatever names were added and removed before,
 * also in a copy of the world. */
#include "support/scene.h"
#include "scree/body.h"
#include "scree/checkpoint.h"
#include "scree/shape.h"

enum { COUNT = 300 };

static scree_id add_named(scree_world *world, int k) {
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def def = scree_body_defaults();
  char name[32];
  shape.type = SCREE_SPHERE, shape.radius = 0.1;
  def.shapes = &shape, def.shapes_count = 1, def.position[0] = k, def.name = name;
  snprintf(name, sizeof name, "block_%d", k);
  return scree_world_add(world, &def, NULL);
}

/* Checks that each name leads to its body: id[k] for block_k, 0 for a body that is gone. */
static void check_names(const scree_world *world, const scree_id *id) {
  for (int k = 0; k < COUNT; k++) {
    char name[32];
    snprintf(name, sizeof name, "block_%d", k);
    assert_int_equal(scree_world_find(world, name, NULL), id[k]);
  }
}

static void names_are_found(void **unused) {
  (void)unused;
  scree_world *world = make_world(1e-3, 0);
  scree_id id[COUNT];
  uint32_t random = 1;
  for (int k = 0; k < COUNT; k++) assert_true((id[k] = add_named(world, k)) > 0);
  assert_int_equal(add_named(world, 7), 0);
  check_names(world, id);
  for (int n = 0; n < 2 * COUNT; n++) {
    const int k = (int)((random = random * 1664525u + 1013904223u) >> 8) % COUNT;
    if (id[k]) assert_int_equal(scree_world_remove(world, id[k], NULL), SCREE_OK);
    id[k] = id[k] ? 0 : add_named(world, k);
    if (n % 50 == 0) check_names(world, id);
  }
  check_names(world, id);
  scree_world *copy = scree_world_clone(world, NULL);
  check_names(copy, id);
  scree_checkpoint *state = scree_world_save_state(world, NULL);
  for (int k = 0; k < COUNT; k++)
    if (id[k]) assert_int_equal(scree_world_remove(copy, id[k], NULL), SCREE_OK);
  assert_int_equal(scree_world_find(copy, "block_3", NULL), 0);
  assert_int_equal(scree_world_restore_state(copy, state, NULL), SCREE_OK);
  check_names(copy, id);
  scree_checkpoint_destroy(state);
  scree_world_destroy(world);
  scree_world_destroy(copy);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
