/* The axis of the largest separation among the fifteen axes of two boxes, over vectors of lanes
 * (math/lanes/lane_vector.h). */
#include "collide/narrow/box/box_lanes.h"

/* Numbers of the axes. 0..2: face normals of a. 3..5: face normals of b. EDGES + 3 i + j: cross product of
 * edge i of a and edge j of b. */
enum { EDGES = 6 };

/* The input of LANES pairs in the axes of the boxes. */
typedef struct pairs {
  VEC C[9], AC[9]; /* axes of b in the axes of a (columns), and their absolute values */
  VEC a[3], b[3];  /* half widths of the boxes [m] */
  /* vector from the centre of a to the centre of b, in the axes of a and in the axes of b */
  VEC middle[3], other[3];
} pairs;

/* The best axis so far. */
typedef struct best {
  VEC along;  /* separation along `n`, times the length of `n` */
  VEC square; /* squared length of n */
  VEC n[3];   /* vector along the axis, in the axes of a */
  VEC axis;   /* number of this axis */
} best;

/* Computes M^T v: the components of v along the columns of M. */
static inline void transpose_times(const VEC M[9], const VEC v[3], VEC out[3]) {
  for (int j = 0; j < 3; j++) out[j] = M[j] * v[0] + M[3 + j] * v[1] + M[6 + j] * v[2];
}

static inline void load_pairs(const sc_box_lanes *x, int k, pairs *p) {
  VEC A[9], B[9], way[3];
  load_all(9, x->A, k, A), load_all(9, x->B, k, B), load_all(3, x->way, k, way);
  load_all(3, x->a, k, p->a), load_all(3, x->b, k, p->b);
  transpose_times(A, way, p->middle), transpose_times(B, way, p->other);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      p->C[3 * i + j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
      p->AC[3 * i + j] = magnitude(p->C[3 * i + j]);
    }
}

static inline void update_best(best *max, MASK better, VEC along, VEC square, const VEC n[3], int axis) {
  max->along = choose(better, along, max->along), max->square = choose(better, square, max->square);
  for (int k = 0; k < 3; k++) max->n[k] = choose(better, n[k], max->n[k]);
  max->axis = choose(better, splat(axis), max->axis);
}

static inline void test_face_axes(const pairs *p, best *max) {
  const VEC *a = p->a, *b = p->b, one = splat(1), zero = splat(0);
  *max = (best){.along = splat(-INFINITY), .square = one};
  for (int i = 0; i < 3; i++) {
    const VEC *row = p->AC + 3 * i, n[3] = {i == 0 ? one : zero, i == 1 ? one : zero, i == 2 ? one : zero},
              along = magnitude(p->middle[i]) - (a[i] + b[0] * row[0] + b[1] * row[1] + b[2] * row[2]);
    update_best(max, (MASK)(along > max->along), along, one, n, i);
  }
  for (int j = 0; j < 3; j++) {
    const VEC *column = p->AC + j, n[3] = {p->C[j], p->C[3 + j], p->C[6 + j]},
              along = magnitude(p->other[j]) -
        (b[j] + a[0] * column[0] + a[1] * column[3] + a[2] * column[6]);
    update_best(max, (MASK)(along > max->along), along, one, n, 3 + j);
  }
}

/* Computes the separation along e_i x b_j, which has the components 0, -C[i2][j], C[i1][j] along i, i1,
 * i2. */
static inline void test_cross_product(const pairs *p, int i, int j, products *out) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  const VEC y = p->C[3 * i2 + j], z = p->C[3 * i1 + j], square = y * y + z * z,
            reach = p->a[i1] * p->AC[3 * i2 + j] + p->a[i2] * p->AC[3 * i1 + j] +
      p->b[j1] * p->AC[3 * i + j2] + p->b[j2] * p->AC[3 * i + j1];
  put_product(out, 3 * i + j, magnitude(p->middle[i2] * z - p->middle[i1] * y) - reach, square,
      (MASK)(square > splat(parallel * parallel)));
}

static inline void test_edge_axes(const pairs *p, VEC lead, best *max) {
  products e;
  for (int k = 0; k < PRODUCTS; k++) test_cross_product(p, k / 3, k % 3, &e);
  const choice than = choose_products(&e, max->along, lead);
  for (int k = PRODUCTS - 1; k >= 0; k--) {
    const int i = k / 3, j = k % 3, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    VEC n[3];
    n[i] = splat(0), n[i1] = -p->C[3 * i2 + j], n[i2] = p->C[3 * i1 + j];
    update_best(max, is_accepted(&e, &than, k), e.along[k], e.square[k], n, EDGES + k);
  }
}

/* The axis of the largest separation. */
typedef struct found {
  VEC apart, length;      /* largest separation [m]; length of the vector n before it was normalised */
  VEC normal[3], back[3]; /* unit vector from b to a, in the axes of a, of b */
  VEC axis;               /* number of the axis */
} found;

static inline void find_axis(const pairs *p, VEC lead, found *out) {
  best max;
  test_face_axes(p, &max);
  test_edge_axes(p, lead, &max);
  out->axis = max.axis, out->length = vector_sqrt(max.square), out->apart = max.along / out->length;
  for (int i = 0; i < 3; i++) out->normal[i] = max.n[i] / out->length;
  const MASK turn = (MASK)(dot(p->middle, out->normal) > splat(0)) & INT64_MIN;
  for (int i = 0; i < 3; i++) out->normal[i] = (VEC)((MASK)out->normal[i] ^ turn);
  transpose_times(p->C, out->normal, out->back);
}
