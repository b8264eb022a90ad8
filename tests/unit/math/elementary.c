/* Compares logarithm, exponential and their variants in plain arithmetic with the mathematical library in
 * long double, over the whole range of doubles. Compares double-double sums and products with quadruple
 * precision. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/base.h"
#include "math/elementary.h"
#include "math/two.h"

/* Returns the error in units of the last place of the exact value. */
static double ulps(double value, long double right) {
  int exponent;
  frexpl(right, &exponent);
  return fabs((double)((long double)value - right)) / ldexp(1, exponent - 53);
}

static double between(sc_rng *rng, double a, double b) { return a + (b - a) * sc_rng_unit(rng); }

static void exponents(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 1);
  double worst[4] = {0};
  for (int i = 0; i < 40000; i++) {
    const double x = between(&rng, -700, 700), small = between(&rng, -1, 1), tiny = small * 1e-9;
    worst[0] = fmax(worst[0], ulps(sc_exp(x), expl(x)));
    worst[1] = fmax(worst[1], ulps(sc_expm1(small), expm1l(small)));
    worst[2] = fmax(worst[2], ulps(sc_expm1(tiny), expm1l(tiny)));
    worst[3] = fmax(worst[3], ulps(sc_expm1(x), expm1l(x)));
  }
  assert_true(worst[0] < 3 && worst[1] < 4 && worst[2] < 2 && worst[3] < 3);
  assert_true(sc_exp(0) == 1 && sc_exp(-746) == 0 && isinf(sc_exp(709.8)) && sc_expm1(0) == 0);
  assert_true(ulps(sc_exp(709.6), expl((long double)709.6)) < 3 && sc_exp(-744) > 0 && sc_exp(-744) < 1e-322);
}

static void logarithms(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 2);
  double worst[3] = {0};
  for (int i = 0; i < 40000; i++) {
    const double x = ldexp(between(&rng, 0.5, 1), (int)between(&rng, -1070, 1024)),
                 near = between(&rng, 0.5, 2), small = between(&rng, -0.9, 3), tiny = small * 1e-9;
    worst[0] = fmax(worst[0], ulps(sc_log(x), logl(x)));
    worst[1] = fmax(worst[1], fabs((double)(sc_log(near) - logl(near))));
    worst[2] = fmax(worst[2], fmax(ulps(sc_log1p(small), log1pl(small)), ulps(sc_log1p(tiny), log1pl(tiny))));
  }
  assert_true(worst[0] < 3 && worst[1] < 3e-16 && worst[2] < 4);
  assert_true(sc_log(1) == 0 && sc_log1p(0) == 0 && sc_log1p(1e-20) == 1e-20);
}

static void logarithms_of_gamma(void **state) {
  (void)state;
  for (double x = 0.01; x < 60; x += 0.0171)
    assert_true(fabs((double)(sc_log_gamma(x) - lgammal(x))) < 3e-14 * fmax(1, fabs(lgamma(x))));
}

/* Splitting and joining agree with frexp and ldexp, also for subnormal numbers, 0, and infinity. */
static void splits(void **state) {
  (void)state;
  static const double other[] = {
      0, 5e-324, 1e-310, 2.2250738585072014e-308, 1.7976931348623157e308, -3, 0.5, 1};
  for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
    int a, b;
    const double m = sc_split2(other[i], &a), n = frexp(other[i], &b);
    assert_true(m == n && a == b);
  }
  int k;
  assert_true(isinf(sc_split2(INFINITY, &k)));
  for (int e = -1080; e <= 1030; e++) assert_true(sc_join2(0.75, e) == ldexp(0.75, e));
}

static void check_two(sc_two found, __float128 right) {
  const __float128 off = (__float128)found.high + found.low - right;
  assert_true((double)(off < 0 ? -off : off) <= 1e-30 * fabs((double)right));
  assert_true(found.high + found.low == found.high);
}

static void double_doubles(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 3);
  for (int i = 0; i < 20000; i++) {
    sc_two x[4];
    __float128 q[4];
    for (int k = 0; k < 4; k++) {
      x[k] = sc_two_sum(between(&rng, 0.1, 2), between(&rng, -1e-17, 1e-17));
      q[k] = (__float128)x[k].high + x[k].low;
    }
    const double a = between(&rng, -1, 1), b = ldexp(between(&rng, -1, 1), (int)between(&rng, -60, 60));
    const sc_two sum = sc_two_sum(a, b);
    assert_true((__float128)sum.high + sum.low == (__float128)a + b);
    check_two(sc_two_add(x[0], x[1]), q[0] + q[1]);
    check_two(sc_two_multiply(x[0], x[1]), q[0] * q[1]);
    const sc_two minor = sc_two_minor(x[0], x[1], x[2], x[3]);
    const __float128 off = (__float128)minor.high + minor.low - (q[0] * q[3] - q[1] * q[2]);
    assert_true((double)(off < 0 ? -off : off) < 1e-30);
    const sc_double2 product = sc_product2(a, b),
                     twice = sc_times2(product, (sc_double2){x[0].high, x[0].low});
    assert_true((__float128)product.high + product.low == (__float128)a * b);
    const __float128 rest = (__float128)twice.high + twice.low - (__float128)a * b * q[0];
    assert_true((double)(rest < 0 ? -rest : rest) <= 1e-30 * fabs(twice.high));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(exponents), cmocka_unit_test(logarithms),
      cmocka_unit_test(logarithms_of_gamma), cmocka_unit_test(splits), cmocka_unit_test(double_doubles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
