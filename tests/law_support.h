/* Helpers of the law tests: one solve with default parameters, the conditions each law states, the
 * paper's examples. */
#ifndef LAW_SUPPORT_H
#define LAW_SUPPORT_H

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>
#include "law/law.h"
#include "law/law_parts.h"

typedef struct law_call {
  const sc_law *law;
  double par[SCREE_LAW_MAX_PARAMS];
} law_call;

/* A law with its defaults and a coefficient. */
static inline law_call call_law(const char *name, double mu) {
  law_call call = {.law = sc_law_find(name)};
  assert_non_null(call.law);
  scree_param_defaults(call.law->params, call.law->params_count, call.par);
  if (call.law->params_count) call.par[SC_PAR_MU] = mu;
  return call;
}

static inline scree_contact_state solve_law(
    const law_call *call, const double *A, const double *b, double *x) {
  x[0] = x[1] = x[2] = 0;
  return call->law->solve(call->law, 3, A, b, call->par, x, NULL);
}

static inline void unpack(const double p[6], double A[9]) {
  const double full[9] = {p[0], p[1], p[2], p[1], p[3], p[4], p[2], p[4], p[5]};
  memcpy(A, full, sizeof full);
}

static inline double length2(double p, double q) { return sqrt(p * p + q * q); }

/* v = A x - b; returns the size of the terms it is made of. */
static inline double slip_of(const double *A, const double *b, const double *x, double *v) {
  double size = 0;
  for (int i = 0; i < 3; i++) {
    double sum = 0, terms = fabs(b[i]);
    for (int j = 0; j < 3; j++) {
      sum += A[3 * i + j] * x[j];
      terms += fabs(A[3 * i + j] * x[j]);
    }
    v[i] = sum - b[i];
    size = fmax(size, terms);
  }
  return size;
}

/* How far x breaks the cone |x_to| <= mu x_n, as a velocity of the given size. */
static inline double cone_excess(const double *x, double mu, double size) {
  double y = length2(x[1], x[2]);
  return x[0] < 0 ? INFINITY : y > mu * x[0] ? (y - mu * x[0]) / y * size : 0;
}

static inline bool on_boundary(const double *x, double mu) {
  return length2(x[1], x[2]) >= mu * x[0] * (1 - 1e-9);
}

/* Friction against the slip. */
static inline double not_opposed(const double *x, const double *v) {
  double y = length2(x[1], x[2]), slip = length2(v[1], v[2]);
  return y > 0 ? length2(v[1] + slip * x[1] / y, v[2] + slip * x[2] / y) : 0;
}

/* The largest violation of a law's conditions by x, relative to the size of the terms in A x - b. */
static inline double violation(
    const char *law, const double *A, const double *b, double mu, const double *x) {
  double v[3], size = slip_of(A, b, x, v), worst, slip = length2(v[1], v[2]), y = length2(x[1], x[2]);
  if (!(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]))) return INFINITY;
  if (!(size > 0)) return 0;
  bool conic = !strcmp(law, "cone");
  if (x[0] == 0) return fmax(0, conic ? b[0] + mu * length2(b[1], b[2]) : b[0]) / size;
  worst = cone_excess(x, mu, size);
  if (!conic) worst = fmax(worst, fabs(v[0]));
  if (!on_boundary(x, mu)) worst = fmax(worst, fmax(slip, fabs(v[0])));
  else if (conic) worst = fmax(worst, fmax(fabs(v[0] - mu * slip) / (1 + mu), not_opposed(x, v)));
  else if (!strcmp(law, "coulomb")) worst = fmax(worst, not_opposed(x, v));
  else if (y > 0) {
    // certificate of maximum dissipation: v_to = -l (y/|y| + mu a/Ann), l >= 0
    double p = x[1] / y + mu / A[0] * A[1], q = x[2] / y + mu / A[0] * A[2], norm = length2(p, q);
    if (norm > 0)
      worst = fmax(worst, fmax((v[1] * p + v[2] * q) / norm, fabs(v[1] * q - v[2] * p) / fmax(norm, 1)));
  }
  return worst / size;
}

/* Section 4.1 of Preclik, Eibl & Ruede (2017). Its tangents are not normalised: t = n x e_x, o = n x t
 * have the length `tangent`. */
static inline void academic(double A[9], double b[3]) {
  const double dx = 10, dy = 1, dz = 1, mx = 0.03, my = 65, mz = 50, mu_b[3] = {0.06, 0.7, 0.23};
  const double inertia[3] = {2 * (my * dy * dy + mz * dz * dz), 2 * (mx * dx * dx + mz * dz * dz),
      2 * (mx * dx * dx + my * dy * dy)};
  double n[3] = {0.25, 0.36, -0.9}, norm = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]),
         m = 2 * (mx + my + mz);
  for (int i = 0; i < 3; i++) n[i] /= norm;
  const double t[3] = {0, n[2], -n[1]},
               o[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
  const double *Q[3] = {n, t, o};
  // E/m - dx^2 [e_x]x I^-1 [e_x]x is diagonal
  const double world[3] = {1 / m, 1 / m + dx * dx / inertia[2], 1 / m + dx * dx / inertia[1]};
  for (int i = 0; i < 3; i++) {
    b[i] = 0;
    for (int k = 0; k < 3; k++) b[i] += Q[i][k] * mu_b[k];
    for (int j = 0; j < 3; j++) {
      A[3 * i + j] = 0;
      for (int k = 0; k < 3; k++) A[3 * i + j] += Q[i][k] * world[k] * Q[j][k];
    }
  }
}

/* The sliding rod of section 4.2 in (n,t,o), n = y, t = x; m = v0 = 1; tip velocity (0,-1,0). */
static inline void painleve(double angle, double A[9], double b[3]) {
  double s = sin(angle), c = cos(angle);
  const double block[9] = {1 + 3 * c * c, -3 * s * c, 0, -3 * s * c, 1 + 3 * s * s, 0, 0, 0, 4};
  memcpy(A, block, sizeof block);
  b[0] = b[2] = 0;
  b[1] = 1;
}

#endif
