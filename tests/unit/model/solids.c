/* Tests closed meshes of nested and overlapping boxes, points inside meshes, welding, and balls that fill a
 * solid. Compares results with closed forms and with searches without a tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

static const int32_t faces_of_box[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
static sc_rng rng;

static double draw(double low, double high) { return low + (high - low) * sc_rng_unit(&rng); }

static void near_to(double value, double wanted, double within) {
  if (!(fabs(value - wanted) <= within)) print_error("%.17g instead of %.17g\n", value, wanted);
  assert_true(fabs(value - wanted) <= within);
}

enum { BOXES = 6 };
typedef struct soup {
  double point[8 * BOXES][3];
  int32_t triangle[12 * BOXES][3];
  int boxes;
} soup;

/* Adds a box. The order of corners of a triangle is reversed if its bit in `back` is set. */
static void add_box(soup *s, const double min[3], const double max[3], unsigned back) {
  for (int p = 0; p < 8; p++)
    sc_set3(p & 1 ? max[0] : min[0], p & 2 ? max[1] : min[1], p & 4 ? max[2] : min[2],
        s->point[8 * s->boxes + p]);
  for (int t = 0; t < 12; t++)
    for (int k = 0; k < 3; k++)
      s->triangle[12 * s->boxes + t][k] = 8 * s->boxes + faces_of_box[t][back >> t & 1 && k ? 3 - k : k];
  s->boxes++;
}

/* Adds a cube about a point. */
static void add_cube(soup *s, double x, double y, double z, double half, unsigned back) {
  add_box(s, (double[3]){x - half, y - half, z - half}, (double[3]){x + half, y + half, z + half}, back);
}

static scree_geometry *make_mesh(const soup *s, int solid, double weld, scree_error *error) {
  scree_mesh_def def = {.points = s->point,
      .points_count = 8 * s->boxes,
      .triangles = s->triangle,
      .triangles_count = 12 * s->boxes,
      .solid = solid,
      .weld = weld};
  return scree_geometry_mesh(&def, error);
}

static int count_bits(unsigned x) { return x ? (int)(x & 1) + count_bits(x >> 1) : 0; }

/* Cubes in cubes: cubes at odd depth are cavities. The triangles start with random senses. */
static void nested_cubes(void **unused) {
  (void)unused;
  static const struct {
    double x, y, z, half;
    int depth;
  } rows[BOXES] = {{0, 0, 0, 8, 0}, {1, 1, 1, 6, 1}, {-1, 2, 0, 2, 2}, {4, -1, 3, 1, 2},
      {-1, 2.5, 0.25, 1, 3}, {20, 0, 0, 3, 0}};
  sc_rng_seed(&rng, 31);
  for (int trial = 0; trial < 40; trial++) {
    soup s = {.boxes = 0};
    double volume = 0;
    int turned = 0;
    for (int k = 0; k < BOXES; k++) {
      const int row = (k + trial) % BOXES; /* in any order */
      const unsigned back = trial < 6 ? (trial % 2 ? 0xfff : 0) : (unsigned)sc_rng_next(&rng) & 0xfff;
      add_cube(&s, rows[row].x, rows[row].y, rows[row].z, rows[row].half, back);
      const double part = pow(2 * rows[row].half, 3);
      volume += rows[row].depth % 2 ? -part : part;
      turned += rows[row].depth % 2 ? 12 - count_bits(back) : count_bits(back);
    }
    scree_error error = {0};
    scree_geometry *g = make_mesh(&s, 1, 0, &error);
    if (!g) print_error("%s\n", error.text);
    assert_non_null(g);
    assert_true(g->closed && g->is_solid);
    assert_int_equal(g->turned, turned);
    near_to(g->solid.mass, volume, 1e-9);
    for (int n = 0; n < 300; n++) {
      const double x[3] = {draw(-9, 24), draw(-9, 9), draw(-9, 9)};
      bool in = false;
      for (int k = 0; k < BOXES; k++)
        if (fabs(x[0] - rows[k].x) < rows[k].half && fabs(x[1] - rows[k].y) < rows[k].half &&
            fabs(x[2] - rows[k].z) < rows[k].half)
          in = !in;
      assert_int_equal(sc_geometry_holds(g, x), in);
    }
    /* the normals of a solid point away from it */
    for (int32_t t = 0; t < g->triangles; t++) {
      double middle[3] = {0, 0, 0}, out[3], inner[3];
      for (int c = 0; c < 3; c++) sc_axpy(1.0 / 3, g->point[g->triangle[t][c]], middle, middle);
      sc_axpy(1e-3, g->normal[t], middle, out), sc_axpy(-1e-3, g->normal[t], middle, inner);
      assert_true(sc_geometry_holds(g, inner) && !sc_geometry_holds(g, out));
    }
    scree_geometry_release(g);
  }
}

