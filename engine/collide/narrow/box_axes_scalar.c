/* Axes of boxes one pair at a time: the reference for wider ones, and the way of a single pair. */
#include "base/base.h"
#include <math.h>
#include <stdint.h>

#define LANES 1
typedef double VEC __attribute__((vector_size(8)));
typedef int64_t MASK __attribute__((vector_size(8)));
static inline VEC vector_sqrt(VEC v) { return (VEC){sqrt(v[0])}; }
#include "math/lane_vector.h"

#define FIND sc_box_axes_scalar
#include "collide/narrow/box_axes_kernel.h"

sc_box_axes_find *sc_box_axes_best(void) {
#if defined(__x86_64__)
  sc_box_axes_find *const by_width[] = {sc_box_axes_scalar, sc_box_axes_avx2, sc_box_axes_avx512};
  return by_width[sc_simd_best()];
#else
  return sc_box_axes_scalar;
#endif
}
