/* Hulls, meshes and mass properties against closed forms; valid and invalid files; every error message gives
 * the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"
#include "model/mass.h"

static const double cube_points[8][3] = {
    {-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}};
static const int32_t cube_triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4},
    {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static void assert_near(double value, double wanted, double within) {
  if (!(fabs(value - wanted) <= within)) print_error("%.17g instead of %.17g\n", value, wanted);
  assert_true(fabs(value - wanted) <= within);
}

/* ---- hulls ---- */

/* Checks edges and the angles in `nearer` of a hull.
 * - Each edge lies in the planes of both its faces and on the rim planes of these faces.
 * - `depth` of an edge is at most the depth of the far corner of the neighbouring triangle below the face.
 * - nearer[f] is the cosine of an angle. No other face normal is within twice this angle of the normal of
 * f. */
static void check_tables(const scree_geometry *g) {
  assert_int_equal(g->edges, g->first[g->faces] / 2);
  for (const sc_edge *e = g->edge; e < g->edge + g->edges; e++)
    for (int side = 0; side < 2; side++) {
      const double *plane = g->plane[e->face[side]], *p = g->point[e->end[side]];
      double middle[3], beside = INFINITY;
      sc_axpy(side ? -0.5 : 0.5, e->way, p, middle);
      assert_near(sc_dot(plane, middle), plane[3], 2e-7 * g->bound);
      for (int32_t k = g->first[e->face[side]]; k < g->first[e->face[side] + 1]; k++)
        if (g->corner[k] == e->end[side]) beside = sc_dot(g->rim[k], middle) - g->rim[k][3];
      assert_near(beside, 0, 1e-9 * g->bound);
      const int32_t other = e->face[1 - side];
      assert_true(e->depth[side] >= 0 && e->face[0] != e->face[1]);
      for (int32_t k = g->first[other]; k < g->first[other + 1]; k++)
        if (g->faces > 4 && g->first[other + 1] - g->first[other] == 3 && g->corner[k] != e->end[0] &&
            g->corner[k] != e->end[1])
          assert_true(e->depth[side] <= plane[3] - sc_dot(plane, g->point[g->corner[k]]) + 1e-12 * g->bound);
    }
  for (int32_t f = 0; f < g->faces && g->nearer[f] < 1; f++)
    for (int32_t k = 0; k < g->faces; k++)
      assert_true(k == f || 2 * g->nearer[f] * g->nearer[f] - 1 >= sc_dot(g->plane[f], g->plane[k]));
}

/* Checks that every input point is inside all faces, that the corners of each face lie in its plane, and that
 * the numbers of points, edges and faces satisfy Euler's formula. */
static void check_hull(const scree_geometry *g, const double (*points)[3], int count) {
  int32_t edges = g->first[g->faces] / 2;
  assert_int_equal(g->points - edges + g->faces, 2);
  check_tables(g);
  for (int32_t f = 0; f < g->faces; f++) {
    assert_near(sc_norm(g->plane[f]), 1, 1e-12);
    for (int p = 0; p < count; p++)
      assert_true(sc_dot(g->plane[f], points[p]) <= g->plane[f][3] + 1e-9 * g->bound);
    for (int32_t k = g->first[f]; k < g->first[f + 1]; k++)
      assert_near(sc_dot(g->plane[f], g->point[g->corner[k]]), g->plane[f][3], 2e-7 * g->bound);
  }
}

static void cube_hull_has_six_faces(void **unused) {
  (void)unused;
  double points[60][3];
  sc_rng rng;
  sc_rng_seed(&rng, 5);
  for (int p = 0; p < 60; p++)
    for (int k = 0; k < 3; k++)
      points[p][k] = p < 8 ? cube_points[p][k] * (1 + 1e-13 * sc_rng_unit(&rng)) : 2 * sc_rng_unit(&rng) - 1;
  /* a point on a face, a point on an edge, and a corner that occurs twice */
  sc_set3(1, 0.3, 0.2, points[20]);
  sc_set3(1, 1, 0.5, points[21]);
  sc_copy3(cube_points[3], points[22]);
  scree_geometry *g = scree_geometry_hull((const double(*)[3])points, 60, NULL);
  assert_non_null(g);
  assert_int_equal(g->faces, 6);
  assert_int_equal(g->points, 8);
  check_hull(g, (const double(*)[3])points, 60);
  assert_near(g->solid.mass, 8, 1e-11);
  sc_mass box = sc_mass_box((double[3]){1, 1, 1}, 1);
  for (int k = 0; k < 6; k++) assert_near(g->solid.inertia[k], box.inertia[k], 1e-10);
  scree_geometry_release(g);
}

