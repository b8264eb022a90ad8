/* Tests box against triangle by separating axes, compared with the general search. The distance or depth and
 * the contact points are the same, and nearest points lie on both shapes. Triangles are random, edge on edge,
 * and flat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "bed.h"
#include "collide/narrow/box/box_face.h"
#include "collide/narrow/box/box_lanes.h"

enum { PAIRS = 30000 };

typedef struct pair {
  sc_shape shape;
  sc_convex box, triangle;
  double corner[3][3];
  sc_beside beside;
} pair;

static double draw(sc_rng *rng, double low, double high) { return low + (high - low) * sc_rng_unit(rng); }

static void set_box(pair *p, sc_rng *rng) {
  double q[4], zero[3] = {0, 0, 0};
  sc_placed placed;
  p->shape = bed_shape(SCREE_BOX);
  for (int k = 0; k < 3; k++) p->shape.extent[k] = draw(rng, 0.2, 1);
  p->shape.bound = sc_shape_bound(&p->shape);
  for (int k = 0; k < 4; k++) q[k] = draw(rng, -1, 1);
  double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int k = 0; k < 4; k++) q[k] /= size;
  sc_place(&p->shape, zero, q, &placed);
  sc_convex_of(&placed, zero, &p->box);
}

/* Chooses the corners of a triangle about a point near the box's surface. flat: two of the corners have the
 * same distance from the box's first face. */
