/* Powers and the beta function in plain arithmetic against the mathematical library in long double. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/base.h"
#include "math/elementary.h"

/* Error in units of the last place of the right value. */
static double ulps(double value, long double right) {
  int exponent;
  frexpl(right, &exponent);
  return fabs((double)((long double)value - right)) / ldexp(1, exponent - 53);
}

static void powers_to_two_ulps(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 5);
  double worst = 0;
  for (int i = 0; i < 300000; i++) {
    double width = i % 3 == 0 ? 1
        : i % 3 == 1          ? 30
                              : 0.05,
           y = (sc_rng_unit(&rng) - 0.5) * (i % 2 ? 40 : 4),
           x = i % 5 ? exp((sc_rng_unit(&rng) - 0.5) * width) : sc_rng_unit(&rng);
    long double right = powl((long double)x, (long double)y);
    if (right > 1e-300L && right < 1e300L) worst = fmax(worst, ulps(sc_pow(x, y), right));
  }
  assert_true(worst < 2);
}

static void powers_at_the_ends(void **state) {
  (void)state;
  assert_true(sc_pow(0, 2) == 0 && isinf(sc_pow(0, -1)) && sc_pow(0, 0) == 1 && sc_pow(7, 0) == 1);
  assert_true(sc_pow(1, 1e300) == 1 && ulps(sc_pow(2, 0.5), sqrtl(2)) < 2 && ulps(sc_pow(2, 10), 1024) < 2);
  assert_true(sc_pow(1e-300, 2) == 0 && isinf(sc_pow(1e300, 2)) && isinf(sc_pow(INFINITY, 1)));
  assert_true(ulps(sc_pow(5e-324, 0.25), powl(5e-324, 0.25L)) < 2);
  assert_true(sc_pow(INFINITY, -1) == 0 && fabs(sc_pow(10, -308) / 1e-308 - 1) < 1e-15);
}

static void beta_function(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 6);
  for (int i = 0; i < 20000; i++) {
    double a = 0.02 + 6 * sc_rng_unit(&rng), b = 0.02 + 6 * sc_rng_unit(&rng);
    long double right = expl(lgammal(a) + lgammal(b) - lgammal(a + b));
    assert_true(fabs((double)(sc_beta(a, b) / right - 1)) < 1e-13);
  }
  assert_true(
      fabs(sc_beta(0.5, 0.5) - 3.14159265358979323846) < 1e-13 && fabs(sc_beta(2, 3) * 12 - 1) < 1e-13);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(powers_to_two_ulps),
      cmocka_unit_test(powers_at_the_ends), cmocka_unit_test(beta_function)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
