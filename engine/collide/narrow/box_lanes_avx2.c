/* Boxes four pairs at a time. */
#if defined(__AVX2__)
#include <immintrin.h>
#include <stdint.h>

#define LANES 4
#define MEET sc_box_meet_avx2
typedef __m256d VEC;
typedef int64_t MASK __attribute__((vector_size(32)));

static inline VEC vector_sqrt(VEC v) { return _mm256_sqrt_pd(v); }

#include "math/lane_vector.h"

#include "collide/narrow/box_lanes_kernel.h"
#endif