static void random_hulls_are_convex(void **unused) {
  (void)unused;
  sc_rng rng;
  sc_rng_seed(&rng, 6);
  static double points[600][3];
  for (int trial = 0; trial < 60; trial++) {
    int count = 4 + (int)(sc_rng_unit(&rng) * (trial < 50 ? 60 : 590));
    for (int p = 0; p < count; p++) {
      for (int k = 0; k < 3; k++) points[p][k] = 2 * sc_rng_unit(&rng) - 1;
      /* points on a sphere, on a coarse lattice (many in one plane) or in a cube; every fourth hull is tiny
       * and far from the origin */
      if (trial % 3 == 0) sc_normalise(points[p], points[p]);
      if (trial % 3 == 1 && count > 30)
        for (int k = 0; k < 3; k++) points[p][k] = floor(3 * points[p][k]);
      if (trial % 4 == 3) sc_scale(1e-6, points[p], points[p]), points[p][0] += 1e-4;
    }
    scree_geometry *g = scree_geometry_hull((const double(*)[3])points, count, NULL);
    assert_non_null(g);
    check_hull(g, (const double(*)[3])points, count);
    assert_true(g->solid.mass > 0);
    scree_geometry_release(g);
  }
}

/* The hull of many points on a sphere has nearly the mass properties of the sphere. */
static void round_hull_tends_to_a_sphere(void **unused) {
  (void)unused;
  enum { COUNT = 15000 };
  static double points[COUNT][3];
  for (int k = 0; k < COUNT; k++) {
    double z = 1 - (2 * k + 1.0) / COUNT, r = sqrt(1 - z * z);
    sc_set3(r * cos(2.399963229728653 * k) + 5, r * sin(2.399963229728653 * k), z, points[k]);
  }
  scree_geometry *g = scree_geometry_hull((const double(*)[3])points, COUNT, NULL);
  assert_non_null(g);
  assert_int_equal(g->points, COUNT);
  sc_mass ball = sc_mass_sphere(1, 1);
  assert_near(g->solid.mass, ball.mass, 0.01 * ball.mass);
  assert_near(g->solid.centre[0], 5, 1e-3);
  assert_near(g->solid.inertia[0], ball.inertia[0], 0.02 * ball.inertia[0]);
  assert_near(g->solid.inertia[1], 0, 1e-3);
  scree_geometry_release(g);
}

/* The hull of rings of points on a prism's edges must be the prism. The prism is upright, rotated, or rounded
 * to single precision. Most points lie on edges within rounding errors. */
static void rings_make_a_prism(void **unused) {
  (void)unused;
  enum { MOST = 48, RINGS = 13 };
  static double points[MOST * RINGS][3];
  sc_rng rng;
  sc_rng_seed(&rng, 5);
  for (int trial = 0; trial < 300; trial++) {
    const int sides = 3 + trial % (MOST - 2), rings = 2 + trial % (RINGS - 1), count = sides * rings;
    const double around = 8 * atan(1) / sides, volume = 0.5 * sides * sin(around) * 0.3 * (rings - 1);
    double q[4] = {1, 0, 0, 0};
    for (int k = 0; k < 4 && trial % 3; k++) q[k] = sc_rng_unit(&rng) - 0.5;
    sc_quat_normalise(q, q);
    for (int p = 0; p < count; p++) {
      const double at[3] = {cos(around * (p % sides)), sin(around * (p % sides)), 0.3 * (p / sides)};
      sc_quat_rotate(q, at, points[p]);
      for (int k = 0; k < 3 && trial % 3 == 2; k++) points[p][k] = (float)points[p][k];
    }
    scree_geometry *g = scree_geometry_hull((const double(*)[3])points, count, NULL);
    assert_non_null(g);
    if (trial % 3 < 2) assert_int_equal(g->faces, sides + 2);
    if (trial % 3 == 0) assert_int_equal(g->points, 2 * sides);
    assert_near(g->solid.mass, volume, 1e-6 * volume);
    scree_geometry_release(g);
  }
}

