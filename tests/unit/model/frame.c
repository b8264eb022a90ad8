/* Displayed positions of the bodies of a frame: images in the cell, and frames without optional fields. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "scree/frame.h"

static const double position[] = {0.2, 0.3, -7.5, -13.1, 22.7, 5.25}, velocity[] = {1, 2, 3, -4, 5, -6};
static const uint64_t id[] = {1, 2};

static scree_frame make_frame(void) {
  scree_frame f = {.bodies = 2, .id = id, .position = position, .velocity = velocity, .has_cell = 1};
  f.cell = (scree_cell){
      .periodic = {1, 1, 0}, .origin = {-0.5, 0.25, 0}, .gradient = {0, 3, 0, 0.5, 0, 0, 0, 0, 0}};
  assert_true(scree_cell_set(&f.cell, (double[9]){2, 0.75, 0, 0.25, 1.5, 0, 0, 0, 4}));
  assert_true(fabs(f.cell.volume - 4 * (3 - 0.75 * 0.25)) < 1e-14);
  return f;
}

/* Checks position = displayed position + H image, and velocity = displayed velocity + L H image. H: matrix of
 * the cell; L: its velocity gradient. Cell coordinates of displayed positions are in [0, 1). */
static void images(void **state) {
  (void)state;
  const scree_frame f = make_frame();
  for (int64_t row = 0; row < 2; row++) {
    const scree_shown s = scree_frame_shown(&f, row);
    double shift[3], part;
    for (int k = 0; k < 3; k++)
      shift[k] = f.cell.matrix[3 * k] * s.image[0] + f.cell.matrix[3 * k + 1] * s.image[1];
    assert_true(s.image[2] == 0 && (row == 0 || s.image[0] < -5));
    for (int k = 0; k < 3; k++) {
      const double *L = f.cell.gradient + 3 * k, *inverse = f.cell.inverse + 3 * k;
      assert_true(fabs(s.position[k] + shift[k] - position[3 * row + k]) < 1e-13);
      assert_true(fabs(s.velocity[k] + L[0] * shift[0] + L[1] * shift[1] - velocity[3 * row + k]) < 1e-13);
      part = 0;
      for (int m = 0; m < 3; m++) part += inverse[m] * (s.position[m] - f.cell.origin[m]);
      assert_true(k == 2 || (part >= 0 && part < 1));
    }
  }
}

/* In a frame without a cell, or with a cell of zero volume, displayed positions equal positions. Values that
 * a frame does not contain are 0. */
static void without(void **state) {
  (void)state;
  scree_frame f = make_frame();
  assert_false(scree_cell_set(&f.cell, (double[9]){2, 2, 0, 2, 2, 0, 0, 0, 1}));
  scree_shown s = scree_frame_shown(&f, 1);
  assert_true(s.position[0] == -13.1 && s.velocity[2] == -6 && s.image[0] == 0 && f.cell.volume == 0);
  f = make_frame(), f.velocity = NULL;
  s = scree_frame_shown(&f, 1);
  assert_true(s.image[0] != 0 && s.velocity[0] == 0 && s.velocity[1] == 0);
  f.has_cell = 0, f.velocity = velocity;
  s = scree_frame_shown(&f, 1);
  assert_true(s.position[1] == 22.7 && s.velocity[1] == 5 && s.image[1] == 0);
  f.position = NULL;
  s = scree_frame_shown(&f, 0);
  assert_true(s.position[0] == 0 && s.velocity[0] == 1);
}

/* A contact of body 1 with an image of body 2: its point and both line ends move by the same cell vectors,
 * which bring the point into the cell. The line end of a fixed body is the contact point. */
static void contacts(void **state) {
  (void)state;
  uint8_t kind[] = {SCREE_DYNAMIC, SCREE_DYNAMIC};
  scree_frame f = make_frame();
  const scree_frame_contact c = {.body1 = 1, .body2 = 2, .point = {4.5, 0.5, -7.25}, .image = {3, -2, 0}};
  f.kind = kind;
  scree_shown_contact s = scree_frame_shown_contact(&f, &c);
  const double *H = f.cell.matrix;
  for (int k = 0; k < 3; k++) {
    const double beside = position[3 + k] + 3 * H[3 * k] - 2 * H[3 * k + 1];
    assert_true(fabs(s.end1[k] - s.point[k] - (position[k] - c.point[k])) < 1e-13);
    assert_true(fabs(s.end2[k] - s.point[k] - (beside - c.point[k])) < 1e-13);
  }
  assert_true(s.point[0] != c.point[0] && s.point[2] == c.point[2]);
  kind[0] = SCREE_FIXED, f.has_cell = 0;
  s = scree_frame_shown_contact(&f, &c);
  for (int k = 0; k < 3; k++)
    assert_true(s.end1[k] == c.point[k] && s.point[k] == c.point[k] && s.end2[k] == position[3 + k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(images), cmocka_unit_test(without), cmocka_unit_test(contacts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
