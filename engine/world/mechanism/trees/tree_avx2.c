/* Tree kernels with four lanes per instruction. */
#include "world/mechanism/trees/tree.h"

#if defined(__AVX2__)
#include <immintrin.h>

#define LANES 4
#define TREES sc_tree_avx2
typedef __m256d VEC;
typedef int64_t MASK __attribute__((vector_size(32)));

static inline bool any_bit(MASK m) { return !_mm256_testz_si256((__m256i)m, (__m256i)m); }
static inline VEC vector_sqrt(VEC v) { return _mm256_sqrt_pd(v); }

#include "world/mechanism/trees/tree_kernel.h"
#endif
