/* Faces of contacts made by hand: a rectangle with a point inside, an edge, two planes of one pair, and
 * images. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "scree/faces.h"

static scree_frame_contact make_contact(scree_id one, scree_id two, double x, double y, double z, int axis) {
  scree_frame_contact c = {.body1 = one, .body2 = two, .point = {x, y, z}};
  c.normal[axis] = 1;
  return c;
}

/* Fills `out` with four corners of a rectangle of 3 x 2 in the plane z = 0, a point inside, and three points
 * of bodies 4 and 5 on a line. The lists of both pairs alternate. Returns their number. */
static int make_contacts(scree_frame_contact *out) {
  int n = 0;
  out[n++] = make_contact(4, 5, 0, 0, 0, 2);
  out[n++] = make_contact(1, 2, 0, 0, 0, 2);
  out[n++] = make_contact(1, 2, 3, 0, 0, 2);
  out[n++] = make_contact(4, 5, 1, 0, 0, 2);
  out[n++] = make_contact(1, 2, 1, 1, 0, 2);
  out[n++] = make_contact(1, 2, 3, 2, 0, 2);
  out[n++] = make_contact(4, 5, 2, 1e-9, 0, 2);
  out[n++] = make_contact(1, 2, 0, 2, 0, 2);
  return n;
}

static void test_rectangle(void **state) {
  (void)state;
  scree_frame_contact c[8];
  scree_faces faces;
  assert_int_equal(scree_faces_find(c, make_contacts(c), &faces, NULL), SCREE_OK);
  assert_int_equal(faces.count, 1);
  const scree_face *face = faces.face;
  assert_true(face->body1 == 1 && face->body2 == 2 && face->contact == 1 && face->corners == 4);
  assert_true(fabs(face->area - 6) < 1e-12 && fabs(face->tolerance - 1e-3 * sqrt(6)) < 1e-15);
  double sum = 0; /* sum of the coordinates of all corners: 0, 3, 5 and 2 */
  for (int64_t k = 0; k < 4; k++)
    sum += faces.corner[face->corner + k][0] + faces.corner[face->corner + k][1];
  assert_true(fabs(sum - 10) < 1e-12);
  scree_faces_free(&faces);
  assert_int_equal(scree_faces_find(NULL, 0, &faces, NULL), SCREE_OK);
  assert_int_equal(faces.count, 0);
  scree_faces_free(&faces);
}

/* A pair with a face across z, one across x, and one across z of another image: three faces in the order of
 * their first contacts. */
static void test_planes(void **state) {
  (void)state;
  scree_frame_contact c[9];
  scree_faces faces;
  for (int k = 0; k < 3; k++) {
    const double y = k == 1, u = k == 2;
    c[k] = make_contact(1, 2, u, y, 7, 2);
    c[k].image[2] = 1;
    c[3 + k] = make_contact(1, 2, 5, y, u, 0);
    c[6 + k] = make_contact(1, 2, 2 * u, y, 0, 2);
  }
  assert_int_equal(scree_faces_find(c, 9, &faces, NULL), SCREE_OK);
  assert_int_equal(faces.count, 3);
  static const double area[] = {0.5, 0.5, 1};
  static const int axis[] = {2, 0, 2};
  for (int k = 0; k < 3; k++) {
    assert_int_equal(faces.face[k].contact, 3 * k);
    assert_int_equal(faces.face[k].image[2], k == 0);
    assert_true(fabs(faces.face[k].area - area[k]) < 1e-12 && faces.face[k].normal[axis[k]] == 1);
  }
  scree_faces_free(&faces);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rectangle), cmocka_unit_test(test_planes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
