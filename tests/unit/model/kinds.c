/* Compares the functions of every convex kind of shape with the implicit equation of the shape: support
 * points, faces, features, curvature, distances, points that can touch a plane, side faces, boxes, corners
 * and triangles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"
#include "model/mass.h"
#include "model/shape/kind.h"

static sc_rng rng;

static double draw(double low, double high) { return low + (high - low) * sc_rng_unit(&rng); }

static void draw_unit(double n[3]) {
  do sc_set3(draw(-1, 1), draw(-1, 1), draw(-1, 1), n);
  while (!(sc_dot(n, n) > 0.01 && sc_dot(n, n) < 1));
  sc_normalise(n, n);
}

static void near_to(double value, double wanted, double within) {
  if (!(fabs(value - wanted) <= within)) print_error("%.17g instead of %.17g\n", value, wanted);
  assert_true(fabs(value - wanted) <= within);
}

/* Returns the signed distance of x from the surface for round kinds with a simple distance. For other kinds
 * returns the value of an equation that is 0 on the surface and positive outside. */
static double outside(const sc_shape *s, const double x[3]) {
  const double across = sqrt(x[0] * x[0] + x[1] * x[1]), z = x[2];
  double sum = 0, most = -INFINITY;
  switch (s->type) {
  case SCREE_SPHERE: return sc_norm(x) - s->radius;
  case SCREE_CAPSULE: return hypot(across, fmax(0, fabs(z) - s->half)) - s->radius;
  case SCREE_CYLINDER: return fmax(across - s->radius, fabs(z) - s->half);
  case SCREE_CONE: return fmax(-s->half - z, across - s->radius * (s->half - z) / (2 * s->half));
  case SCREE_BOX:
    for (int k = 0; k < 3; k++) most = fmax(most, fabs(x[k]) - s->extent[k]);
    return most;
  case SCREE_HULL:
    for (int32_t f = 0; f < s->geometry->faces; f++)
      most = fmax(most, sc_dot(s->geometry->plane[f], x) - s->geometry->plane[f][3]);
    return most;
  case SCREE_SUPERELLIPSOID:
    sum = pow(pow(fabs(x[0]) / s->extent[0], 2 / s->own[1]) + pow(fabs(x[1]) / s->extent[1], 2 / s->own[1]),
        s->own[1] / s->own[0]);
    return sum + pow(fabs(z) / s->extent[2], 2 / s->own[0]) - 1;
  default:
    for (int k = 0; k < 3; k++) sum += x[k] * x[k] / (s->extent[k] * s->extent[k]);
    return sum - 1;
  }
}

enum { KINDS = 8, TRIALS = 12, MOST = 9000 };
static const int types[KINDS] = {SCREE_SPHERE, SCREE_CAPSULE, SCREE_BOX, SCREE_CYLINDER, SCREE_CONE,
    SCREE_ELLIPSOID, SCREE_HULL, SCREE_SUPERELLIPSOID};

/* Makes a shape of a kind with random sizes. Hulls have few or many points. */
static sc_shape make(int type, int trial) {
  sc_shape s = {.type = type, .orientation = {1, 0, 0, 0}, .radius = draw(0.2, 2), .half = draw(0.2, 2)};
  for (int k = 0; k < 3; k++) s.extent[k] = draw(0.3, 2);
  if (type == SCREE_SUPERELLIPSOID) s.own[0] = draw(0.4, 1.6), s.own[1] = draw(0.4, 1.6);
  if (type == SCREE_HULL) {
    double point[60][3];
    const int count = trial % 2 ? 60 : 8 + trial;
    for (int p = 0; p < count; p++) {
      draw_unit(point[p]);
      if (trial % 4 == 0 && p < 8) sc_set3(p & 1 ? 1 : -1, p & 2 ? 1 : -1, p & 4 ? 1 : -1, point[p]);
      for (int k = 0; k < 3; k++) point[p][k] *= s.extent[k];
    }
    s.geometry = scree_geometry_hull((const double(*)[3])point, count, NULL);
    assert_non_null(s.geometry);
  }
  s.bound = sc_shape_bound(&s);
  return s;
}

/* Points of the surface: corners of the triangles that draw the shape. */
typedef struct cloud {
  double point[3 * MOST][3];
  int count;
  double volume; /* of the triangles */
} cloud;

