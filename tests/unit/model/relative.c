/* Distance and relative velocity of two points of two bodies, against sums computed in the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "model/relative.h"

static sc_bodies two_bodies(uint8_t second) {
  sc_bodies b = {0};
  for (int row = 0; row < 2; row++) assert_int_equal(sc_bodies_add(&b), row);
  b.kind[1] = second;
  sc_set3(1, 2, 3, b.position[0]);
  sc_set3(4, 2, 3, b.position[1]);
  sc_set3(1, 0, 0, b.velocity[0]);
  sc_set3(0, 0, 2, b.spin[0]);
  sc_set3(-3, 0.5, 0, b.velocity[1]);
  sc_set3(0, 1, 0, b.spin[1]);
  return b;
}

static void same(const double x[3], double a, double b, double c) {
  assert_true(x[0] == a && x[1] == b && x[2] == c);
}

static void points_of_two_bodies(void **unused) {
  (void)unused;
  sc_bodies b = two_bodies(SCREE_KINEMATIC);
  const double point[3] = {2, 2, 4}, n[3] = {1, 0, 0};
  double r1[3], r2[3], u[3];
  sc_arms(&b, 0, 1, NULL, point, r1, r2);
  same(r1, 1, 0, 1);
  same(r2, -2, 0, 1);
  /* velocities of the points: (1,0,0) + 2 ez x (1,0,1) = (1,2,0) and (-3,.5,0) + ey x (-2,0,1) = (-2,.5,2) */
  sc_relative_velocity(&b, 0, r1, 1, NULL, r2, n, u);
  same(u, 3, 1.5, -2);
  assert_true(sc_running_normal(&b, 0, r1, 1, r2, n) == 0);
  sc_displacement(&b, NULL, b.position[0], b.position[1], u);
  same(u, -3, 0, 0);
  sc_bodies_free(&b);
}

/* Only the part of a surface velocity in the tangent plane acts. */
static void running_surfaces_have_no_normal_velocity(void **unused) {
  (void)unused;
  sc_bodies b = two_bodies(SCREE_FIXED);
  const double point[3] = {2, 2, 4}, n[3] = {1, 0, 0};
  double r1[3], r2[3], u[3], v[3];
  sc_arms(&b, 0, 1, NULL, point, r1, r2);
  sc_surface_velocity(&b, 1, r2, n, v);
  same(v, 0, 0.5, 2);
  sc_relative_velocity(&b, 0, r1, 1, NULL, r2, n, u);
  same(u, 1, 1.5, -2);
  assert_true(sc_running_normal(&b, 0, r1, 1, r2, n) == -2);
  assert_true(sc_running_normal(&b, 1, r2, 0, r1, n) == 2);
  sc_bodies_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_of_two_bodies), cmocka_unit_test(running_surfaces_have_no_normal_velocity)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
