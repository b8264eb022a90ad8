/* Functions for tests of the laws: a law with default parameters, the conditions that a law states, and the
 * examples of Preclik, Eibl & Ruede (2017). */
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

/* Returns a law with default parameters and the friction coefficient mu. */
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

/* Computes v = A x - b. Returns the largest sum over a row of the absolute values of the terms, to which
 * errors of v are compared. */
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

/* Returns by how much x violates the friction cone |x_to| <= mu x_n (x_to: tangential part), as a share of
 * |x_to| times `size`; INFINITY if x_n < 0. */
static inline double cone_excess(const double *x, double mu, double size) {
  double y = length2(x[1], x[2]);
  return x[0] < 0 ? INFINITY : y > mu * x[0] ? (y - mu * x[0]) / y * size : 0;
}

static inline bool on_boundary(const double *x, double mu) {
  return length2(x[1], x[2]) >= mu * x[0] * (1 - 1e-9);
}

/* Returns by how much friction is not opposite to the slip: |v_to + |v_to| x_to/|x_to||, 0 without
 * friction. */
static inline double not_opposed(const double *x, const double *v) {
  double y = length2(x[1], x[2]), slip = length2(v[1], v[2]);
  return y > 0 ? length2(v[1] + slip * x[1] / y, v[2] + slip * x[2] / y) : 0;
}

/* Returns the largest violation of the conditions of a law by the impulse x, divided by the size of the terms
 * in A x - b. */
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
    // condition of maximum dissipation: v_to = -l (x_to/|x_to| + mu a/Ann) for some l >= 0; a = (Ant, Ano)
    double p = x[1] / y + mu / A[0] * A[1], q = x[2] / y + mu / A[0] * A[2], norm = length2(p, q);
    if (norm > 0)
      worst = fmax(worst, fmax((v[1] * p + v[2] * q) / norm, fabs(v[1] * q - v[2] * p) / fmax(norm, 1)));
  }
  return worst / size;
}

/* Computes A and b of the example in section 4.1 of Preclik, Eibl & Ruede (2017). The tangents of the example
 * are not normalised: t = n x e_x and o = n x t are shorter than 1. */
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
  // diagonal of E/m - dx^2 [e_x]x I^-1 [e_x]x, which is a diagonal matrix
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

/* Computes A and b of the sliding rod of Painleve in section 4.2 of the paper, in the frame (n,t,o) with n =
 * y and t = x. Mass and speed are 1. The tip of the rod has the tangential velocity (-1, 0). */
static inline void painleve(double angle, double A[9], double b[3]) {
  double s = sin(angle), c = cos(angle);
  const double block[9] = {1 + 3 * c * c, -3 * s * c, 0, -3 * s * c, 1 + 3 * s * s, 0, 0, 0, 4};
  memcpy(A, block, sizeof block);
  b[0] = b[2] = 0;
  b[1] = 1;
}

#endif
