/* Vectors with three components, quaternions (w,x,y,z) and 3x3 matrices (row-major), stored in plain arrays
 * of doubles. Outputs are the last arguments. They may alias inputs unless a comment excludes this. */
#ifndef SC_VEC_H
#define SC_VEC_H

#include <math.h>
#include <string.h>

static inline void sc_set3(double x, double y, double z, double out[3]) {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}
static inline void sc_copy3(const double a[3], double out[3]) {
  out[0] = a[0];
  out[1] = a[1];
  out[2] = a[2];
}
static inline double sc_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline double sc_norm(const double a[3]) { return sqrt(sc_dot(a, a)); }
static inline void sc_add(const double a[3], const double b[3], double out[3]) {
  out[0] = a[0] + b[0];
  out[1] = a[1] + b[1];
  out[2] = a[2] + b[2];
}
static inline void sc_sub(const double a[3], const double b[3], double out[3]) {
  out[0] = a[0] - b[0];
  out[1] = a[1] - b[1];
  out[2] = a[2] - b[2];
}
static inline void sc_scale(double s, const double a[3], double out[3]) {
  out[0] = s * a[0];
  out[1] = s * a[1];
  out[2] = s * a[2];
}
/* Computes out = a + s b. */
static inline void sc_axpy(double s, const double b[3], const double a[3], double out[3]) {
  out[0] = a[0] + s * b[0];
  out[1] = a[1] + s * b[1];
  out[2] = a[2] + s * b[2];
}
static inline void sc_cross(const double a[3], const double b[3], double out[3]) {
  double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}
/* Computes out = a/|a|, or (1,0,0) for a zero vector. Returns |a|. */
static inline double sc_normalise(const double a[3], double out[3]) {
  double n = sc_norm(a);
  if (n > 0) sc_scale(1 / n, a, out);
  else sc_set3(1, 0, 0, out);
  return n;
}

/* Computes out = p q, the Hamilton product of quaternions. */
static inline void sc_quat_mul(const double p[4], const double q[4], double out[4]) {
  double w = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
  double x = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
  double y = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
  double z = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
  out[0] = w;
  out[1] = x;
  out[2] = y;
  out[3] = z;
}
/* Sets out to q/|q|. Returns 0 if q is zero. */
static inline int sc_quat_normalise(const double q[4], double out[4]) {
  double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(n > 0)) return 0;
  for (int i = 0; i < 4; i++) out[i] = q[i] / n;
  return 1;
}
/* Computes the rotation matrix R of a unit quaternion: (vector in world axes) = R (vector in body axes). */
static inline void sc_quat_matrix(const double q[4], double R[9]) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  R[0] = 1 - 2 * (y * y + z * z);
  R[1] = 2 * (x * y - w * z);
  R[2] = 2 * (x * z + w * y);
  R[3] = 2 * (x * y + w * z);
  R[4] = 1 - 2 * (x * x + z * z);
  R[5] = 2 * (y * z - w * x);
  R[6] = 2 * (x * z - w * y);
  R[7] = 2 * (y * z + w * x);
  R[8] = 1 - 2 * (x * x + y * y);
}
static inline void sc_mat_vec(const double M[9], const double a[3], double out[3]) {
  double x = sc_dot(M, a), y = sc_dot(M + 3, a), z = sc_dot(M + 6, a);
  out[0] = x;
  out[1] = y;
  out[2] = z;
}
/* Computes out = M' a (M': transpose of M). */
static inline void sc_mat_tvec(const double M[9], const double a[3], double out[3]) {
  double x = M[0] * a[0] + M[3] * a[1] + M[6] * a[2], y = M[1] * a[0] + M[4] * a[1] + M[7] * a[2],
         z = M[2] * a[0] + M[5] * a[1] + M[8] * a[2];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}
/* Computes out = M N. out must not alias M or N. */
static inline void sc_mat_mul(const double M[9], const double N[9], double out[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[3 * i + j] = M[3 * i] * N[j] + M[3 * i + 1] * N[3 + j] + M[3 * i + 2] * N[6 + j];
}
/* Computes out = a rotated by the unit quaternion q. */
static inline void sc_quat_rotate(const double q[4], const double a[3], double out[3]) {
  double u[3] = {q[1], q[2], q[3]}, c[3], d[3];
  sc_cross(u, a, c);
  sc_axpy(q[0], a, c, c);
  sc_cross(u, c, d);
  for (int i = 0; i < 3; i++) out[i] = a[i] + 2 * d[i];
}
/* Computes out = a rotated by the inverse of the unit quaternion q. */
static inline void sc_quat_unrotate(const double q[4], const double a[3], double out[3]) {
  double p[4] = {q[0], -q[1], -q[2], -q[3]};
  sc_quat_rotate(p, a, out);
}
/* Computes unit vectors t and o that complete the unit normal n to a right-handed frame (n,t,o). t is the
 * direction of n x e, where e is the coordinate axis with the smallest component of n. This product is never
 * close to 0. */
static inline void sc_frame(const double n[3], double t[3], double o[3]) {
  double ax = fabs(n[0]), ay = fabs(n[1]), az = fabs(n[2]), e[3] = {0, 0, 0};
  e[ax <= ay && ax <= az ? 0 : ay <= az ? 1 : 2] = 1;
  sc_cross(n, e, t);
  sc_normalise(t, t);
  sc_cross(n, t, o);
}

#endif
