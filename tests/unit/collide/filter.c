/* The rules of the contact filter, one scene for each: without the rule, the scene has other contacts. The
 * expected contacts follow from the geometry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "bed.h"
#include "scree/geometry.h"

enum { MOST = 64 };
static const double step = 1.0 / 60;

/* Finds the contacts of a bed in one step. Returns their number. */
static int32_t find_contacts(const bed *b, bool springs, sc_contact out[MOST]) {
  int32_t count;
  double *state;
  const sc_collide_def def = {.margin = 0.1, .skin = 0.2, .threads = 1, .springs = springs};
  sc_collide *collide = sc_collide_create(&def);
  assert_non_null(collide);
  assert_int_equal(sc_collide_build(collide, &b->bodies, &b->shapes, NULL, step, NULL), SCREE_OK);
  assert_int_equal(
      sc_collide_contacts(collide, &b->bodies, &b->shapes, 0, -1, step, &count, &state, NULL), SCREE_OK);
  assert_true(count <= MOST);
  for (int32_t c = 0; c < count; c++) sc_collide_contact(collide, &b->shapes, c, out + c);
  sc_collide_destroy(collide);
  return count;
}

static sc_shape make_box(double x, double y, double z) {
  sc_shape s = bed_shape(SCREE_BOX);
  sc_set3(0.5 * x, 0.5 * y, 0.5 * z, s.extent);
  return s;
}

static sc_shape make_ball(double radius) {
  sc_shape s = bed_shape(SCREE_SPHERE);
  s.radius = radius;
  return s;
}

/* Adds a fixed mesh of one row of quadrilaterals along x: corners at x[k] and heights z[k], 4 m wide. */
static scree_geometry *add_strip(bed *b, const double *x, const double *z, int corners) {
  double points[16][3];
  int32_t triangles[14][3];
  for (int k = 0; k < corners; k++) {
    sc_set3(x[k], -2, z[k], points[2 * k]), sc_set3(x[k], 2, z[k], points[2 * k + 1]);
    if (k + 1 == corners) break;
    memcpy(triangles[2 * k], (int32_t[3]){2 * k, 2 * k + 2, 2 * k + 3}, sizeof *triangles);
    memcpy(triangles[2 * k + 1], (int32_t[3]){2 * k, 2 * k + 3, 2 * k + 1}, sizeof *triangles);
  }
  const scree_mesh_def def = {.points = (const double(*)[3])points,
      .points_count = 2 * corners,
      .triangles = (const int32_t(*)[3])triangles,
      .triangles_count = 2 * (corners - 1)};
  sc_shape s = bed_shape(SCREE_MESH);
  scree_geometry *g = scree_geometry_mesh(&def, NULL);
  assert_non_null(g);
  s.geometry = g;
  bed_add(b, SCREE_FIXED, (double[3]){0, 0, 0}, s);
  return g;
}

static void assert_upright(const sc_contact *contact, int32_t count) {
  for (int32_t c = 0; c < count; c++) assert_true(fabs(contact[c].normal[2]) > 1 - 1e-9);
}

/* Rule 1: a cube on a tile does not touch the next tile, whose side lies in the plane of the cube's side. */
static void shapes_side_by_side(void **unused) {
  (void)unused;
  bed b;
  sc_contact contact[MOST];
  bed_init(&b, 1);
  bed_add(&b, SCREE_DYNAMIC, (double[3]){0.5, 0.5, 0.5}, make_box(1, 1, 1));
  const int32_t tile = bed_add(&b, SCREE_FIXED, (double[3]){0.5, 0.5, -0.5}, make_box(1, 1, 1));
  bed_add(&b, SCREE_FIXED, (double[3]){1.5, 0.5, -0.5}, make_box(1, 1, 1));
  assert_int_equal(find_contacts(&b, false, contact), 4);
  for (int c = 0; c < 4; c++) assert_int_equal(contact[c].body2, tile);
  bed_free(&b);
}

/* Rule 2: a ball beside the seam of two flat meshes touches the floor below it only. The meshes are fixed,
 * or they move with the same velocity. If their velocities differ, they are not one floor. */
static void level_seam(void **unused) {
  (void)unused;
  for (int move = 0; move < 3; move++) {
    bed b;
    sc_contact contact[MOST];
    bed_init(&b, 1);
    bed_add(&b, SCREE_DYNAMIC, (double[3]){-0.03, 0.2, 0.1}, make_ball(0.1));
    scree_geometry *left = add_strip(&b, (double[2]){-3, 0}, (double[2]){0, 0}, 2);
    scree_geometry *right = add_strip(&b, (double[2]){0, 3}, (double[2]){0, 0}, 2);
    for (int row = 1; move && row < 3; row++) {
      b.bodies.kind[row] = SCREE_KINEMATIC;
      sc_set3(0, move == 2 && row == 2 ? 0.2 : 0.1, 0, b.bodies.velocity[row]);
    }
    const int32_t count = find_contacts(&b, false, contact);
    assert_int_equal(count, move < 2 ? 1 : 2);
    if (move < 2) assert_upright(contact, count);
    bed_free(&b);
    scree_geometry_release(left), scree_geometry_release(right);
  }
}

