/* Vectors of three numbers and rotations by unit quaternions (w, x, y, z). out may not overlap an operand
 * unless a comment allows it. */
#ifndef CLI_VECTOR_H
#define CLI_VECTOR_H

#include <math.h>

/* Returns the scalar product of a and b. */
static inline double dot_vectors(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
/* Returns the length of v. */
static inline double vector_length(const double v[3]) { return sqrt(dot_vectors(v, v)); }
/* Computes out = a + s b. out may be a or b. */
static inline void add_scaled(const double a[3], double s, const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = a[k] + s * b[k];
}
/* Computes the vector product of a and b. */
static inline void cross_vectors(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}
/* Computes v rotated by q: v + 2 w u x v + 2 u x (u x v) with the vector part u of q. out may be v. */
static inline void rotate_vector(const double q[4], const double v[3], double out[3]) {
  double a[3], b[3];
  cross_vectors(q + 1, v, a);
  cross_vectors(q + 1, a, b);
  for (int k = 0; k < 3; k++) out[k] = v[k] + 2 * (q[0] * a[k] + b[k]);
}
/* Computes v rotated by the inverse of q. out may be v. */
static inline void rotate_back(const double q[4], const double v[3], double out[3]) {
  const double inverse[4] = {q[0], -q[1], -q[2], -q[3]};
  rotate_vector(inverse, v, out);
}

#endif