/* Rays through corners and edges cross exactly one of the triangles that meet there. */
static void rays_through_corners(void **unused) {
  (void)unused;
  soup s = {.boxes = 0};
  add_cube(&s, 0, 0, 0, 2, 0), add_cube(&s, 0, 0, 0, 1, 0);
  scree_geometry *g = make_mesh(&s, 1, 0, NULL);
  assert_non_null(g);
  for (int i = -3; i <= 3; i++)
    for (int j = -3; j <= 3; j++)
      for (int k = -3; k <= 3; k++) {
        const double x[3] = {0.75 * i, 0.5 * j, 0.5 * k}; /* y and z also on edges of the inner cube */
        const double far = fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
        if (far != 1) assert_int_equal(sc_geometry_holds(g, x), far > 1 && far < 2);
      }
  scree_geometry_release(g);
}

/* An open surface gets the sense of most of its triangles. Triangles of a one-sided strip retain their
 * senses. */
static void open_surfaces(void **unused) {
  (void)unused;
  enum { STRIP = 24 };
  double point[2 * STRIP][3];
  int32_t triangle[2 * STRIP][3];
  for (int twist = 0; twist < 2; twist++)
    for (int back = 0; back <= 2 * STRIP; back += 7) {
      for (int i = 0; i < STRIP; i++)
        for (int side = 0; side < 2; side++) {
          const double a = 2 * 3.14159265358979 * i / STRIP, b = (side ? 0.3 : -0.3), h = twist * a / 2;
          sc_set3((2 + b * cos(h)) * cos(a), (2 + b * cos(h)) * sin(a), b * sin(h), point[2 * i + side]);
        }
      for (int i = 0; i < STRIP; i++) {
        const bool last = i + 1 == STRIP;
        const int a = 2 * i, b = a + 1, c = last ? twist : a + 2, d = last ? 1 - twist : a + 3;
        memcpy(triangle[2 * i], (int32_t[3]){a, c, b}, sizeof *triangle);
        memcpy(triangle[2 * i + 1], (int32_t[3]){b, c, d}, sizeof *triangle);
      }
      for (int t = 0; t < back; t++) {
        const int32_t corner = triangle[t][0];
        triangle[t][0] = triangle[t][1], triangle[t][1] = corner;
      }
      scree_mesh_def def = {.points = (const double(*)[3])point,
          .points_count = 2 * STRIP,
          .triangles = (const int32_t(*)[3])triangle,
          .triangles_count = 2 * STRIP};
      scree_geometry *g = scree_geometry_mesh(&def, NULL);
      assert_non_null(g);
      assert_false(g->closed);
      assert_int_equal(g->turned, twist ? 0 : back > STRIP ? 2 * STRIP - back : back);
      assert_int_equal(g->triangles, 2 * STRIP);
      scree_geometry_release(g);
    }
}

/* Two boxes at random distances overlap if their interiors intersect and neither box contains the other box.
 * */
