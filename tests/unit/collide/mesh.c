/* Tests convex shapes against meshes: a tessellated plane acts like a plane, a meshed box like a box, and
 * walls have two sides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "bed.h"
#include "scree/geometry.h"

enum { SIDE = 8 };

/* Returns a patch of SIDE x SIDE squares that are cut both ways. slope > 0: the patch is bent along x like a
 * roof with its ridge in the middle. slope < 0: it is bent like a trough. */
static scree_geometry *patch(double slope) {
  static double points[(SIDE + 1) * (SIDE + 1)][3];
  static int32_t triangles[2 * SIDE * SIDE][3];
  for (int i = 0; i <= SIDE; i++)
    for (int j = 0; j <= SIDE; j++)
      sc_set3(i - 0.5 * SIDE, j - 0.5 * SIDE, -slope * fabs(i - 0.5 * SIDE), points[i * (SIDE + 1) + j]);
  for (int i = 0, t = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      int p = i * (SIDE + 1) + j, q = p + SIDE + 1;
      bool other = (i + j) % 2;
      memcpy(
          triangles[t++], other ? (int32_t[3]){p, q, q + 1} : (int32_t[3]){p, q, p + 1}, sizeof *triangles);
      memcpy(triangles[t++], other ? (int32_t[3]){p, q + 1, p + 1} : (int32_t[3]){q, q + 1, p + 1},
          sizeof *triangles);
    }
  scree_mesh_def def = {.points = (const double(*)[3])points,
      .points_count = (SIDE + 1) * (SIDE + 1),
      .triangles = (const int32_t(*)[3])triangles,
      .triangles_count = 2 * SIDE * SIDE};
  scree_geometry *g = scree_geometry_mesh(&def, NULL);
  assert_non_null(g);
  return g;
}

static scree_geometry *box_mesh(const double h[3]) {
  static const int32_t triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  double points[8][3];
  for (int k = 0; k < 8; k++)
    sc_set3(k & 1 ? h[0] : -h[0], k & 2 ? h[1] : -h[1], k & 4 ? h[2] : -h[2], points[k]);
  scree_mesh_def def = {.points = (const double(*)[3])points,
      .points_count = 8,
      .triangles = triangles,
      .triangles_count = 12,
      .closed = 1,
      .solid = 1};
  scree_geometry *g = scree_geometry_mesh(&def, NULL);
  assert_non_null(g);
  return g;
}

static sc_shape mesh_shape(const scree_geometry *g) {
  sc_shape s = bed_shape(SCREE_MESH);
  s.geometry = g;
  s.bound = sc_shape_bound(&s);
  return s;
}

static sc_shape solid(int type, const scree_geometry *hull) {
  sc_shape s = bed_shape(type);
  s.radius = 0.4, s.half = 0.5, s.geometry = hull;
  sc_set3(0.4, 0.5, 0.3, s.extent);
  s.bound = sc_shape_bound(&s);
  return s;
}

static const int types[] = {
    SCREE_SPHERE, SCREE_CAPSULE, SCREE_BOX, SCREE_CYLINDER, SCREE_CONE, SCREE_ELLIPSOID, SCREE_HULL};
enum { TYPES = 7 };

static scree_geometry *tetrahedron(void) {
  const double p[4][3] = {{0.5, 0.5, 0.5}, {-0.5, -0.5, 0.5}, {-0.5, 0.5, -0.5}, {0.5, -0.5, -0.5}};
  return scree_geometry_hull(p, 4, NULL);
}

static double least_gap(const sc_touch *touch, int count) {
  double least = INFINITY;
  for (int k = 0; k < count; k++) least = fmin(least, touch[k].gap);
  return least;
}

/* On a tessellated plane every shape has the normal and the least gap that it has on a half-space. A ball has
 * one touch. */