/* Point sets for which rounding errors give contradictory orientations: points of a lattice that is stretched
 * by up to 1e6 and rotated, with random shifts of 1e-6 to 1e-17 of the lattice spacing. Points may coincide.
 * Each hull must be valid, or an error must refuse it. */
static void points_close_to_each_other(void **unused) {
  (void)unused;
  enum { COUNT = 120 };
  double points[COUNT][3];
  int made = 0, refused = 0;
  sc_rng rng;
  sc_rng_seed(&rng, 11);
  for (int trial = 0; trial < 1500; trial++) {
    const double noise = pow(10, -6 - 11 * sc_rng_unit(&rng));
    const double stretch[3] = {1, pow(10, -6 * sc_rng_unit(&rng)), pow(10, -6 * sc_rng_unit(&rng))};
    double q[4], at[3];
    for (int k = 0; k < 4; k++) q[k] = sc_rng_unit(&rng) - 0.5;
    sc_quat_normalise(q, q);
    for (int p = 0; p < COUNT; p++) {
      for (int k = 0; k < 3; k++)
        at[k] = stretch[k] * (floor(4 * sc_rng_unit(&rng)) + noise * (sc_rng_unit(&rng) - 0.5));
      sc_quat_rotate(q, at, points[p]);
    }
    scree_error error = {SCREE_OK, ""};
    scree_geometry *g = scree_geometry_hull((const double(*)[3])points, COUNT, &error);
    if (!g) assert_int_equal(error.status, SCREE_E_ARGUMENT), refused++;
    if (!g) continue;
    made++;
    assert_int_equal(g->points - g->first[g->faces] / 2 + g->faces, 2);
    for (int32_t f = 0; f < g->faces; f++)
      for (int p = 0; p < COUNT; p++)
        assert_true(sc_dot(g->plane[f], points[p]) <= g->plane[f][3] + 1e-6 * g->bound);
    scree_geometry_release(g);
  }
  print_message("%d hulls, %d refused\n", made, refused);
  assert_true(made > 1000);
}

static void refuse_hull(const double (*points)[3], int64_t count, const char *reason) {
  scree_error error = {0};
  assert_null(scree_geometry_hull(points, count, &error));
  if (!strstr(error.text, reason)) print_error("\"%s\" does not say \"%s\"\n", error.text, reason);
  assert_non_null(strstr(error.text, reason));
}

static void bad_hulls_are_refused(void **unused) {
  (void)unused;
  double points[8][3];
  refuse_hull(cube_points, 3, "at least 4 points");
  refuse_hull(cube_points, 4, "in a plane");
  memcpy(points, cube_points, sizeof points);
  points[4][2] = NAN;
  refuse_hull((const double(*)[3])points, 8, "point 5 of the hull is not finite");
  for (int k = 0; k < 8; k++) sc_set3(k, 2 * k, 0.1 * k, points[k]);
  refuse_hull((const double(*)[3])points, 8, "on a line");
  for (int k = 0; k < 8; k++) sc_set3(1, 2, 3, points[k]);
  refuse_hull((const double(*)[3])points, 8, "coincide");
}

/* ---- meshes ---- */

static scree_geometry *cube_mesh(
    scree_error *error, int closed, double scale, const int32_t (*triangles)[3], int count) {
  scree_mesh_def def = {.points = cube_points,
      .points_count = 8,
      .triangles = triangles,
      .triangles_count = count,
      .closed = closed,
      .scale = scale};
  return scree_geometry_mesh(&def, error);
}

static void refuse_mesh(const int32_t (*triangles)[3], int count, const char *reason) {
  scree_error error = {0};
  assert_null(cube_mesh(&error, 1, 1, triangles, count));
  if (!strstr(error.text, reason)) print_error("\"%s\" does not say \"%s\"\n", error.text, reason);
  assert_non_null(strstr(error.text, reason));
}

