/* Comparison: the first difference is named, the largest is found, sign and tolerance are respected. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "support/frames.h"

enum { FRAMES = 12 };

/* Writes a flow whose frames pass through change() first. */
static void write_changed(const char *path, void (*change)(flow *, int), int frames, double precision) {
  scree_trajectory_def def = scree_trajectory_defaults();
  def.precision = precision;
  scree_writer *w = scree_writer_open(path, &def, NULL);
  assert_non_null(w);
  flow *f = flow_create(30, 11);
  for (int i = 0; i < frames; i++, flow_advance(f)) {
    scree_frame frame = flow_frame(f);
    if (change) {
      change(f, i);
      frame = flow_frame(f);
    }
    assert_int_equal(scree_writer_frame(w, &frame, NULL), SCREE_OK);
  }
  assert_int_equal(scree_writer_close(w, NULL), SCREE_OK);
  flow_destroy(f);
}

static scree_comparison compare(void (*change)(flow *, int), int frames, double precision, double tolerance) {
  char folder[64], path[128], other[160];
  support_path(folder, path, "a.scree");
  snprintf(other, sizeof other, "%s/b.scree", folder);
  write_changed(path, NULL, FRAMES, 0);
  write_changed(other, change, frames, precision);
  scree_reader *a = scree_reader_open(path, NULL), *b = scree_reader_open(other, NULL);
  scree_comparison c;
  assert_int_equal(scree_compare(a, b, tolerance, &c, NULL), SCREE_OK);
  scree_reader_close(a);
  scree_reader_close(b);
  support_clean(folder);
  return c;
}

static void equal_files_are_the_same(void **state) {
  (void)state;
  scree_comparison c = compare(NULL, FRAMES, 0, 0);
  assert_true(c.same);
  assert_int_equal(c.compared, FRAMES);
  assert_int_equal(c.differences, 0);
  assert_int_equal(c.first.frame, -1);
}

static void nudge(flow *f, int i) {
  if (i == 4) f->position[3 * 7 + 1] = nextafter(f->position[3 * 7 + 1], 1);
  if (i == 6) f->velocity[3 * 9 + 2] += 0.25;
}

static void one_bit_is_found(void **state) {
  (void)state;
  scree_comparison c = compare(nudge, FRAMES, 0, 0);
  assert_false(c.same);
  assert_int_equal(c.first.frame, 4);
  assert_int_equal(c.first.field, SCREE_DIFF_POSITION);
  assert_int_equal(c.first.component, 1);
  flow *f = flow_create(30, 11);
  for (int i = 0; i < 4; i++) flow_advance(f);
  assert_int_equal(c.first.body, f->id[7]);
  assert_true(c.first.a == f->position[22] && c.first.b == nextafter(f->position[22], 1));
  flow_destroy(f);
  /* the changed velocity lives on for some frames, its largest difference with it */
  assert_true(fabs(fabs(c.largest[SCREE_DIFF_VELOCITY].a - c.largest[SCREE_DIFF_VELOCITY].b) - 0.25) < 1e-12);
  assert_int_equal(c.largest[SCREE_DIFF_SPIN].frame, -1);
}

static void turn_over(flow *f, int i) {
  if (i == 3)
    for (int k = 0; k < 4; k++) f->orientation[20 + k] = -f->orientation[20 + k];
}

static void both_signs_are_one_orientation_within_a_tolerance(void **state) {
  (void)state;
  assert_int_equal(compare(turn_over, 4, 0, 0).first.field, SCREE_DIFF_ORIENTATION);
  scree_comparison c = compare(turn_over, FRAMES, 0, 1e-12);
  assert_true(c.same);
}

static void tolerance_is_relative_to_the_field(void **state) {
  (void)state;
  assert_false(compare(NULL, FRAMES, 1e-7, 0).same);
  assert_true(compare(NULL, FRAMES, 1e-7, 0.05).same);
}

static void kill_one(flow *f, int i) {
  if (i == 5) flow_drop(f, 4);
}
static void grow_one(flow *f, int i) {
  if (i == 2) f->radius[5] *= 2;
}

static void bodies_shapes_and_frames_count(void **state) {
  (void)state;
  scree_comparison c = compare(kill_one, FRAMES, 0, 0);
  assert_int_equal(c.first.frame, 5);
  assert_int_equal(c.first.field, SCREE_DIFF_BODY);
  assert_true(c.first.a == 1 && c.first.b == 0);
  c = compare(grow_one, 3, 0, 0);
  assert_int_equal(c.first.frame, 2);
  assert_int_equal(c.first.field, SCREE_DIFF_RADIUS);
  assert_int_equal(c.largest[SCREE_DIFF_SHAPE].frame, 2);
  c = compare(NULL, FRAMES - 2, 0, 0);
  assert_false(c.same);
  assert_int_equal(c.differences, 0);
  assert_int_equal(c.compared, FRAMES - 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(equal_files_are_the_same),
      cmocka_unit_test(one_bit_is_found), cmocka_unit_test(both_signs_are_one_orientation_within_a_tolerance),
      cmocka_unit_test(tolerance_is_relative_to_the_field), cmocka_unit_test(bodies_shapes_and_frames_count)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
