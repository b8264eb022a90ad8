/* The friction cone as a set: nearest points and De Saxce's shift (De Saxce & Feng 1998), for gradient
 * solvers and tests.
 *
 * The set is K = { x_n + c >= 0, |y_k| <= L_k (x_n + c) for every friction part k }, c: cohesion, y_k:
 * impulse of part k, L_k: its bound. The sliding part is measured in the norm of its ellipse. Let
 * s = x_n + c, and let s0 and z_k be the values of s and y_k of the given point. For a given s, each part's
 * nearest point y_k is that of a disc or ellipse of size s. The squared distance is convex in s. Half its
 * derivative, s - s0 - sum_k (z_k - y_k).y_k / s, therefore rises with s. Its zero is bracketed and found by
 * bisection. */
#include "law/law_parts.h"

/* Replaces (p,q) by the nearest point of the ellipse with the semi-axes e, f, which is (p e^2/(e^2 + l),
 * q f^2/(f^2 + l)). l is the zero of a falling convex function, found by Newton's method. */
static void nearest_on_ellipse(double e, double f, double *p, double *q) {
  double x = *p, y = *q, ee = e * e, ff = f * f;
  if (x * x * ff + y * y * ee <= ee * ff) return;
  double l = 0;
  for (int i = 0; i < 100; i++) {
    double u = e * x / (ee + l), v = f * y / (ff + l), value = u * u + v * v - 1,
           slope = -2 * (u * u / (ee + l) + v * v / (ff + l));
    double next = l - value / slope;
    if (!(next > l)) break;
    l = next;
  }
  *p = ee > 0 ? x * ee / (ee + l) : 0;
  *q = ff > 0 ? y * ff / (ff + l) : 0;
}

typedef struct set {
  double c, s, mu, mu2, torsion, rolling;
} set; /* (c,s): unit vector of the main axis */

static set read_set(const double *par) {
  set k = {1, 0, par[SC_PAR_MU], par[SC_PAR_MU], par[SC_PAR_TORSION], par[SC_PAR_ROLLING]};
  if (par[SC_PAR_MU2] == 0) return k;
  double norm = sqrt(par[SC_PAR_AXIS_T] * par[SC_PAR_AXIS_T] + par[SC_PAR_AXIS_O] * par[SC_PAR_AXIS_O]);
  if (norm > 0) {
    k.c = par[SC_PAR_AXIS_T] / norm;
    k.s = par[SC_PAR_AXIS_O] / norm;
  }
  k.mu2 = par[SC_PAR_MU2];
  return k;
}

/* Sets y to the friction nearest to z, for the size s of the cone's section. Returns minus half the
 * derivative of the squared distance by s. */
static double shrink_friction(const set *k, int dim, double s, const double *z, double *y) {
  double p = k->c * z[1] + k->s * z[2], q = k->c * z[2] - k->s * z[1], p0 = p, q0 = q, push = 0;
  nearest_on_ellipse(k->mu * s, k->mu2 * s, &p, &q);
  y[1] = k->c * p - k->s * q;
  y[2] = k->s * p + k->c * q;
  // derivative of the squared distance by s: (z - y) . y / s
  if (s > 0) push += ((p0 - p) * p + (q0 - q) * q) / s;
  if (dim > 3) {
    double most = k->torsion * s;
    y[3] = fmin(fmax(z[3], -most), most);
    push += fabs(z[3] - y[3]) * k->torsion;
  }
  if (dim > 4) {
    double norm = sqrt(z[4] * z[4] + z[5] * z[5]), most = k->rolling * s, cut = norm > most ? most / norm : 1;
    y[4] = cut * z[4];
    y[5] = cut * z[5];
    if (norm > most) push += (norm - most) * k->rolling;
  }
  return push;
}

/* Returns the largest y.z of all friction impulses y at size s = 1. */
static double support_of(const set *k, int dim, const double *z) {
  double p = k->mu * (k->c * z[1] + k->s * z[2]), q = k->mu2 * (k->c * z[2] - k->s * z[1]),
         sum = sqrt(p * p + q * q);
  if (dim > 3) sum += k->torsion * fabs(z[3]);
  if (dim > 4) sum += k->rolling * sqrt(z[4] * z[4] + z[5] * z[5]);
  return sum;
}

/* Projects x onto a circular cone of three rows in closed form: s = (s0 + mu r)/(1 + mu^2), with the length r
 * of the friction and s, s0 of the file head. */
static void project_circle(double mu, double cohesion, double *x) {
  double s0 = x[0] + cohesion, r = sqrt(x[1] * x[1] + x[2] * x[2]);
  if (s0 >= 0 && r <= mu * s0) return;
  double s = s0 + mu * r > 0 ? (s0 + mu * r) / (1 + mu * mu) : 0, cut = r > 0 ? mu * s / r : 0;
  x[0] = s - cohesion;
  x[1] *= cut;
  x[2] *= cut;
}

void sc_friction_project(const double *par, int dim, double *x) {
  SC_ASSERT(par && dim >= 3 && dim <= 6 && x);
  const set k = read_set(par);
  if (dim == 3 && k.mu2 == k.mu) {
    project_circle(k.mu, par[SC_PAR_COHESION_IMPULSE], x);
    return;
  }
  double z[SCREE_LAW_MAX_DIM], s0 = x[0] + par[SC_PAR_COHESION_IMPULSE], most = support_of(&k, dim, x);
  for (int i = 0; i < dim; i++) z[i] = x[i];
  // x lies in the cone, or in the polar cone
  double lo = fmax(0, s0), hi = lo + most;
  if (s0 + most <= 0) {
    for (int i = 1; i < dim; i++) x[i] = 0;
    x[0] = -par[SC_PAR_COHESION_IMPULSE];
    return;
  }
  // s - s0 - push(s) rises: zero between lo and hi
  if (!(s0 >= 0 && shrink_friction(&k, dim, s0, z, x) == 0)) {
    for (int i = 0; i < 200; i++) {
      double s = lo + (hi - lo) / 2;
      if (!(s > lo && s < hi)) break;
      if (s - s0 - shrink_friction(&k, dim, s, z, x) < 0) lo = s;
      else hi = s;
    }
    shrink_friction(&k, dim, hi, z, x);
    s0 = hi;
  }
  x[0] = s0 - par[SC_PAR_COHESION_IMPULSE];
}

void sc_friction_shift(const double *par, int dim, const double *u, double *s) {
  SC_ASSERT(par && dim >= 3 && dim <= 6 && u && s);
  const set k = read_set(par);
  for (int i = 1; i < dim; i++) s[i] = 0;
  s[0] = support_of(&k, dim, u);
}