static void meshes_are_checked(void **unused) {
  (void)unused;
  scree_geometry *g = cube_mesh(NULL, 1, 0.5, cube_triangles, 12);
  assert_non_null(g);
  assert_true(g->closed);
  assert_near(g->solid.mass, 1, 1e-14);
  assert_near(g->solid.inertia[0], 1.0 / 6, 1e-14);
  scree_geometry_release(g);
  /* without two triangles the mesh is open: valid as a wall, an error as a solid */
  g = cube_mesh(NULL, 0, 1, cube_triangles, 10);
  assert_non_null(g);
  assert_false(g->closed);
  assert_true(g->solid.mass == 0);
  scree_geometry_release(g);
  refuse_mesh(cube_triangles, 10, "open");
  int32_t bad[12][3];
  memcpy(bad, cube_triangles, sizeof bad);
  bad[3][0] = 7, bad[3][1] = 5;
  g = cube_mesh(NULL, 1, 0.5, (const int32_t(*)[3])bad, 12);
  assert_non_null(g);
  assert_int_equal(g->turned, 1);
  assert_near(g->solid.mass, 1, 1e-14);
  scree_geometry_release(g);
  for (int t = 0; t < 12; t++)
    bad[t][0] = cube_triangles[t][1], bad[t][1] = cube_triangles[t][0], bad[t][2] = cube_triangles[t][2];
  g = cube_mesh(NULL, 1, 0.5, (const int32_t(*)[3])bad, 12);
  assert_non_null(g);
  assert_int_equal(g->turned, 12);
  assert_near(g->solid.mass, 1, 1e-14);
  scree_geometry_release(g);
  bad[2][1] = 8;
  refuse_mesh((const int32_t(*)[3])bad, 12, "triangle 3 names point 9 of 8");
  for (int t = 0; t < 12; t++) bad[t][0] = bad[t][1] = 2;
  refuse_mesh((const int32_t(*)[3])bad, 12, "has an area");
  refuse_mesh(cube_triangles, 0, "at least one triangle");
}

/* Triangles that a tree query has found. `seen` detects a triangle that is returned twice. */
typedef struct hits {
  int32_t count;
  uint8_t seen[4000];
} hits;
static bool hit(void *context, int32_t triangle) {
  hits *h = context;
  h->count++;
  assert_false(h->seen[triangle]);
  h->seen[triangle] = 1;
  return true;
}

static void tree_finds_all(void **unused) {
  (void)unused;
  enum { SIDE = 30, COUNT = 2 * SIDE * SIDE };
  static double points[(SIDE + 1) * (SIDE + 1)][3];
  static int32_t triangles[COUNT][3];
  sc_rng rng;
  sc_rng_seed(&rng, 8);
  for (int i = 0; i <= SIDE; i++)
    for (int j = 0; j <= SIDE; j++) sc_set3(i, j, sc_rng_unit(&rng), points[i * (SIDE + 1) + j]);
  for (int i = 0, t = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      int p = i * (SIDE + 1) + j, q = p + SIDE + 1;
      memcpy(triangles[t++], (int32_t[3]){p, q, p + 1}, sizeof *triangles);
      memcpy(triangles[t++], (int32_t[3]){q, q + 1, p + 1}, sizeof *triangles);
    }
  scree_mesh_def def = {.points = (const double(*)[3])points,
      .points_count = (SIDE + 1) * (SIDE + 1),
      .triangles = (const int32_t(*)[3])triangles,
      .triangles_count = COUNT};
  scree_geometry *g = scree_geometry_mesh(&def, NULL);
  assert_non_null(g);
  for (int trial = 0; trial < 300; trial++) {
    double min[3], max[3];
    for (int k = 0; k < 3; k++) min[k] = 34 * sc_rng_unit(&rng) - 2, max[k] = min[k] + 5 * sc_rng_unit(&rng);
    if (trial % 2) min[2] = 0.4, max[2] = 0.5;
    hits h = {0};
    sc_geometry_query(g, min, max, hit, &h);
    int32_t wanted = 0;
    for (int t = 0; t < COUNT; t++) {
      bool meets = true;
      for (int k = 0; k < 3; k++) {
        double a = points[triangles[t][0]][k], b = points[triangles[t][1]][k], c = points[triangles[t][2]][k];
        meets = meets && fmin(a, fmin(b, c)) <= max[k] && fmax(a, fmax(b, c)) >= min[k];
      }
      wanted += meets;
    }
    assert_int_equal(h.count, wanted);
  }
  scree_geometry_release(g);
}

