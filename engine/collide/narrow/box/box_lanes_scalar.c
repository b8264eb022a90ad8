/* Box kernels for one pair at a time: the reference for wider kernels, also used for single pairs. Sets the
 * input of lanes, and chooses the width. */
#include "base/base.h"
#include <math.h>
#include <stdint.h>

#define LANES 1
typedef double VEC __attribute__((vector_size(8)));
typedef int64_t MASK __attribute__((vector_size(8)));
static inline VEC vector_sqrt(VEC v) { return (VEC){sqrt(v[0])}; }
#include "math/lanes/lane_vector.h"

#include "collide/narrow/box/edge_lanes.h"

#include "collide/narrow/box/box_lanes_kernel.h"
#include "collide/narrow/box/triangle_lanes_kernel.h"

const sc_box_kernels sc_box_scalar = {test_boxes, test_triangles};

/* minimum advantage of edge axes (sc_box_lanes.lead), as a share of the sum of the bounding radii */
static const double min_lead = 1e-9;

void sc_box_lanes_set(sc_box_lanes *x, int lane, const sc_placed *a, const sc_placed *b) {
  for (int k = 0; k < 9; k++) x->A[k][lane] = a->R[k], x->B[k][lane] = b->R[k];
  for (int k = 0; k < 3; k++) {
    x->a[k][lane] = a->shape->extent[k], x->b[k][lane] = b->shape->extent[k];
    x->way[k][lane] = b->position[k] - a->position[k];
  }
  x->lead[lane] = min_lead * (a->shape->bound + b->shape->bound);
}

double sc_box_apart(const sc_placed *a, const sc_placed *b) {
  sc_box_lanes x;
  pairs p;
  found f;
  sc_box_lanes_set(&x, 0, a, b);
  load_pairs(&x, 0, &p);
  find_axis(&p, load1(x.lead), &f);
  return f.apart[0];
}

const sc_box_kernels *sc_box_best(void) {
#if defined(__x86_64__)
  const sc_box_kernels *const by_width[] = {&sc_box_scalar, &sc_box_avx2, &sc_box_avx512};
  return by_width[sc_simd_best()];
#else
  return &sc_box_scalar;
#endif
}