static void add_triangle(void *to, const double a[3], const double b[3], const double c[3]) {
  cloud *all = to;
  double n[3];
  sc_cross(b, c, n);
  all->volume += sc_dot(a, n) / 6;
  assert_true(all->count + 3 <= 3 * MOST);
  sc_copy3(a, all->point[all->count]), sc_copy3(b, all->point[all->count + 1]);
  sc_copy3(c, all->point[all->count + 2]);
  all->count += 3;
}

static double core_radius(const sc_shape *s) {
  double size;
  return sc_kind_of(s)->core ? sc_kind_of(s)->core(s, &size) : 0;
}

/* Returns the height of the support point along the unit vector d, including the radius about the core. */
static double height_along(const sc_shape *s, const double d[3]) {
  double x[3];
  sc_kind_of(s)->support(s, d, x);
  return sc_dot(x, d) + core_radius(s);
}

static double size_of(const sc_shape *s) { return sc_shape_bound(s); }

static void check_cloud(const sc_shape *s, const cloud *all, int sides) {
  double min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY}, bound = 0;
  double middle[3] = {0, 0, 0}, half[3];
  sc_kind_of(s)->box(s, middle, half);
  for (int p = 0; p < all->count; p++) {
    /* the discs at the ends of cylinders and cones have their middles as corners */
    if (s->type == SCREE_SUPERELLIPSOID) near_to(outside(s, all->point[p]), 0, 1e-9);
    else near_to(outside(s, all->point[p]), 0, 1e-7);
    bound = fmax(bound, sc_norm(all->point[p]));
    for (int k = 0; k < 3; k++)
      min[k] = fmin(min[k], all->point[p][k]), max[k] = fmax(max[k], all->point[p][k]);
  }
  for (int k = 0; k < 3; k++) {
    near_to(min[k], middle[k] - half[k], 1e-12 + 1e-14 * half[k]);
    near_to(max[k], middle[k] + half[k], 1e-12 + 1e-14 * half[k]);
  }
  assert_true(bound <= sc_shape_bound(s) * (1 + 1e-12));
  if (sides == 48)
    assert_true(bound >= sc_shape_bound(s) * (s->type == SCREE_SUPERELLIPSOID ? 0.97 : 0.999999));
  double mass, centre[3], inertia[6];
  sc_shape_mass(s, 1, &mass, centre, inertia);
  const bool flat = s->type == SCREE_BOX || s->type == SCREE_HULL;
  assert_true(all->volume <= mass * (1 + 1e-9));
  assert_true(all->volume >= mass * (flat ? 1 - 1e-12 : sides == 48 ? 0.98 : sides == 16 ? 0.85 : 0.4));
}

static void check_support(const sc_shape *s, const cloud *all) {
  const sc_shape_kind *kind = sc_kind_of(s);
  const double size = size_of(s), radius = core_radius(s);
  for (int n = 0; n < 100; n++) {
    double d[3], x[3], high = -INFINITY, scaled[3], again[3];
    draw_unit(d);
    if (n < 6) sc_set3(0, 0, 0, d), d[n % 3] = n < 3 ? 1 : -1;
    kind->support(s, d, x);
    sc_scale(3.5, d, scaled);
    kind->support(s, scaled, again);
    near_to(sc_dot(again, d), sc_dot(x, d), 1e-12 * size);
    if (kind->feature) {
      const int32_t id = kind->feature(s, d);
      double y[3];
      kind->feature_point(s, id, d, y);
      near_to(sc_dot(y, d), sc_dot(x, d), 1e-12 * size);
    }
    sc_axpy(radius, d, x, x);
    near_to(outside(s, x), 0, 1e-6);
    for (int p = 0; p < all->count; p++) high = fmax(high, sc_dot(all->point[p], d));
    assert_true(sc_dot(x, d) >= high - 1e-9 * size);
    assert_true(sc_dot(x, d) <= high + (s->type == SCREE_HULL || s->type == SCREE_BOX ? 1e-12 : 0.02) * size);
  }
}

