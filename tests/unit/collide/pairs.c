/* Tests every narrow-phase pair against dense sampling. The distance of two convex bodies is the maximum over
 * all directions n of s(n) = (min n.x over a) - (max n.x over b). A negative maximum is minus the depth. The
 * test samples directions on the sphere and refines the maximum, with its own support functions. It also
 * tests symmetry under exchange, rigid motion and units, and many random pairs. SCREE_PAIRS sets the number
 * of random pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "bed.h"
#include "model/shape/kind.h"
#include "scree/geometry.h"

static const double golden = 2.399963229728653;

/* ---- shapes ---- */

static scree_geometry *icosahedron(double scale) {
  double p[12][3], f = 1.618033988749895;
  for (int k = 0; k < 12; k++) {
    int axis = k / 4;
    p[k][axis] = 0;
    p[k][(axis + 1) % 3] = scale * (k & 1 ? 1 : -1);
    p[k][(axis + 2) % 3] = scale * (k & 2 ? f : -f);
  }
  scree_geometry *g = scree_geometry_hull((const double(*)[3])p, 12, NULL);
  assert_non_null(g);
  return g;
}

static scree_geometry *random_hull(bed *b, int points, double scale) {
  double p[64][3];
  for (int i = 0; i < points; i++)
    for (int k = 0; k < 3; k++) p[i][k] = scale * bed_between(b, -1, 1);
  scree_geometry *g = scree_geometry_hull((const double(*)[3])p, points, NULL);
  assert_non_null(g);
  return g;
}

static sc_shape random_shape(bed *b, int type, const scree_geometry *hull, double scale) {
  sc_shape s = bed_shape(type);
  s.radius = scale * bed_between(b, 0.3, 1), s.half = scale * bed_between(b, 0.2, 1);
  for (int k = 0; k < 3; k++) s.extent[k] = scale * bed_between(b, 0.25, 1);
  s.geometry = hull;
  s.bound = sc_shape_bound(&s);
  return s;
}

static void random_pose(bed *b, const sc_shape *s, double side, sc_placed *out) {
  double x[3] = {bed_between(b, -side, side), bed_between(b, -side, side), bed_between(b, -side, side)}, q[4];
  bed_random_turn(b, q);
  sc_place(s, x, q, out);
}

/* ---- the reference ---- */

/* Returns the largest n.x over a placed shape. */
static double widest(const sc_placed *p, const double n[3]) {
  const sc_shape *s = p->shape;
  double d[3], best = -INFINITY, across;
  sc_mat_tvec(p->R, n, d);
  across = sqrt(d[0] * d[0] + d[1] * d[1]);
  switch (s->type) {
  case SCREE_SPHERE: best = s->radius; break;
  case SCREE_CAPSULE: best = s->half * fabs(d[2]) + s->radius; break;
  case SCREE_BOX:
    best = s->extent[0] * fabs(d[0]) + s->extent[1] * fabs(d[1]) + s->extent[2] * fabs(d[2]);
    break;
  case SCREE_CYLINDER: best = s->radius * across + s->half * fabs(d[2]); break;
  case SCREE_CONE: best = fmax(s->half * d[2], s->radius * across - s->half * d[2]); break;
  case SCREE_ELLIPSOID:
    best = sqrt(pow(s->extent[0] * d[0], 2) + pow(s->extent[1] * d[1], 2) + pow(s->extent[2] * d[2], 2));
    break;
  default: {
    const double(*point)[3];
    int64_t count = scree_geometry_points(s->geometry, &point);
    for (int64_t k = 0; k < count; k++) best = fmax(best, sc_dot(point[k], d));
  }
  }
  return best + sc_dot(n, p->position);
}

static double separation(const sc_placed *a, const sc_placed *b, const double n[3]) {
  double back[3] = {-n[0], -n[1], -n[2]};
  return -widest(a, back) - widest(b, n);
}

/* Returns the largest separation over all directions. Samples directions on a spiral and refines the best few
 * by shrinking steps. */
