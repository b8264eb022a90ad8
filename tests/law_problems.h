/* Random single-contact problems (scree/law.h) for tests and benchmarks of the laws, in families. Each family
 * has one kind of difficulty. a: the off-diagonal part (Ant, Ano) of the Delassus block A. b_to: (b_t,
 * b_o). */
#ifndef LAW_PROBLEMS_H
#define LAW_PROBLEMS_H

#include <math.h>
#include "base/base.h"

typedef struct law_problem {
  double A[9], b[3], mu, condition;
} law_problem;

enum {
  FAMILY_PLAIN,     /* well conditioned, b with all signs */
  FAMILY_BODY,      /* a rigid body in contact with the ground, with random inertia and arm */
  FAMILY_ILL,       /* condition number of A up to 1e10 */
  FAMILY_ROUGH,     /* mu up to 1e6: the curve of impulses on the friction cone with v_n = 0 is a hyperbola */
  FAMILY_PARABOLA,  /* mu |a| near Ann: this curve is nearly a parabola */
  FAMILY_GRAZING,   /* b_n much smaller than |b_to|, or 0 */
  FAMILY_UNCOUPLED, /* a = 0; in every fourth problem A is that of a ball */
  FAMILY_SCALES,    /* sizes of b from 1e-12 to 1e12, of A from 1e-6 to 1e6 */
  FAMILIES
};
static const char *const family_names[FAMILIES] = {
    "plain", "body", "ill", "rough", "parabola", "grazing", "uncoupled", "scales"};

static inline double between(sc_rng *rng, double lo, double hi) { return lo + (hi - lo) * sc_rng_unit(rng); }
static inline double power(sc_rng *rng, double lo, double hi) { return pow(10, between(rng, lo, hi)); }

/* Sets u to a random unit vector, distributed uniformly over the sphere. */
static inline void direction(sc_rng *rng, double u[3]) {
  double square;
  do {
    for (int i = 0; i < 3; i++) u[i] = between(rng, -1, 1);
    square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  } while (square > 1 || square < 1e-4);
  for (int i = 0; i < 3; i++) u[i] /= sqrt(square);
}

/* Sets A to Q diag(l) Q' with a random rotation matrix Q. */
static inline void random_block(sc_rng *rng, const double l[3], double A[9]) {
  double p[3], q[3], r[3], dot;
  direction(rng, p);
  do {
    direction(rng, q);
    dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
  } while (fabs(dot) > 0.95);
  for (int i = 0; i < 3; i++) q[i] = (q[i] - dot * p[i]) / sqrt(1 - dot * dot);
  r[0] = p[1] * q[2] - p[2] * q[1];
  r[1] = p[2] * q[0] - p[0] * q[2];
  r[2] = p[0] * q[1] - p[1] * q[0];
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++)
      A[3 * i + j] = A[3 * j + i] = l[0] * p[i] * p[j] + l[1] * q[i] * q[j] + l[2] * r[i] * r[j];
}

/* Sets A to the Delassus block E/m - [r]x I^-1 [r]x of one body with mass m = 1, random inertia I and random
 * arm r of length 1. E: unit matrix; [r]x: matrix of the cross product with r. */
static inline void body_block(sc_rng *rng, double A[9]) {
  double inertia[3] = {1 / power(rng, -1, 1), 1 / power(rng, -1, 1), 1 / power(rng, -1, 1)}, J[9], r[3];
  random_block(rng, inertia, J);
  direction(rng, r);
  const double X[9] = {0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0};
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) {
      double sum = i == j;
      for (int k = 0; k < 3; k++)
        for (int m = 0; m < 3; m++) sum += X[3 * i + k] * J[3 * k + m] * X[3 * j + m];
      A[3 * i + j] = A[3 * j + i] = sum;
    }
}

/* Returns the condition number of a symmetric 3x3 matrix, its largest eigenvalue divided by its smallest.
 * Uses Jacobi rotations. */
static inline double condition_of(const double *block) {
  double M[3][3];
  for (int i = 0; i < 9; i++) M[i / 3][i % 3] = block[i];
  for (int round = 0; round < 60; round++) {
    int p = round % 3 == 2 ? 1 : 0, q = round % 3 == 0 ? 1 : 2;
    if (M[p][q] == 0) continue;
    double theta = (M[q][q] - M[p][p]) / (2 * M[p][q]),
           t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1),
           s = t * c;
    for (int k = 0; k < 3; k++) {
      double x = M[k][p], y = M[k][q];
      M[k][p] = c * x - s * y;
      M[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++) {
      double x = M[p][k], y = M[q][k];
      M[p][k] = c * x - s * y;
      M[q][k] = s * x + c * y;
    }
  }
  double lo = fmin(M[0][0], fmin(M[1][1], M[2][2])), hi = fmax(M[0][0], fmax(M[1][1], M[2][2]));
  return hi / lo;
}

static inline law_problem random_problem(sc_rng *rng, int family) {
  law_problem p;
  double l[3] = {power(rng, -1, 1), power(rng, -1, 1), power(rng, -1, 1)};
  if (family == FAMILY_ILL)
    for (int i = 0; i < 3; i++) l[i] = power(rng, -5, 5);
  if (family == FAMILY_BODY) body_block(rng, p.A);
  else random_block(rng, l, p.A);
  for (int i = 0; i < 3; i++) p.b[i] = between(rng, -1, 1);
  if (sc_rng_unit(rng) < 0.8) p.b[0] = fabs(p.b[0]);
  p.mu = between(rng, 0, 1.5);
  double a = sqrt(p.A[1] * p.A[1] + p.A[2] * p.A[2]);
  if (family == FAMILY_ROUGH) p.mu = power(rng, 0, 6);
  if (family == FAMILY_PARABOLA)
    p.mu = p.A[0] / a *
        (1 + (sc_rng_unit(rng) < 0.5 ? -1 : 1) * (sc_rng_unit(rng) < 0.1 ? 0 : power(rng, -16, -1)));
  if (family == FAMILY_GRAZING) {
    p.b[0] = sc_rng_unit(rng) < 0.2 ? 0 : fabs(p.b[0]) * power(rng, -14, 0);
    p.mu = power(rng, -2, 2);
  }
  if (family == FAMILY_UNCOUPLED) {
    p.A[1] = p.A[2] = p.A[3] = p.A[6] = 0;
    if (sc_rng_next(rng) % 4 == 0) p.A[5] = p.A[7] = 0, p.A[8] = p.A[4];
  }
  if (family == FAMILY_SCALES) {
    double sb = power(rng, -12, 12), sa = power(rng, -6, 6);
    for (int i = 0; i < 9; i++) p.A[i] *= sa;
    for (int i = 0; i < 3; i++) p.b[i] *= sb;
  }
  p.condition = condition_of(p.A);
  return p;
}

#endif
