/* Rotations of several bodies, one per lane, over the vectors of lane_vector.h. Include lane_vector.h before
 * this file. The operations and their order are those of turn.c, elementary.h and vec.h, so that each lane
 * gives the same bits as these files. */
#include "math/elementary.h"

/* Computes out = S a for a symmetric matrix S (xx,xy,xz,yy,yz,zz). out must not alias a. */
static inline void symmetric(const VEC S[6], const VEC a[3], VEC out[3]) {
  out[0] = S[0] * a[0] + S[1] * a[1] + S[2] * a[2];
  out[1] = S[1] * a[0] + S[3] * a[1] + S[4] * a[2];
  out[2] = S[2] * a[0] + S[4] * a[1] + S[5] * a[2];
}

/* Returns the integers nearest to x. Each |x| must be far below 2^51. */
static inline VEC nearest(VEC x) {
  const double shift = 6755399441055744.0; /* 1.5 * 2^52 */
  return (x + shift) - shift;
}

/* Returns the largest integers not above x. Each |x| must be far below 2^51. */
static inline VEC whole(VEC x) {
  VEC n = nearest(x);
  return choose((MASK)(n > x), n - 1, n);
}

/* Computes sine and cosine of x like sc_sin_cos of math/elementary.h. Each |x| must be far below 1e15. */
static inline void sine_cosine(VEC x, VEC *sine, VEC *cosine) {
  VEC n = whole(x * 0.63661977236758134 + 0.5), r = (x - n * SC_HALF_PI_HIGH) - n * SC_HALF_PI_LOW, z = r * r,
      odd = splat(sc_sine_series[0]), even = splat(sc_cosine_series[0]);
  for (int i = 1; i < 7; i++) odd = odd * z + sc_sine_series[i], even = even * z + sc_cosine_series[i];
  VEC near = r + r * z * odd, far = 1 - z / 2 + z * z * even;
  VEC quarter = n - 4 * nearest(n / 4); /* number of the quarter turn: an integer from -2 to 2 */
  MASK swap = (MASK)(quarter * quarter == splat(1));
  VEC ahead = choose(swap, far, near), beside = choose(swap, near, far);
  *sine = choose((MASK)((quarter == splat(-1)) | (quarter * quarter == splat(4))), -ahead, ahead);
  *cosine = choose((MASK)((quarter == splat(1)) | (quarter * quarter == splat(4))), -beside, beside);
}

/* Sets out to the quaternion of the rotation by the rotation vector h w. */
static inline void exponential(const VEC w[3], VEC h, VEC out[4]) {
  VEC rate = vector_sqrt(dot(w, w)), half = h / 2 * rate, sine, cosine;
  sine_cosine(half, &sine, &cosine);
  VEC share = choose((MASK)(half != splat(0)), sine / half * (h / 2), h / 2);
  out[0] = cosine;
  for (int k = 0; k < 3; k++) out[k + 1] = share * w[k];
}

static inline void multiply(const VEC p[4], const VEC q[4], VEC out[4]) {
  VEC w = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
  VEC x = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
  VEC y = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
  VEC z = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
  out[0] = w, out[1] = x, out[2] = y, out[3] = z;
}

static inline void rotate(const VEC q[4], const VEC a[3], VEC out[3]) {
  VEC c[3], d[3];
  cross(q + 1, a, c);
  for (int k = 0; k < 3; k++) c[k] += q[0] * a[k];
  cross(q + 1, c, d);
  for (int k = 0; k < 3; k++) out[k] = a[k] + 2 * d[k];
}

static inline void unrotate(const VEC q[4], const VEC a[3], VEC out[3]) {
  const VEC p[4] = {q[0], -q[1], -q[2], -q[3]};
  rotate(p, a, out);
}
