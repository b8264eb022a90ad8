/* Distributions of sizes: closed forms, bounds, the Kolmogorov distance between drawn sizes and their
 * distribution, and sequences that continue from any position. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/base.h"
#include "scree/sizes.h"

static const double curve[][2] = {{1e-3, 0}, {2e-3, 0.15}, {2.5e-3, 0.15}, {4e-3, 0.7}, {8e-3, 1}};
static const scree_sizes_def every[] = {
    {.distribution = SCREE_SIZES_UNIFORM, .min = 1e-3, .max = 4e-3},
    {.distribution = SCREE_SIZES_NORMAL, .min = 1e-3, .max = 4e-3, .mean = 2e-3, .deviation = 5e-4},
    {.distribution = SCREE_SIZES_NORMAL, .min = 1e-3, .max = 4e-3, .mean = 2e-3, .deviation = 1e-6},
    {.distribution = SCREE_SIZES_NORMAL, .min = 1e-3, .max = 4e-3, .mean = 9e-3, .deviation = 1e-3},
    {.distribution = SCREE_SIZES_LOGNORMAL,
        .min = 5e-4,
        .max = 8e-3,
        .median = 2e-3,
        .geometric_deviation = 1.6},
    {.distribution = SCREE_SIZES_WEIBULL, .min = 5e-4, .max = 8e-3, .scale = 2e-3, .modulus = 2.2},
    {.distribution = SCREE_SIZES_WEIBULL, .min = 5e-4, .max = 8e-3, .scale = 2e-3, .modulus = 0.7},
    {.distribution = SCREE_SIZES_PASSING, .passing = curve, .passing_count = 5},
};
enum { KINDS = sizeof every / sizeof *every };

static scree_sizes *make(scree_sizes_def def, int by) {
  scree_error error = {0};
  def.by = by;
  scree_sizes *sizes = scree_sizes_create(&def, &error);
  if (!sizes) fail_msg("%s", error.text);
  return sizes;
}

/* The share finer than scree_sizes_diameter(u) is u. The share below the smallest size is 0, and the share up
 * to the largest is 1. */
static void quantiles_and_shares_agree(void **unused) {
  (void)unused;
  for (int k = 0; k < 2 * KINDS; k++) {
    scree_sizes *sizes = make(every[k / 2], k % 2);
    double min, max, last = 0;
    scree_sizes_range(sizes, &min, &max);
    for (int i = 0; i <= 1000; i++) {
      double u = i / 1000.0, d = scree_sizes_diameter(sizes, u);
      assert_true(d >= min && d <= max && d >= last);
      last = d;
      if (fabs(scree_sizes_passing(sizes, d, SCREE_BY_NUMBER) - u) > 1e-9)
        fail_msg("kind %d: share %g at %g", k, u, d);
    }
    for (int by = 0; by < 2; by++) {
      assert_true(scree_sizes_passing(sizes, min * (1 - 1e-12), by) == 0);
      assert_true(scree_sizes_passing(sizes, max, by) == 1);
    }
    scree_sizes_destroy(sizes);
  }
}

static double normal_share(double a, double b, double x) {
  return (erf(x / sqrt(2)) - erf(a / sqrt(2))) / (erf(b / sqrt(2)) - erf(a / sqrt(2)));
}

/* Compares curves with error functions and exponentials. A lognormal curve by mass equals a lognormal curve
 * by number with a median smaller by the factor e^(3 s^2), s: log of the geometric deviation (Hatch & Choate
 * 1929). */
static void curves_have_their_closed_forms(void **unused) {
  (void)unused;
  scree_sizes *normal = make(every[1], SCREE_BY_NUMBER), *lognormal = make(every[4], SCREE_BY_MASS),
              *weibull = make(every[5], SCREE_BY_MASS);
  const double s = log(1.6), shift = 2e-3 * exp(-3 * s * s), w0 = exp(-pow(0.25, 2.2)),
               w1 = exp(-pow(4, 2.2));
  for (int i = 1; i < 100; i++) {
    double d = 1e-3 + 3e-3 * i / 100;
    assert_float_equal(
        scree_sizes_passing(normal, d, SCREE_BY_NUMBER), normal_share(-2, 4, (d - 2e-3) / 5e-4), 1e-5);
    d = 5e-4 + 7.5e-3 * i / 100;
    assert_float_equal(scree_sizes_passing(lognormal, d, SCREE_BY_MASS),
        normal_share(log(0.25) / s, log(4) / s, log(d / 2e-3) / s), 1e-5);
    assert_float_equal(scree_sizes_passing(lognormal, d, SCREE_BY_NUMBER),
        normal_share(log(5e-4 / shift) / s, log(8e-3 / shift) / s, log(d / shift) / s), 1e-5);
    assert_float_equal(
        scree_sizes_passing(weibull, d, SCREE_BY_MASS), (w0 - exp(-pow(d / 2e-3, 2.2))) / (w0 - w1), 1e-5);
  }
  scree_sizes_destroy(normal), scree_sizes_destroy(lognormal), scree_sizes_destroy(weibull);
}