static void overlapping_parts(void **unused) {
  (void)unused;
  sc_rng_seed(&rng, 33);
  int found[2] = {0, 0};
  for (int trial = 0; trial < 600; trial++) {
    double min[3], max[3], lattice[3];
    bool apart = false, inside = true, around = true;
    for (int k = 0; k < 3; k++) {
      /* multiples of 1/4, so that faces often touch */
      lattice[k] = floor(draw(-6, 7)) / 4, min[k] = lattice[k], max[k] = min[k] + floor(draw(1, 8)) / 4;
      apart = apart || min[k] >= 1 || max[k] <= -1;
      inside = inside && min[k] >= -1 && max[k] <= 1, around = around && min[k] <= -1 && max[k] >= 1;
    }
    soup s = {.boxes = 0};
    if (trial % 2) add_cube(&s, 5, 5, 5, 1, 0);
    add_cube(&s, 0, 0, 0, 1, 0);
    add_box(&s, min, max, 0);
    if (inside || around) continue;
    scree_error error = {0};
    scree_geometry *g = make_mesh(&s, 0, 0, &error);
    assert_non_null(g);
    assert_int_equal(g->closed, apart);
    if (apart)
      near_to(g->solid.mass, (trial % 2 ? 16 : 8) + (max[0] - min[0]) * (max[1] - min[1]) * (max[2] - min[2]),
          1e-9);
    else assert_true(g->solid.mass == 0);
    scree_geometry_release(g);
    g = make_mesh(&s, 1, 0, &error);
    assert_int_equal(g != NULL, apart);
    scree_geometry_release(g);
    found[apart]++;
    if (apart) continue;
    char wanted[200];
    const int first = trial % 2 ? 13 : 1;
    const double *x = s.point[8 * (trial % 2)], *y = s.point[8 * (trial % 2) + 8];
    snprintf(wanted, sizeof wanted, "the part of triangle %d at (%g, %g, %g)", first, x[0], x[1], x[2]);
    assert_non_null(strstr(error.text, wanted));
    snprintf(wanted, sizeof wanted, "the part of triangle %d at (%g, %g, %g)", first + 12, y[0], y[1], y[2]);
    assert_non_null(strstr(error.text, wanted));
    assert_int_equal(error.status, SCREE_E_ARGUMENT);
  }
  assert_true(found[0] > 100 && found[1] > 100);
}

/* Tests errors about meshes that are not solid: triangle, place and number of edges. */
static void flaws_are_named(void **unused) {
  (void)unused;
  for (int gap = 0; gap < 12; gap++) {
    soup s = {.boxes = 0};
    add_cube(&s, 0, 0, 0, 1, 0);
    memmove(s.triangle[gap], s.triangle[gap + 1], (size_t)(11 - gap) * sizeof *s.triangle);
    scree_mesh_def def = {
        .points = s.point, .points_count = 8, .triangles = s.triangle, .triangles_count = 11, .closed = 1};
    scree_error error = {0};
    assert_null(scree_geometry_mesh(&def, &error));
    int triangle = 0, edges = 0;
    double x[3];
    assert_int_equal(
        sscanf(error.text,
            "the mesh is open: triangle %d has no neighbour across its edge at (%lf, %lf, %lf) (%d open",
            &triangle, x, x + 1, x + 2, &edges),
        5);
    assert_int_equal(edges, 3);
    bool is_there = false;
    for (int k = 0; k < 3; k++) {
      const int32_t p = s.triangle[triangle - 1][k], q = s.triangle[triangle - 1][(k + 1) % 3];
      int in_gap = 0;
      for (int i = 0; i < 3; i++) in_gap += faces_of_box[gap][i] == p || faces_of_box[gap][i] == q;
      double d[3];
      for (int i = 0; i < 3; i++) d[i] = 0.5 * (s.point[p][i] + s.point[q][i]) - x[i];
      is_there = is_there || (in_gap == 2 && sc_norm(d) < 1e-9);
    }
    assert_true(is_there);
    assert_null(strstr(error.text, "wall"));
    def.solid = 1;
    assert_null(scree_geometry_mesh(&def, &error));
    assert_non_null(strstr(error.text, "; without solid = true it is a wall"));
  }
  /* two cubes that share an edge: four triangles meet there */
  soup s = {.boxes = 0};
  add_cube(&s, 0, 0, 0, 1, 0), add_cube(&s, 2, 2, 0, 1, 0);
  scree_error error = {0};
  assert_null(make_mesh(&s, 1, 1e-9, &error));
  assert_non_null(strstr(error.text, "meet at (1, 1, 0) with others at one edge (1 such edges)"));
  scree_geometry *g = make_mesh(&s, 0, 1e-9, &error);
  assert_non_null(g);
  assert_true(!g->closed && g->welded == 0 && g->points == 14);
  scree_geometry_release(g);
}

