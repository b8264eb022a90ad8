/* The secular equation of a sliding contact.
 *
 * H, g, a, Ann, b_n: law_parts.h. B, z, rho: max_dissipation.c. E: unit matrix. Two sliding problems are
 * solved:
 *     Coulomb                 (H + l E) y = g  with  |y| = (mu/Ann)(b_n - a.y)
 *     most dissipative,       (H + l B) z = g  with  z'Bz = rho^2
 *     on an ellipse
 * Multiplied by the determinant, both have the form
 *     h(l) = N(l) + k0 + k1 l - k2 l^2 = 0,   N(l) = sqrt(n0 + 2 n1 l + n2 l^2),   l > 0,
 * because the adjugate of a 2x2 matrix is linear in l, and its determinant quadratic. N is the norm of an
 * affine function P(l), hence convex and above each of its tangents. If N is replaced by its tangent at l, h
 * becomes a concave parabola that is positive at l and nowhere above h. The positive root of this parabola
 * lies between l and the first root of h. Steps to the parabola's root therefore ascend to the smallest root
 * of h and cannot pass it.
 *
 * Near the root the inverse of h is summed as a series of fifth order (Schroeder 1870) in Newton's step, -u =
 * -h/h'. All derivatives of N from the second on are N'' times powers of N'/N and |P'|/N. The remainder of
 * the series is therefore below u b (b^2 + t^2)^(3/2) times a number of order one, with b = |u/h'| (N''/2 +
 * k2) and t = |u P'|/N. Near means b^2 + t^2 <= 0.01: h then falls from l to 1.4 u beyond and is negative
 * there, so the root found is the first. If a step passes it, the next step returns.
 *
 * N is also above e.P(l) for any vector e with |e| <= 1. With e.P in place of N, the parabola's root is again
 * below the first root of h. If e is along the friction of the last iterate, the parabola's root is close to
 * the root of h, because the friction changes little from sweep to sweep. From this start one step of the
 * series is usually enough. Only + - * / and sqrt are used, so results have the same bits on all machines. */
#include "law/law_parts.h"

/* Returns the positive root d of h + c d - k2 d^2, h > 0. */
static double parabola_root(double h, double c, double k2) {
  double root = sqrt(c * c + 4 * k2 * h);
  return c > 0 ? (c + root) / (2 * k2) : 2 * h / (root - c);
}

double sc_law_secular_start(double ep, double eq, double k0, double k1, double k2) {
  double h = ep + k0, c = eq + k1, l = parabola_root(h, c, k2);
  return h > 0 && c * c + 4 * k2 * h > SC_SECULAR_LEAST && l < INFINITY ? l : 0;
}

typedef struct curve {
  double n0, n1, n2, k0, k1, k2;
} curve;

/* Values at l: N N', N^2, N, h, N h'. */
typedef struct values {
  double turn, square, norm, h, c;
} values;

static values values_at(const curve *f, double l) {
  const double turn = f->n1 + l * f->n2, square = f->n0 + l * (f->n1 + turn), norm = sqrt(square);
  return (values){
      turn, square, norm, norm + f->k0 + l * (f->k1 - l * f->k2), turn + norm * (f->k1 - 2 * f->k2 * l)};
}

/* Returns the step of the series of the file head. bow: half of n0 n2 - n1^2. *wide: set to b^2 + t^2. *left:
 * set to the square of the remainder of the series. */
static double series_step(const curve *f, double bow, const values *a, double *wide, double *left) {
  const double inv = 1 / (a->c * a->square), inv_c = inv * a->square, inv_square = inv * a->c,
               u = a->h * a->norm * inv_c, by = u * inv_c, bend = bow * inv_square, fall = f->k2 * a->norm,
               most = fabs(by) * (bend + fall), tau = by * (bend - fall), bent = by * bend,
               turn = u * a->turn * inv_square, spin = u * u * f->n2 * inv_square;
  *wide = most * most + spin;
  *left = (u * most) * (u * most) * (*wide * *wide) * *wide;
  return -u *
      (1 + tau + (2 * tau * tau + bent * turn) +
          (5 * tau * (tau * tau + bent * turn) + bent * (1.25 * turn * turn - 0.25 * spin)));
}

