/* Logarithm, exponential, power, sine and cosine in plain arithmetic. Their results have the same bits on
 * every machine, because no mathematical library is used. The relative error is a few times 1e-16. The error
 * of powers is at most 2 units in the last place. */
#ifndef SC_ELEMENTARY_H
#define SC_ELEMENTARY_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* the upper 33 bits of ln 2, so that its product with an exponent of a double is exact */
#define SC_LN2_HIGH 6.93147180369123816490e-01
#define SC_LN2_LOW 1.90821492927058770002e-10

/* Splits x = m 2^k with |m| in [0.5, 1), like frexp: returns m and sets *k. For normal numbers, calls no
 * function. */
static inline double sc_split2(double x, int *k) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const int e = (int)(bits >> 52 & 0x7ff);
  if (e == 0 || e == 0x7ff) return frexp(x, k);
  *k = e - 1022;
  bits = (bits & ~((uint64_t)0x7ff << 52)) | (uint64_t)1022 << 52;
  memcpy(&x, &bits, sizeof x);
  return x;
}
/* Returns m 2^k, like ldexp. If |k| <= 1000, calls no function. */
static inline double sc_join2(double m, int k) {
  double scale;
  if (k < -1000 || k > 1000) return ldexp(m, k);
  const uint64_t bits = (uint64_t)(k + 1023) << 52;
  memcpy(&scale, &bits, sizeof scale);
  return m * scale;
}

/* Returns ln x for finite x > 0. Method: x = 2^k m with m in [1/sqrt 2, sqrt 2], and ln m = 2
 * atanh((m-1)/(m+1)). */
static inline double sc_log(double x) {
  int k;
  double m = sc_split2(x, &k);
  if (m < 0.70710678118654752) m *= 2, k--;
  double s = (m - 1) / (m + 1), z = s * s, w = z * z;
  double odd = 1.0 / 3 + w * (1.0 / 7 + w * (1.0 / 11 + w * (1.0 / 15 + w * (1.0 / 19 + w / 23))));
  double even = 1.0 / 5 + w * (1.0 / 9 + w * (1.0 / 13 + w * (1.0 / 17 + w / 21)));
  return k * SC_LN2_HIGH + (k * SC_LN2_LOW + 2 * s * z * (odd + z * even) + 2 * s);
}

/* Returns e^x - 1 for |x| <= ln 2 / 2, computed by the series. */
static inline double sc_expm1_small(double x) {
  double sum = 1.0 / 87178291200; /* the terms are written out, because a loop takes twice as long */
  sum = sum * x + 1.0 / 6227020800, sum = sum * x + 1.0 / 479001600, sum = sum * x + 1.0 / 39916800;
  sum = sum * x + 1.0 / 3628800, sum = sum * x + 1.0 / 362880, sum = sum * x + 1.0 / 40320;
  sum = sum * x + 1.0 / 5040, sum = sum * x + 1.0 / 720, sum = sum * x + 1.0 / 120;
  sum = sum * x + 1.0 / 24, sum = sum * x + 1.0 / 6, sum = sum * x + 0.5;
  return x + x * x * sum;
}

/* Returns e^x; 0 or INFINITY if the result is beyond the range of doubles. */
static inline double sc_exp(double x) {
  if (x < -745) return 0;
  if (x > 709.7) return INFINITY;
  int k = (int)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
  double rest = (x - k * SC_LN2_HIGH) - k * SC_LN2_LOW;
  return sc_join2(1 + sc_expm1_small(rest), k);
}

/* Returns e^x - 1, without loss of digits for small |x|. */
static inline double sc_expm1(double x) { return fabs(x) < 0.34 ? sc_expm1_small(x) : sc_exp(x) - 1; }

/* Returns ln(1+x) for x > -1, without loss of digits for small |x|: one Newton step corrects the rounding of
 * 1+x. */
static inline double sc_log1p(double x) {
  double u = 1 + x;
  return u == 1 ? x : sc_log(u) + (x - (u - 1)) / u;
}

/* the upper 33 bits of pi/2, so that its product with a small integer is exact */
#define SC_HALF_PI_HIGH 1.57079632673412561417
#define SC_HALF_PI_LOW 6.07710050650619224932e-11

/* Coefficients of the series of the sine and the cosine, the highest power first. */
static const double sc_sine_series[] = {
    -1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6};
static const double sc_cosine_series[] = {1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600,
    -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24};

/* Computes sine and cosine of x for |x| <= pi/4 by their series. */
static inline void sc_sin_cos_small(double x, double *sine, double *cosine) {
  double z = x * x, odd = sc_sine_series[0], even = sc_cosine_series[0];
  for (int i = 1; i < 7; i++) odd = odd * z + sc_sine_series[i], even = even * z + sc_cosine_series[i];
  *sine = x + x * z * odd;
  *cosine = 1 - z / 2 + z * z * even;
}

/* Computes sine and cosine of x. The error grows with |x|, because x is reduced by multiples of pi/2 with 86
 * bits of pi/2. */