static void set_triangle(pair *p, sc_rng *rng, bool flat) {
  double local[3], middle[3] = {0, 0, 0};
  double at[3][3], e[3], f[3], n[3];
  for (int k = 0; k < 3; k++) local[k] = draw(rng, -1.3, 1.3) * p->shape.extent[k];
  if (flat) local[0] = p->shape.extent[0] * 1.01;
  for (int c = 0; c < 3; c++) {
    for (int k = 0; k < 3; k++) at[c][k] = local[k] + draw(rng, -0.8, 0.8);
    if (flat) at[c][0] = local[0] + (c == 2 ? 0.3 : 0);
    sc_copy3(at[c], p->beside.corner[c]);
    sc_mat_vec(p->box.R, at[c], at[c]);
    sc_axpy(1.0 / 3, at[c], middle, middle);
  }
  p->triangle = (sc_convex){.triangle = (const double(*)[3])p->corner, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  sc_copy3(middle, p->triangle.position);
  for (int c = 0; c < 3; c++) {
    sc_sub(at[c], middle, p->corner[c]);
    p->triangle.size = fmax(p->triangle.size, sc_norm(p->corner[c]));
  }
  sc_sub(p->beside.corner[1], p->beside.corner[0], e);
  sc_sub(p->beside.corner[2], p->beside.corner[0], f);
  sc_cross(e, f, n);
  sc_normalise(n, p->beside.normal);
}

/* Puts the triangle into every lane and reads the separating axes of the last lane. */
static void look_beside(pair *p) {
  static const double turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, shift[3] = {0, 0, 0};
  const sc_beside b = p->beside;
  sc_triangle_lanes lanes;
  sc_triangle_lanes_open(&p->box, turn, shift, &lanes);
  for (int k = 0; k < SC_LANES; k++)
    sc_triangle_lanes_add(
        &lanes, 0, (const double *const[]){b.corner[0], b.corner[1], b.corner[2]}, b.normal);
  sc_box_best()->test_triangles(&lanes);
  sc_triangle_lanes_get(&lanes, SC_LANES - 1, &p->beside);
}

/* Checks that the distance of the nearest points, along the normal, is the distance of the pair. Neither core
 * may reach beyond its nearest point along the normal. */
static void check_points(const pair *p, const sc_nearest *nearest) {
  double d[3], back[3], far[3];
  sc_sub(nearest->a, nearest->b, d);
  assert_true(fabs(sc_dot(d, nearest->normal) - nearest->distance) < 1e-8);
  sc_axpy(-nearest->distance, nearest->normal, d, d);
  assert_true(sc_norm(d) < 1e-8);
  sc_scale(-1, nearest->normal, back);
  sc_convex_support(&p->box, back, far);
  sc_sub(far, nearest->a, d);
  assert_true(fabs(sc_dot(d, back)) < 1e-8);
  sc_convex_support(&p->triangle, nearest->normal, far);
  sc_sub(far, nearest->b, d);
  assert_true(fabs(sc_dot(d, nearest->normal)) < 1e-8);
}

/* Transforms nearest points from the box's axes to world axes. */
static void to_world(const pair *p, const sc_nearest *local, sc_nearest *out) {
  out->distance = local->distance;
  sc_mat_vec(p->box.R, local->normal, out->normal);
  sc_mat_vec(p->box.R, local->a, out->a);
  sc_mat_vec(p->box.R, local->b, out->b);
}

/* Checks that the touches computed in the box's axes are those of sc_manifold, in any order. */
static void check_touches(const pair *p, const sc_nearest *local, const sc_nearest *world, double reach) {
  const double zero[3] = {0, 0, 0};
  sc_touch mine[SC_MAX_TOUCHES], other[SC_MAX_TOUCHES];
  sc_patch patch = {.count = 3, .size = p->triangle.size};
  sc_box_view view;
  memcpy(patch.corner, p->beside.corner, sizeof p->beside.corner);
  sc_copy3(p->beside.normal, patch.normal);
  sc_box_view_set(&p->shape, p->box.R, zero, local->normal, reach, &view);
  int count = sc_box_nearest_touch(&view, patch.size, local, sc_box_overlap(&view, &patch, mine), mine);
  assert_int_equal(count, sc_manifold(&p->box, &p->triangle, world, reach, zero, NULL, other));
  for (int k = 0; k < count; k++) {
    int same = 0;
    while (same < count && mine[k].feature != other[same].feature) same++;
    assert_true(same < count);
    double d[3];
    sc_sub(mine[k].point, other[same].point, d);
    assert_true(sc_norm(d) < 1e-9 && fabs(mine[k].gap - other[same].gap) < 1e-9);
  }
}

/* Returns the share of pairs within reach that the separating axes solve, among pairs whose best axis is not
 * the triangle's normal. */
static double answered(bool flat, uint64_t seed) {
  const double reach = 0.5;
  sc_rng rng;
  pair p;
  int asked = 0, known = 0;
  sc_rng_seed(&rng, seed);
  for (int i = 0; i < PAIRS; i++) {
    sc_nearest local, mine, other;
    set_box(&p, &rng);
    set_triangle(&p, &rng, flat);
    look_beside(&p);
    bool near = sc_convex_nearest(&p.box, &p.triangle, reach, &other);
    if (fmax(p.beside.apart, p.beside.face) > reach * 1.0001) assert_false(near);
    if (!near) continue;
    double best = fmax(p.beside.apart, p.beside.face);
    assert_true(other.distance >= best - 1e-8);
    if (other.distance < -1e-6) assert_true(fabs(other.distance - best) < 1e-8);
    if (!(p.beside.apart > p.beside.face)) continue;
    asked++;
    if (!sc_box_nearest(&p.box, &p.beside, &local)) continue;
    known++;
    to_world(&p, &local, &mine);
    assert_true(fabs(mine.distance - other.distance) < 1e-8);
    check_points(&p, &mine);
    check_touches(&p, &local, &mine, reach);
  }
  assert_true(asked > PAIRS / 10);
  return known / (double)asked;
}

static void axes_know_what_the_search_finds(void **unused) {
  (void)unused;
  assert_true(answered(false, 1) > 0.5);
}

static void an_edge_along_a_face(void **unused) {
  (void)unused;
  assert_true(answered(true, 2) > 0.5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(axes_know_what_the_search_finds), cmocka_unit_test(an_edge_along_a_face)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
