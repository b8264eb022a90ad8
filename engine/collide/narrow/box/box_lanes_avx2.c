/* Box kernels for four pairs, or for a box and four triangles, at a time. */
#if defined(__AVX2__)
#include <immintrin.h>
#include <stdint.h>

#define LANES 4
typedef __m256d VEC;
typedef int64_t MASK __attribute__((vector_size(32)));

static inline VEC vector_sqrt(VEC v) { return _mm256_sqrt_pd(v); }

#include "math/lanes/lane_vector.h"

#include "collide/narrow/box/edge_lanes.h"

#include "collide/narrow/box/box_lanes_kernel.h"
#include "collide/narrow/box/triangle_lanes_kernel.h"

const sc_box_kernels sc_box_avx2 = {test_boxes, test_triangles};
#endif