/* Tests errors about wrong values of a definition. */
static void bad_definitions(void **unused) {
  (void)unused;
  soup s = {.boxes = 0};
  add_cube(&s, 0, 0, 0, 1, 0);
  const scree_mesh_def good = {
      .points = s.point, .points_count = 8, .triangles = s.triangle, .triangles_count = 12};
  for (int n = 0; n < 10; n++) {
    scree_mesh_def def = good;
    const char *reason = "";
    scree_error error = {0};
    s.point[3][1] = 1, s.triangle[4][2] = 4;
    if (n == 0) def.scale = -1, reason = "scale must be positive and finite, not -1";
    if (n == 1) def.scale = INFINITY, reason = "scale must be positive and finite, not inf";
    if (n == 2) def.weld = -2, reason = "weld must be finite and not negative, not -2";
    if (n == 3) def.weld = NAN, reason = "weld must be finite and not negative";
    if (n == 4) s.point[3][1] = NAN, reason = "point 4 of the mesh is not finite";
    if (n == 5) s.triangle[4][2] = -1, reason = "triangle 5 names point 0 of 8";
    if (n == 6) s.triangle[4][2] = 8, reason = "triangle 5 names point 9 of 8";
    if (n == 7) def.points_count = INT32_MAX / 8 + 1LL, reason = "is too large";
    if (n == 8) def.triangles_count = INT32_MAX / 8 + 1LL, reason = "is too large";
    if (n == 9)
      def.weld = 5,
      reason = "none of the 12 triangles has an area: weld = 5 m joins their corners; take a smaller weld";
    assert_null(scree_geometry_mesh(&def, &error));
    if (!strstr(error.text, reason)) print_error("%s\n", error.text);
    assert_non_null(strstr(error.text, reason));
    assert_int_equal(error.status, SCREE_E_ARGUMENT);
  }
}

/* ---- welding ---- */

/* Welds points of a lattice with noise. A point merges into the nearest retained point within the tolerance.
 * If retained points are equally near, it merges into the first of them. A point without a retained point
 * nearby is retained. */
static void welding(void **unused) {
  (void)unused;
  enum { POINTS = 400 };
  sc_rng_seed(&rng, 34);
  for (int trial = 0; trial < 12; trial++) {
    static double point[POINTS][3], before[POINTS][3], kept[POINTS][3];
    int32_t name[POINTS], triangle[POINTS][3], count = POINTS, welded = -1, kept_count = 0, moved = 0;
    const double tolerance = trial % 4 ? pow(10, -trial % 4 - 1) : 0,
                 noise = trial % 3 ? 2 * tolerance : tolerance / 2;
    for (int p = 0; p < POINTS; p++)
      for (int k = 0; k < 3; k++) {
        point[p][k] = floor(draw(-3, 3)) * (trial < 6 ? 1 : 8 * tolerance) +
            (tolerance > 0 ? noise * floor(draw(-4, 5)) / 4 : 0);
        if (point[p][k] == 0 && p % 2) point[p][k] = -0.0;
        before[p][k] = point[p][k];
      }
    for (int t = 0; t < POINTS; t++)
      for (int k = 0; k < 3; k++) triangle[t][k] = (t * 7 + k * 131) % POINTS;
    for (int p = 0; p < POINTS; p++) {
      double best = INFINITY;
      name[p] = -1;
      for (int32_t q = 0; q < kept_count; q++) {
        double far = 0;
        for (int k = 0; k < 3; k++) far = fmax(far, fabs(kept[q][k] - point[p][k]));
        if (far <= tolerance && far < best) best = far, name[p] = q;
      }
      if (name[p] < 0) sc_copy3(point[p], kept[name[p] = kept_count++]);
      else moved += best > 0;
    }
    assert_true(sc_weld_points(point, &count, triangle, POINTS, tolerance, &welded));
    assert_int_equal(count, kept_count);
    assert_int_equal(welded, moved);
    assert_true(count < POINTS);
    for (int32_t p = 0; p < count; p++)
      for (int k = 0; k < 3; k++) assert_true(point[p][k] == kept[p][k]);
    for (int t = 0; t < POINTS; t++)
      for (int k = 0; k < 3; k++) assert_int_equal(triangle[t][k], name[(t * 7 + k * 131) % POINTS]);
    assert_true(before[0][0] == point[0][0]);
  }
}