static int rising(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* Sets the Kolmogorov distances of `count` draws from their curves by number and by mass. The distance by
 * mass is divided by sqrt(sum of m^2)/(sum of m), m: the masses of the drawn grains. */
static void distances(const scree_sizes *sizes, uint64_t seed, int count, double *number, double *mass) {
  double *d = malloc((size_t)count * sizeof *d), whole = 0, sum = 0, squares = 0;
  scree_sizes_stream stream = {.seed = seed};
  for (int i = 0; i < count; i++) d[i] = scree_sizes_draw(sizes, &stream, i), whole += d[i] * d[i] * d[i];
  qsort(d, (size_t)count, sizeof *d, rising);
  *number = *mass = 0;
  for (int i = 0; i < count; i++) {
    sum += d[i] * d[i] * d[i];
    *number = fmax(*number, fabs((i + 1.0) / count - scree_sizes_passing(sizes, d[i], SCREE_BY_NUMBER)));
    *mass = fmax(*mass, fabs(sum / whole - scree_sizes_passing(sizes, d[i], SCREE_BY_MASS)));
  }
  for (int i = 0; i < count; i++) squares += pow(d[i], 6);
  *mass /= sqrt(squares) / whole;
  free(d);
}

/* The Kolmogorov distance of n independent draws exceeds 1.36/sqrt(n) in one case of twenty. The 10^4 draws
 * of a sequence must follow the curve by number much more closely. By mass the bound is that of independent
 * draws, because a few heavy grains dominate. */
static void draws_follow_the_curve(void **unused) {
  (void)unused;
  enum { DRAWS = 10000 };
  for (int k = 0; k < 2 * KINDS; k++) {
    scree_sizes *sizes = make(every[k / 2], k % 2);
    for (uint64_t seed = 1; seed <= 3; seed++) {
      double number, mass;
      distances(sizes, seed, DRAWS, &number, &mass);
      if (number > 0.15 * 1.36 / sqrt(DRAWS) || mass > 1.36)
        fail_msg("kind %d, seed %d: %g by number, %g by mass", k, (int)seed, number, mass);
    }
    scree_sizes_destroy(sizes);
  }
}

/* A draw depends only on the seed and on its number in the sequence. */
static void sequences_go_on_from_anywhere(void **unused) {
  (void)unused;
  scree_sizes *sizes = make(every[4], SCREE_BY_MASS);
  scree_sizes_stream whole = {.seed = 7}, other = {.seed = 8};
  int same = 0;
  for (int i = 0; i < 1000; i++) {
    scree_sizes_stream anew = {.seed = 7};
    double d = scree_sizes_draw(sizes, &whole, i);
    assert_true(d == scree_sizes_draw(sizes, &anew, i));
    same += d == scree_sizes_draw(sizes, &other, i);
  }
  assert_int_equal(same, 0);
  scree_sizes_destroy(sizes);
}

static void refused(scree_sizes_def def, const char *text) {
  scree_error error = {0};
  assert_null(scree_sizes_create(&def, &error));
  if (!strstr(error.text, text)) fail_msg("\"%s\" instead of \"%s\"", error.text, text);
}

static void wrong_tables_are_refused(void **unused) {
  (void)unused;
  static const double falls[][2] = {{1, 0}, {2, 0.6}, {3, 0.5}, {4, 1}}, open[][2] = {{1, 0.1}, {2, 1}},
                      cents[][2] = {{1, 0}, {2, 100}}, back[][2] = {{1, 0}, {1, 1}};
  refused((scree_sizes_def){.distribution = SCREE_SIZES_NORMAL, .min = 1, .max = 2, .mean = 1},
      "sizes.deviation is missing");
  refused(
      (scree_sizes_def){
          .distribution = SCREE_SIZES_NORMAL, .min = 1, .max = 2, .mean = 1, .deviation = 1, .median = 1},
      "belongs to lognormal");
  refused(
      (scree_sizes_def){.distribution = SCREE_SIZES_NORMAL, .min = 1, .max = 2, .mean = 9, .deviation = 1e-3},
      "nothing of the distribution");
  refused((scree_sizes_def){.min = 2, .max = 1}, "greater than min");
  refused((scree_sizes_def){.max = 1}, "sizes.min is missing");
  refused(
      (scree_sizes_def){
          .distribution = SCREE_SIZES_LOGNORMAL, .min = 1, .max = 2, .median = 1, .geometric_deviation = 0.5},
      "greater than 1");
  refused((scree_sizes_def){.distribution = SCREE_SIZES_PASSING, .passing = falls, .passing_count = 4},
      "must not fall");
  refused((scree_sizes_def){.distribution = SCREE_SIZES_PASSING, .passing = open, .passing_count = 2},
      "must begin with share 0");
  refused((scree_sizes_def){.distribution = SCREE_SIZES_PASSING, .passing = cents, .passing_count = 2},
      "between 0 and 1, not 100");
  refused(
      (scree_sizes_def){.distribution = SCREE_SIZES_PASSING, .passing = back, .passing_count = 2}, "rise");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quantiles_and_shares_agree),
      cmocka_unit_test(curves_have_their_closed_forms),
      cmocka_unit_test(draws_follow_the_curve),
      cmocka_unit_test(sequences_go_on_from_anywhere),
      cmocka_unit_test(wrong_tables_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
