/* Tree kernels with one lane per instruction. They are the reference for wider kernels, and run on processors
 * without AVX2. */
#include "base/base.h"
#include "world/mechanism/trees/tree.h"

#include <math.h>

#define LANES 1
#define TREES sc_tree_scalar
typedef double VEC __attribute__((vector_size(8)));
typedef int64_t MASK __attribute__((vector_size(8)));

static inline bool any_bit(MASK m) { return m[0] != 0; }
static inline VEC vector_sqrt(VEC v) { return (VEC){sqrt(v[0])}; }

#include "world/mechanism/trees/tree_kernel.h"

const sc_tree_kernels *sc_tree_best(void) {
#if defined(__x86_64__)
  const sc_tree_kernels *const by_width[] = {&sc_tree_scalar, &sc_tree_avx2, &sc_tree_avx512};
  return by_width[sc_simd_best()];
#else
  return &sc_tree_scalar;
#endif
}
