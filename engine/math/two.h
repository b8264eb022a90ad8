/* Double-double arithmetic: a number is the unevaluated sum of two doubles, high and low, of which the second
 * is a correction of the first (Dekker 1971). Sums and products have errors of about 1e-31 times the
 * operands. The compiler must not contract or reorder the operations. */
#ifndef SC_TWO_H
#define SC_TWO_H

typedef struct sc_two {
  double high, low;
} sc_two;

/* Returns the sum of two doubles exactly. */
static inline sc_two sc_two_sum(double a, double b) {
  const double s = a + b, part = s - a;
  return (sc_two){s, (a - (s - part)) + (b - part)};
}

/* Returns a + b, rounded to double-double precision. */
static inline sc_two sc_two_add(sc_two a, sc_two b) {
  const sc_two s = sc_two_sum(a.high, b.high), t = sc_two_sum(a.low, b.low),
               u = sc_two_sum(s.high, s.low + t.high);
  return sc_two_sum(u.high, u.low + t.low);
}

/* Splits a into the sum of two numbers of at most 26 bits, so that products of such halves are exact. |a|
 * must be below 1e300. */
static inline sc_two sc_two_halves(double a) {
  const double big = 134217729.0 * a, high = big - (big - a); /* 134217729 = 2^27 + 1 */
  return (sc_two){high, a - high};
}

/* Returns a b, rounded to double-double precision. */
static inline sc_two sc_two_multiply(sc_two a, sc_two b) {
  const sc_two x = sc_two_halves(a.high), y = sc_two_halves(b.high);
  const double p = a.high * b.high,
               rest = ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low;
  return sc_two_sum(p, rest + (a.high * b.low + a.low * b.high));
}

/* Returns the determinant a d - b c, rounded to double-double precision. */
static inline sc_two sc_two_minor(sc_two a, sc_two b, sc_two c, sc_two d) {
  const sc_two right = sc_two_multiply(b, c);
  return sc_two_add(sc_two_multiply(a, d), (sc_two){-right.high, -right.low});
}

#endif
