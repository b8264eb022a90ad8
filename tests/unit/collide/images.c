/* Tests pairs across the faces of a cell against a search of all images by brute force: every shape, straight
 * and skew cells, one to three periodic edges, cells little larger than a body, bodies at any distance from
 * the cell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>
#include "bed.h"
#include "collide/contacts/filter.h"
#include "scree/geometry.h"

enum { MOST = 20000, IMAGES = 4 };
static const int types[] = {SCREE_SPHERE, SCREE_CAPSULE, SCREE_BOX, SCREE_CYLINDER, SCREE_CONE,
    SCREE_ELLIPSOID, SCREE_SUPERELLIPSOID, SCREE_HULL};
enum { TYPES = sizeof types / sizeof *types };

typedef struct scene {
  bed bed;
  sc_cell cell;
  scree_geometry *hull, *mesh;
  sc_collide *collide;
} scene;

static scree_geometry *octahedron(void) {
  static const double p[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 0.8}, {0, 0, -0.8}};
  scree_geometry *g = scree_geometry_hull(p, 6, NULL);
  assert_non_null(g);
  return g;
}

/* Returns a mesh of two triangles, much larger than a cell. */
static scree_geometry *sheet(void) {
  static const double p[4][3] = {{-6, -6, 0.1}, {6, -6, 0}, {6, 6, 0.2}, {-6, 6, 0}};
  static const int32_t t[2][3] = {{0, 1, 2}, {0, 2, 3}};
  scree_mesh_def def = {.points = p, .points_count = 4, .triangles = t, .triangles_count = 2};
  scree_geometry *g = scree_geometry_mesh(&def, NULL);
  assert_non_null(g);
  return g;
}

static sc_shape shape_of(scene *s, int type) {
  sc_shape shape = bed_shape(type);
  shape.radius = bed_between(&s->bed, 0.3, 0.6), shape.half = bed_between(&s->bed, 0.2, 0.6);
  for (int k = 0; k < 3; k++) shape.extent[k] = bed_between(&s->bed, 0.2, 0.5);
  shape.own[0] = shape.own[1] = 0.7;
  shape.geometry = type == SCREE_HULL ? s->hull : NULL;
  return shape;
}

/* Makes a scene. H: matrix of the cell, row-major. periodic: bit k: edge k is periodic. far: bodies lie up to
 * this number of edges from the cell. */
static void make(scene *s, const double H[9], int periodic, int count, double far, uint64_t seed) {
  memset(s, 0, sizeof *s);
  bed_init(&s->bed, seed);
  s->hull = octahedron(), s->mesh = sheet();
  for (int k = 0; k < 3; k++) s->cell.periodic[k] = periodic >> k & 1;
  assert_true(sc_cell_set(&s->cell, H));
  sc_set3(-0.4, 0.3, 0, s->cell.origin);
  s->bed.bodies.cell = &s->cell;
  for (int i = 0; i < count; i++) {
    double u[3], x[3];
    for (int k = 0; k < 3; k++)
      u[k] = s->cell.periodic[k] ? bed_between(&s->bed, -far, far) : bed_between(&s->bed, 0, 1);
    sc_mat_vec(s->cell.matrix, u, x);
    int32_t row = bed_add(&s->bed, i % 11 ? SCREE_DYNAMIC : SCREE_FIXED, x, shape_of(s, types[i % TYPES]));
    bed_random_turn(&s->bed, s->bed.bodies.orientation[row]);
    for (int k = 0; k < 3 && i % 11; k++)
      s->bed.bodies.velocity[row][k] = bed_between(&s->bed, -1, 1),
      s->bed.bodies.spin[row][k] = bed_between(&s->bed, -1, 1);
  }
  if (!(periodic & 4)) {
    sc_shape mesh = bed_shape(SCREE_MESH);
    mesh.geometry = s->mesh;
    bed_add(&s->bed, SCREE_FIXED, (double[3]){0, 0, 0.3}, mesh);
    bed_add(&s->bed, SCREE_FIXED, (double[3]){0, 0, 0.2}, bed_shape(SCREE_HALFSPACE));
  }
  s->collide = sc_collide_create(&(sc_collide_def){.margin = 0.1, .threads = 1});
}

