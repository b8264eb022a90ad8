/* Tests pairs of boxes in SIMD lanes: random, aligned and nearly aligned pairs. No other of the fifteen axes
 * has a larger separation than the axis found. Contact points are those of the general manifold along this
 * axis. All widths give the same bits, for any other pairs in the lanes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "bed.h"
#include "collide/narrow/box/box_lanes.h"
#include "collide/narrow/convex/clip_polygon.h"

enum { BLOCKS = 4000 };

typedef struct boxes {
  sc_shape shape[SC_LANES][2];
  sc_placed placed[SC_LANES][2];
} boxes;

static double draw(sc_rng *rng, double low, double high) { return low + (high - low) * sc_rng_unit(rng); }

/* Chooses the turn of the second box: random, or almost none. */
static void turn(sc_rng *rng, double q[4]) {
  static const double angles[4] = {1, 1e-3, 1e-12, 0};
  const double most = angles[sc_rng_next(rng) % 4];
  q[0] = most < 1 ? 1 : draw(rng, -1, 1);
  for (int k = 1; k < 4; k++) q[k] = draw(rng, -most, most);
  sc_quat_normalise(q, q);
}

static void set_boxes(boxes *b, sc_rng *rng) {
  for (int lane = 0; lane < SC_LANES; lane++) {
    double first[4], by[4], second[4], at[3];
    for (int k = 0; k < 4; k++) first[k] = draw(rng, -1, 1);
    sc_quat_normalise(first, first);
    turn(rng, by);
    sc_quat_mul(first, by, second);
    for (int one = 0; one < 2; one++) {
      sc_shape *s = b->shape[lane] + one;
      *s = bed_shape(SCREE_BOX);
      for (int k = 0; k < 3; k++) s->extent[k] = draw(rng, 0.3, 0.6), at[k] = draw(rng, -0.7, 0.7);
      s->bound = sc_shape_bound(s);
      sc_place(s, at, one ? second : first, b->placed[lane] + one);
    }
  }
}

static double reach_along(const sc_placed *p, const double n[3]) {
  double d[3];
  sc_mat_tvec(p->R, n, d);
  return p->shape->extent[0] * fabs(d[0]) + p->shape->extent[1] * fabs(d[1]) +
      p->shape->extent[2] * fabs(d[2]);
}

/* Returns the separation of two boxes along a direction; -INFINITY if the direction has almost no length. */
static double apart_along(const sc_placed *a, const sc_placed *b, const double n[3]) {
  double way[3], unit[3];
  if (!(sc_norm(n) > 1e-5)) return -INFINITY;
  sc_normalise(n, unit);
  sc_sub(b->position, a->position, way);
  return fabs(sc_dot(way, unit)) - reach_along(a, unit) - reach_along(b, unit);
}

static double largest(const sc_placed *a, const sc_placed *b) {
  double most = -INFINITY, n[3], m[3];
  for (int i = 0; i < 3; i++) {
    sc_column(a->R, i, n);
    most = fmax(most, apart_along(a, b, n));
    sc_column(b->R, i, n);
    most = fmax(most, apart_along(a, b, n));
    for (int j = 0; j < 3; j++) {
      sc_column(a->R, i, n), sc_column(b->R, j, m);
      sc_cross(n, m, n);
      most = fmax(most, apart_along(a, b, n));
    }
  }
  return most;
}

/* Checks a lane: the separation is that along its normal, no axis has a larger separation, and the normal
 * points to the first box. */
static void check_lane(const sc_box_lanes *x, int lane, const sc_placed *a, const sc_placed *b) {
  const double local[3] = {x->normal[0][lane], x->normal[1][lane], x->normal[2][lane]};
  double n[3], way[3];
  sc_mat_vec(a->R, local, n);
  assert_true(fabs(sc_norm(n) - 1) < 1e-9);
  sc_sub(a->position, b->position, way);
  assert_true(sc_dot(way, n) >= 0);
  assert_true(fabs(x->apart[lane] - apart_along(a, b, n)) < 1e-8);
  assert_true(fabs(x->apart[lane] - largest(a, b)) < 1e-8);
}

