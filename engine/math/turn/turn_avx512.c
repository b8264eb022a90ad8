/* Tops eight at a time. */
#if defined(__AVX512F__)
#include <immintrin.h>
#include <stdint.h>

#define LANES 8
#define TURN sc_tops_turn_avx512
typedef __m512d VEC;
typedef int64_t MASK __attribute__((vector_size(64)));

static inline VEC vector_sqrt(VEC v) { return _mm512_sqrt_pd(v); }

#include "math/turn/turn_kernel.h"
#endif