/* Rule 3: a box above the flat face before a ridge does not touch the slope behind the ridge. */
static void back_of_a_ridge(void **unused) {
  (void)unused;
  bed b;
  sc_contact contact[MOST];
  bed_init(&b, 1);
  bed_add(&b, SCREE_DYNAMIC, (double[3]){-0.105, 0.2, 0.1001}, make_box(0.2, 0.2, 0.2));
  scree_geometry *roof = add_strip(&b, (double[3]){-3, 0, 3}, (double[3]){0, 0, -3}, 3);
  const int32_t count = find_contacts(&b, false, contact);
  assert_int_equal(count, 4);
  assert_upright(contact, count);
  bed_free(&b);
  scree_geometry_release(roof);
}

/* Rule 4: the tip of a cone near the fold of a gutter of two meshes touches both sides of the gutter. */
static void hollow_fold(void **unused) {
  (void)unused;
  static const double height = 1e-4, off = 1e-4,
                      n[2] = {0.6, 1}; /* tip of the cone; normal of a side, not a unit vector */
  bed b;
  sc_contact contact[MOST];
  sc_shape cone = bed_shape(SCREE_CONE);
  cone.radius = 0.015, cone.half = 0.05;
  bed_init(&b, 1);
  bed_add(&b, SCREE_DYNAMIC, (double[3]){off, 0.2, cone.half + height}, cone);
  memcpy(b.bodies.orientation[0], (double[4]){0, 1, 0, 0}, sizeof b.bodies.orientation[0]);
  scree_geometry *left = add_strip(&b, (double[2]){-1, 0}, (double[2]){0.6, 0}, 2);
  scree_geometry *right = add_strip(&b, (double[2]){0, 1}, (double[2]){0, 0.6}, 2);
  assert_int_equal(find_contacts(&b, false, contact), 2);
  for (int c = 0; c < 2; c++) {
    const double side = contact[c].normal[0] > 0 ? 1 : -1, size = sqrt(n[0] * n[0] + n[1] * n[1]);
    assert_true(fabs(contact[c].normal[0] - side * n[0] / size) < 1e-9);
    assert_true(fabs(contact[c].gap - (height * n[1] + side * off * n[0]) / size) < 1e-9);
  }
  assert_true(contact[0].normal[0] * contact[1].normal[0] < 0);
  bed_free(&b);
  scree_geometry_release(left), scree_geometry_release(right);
}

/* Rule 5: a ball that flies over the edge of a box with 1 mm of room does not touch the box. */
static void passing(void **unused) {
  (void)unused;
  bed b;
  sc_contact contact[MOST];
  bed_init(&b, 1);
  bed_add(&b, SCREE_DYNAMIC, (double[3]){-0.05, 0.2, 0.101}, make_ball(0.1));
  sc_set3(3, 0, 0, b.bodies.velocity[0]);
  bed_add(&b, SCREE_FIXED, (double[3]){1, 0, -0.5}, make_box(2, 4, 1));
  assert_int_equal(find_contacts(&b, false, contact), 0);
  bed_free(&b);
}

/* Rule 6: a ball that falls on a tile does not touch the next tile beyond a slit, although it would fall
 * below the edge of this tile without the first tile. */
static void held_off(void **unused) {
  (void)unused;
  static const double slit = 1e-3;
  bed b;
  sc_contact contact[MOST];
  bed_init(&b, 1);
  bed_add(&b, SCREE_DYNAMIC, (double[3]){-0.06, 0, 0.32}, make_ball(0.3));
  sc_set3(2, 0, -4.9, b.bodies.velocity[0]);
  bed_add(&b, SCREE_FIXED, (double[3]){-1 - 0.5 * slit, 0, -0.5}, make_box(2, 4, 1));
  bed_add(&b, SCREE_FIXED, (double[3]){1 + 0.5 * slit, 0, -0.5}, make_box(2, 4, 1));
  assert_int_equal(find_contacts(&b, false, contact), 1);
  assert_upright(contact, 1);
  bed_free(&b);
}

/* Rule 7: of the two touches of a ball over the seam of two boxes, springs have the nearer one only. */
static void ball_over_a_seam(void **unused) {
  (void)unused;
  bed b;
  sc_contact contact[MOST];
  bed_init(&b, 1);
  bed_add(&b, SCREE_DYNAMIC, (double[3]){-0.01, 0, 0.099}, make_ball(0.1));
  const int32_t near = bed_add(&b, SCREE_FIXED, (double[3]){-1, 0, -0.5}, make_box(2, 4, 1));
  bed_add(&b, SCREE_FIXED, (double[3]){1, 0, -0.5}, make_box(2, 4, 1));
  assert_int_equal(find_contacts(&b, false, contact), 2);
  assert_int_equal(find_contacts(&b, true, contact), 1);
  assert_int_equal(contact[0].body2, near);
  bed_free(&b);
}

