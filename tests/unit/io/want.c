/* Frames of which only some fields are decoded: these fields equal those of complete frames, in any order
 * of frames. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/frames.h"

enum { FRAMES = 11, KEY = 4, MOST = 7 };

/* Body i of frame k moves and turns; a body is born in frame 2 and in frame 6, body 2 dies in frame 5. */
static void write_run(const char *path, double precision) {
  scree_trajectory_def def = scree_trajectory_defaults();
  def.key_every = KEY, def.precision = precision;
  scree_writer *w = scree_writer_open(path, &def, NULL);
  assert_non_null(w);
  for (int k = 0; k < FRAMES; k++) {
    uint64_t id[MOST];
    int64_t group[MOST];
    uint8_t kind[MOST];
    double radius[MOST], mass[MOST], x[3 * MOST], q[4 * MOST], v[3 * MOST], s[3 * MOST];
    scree_shape_info shape[MOST];
    int n = 0;
    memset(shape, 0, sizeof shape);
    for (int i = 1; i <= MOST; i++) {
      if ((i == 6 && k < 2) || (i == 7 && k < 6) || (i == 2 && k >= 5)) continue;
      double turn = 0.1 * i + 0.3 * k;
      id[n] = (uint64_t)i, group[n] = i % 3, kind[n] = SCREE_DYNAMIC, radius[n] = 0.1 * i, mass[n] = i;
      for (int c = 0; c < 3; c++) {
        x[3 * n + c] = i + 0.01 * (c + 1) * k, v[3 * n + c] = 0.01 * (c + 1) + 0.001 * k,
                  s[3 * n + c] = 0.2 * c;
        q[4 * n + 1 + c] = c == 2 ? sin(turn) : 0;
      }
      q[4 * n] = cos(turn);
      shape[n] = (scree_shape_info){.body = id[n],
          .type = SCREE_SPHERE,
          .radius = radius[n],
          .position = {0.01 * i},
          .orientation = {1}};
      n++;
    }
    scree_frame f = {.time = k,
        .step = k,
        .bodies = n,
        .id = id,
        .group = group,
        .kind = kind,
        .radius = radius,
        .mass = mass,
        .position = x,
        .orientation = q,
        .velocity = v,
        .spin = s,
        .shapes = n,
        .shape = shape};
    assert_int_equal(scree_writer_frame(w, &f, NULL), SCREE_OK);
  }
  assert_int_equal(scree_writer_close(w, NULL), SCREE_OK);
}

static void compare_field(const double *wanted, const double *whole, int64_t count) {
  assert_non_null(wanted);
  assert_memory_equal(wanted, whole, (size_t)count * sizeof *whole);
}

/* Reads a frame with some fields and compares it with the whole frame from another reader. */
static void compare_frame(scree_reader *some, scree_reader *all, int64_t number, int fields) {
  scree_reader_want(some, fields);
  const scree_frame *a = scree_reader_frame(some, number, NULL), *b = scree_reader_frame(all, number, NULL);
  assert_true(a && b);
  assert_int_equal(a->bodies, b->bodies);
  assert_int_equal(a->shapes, b->shapes);
  assert_memory_equal(a->id, b->id, (size_t)b->bodies * sizeof *b->id);
  assert_memory_equal(a->group, b->group, (size_t)b->bodies * sizeof *b->group);
  assert_memory_equal(a->kind, b->kind, (size_t)b->bodies);
  compare_field(a->radius, b->radius, b->bodies), compare_field(a->mass, b->mass, b->bodies);
  for (int64_t k = 0; k < b->shapes; k++) {
    assert_int_equal(a->shape[k].body, b->shape[k].body);
    assert_true(a->shape[k].position[0] == 0.01 * (double)b->shape[k].body);
    assert_true(a->shape[k].radius == 0.1 * (double)b->shape[k].body);
  }
  if (fields & SCREE_FIELD_POSITION) compare_field(a->position, b->position, 3 * b->bodies);
  if (fields & SCREE_FIELD_ORIENTATION) compare_field(a->orientation, b->orientation, 4 * b->bodies);
  if (fields & SCREE_FIELD_VELOCITY) compare_field(a->velocity, b->velocity, 3 * b->bodies);
  if (fields & SCREE_FIELD_SPIN) compare_field(a->spin, b->spin, 3 * b->bodies);
}

static void some_fields(void **state) {
  const double precision = *(const double *)*state;
  char folder[64], path[128];
  support_path(folder, path, "t.scree");
  write_run(path, precision);
  scree_reader *some = scree_reader_open(path, NULL), *all = scree_reader_open(path, NULL);
  assert_true(some && all);
  for (int fields = 1; fields <= SCREE_FIELD_DEFAULT; fields++)
    for (int64_t k = 0; k < FRAMES; k++) compare_frame(some, all, k, fields);
  /* fields that come and go between frames */
  for (int64_t k = 0; k < 200; k++) compare_frame(some, all, k * 7 % FRAMES, 1 + (int)(k * 11 % 15));
  scree_reader_close(some);
  some = scree_reader_open(path, NULL);
  /* what is not wanted is not decoded */
  scree_reader_want(some, SCREE_FIELD_POSITION);
  for (int64_t k = 0; k < FRAMES; k++) {
    const scree_frame *f = scree_reader_frame(some, k, NULL);
    assert_true(f && f->position && !f->orientation && !f->spin);
  }
  /* 0: all that was kept */
  compare_frame(some, all, 3, 0);
  assert_non_null(scree_reader_frame(some, 3, NULL)->spin);
  scree_reader_close(some), scree_reader_close(all);
  support_clean(folder);
}

int main(void) {
  static double exact = 0, rounded = 1e-4;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(some_fields, &exact), cmocka_unit_test_prestate(some_fields, &rounded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