static inline void sc_sin_cos(double x, double *sine, double *cosine) {
  double n = floor(x * 0.63661977236758134 + 0.5), s, c;
  sc_sin_cos_small((x - n * SC_HALF_PI_HIGH) - n * SC_HALF_PI_LOW, &s, &c);
  double quarter = n - 4 * floor(n / 4); /* number of the quarter turn: 0 to 3; NaN if x is infinite or NaN */
  *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
  *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}

/* ---- powers; the logarithm has 75 bits: it is the unevaluated sum of two doubles ---- */

typedef struct sc_double2 {
  double high, low; /* the number is high + low; |low| is at most half a unit in the last place of high */
} sc_double2;

/* Returns a + b exactly, as a sum of two doubles, for |a| >= |b|. */
static inline sc_double2 sc_sum2(double a, double b) {
  double high = a + b;
  return (sc_double2){high, b - (high - a)};
}

/* Returns the product a b exactly, as a sum of two doubles. Splits a and b into halves of 26 bits (Dekker
 * 1971). */
static inline sc_double2 sc_product2(double a, double b) {
  double p = a * b, s = 134217729 * a, t = 134217729 * b, ah = s - (s - a), bh = t - (t - b), al = a - ah,
         bl = b - bh;
  return (sc_double2){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

/* Returns a b with a relative error of a few times 2^-105. */
static inline sc_double2 sc_times2(sc_double2 a, sc_double2 b) {
  sc_double2 p = sc_product2(a.high, b.high);
  return sc_sum2(p.high, p.low + (a.high * b.low + a.low * b.high));
}

/* Returns ln x for finite x > 0 as a sum of two doubles. The method is that of sc_log; s = (m-1)/(m+1) and
 * s^3/3 are sums of two doubles. */
static inline sc_double2 sc_log_long(double x) {
  static const sc_double2 third = {1.0 / 3, 1.850371707708594e-17};
  int k;
  double m = frexp(x, &k);
  if (m < 0.70710678118654752) m *= 2, k--;
  // s = (m - 1)/(m + 1) is computed from the quotient q and its remainder; m - 1 and the sum down + rest =
  // m + 1 are exact
  double up = m - 1, down = m + 1, rest = m - (down - 1), q = up / down;
  sc_double2 back = sc_product2(q, down), s = sc_sum2(q, ((up - back.high) - back.low - q * rest) / down);
  sc_double2 square = sc_times2(s, s), cube = sc_times2(sc_times2(square, s), third);
  double z = square.high,
         tail = 1.0 / 5 +
      z *
          (1.0 / 7 +
              z *
                  (1.0 / 9 +
                      z *
                          (1.0 / 11 +
                              z * (1.0 / 13 + z * (1.0 / 15 + z * (1.0 / 17 + z * (1.0 / 19 + z / 21)))))));
  double low = s.low + (cube.low + s.high * z * z * tail);
  sc_double2 a = sc_sum2(s.high, cube.high);
  sc_double2 series = sc_sum2(2 * a.high, 2 * (a.low + low));
  if (!k) return series;
  sc_double2 sum = sc_sum2(k * SC_LN2_HIGH, series.high);
  return sc_sum2(sum.high, sum.low + (series.low + k * SC_LN2_LOW));
}

/* Returns x^y for x >= 0 and finite y. Special cases: x^0 = 1; 0^y = INFINITY for y < 0. */
static inline double sc_pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (!(x > 0)) return y > 0 ? 0 : INFINITY;
  if (isinf(x)) return y > 0 ? x : 0;
  sc_double2 log = sc_log_long(x), p = sc_product2(log.high, y);
  double high = p.high, low = p.low + log.low * y;
  if (!(high > -745)) return 0;
  if (!(high < 709.7)) return INFINITY;
  int k = (int)(high * 1.4426950408889634 + (high < 0 ? -0.5 : 0.5));
  double rest = ((high - k * SC_LN2_HIGH) - k * SC_LN2_LOW) + low;
  return ldexp(1 + sc_expm1_small(rest), k);
}

/* Returns ln Gamma(x) for x > 0, by Stirling's series for x >= 13. For smaller x, Gamma(x + 1) = x Gamma(x)
 * is used until the argument is at least 13. */
static inline double sc_log_gamma(double x) {
  double product = 1;
  for (; x < 13; x += 1) product *= x;
  double z = 1 / (x * x),
         series = (1.0 / 12 -
                      z *
                          (1.0 / 360 -
                              z * (1.0 / 1260 - z * (1.0 / 1680 - z * (1.0 / 1188 - z * 691.0 / 360360))))) /
      x;
  return (x - 0.5) * sc_log(x) - x + 0.91893853320467274178 + series - sc_log(product);
}

/* Returns Euler's beta function B(a, b) for a, b > 0, with a relative error below 1e-13. */
static inline double sc_beta(double a, double b) {
  return sc_exp(sc_log_gamma(a) + sc_log_gamma(b) - sc_log_gamma(a + b));
}

#endif