static double reference(const sc_placed *a, const sc_placed *b) {
  enum { SAMPLES = 1500, FEW = 6 };
  double best[FEW], at[FEW][3], top = -INFINITY;
  for (int f = 0; f < FEW; f++) best[f] = -INFINITY;
  for (int k = 0; k < SAMPLES; k++) {
    double z = 1 - (2 * k + 1.0) / SAMPLES, r = sqrt(1 - z * z),
           n[3] = {r * cos(golden * k), r * sin(golden * k), z}, s = separation(a, b, n);
    for (int f = 0; f < FEW; f++) {
      if (s <= best[f]) continue;
      memmove(best + f + 1, best + f, (size_t)(FEW - 1 - f) * sizeof *best);
      memmove(at + f + 1, at + f, (size_t)(FEW - 1 - f) * sizeof *at);
      best[f] = s, sc_copy3(n, at[f]);
      break;
    }
  }
  for (int f = 0; f < FEW; f++) {
    double t[3], o[3];
    for (double step = 0.06; step > 1e-9; step *= 0.6) {
      double base[3];
      sc_copy3(at[f], base);
      sc_frame(base, t, o);
      for (int k = 0; k < 12; k++) {
        double angle = k * 0.5235987755982988, n[3];
        sc_axpy(step * cos(angle), t, base, n);
        sc_axpy(step * sin(angle), o, n, n);
        sc_normalise(n, n);
        double s = separation(a, b, n);
        if (s > best[f]) best[f] = s, sc_copy3(n, at[f]);
      }
    }
    top = fmax(top, best[f]);
  }
  return top;
}

static double least_gap(const sc_touch *touch, int count, int *which) {
  double least = INFINITY;
  for (int k = 0; k < count; k++)
    if (touch[k].gap < least) least = touch[k].gap, *which = k;
  return least;
}

static const char *const names[] = {
    "sphere", "capsule", "half-space", "box", "cylinder", "cone", "ellipsoid", "hull"};
static const int convex_types[] = {
    SCREE_SPHERE, SCREE_CAPSULE, SCREE_BOX, SCREE_CYLINDER, SCREE_CONE, SCREE_ELLIPSOID, SCREE_HULL};
enum { CONVEX = 7, REACH = 10 };

static void assert_close(
    double value, double wanted, double within, const sc_placed *a, const sc_placed *b, const char *what) {
  if (!(fabs(value - wanted) <= within))
    print_error("%s against %s: %s %.12g instead of %.12g\n", names[a->shape->type], names[b->shape->type],
        what, value, wanted);
  assert_true(fabs(value - wanted) <= within);
}

static void pairs_agree_with_dense_sampling(void **unused) {
  (void)unused;
  bed b;
  bed_init(&b, 21);
  scree_geometry *hull[2] = {icosahedron(0.5), random_hull(&b, 20, 1)};
  for (int i = 0; i < CONVEX; i++)
    for (int j = 0; j < CONVEX; j++)
      for (int k = 0; k < 14; k++) {
        sc_shape sa = random_shape(&b, convex_types[i], hull[k % 2], 1),
                 sb = random_shape(&b, convex_types[j], hull[1], 1);
        sc_placed pa, pb;
        sc_touch touch[SC_MAX_TOUCHES];
        /* from apart to deeply inside each other */
        random_pose(&b, &sa, k < 7 ? 2 : 0.5, &pa);
        random_pose(&b, &sb, k < 7 ? 2 : 0.5, &pb);
        double wanted = reference(&pa, &pb);
        int count = sc_narrow(&pa, &pb, REACH, touch), at = 0;
        assert_true(count > 0);
        double gap = least_gap(touch, count, &at);
        /* the depth of smooth shapes has the tolerance of the expanding polytope */
        double within = wanted > 0 ? 1e-8 : 5e-5;
        /* the separation along the touch's normal is the gap, and no direction has a larger separation */
        assert_close(
            separation(&pa, &pb, touch[at].normal), gap, within, &pa, &pb, "separation along the normal");
        assert_close(fmin(gap, wanted), wanted, within, &pa, &pb, "gap");
      }
  scree_geometry_release(hull[0]);
  scree_geometry_release(hull[1]);
  bed_free(&b);
}