static void check_face(const sc_shape *s) {
  const sc_shape_kind *kind = sc_kind_of(s);
  const double size = size_of(s);
  for (int n = 0; n < 100 && kind->face; n++) {
    sc_face f = {0}, again = {0};
    double d[3], best = -2;
    draw_unit(d);
    f.id = n % 3 ? 0 : (uint32_t)n;
    kind->face(s, d, &f);
    again.id = f.id;
    kind->face(s, d, &again);
    assert_int_equal(again.id, f.id);
    assert_int_equal(again.count, f.count);
    assert_true(f.count >= 2);
    for (int k = 0; k < f.count; k++) {
      if (s->type != SCREE_CAPSULE) near_to(outside(s, f.corner[k]), 0, 1e-7 * size);
      assert_true(sc_dot(again.corner[k], again.corner[k]) == sc_dot(f.corner[k], f.corner[k]));
    }
    if (f.count == 2) { /* an edge: on a line of the side in the half-plane of d */
      assert_true(f.corner[0][2] == -s->half && f.corner[1][2] == s->half);
      assert_true(f.disc == 0 && (s->type == SCREE_CAPSULE || f.id == 2));
      near_to(d[0] * f.corner[0][1] - d[1] * f.corner[0][0], 0, 1e-12);
      assert_true(s->type == SCREE_CAPSULE || d[0] * f.corner[0][0] + d[1] * f.corner[0][1] > 0);
      continue;
    }
    /* a polygon: in the plane of the shape that is highest along its normal, counter-clockwise from
     * outside */
    double e[3], g[3], c[3], area[3] = {0, 0, 0};
    for (int k = 1; k + 1 < f.count; k++) {
      sc_sub(f.corner[k], f.corner[0], e), sc_sub(f.corner[k + 1], f.corner[0], g);
      sc_cross(e, g, c);
      sc_add(area, c, area);
    }
    near_to(sc_norm(f.normal), 1, 1e-12);
    near_to(sc_dot(area, f.normal), sc_norm(area), 1e-9 * size * size);
    for (int k = 0; k < f.count; k++)
      near_to(sc_dot(f.corner[k], f.normal), height_along(s, f.normal), 1e-7 * size);
    if (s->type == SCREE_BOX)
      for (int k = 0; k < 3; k++) best = fmax(best, fabs(d[k]));
    for (int32_t k = 0; s->type == SCREE_HULL && k < s->geometry->faces; k++)
      best = fmax(best, sc_dot(d, s->geometry->plane[k]));
    if (best > -2) near_to(sc_dot(d, f.normal), best, 1e-12);
    else near_to(f.disc, s->radius, 0), assert_true(fabs(d[2]) > 0.7 && f.normal[2] * d[2] > 0);
  }
}

/* Checks that u.K v, K the curvature, is the derivative along v of the support point's component along u. */
static void check_bend(const sc_shape *s) {
  const sc_shape_kind *kind = sc_kind_of(s);
  for (int n = 0; n < 60 && kind->bend; n++) {
    double d[3], u[3], v[3], a[3], b[3], x[3], y[3];
    draw_unit(d), draw_unit(u), draw_unit(v);
    if (fabs(d[0]) < 0.1 || fabs(d[1]) < 0.1 || fabs(d[2]) < 0.1) continue;
    const int32_t id = kind->feature ? kind->feature(s, d) : 0;
    const double h = 1e-5;
    sc_axpy(h, v, d, a), sc_axpy(-h, v, d, b);
    if (kind->feature_point) kind->feature_point(s, id, a, x), kind->feature_point(s, id, b, y);
    else kind->support(s, a, x), kind->support(s, b, y);
    sc_sub(x, y, x);
    const double wanted = sc_dot(u, x) / (2 * h), found = kind->bend(s, id, d, u, v);
    near_to(found, wanted, 1e-5 * (1 + fabs(wanted)) * size_of(s));
    if (!kind->curve) continue;
    double K[6], point[3];
    kind->curve(s, d, point, K);
    kind->support(s, d, y);
    for (int k = 0; k < 3; k++) near_to(point[k], y[k], 1e-13);
    near_to(u[0] * (K[0] * v[0] + K[1] * v[1] + K[2] * v[2]) +
            u[1] * (K[1] * v[0] + K[3] * v[1] + K[4] * v[2]) +
            u[2] * (K[2] * v[0] + K[4] * v[1] + K[5] * v[2]),
        found, 1e-12 * (1 + fabs(found)));
  }
}

/* Checks the foot of the perpendicular: it lies on the surface, the normal there is n, and no point of the
 * surface is nearer. */
