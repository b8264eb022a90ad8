/* The energy balance after a restart. The test sets a velocity before a checkpoint, and a joint absorbs its
 * energy after the checkpoint. The dissipation must have the same bits as in the run without a restart.
 * Also the record of a joint that breaks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "base/base.h"
#include "scree/checkpoint.h"
#include "scree/joint.h"

static const double M = 2, LENGTH = 0.5, SPEED = 0.8;

static scree_world *make(scree_id *bob) {
  scree_error error = {0};
  scree_world_def def = scree_world_defaults();
  def.dt = 1e-3, def.gravity[0] = def.gravity[1] = def.gravity[2] = 0;
  scree_world *w = scree_world_create(&def, &error);
  assert_non_null(w);
  scree_shape_def ball = scree_shape_defaults();
  ball.type = SCREE_SPHERE, ball.radius = 0.1;
  scree_body_def body = scree_body_defaults();
  body.shapes = &ball, body.shapes_count = 1, body.mass = M, body.position[0] = LENGTH;
  *bob = scree_world_add(w, &body, &error);
  assert_true(*bob != 0);
  return w;
}

static void tie(scree_world *w, scree_id bob, int type) {
  scree_error error = {0};
  scree_joint_def def = scree_joint_defaults(type);
  def.a = bob;
  if (type == SCREE_JOINT_HINGE) def.axis[2] = 1;
  assert_true(scree_world_add_joint(w, &def, &error) != 0);
}

static scree_world *copy_of(const scree_world *w) {
  scree_error error = {0};
  scree_id none;
  scree_checkpoint *c = scree_checkpoint_create();
  assert_int_equal(scree_world_save(w, c, &error), SCREE_OK);
  scree_world *copy = make(&none);
  assert_int_equal(scree_world_load(copy, c, &error), SCREE_OK);
  scree_checkpoint_destroy(c);
  return copy;
}

/* Tests one type of joint. joint_first: true if the joint exists, and steps have solved it, before the
 * velocity is set; false if the joint is added just before the checkpoint. */
static void restart(int type, bool joint_first) {
  scree_error error = {0};
  scree_id bob;
  scree_world *w = make(&bob);
  const scree_body_state along = {.velocity = {SPEED, 0, 0}};
  if (joint_first) tie(w, bob, type);
  assert_int_equal(scree_world_step(w, 3, &error), SCREE_OK);
  assert_int_equal(scree_world_set(w, bob, SCREE_SET_VELOCITY, &along, &error), SCREE_OK);
  if (!joint_first) tie(w, bob, type);
  scree_world *copy = copy_of(w);
  scree_report one, two;
  for (int step = 0; step < 3; step++) {
    assert_int_equal(scree_world_step(w, 1, &error), SCREE_OK);
    assert_int_equal(scree_world_step(copy, 1, &error), SCREE_OK);
    scree_world_report(w, &one);
    scree_world_report(copy, &two);
    assert_true(one.dissipated == two.dissipated && one.correction == two.correction);
  }
  /* the velocity is along the arm, so the joint absorbs all of the energy */
  assert_true(fabs(one.dissipated - M * SPEED * SPEED / 2) < 1e-9);
  scree_world_destroy(w);
  scree_world_destroy(copy);
}

static void restarts(void **state) {
  (void)state;
  for (int first = 0; first < 2; first++) {
    restart(SCREE_JOINT_HINGE, first);
    restart(SCREE_JOINT_BALL, first);
    restart(SCREE_JOINT_FIXED, first);
  }
}

/* The record of a broken joint names its bodies. A weld of 10 N holds a body that a force of 20 N pulls. */
static void break_names_bodies(void **state) {
  (void)state;
  scree_error error = {0};
  scree_id bob, other;
  scree_break b;
  scree_world *w = make(&bob);
  scree_shape_def ball = scree_shape_defaults();
  ball.type = SCREE_SPHERE, ball.radius = 0.1;
  scree_body_def body = scree_body_defaults();
  body.shapes = &ball, body.shapes_count = 1, body.kind = SCREE_FIXED, body.position[0] = 2 * LENGTH;
  assert_true((other = scree_world_add(w, &body, &error)) != 0);
  scree_joint_def def = scree_joint_defaults(SCREE_JOINT_FIXED);
  def.a = bob, def.b = other, def.break_force = 10;
  const scree_joint joint = scree_world_add_joint(w, &def, &error);
  assert_int_equal(scree_world_breaks_count(w), 0);
  assert_int_equal(scree_world_apply(w, bob, (double[3]){20, 0, 0}, (double[3]){0}, &error), SCREE_OK);
  assert_int_equal(scree_world_step(w, 1, &error), SCREE_OK);
  assert_true(scree_world_breaks_count(w) == 1 && scree_world_break_at(w, 0, &b));
  assert_true(b.joint == joint && b.type == SCREE_JOINT_FIXED && b.cause == SCREE_BREAK_FORCE);
  assert_true(b.a == bob && b.b == other);
  assert_true(fabs(b.force - 20) < 1e-9 && fabs(b.time - 1e-3) < 1e-15);
  scree_world_destroy(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(restarts), cmocka_unit_test(break_names_bodies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