static void no_axis_is_better(void **unused) {
  (void)unused;
  sc_rng rng;
  boxes b;
  int edges = 0;
  sc_rng_seed(&rng, 1);
  for (int block = 0; block < BLOCKS; block++) {
    sc_box_lanes x;
    set_boxes(&b, &rng);
    for (int k = 0; k < SC_LANES; k++) sc_box_lanes_set(&x, k, b.placed[k], b.placed[k] + 1);
    sc_box_scalar.test_pairs(&x, SC_LANES);
    for (int k = 0; k < SC_LANES; k++) check_lane(&x, k, b.placed[k], b.placed[k] + 1);
    for (int k = 0; k < SC_LANES; k++) edges += x.edges[k] > 0;
  }
  assert_true(edges > BLOCKS && edges < 6 * BLOCKS);
}

/* Compares the touches of a lane with those of the general manifold along its axis. The lane may have one
 * more touch, where edges cross. Returns the number of touches. */
static int check_touches(const sc_box_lanes *x, int lane, const sc_placed *a, const sc_placed *b) {
  const double reach = 0.1, local[3] = {x->normal[0][lane], x->normal[1][lane], x->normal[2][lane]};
  sc_touch mine[SC_MAX_TOUCHES], other[SC_MAX_TOUCHES];
  sc_nearest nearest = {.distance = x->apart[lane]};
  sc_convex one, two;
  const int count = sc_box_lanes_touches(x, lane, a, b, reach, NULL, mine);
  if (count <= 0) return 0;
  sc_convex_of(a, a->position, &one), sc_convex_of(b, a->position, &two);
  sc_mat_vec(a->R, local, nearest.normal);
  const int others = sc_manifold_faces(&one, &two, &nearest, reach, a->position, other);
  for (int k = 0; k < count; k++) {
    int same = 0;
    double d[3];
    while (same < others && mine[k].feature != other[same].feature) same++;
    if (same == others && mine[k].feature == SC_ID_NEAREST) continue;
    assert_true(same < others);
    sc_sub(mine[k].point, other[same].point, d);
    assert_true(sc_norm(d) < 1e-8 && fabs(mine[k].gap - other[same].gap) < 1e-8);
  }
  return count;
}

static void touches_are_those_of_the_manifold(void **unused) {
  (void)unused;
  sc_rng rng;
  boxes b;
  int touches = 0;
  sc_rng_seed(&rng, 3);
  for (int block = 0; block < BLOCKS; block++) {
    sc_box_lanes x;
    set_boxes(&b, &rng);
    for (int k = 0; k < SC_LANES; k++) sc_box_lanes_set(&x, k, b.placed[k], b.placed[k] + 1);
    sc_box_best()->test_pairs(&x, SC_LANES);
    for (int k = 0; k < SC_LANES; k++) touches += check_touches(&x, k, b.placed[k], b.placed[k] + 1);
  }
  assert_true(touches > 10 * BLOCKS);
}

static void same_bits(const sc_box_lanes *x, int lane, const sc_box_lanes *y, int other) {
  const size_t from = offsetof(sc_box_lanes, apart) / sizeof(sc_lane), end = sizeof *x / sizeof(sc_lane);
  for (size_t k = from; k < end; k++)
    assert_memory_equal((const double *)x + k * SC_LANES + lane, (const double *)y + k * SC_LANES + other, 8);
}

static void widths_agree(void **unused) {
  (void)unused;
  sc_rng rng;
  boxes b;
  sc_rng_seed(&rng, 2);
  for (int block = 0; block < BLOCKS; block++) {
    sc_box_lanes wide, one;
    set_boxes(&b, &rng);
    for (int k = 0; k < SC_LANES; k++) sc_box_lanes_set(&wide, k, b.placed[k], b.placed[k] + 1);
    sc_box_best()->test_pairs(&wide, SC_LANES);
    for (int k = 0; k < SC_LANES; k++) {
      sc_box_lanes_set(&one, 0, b.placed[k], b.placed[k] + 1);
      sc_box_scalar.test_pairs(&one, 1);
      same_bits(&wide, k, &one, 0);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_axis_is_better),
      cmocka_unit_test(touches_are_those_of_the_manifold), cmocka_unit_test(widths_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