/* A mesh whose definition has no tolerance merges points up to 4e-6 of its largest extent. Points without
 * triangles do not count for the extent. Triangles without area are removed and counted. */
static void automatic_welding(void **unused) {
  (void)unused;
  for (int axis = 0; axis < 3; axis++)
    for (int n = 0; n < 2; n++) {
      const double apart = 10 * 4e-6 * (n ? 1.001 : 0.999);
      double point[7][3] = {{0}};
      point[1][axis] = 10, point[2][(axis + 1) % 3] = 1, point[6][axis] = 1e6;
      sc_copy3(point[1], point[3]), sc_copy3(point[2], point[4]);
      point[3][(axis + 2) % 3] += apart, point[5][(axis + 2) % 3] = 1;
      const int32_t triangle[3][3] = {{0, 1, 2}, {3, 4, 5}, {1, 3, 2}};
      scree_mesh_def def = {.points = (const double(*)[3])point,
          .points_count = 7,
          .triangles = triangle,
          .triangles_count = 3,
          .weld = SCREE_WELD_AUTO};
      scree_geometry *g = scree_geometry_mesh(&def, NULL);
      assert_non_null(g);
      assert_int_equal(g->welded, !n);
      assert_int_equal(g->points, n ? 6 : 5);
      assert_int_equal(g->dropped, !n);
      assert_int_equal(g->triangles, n ? 3 : 2);
      scree_geometry_release(g);
    }
}

/* ---- balls that fill a solid ---- */

static double distance_of(const scree_sphere *ball, int64_t count, const double x[3]) {
  double least = INFINITY, d[3];
  for (int64_t k = 0; k < count; k++) {
    sc_sub(x, ball[k].centre, d);
    least = fmin(least, fmax(0, sc_norm(d) - ball[k].radius));
  }
  return least;
}

/* Computes the mean and largest distance of balls from the surface of a box of half extents e, by points of
 * equal area. */
static void measure_box_surface(
    const double e[3], const scree_sphere *ball, int64_t count, double *mean, double *most) {
  enum { N = 60 };
  double area = 0;
  *mean = *most = 0;
  for (int axis = 0; axis < 3; axis++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (int side = -1; side < 2; side += 2) {
          double x[3];
          x[axis] = side * e[axis], x[u] = e[u] * (2 * (i + 0.5) / N - 1),
          x[v] = e[v] * (2 * (j + 0.5) / N - 1);
          const double far = distance_of(ball, count, x), part = e[u] * e[v];
          *mean += part * far, area += part, *most = fmax(*most, far);
        }
      }
  *mean /= area;
  for (int p = 0; p < 8; p++)
    *most = fmax(*most,
        distance_of(
            ball, count, (double[3]){p & 1 ? e[0] : -e[0], p & 2 ? e[1] : -e[1], p & 4 ? e[2] : -e[2]}));
}

