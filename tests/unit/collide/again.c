/* Tests that the pair cache changes no bit: pairs in small and large motions have the same contact points
 * with and without a cache, for any contents of the cache. Also tests boxes by separating axes against the
 * general search. SCREE_PAIRS sets the number of pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "bed.h"
#include "collide/narrow/box/box_lanes.h"
#include "collide/narrow/convex/convex.h"
#include "scree/geometry.h"

static int pairs_wanted(int usual) {
  const char *text = getenv("SCREE_PAIRS");
  return text ? atoi(text) : usual;
}

static scree_geometry *random_hull(bed *b, int points) {
  double p[40][3];
  for (int i = 0; i < points; i++)
    for (int k = 0; k < 3; k++) p[i][k] = bed_between(b, -1, 1);
  scree_geometry *g = scree_geometry_hull((const double(*)[3])p, points, NULL);
  assert_non_null(g);
  return g;
}

static sc_shape random_shape(bed *b, int type, const scree_geometry *hull) {
  sc_shape s = bed_shape(type);
  s.radius = bed_between(b, 0.2, 1), s.half = bed_between(b, 0.2, 1);
  for (int k = 0; k < 3; k++) s.extent[k] = bed_between(b, 0.2, 1);
  s.geometry = hull;
  s.bound = sc_shape_bound(&s);
  return s;
}

/* A moving body: it drifts and turns a little each step, and sometimes jumps. */
typedef struct mover {
  sc_shape shape;
  double x[3], q[4], v[3];
  sc_placed placed;
} mover;

static void go_on(bed *b, mover *m, double pace) {
  double turn[4] = {1, 0, 0, 0};
  if (bed_between(b, 0, 1) < 0.02) {
    for (int k = 0; k < 3; k++) m->x[k] = bed_between(b, -1, 1);
    bed_random_turn(b, m->q);
  }
  for (int k = 0; k < 3; k++) {
    m->v[k] = 0.9 * m->v[k] + pace * bed_between(b, -1, 1) - 0.02 * pace * m->x[k];
    m->x[k] += m->v[k];
    turn[1 + k] = pace * bed_between(b, -1, 1);
  }
  sc_quat_mul(turn, m->q, m->q);
  sc_quat_normalise(m->q, m->q);
  sc_place(&m->shape, m->x, m->q, &m->placed);
}

static void same(const sc_touch *a, const sc_touch *b) {
  assert_memory_equal(a->point, b->point, sizeof a->point);
  assert_memory_equal(a->normal, b->normal, sizeof a->normal);
  assert_true(a->gap == b->gap && a->feature == b->feature);
}

static void memory_changes_no_bit(void **unused) {
  (void)unused;
  static const int type[] = {
      SCREE_SPHERE, SCREE_CAPSULE, SCREE_BOX, SCREE_CYLINDER, SCREE_CONE, SCREE_ELLIPSOID, SCREE_HULL};
  enum { TYPES = sizeof type / sizeof *type, STEPS = 40 };
  bed b;
  bed_init(&b, 11);
  scree_geometry *hull[2] = {random_hull(&b, 12), random_hull(&b, 40)};
  int64_t searched = 0, kept = 0, touching = 0;
  for (int n = 0, pairs = pairs_wanted(2500); n < pairs; n++) {
    mover m[2] = {{.q = {1, 0, 0, 0}}, {.q = {1, 0, 0, 0}}};
    double pace = n % 3 ? 0.02 : 0.2, reach = n % 2 ? 0.01 : bed_between(&b, 0, 0.3);
    sc_pair_cache hint = {.axis = {0, 0, 0}};
    for (int k = 0; k < 2; k++) {
      m[k].shape = random_shape(&b, type[(k ? n / TYPES : n) % TYPES], hull[n % 2]);
      for (int i = 0; i < 3; i++) m[k].x[i] = bed_between(&b, -1, 1);
      bed_random_turn(&b, m[k].q);
    }
    for (int step = 0; step < STEPS; step++) {
      sc_touch cold[SC_MAX_TOUCHES], warm[SC_MAX_TOUCHES];
      go_on(&b, m, pace), go_on(&b, m + 1, pace);
      const sc_placed *one = &m[0].placed, *two = &m[1].placed;
      const bool feature = hint.axis[0] > 1;
      if (!feature && (hint.axis[0] != 0 || hint.axis[1] != 0 || hint.axis[2] != 0)) {
        searched++;
        kept += sc_axis_separates(one, two, &hint, reach) || sc_axis_separates(two, one, &hint, reach);
      }
      int count = sc_narrow(one, two, reach, cold),
          again = sc_narrow_again(one, two, reach, &hint, NULL, sc_box_best(), warm);
      assert_int_equal(count, again);
      for (int k = 0; k < count; k++) same(cold + k, warm + k);
      touching += count > 0;
    }
  }
  assert_true(kept > searched / 2); /* the cache often proves that a pair is out of reach */
  assert_true(touching > searched / 100);
  for (int k = 0; k < 2; k++) scree_geometry_release(hull[k]);
}

