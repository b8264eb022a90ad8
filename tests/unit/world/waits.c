/* The back-off of solver `auto`: if newton was not worth its cost for an island in motion, the solver only
 * sweeps the island for some steps. A back-off occurs in a heap that is hit and ends when the heap is at
 * rest. It does not depend on the unit of mass. A restart during a back-off equals the straight run in every
 * bit. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "scree/checkpoint.h"
#include "scree/world.h"

enum { STEPS = 120, EVERY = 29 };

static void add(scree_world *w, const scree_shape_def *shape, const double at[3], double speed, double mass) {
  scree_error error = {0};
  scree_body_def body = scree_body_defaults();
  body.shapes = shape, body.shapes_count = 1;
  body.kind = mass > 0 ? SCREE_DYNAMIC : SCREE_FIXED, body.mass = mass;
  for (int k = 0; k < 3; k++) body.position[k] = at[k];
  body.velocity[0] = speed;
  if (!scree_world_add(w, &body, &error)) fail_msg("%s", error.text);
}

/* Returns a world with two rows of towers, five boxes high, and a heavy ball that flies into the towers.
 * unit: mass of a box in kg. */
static scree_world *make(int threads, double unit) {
  scree_error error = {0};
  scree_world_def def = scree_world_defaults();
  scree_shape_def floor = scree_shape_defaults(), box = floor, ball = floor;
  floor.type = SCREE_HALFSPACE, box.type = SCREE_BOX, ball.type = SCREE_SPHERE, ball.radius = 0.1;
  for (int k = 0; k < 3; k++) box.size[k] = 0.1;
  def.threads = threads;
  scree_world *w = scree_world_create(&def, &error);
  if (!w) fail_msg("%s", error.text);
  add(w, &floor, (double[3]){0}, 0, 0);
  for (int i = 0; i < 30; i++)
    add(w, &box, (double[3]){0.11 * (i / 5 % 3), 0.1 * (i / 15), 0.05 + 0.1 * (i % 5)}, 0, unit);
  add(w, &ball, (double[3]){-0.3, 0.05, 0.35}, 8, 10 * unit);
  return w;
}

static void step(scree_world *w, int64_t count) {
  scree_error error = {0};
  if (count && scree_world_step(w, count, &error)) fail_msg("%s", error.text);
}

static int64_t moving(const scree_world *w) {
  scree_report report;
  scree_world_report(w, &report);
  return report.islands_moving;
}

static bool remembers(const scree_checkpoint *c) {
  scree_error error = {0};
  size_t size;
  return scree_checkpoint_get(c, "world.wait", &size, &error) != NULL;
}

static void restart_equals_the_straight_run(void **state) {
  (void)state;
  scree_world *straight = make(1, 1), *end = make(2, 1);
  int remembered = 0;
  step(end, STEPS);
  assert_true(moving(end) > 0);
  for (int at = 0; at < STEPS; at += EVERY, step(straight, EVERY)) {
    scree_error error = {0};
    scree_checkpoint *c = scree_checkpoint_create();
    if (scree_world_save(straight, c, &error)) fail_msg("%s", error.text);
    scree_world *after = make(1, 1);
    /* give the world back-off records of its own, which the load must replace */
    if (at % 2) step(after, at / 2);
    if (scree_world_load(after, c, &error)) fail_msg("%s", error.text);
    step(after, STEPS - at);
    if (scree_world_hash(after) != scree_world_hash(end)) fail_msg("restarted at step %d: another end", at);
    remembered += remembers(c);
    scree_world_destroy(after);
    scree_checkpoint_destroy(c);
  }
  assert_true(remembered > 0);
  scree_world_destroy(straight);
  scree_world_destroy(end);
}

static void waits_of_other_bodies_are_refused(void **state) {
  (void)state;
  scree_error error = {0};
  scree_world *w = make(1, 1), *after = make(1, 1);
  scree_checkpoint *c = scree_checkpoint_create(), *cut = scree_checkpoint_create();
  for (int k = 0; k < STEPS && !remembers(c); k++) {
    scree_checkpoint_destroy(c);
    c = scree_checkpoint_create();
    step(w, 1);
    if (scree_world_save(w, c, &error)) fail_msg("%s", error.text);
  }
  assert_true(remembers(c));
  const char *name;
  size_t size;
  for (int64_t k = 0; (name = scree_checkpoint_section(c, k, &size)); k++) {
    const void *bytes = scree_checkpoint_get(c, name, &size, &error);
    if (!strcmp(name, "world.wait")) size--;
    assert_int_equal(scree_checkpoint_put(cut, name, bytes, size, &error), SCREE_OK);
  }
  assert_int_equal(scree_world_load(after, cut, &error), SCREE_E_FORMAT);
  assert_non_null(strstr(error.text, "world.wait"));
  scree_checkpoint_destroy(cut);
  scree_checkpoint_destroy(c);
  scree_world_destroy(w);
  scree_world_destroy(after);
}

static void the_unit_of_mass_does_not_matter(void **state) {
  (void)state;
  scree_world *one = make(1, 1), *other = make(1, 1 << 20);
  step(one, STEPS);
  step(other, STEPS);
  assert_true(scree_world_hash(one) == scree_world_hash(other));
  assert_int_equal(moving(one), moving(other));
  scree_world_destroy(one);
  scree_world_destroy(other);
}

static void what_comes_to_rest_is_exact_again(void **state) {
  (void)state;
  scree_world *w = make(1, 1);
  scree_report report;
  step(w, 2500);
  scree_world_report(w, &report);
  assert_true(report.unbalanced < 1e-6);
  int64_t waited = report.islands_moving;
  step(w, 100);
  assert_int_equal(moving(w), waited);
  scree_world_destroy(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(restart_equals_the_straight_run),
      cmocka_unit_test(waits_of_other_bodies_are_refused),
      cmocka_unit_test(the_unit_of_mass_does_not_matter),
      cmocka_unit_test(what_comes_to_rest_is_exact_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
