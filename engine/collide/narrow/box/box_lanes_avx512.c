/* Box kernels for eight pairs, or for a box and eight triangles, at a time. */
#if defined(__AVX512F__)
#include <immintrin.h>
#include <stdint.h>

#define LANES 8
typedef __m512d VEC;
typedef int64_t MASK __attribute__((vector_size(64)));

static inline VEC vector_sqrt(VEC v) { return _mm512_sqrt_pd(v); }

#include "math/lanes/lane_vector.h"

#include "collide/narrow/box/edge_lanes.h"

#include "collide/narrow/box/box_lanes_kernel.h"
#include "collide/narrow/box/triangle_lanes_kernel.h"

const sc_box_kernels sc_box_avx512 = {test_boxes, test_triangles};
#endif