/* Returns the step from l to the positive root of the parabola of the file head. */
static double parabola_step(const curve *f, const values *a, double l) {
  double slope = a->norm > 0 ? a->c / a->norm : sqrt(f->n2) + f->k1 - 2 * f->k2 * l;
  return parabola_root(a->h, slope, f->k2);
}

double sc_law_secular_from(
    double l, double n0, double n1, double n2, double k0, double k1, double k2, int *iterations) {
  enum { MOST = 200 };
  const curve f = {n0, n1, n2, k0, k1, k2};
  const double bow = 0.5 * fmax(n0 * n2 - n1 * n1, 0);
  int i = 0;
  for (bool on = true; on && i < MOST; i++) {
    const values a = values_at(&f, l);
    double wide, left, d = series_step(&f, bow, &a, &wide, &left);
    const bool near = a.c < 0 && wide <= SC_SECULAR_NEAR;
    if (!near && !(a.h > 0)) break;
    if (!near) d = parabola_step(&f, &a, l);
    l = d < INFINITY ? l + d : INFINITY;
    on = d < INFINITY && !(near && left <= SC_SECULAR_DONE * (l * l));
  }
  if (iterations) *iterations += i;
  return l;
}

double sc_law_secular(double n0, double n1, double n2, double k0, double k1, double k2, int *iterations) {
  return sc_law_secular_from(0, n0, n1, n2, k0, k1, k2, iterations);
}

/* ---- all roots ----
 *
 * h is convex where N'' > 2 k2 and concave beyond. Its slope therefore first rises and then falls. */

static double value_of(const curve *c, double l) {
  return sqrt(c->n0 + l * (2 * c->n1 + c->n2 * l)) + c->k0 + l * (c->k1 - c->k2 * l);
}

static double slope_of(const curve *c, double l) {
  double norm = sqrt(c->n0 + l * (2 * c->n1 + c->n2 * l));
  return (norm > 0 ? (c->n1 + c->n2 * l) / norm : sqrt(c->n2)) + c->k1 - 2 * c->k2 * l;
}

/* Returns a zero of f between lo and hi, where f changes sign. */
static double bisect_root(double (*f)(const curve *, double), const curve *c, double lo, double hi) {
  bool rising = f(c, lo) < 0;
  for (int i = 0; i < 2100; i++) {
    double middle = lo > 0 && hi > 4 * lo ? sqrt(lo) * sqrt(hi) : lo + (hi - lo) / 2;
    if (!(middle > lo && middle < hi)) break;
    if ((f(c, middle) < 0) == rising) lo = middle;
    else hi = middle;
  }
  return hi;
}

/* Returns the point at which N'' falls to 2 k2, searched up to `far`. Returns 0 if N'' is nowhere above 2
 * k2. */
static double find_inflexion(const curve *c, double far) {
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
  // beyond `far` the largest terms dominate, and h does not change sign
  double far = 1;
  for (int i = 0; i < 1000 && (value_of(&c, far) > 0) != (k2 > 0 ? false : sqrt(n2) + k1 > 0); i++) far *= 2;
  for (int i = 0; i < 60 && k2 > 0 && slope_of(&c, far) > 0; i++) far *= 2;
  far *= 4;
  // h is monotone between the zeros of its slope
  double bend = find_inflexion(&c, far), stop[5] = {0};
  int stops = 1, count = 0;
  if (slope_of(&c, 0) < 0 && slope_of(&c, bend) > 0) stop[stops++] = bisect_root(slope_of, &c, 0, bend);
  if (slope_of(&c, bend) > 0 && slope_of(&c, far) < 0) stop[stops++] = bisect_root(slope_of, &c, bend, far);
  stop[stops++] = far;
  for (int i = 0; i + 1 < stops; i++)
    if ((value_of(&c, stop[i]) > 0) != (value_of(&c, stop[i + 1]) > 0))
      roots[count++] = bisect_root(value_of, &c, stop[i], stop[i + 1]);
  return count;
}