/* ---- hulls by features ---- */

static scree_geometry *box_hull(const double half[3]) {
  double p[8][3];
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++) p[i][k] = i >> k & 1 ? half[k] : -half[k];
  return scree_geometry_hull((const double(*)[3])p, 8, NULL);
}

/* Computes distance or depth of two hulls by the general search, then by the features that it finds. Checks
 * that both agree. Returns false if the pair is out of reach or the features are not proven. */
static bool search(
    const sc_placed *one, const sc_placed *two, double reach, sc_pair_cache *hint, sc_nearest *out) {
  sc_convex a, b;
  sc_nearest raw;
  sc_convex_of(one, one->position, &a);
  sc_convex_of(two, one->position, &b);
  if (!sc_convex_nearest(&a, &b, reach, &raw)) return false;
  *out = raw;
  if (!sc_features_find(&a, &b, reach, hint, out)) return false;
  const double size = a.size + b.size;
  double d[3];
  sc_sub(out->a, out->b, d);
  assert_float_equal(sc_dot(d, out->normal), out->distance, 1e-13 * size);
  assert_float_equal(out->distance, raw.distance, 2e-10 * size);
  assert_true(sc_dot(out->normal, raw.normal) > 1 - 1e-12);
  return true;
}

/* Moves the second hull of a pair until both nearly touch or overlap a little. */
static void draw_near(bed *b, mover m[2]) {
  for (int round = 0; round < 4; round++) {
    sc_convex ca, cb;
    sc_nearest nearest;
    for (int k = 0; k < 2; k++) sc_place(&m[k].shape, m[k].x, m[k].q, &m[k].placed);
    sc_convex_of(&m[0].placed, m[0].x, &ca);
    sc_convex_of(&m[1].placed, m[0].x, &cb);
    sc_convex_nearest(&ca, &cb, 1e3, &nearest);
    sc_axpy(nearest.distance + bed_between(b, -0.03, 0.03) * (round == 3), nearest.normal, m[1].x, m[1].x);
  }
}

/* Numbers of comparisons. known: the cache has the result. found: the search has a result. deep: the overlap
 * is deep. changed: the nearest features are of another kind than in the step before. followed: changed, and
 * the cache has the result. */
typedef struct tally {
  int64_t known, found, deep, changed, followed;
} tally;

/* Checks that a result from the features of the last step is the result of the search, bit for bit. */
static void compare_features(const mover m[2], double reach, const sc_pair_cache *hint, tally *t) {
  const sc_placed *one = &m[0].placed, *two = &m[1].placed;
  sc_pair_cache fresh = {.axis = {0, 0, 0}}, last = *hint;
  sc_nearest nearest, again;
  sc_convex a, b;
  sc_convex_of(one, one->position, &a);
  sc_convex_of(two, one->position, &b);
  const bool holds = sc_features_nearest(&a, &b, reach, &last, &again) && again.distance <= reach,
             finds = search(one, two, reach, &fresh, &nearest);
  t->known += holds, t->found += finds, t->deep += finds && nearest.distance < -0.01;
  const bool changed = finds && hint->feature.kind > 1 && hint->feature.kind != fresh.feature.kind;
  t->changed += changed, t->followed += changed && holds;
  if (!holds) return;
  assert_true(finds && last.feature.kind == fresh.feature.kind);
  assert_memory_equal(&again, &nearest, sizeof again);
}

