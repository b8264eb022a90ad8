/* Arithmetic over vectors of lanes. The including file defines the width of vectors by these names:
 *   VEC, MASK      vector of LANES doubles, and of as many 64-bit integers
 *   LANES          lanes per vector; divides SC_LANES
 *   vector_sqrt(v) square root of each lane
 *   any_bit(mask)  true if any bit of the mask is set; only world/mechanism/trees needs this function
 * Each lane executes the operations of the scalar version in the same order, so all widths give the same
 * bits. */
#include <stdint.h>
#include <string.h>
#include "math/lanes/lane.h"

_Static_assert(SC_LANES % LANES == 0, "lanes are whole vectors");

static inline VEC splat(double x) { return x - (VEC){0}; }
static inline VEC choose(MASK mask, VEC yes, VEC no) {
  return (VEC)((mask & (MASK)yes) | (~mask & (MASK)no));
}
static inline VEC larger(VEC a, VEC b) { return choose((MASK)(a > b), a, b); }
static inline VEC smaller(VEC a, VEC b) { return choose((MASK)(a < b), a, b); }
static inline VEC magnitude(VEC v) { return (VEC)((MASK)v & INT64_MAX); }
static inline VEC dot(const VEC a[3], const VEC b[3]) { return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]; }
static inline void cross(const VEC a[3], const VEC b[3], VEC out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline VEC load1(const double *from) {
  VEC to;
  memcpy(&to, from, sizeof to);
  return to;
}
static inline void store1(VEC from, double *to) { memcpy(to, &from, sizeof from); }