/* The gap of a shape over a half-space is that of its lowest point, known from its width. */
static void half_spaces_meet_the_lowest_point(void **unused) {
  (void)unused;
  bed b;
  bed_init(&b, 22);
  scree_geometry *hull = random_hull(&b, 20, 1);
  sc_shape plane = bed_shape(SCREE_HALFSPACE);
  for (int i = 0; i < CONVEX; i++)
    for (int k = 0; k < 200; k++) {
      sc_shape s = random_shape(&b, convex_types[i], hull, 1);
      sc_placed p, wall;
      sc_touch touch[SC_MAX_TOUCHES];
      random_pose(&b, &s, 1, &p);
      random_pose(&b, &plane, 1, &wall);
      double n[3] = {wall.R[2], wall.R[5], wall.R[8]}, back[3] = {-n[0], -n[1], -n[2]};
      double wanted = -widest(&p, back) - sc_dot(n, wall.position);
      int at = 0, count = sc_narrow(&p, &wall, REACH, touch);
      assert_close(least_gap(touch, count, &at), wanted, 1e-12, &p, &wall, "gap");
      assert_true(sc_dot(touch[at].normal, n) > 1 - 1e-12);
    }
  scree_geometry_release(hull);
  bed_free(&b);
}

/* Results do not change under exchange of the shapes, rigid motion, and change of units. */
static void answers_keep_their_symmetries(void **unused) {
  (void)unused;
  bed b;
  bed_init(&b, 23);
  scree_geometry *hull = icosahedron(0.5), *large = icosahedron(500);
  for (int i = 0; i < CONVEX; i++)
    for (int j = 0; j < CONVEX; j++)
      for (int k = 0; k < 40; k++) {
        sc_shape sa = random_shape(&b, convex_types[i], hull, 1),
                 sb = random_shape(&b, convex_types[j], hull, 1);
        sc_placed pa, pb, ma, mb;
        sc_touch touch[SC_MAX_TOUCHES], other[SC_MAX_TOUCHES];
        random_pose(&b, &sa, 1, &pa);
        random_pose(&b, &sb, 1, &pb);
        int at = 0, to = 0, count = sc_narrow(&pa, &pb, 0.2, touch);
        if (!count) continue;
        double gap = least_gap(touch, count, &at), within = gap > 0 ? 1e-6 : 2e-5;
        int swapped = sc_narrow(&pb, &pa, 0.2, other);
        assert_true(swapped > 0);
        assert_close(least_gap(other, swapped, &to), gap, within, &pa, &pb, "exchanged gap");
        /* a rigid motion */
        double q[4], x[3] = {7, -3, 5}, M[9];
        bed_random_turn(&b, q);
        sc_quat_matrix(q, M);
        ma = pa, mb = pb;
        sc_mat_vec(M, pa.position, ma.position), sc_mat_vec(M, pb.position, mb.position);
        sc_add(ma.position, x, ma.position), sc_add(mb.position, x, mb.position);
        sc_mat_mul(M, pa.R, ma.R), sc_mat_mul(M, pb.R, mb.R);
        int moved = sc_narrow(&ma, &mb, 0.2, other);
        assert_true(moved > 0);
        assert_close(least_gap(other, moved, &to), gap, within, &pa, &pb, "moved gap");
        /* units a thousand times smaller */
        sc_shape la = sa, lb = sb;
        la.radius *= 1000, la.half *= 1000, la.geometry = large, lb.radius *= 1000, lb.half *= 1000,
                                            lb.geometry = large;
        sc_scale(1000, sa.extent, la.extent), sc_scale(1000, sb.extent, lb.extent);
        la.bound = sc_shape_bound(&la), lb.bound = sc_shape_bound(&lb);
        ma = pa, mb = pb, ma.shape = &la, mb.shape = &lb;
        sc_scale(1000, pa.position, ma.position), sc_scale(1000, pb.position, mb.position);
        int scaled = sc_narrow(&ma, &mb, 200, other);
        assert_true(scaled > 0);
        assert_close(least_gap(other, scaled, &to) / 1000, gap, within, &pa, &pb, "scaled gap");
      }
  scree_geometry_release(hull);
  scree_geometry_release(large);
  bed_free(&b);
}

