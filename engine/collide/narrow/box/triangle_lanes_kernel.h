/* Kernel of sc_box_kernels.test_triangles, over vectors of lanes (math/lanes/lane_vector.h). The separating
 * axes are the normals of the box, the normal of the triangle, and the cross products of their edges. */
#include "collide/narrow/box/triangle_lanes.h"

/* LANES triangles in the box's axes, and the half widths h of the box. */
typedef struct triangles {
  VEC corner[3][3], normal[3], h[3];
} triangles;

static inline void rotate_by(const double M[9], const VEC v[3], VEC out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = (splat(M[3 * i]) * v[0] + splat(M[3 * i + 1]) * v[1]) + splat(M[3 * i + 2]) * v[2];
}

static inline void place_triangles(const sc_triangle_lanes *x, int k, triangles *t) {
  VEC v[3];
  for (int c = 0; c < 3; c++) {
    load_all(3, x->point + 3 * c, k, v);
    rotate_by(x->turn, v, t->corner[c]);
    for (int i = 0; i < 3; i++) t->corner[c][i] = t->corner[c][i] + splat(x->shift[i]);
  }
  load_all(3, x->plane, k, v);
  rotate_by(x->turn, v, t->normal);
  for (int i = 0; i < 3; i++) t->h[i] = splat(x->half[i]);
}

/* Computes the largest separation along the box's normals, and the axis of this separation; of equal ones the
 * first. */
static inline void test_box_normals(const triangles *t, VEC *apart, VEC *axis) {
  *apart = splat(-INFINITY), *axis = splat(0);
  for (int i = 0; i < 3; i++) {
    const VEC p = t->corner[0][i], q = t->corner[1][i], r = t->corner[2][i],
              along = larger(smaller(smaller(p, q), r), -larger(larger(p, q), r)) - t->h[i];
    const MASK better = (MASK)(along > *apart);
    *apart = choose(better, along, *apart), *axis = choose(better, splat(i), *axis);
  }
}

/* Returns the separation along the triangle's normal: the distance of the box's centre from the triangle's
 * plane, less the half width of the box along the normal. */
static inline VEC plane_separation(const triangles *t) {
  const VEC *n = t->normal;
  return magnitude(dot(n, t->corner[0])) -
      (t->h[0] * magnitude(n[0]) + t->h[1] * magnitude(n[1]) + t->h[2] * magnitude(n[2]));
}

/* Computes the separation along e_i x edge k, which has the components 0, -edge[i2], edge[i1] along i, i1,
 * i2. The edge projects to one point, and the third corner to another. */
static inline void test_edge_product(const triangles *t, int k, int i, products *out) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
  const VEC *own = t->corner[k], *next = t->corner[(k + 1) % 3], *third = t->corner[(k + 2) % 3];
  const VEC x = next[i] - own[i], y = own[i2] - next[i2], z = next[i1] - own[i1], square = y * y + z * z,
            one = y * own[i1] + z * own[i2], other = y * third[i1] + z * third[i2],
            reach = t->h[i1] * magnitude(y) + t->h[i2] * magnitude(z),
            max = larger(smaller(one, other), -larger(one, other));
  put_product(
      out, 3 * k + i, max - reach, square, (MASK)(square > splat(parallel * parallel) * (x * x + square)));
}

static inline void test_edge_products(const triangles *t, VEC lead, VEC *apart, VEC *axis) {
  products e;
  for (int k = 0; k < PRODUCTS; k++) test_edge_product(t, k / 3, k % 3, &e);
  const choice j = choose_products(&e, *apart, lead);
  VEC along = *apart, square = splat(1);
  for (int k = PRODUCTS - 1; k >= 0; k--) {
    const MASK good = is_accepted(&e, &j, k);
    along = choose(good, e.along[k], along), square = choose(good, e.square[k], square);
    *axis = choose(good, splat(3 + k), *axis);
  }
  *apart = along / vector_sqrt(square);
}

static void test_triangles(sc_triangle_lanes *x) {
  for (int k = 0; k < x->count; k += LANES) {
    triangles t;
    VEC apart, axis;
    place_triangles(x, k, &t);
    test_box_normals(&t, &apart, &axis);
    test_edge_products(&t, splat(x->lead), &apart, &axis);
    for (int c = 0; c < 3; c++) store_all(3, t.corner[c], k, x->corner + 3 * c);
    store_all(3, t.normal, k, x->normal), store1(plane_separation(&t), x->face + k);
    store1(apart, x->apart + k), store1(axis, x->axis + k);
  }
}
