/* Second-order cones of three rows. cone.h has the formulas. */
#include "solve/newton/cone.h"

#include <math.h>

double sc_cone_square(const double x[3]) {
  double r = sqrt(x[1] * x[1] + x[2] * x[2]);
  return (x[0] - r) * (x[0] + r);
}

void sc_cone_scale(const double x[3], const double u[3], sc_cone_scaling *s) {
  double nx = sqrt(sc_cone_square(x)), nu = sqrt(sc_cone_square(u)), dot = 0;
  for (int k = 0; k < 3; k++) dot += x[k] / nx * (u[k] / nu);
  double gamma = sqrt((1 + dot) / 2);
  for (int k = 0; k < 3; k++) s->w[k] = (x[k] / nx + (k ? -1 : 1) * u[k] / nu) / (2 * gamma);
  s->eta = sqrt(nx / nu);
  sc_cone_multiply(s, u, s->l);
}

/* Multiplies a by `factor` times the hyperbolic rotation by w (sign 1) or by J w (sign -1). */
static void rotate_hyperbolic(
    double factor, double sign, const double w[3], const double a[3], double out[3]) {
  double side = w[1] * a[1] + w[2] * a[2];
  out[0] = factor * (w[0] * a[0] + sign * side);
  for (int k = 1; k < 3; k++) out[k] = factor * (sign * w[k] * a[0] + a[k] + w[k] * side / (1 + w[0]));
}

void sc_cone_multiply(const sc_cone_scaling *s, const double a[3], double out[3]) {
  rotate_hyperbolic(s->eta, 1, s->w, a, out);
}
void sc_cone_divide(const sc_cone_scaling *s, const double a[3], double out[3]) {
  rotate_hyperbolic(1 / s->eta, -1, s->w, a, out);
}

void sc_cone_eigen(const sc_cone_scaling *s, double axis[2], double value[3]) {
  double r = sqrt(s->w[1] * s->w[1] + s->w[2] * s->w[2]), inverse = 1 / (s->eta * s->eta);
  double stretch = (s->w[0] + r) * (s->w[0] + r);
  axis[0] = r > 0 ? s->w[1] / r : 1;
  axis[1] = r > 0 ? s->w[2] / r : 0;
  value[0] = inverse * stretch;
  value[1] = inverse / stretch;
  value[2] = inverse;
}

void sc_cone_compose(const double axis[2], const double value[3], double D[9]) {
  double mean = (value[0] + value[1]) / 2, half = (value[1] - value[0]) / 2, a = axis[0], b = axis[1];
  D[0] = mean;
  D[1] = D[3] = half * a;
  D[2] = D[6] = half * b;
  D[4] = mean * a * a + value[2] * b * b;
  D[5] = D[7] = (mean - value[2]) * a * b;
  D[8] = mean * b * b + value[2] * a * a;
}

void sc_cone_product(const double a[3], const double b[3], double out[3]) {
  out[0] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  for (int k = 1; k < 3; k++) out[k] = a[0] * b[k] + b[0] * a[k];
}

void sc_cone_quotient(const double l[3], const double d[3], double r[3]) {
  r[0] = (l[0] * d[0] - l[1] * d[1] - l[2] * d[2]) / sc_cone_square(l);
  for (int k = 1; k < 3; k++) r[k] = (d[k] - r[0] * l[k]) / l[0];
}

double sc_cone_step(const double x[3], const double d[3], double most) {
  double a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2], b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2],
         c = sc_cone_square(x);
  double root = b * b - a * c, step = most;
  // smallest positive zero of a s^2 + 2 b s + c, c > 0
  if (root >= 0) {
    double q = b > 0 ? -b - sqrt(root) : -b + sqrt(root);
    double one = a != 0 ? q / a : INFINITY, two = q != 0 ? c / q : INFINITY;
    if (one > 0) step = fmin(step, one);
    if (two > 0) step = fmin(step, two);
  }
  if (d[0] < 0) step = fmin(step, -x[0] / d[0]);
  return step;
}