static void unmake(scene *s) {
  sc_collide_destroy(s->collide);
  bed_free(&s->bed);
  scree_geometry_release(s->hull);
  scree_geometry_release(s->mesh);
}

static int32_t find(scene *s, double dt, sc_contact *out) {
  const bed *b = &s->bed;
  int32_t count;
  double *state;
  scree_error error = {0};
  if (sc_collide_stale(s->collide, &b->bodies, &b->shapes, dt))
    assert_int_equal(sc_collide_build(s->collide, &b->bodies, &b->shapes, NULL, dt, &error), SCREE_OK);
  assert_int_equal(
      sc_collide_contacts(s->collide, &b->bodies, &b->shapes, 0, -1, dt, &count, &state, &error), SCREE_OK);
  assert_true(count <= MOST);
  for (int32_t c = 0; c < count; c++) sc_collide_contact(s->collide, &b->shapes, c, out + c);
  return count;
}

/* Computes the velocity of a body's point. */
static void velocity_of(const bed *b, int32_t row, const double arm[3], double v[3]) {
  sc_cross(b->bodies.spin[row], arm, v);
  sc_add(v, b->bodies.velocity[row], v);
}

/* Returns the distance that the fastest point of a body can move in a step. */
static double travel(const bed *b, int32_t row, double dt) {
  double lever = b->shapes.row[row].slot < 0 ? 0 : b->bodies.radius[row];
  return b->bodies.inv_mass[row] > 0
      ? dt * (sc_norm(b->bodies.velocity[row]) + sc_norm(b->bodies.spin[row]) * lever)
      : 0;
}

/* Returns the number of contacts of body i with image n of body j. Checks that all of them are among the
 * contacts found. */
static int32_t brute_pair(
    const scene *s, int32_t i, int32_t j, sc_image n, double dt, const sc_contact *found, int32_t count) {
  const bed *b = &s->bed;
  sc_shape shape[2];
  sc_placed placed[2];
  sc_touch touch[SC_MAX_TOUCHES];
  double shift[3], arm[2][3], v[2][3], u[3];
  const int32_t row[2] = {i, j};
  for (int k = 0; k < 2; k++) {
    sc_shapes_get(&b->shapes, row[k], shape + k);
    sc_place(shape + k, b->bodies.position[row[k]], b->bodies.orientation[row[k]], placed + k);
  }
  sc_cell_shift(&s->cell, &n, shift);
  sc_add(placed[1].position, shift, placed[1].position);
  sc_sub(placed[0].position, placed[1].position, u);
  if (sc_norm(u) > shape[0].bound + shape[1].bound + 1.5) return 0;
  double near = 0.1 * fmin(b->shapes.row[i].bound, b->shapes.row[j].bound);
  double reach = near + travel(b, i, dt) + travel(b, j, dt);
  if (s->cell.moves) reach = 1; /* the strain of the cell also moves images */
  int touches = sc_narrow(placed, placed + 1, reach, touch), kept = 0;
  for (int t = 0; t < touches; t++) {
    for (int k = 0; k < 2; k++) {
      sc_sub(touch[t].point, b->bodies.position[row[k]], arm[k]);
      if (k) sc_sub(arm[k], shift, arm[k]);
      velocity_of(b, row[k], arm[k], v[k]);
    }
    sc_sub(v[0], v[1], u);
    sc_cell_drift(&s->cell, &n, v[1]);
    sc_sub(u, v[1], u);
    if (touch[t].gap <= near + dt * fmax(0, -sc_dot(u, touch[t].normal))) touch[kept++] = touch[t];
  }
  const double size = fmin(b->shapes.row[i].bound, b->shapes.row[j].bound);
  const bool balls = shape[0].type == SCREE_SPHERE && shape[1].type == SCREE_SPHERE;
  const sc_filter filter = {placed, placed + 1, &b->bodies, i, j, &n, size, dt};
  if (!balls) kept = sc_filter_touches(&filter, touch, kept);
  for (int t = 0; t < kept; t++) {
    bool seen = false;
    for (int32_t c = 0; c < count && !seen; c++) {
      const sc_contact *at = found + c;
      sc_image back = sc_image_sub((sc_image){{0, 0, 0}}, at->image);
      seen = fabs(at->gap - touch[t].gap) < 1e-9 &&
          ((at->body1 == i && at->body2 == j && sc_image_same(at->image, n)) ||
              (at->body1 == j && at->body2 == i && sc_image_same(back, n)));
    }
    if (!seen)
      print_error("bodies %d and %d, image %d %d %d: not found\n", (int)i, (int)j, n.n[0], n.n[1], n.n[2]);
    assert_true(seen);
  }
  return kept;
}