static void features_are_those_of_the_search(void **unused) {
  (void)unused;
  static const double pace[] = {1e-9, 1e-7, 1e-5, 1e-3, 0.02};
  enum { STEPS = 40, HULLS = 7 };
  bed b;
  bed_init(&b, 23);
  scree_geometry *hull[HULLS] = {random_hull(&b, 4), random_hull(&b, 12), random_hull(&b, 40),
      random_hull(&b, 25), box_hull((const double[3]){1, 1, 1}), box_hull((const double[3]){1, 0.3, 0.1}),
      box_hull((const double[3]){0.05, 0.06, 0.07})};
  tally t = {.known = 0};
  for (int n = 0, pairs = pairs_wanted(2500); n < pairs; n++) {
    mover m[2] = {{.q = {1, 0, 0, 0}}, {.q = {1, 0, 0, 0}}};
    const double reach = n % 2 ? 0.01 : bed_between(&b, 0, 0.3);
    sc_pair_cache hint = {.axis = {0, 0, 0}};
    for (int k = 0; k < 2; k++) {
      m[k].shape = random_shape(&b, SCREE_HULL, hull[(k ? n / HULLS : n) % HULLS]);
      if (n % 3) bed_random_turn(&b, m[k].q); /* otherwise faces often lie on each other, up to rounding */
      for (int i = 0; i < 3 && k; i++) m[k].x[i] = bed_between(&b, -3, 3);
    }
    draw_near(&b, m);
    for (int step = 0; step < STEPS; step++) {
      sc_touch cold[SC_MAX_TOUCHES], warm[SC_MAX_TOUCHES];
      go_on(&b, m, pace[n % 5]), go_on(&b, m + 1, pace[n % 5]);
      compare_features(m, reach, &hint, &t);
      int count = sc_narrow(&m[0].placed, &m[1].placed, reach, cold);
      assert_int_equal(
          count, sc_narrow_again(&m[0].placed, &m[1].placed, reach, &hint, NULL, sc_box_best(), warm));
      for (int k = 0; k < count; k++) same(cold + k, warm + k);
    }
  }
  assert_true(t.known > t.found / 2 && t.found > 5000 && t.deep > t.found / 100);
  assert_true(t.followed > t.changed / 2 && t.changed > 50);
  for (int k = 0; k < HULLS; k++) scree_geometry_release(hull[k]);
}

/* ---- triangles that are known to be near ---- */

/* Returns a mesh of hills: cells^2 squares of width a about the middle. */
static scree_geometry *hills(bed *b, int cells, double a) {
  enum { MOST = 21 };
  double p[MOST * MOST][3];
  int32_t t[2 * MOST * MOST][3], triangles = 0, row = cells + 1;
  for (int i = 0; i < row * row; i++) {
    p[i][0] = (i % row - 0.5 * cells) * a, p[i][1] = (i / row - 0.5 * cells) * a;
    p[i][2] = bed_between(b, -0.3, 0.3) * a;
    if (i % row == cells || i / row == cells) continue;
    const int32_t corner[4] = {i, i + 1, i + row, i + row + 1};
    for (int k = 0; k < 3; k++) t[triangles][k] = corner[k], t[triangles + 1][k] = corner[3 - k];
    triangles += 2;
  }
  scree_mesh_def def = {.points = (const double(*)[3])p,
      .points_count = row * row,
      .triangles = (const int32_t(*)[3])t,
      .triangles_count = triangles};
  scree_geometry *g = scree_geometry_mesh(&def, NULL);
  assert_non_null(g);
  return g;
}

static void near_triangles_change_no_bit(void **unused) {
  (void)unused;
  static const int type[] = {
      SCREE_BOX, SCREE_CAPSULE, SCREE_SPHERE, SCREE_BOX, SCREE_CYLINDER, SCREE_HULL, SCREE_ELLIPSOID};
  static const double pace[] = {1e-6, 1e-3, 0.01, 0.1};
  enum { TYPES = sizeof type / sizeof *type, STEPS = 60 };
  bed b;
  bed_init(&b, 31);
  scree_geometry *ground[3] = {hills(&b, 20, 0.2), hills(&b, 6, 1), hills(&b, 8, 0.5)},
                 *hull = random_hull(&b, 12);
  int64_t touching = 0, known = 0, steps = 0;
  for (int n = 0, pairs = pairs_wanted(2500) / 20; n < pairs; n++) {
    mover m[2] = {{.q = {1, 0, 0, 0}}, {.q = {1, 0, 0, 0}}};
    sc_pair_cache hint = {.axis = {0, 0, 0}};
    sc_triangle_cache near = {.count = -1};
    m[0].shape = random_shape(&b, type[n % TYPES], hull);
    m[1].shape = random_shape(&b, SCREE_MESH, ground[n % 3]);
    for (int k = 0; k < 3; k++) m[0].x[k] = bed_between(&b, k < 2 ? -1.5 : 0, k < 2 ? 1.5 : 1);
    bed_random_turn(&b, m[0].q);
    for (int step = 0; step < STEPS; step++) {
      sc_touch cold[SC_MAX_TOUCHES], warm[SC_MAX_TOUCHES];
      const double reach = 0.02 + 0.02 * (step % 3);
      go_on(&b, m, pace[n % 4]), go_on(&b, m + 1, 0.1 * pace[n % 4]);
      const sc_placed *one = &m[n / 2 % 2].placed, *two = &m[1 - n / 2 % 2].placed;
      sc_triangle_cache last = near;
      int count = sc_narrow(one, two, reach, cold);
      assert_int_equal(count, sc_narrow_again(one, two, reach, &hint, &near, sc_box_best(), warm));
      for (int k = 0; k < count; k++) same(cold + k, warm + k);
      touching += count > 0, steps++;
      known += last.count >= 0 && !last.full && memcmp(last.middle, near.middle, sizeof last.middle) == 0;
    }
  }
  assert_true(known > steps / 4 && touching > steps / 4);
  for (int k = 0; k < 3; k++) scree_geometry_release(ground[k]);
  scree_geometry_release(hull);
}