/* ---- files ---- */

static void write_file(const char *path, const void *bytes, size_t count) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(bytes, 1, count, f), count);
  fclose(f);
}

static size_t binary_stl(unsigned char *out) {
  memset(out, ' ', 80);
  memcpy(out, "solid but binary", 16);
  uint32_t count = 12;
  memcpy(out + 80, &count, 4);
  for (int t = 0; t < 12; t++) {
    unsigned char *record = out + 84 + 50 * t;
    memset(record, 0, 50);
    for (int k = 0; k < 9; k++) {
      float x = (float)cube_points[cube_triangles[t][k / 3]][k % 3];
      memcpy(record + 12 + 4 * k, &x, 4);
    }
  }
  return 84 + 50 * 12;
}

static size_t text_stl(char *out) {
  char *at = out + sprintf(out, "solid cube\n");
  for (int t = 0; t < 12; t++) {
    at += sprintf(at, " facet normal 0 0 0\n  outer loop\n");
    for (int c = 0; c < 3; c++) {
      const double *p = cube_points[cube_triangles[t][c]];
      at += sprintf(at, "   vertex %g %g %g\n", p[0], p[1], p[2]);
    }
    at += sprintf(at, "  endloop\n endfacet\n");
  }
  return (size_t)(at + sprintf(at, "endsolid cube\n") - out);
}

static void expect_cube(const char *path) {
  scree_error error = {0};
  scree_geometry *g = scree_geometry_mesh_file(
      &(scree_file_def){.path = path, .scale = 0.5, .closed = 1}, &error);
  if (!g) print_error("%s\n", error.text);
  assert_non_null(g);
  assert_int_equal(g->points, 8);
  assert_int_equal(g->triangles, 12);
  assert_near(g->solid.mass, 1, 1e-12);
  scree_geometry_release(g);
  g = scree_geometry_hull_file(&(scree_file_def){path, 1, 0, 0}, &error);
  assert_non_null(g);
  assert_int_equal(g->faces, 6);
  scree_geometry_release(g);
}

static void refuse_file(const char *path, const char *reason) {
  scree_error error = {0};
  assert_null(scree_geometry_mesh_file(&(scree_file_def){path, 1, 0, 1}, &error));
  if (!strstr(error.text, reason) || !strstr(error.text, path))
    print_error("\"%s\" does not say \"%s\"\n", error.text, reason);
  assert_non_null(strstr(error.text, reason));
  assert_non_null(strstr(error.text, path));
}

static void files_are_read_or_refused(void **unused) {
  (void)unused;
  char dir[] = "/tmp/scree_geometryXXXXXX", stl[64], obj[64], other[64];
  assert_non_null(mkdtemp(dir));
  snprintf(stl, sizeof stl, "%s/a.stl", dir);
  snprintf(obj, sizeof obj, "%s/a.OBJ", dir);
  snprintf(other, sizeof other, "%s/a.fbx", dir);
  unsigned char bytes[1000];
  char text[8000];
  size_t count = binary_stl(bytes), length = text_stl(text);
  write_file(stl, bytes, count);
  expect_cube(stl);
  write_file(stl, bytes, count - 30);
  refuse_file(stl, "truncated");
  memcpy(bytes, "binary", 6);
  write_file(stl, bytes, count - 30);
  refuse_file(stl, "ends within triangle 12");
  write_file(stl, bytes, 40);
  refuse_file(stl, "truncated");
  write_file(stl, bytes, 84 + 50 * 10);
  refuse_file(stl, "truncated");
  float nan = NAN;
  memcpy(bytes + 84 + 50 * 4 + 12, &nan, 4);
  write_file(stl, bytes, count);
  refuse_file(stl, "triangle 5 has a coordinate that is not finite");
  write_file(stl, text, length);
  expect_cube(stl);
  write_file(stl, text, length - 14);
  refuse_file(stl, "no endsolid");
  write_file(stl, text, length / 2);
  refuse_file(stl, "truncated");
  char *word = strstr(text, "vertex -1 1 -1");
  memcpy(word + 7, "xx", 2);
  write_file(stl, text, length);
  refuse_file(stl, "\"xx\" is not a coordinate");
  char cube[2000], *at = cube + sprintf(cube, "# a cube\nmtllib none\n");
  for (int p = 0; p < 8; p++)
    at += sprintf(at, "v %g %g %g\n", cube_points[p][0], cube_points[p][1], cube_points[p][2]);
  at += sprintf(at, "f 1 3 4 2\nf 5/1/1 6/2/2 8//3 7\nf -8 -7 -3 -4\nf 3 7 8 4\nf 1 5 7 3\n");
  size_t open = (size_t)(at - cube);
  at += sprintf(at, "f 2 4 8 6\r\n");
  write_file(obj, cube, (size_t)(at - cube));
  expect_cube(obj);
  write_file(obj, cube, open);
  refuse_file(obj, "open");
  at = cube + open + sprintf(cube + open, "f 2 4 9 6\n");
  write_file(obj, cube, (size_t)(at - cube));
  refuse_file(obj, "a.OBJ:16: vertex 9 of 8");
  write_file(other, cube, open);
  refuse_file(other, "must end in .stl, .obj, .ply, .glb, .gltf or .dae");
  unlink(other);
  refuse_file("/nowhere/a.ply", "No such file");
  unlink(stl);
  unlink(obj);
  rmdir(dir);
}

