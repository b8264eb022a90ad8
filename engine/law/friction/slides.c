/* Tests whether friction is at its bound. The state of a contact (sticking or sliding) follows from this
 * test. */
#include "law/law_parts.h"

bool sc_friction_round(const double *par) { return par[SC_PAR_MU2] == 0; }

/* Solves x = T y for y. T: rotation times diag(1, ratio) (refine.c). */
void sc_friction_to_circle(const double *par, const double x[3], double y[3]) {
  double t[2][2];
  sc_friction_ellipse(par, t);
  const double square = t[0][1] * t[0][1] + t[1][1] * t[1][1];
  y[0] = x[0];
  y[1] = t[0][0] * x[1] + t[1][0] * x[2];
  y[2] = (t[0][1] * x[1] + t[1][1] * x[2]) / square;
}

bool sc_friction_slides(const double *par, const double x[3]) {
  double mu, mu_static, y[3] = {x[0], x[1], x[2]};
  sc_friction_coefficients(par, &mu, &mu_static);
  if (!sc_friction_round(par)) sc_friction_to_circle(par, x, y);
  return sc_slides_in_circle(mu, mu_static, y[0], y[1] * y[1] + y[2] * y[2]);
}

/* Returns the distance of y from the edge p, q of the polygon of friction, whose corners are p and q times
 * `size`. Negative: y lies outside. */
static double inside_edge(const double p[2], const double q[2], double size, const double y[2]) {
  const double e[2] = {q[0] - p[0], q[1] - p[1]}, d[2] = {y[0] - size * p[0], y[1] - size * p[1]};
  return (e[0] * d[1] - e[1] * d[0]) / sqrt(e[0] * e[0] + e[1] * e[1]);
}

/* Returns the distance of y from the nearer end of a polygon with two corners, measured along the polygon. */
static double inside_line(const sc_polygon *P, double size, const double y[2]) {
  const double *p = P->corner[0], *q = P->corner[1], e[2] = {q[0] - p[0], q[1] - p[1]},
               length = sqrt(e[0] * e[0] + e[1] * e[1]);
  const double from = (e[0] * (y[0] - size * p[0]) + e[1] * (y[1] - size * p[1])) / length;
  return fmin(from, size * length - from);
}

bool sc_polygon_slides(const sc_polygon *P, double mu, double mu_static, const double x[3]) {
  const double y[2] = {x[1], x[2]}, size = mu * x[0];
  double inside = INFINITY, reach = 0;
  if (P->count < 2) return true;
  for (int i = 0; i < P->count; i++) {
    const double *p = P->corner[i], *q = P->corner[(i + 1) % P->count];
    reach = fmax(reach, size * sqrt(p[0] * p[0] + p[1] * p[1]));
    inside = fmin(inside, P->count == 2 ? inside_line(P, size, y) : inside_edge(p, q, size, y));
  }
  return inside <= (1 - SC_AT_BOUND) * reach && !(mu_static > mu && inside < (1 - SC_BEYOND_BOUND) * reach);
}
