/* Boxes eight pairs at a time. */
#if defined(__AVX512F__)
#include <immintrin.h>
#include <stdint.h>

#define LANES 8
#define MEET sc_box_meet_avx512
typedef __m512d VEC;
typedef int64_t MASK __attribute__((vector_size(64)));

static inline VEC vector_sqrt(VEC v) { return _mm512_sqrt_pd(v); }

#include "math/lane_vector.h"

#include "collide/narrow/box_lanes_kernel.h"
#endif
