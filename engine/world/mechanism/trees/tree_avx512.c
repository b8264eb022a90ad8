/* Tree kernels with eight lanes per instruction. */
#include "world/mechanism/trees/tree.h"

#if defined(__AVX512F__)
#include <immintrin.h>

#define LANES 8
#define TREES sc_tree_avx512
typedef __m512d VEC;
typedef int64_t MASK __attribute__((vector_size(64)));

static inline bool any_bit(MASK m) { return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) != 0; }
static inline VEC vector_sqrt(VEC v) { return _mm512_sqrt_pd(v); }

#include "world/mechanism/trees/tree_kernel.h"
#endif