/* Rule 8: an L of three cubes stands on the five corners of its convex hull. */
static void corners_of_an_outline(void **unused) {
  (void)unused;
  static const double at[3][3] = {{0, 0, 0.5}, {1, 0, 0.5}, {0, 1, 0.5}};
  bed b;
  sc_contact contact[MOST];
  bed_init(&b, 1);
  sc_shape cube = make_box(1, 1, 1);
  for (int k = 0; k < 3; k++) {
    sc_copy3(at[k], cube.position);
    if (k) bed_attach(&b, 0, cube);
    else bed_add(&b, SCREE_DYNAMIC, (double[3]){0, 0, 0}, cube);
  }
  bed_add(&b, SCREE_FIXED, (double[3]){0, 0, 0}, bed_shape(SCREE_HALFSPACE));
  assert_int_equal(find_contacts(&b, false, contact), 5);
  for (int c = 0; c < 5; c++) { /* not the corner of three cubes, and not (0.5, -0.5), which lies on a side */
    const double *p = contact[c].point;
    assert_true(fabs(p[0]) + fabs(p[1]) > 1.9 || fabs(p[0] * p[1] - 0.25) < 1e-9 || p[0] * p[1] < -0.7);
  }
  bed_free(&b);
}

/* Checks the search for nearer touches of a ball in a flat trough. x: place of the ball, off the middle.
 * The search returns the deeper touch once, and returns nothing at the deeper touch. */
static void look_for_nearer(double x) {
  bed b;
  int32_t count;
  double *state;
  bed_init(&b, 1);
  bed_add(&b, SCREE_DYNAMIC, (double[3]){x, 0.2, 0.1}, make_ball(0.1));
  scree_geometry *trough = add_strip(&b, (double[3]){-1, 0, 1}, (double[3]){0.1, 0, 0.1}, 3);
  const sc_collide_def def = {.margin = 0.1, .skin = 0.2, .threads = 1};
  sc_collide *collide = sc_collide_create(&def);
  assert_non_null(collide);
  assert_int_equal(sc_collide_build(collide, &b.bodies, &b.shapes, NULL, step, NULL), SCREE_OK);
  assert_int_equal(
      sc_collide_contacts(collide, &b.bodies, &b.shapes, 0, -1, step, &count, &state, NULL), SCREE_OK);
  assert_int_equal(count, 2);
  sc_contact first;
  sc_collide_contact(collide, &b.shapes, 0, &first);
  /* the ball lies deeper in the side towards which it is moved, and the normal points away from this side */
  const int32_t deep = first.normal[0] * x < 0 ? 0 : 1, other = 1 - deep;
  assert_int_equal(sc_collide_nearer_face(collide, deep, -1), -1);
  assert_int_equal(sc_collide_nearer_face(collide, other, -1), deep);
  assert_int_equal(sc_collide_nearer_face(collide, other, deep), -1);
  sc_collide_destroy(collide);
  bed_free(&b);
  scree_geometry_release(trough);
}

/* Cohesion acts once on a smooth surface: the sides of a flat trough count as one surface. */
static void nearer_faces(void **unused) {
  (void)unused;
  look_for_nearer(1e-4);
  look_for_nearer(-1e-4);
}

/* The rows of a contact are -1 once one of its shapes is removed. */
static void rows_of_removed_shapes(void **unused) {
  (void)unused;
  bed b;
  int32_t count, one, two;
  double *state;
  const sc_collide_def def = {.margin = 0.1, .skin = 0.2, .threads = 1};
  sc_collide *collide = sc_collide_create(&def);
  assert_non_null(collide);
  bed_init(&b, 1);
  bed_add(&b, SCREE_DYNAMIC, (double[3]){0, 0, 0}, make_ball(0.1));
  bed_add(&b, SCREE_DYNAMIC, (double[3]){0, 0, 0.2}, make_ball(0.1));
  assert_int_equal(sc_collide_build(collide, &b.bodies, &b.shapes, NULL, step, NULL), SCREE_OK);
  assert_int_equal(
      sc_collide_contacts(collide, &b.bodies, &b.shapes, 0, -1, step, &count, &state, NULL), SCREE_OK);
  assert_int_equal(count, 1);
  assert_true(sc_collide_rows(collide, 0, &one, &two) && one == 0 && two == 1);
  bed_remove(&b, 0, collide);
  assert_false(sc_collide_rows(collide, 0, &one, &two));
  assert_true(one == -1 && two == -1);
  sc_collide_destroy(collide);
  bed_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_side_by_side), cmocka_unit_test(level_seam),
      cmocka_unit_test(back_of_a_ridge), cmocka_unit_test(hollow_fold), cmocka_unit_test(passing),
      cmocka_unit_test(held_off), cmocka_unit_test(ball_over_a_seam), cmocka_unit_test(corners_of_an_outline),
      cmocka_unit_test(nearer_faces), cmocka_unit_test(rows_of_removed_shapes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