static void flat_mesh_is_a_plane(void **unused) {
  (void)unused;
  scree_geometry *flat = patch(0), *hull = tetrahedron();
  sc_shape ground = mesh_shape(flat), plane = bed_shape(SCREE_HALFSPACE);
  bed b;
  bed_init(&b, 31);
  for (int k = 0; k < TYPES; k++)
    for (int trial = 0; trial < 300; trial++) {
      sc_shape s = solid(types[k], hull);
      sc_placed pm, pp, p;
      sc_touch touch[SC_MAX_TOUCHES], wanted[SC_MAX_TOUCHES];
      double q[4] = {1, 0, 0, 0}, turn[4], x[3] = {bed_between(&b, -2, 2), bed_between(&b, -2, 2), 1};
      bed_random_turn(&b, turn);
      /* every second shape lies flat; some shapes lie over corners and edges of the mesh */
      if (trial % 2) memcpy(q, turn, sizeof q);
      if (trial % 5 == 0) x[0] = floor(x[0]);
      if (trial % 10 == 0) x[1] = floor(x[1]);
      sc_place(&ground, (double[3]){0, 0, 0}, (double[4]){1, 0, 0, 0}, &pm);
      sc_place(&plane, (double[3]){0, 0, 0}, (double[4]){1, 0, 0, 0}, &pp);
      sc_place(&s, x, q, &p);
      /* lowers the shape to a gap or depth of a few hundredths */
      int count = sc_narrow(&p, &pp, 10, wanted);
      x[2] += bed_between(&b, -0.03, 0.03) - least_gap(wanted, count);
      sc_place(&s, x, q, &p);
      int should = sc_narrow(&p, &pp, 0.05, wanted);
      count = sc_narrow(&p, &pm, 0.05, touch);
      assert_true(should > 0 && count > 0);
      for (int t = 0; t < count; t++)
        if (touch[t].normal[2] <= 1 - 1e-9)
          print_error("type %d trial %d: normal %g %g %g gap %g\n", types[k], trial, touch[t].normal[0],
              touch[t].normal[1], touch[t].normal[2], touch[t].gap);
      for (int t = 0; t < count; t++) assert_true(touch[t].normal[2] > 1 - 1e-9);
      if (!(fabs(least_gap(touch, count) - least_gap(wanted, should)) < 1e-6))
        print_error("type %d trial %d: %.9g not %.9g\n", types[k], trial, least_gap(touch, count),
            least_gap(wanted, should));
      assert_true(fabs(least_gap(touch, count) - least_gap(wanted, should)) < 1e-6);
      if (types[k] == SCREE_SPHERE) assert_int_equal(count, 1);
    }
  scree_geometry_release(flat);
  scree_geometry_release(hull);
  bed_free(&b);
}

/* A meshed box acts like the box, outside and to a shallow depth: every shape has the same least gap, and a
 * ball near a face has one touch. */
static void meshed_box_is_a_box(void **unused) {
  (void)unused;
  const double h[3] = {1, 0.8, 0.6};
  scree_geometry *g = box_mesh(h), *hull = tetrahedron();
  sc_shape mesh = mesh_shape(g), box = bed_shape(SCREE_BOX);
  sc_copy3(h, box.extent);
  box.bound = sc_shape_bound(&box);
  bed b;
  bed_init(&b, 32);
  int compared = 0;
  for (int trial = 0; trial < 4000; trial++) {
    sc_shape s = solid(types[trial % TYPES], hull);
    sc_placed pm, pb, p;
    sc_touch touch[SC_MAX_TOUCHES], wanted[SC_MAX_TOUCHES];
    double q[4], r[4],
        x[3] = {bed_between(&b, -1.8, 1.8), bed_between(&b, -1.6, 1.6), bed_between(&b, -1.4, 1.4)};
    bed_random_turn(&b, q), bed_random_turn(&b, r);
    sc_place(&mesh, (double[3]){3, 2, 1}, r, &pm), sc_place(&box, (double[3]){3, 2, 1}, r, &pb);
    sc_mat_vec(pb.R, x, x), sc_add(x, pb.position, x);
    sc_place(&s, x, q, &p);
    int should = sc_narrow(&p, &pb, 0.1, wanted), count = sc_narrow(&p, &pm, 0.1, touch);
    double gap = should ? least_gap(wanted, should) : INFINITY;
    if (gap < -0.02) continue;
    /* touches with other faces are allowed; only the least gap is compared */
    assert_int_equal(count > 0, should > 0);
    if (!should) continue;
    compared++;
    double within = gap > 0 || s.type == SCREE_SPHERE ? 1e-6 : 0.02;
    if (!(fabs(least_gap(touch, count) - gap) < within))
      print_error("type %d: gap %.9g not %.9g\n", s.type, least_gap(touch, count), gap);
    assert_true(fabs(least_gap(touch, count) - gap) < within);
  }
  assert_true(compared > 300);
  scree_geometry_release(g);
  scree_geometry_release(hull);
  bed_free(&b);
}

/* A mesh that is not closed pushes a shape to the side on which the shape lies. */
static void walls_have_two_sides(void **unused) {
  (void)unused;
  scree_geometry *flat = patch(0), *hull = tetrahedron();
  sc_shape wall = mesh_shape(flat);
  sc_placed pm, p;
  sc_touch touch[SC_MAX_TOUCHES];
  sc_place(&wall, (double[3]){0, 0, 0}, (double[4]){1, 0, 0, 0}, &pm);
  for (int k = 0; k < TYPES; k++)
    for (int side = -1; side <= 1; side += 2)
      for (int deep = 0; deep < 2; deep++) {
        sc_shape s = solid(types[k], hull);
        double lowest = types[k] == SCREE_CAPSULE                  ? 0.9
            : types[k] == SCREE_BOX || types[k] == SCREE_ELLIPSOID ? 0.3
            : types[k] == SCREE_SPHERE                             ? 0.4
                                                                   : 0.5;
        sc_place(
            &s, (double[3]){0.3, 0.2, side * (lowest + (deep ? -0.05 : 0.05))}, (double[4]){1, 0, 0, 0}, &p);
        int count = sc_narrow(&p, &pm, 0.1, touch);
        assert_true(count > 0);
        for (int t = 0; t < count; t++) assert_true(side * touch[t].normal[2] > 1 - 1e-9);
        assert_true(fabs(least_gap(touch, count) - (deep ? -0.05 : 0.05)) < 1e-6);
      }
  scree_geometry_release(flat);
  scree_geometry_release(hull);
}

