/* Tops four at a time. */
#if defined(__AVX2__)
#include <immintrin.h>
#include <stdint.h>

#define LANES 4
#define TURN sc_tops_turn_avx2
typedef __m256d VEC;
typedef int64_t MASK __attribute__((vector_size(32)));

static inline VEC vector_sqrt(VEC v) { return _mm256_sqrt_pd(v); }

#include "math/turn/turn_kernel.h"
#endif