/* Returns the number of contacts of all images of all pairs. Images about the wrapped positions of the bodies
 * are tested. *across: adds the number of contacts with images that are not the body itself. */
static int32_t brute_force(
    const scene *s, double dt, const sc_contact *found, int32_t count, int32_t *across) {
  const bed *b = &s->bed;
  int32_t sum = 0;
  for (int32_t i = 0; i < b->bodies.count; i++)
    for (int32_t j = i + 1; j < b->bodies.count; j++) {
      if (!(b->bodies.inv_mass[i] > 0 || b->bodies.inv_mass[j] > 0)) continue;
      bool plane = !isfinite(b->bodies.radius[i]) || !isfinite(b->bodies.radius[j]);
      double x[3];
      sc_image one = sc_cell_wrap(&s->cell, b->bodies.position[i], x),
               two = sc_cell_wrap(&s->cell, b->bodies.position[j], x), n, near = sc_image_sub(one, two);
      int most[3];
      for (int k = 0; k < 3; k++) most[k] = s->cell.periodic[k] && !plane ? IMAGES : 0;
      if (plane) near = (sc_image){{0, 0, 0}};
      for (int p = -most[0]; p <= most[0]; p++)
        for (int q = -most[1]; q <= most[1]; q++)
          for (int r = -most[2]; r <= most[2]; r++) {
            n = (sc_image){{near.n[0] + p, near.n[1] + q, near.n[2] + r}};
            int32_t more = brute_pair(s, i, j, n, dt, found, count);
            sum += more;
            if (!sc_image_is_body(&n)) *across += more;
          }
    }
  return sum;
}

static void advance(bed *b, double dt) {
  for (int32_t i = 0; i < b->bodies.count; i++) {
    double turn[4] = {0, b->bodies.spin[i][0], b->bodies.spin[i][1], b->bodies.spin[i][2]}, dq[4],
           *q = b->bodies.orientation[i];
    sc_axpy(dt, b->bodies.velocity[i], b->bodies.position[i], b->bodies.position[i]);
    sc_quat_mul(turn, q, dq);
    for (int k = 0; k < 4; k++) q[k] += 0.5 * dt * dq[k];
    sc_quat_normalise(q, q);
  }
}

static void all_images_are_found(void **unused) {
  (void)unused;
  static const struct {
    double H[9];
    int periodic, count;
    double far;
  } cells[] = {
      {{4, 0, 0, 0, 5, 0, 0, 0, 6}, 7, 60, 1},
      {{4, 0, 0, 0, 5, 0, 0, 0, 6}, 3, 60, 3},
      {{4, 0, 0, 0, 5, 0, 0, 0, 6}, 1, 60, 1000},
      {{5, 2.4, -1.5, 0, 5, 1.3, 0, 0, 5}, 7, 70, 2},
      {{5, -2.4, 0, 0, 5, 0, 0, 0, 6}, 3, 60, 2},
      {{2.6, 0.8, 0, 0, 2.5, 0, 0, 0, 2.6}, 7, 9, 1},
      {{2.6, 0, 0, 0, 2.5, 0, 0, 0, 2.6}, 4, 9, 1},
  };
  static sc_contact found[MOST];
  for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
    scene s;
    int32_t across = 0;
    make(&s, cells[k].H, cells[k].periodic, cells[k].count, cells[k].far, 5 + k);
    for (int step = 0; step < 6; step++) {
      int32_t count = find(&s, 0.03, found);
      assert_int_equal(brute_force(&s, 0.03, found, count, &across), count);
      advance(&s.bed, 0.03);
    }
    assert_true(across > 6);
    unmake(&s);
  }
}

