/* Invariant directions of sliding.
 *
 * During sliding the velocity rotates at the rate T/speed, T(g) = g'.(d - mu B g). g: direction of slip, g':
 * g rotated by 90 degrees, B, d, mu: sc_impact_matter. With B = diag(l1, l2), g = (cos th, sin th):
 *     T = -mu (l2 - l1) sin th cos th - d1 sin th + d2 cos th,
 * and its zeros are the invariant directions. They are the normals from a point to an ellipse: on each open
 * quadrant
 *     T / (sin th cos th) = d2 / sin th - d1 / cos th - mu (l2 - l1)
 * is monotone, or has one extremum, at |tan th|^3 = |d2/d1|. So between neighbours of the eight directions
 * (the axes and the extrema of the four quadrants) T has at most one zero, and a change of sign finds each of
 * them. No quartic is solved, so nearly double roots are found accurately.
 *
 * Out of rest slip can only grow along s with d - mu B s = lambda s, lambda > 0: s_i = d_i/(lambda + mu l_i)
 * and |s| = 1. This is one equation in lambda whose left side falls; it has a root exactly if |B^-1 d| >
 * mu. */
#include "law/impact/impact.h"
#include "base/base.h"
#include "math/elementary.h"

#include <float.h>

void sc_impact_turn(const double dir[2], double t, double out[2]) {
  SC_ASSERT(dir && out);
  double w = 1 / (1 + t * t), c = (1 - t * t) * w, s = 2 * t * w;
  double x = c * dir[0] - s * dir[1], y = s * dir[0] + c * dir[1];
  // corrects the length to first order, so that the vector stays a unit vector
  double fix = 1.5 - 0.5 * (x * x + y * y);
  out[0] = x * fix;
  out[1] = y * fix;
}

double sc_impact_half_tangent(const double a[2], const double b[2]) {
  double c = a[0] * b[0] + a[1] * b[1], s = a[0] * b[1] - a[1] * b[0];
  // tan(angle/2) = s/(1+c) = (1-c)/s: uses the form without cancellation
  if (c >= 0) return s / (1 + c);
  return s != 0 ? (1 - c) / s : INFINITY;
}

void sc_impact_rates(const sc_impact_matter *m, const double g[2], double *R, double *T) {
  double x = m->d[0] - m->mu * m->l[0] * g[0], y = m->d[1] - m->mu * m->l[1] * g[1];
  *R = g[0] * x + g[1] * y;
  *T = g[0] * m->d[1] - g[1] * m->d[0] - m->mu * (m->l[1] - m->l[0]) * g[0] * g[1];
}

void sc_impact_chart_at(const sc_impact_matter *m, const double g[2], sc_impact_chart *chart) {
  double c = g[0], s = g[1], mu = m->mu;
  double b11 = mu * (m->l[0] * c * c + m->l[1] * s * s), b12 = mu * (m->l[1] - m->l[0]) * s * c;
  double turn = mu * (m->l[1] - m->l[0]) * (c * c - s * s); // mu (B22 - B11) in the chart's axes
  double d1 = c * m->d[0] + s * m->d[1], d2 = c * m->d[1] - s * m->d[0];
  chart->dir[0] = c;
  chart->dir[1] = s;
  chart->D[0] = d2 - b12;
  chart->D[1] = -2 * (turn + d1);
  chart->D[2] = 6 * b12;
  chart->D[3] = 2 * (turn - d1);
  chart->D[4] = -(b12 + d2);
  chart->N[0] = 2 * (d1 - b11);
  chart->N[1] = 2 * (d2 - 3 * b12);
  chart->N[2] = 2 * (d1 - b11 - 2 * turn);
  chart->N[3] = 2 * (b12 + d2);
}

/* Sets out to the eight directions in the order of their angles. Even indices: the axes. Odd indices:
 * directions where T/(sin cos) may have its extremum. */
static void find_breaks(const sc_impact_matter *m, double out[8][2]) {
  double a = fabs(m->d[0]), b = fabs(m->d[1]), scale = a > b ? a : b;
  // if a component vanishes, the extremum lies on an axis; a direction slightly off the axis still separates
  // the zeros
  double x = a > 1e-30 * scale ? a : 1e-30 * scale, y = b > 1e-30 * scale ? b : 1e-30 * scale;
  double c = M_SQRT1_2, s = M_SQRT1_2;
  if (scale > 0) {
    double tangent = sc_exp((sc_log(y / x)) / 3);
    c = 1 / sqrt(1 + tangent * tangent);
    s = tangent * c;
  }
  double list[8][2] = {{1, 0}, {c, s}, {0, 1}, {-c, s}, {-1, 0}, {-c, -s}, {0, -1}, {c, -s}};
  memcpy(out, list, sizeof list);
}