/* Files with any byte changed, or cut at any length, must not crash the reader. */
static void damage_is_survived(void **unused) {
  (void)unused;
  char dir[] = "/tmp/scree_geometryXXXXXX", path[64];
  assert_non_null(mkdtemp(dir));
  snprintf(path, sizeof path, "%s/a.stl", dir);
  unsigned char bytes[1000];
  size_t count = binary_stl(bytes);
  bytes[0] = 'S';
  for (size_t at = 0; at < count; at += 3) {
    sc_soup soup = {0};
    bytes[at] ^= 0xff;
    scree_status status = sc_soup_stl("damaged", bytes, count, &soup, NULL);
    if (!status) {
      assert_true(sc_soup_weld(&soup));
      scree_mesh_def def = {.points = (const double(*)[3])soup.point,
          .points_count = (int64_t)soup.points,
          .triangles = (const int32_t(*)[3])soup.triangle,
          .triangles_count = (int64_t)soup.triangles};
      scree_geometry_release(scree_geometry_mesh(&def, NULL));
      scree_geometry_release(scree_geometry_hull(def.points, def.points_count, NULL));
    }
    sc_soup_free(&soup);
    bytes[at] ^= 0xff;
    assert_int_not_equal(sc_soup_stl("short", bytes, at, &soup, NULL), SCREE_OK);
    sc_soup_free(&soup);
  }
  rmdir(dir);
}

/* ---- mass properties ---- */

/* Returns true if a point, in the frame of the shape, is inside the shape. Sums over lattice points inside a
 * shape are compared with its mass properties. */
static bool inside(const sc_shape *s, const double x[3]) {
  double across = sqrt(x[0] * x[0] + x[1] * x[1]), z = x[2], sum = 0;
  switch (s->type) {
  case SCREE_SPHERE: return sc_norm(x) <= s->radius;
  case SCREE_CAPSULE: z = fmax(0, fabs(z) - s->half); return across * across + z * z <= s->radius * s->radius;
  case SCREE_BOX: return fabs(x[0]) <= s->extent[0] && fabs(x[1]) <= s->extent[1] && fabs(z) <= s->extent[2];
  case SCREE_CYLINDER: return across <= s->radius && fabs(z) <= s->half;
  case SCREE_CONE: return fabs(z) <= s->half && across <= s->radius * (s->half - z) / (2 * s->half);
  default:
    for (int k = 0; k < 3; k++) sum += x[k] * x[k] / (s->extent[k] * s->extent[k]);
    return sum <= 1;
  }
}

