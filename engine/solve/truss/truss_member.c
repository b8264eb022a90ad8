/* The constitutive law of one member of the truss.
 *
 * Without friction a member pushes with f = k c^(p-1) where c > 0 and is idle otherwise. With friction (p =
 * 2) the force is the point of the Coulomb cone |f_t| <= mu f_n that is nearest to the elastic force (kn c_n,
 * kt c_t). Distances are measured in the norm of the complementary energy f_n^2/2kn + |f_t|^2/2kt. This point
 * is the derivative of the energy's conjugate. Minimising over displacements therefore gives the forces of
 * least complementary energy within the cones. A bounded member has a cylinder |f_t| <= bound, f_n >= 0 in
 * place of the cone. */
#include "solve/truss/truss_system.h"

#include <math.h>
#include <string.h>

/* Computes f = k c^(p-1) and its derivative `slope`. Hooke's and Hertz's exponents need no call of pow. If
 * smooth = e > 0, c is replaced by (c + sqrt(c^2 + e^2))/2. */
static void compute_push(double k, double exponent, double smooth, double c, double *f, double *slope) {
  double inner = 1;
  if (smooth > 0) {
    double root = sqrt(c * c + smooth * smooth), sum = c > 0 ? c + root : smooth * smooth / (root - c);
    inner = sum / (2 * root);
    c = sum / 2;
  }
  *f = *slope = 0;
  if (c < 0) return;
  if (exponent == 2) {
    *f = k * c, *slope = k * inner;
  } else if (exponent == 2.5) {
    double root = sqrt(c);
    *f = k * c * root, *slope = 1.5 * k * root * inner;
  } else if (c > 0) {
    *f = k * pow(c, exponent - 1), *slope = (exponent - 1) * *f / c * inner;
  }
}

/* Computes force and tangent D on the boundary of the cone: f_n = (kn c_n + mu kn |c_t|)/(1 + mu^2 kn/kt),
 * f_t = mu f_n c_t/|c_t|. size: |c_t|. */
static void slide_on_cone(const sc_member *m, const double c[3], double size, double f[3], double D[6]) {
  double weight = m->kn / (1 + m->mu * m->mu * m->kn / m->kt), e[2] = {c[1] / size, c[2] / size};
  f[0] = weight * (c[0] + m->mu * size);
  f[1] = m->mu * f[0] * e[0];
  f[2] = m->mu * f[0] * e[1];
  if (!D) return;
  double along = weight * m->mu * m->mu, across = m->mu * f[0] / size;
  D[0] = weight;
  D[1] = weight * m->mu * e[0];
  D[2] = weight * m->mu * e[1];
  D[3] = along * e[0] * e[0] + across * e[1] * e[1];
  D[4] = (along - across) * e[0] * e[1];
  D[5] = along * e[1] * e[1] + across * e[0] * e[0];
}

/* Computes force and tangent D of a bounded member: f_t = kt c_t up to the bound, f_n independent of f_t. */
static void compute_bounded(
    const sc_member *m, double smooth, const double c[3], double size, double f[3], double D[6]) {
  const double e[2] = {size > 0 ? c[1] / size : 0, size > 0 ? c[2] / size : 0};
  const bool slides = m->kt * size > m->bound;
  const double force = slides ? m->bound : m->kt * size, across = slides ? m->bound / size : m->kt,
               along = slides ? 0 : m->kt;
  double slope;
  compute_push(m->kn, 2, smooth, c[0], f, &slope);
  f[1] = force * e[0];
  f[2] = force * e[1];
  if (!D) return;
  D[0] = slope;
  D[3] = along * e[0] * e[0] + across * e[1] * e[1];
  D[4] = (along - across) * e[0] * e[1];
  D[5] = along * e[1] * e[1] + across * e[0] * e[0];
  if (!(size > 0)) D[3] = D[5] = across;
}

void sc_member_force(
    const sc_member *m, double exponent, double smooth, const double c[3], double f[3], double D[6]) {
  memset(f, 0, 3 * sizeof *f);
  if (D) memset(D, 0, 6 * sizeof *D);
  if (m->rows == 1) {
    double slope;
    compute_push(m->kn, exponent, smooth, c[0], f, &slope);
    if (D) D[0] = slope;
    return;
  }
  double size = sqrt(c[1] * c[1] + c[2] * c[2]);
  if (m->bounded) {
    compute_bounded(m, smooth, c, size, f, D);
    return;
  }
  if (m->kt * size <= m->mu * m->kn * c[0]) {
    f[0] = m->kn * c[0], f[1] = m->kt * c[1], f[2] = m->kt * c[2];
    if (D) D[0] = m->kn, D[3] = D[5] = m->kt;
  } else if (c[0] > -m->mu * size) {
    slide_on_cone(m, c, size, f, D);
  }
}
