/* Tests quantiles of Student's t distribution (student.h) against printed tables, and rotations (vector.h)
 * about a coordinate axis. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "student.h"
#include "vector.h"

/* 97.5th percentiles by degrees of freedom, as tables of the distribution print them. */
static void test_quantiles(void **state) {
  (void)state;
  static const struct {
    int64_t freedom;
    double t;
  } printed[] = {{1, 12.706}, {2, 4.303}, {9, 2.262}, {10, 2.228}, {11, 2.201}, {20, 2.086}, {29, 2.045},
      {30, 2.042}, {40, 2.021}, {60, 2.000}, {120, 1.980}, {1000000, 1.960}};
  for (size_t k = 0; k < sizeof printed / sizeof *printed; k++)
    assert_true(fabs(cli_student(printed[k].freedom + 1) - printed[k].t) < 0.004);
}

/* A quarter turn about z maps x to y, and back. */
static void test_rotations(void **state) {
  (void)state;
  const double h = sqrt(0.5), q[4] = {h, 0, 0, h}, x[3] = {3, 0, 5}, expected[3] = {0, 3, 5};
  double v[3];
  rotate_vector(q, x, v);
  for (int k = 0; k < 3; k++) assert_true(fabs(v[k] - expected[k]) < 1e-15);
  rotate_back(q, v, v);
  for (int k = 0; k < 3; k++) assert_true(fabs(v[k] - x[k]) < 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_quantiles), cmocka_unit_test(test_rotations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