static void masses_agree_with_sums(void **unused) {
  (void)unused;
  static const int types[] = {
      SCREE_SPHERE, SCREE_CAPSULE, SCREE_BOX, SCREE_CYLINDER, SCREE_CONE, SCREE_ELLIPSOID};
  for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
    sc_shape s = {.type = types[k],
        .radius = 0.4,
        .half = 0.5,
        .extent = {0.4, 0.7, 0.9},
        .position = {1, 2, 3},
        .orientation = {0.5, 0.5, -0.5, 0.5}};
    enum { N = 80 };
    sc_mass sum = {0};
    double step = 2.0 / N, cell = step * step * step, R[9];
    sc_quat_matrix(s.orientation, R);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        for (int l = 0; l < N; l++) {
          double x[3] = {-1 + (i + 0.5) * step, -1 + (j + 0.5) * step, -1 + (l + 0.5) * step};
          if (!inside(&s, x)) continue;
          double e = 2.5 * cell * step * step / 6;
          sc_mass part = {.mass = 2.5 * cell, .inertia = {e, 0, 0, e, 0, e}};
          sc_mat_vec(R, x, part.centre);
          sc_add(part.centre, s.position, part.centre);
          sc_mass_add(&sum, &part);
        }
    double mass, centre[3], inertia[6];
    assert_int_equal(sc_shape_mass(&s, 2.5, &mass, centre, inertia), 1);
    assert_near(mass, sum.mass, 0.02 * sum.mass);
    for (int c = 0; c < 3; c++) assert_near(centre[c], sum.centre[c], 0.01);
    for (int c = 0; c < 6; c++) assert_near(inertia[c], sum.inertia[c], 0.03 * sum.inertia[0]);
  }
  sc_shape wall = {.type = SCREE_HALFSPACE, .orientation = {1, 0, 0, 0}};
  double mass = 1, centre[3], inertia[6];
  assert_int_equal(sc_shape_mass(&wall, 1, &mass, centre, inertia), 0);
  assert_true(mass == 0);
}

/* Eight small boxes that form a large box have the mass and the inertia of the large box. */
static void parts_add_up(void **unused) {
  (void)unused;
  sc_mass total = {0}, whole = sc_mass_box((double[3]){1, 2, 3}, 7);
  for (int k = 0; k < 8; k++) {
    sc_shape s = {.type = SCREE_BOX, .extent = {0.5, 1, 1.5}, .orientation = {1, 0, 0, 0}};
    sc_set3(k & 1 ? 0.5 : -0.5, k & 2 ? 1 : -1, k & 4 ? 1.5 : -1.5, s.position);
    sc_mass part = {0};
    sc_shape_mass(&s, 7, &part.mass, part.centre, part.inertia);
    sc_mass_add(&total, &part);
  }
  assert_near(total.mass, whole.mass, 1e-10);
  for (int k = 0; k < 6; k++) assert_near(total.inertia[k], whole.inertia[k], 1e-9);
  double inverse[6];
  assert_true(sc_sym_invert(whole.inertia, inverse));
  assert_near(inverse[3] * whole.inertia[3], 1, 1e-14);
  assert_false(sc_sym_invert((double[6]){1, 2, 0, 1, 0, 1}, inverse));
}

/* If any one allocation fails, the functions report lack of memory and leak nothing. */
static void no_memory_is_an_error(void **unused) {
  (void)unused;
  for (uint64_t nth = 1; nth < 40; nth++) {
    scree_error error = {0};
    sc_alloc_fail_at(nth, false);
    scree_geometry *hull = scree_geometry_hull(cube_points, 8, &error),
                   *mesh = cube_mesh(&error, 1, 1, cube_triangles, 12);
    sc_alloc_fail_at(0, false);
    if (!hull || !mesh) assert_int_equal(error.status, SCREE_E_MEMORY);
    scree_geometry_release(hull);
    scree_geometry_release(mesh);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cube_hull_has_six_faces),
      cmocka_unit_test(random_hulls_are_convex), cmocka_unit_test(round_hull_tends_to_a_sphere),
      cmocka_unit_test(rings_make_a_prism), cmocka_unit_test(points_close_to_each_other),
      cmocka_unit_test(bad_hulls_are_refused), cmocka_unit_test(meshes_are_checked),
      cmocka_unit_test(tree_finds_all), cmocka_unit_test(files_are_read_or_refused),
      cmocka_unit_test(damage_is_survived), cmocka_unit_test(masses_agree_with_sums),
      cmocka_unit_test(parts_add_up), cmocka_unit_test(no_memory_is_an_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
