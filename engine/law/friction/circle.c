/* Zeros of a trigonometric polynomial of degree two on the circle, without trigonometry.
 *
 * The stationary points of the energy on the boundary of a friction cone are zeros of
 *     h(u) = c0 + c1 u_t + s1 u_o + c2 (u_t^2 - u_o^2) + 2 s2 u_t u_o,   |u| = 1
 * (Preclik, Eibl & Ruede 2017, section 3.3, who solve it as a complex quartic). Here each half of the
 * circle is written as u = ((1 - t^2), 2 t)/(1 + t^2), t in [-1,1], rotated by 180 degrees for the other
 * half. h (1 + t^2)^2 is then a real quartic. Its roots in [-1,1] are isolated by the roots of its
 * derivatives (Rolle) and refined by bisection and Newton steps. */
#include "law/law_parts.h"

static double polynomial_value(const double *p, int degree, double t) {
  double sum = p[degree];
  for (int i = degree - 1; i >= 0; i--) sum = sum * t + p[i];
  return sum;
}

/* Returns the sum of the absolute values of the terms of p at t. Rounding errors of p(t) are a share of this
 * sum. */
static double term_size(const double *p, int degree, double t) {
  double sum = fabs(p[degree]);
  for (int i = degree - 1; i >= 0; i--) sum = sum * fabs(t) + fabs(p[i]);
  return sum;
}

/* Returns the zero of p between lo and hi. p changes sign there and is monotone. derivative: coefficients of
 * p'. */
static double refine_root(const double *p, const double *derivative, int degree, double lo, double hi) {
  bool rising = polynomial_value(p, degree, lo) < 0;
  double t = lo + (hi - lo) / 2;
  for (int i = 0; i < 100; i++) {
    double f = polynomial_value(p, degree, t), slope = polynomial_value(derivative, degree - 1, t),
           next = t - f / slope;
    if (f == 0) return t;
    if ((f < 0) == rising) lo = t;
    else hi = t;
    if (!(next > lo && next < hi)) next = lo + (hi - lo) / 2;
    if (next == t || !(next > lo && next < hi)) return next;
    t = next;
  }
  return t;
}

int sc_poly_roots(const double *p, int degree, double lo, double hi, double *roots) {
  SC_ASSERT(p && degree >= 0 && lo <= hi && roots);
  if (degree == 0) return 0;
  // p is monotone between two roots of its derivative
  double derivative[4] = {0}, stop[6];
  for (int i = 1; i <= degree; i++) derivative[i - 1] = i * p[i];
  int stops = 1 + sc_poly_roots(derivative, degree - 1, lo, hi, stop + 1), count = 0;
  stop[0] = lo;
  stop[stops++] = hi;
  for (int i = 0; i + 1 < stops && count < degree; i++) {
    double a = polynomial_value(p, degree, stop[i]), b = polynomial_value(p, degree, stop[i + 1]);
    bool touches = i > 0 && fabs(a) <= 1e-12 * term_size(p, degree, stop[i]);
    if (touches) roots[count++] = stop[i];
    if ((a < 0) != (b < 0) && count < degree && stop[i] < stop[i + 1])
      roots[count++] = refine_root(p, derivative, degree, stop[i], stop[i + 1]);
  }
  return count;
}

int sc_circle_roots(const sc_circle *h, double u[8][2]) {
  int count = 0;
  for (int half = 0; half < 2; half++) {
    double side = half ? -1 : 1, c1 = side * h->c1, s1 = side * h->s1, t[4];
    const double p[5] = {h->c0 + c1 + h->c2, 2 * s1 + 4 * h->s2, 2 * h->c0 - 6 * h->c2, 2 * s1 - 4 * h->s2,
        h->c0 - c1 + h->c2};
    int roots = sc_poly_roots(p, 4, -1, 1, t);
    for (int i = 0; i < roots; i++, count++) {
      double inv = side / (1 + t[i] * t[i]);
      u[count][0] = (1 - t[i] * t[i]) * inv;
      u[count][1] = 2 * t[i] * inv;
    }
  }
  return count;
}

void sc_circle_polish(const sc_circle *h, double u[2]) {
  for (int i = 0; i < 4; i++) {
    double c = u[0], s = u[1], cc = c * c - s * s, ss = 2 * c * s;
    double f = h->c0 + h->c1 * c + h->s1 * s + h->c2 * cc + h->s2 * ss,
           slope = h->s1 * c - h->c1 * s + 2 * (h->s2 * cc - h->c2 * ss);
    double turn = -f / slope;
    if (!(fabs(turn) < 0.1)) return;
    double nc = c - turn * s, ns = s + turn * c, inv = 1 / sqrt(nc * nc + ns * ns);
    u[0] = nc * inv;
    u[1] = ns * inv;
  }
}