/* Images are complete while the cell is deformed far beyond its largest tilt, for bodies that move with
 * the flow or against it. */
static void images_move(void **unused) {
  (void)unused;
  static const struct {
    double H[9], L[9];
    int periodic;
    double follow, spin;
  } cells[] = {
      {{4, 0, 0, 0, 5, 0, 0, 0, 6}, {0, 1.5, 0, 0, 0, 0, 0, 0, 0}, 7, 1, 1},
      {{4, 0, 0, 0, 5, 0, 0, 0, 6}, {0, 1.5, 0, 0, 0, 0, 0, 0, 0}, 7, 0, 1},
      {{4, 0, 0, 0, 5, 0, 0, 0, 6}, {0, 0, 0, -1.2, 0, 0, 0, 0, 0}, 3, 1, 0.3},
      {{5, 0, 0, 0, 5, 0, 0, 0, 5}, {0.3, 0.2, 0, 0, -0.3, 0.8, 0, 0, 0.1}, 7, 1, 0.3},
      {{4, 1, 0, 0, 5, 0, 0, 0, 6}, {-0.2, 0, 0.9, 0, -0.1, 0, 0, 0, -0.1}, 7, 0.5, 0.1},
  };
  static sc_contact found[MOST];
  for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
    scene s;
    int32_t across = 0, M[9];
    int remaps = 0;
    make(&s, cells[k].H, cells[k].periodic, 40, 2, 40 + k);
    sc_cell_set_gradient(&s.cell, cells[k].L);
    for (int32_t i = 0; i < s.bed.bodies.count; i++) {
      double flow[3];
      if (!(s.bed.bodies.inv_mass[i] > 0)) continue;
      sc_cell_flow(&s.cell, s.bed.bodies.position[i], flow);
      sc_axpy(cells[k].follow, flow, s.bed.bodies.velocity[i], s.bed.bodies.velocity[i]);
      sc_scale(cells[k].spin, s.bed.bodies.spin[i], s.bed.bodies.spin[i]);
    }
    for (int step = 0; step < 45; step++) {
      if (sc_collide_stale(s.collide, &s.bed.bodies, &s.bed.shapes, 0.02) && sc_cell_remap(&s.cell, M))
        sc_collide_rename_images(s.collide, M), remaps++;
      int32_t count = find(&s, 0.02, found);
      if (step % 6 == 0) assert_int_equal(brute_force(&s, 0.02, found, count, &across), count);
      advance(&s.bed, 0.02);
      assert_true(sc_cell_move(&s.cell, 0.02));
      sc_collide_tick(s.collide);
    }
    assert_true(across > 6);
    if (k < 2) assert_true(remaps > 0);
    if (k == 0) assert_true(sc_collide_rebuilds(s.collide) < 40);
    unmake(&s);
  }
}

static int32_t add_ball(scene *s, double x, double radius) {
  sc_shape ball = bed_shape(SCREE_SPHERE);
  ball.radius = radius;
  return bed_add(&s->bed, SCREE_DYNAMIC, (double[3]){x, 0.3, 0}, ball);
}

/* The strain of the cell alone carries a small ball towards a large one, which lies at the origin of the
 * flow. The gap that a list bridges by its slack is smaller. */