static void check_distance(const sc_shape *s, const cloud *all) {
  const sc_shape_kind *kind = sc_kind_of(s);
  const double size = size_of(s);
  for (int n = 0; n < 300 && kind->distance; n++) {
    double x[3], normal[3], foot[3], d[3];
    for (int k = 0; k < 3; k++) x[k] = draw(-1.5, 1.5) * size;
    if (n % 7 == 0) x[0] = x[1] = 0;
    if (n % 11 == 0) x[n % 3] = 0;
    if (n == 1) sc_set3(0, 0, 0, x);
    const double found = kind->distance(s, x, normal);
    near_to(sc_norm(normal), 1, 1e-12);
    assert_true(found * outside(s, x) >= -1e-9);
    sc_axpy(-found, normal, x, foot);
    near_to(outside(s, foot), 0, 1e-7);
    if (fabs(found) > 1e-9) near_to(sc_dot(normal, foot), height_along(s, normal), 1e-7 * size);
    for (int p = 0; p < all->count; p += 5) {
      sc_sub(all->point[p], x, d);
      assert_true(sc_norm(d) >= fabs(found) - 1e-9 * size);
    }
  }
}

/* Checks the points that can touch a plane below the shape: they lie on the surface, have different feature
 * ids, and one of them is the lowest point. */
typedef struct drops {
  const sc_shape *s;
  const double *n;
  double lowest;
  uint32_t name[80];
  int count;
} drops;
static void take_drop(void *to, const double point[3], uint32_t name) {
  drops *all = to;
  near_to(outside(all->s, point), 0, 1e-7);
  all->lowest = fmin(all->lowest, sc_dot(all->n, point));
  for (int k = 0; k < all->count; k++) assert_int_not_equal(all->name[k], name);
  assert_true(all->count < 80);
  all->name[all->count++] = name;
}

static void check_drop(const sc_shape *s) {
  const sc_shape_kind *kind = sc_kind_of(s);
  for (int n = 0; n < 60 && kind->drop; n++) {
    double d[3], down[3];
    draw_unit(d);
    if (n % 3 == 0)
      sc_set3(draw(-1, 1) * pow(10, -n % 12), draw(-1, 1) * pow(10, -n % 12), n % 2 ? 1 : -1, d);
    sc_normalise(d, d);
    sc_scale(-1, d, down);
    drops all = {.s = s, .n = d, .lowest = INFINITY};
    kind->drop(s, d, &(sc_point_sink){take_drop, &all});
    near_to(all.lowest, -height_along(s, down), 1.01e-7 * size_of(s));
    const double tilt = hypot(d[0], d[1]);
    if (s->type == SCREE_CYLINDER)
      assert_true(tilt > 0.7 ? all.count == 2
              : tilt > 1e-3  ? all.count == 8
                             : all.count == 24 || all.count == 25);
    if (s->type == SCREE_CONE)
      assert_true(tilt > 0.7 ? all.count == 2
              : tilt > 1e-3  ? all.count == 5
                             : all.count == 25 || all.count == 26);
  }
}

/* Checks side faces: flat faces whose planes are near a point and whose normals are nearly perpendicular to
 * n. */
static void check_side_faces(const sc_shape *s, const cloud *all) {
  const sc_shape_kind *kind = sc_kind_of(s);
  int found_some = 0;
  for (int t = 0; t < 200 && kind->side_faces; t++) {
    double plane[SC_MAX_SIDE_FACES][4], wanted[70][4], n[3];
    const double *x = all->point[t * 37 % all->count], cosine = draw(0.01, 0.5), off = draw(1e-6, 0.2);
    int count = 0, faces = 0;
    draw_unit(n);
    if (t % 2) sc_set3(n[0], n[1], 0.001, n), sc_normalise(n, n);
    if (s->type == SCREE_BOX)
      for (int k = 0; k < 6; k++, faces++) {
        sc_set3(0, 0, 0, wanted[k]);
        wanted[k][k % 3] = k < 3 ? 1 : -1, wanted[k][3] = s->extent[k % 3];
      }
    for (int32_t k = 0; s->type == SCREE_HULL && k < s->geometry->faces && k < 70; k++)
      memcpy(wanted[faces++], s->geometry->plane[k], sizeof *wanted);
    if (s->type == SCREE_CYLINDER || s->type == SCREE_CONE)
      for (int side = s->type == SCREE_CONE ? -1 : 1; side >= -1; side -= 2)
        sc_set3(0, 0, side, wanted[faces]), wanted[faces++][3] = s->half;
    if (s->type == SCREE_HULL && s->geometry->faces > 70) return;
    const int given = kind->side_faces(s, x, n, cosine, off, plane);
    for (int k = 0; k < faces; k++)
      if (fabs(sc_dot(wanted[k], n)) <= cosine && fabs(sc_dot(wanted[k], x) - wanted[k][3]) <= off) {
        bool is_there = count >= SC_MAX_SIDE_FACES;
        for (int i = 0; i < given; i++) {
          bool is_same = true;
          for (int c = 0; c < 4; c++) is_same = is_same && plane[i][c] == wanted[k][c];
          is_there = is_there || is_same;
        }
        assert_true(is_there);
        count++;
      }
    assert_int_equal(given, count < SC_MAX_SIDE_FACES ? count : SC_MAX_SIDE_FACES);
    found_some += given > 0;
  }
  assert_true(!kind->side_faces || found_some > 3);
}