static void balls_in_boxes(void **unused) {
  (void)unused;
  static const double halves[][3] = {{1, 1, 1}, {1, 2, 3}, {3, 1, 2}};
  for (size_t n = 0; n < sizeof halves / sizeof *halves; n++) {
    soup s = {.boxes = 0};
    const double *e = halves[n];
    add_box(&s, (double[3]){-e[0], -e[1], -e[2]}, e, 0);
    scree_geometry *all[] = {make_mesh(&s, 0, 0, NULL), scree_geometry_hull(s.point, 8, NULL)};
    for (int form = 0; form < 2; form++) {
      double before = INFINITY;
      for (int64_t count = 1; count <= 8; count += count > 2 ? 5 : 1) {
        static scree_sphere ball[8];
        scree_spheres_def def = scree_spheres_defaults();
        scree_spheres_result result;
        double mean, most;
        def.count = count, def.samples = 1200;
        assert_int_equal(scree_geometry_spheres(all[form], &def, ball, &result, NULL), SCREE_OK);
        assert_int_equal(result.count, count);
        near_to(ball[0].radius, 1, 0.05);
        for (int64_t k = 0; k < count; k++)
          for (int c = 0; c < 3; c++) assert_true(fabs(ball[k].centre[c]) + ball[k].radius <= e[c] + 1e-6);
        measure_box_surface(e, ball, count, &mean, &most);
        near_to(result.mean, mean, 0.03 * mean);
        assert_true(result.deviation <= 1.02 * most && result.deviation >= 0.85 * most);
        assert_true(result.mean < before);
        before = result.mean;
      }
      scree_geometry_release(all[form]);
    }
  }
}

/* The search for balls ends at `deviation` and at `smallest`. */
static void ends_of_the_search(void **unused) {
  (void)unused;
  soup s = {.boxes = 0};
  add_box(&s, (double[3]){-1, -1, -1}, (double[3]){1, 1, 1}, 0);
  scree_geometry *g = make_mesh(&s, 0, 0, NULL);
  static scree_sphere ball[64];
  scree_spheres_def def = scree_spheres_defaults();
  scree_spheres_result all, few;
  scree_error error = {0};
  assert_int_equal(def.count, 20), assert_int_equal(def.samples, 1000);
  def.count = 40;
  assert_int_equal(scree_geometry_spheres(g, &def, ball, &all, &error), SCREE_OK);
  for (int64_t k = 0; k < all.count; k++)
    assert_true(ball[k].radius >= 0.1 - 1e-6); /* a tenth of the largest */
  def.deviation = 0.5;
  assert_int_equal(scree_geometry_spheres(g, &def, ball, &few, &error), SCREE_OK);
  assert_true(few.count > 1 && few.count < all.count && few.deviation <= 0.5);
  const int64_t enough = few.count;
  def.count = enough - 1;
  assert_int_equal(scree_geometry_spheres(g, &def, ball, &few, &error), SCREE_OK);
  assert_true(few.deviation > 0.5 && few.count == enough - 1);
  def.count = 64, def.deviation = 0, def.smallest = 0.9;
  assert_int_equal(scree_geometry_spheres(g, &def, ball, &few, &error), SCREE_OK);
  for (int64_t k = 0; k < few.count; k++) assert_true(ball[k].radius >= 0.9);
  def.smallest = 1.5;
  assert_int_equal(scree_geometry_spheres(g, &def, ball, &few, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "no ball of that size fits into the solid"));
  scree_geometry_release(g);
  s.boxes = 0;
  add_cube(&s, 0, 0, 0, 1, 0);
  scree_mesh_def open = {
      .points = s.point, .points_count = 8, .triangles = s.triangle, .triangles_count = 11};
  g = scree_geometry_mesh(&open, NULL);
  def = scree_spheres_defaults();
  assert_int_equal(scree_geometry_spheres(g, &def, ball, &few, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "only a closed mesh or a hull can be filled with balls"));
  scree_geometry_release(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nested_cubes), cmocka_unit_test(rays_through_corners),
      cmocka_unit_test(open_surfaces), cmocka_unit_test(overlapping_parts), cmocka_unit_test(flaws_are_named),
      cmocka_unit_test(bad_definitions), cmocka_unit_test(welding), cmocka_unit_test(automatic_welding),
      cmocka_unit_test(balls_in_boxes), cmocka_unit_test(ends_of_the_search)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