/* Chooses poses that are difficult: aligned axes, faces on faces, coincident centres, tiny gaps and
 * overlaps. */
static void hard_pose(bed *b, sc_placed *p) {
  static const double quarter[3][4] = {{1, 0, 0, 0}, {0.70710678118654752, 0.70710678118654752, 0, 0},
      {0.70710678118654752, 0, 0, 0.70710678118654752}};
  double x[3], q[4];
  for (int k = 0; k < 3; k++)
    x[k] = 0.25 * floor(bed_between(b, -4, 5)) +
        (sc_rng_unit(&b->rng) < 0.3 ? 1e-9 * bed_between(b, -1, 1) : 0);
  memcpy(q, quarter[(int)bed_between(b, 0, 2.999)], sizeof q);
  if (sc_rng_unit(&b->rng) < 0.3) q[1] += 1e-7 * bed_between(b, -1, 1), sc_quat_normalise(q, q);
  sc_place(p->shape, x, q, p);
}

static void random_pairs_stay_sane(void **unused) {
  (void)unused;
  bed b;
  bed_init(&b, 24);
  scree_geometry *hull[3] = {icosahedron(0.5), random_hull(&b, 10, 1), random_hull(&b, 60, 1)};
  const char *asked = getenv("SCREE_PAIRS");
  long pairs = asked ? atol(asked) : 10000;
  for (long k = 0; k < pairs; k++) {
    int i = (int)bed_between(&b, 0, CONVEX - 1e-9), j = (int)bed_between(&b, 0, CONVEX - 1e-9);
    sc_shape sa = random_shape(&b, convex_types[i], hull[k % 3], 1),
             sb = random_shape(&b, convex_types[j], hull[k / 3 % 3], 1);
    if (k % 4 == 0)
      for (int c = 0; c < 3; c++)
        sa.extent[c] = sb.extent[c] = sa.radius = sb.radius = sa.half = sb.half = 0.25 * (1 + k % 3);
    if (k % 16 == 1) sa.extent[0] *= 1e-4, sb.half *= 1e-4;
    sa.bound = sc_shape_bound(&sa), sb.bound = sc_shape_bound(&sb);
    sc_placed pa = {.shape = &sa}, pb = {.shape = &sb};
    if (k % 2) random_pose(&b, &sa, 1, &pa), random_pose(&b, &sb, 1, &pb);
    else hard_pose(&b, &pa), hard_pose(&b, &pb);
    sc_touch touch[SC_MAX_TOUCHES];
    int at = 0, count = sc_narrow(&pa, &pb, 0.1, touch);
    double far = sa.bound + sb.bound + 0.1;
    for (int t = 0; t < count; t++) {
      double d[3];
      if (!(touch[t].gap <= 0.1 && touch[t].gap > -far))
        print_error("%s against %s, pair %ld: gap %g\n", names[sa.type], names[sb.type], k, touch[t].gap);
      assert_true(touch[t].gap <= 0.1 && touch[t].gap > -far);
      assert_true(fabs(sc_dot(touch[t].normal, touch[t].normal) - 1) < 1e-9);
      sc_sub(touch[t].point, pa.position, d);
      assert_true(sc_norm(d) <= far);
      for (int s = 0; s < t; s++) assert_true(touch[s].feature != touch[t].feature);
    }
    /* the separation along the touch's normal is the gap; nothing is checked if the pair has no touch */
    if (count) {
      double gap = least_gap(touch, count, &at);
      assert_close(separation(&pa, &pb, touch[at].normal), gap, fmax(1e-5, -0.01 * gap), &pa, &pb,
          "separation along the normal");
    }
  }
  for (int k = 0; k < 3; k++) scree_geometry_release(hull[k]);
  bed_free(&b);
}

/* A box on a box has four touches at the corners of the overlap. They keep their feature ids while the upper
 * box slides and rocks a little. */
