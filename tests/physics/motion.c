/* Motion without contact against closed forms: free fall, projectile, torque-free spin, and the choice
 * of units. */
#include "support/scene.h"

/* Bodies without impulses fly exactly. */
static void free_fall(void **unused) {
  (void)unused;
  scree_world *world = make_world(1e-3, 9.81);
  scree_id ball = add_sphere(world, 0.01, 0, 0, 10);
  step_world(world, 1000);
  scree_body_state s = state_of(world, ball);
  CLOSE(s.velocity[2], -9.81, 1e-12);
  CLOSE(s.position[2], 10 - 9.81 / 2, 1e-11);
  scree_world_destroy(world);
}

static void projectile(void **unused) {
  (void)unused;
  scree_world *world = make_world(1e-4, 9.81);
  scree_id ball = add_sphere(world, 0.01, 0, 0, 0);
  set_velocity(world, ball, 3, -2, 5);
  step_world(world, 10000);
  scree_body_state s = state_of(world, ball);
  CLOSE(s.position[0], 3, 1e-10);
  CLOSE(s.position[1], -2, 1e-10);
  CLOSE(s.position[2], 5 - 9.81 / 2, 1e-10);
  scree_world_destroy(world);
}

/* A box with three different moments tumbles about its unstable axis: momentum and energy are
 * exact, whatever the step. */
static double tumble_drift(double dt, double *momentum_error) {
  scree_world *world = make_world(dt, 0);
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  shape.type = SCREE_BOX;
  shape.size[0] = 1, shape.size[1] = 2, shape.size[2] = 3;
  body.spin[0] = 0.01, body.spin[1] = 2, body.spin[2] = 0.02;
  add_shape(world, shape, body);
  scree_report before = report_of(world);
  step_world(world, (int64_t)(20 / dt + 0.5));
  scree_report after = report_of(world);
  *momentum_error = 0;
  double size = 0;
  for (int k = 0; k < 3; k++) {
    *momentum_error = fmax(*momentum_error, fabs(after.angular_momentum[k] - before.angular_momentum[k]));
    size = fmax(size, fabs(before.angular_momentum[k]));
  }
  *momentum_error /= size;
  scree_world_destroy(world);
  return fabs(after.kinetic / before.kinetic - 1);
}

static void torque_free_spin(void **unused) {
  (void)unused;
  static const double steps[] = {4e-2, 4e-3, 2e-3};
  for (int i = 0; i < 3; i++) {
    double momentum, drift = tumble_drift(steps[i], &momentum);
    CLOSE(momentum, 0, 1e-11);
    CLOSE(drift, 0, 1e-10);
  }
}

/* A sphere's spin stays what it is, and its orientation turns by it. */
static void sphere_spin(void **unused) {
  (void)unused;
  scree_world *world = make_world(1e-3, 0);
  scree_id ball = add_sphere(world, 1, 0, 0, 0);
  set_spin(world, ball, 0, 0, 1);
  step_world(world, 1000);
  scree_body_state s = state_of(world, ball);
  CLOSE(s.spin[2], 1, 0);
  CLOSE(s.orientation[0], cos(0.5), 1e-6);
  CLOSE(s.orientation[3], sin(0.5), 1e-6);
  scree_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(free_fall), cmocka_unit_test(projectile),
      cmocka_unit_test(torque_free_spin), cmocka_unit_test(sphere_spin)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
