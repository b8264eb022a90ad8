/* The secular equation that a sliding contact leads to.
 *
 * Coulomb sliding, (H + l E) y = g with |y| = (mu/Ann)(b_n - a.y), and maximally dissipative sliding on
 * an ellipse, (H + l B) z = g with z'Bz = rho^2, become, multiplied by the determinant, one form (adj of
 * a 2x2 matrix is linear, so the numerators are linear in l and the determinant quadratic):
 *     h(l) = N(l) + k0 + k1 l - k2 l^2 = 0,   N(l) = sqrt(n0 + 2 n1 l + n2 l^2),   l > 0.
 * N is the norm of an affine function P(l), hence convex and above each of its tangents. Replacing N by its
 * tangent at l leaves a concave parabola below h that is positive at l: its positive root lies between l
 * and the first root of h. The iteration l <- l + that root therefore climbs monotonically to the
 * smallest root and cannot jump over one, whatever their number; it converges quadratically. Where the
 * parabola falls, c < 0, its root is replaced by -h c/(c^2 + k2 h), which is below it and agrees to third
 * order: no root is drawn.
 *
 * N is also above e.P(l) for any unit vector e, and with that in its place the parabola's root is again
 * below the first root of h. With e along the friction of the last iterate, which turns little from sweep
 * to sweep, it is near it: the start. Only + - * / sqrt: the same bits everywhere. */
#include "law/law_parts.h"

double sc_law_secular_start(double ep, double eq, double k0, double k1, double k2) {
  double h = ep + k0, c = eq + k1;
  if (!(h > 0)) return 0;
  double root = sqrt(c * c + 4 * k2 * h), l = c > 0 ? (c + root) / (2 * k2) : 2 * h / (root - c);
  return l < INFINITY ? l : 0;
}

double sc_law_secular_from(
    double l, double n0, double n1, double n2, double k0, double k1, double k2, int *iterations) {
  enum { MOST = 200 };
  double cross = n0 * n2 - n1 * n1;
  int i = 0;
  while (i < MOST) {
    // value and slope of N at l, tangent parabola h + c d - k2 d^2
    double square = n0 + l * (2 * n1 + n2 * l), inv = 1 / square, norm = sqrt(square);
    double slope = norm > 0 ? (n1 + n2 * l) * inv * norm : sqrt(n2);
    double h = norm + k0 + l * (k1 - k2 * l), c = slope + k1 - 2 * k2 * l, d;
    i++;
    if (!(h > 0)) break;
    if (c < 0) d = -h * c / (c * c + k2 * h);
    else d = (c + sqrt(c * c + 4 * k2 * h)) / (2 * k2);
    if (!(d < INFINITY)) {
      l = INFINITY;
      break;
    }
    l += d;
    // the next step would be about d^2 N''/2 + k2 d^2 over -c, with N'' = cross/N^3
    if (d <= 1e-16 * l || d * d * (cross * inv + 2 * k2 * norm) <= 2e-17 * l * norm * -c) break;
  }
  if (iterations) *iterations += i;
  return l;
}

double sc_law_secular(double n0, double n1, double n2, double k0, double k1, double k2, int *iterations) {
  return sc_law_secular_from(0, n0, n1, n2, k0, k1, k2, iterations);
}

/* ---- all roots: h is convex up to where N'' = 2 k2 and concave beyond, so its slope rises and then
 * falls ---- */

typedef struct curve {
  double n0, n1, n2, k0, k1, k2;
} curve;

static double value(const curve *c, double l) {
  return sqrt(c->n0 + l * (2 * c->n1 + c->n2 * l)) + c->k0 + l * (c->k1 - c->k2 * l);
}

static double slope(const curve *c, double l) {
  double norm = sqrt(c->n0 + l * (2 * c->n1 + c->n2 * l));
  return (norm > 0 ? (c->n1 + c->n2 * l) / norm : sqrt(c->n2)) + c->k1 - 2 * c->k2 * l;
}

/* Zero of f between lo and hi, where it changes sign. */
static double bisect(double (*f)(const curve *, double), const curve *c, double lo, double hi) {
  bool rising = f(c, lo) < 0;
  for (int i = 0; i < 2100; i++) {
    double middle = lo > 0 && hi > 4 * lo ? sqrt(lo) * sqrt(hi) : lo + (hi - lo) / 2;
    if (!(middle > lo && middle < hi)) break;
    if ((f(c, middle) < 0) == rising) lo = middle;
    else hi = middle;
  }
  return hi;
}

/* Where N'' falls to 2 k2; 0 if it is never above. */
static double inflexion(const curve *c, double far) {
  double cross = c->n0 * c->n2 - c->n1 * c->n1, lo = 0, hi = far;
  if (!(cross > 0)) return 0;
  for (int i = 0; i < 200; i++) {
    double middle = lo + (hi - lo) / 2, square = c->n0 + middle * (2 * c->n1 + c->n2 * middle);
    if (!(middle > lo && middle < hi)) break;
    if (cross > 2 * c->k2 * square * sqrt(square)) lo = middle;
    else hi = middle;
  }
  return lo;
}

int sc_law_secular_all(double n0, double n1, double n2, double k0, double k1, double k2, double *roots) {
  const curve c = {n0, n1, n2, k0, k1, k2};
  // beyond `far` h keeps its sign: past it the largest terms rule
  double far = 1;
  for (int i = 0; i < 1000 && (value(&c, far) > 0) != (k2 > 0 ? false : sqrt(n2) + k1 > 0); i++) far *= 2;
  for (int i = 0; i < 60 && k2 > 0 && slope(&c, far) > 0; i++) far *= 2;
  far *= 4;
  // monotone stretches of h end where its slope changes sign
  double bend = inflexion(&c, far), stop[5] = {0};
  int stops = 1, count = 0;
  if (slope(&c, 0) < 0 && slope(&c, bend) > 0) stop[stops++] = bisect(slope, &c, 0, bend);
  if (slope(&c, bend) > 0 && slope(&c, far) < 0) stop[stops++] = bisect(slope, &c, bend, far);
  stop[stops++] = far;
  for (int i = 0; i + 1 < stops; i++)
    if ((value(&c, stop[i]) > 0) != (value(&c, stop[i + 1]) > 0))
      roots[count++] = bisect(value, &c, stop[i], stop[i + 1]);
  return count;
}
