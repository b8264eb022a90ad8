/* A rotor that a joint gets while it moves turns with the joint: the speed does not change. A torque then
 * accelerates the inertia of the body and of the rotor. Expected values are closed forms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "base/base.h"
#include "scree/joint.h"

static const double DT = 1e-3, I = 0.4, ROTOR = 1.6, TORQUE = 2;

static scree_world *make(scree_joint *axle) {
  scree_error error = {0};
  scree_world_def def = scree_world_defaults();
  def.dt = DT, def.gravity[0] = def.gravity[1] = def.gravity[2] = 0;
  scree_world *w = scree_world_create(&def, &error);
  assert_non_null(w);
  scree_shape_def ball = scree_shape_defaults();
  ball.type = SCREE_SPHERE, ball.radius = 0.1;
  scree_body_def body = scree_body_defaults();
  const double inertia[6] = {I, 0, 0, I, 0, I};
  body.shapes = &ball, body.shapes_count = 1, body.mass = 1;
  for (int k = 0; k < 6; k++) body.inertia[k] = inertia[k];
  const scree_id wheel = scree_world_add(w, &body, &error);
  assert_true(wheel != 0);
  scree_joint_def hinge = scree_joint_defaults(SCREE_JOINT_HINGE);
  hinge.a = wheel, hinge.axis[2] = 1;
  hinge.drive.motor = SCREE_MOTOR_FORCE, hinge.drive.force = TORQUE;
  *axle = scree_world_add_joint(w, &hinge, &error);
  assert_true(*axle != 0);
  return w;
}

static double speed_of(const scree_world *w, scree_joint axle) {
  scree_joint_state state;
  assert_int_equal(scree_world_get_joint(w, axle, &state, NULL), SCREE_OK);
  return state.speed;
}

static void later_armature(void **state) {
  (void)state;
  scree_error error = {0};
  scree_joint axle;
  scree_drive drive;
  scree_world *w = make(&axle);
  assert_int_equal(scree_world_step(w, 100, &error), SCREE_OK);
  const double before = TORQUE * 100 * DT / I;
  assert_true(fabs(speed_of(w, axle) - before) < 1e-12);
  assert_int_equal(scree_world_get_drive(w, axle, 0, &drive, &error), SCREE_OK);
  drive.armature = ROTOR;
  assert_int_equal(scree_world_set_drive(w, axle, 0, &drive, &error), SCREE_OK);
  assert_int_equal(scree_world_step(w, 100, &error), SCREE_OK);
  const double after = before + TORQUE * 100 * DT / (I + ROTOR);
  assert_true(fabs(speed_of(w, axle) - after) < 1e-12);
  drive.armature = -1;
  assert_int_equal(scree_world_set_drive(w, axle, 0, &drive, &error), SCREE_E_ARGUMENT);
  scree_world_destroy(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(later_armature)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