static double least(const sc_touch *touch, int count) {
  double gap = INFINITY;
  for (int k = 0; k < count; k++) gap = fmin(gap, touch[k].gap);
  return gap;
}

/* Computes turns for which axes of two boxes are equal, nearly equal, or anything. */
static void special_turn(bed *b, int n, double q[4]) {
  static const double h = 0.70710678118654752;
  const double turn[4][4] = {
      {1, 0, 0, 0}, {h, h, 0, 0}, {h, 0, 0, h}, {0.92387953251128674, 0, 0.38268343236508977, 0}};
  static const double tilt[] = {0, 1e-12, 1e-7, 1e-5, 1e-3};
  bed_random_turn(b, q);
  if (n % 6 == 0) return;
  double small[4] = {1, 0, 0, 0};
  for (int k = 0; k < 3; k++) small[1 + k] = tilt[n % 5] * bed_between(b, -1, 1);
  sc_quat_mul(turn[n / 5 % 4], small, q);
  sc_quat_normalise(q, q);
}

static void boxes_are_as_far_as_the_search_says(void **unused) {
  (void)unused;
  bed b;
  bed_init(&b, 3);
  int64_t touching = 0, apart = 0;
  for (int n = 0, pairs = pairs_wanted(60000); n < pairs; n++) {
    sc_shape shape[2] = {random_shape(&b, SCREE_BOX, NULL), random_shape(&b, SCREE_BOX, NULL)};
    double q[4], x[3] = {0, 0, 0}, reach = 0.1;
    sc_placed one, two;
    if (n % 4 == 0) shape[1] = shape[0];
    special_turn(&b, n, q);
    sc_place(shape, x, q, &one);
    for (int k = 0; k < 3; k++) x[k] = bed_between(&b, -1.6, 1.6);
    if (n % 7 == 0) x[n % 3] = 0;
    if (n % 3) bed_random_turn(&b, q);
    else special_turn(&b, n / 3, q);
    sc_place(shape + 1, x, q, &two);
    sc_touch fast[SC_MAX_TOUCHES], slow[SC_MAX_TOUCHES];
    int count = sc_box_touches(&one, &two, reach, NULL, fast),
        wanted = sc_convex_search(&one, &two, reach, NULL, slow);
    if (count < 0) continue; /* the general search is needed */
    double size = shape[0].bound + shape[1].bound, gap = least(fast, count), should = least(slow, wanted);
    if (!count != !wanted && fabs(fmin(gap, should) - reach) < 1e-8 * size) continue; /* near the reach */
    if (!count != !wanted)
      fail_msg("pair %d: %d touches, %d wanted, gaps %g %g", n, count, wanted, gap, should);
    if (count && fabs(gap - should) > 1e-8 * size)
      fail_msg("pair %d: gap %.12g, wanted %.12g", n, gap, should);
    touching += count > 0, apart += !count;
  }
  assert_true(touching > 5000 && apart > 5000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(memory_changes_no_bit),
      cmocka_unit_test(features_are_those_of_the_search), cmocka_unit_test(near_triangles_change_no_bit),
      cmocka_unit_test(boxes_are_as_far_as_the_search_says)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