/* Checks the corners of the polyhedron that represents a shape in exports. */
typedef struct corners {
  const sc_shape *s;
  double min[3], max[3];
  uint32_t count;
} corners;
static void take_corner(void *to, const double point[3], uint32_t name) {
  corners *all = to;
  if (all->s->type != SCREE_CAPSULE) near_to(outside(all->s, point), 0, 1e-7);
  for (int k = 0; k < 3; k++)
    all->min[k] = fmin(all->min[k], point[k]), all->max[k] = fmax(all->max[k], point[k]);
  assert_true(name == all->count || name == 24 || name == all->count / 2 + 24 * (all->count % 2));
  all->count++;
}

static void check_corners(const sc_shape *s) {
  static const uint32_t counts[SCREE_SHAPE_TYPES] = {
      [SCREE_CAPSULE] = 2, [SCREE_BOX] = 8, [SCREE_CYLINDER] = 48, [SCREE_CONE] = 25};
  const sc_shape_kind *kind = sc_kind_of(s);
  corners all = {s, {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0};
  double middle[3] = {0, 0, 0}, half[3];
  if (!kind->corners) return;
  kind->corners(s, &(sc_point_sink){take_corner, &all});
  kind->box(s, middle, half);
  if (counts[s->type]) assert_int_equal(all.count, counts[s->type]);
  for (int k = 0; k < 3; k++) {
    const double r = core_radius(s);
    near_to(all.max[k] + r, middle[k] + half[k], 1e-12);
    near_to(all.min[k] - r, middle[k] - half[k], 1e-12);
  }
}

static void every_kind(void **unused) {
  (void)unused;
  static cloud all;
  sc_rng_seed(&rng, 41);
  for (int k = 0; k < KINDS; k++)
    for (int trial = 0; trial < TRIALS; trial++) {
      const sc_shape s = make(types[k], trial);
      const int sides = trial % 3 == 2 ? 16 : trial == 1 ? 8 : 0;
      all.count = 0, all.volume = 0;
      sc_kind_of(&s)->triangles(&s, &(sc_triangle_sink){add_triangle, &all, sides});
      check_cloud(&s, &all, sides ? sides : 48);
      if (!sides) check_support(&s, &all), check_distance(&s, &all), check_side_faces(&s, &all);
      check_face(&s), check_bend(&s), check_drop(&s), check_corners(&s);
      scree_geometry_release(s.geometry);
    }
}

/* Checks sizes for exports: half extents, but the whole length of solids of revolution about z. */
static void axes_of_kinds(void **unused) {
  (void)unused;
  sc_rng_seed(&rng, 42);
  for (int k = 0; k < KINDS; k++) {
    const sc_shape s = make(types[k], 0);
    const sc_shape_kind *kind = sc_kind_of(&s);
    double axes[3], size = -1;
    assert_int_equal(kind->axes == NULL, s.type == SCREE_SPHERE || s.type == SCREE_HULL);
    if (kind->axes) {
      kind->axes(&s, axes);
      const bool is_round = s.type == SCREE_CAPSULE || s.type == SCREE_CYLINDER || s.type == SCREE_CONE;
      for (int i = 0; i < 3; i++)
        near_to(axes[i], is_round ? (i < 2 ? s.radius : 2 * s.half) : s.extent[i], 0);
    }
    if (kind->core) {
      near_to(kind->core(&s, &size), s.radius, 0);
      near_to(size, s.type == SCREE_CAPSULE ? s.half : 0, 0);
    }
    scree_geometry_release(s.geometry);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind), cmocka_unit_test(axes_of_kinds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