static void faces_give_stable_manifolds(void **unused) {
  (void)unused;
  sc_shape box = bed_shape(SCREE_BOX), slab = bed_shape(SCREE_BOX);
  sc_set3(0.5, 0.5, 0.5, box.extent);
  sc_set3(2, 2, 0.5, slab.extent);
  box.bound = sc_shape_bound(&box), slab.bound = sc_shape_bound(&slab);
  sc_placed pa, pb;
  sc_touch touch[SC_MAX_TOUCHES];
  uint32_t name[4];
  sc_place(&slab, (double[3]){0, 0, 0}, (double[4]){1, 0, 0, 0}, &pb);
  for (int k = 0; k < 200; k++) {
    double gap = 1e-3 * sin(0.3 * k) * pow(10, -(k % 12)), tilt = 1e-4 * cos(0.7 * k) * (k % 3);
    double q[4] = {1, tilt, -0.5 * tilt, 0.05 * sin(0.1 * k)};
    sc_quat_normalise(q, q);
    sc_place(&box, (double[3]){0.1 * sin(0.2 * k), 0.1 * cos(0.2 * k), 1 + gap}, q, &pa);
    int count = sc_narrow(&pa, &pb, 0.01, touch);
    assert_int_equal(count, 4);
    for (int t = 0; t < 4; t++) {
      double d[3];
      assert_true(touch[t].normal[2] > 1 - 1e-6);
      sc_sub(touch[t].point, pa.position, d);
      assert_true(fabs(touch[t].gap - gap) < 3e-4);
      assert_true(sqrt(d[0] * d[0] + d[1] * d[1]) > 0.7);
      if (k == 0) name[t] = touch[t].feature;
      bool known = false;
      for (int s = 0; s < 4; s++) known = known || name[s] == touch[t].feature;
      assert_true(known);
    }
  }
}

/* Cylinders and cones on their base, a capsule on its side, and a cylinder on its side have enough touches to
 * rest. */
static void enough_touches_to_rest(void **unused) {
  (void)unused;
  sc_shape slab = bed_shape(SCREE_BOX), plane = bed_shape(SCREE_HALFSPACE);
  sc_set3(3, 3, 0.5, slab.extent);
  slab.bound = sc_shape_bound(&slab);
  const double upright[4] = {1, 0, 0, 0}, lying[4] = {0.70710678118654752, 0.70710678118654752, 0, 0};
  sc_placed floor[2], p;
  sc_touch touch[SC_MAX_TOUCHES];
  sc_place(&slab, (double[3]){0, 0, -0.5}, upright, floor);
  sc_place(&plane, (double[3]){0, 0, 0}, upright, floor + 1);
  static const struct {
    int type, lies, least;
  } cases[] = {{SCREE_CYLINDER, 0, 3}, {SCREE_CONE, 0, 3}, {SCREE_CAPSULE, 1, 2}, {SCREE_CYLINDER, 1, 2}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    sc_shape s = bed_shape(cases[k].type);
    s.radius = 0.3, s.half = 0.5, s.bound = sc_shape_bound(&s);
    sc_place(&s, (double[3]){0.1, 0.2, cases[k].lies ? 0.3 : 0.5}, cases[k].lies ? lying : upright, &p);
    for (int f = 0; f < 2; f++) {
      int count = sc_narrow(&p, floor + f, 0.02, touch);
      assert_true(count >= cases[k].least);
      for (int t = 0; t < count; t++) assert_true(fabs(touch[t].gap) < 1e-9 && touch[t].normal[2] > 1 - 1e-9);
    }
  }
}

typedef struct noted {
  uint32_t name[64];
  int count;
} noted;

static void note_name(void *to, const double point[3], uint32_t name) {
  noted *n = to;
  (void)point;
  assert_true(n->count < 64);
  n->name[n->count++] = name;
}

/* A rim that lies almost flat has its fixed points and its lowest point, each with a name of its own below
 * SC_RIM_NAMES. */
