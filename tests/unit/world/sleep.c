/* Worlds with sleeping islands. Islands fall asleep, and bodies that hit them wake them. A restart at any
 * step equals the straight run in every bit, including contacts. Damaged sleep records are errors. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "model/bodies.h"
#include "scree/checkpoint.h"
#include "scree/joint.h"

enum { STEPS = 180 };

static scree_id add(scree_world *w, int type, int kind, double x, double z, double fall) {
  scree_error error = {0};
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  shape.type = type, shape.radius = 0.04;
  for (int k = 0; k < 3; k++) shape.size[k] = 0.1;
  body.kind = kind, body.shapes = &shape, body.shapes_count = 1;
  body.position[0] = x, body.position[2] = z, body.velocity[2] = -fall;
  scree_id id = scree_world_add(w, &body, &error);
  if (!id) fail_msg("%s", error.text);
  return id;
}

/* Joins the upper box of both towers: a weld to the box below it, and a hinge to the ground. */
static void join(scree_world *w, const scree_id box[5]) {
  scree_error error = {0};
  const int type[2] = {SCREE_JOINT_FIXED, SCREE_JOINT_HINGE};
  for (int k = 0; k < 2; k++) {
    scree_joint_def def = scree_joint_defaults(type[k]);
    def.a = box[k ? 4 : 2], def.b = k ? 0 : box[1];
    def.at[0] = k, def.at[2] = 0.2, def.axis[2] = 1;
    if (!scree_world_add_joint(w, &def, &error)) fail_msg("%s", error.text);
  }
}

/* Returns a world with towers of two and three boxes on a floor, and a ball that falls on one tower and wakes
 * it. */
static scree_world *make(int threads, bool joined) {
  scree_error error = {0};
  scree_world_def def = scree_world_defaults();
  def.threads = threads, def.sleep = 1e-3;
  scree_world *w = scree_world_create(&def, &error);
  if (!w) fail_msg("%s", error.text);
  add(w, SCREE_HALFSPACE, SCREE_FIXED, 0, 0, 0);
  scree_id box[5];
  for (int i = 0; i < 5; i++)
    box[i] = add(w, SCREE_BOX, SCREE_DYNAMIC, i < 3 ? 0 : 1, 0.05 + 0.1 * (i % 3), 0);
  add(w, SCREE_SPHERE, SCREE_DYNAMIC, 0.01, 0.5, 1);
  if (joined) join(w, box);
  return w;
}

static int64_t asleep(const scree_world *w) {
  scree_report report;
  scree_world_report(w, &report);
  return report.asleep;
}

static void step(scree_world *w, int count) {
  scree_error error = {0};
  if (scree_world_step(w, count, &error)) fail_msg("%s", error.text);
}

static scree_checkpoint *save(const scree_world *w) {
  scree_error error = {0};
  scree_checkpoint *c = scree_checkpoint_create();
  if (scree_world_save(w, c, &error)) fail_msg("%s", error.text);
  return c;
}

static void contacts_equal(const scree_world *a, const scree_world *b) {
  assert_int_equal(scree_world_contacts_count(a), scree_world_contacts_count(b));
  for (int64_t i = 0; i < scree_world_contacts_count(a); i++) {
    scree_contact x = {0}, y = {0};
    scree_world_contact(a, i, &x);
    scree_world_contact(b, i, &y);
    assert_memory_equal(x.impulse, y.impulse, sizeof x.impulse);
    assert_memory_equal(x.point, y.point, sizeof x.point);
    assert_true(x.gap == y.gap && x.body1 == y.body1 && x.state == y.state);
  }
}

static void restarts_equal_the_straight_run(bool joined) {
  scree_world *straight = make(1, joined), *end = make(2, joined);
  bool slept = false, woke = false;
  step(end, STEPS);
  for (int at = 0; at < STEPS; at++, step(straight, 1)) {
    slept |= asleep(straight) == 5, woke |= slept && asleep(straight) == 2;
    if (at % 6) continue;
    scree_error error = {0};
    scree_checkpoint *c = save(straight);
    scree_world *after = make(1 + at / 6 % 2, joined);
    if (scree_world_load(after, c, &error)) fail_msg("%s", error.text);
    assert_int_equal(asleep(after), asleep(straight));
    step(after, STEPS - at);
    if (scree_world_hash(after) != scree_world_hash(end)) fail_msg("restarted at step %d: another end", at);
    contacts_equal(after, end);
    scree_world_destroy(after);
    scree_checkpoint_destroy(c);
  }
  assert_true(slept && woke);
  scree_world_destroy(straight);
  scree_world_destroy(end);
}

static void restart_equals_the_straight_run(void **state) {
  (void)state;
  restarts_equal_the_straight_run(false);
}
static void restart_with_joints_equals_the_straight_run(void **state) {
  (void)state;
  restarts_equal_the_straight_run(true);
}

static void damage_is_refused(void **state) {
  (void)state;
  for (int damage = 0; damage < 3; damage++) {
    scree_world *w = make(1, false), *after = make(1, false);
    scree_error error = {0};
    size_t size;
    step(w, 60);
    scree_checkpoint *c = save(w), *bad = scree_checkpoint_create();
    for (int64_t place = 0; scree_checkpoint_section(c, place, &size); place++) {
      const char *name = scree_checkpoint_section(c, place, &size);
      const void *bytes = scree_checkpoint_get(c, name, &size, &error);
      sc_rest rest[16];
      if (!strcmp(name, "world.rest")) {
        assert_true(size == 7 * sizeof *rest);
        memcpy(rest, bytes, size);
        if (damage == 0) rest[0].calm = -1;
        if (damage == 1) rest[3].island = 100;
        if (damage == 2) size -= sizeof *rest;
        bytes = rest;
      }
      assert_int_equal(scree_checkpoint_put(bad, name, bytes, size, &error), SCREE_OK);
    }
    assert_int_equal(scree_world_load(after, bad, &error), SCREE_E_FORMAT);
    assert_non_null(strstr(error.text, "sleeping"));
    scree_checkpoint_destroy(c);
    scree_checkpoint_destroy(bad);
    scree_world_destroy(w);
    scree_world_destroy(after);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(restart_equals_the_straight_run),
      cmocka_unit_test(restart_with_joints_equals_the_straight_run),
      cmocka_unit_test(damage_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