/* A shape across a ridge has one touch, a shape in a valley has two, by symmetry. */
static void ridges_and_valleys(void **unused) {
  (void)unused;
  scree_geometry *roof = patch(1), *trough = patch(-1);
  sc_shape up = mesh_shape(roof), down = mesh_shape(trough), ball = solid(SCREE_SPHERE, NULL);
  sc_placed pm, p;
  sc_touch touch[SC_MAX_TOUCHES];
  sc_place(&up, (double[3]){0, 0, 0}, (double[4]){1, 0, 0, 0}, &pm);
  sc_place(&ball, (double[3]){0, 0.3, 0.39}, (double[4]){1, 0, 0, 0}, &p);
  assert_int_equal(sc_narrow(&p, &pm, 0.05, touch), 1);
  assert_true(touch[0].normal[2] > 1 - 1e-12 && fabs(touch[0].gap + 0.01) < 1e-12);
  sc_place(&down, (double[3]){0, 0, 0}, (double[4]){1, 0, 0, 0}, &pm);
  sc_place(&ball, (double[3]){0, 0.3, 0.4 * sqrt(2) - 0.01}, (double[4]){1, 0, 0, 0}, &p);
  assert_int_equal(sc_narrow(&p, &pm, 0.05, touch), 2);
  for (int t = 0; t < 2; t++)
    assert_true(
        fabs(fabs(touch[t].normal[0]) - sqrt(0.5)) < 1e-9 && fabs(touch[t].gap + 0.01 * sqrt(0.5)) < 1e-9);
  scree_geometry_release(roof);
  scree_geometry_release(trough);
}

/* Returns a pyramid of six sides. */
static scree_geometry *peak(double slope) {
  double points[7][3] = {{0, 0, 0}};
  int32_t triangles[6][3];
  for (int k = 0; k < 6; k++) {
    sc_set3(0.2 * cos(k * M_PI / 3), 0.2 * sin(k * M_PI / 3), -0.2 * slope, points[1 + k]);
    memcpy(triangles[k], (int32_t[3]){0, 1 + k, 1 + (k + 1) % 6}, sizeof *triangles);
  }
  scree_mesh_def def = {.points = (const double(*)[3])points,
      .points_count = 7,
      .triangles = (const int32_t(*)[3])triangles,
      .triangles_count = 6};
  scree_geometry *g = scree_geometry_mesh(&def, NULL);
  assert_non_null(g);
  return g;
}

/* Edges and corners that triangles share have one touch, not a touch along each of several normals. A box
 * touches the peak, and each place where the rim of its base crosses a ridge. The least gap is that of the
 * highest point. */
static void shared_edges_are_told_once(void **unused) {
  (void)unused;
  sc_shape box = solid(SCREE_BOX, NULL);
  bed b;
  bed_init(&b, 5);
  for (int trial = 0; trial < 400; trial++) {
    scree_geometry *g = trial % 2 ? patch(bed_between(&b, 0.06, 0.3)) : peak(bed_between(&b, 0.06, 0.3));
    sc_shape ground = mesh_shape(g);
    sc_placed pm, p;
    sc_touch touch[SC_MAX_TOUCHES];
    const double half = bed_between(&b, 0, 3), lean = bed_between(&b, -0.01, 0.01), gap = 0.003;
    const double q[4] = {cos(half), lean * cos(half), lean * sin(half), sin(half)},
                 size = sqrt(1 + lean * lean), turn[4] = {q[0] / size, q[1] / size, q[2] / size, q[3] / size};
    sc_place(&ground, (double[3]){0, 0, 0}, (double[4]){1, 0, 0, 0}, &pm);
    sc_place(&box, (double[3]){0, 0, 0.3 + gap}, turn, &p);
    const int count = sc_narrow(&p, &pm, 0.05, touch);
    assert_true(count >= (trial % 2 ? 2 : 1) && least_gap(touch, count) < 1.05 * gap);
    for (int i = 0; i < count; i++)
      for (int k = 0; k < i; k++) {
        double d[3];
        sc_sub(touch[i].point, touch[k].point, d);
        assert_true(sc_norm(d) > 5e-3 || sc_dot(touch[i].normal, touch[k].normal) > 1 - 1e-12);
      }
    scree_geometry_release(g);
  }
  bed_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(flat_mesh_is_a_plane),
      cmocka_unit_test(meshed_box_is_a_box), cmocka_unit_test(walls_have_two_sides),
      cmocka_unit_test(ridges_and_valleys), cmocka_unit_test(shared_edges_are_told_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