/* Finds the zero of T in (lo, hi], given the sign of T at lo. Uses Newton's method on the quartic of the
 * chart at lo, bounded by bisection. */
static void refine_direction(
    const sc_impact_matter *m, const double lo[2], const double hi[2], double sign, double out[2]) {
  sc_impact_chart chart;
  sc_impact_chart_at(m, lo, &chart);
  const double *D = chart.D;
  double a = 0, b = sc_impact_half_tangent(lo, hi), t = b / 2;
  int small = 0;
  for (int i = 0; i < 100; i++) {
    double f = D[0] + t * (D[1] + t * (D[2] + t * (D[3] + t * D[4])));
    double slope = D[1] + t * (2 * D[2] + t * (3 * D[3] + t * 4 * D[4]));
    if (f * sign > 0) a = t;
    else b = t;
    double next = t - f / slope, middle = (a + b) / 2;
    if (!((next >= a && next <= b) || (next <= a && next >= b))) next = middle;
    double moved = fabs(next - t);
    t = next;
    // Newton's method squares the error, so the error is only rounding after a second step this small
    if (moved <= 1e-10 * fabs(t) && small++) break;
    if (fabs(b - a) <= 2 * DBL_EPSILON * fabs(b)) break;
  }
  sc_impact_turn(lo, t, out);
}

/* Returns whether x lies on the arc from a counter-clockwise to b (less than 180 degrees apart). */
static bool is_between(const double a[2], const double b[2], const double x[2]) {
  return a[0] * x[1] - a[1] * x[0] >= 0 && x[0] * b[1] - x[1] * b[0] > 0;
}

bool sc_impact_next_direction(const sc_impact_matter *m, const double dir[2], double sign, double out[2]) {
  double list[8][2], R, T;
  find_breaks(m, list);
  int at = 0;
  for (int i = 0; i < 8; i++)
    if (is_between(list[i], list[(i + 1) % 8], dir)) {
      at = i;
      break;
    }
  const double *last = dir;
  int next = sign > 0 ? at + 1 : at, step = sign > 0 ? 1 : 7;
  for (int i = 0; i < 9; i++, next += step) {
    const double *here = list[next % 8];
    sc_impact_rates(m, here, &R, &T);
    if (T * sign <= 0 && (here[0] != last[0] || here[1] != last[1])) {
      refine_direction(m, last, here, sign, out);
      return true;
    }
    last = here;
  }
  return false;
}

int sc_impact_all_directions(const sc_impact_matter *m, double out[4][2]) {
  double list[8][2], value[8], R;
  int count = 0;
  find_breaks(m, list);
  for (int i = 0; i < 8; i++) sc_impact_rates(m, list[i], &R, &value[i]);
  for (int i = 0; i < 8 && count < 4; i++) {
    int j = (i + 1) % 8;
    if (value[j] == 0) out[count][0] = list[j][0], out[count][1] = list[j][1], count++;
    else if (value[i] * value[j] < 0)
      refine_direction(m, list[i], list[j], value[i] > 0 ? 1 : -1, out[count++]);
  }
  bool any = false;
  for (int i = 0; i < 8; i++) any = any || value[i] != 0;
  return any ? count : 0;
}

bool sc_impact_centrifugal(const sc_impact_matter *m, double out[2], double *rate) {
  double p0 = m->mu * m->l[0], p1 = m->mu * m->l[1], lambda = 0;
  double x = m->d[0] / p0, y = m->d[1] / p1, size = m->d[0] == 0 && m->d[1] == 0 ? 0 : sqrt(x * x + y * y);
  if (size <= 1) return false;
  // Newton's method on 1/|s(lambda)| - 1, which is concave and rising: from the left it never passes the root
  for (int i = 0; i < 60; i++) {
    x = m->d[0] / (lambda + p0);
    y = m->d[1] / (lambda + p1);
    double square = x * x + y * y, length = sqrt(square);
    double slope = x * x / (lambda + p0) + y * y / (lambda + p1); // -(d square / d lambda) / 2
    double move = (length - 1) * square / slope;
    lambda += move;
    if (fabs(move) <= 4 * DBL_EPSILON * lambda) break;
  }
  x = m->d[0] / (lambda + p0);
  y = m->d[1] / (lambda + p1);
  double length = sqrt(x * x + y * y);
  out[0] = x / length;
  out[1] = y / length;
  *rate = lambda;
  return true;
}