static void strain_brings_balls_together(void **unused) {
  (void)unused;
  static const double H[9] = {8, 0, 0, 0, 8, 0, 0, 0, 8}, L[9] = {-0.25};
  static sc_contact found[MOST];
  for (double gap = 0.04; gap < 0.12; gap += 0.01) {
    scene s;
    make(&s, H, 7, 0, 0, 1);
    add_ball(&s, s.cell.origin[0], 1);
    const int32_t small = add_ball(&s, s.cell.origin[0] + 1.05 + gap, 0.05);
    sc_cell_set_gradient(&s.cell, L);
    int32_t sum = 0, across = 0;
    for (int step = 0; step < 30; step++) {
      sc_cell_flow(&s.cell, s.bed.bodies.position[small], s.bed.bodies.velocity[small]);
      const int32_t count = find(&s, 0.02, found);
      sum += count;
      assert_int_equal(brute_force(&s, 0.02, found, count, &across), count);
      advance(&s.bed, 0.02);
      assert_true(sc_cell_move(&s.cell, 0.02));
      sc_collide_tick(s.collide);
    }
    assert_true(sum > 0);
    unmake(&s);
  }
}

/* A saved and loaded list, and many threads, give the same contacts. */
static void restart_and_threads(void **unused) {
  (void)unused;
  static const double H[9] = {9, 3, 0, 0, 9, -2, 0, 0, 9};
  static sc_contact one[MOST], two[MOST];
  scene s, t;
  make(&s, H, 7, 1500, 2, 3);
  make(&t, H, 7, 1500, 2, 3);
  sc_pool *pool = sc_pool_create(3);
  assert_non_null(pool);
  assert_int_equal(sc_collide_set_pool(t.collide, pool), SCREE_OK);
  for (int step = 0; step < 8; step++) {
    int32_t count = find(&s, 0.01, one);
    assert_int_equal(find(&t, 0.01, two), count);
    assert_memory_equal(one, two, (size_t)count * sizeof *one);
    for (int32_t c = 0; c < count; c++) {
      double impulse[3] = {c, 1, 2};
      sc_collide_keep(s.collide, c, impulse, 1), sc_collide_keep(t.collide, c, impulse, 1);
    }
    if (step == 4) {
      void *bytes;
      size_t size;
      assert_int_equal(sc_collide_save(s.collide, &s.bed.shapes, &bytes, &size), SCREE_OK);
      sc_collide_destroy(s.collide);
      s.collide = sc_collide_create(&(sc_collide_def){.margin = 0.1, .threads = 1});
      assert_int_equal(sc_collide_load(s.collide, &s.bed.shapes, bytes, size, NULL), SCREE_OK);
      sc_free(bytes);
    }
    advance(&s.bed, 0.01), advance(&t.bed, 0.01);
    sc_collide_tick(s.collide), sc_collide_tick(t.collide);
  }
  unmake(&s), unmake(&t);
  sc_pool_destroy(pool);
}

/* Errors: a cell smaller than a body, or cut by a half-space. */
static void refusals(void **unused) {
  (void)unused;
  scene s;
  scree_error error = {0};
  make(&s, (const double[9]){1.1, 0, 0, 0, 9, 0, 0, 0, 9}, 1, 0, 0, 1);
  sc_shape ball = bed_shape(SCREE_SPHERE);
  ball.radius = 0.6;
  bed_add(&s.bed, SCREE_DYNAMIC, (double[3]){0, 0, 3}, ball);
  assert_int_not_equal(
      sc_collide_build(s.collide, &s.bed.bodies, &s.bed.shapes, NULL, 0.01, &error), SCREE_OK);
  assert_non_null(strstr(error.text, "smallest width that works is 1.32"));
  unmake(&s);
  make(&s, (const double[9]){9, 0, 0, 0, 9, 0, 0, 0, 9}, 4, 0, 0, 1);
  bed_add(&s.bed, SCREE_FIXED, (double[3]){0, 0, 0}, bed_shape(SCREE_HALFSPACE));
  assert_int_not_equal(
      sc_collide_build(s.collide, &s.bed.bodies, &s.bed.shapes, NULL, 0.01, &error), SCREE_OK);
  assert_non_null(strstr(error.text, "half-space"));
  unmake(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_images_are_found), cmocka_unit_test(images_move),
      cmocka_unit_test(strain_brings_balls_together), cmocka_unit_test(restart_and_threads),
      cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