static void points_of_a_rim_have_names(void **unused) {
  (void)unused;
  noted n = {.count = 0};
  const double between = 3.14159265358979323846 / SC_RIM_POINTS, tilt = 5e-4;
  sc_drop_rim(
      1, 0, 0, (double[3]){tilt * cos(between), tilt * sin(between), 1}, &(sc_point_sink){note_name, &n});
  assert_int_equal(n.count, SC_RIM_POINTS + 1);
  for (int k = 0; k < n.count; k++) {
    assert_true(n.name[k] < SC_RIM_NAMES);
    for (int l = 0; l < k; l++) assert_true(n.name[k] != n.name[l]);
  }
}

/* The normal of a ball deep inside a solid points along the shortest way out. */
static void deep_balls_get_a_way_out(void **unused) {
  (void)unused;
  sc_shape ball = bed_shape(SCREE_SPHERE);
  ball.radius = 0.1, ball.bound = 0.1;
  for (int i = 2; i < CONVEX; i++) {
    sc_shape s = bed_shape(convex_types[i]);
    scree_geometry *hull = icosahedron(0.5);
    s.radius = 0.5, s.half = 1, s.geometry = hull;
    sc_set3(0.5, 1, 1.5, s.extent);
    s.bound = sc_shape_bound(&s);
    for (int k = 0; k < 30; k++) {
      double t = 0.005 * k, x[3] = {k % 3 == 0 ? 0 : t, k % 3 == 1 ? 0 : -t, k % 5 ? 0 : t};
      sc_placed pa, pb;
      sc_touch touch[SC_MAX_TOUCHES];
      sc_place(&ball, x, (double[4]){1, 0, 0, 0}, &pa);
      sc_place(&s, (double[3]){0, 0, 0}, (double[4]){1, 0, 0, 0}, &pb);
      assert_int_equal(sc_narrow(&pa, &pb, 0.01, touch), 1);
      assert_true(touch[0].gap < 0);
      double wanted = reference(&pa, &pb);
      assert_close(
          separation(&pa, &pb, touch[0].normal), touch[0].gap, 1e-9, &pa, &pb, "depth along the normal");
      assert_close(fmin(touch[0].gap, wanted), wanted, 1e-9, &pa, &pb, "depth");
    }
    scree_geometry_release(hull);
  }
}

/* A capsule lies across another at an angle, a little above it. The deepest touch lies where the axes cross.
 * Up to 30 degrees the two ends of the overlap have touches, too. Capsules along each other only have the
 * touches at the ends. */
static void capsules_touch_at_crossing_and_ends(void **unused) {
  (void)unused;
  sc_shape s = bed_shape(SCREE_CAPSULE);
  s.radius = 0.5, s.half = 1, s.bound = sc_shape_bound(&s);
  sc_placed a, b;
  sc_touch touch[SC_MAX_TOUCHES];
  const double upright[4] = {1, 0, 0, 0}, gap = -1e-3;
  sc_place(&s, (double[3]){0, 0, 0}, upright, &a);
  for (int degrees = 0; degrees <= 40; degrees++) {
    double half = degrees * 3.14159265358979323846 / 360, turned[4] = {cos(half), 0, sin(half), 0};
    sc_place(&s, (double[3]){0, 2 * s.radius + gap, 0.1}, turned, &b);
    int count = sc_narrow(&a, &b, 0.3, touch), ends = 0;
    double least = INFINITY;
    for (int t = 0; t < count; t++) least = fmin(least, touch[t].gap), ends += touch[t].feature > 0;
    assert_int_equal(ends, degrees <= 30 ? 2 : 0);
    assert_int_equal(count, degrees == 0 ? 2 : degrees > 30 ? 1 : 3);
    assert_true(fabs(least - gap) < 1e-12);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_agree_with_dense_sampling),
      cmocka_unit_test(half_spaces_meet_the_lowest_point), cmocka_unit_test(answers_keep_their_symmetries),
      cmocka_unit_test(random_pairs_stay_sane), cmocka_unit_test(faces_give_stable_manifolds),
      cmocka_unit_test(enough_touches_to_rest), cmocka_unit_test(capsules_touch_at_crossing_and_ends),
      cmocka_unit_test(deep_balls_get_a_way_out), cmocka_unit_test(points_of_a_rim_have_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
