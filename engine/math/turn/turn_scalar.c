/* Tops one at a time, and the choice among the widths. */
#include "base/base.h"

#include <math.h>
#include <stdint.h>

#define LANES 1
#define TURN sc_tops_turn_scalar
typedef double VEC __attribute__((vector_size(8)));
typedef int64_t MASK __attribute__((vector_size(8)));

static inline VEC vector_sqrt(VEC v) { return (VEC){sqrt(v[0])}; }

#include "math/turn/turn_kernel.h"

sc_tops_turn *sc_tops_best(void) {
#if defined(__x86_64__)
  sc_tops_turn *const by_width[] = {sc_tops_turn_scalar, sc_tops_turn_avx2, sc_tops_turn_avx512};
  return by_width[sc_simd_best()];
#else
  return sc_tops_turn_scalar;
#endif
}
