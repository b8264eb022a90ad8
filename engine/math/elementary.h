/* Logarithm, exponential, sine and cosine in plain arithmetic, so that a result that passes through them
 * has the same bits whatever mathematical library the program runs with. Relative error of a few 1e-16. */
#ifndef SC_ELEMENTARY_H
#define SC_ELEMENTARY_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define SC_LN2_HIGH 6.93147180369123816490e-01 /* the upper 33 bits of ln 2: exact times an exponent */
#define SC_LN2_LOW 1.90821492927058770002e-10

/* ln x for finite x > 0: x = 2^k m with m in [1/sqrt 2, sqrt 2], ln m = 2 atanh((m-1)/(m+1)). */
static inline double sc_log(double x) {
  int k;
  double m = frexp(x, &k);
  if (m < 0.70710678118654752) m *= 2, k--;
  double s = (m - 1) / (m + 1), z = s * s, w = z * z;
  double odd = 1.0 / 3 + w * (1.0 / 7 + w * (1.0 / 11 + w * (1.0 / 15 + w * (1.0 / 19 + w / 23))));
  double even = 1.0 / 5 + w * (1.0 / 9 + w * (1.0 / 13 + w * (1.0 / 17 + w / 21)));
  return k * SC_LN2_HIGH + (k * SC_LN2_LOW + 2 * s * z * (odd + z * even) + 2 * s);
}

/* e^x - 1 for |x| <= ln 2 / 2 by its series. */
static inline double sc_expm1_small(double x) {
  static const double c[] = {1.0 / 87178291200, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800,
      1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5};
  double sum = c[0];
  for (int i = 1; i < 13; i++) sum = sum * x + c[i];
  return x + x * x * sum;
}

/* e^x, 0 below and INFINITY above what doubles hold. */
static inline double sc_exp(double x) {
  if (x < -745) return 0;
  if (x > 709.7) return INFINITY;
  int k = (int)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
  double rest = (x - k * SC_LN2_HIGH) - k * SC_LN2_LOW;
  return ldexp(1 + sc_expm1_small(rest), k);
}

/* e^x - 1 without cancellation. */
static inline double sc_expm1(double x) { return fabs(x) < 0.34 ? sc_expm1_small(x) : sc_exp(x) - 1; }

/* ln(1+x) for x > -1 without cancellation: the rounding of 1+x is undone by one Newton step. */
static inline double sc_log1p(double x) {
  double u = 1 + x;
  return u == 1 ? x : sc_log(u) + (x - (u - 1)) / u;
}

#define SC_HALF_PI_HIGH 1.57079632673412561417 /* the upper 33 bits of pi/2 */
#define SC_HALF_PI_LOW 6.07710050650619224932e-11

/* Sine and cosine of |x| <= pi/4 by their series. */
static inline void sc_sin_cos_small(double x, double *sine, double *cosine) {
  static const double s[] = {-1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880,
      -1.0 / 5040, 1.0 / 120, -1.0 / 6};
  static const double c[] = {1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800,
      1.0 / 40320, -1.0 / 720, 1.0 / 24};
  double z = x * x, odd = s[0], even = c[0];
  for (int i = 1; i < 7; i++) odd = odd * z + s[i], even = even * z + c[i];
  *sine = x + x * z * odd;
  *cosine = 1 - z / 2 + z * z * even;
}

/* Sine and cosine of x; the error grows with |x| as that of x - n pi/2 with 86 bits of pi/2. */
static inline void sc_sin_cos(double x, double *sine, double *cosine) {
  double n = floor(x * 0.63661977236758134 + 0.5), s, c;
  sc_sin_cos_small((x - n * SC_HALF_PI_HIGH) - n * SC_HALF_PI_LOW, &s, &c);
  double quarter = n - 4 * floor(n / 4); /* 0 to 3; no number where x is infinite or none */
  *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
  *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}

#endif
