/* Rotations over a step: sine and cosine, fixed axes, symmetric tops against their closed form, and the
 * invariants and the order of a free asymmetric body. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "math/elementary.h"
#include "math/turn/turn.h"
#include "math/vec.h"

static void sine_and_cosine(void **state) {
  (void)state;
  for (double x = -60; x < 60; x += 0.0371) {
    double s, c;
    sc_sin_cos(x, &s, &c);
    assert_true(fabs(s - sin(x)) < 3e-16 && fabs(c - cos(x)) < 3e-16);
  }
}

/* 300 rad/s about one axis: after a thousand steps of a millisecond the angle is 300, with no lag. */
static void fixed_axis(void **state) {
  (void)state;
  double q[4] = {1, 0, 0, 0};
  const double w[3] = {0, 0, 300};
  for (int i = 0; i < 1000; i++) sc_turn(q, w, 1e-3, q);
  assert_true(fabs(q[0] - cos(150)) < 1e-12 && fabs(q[3] - sin(150)) < 1e-12);
}

static double energy(const double I[3], const double q[4], const double w[3]) {
  double own[3];
  sc_quat_unrotate(q, w, own);
  return (I[0] * own[0] * own[0] + I[1] * own[1] * own[1] + I[2] * own[2] * own[2]) / 2;
}

static void momentum(const double I[3], const double q[4], const double w[3], double L[3]) {
  double own[3];
  sc_quat_unrotate(q, w, own);
  for (int k = 0; k < 3; k++) own[k] *= I[k];
  sc_quat_rotate(q, own, L);
}

static void turn(const double I[3], double dt, double q[4], double w[3]) {
  const double tensor[6] = {I[0], 0, 0, I[1], 0, I[2]}, inverse[6] = {1 / I[0], 0, 0, 1 / I[1], 0, 1 / I[2]};
  sc_turn_free(tensor, inverse, dt, q, w);
}

/* A symmetric top in one large step and in many small ones is the same. */
static void top_is_exact(void **state) {
  (void)state;
  static const double I[3][3] = {{0.2, 0.2, 0.5}, {0.2, 0.5, 0.2}, {0.5, 0.2, 0.2}};
  for (int k = 0; k < 3; k++) {
    double q[4] = {1, 0, 0, 0}, w[3] = {3, -20, 40}, p[4] = {1, 0, 0, 0}, u[3] = {3, -20, 40};
    assert_int_equal(sc_turn_axis((const double[6]){I[k][0], 0, 0, I[k][1], 0, I[k][2]}), 2 - k);
    turn(I[k], 0.3, q, w);
    for (int i = 0; i < 3000; i++) turn(I[k], 1e-4, p, u);
    for (int i = 0; i < 3; i++) assert_true(fabs(w[i] - u[i]) < 1e-9);
    for (int i = 0; i < 4; i++) assert_true(fabs(q[i] - p[i]) < 1e-10);
  }
}

/* A body that turns over about its middle axis: energy and momentum stay for 20 s at 1 ms. */
static void flipping_body(void **state) {
  (void)state;
  const double I[3] = {1, 2, 3};
  double q[4] = {1, 0, 0, 0}, w[3] = {1e-3, 10, 1e-3}, L0[3], L[3], least = 10;
  double E0 = energy(I, q, w);
  momentum(I, q, w, L0);
  for (int i = 0; i < 20000; i++) {
    turn(I, 1e-3, q, w);
    double own[3];
    sc_quat_unrotate(q, w, own);
    least = fmin(least, own[1]);
  }
  momentum(I, q, w, L);
  assert_true(least < -9.9);
  assert_true(fabs(energy(I, q, w) / E0 - 1) < 1e-10);
  for (int k = 0; k < 3; k++) assert_true(fabs(L[k] - L0[k]) < 1e-9 * sc_norm(L0));
}

static void far(double dt, double out[3]) {
  const double I[3] = {1, 1.7, 2.5};
  double q[4] = {1, 0, 0, 0}, w[3] = {4, 5, -3};
  for (int i = 0; i < (int)(1 / dt + 0.5); i++) turn(I, dt, q, w);
  const double x[3] = {1, 2, 3};
  sc_quat_rotate(q, x, out);
}

static void second_order(void **state) {
  (void)state;
  double truth[3], one[3], half[3];
  far(1e-4, truth), far(0.02, one), far(0.01, half);
  sc_sub(one, truth, one), sc_sub(half, truth, half);
  double slope = log2(sc_norm(one) / sc_norm(half));
  assert_true(slope > 1.9 && slope < 2.1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sine_and_cosine), cmocka_unit_test(fixed_axis),
      cmocka_unit_test(top_is_exact), cmocka_unit_test(flipping_body), cmocka_unit_test(second_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
