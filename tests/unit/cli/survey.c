/* Tests the pass over all frames of a run that precedes its pictures (picture/survey.h): the frames that it
 * reads, and its results. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "picture/survey.h"
#include "support/frames.h"

enum { FRAMES = 100, BALLS = 6, KEY = 16, AWAY = 37 };

/* Balls of radius 0.1 at x = 0..5; in frame k ball 5 is at y = 3 if k is AWAY, and all have the speed k. */
static void write_balls(const char *path) {
  scree_trajectory_def def = scree_trajectory_defaults();
  def.fields = SCREE_FIELD_POSITION | SCREE_FIELD_VELOCITY;
  def.key_every = KEY;
  scree_writer *w = scree_writer_open(path, &def, NULL);
  assert_non_null(w);
  uint64_t id[BALLS];
  int64_t group[BALLS] = {0};
  uint8_t kind[BALLS];
  double radius[BALLS], mass[BALLS], position[3 * BALLS] = {0}, velocity[3 * BALLS] = {0};
  for (int i = 0; i < BALLS; i++)
    id[i] = (uint64_t)i + 1, kind[i] = SCREE_DYNAMIC, radius[i] = 0.1, mass[i] = 1, position[3 * i] = i;
  for (int k = 0; k < FRAMES; k++) {
    position[3 * 5 + 1] = k == AWAY ? 3 : 0;
    for (int i = 0; i < BALLS; i++) velocity[3 * i] = k;
    scree_frame f = {.time = k,
        .step = k,
        .bodies = BALLS,
        .id = id,
        .group = group,
        .kind = kind,
        .radius = radius,
        .mass = mass,
        .position = position,
        .velocity = velocity};
    assert_int_equal(scree_writer_frame(w, &f, NULL), SCREE_OK);
  }
  assert_int_equal(scree_writer_close(w, NULL), SCREE_OK);
}

static run_survey survey(scree_reader *reader, int64_t first, int64_t last, double most_bodies) {
  run_survey s;
  survey_frames frames = survey_choose(reader, first, last, most_bodies);
  assert_int_equal(survey_run("film", reader, &frames, field_find("film", "speed"), &s), 0);
  return s;
}

static void frames_of_large_runs_are_keys(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "t.scree");
  write_balls(path);
  scree_reader *reader = scree_reader_open(path, NULL);
  assert_non_null(reader);
  for (int64_t k = 0; k < FRAMES; k++) assert_int_equal(scree_reader_key(reader, k), k / KEY * KEY);
  assert_int_equal(scree_reader_key(reader, -1), -1);
  assert_int_equal(scree_reader_key(reader, FRAMES), -1);
  survey_frames all = survey_choose(reader, 0, FRAMES - 1, BALLS * FRAMES);
  assert_int_equal(all.count, FRAMES);
  for (int64_t k = 0; k < FRAMES; k++) assert_int_equal(survey_frame(&all, FRAMES, k), k);
  survey_frames some = survey_choose(reader, 5, FRAMES - 1, 1);
  assert_int_equal(some.count, 25);
  assert_int_equal(survey_frame(&some, 25, 0), 5);
  assert_int_equal(survey_frame(&some, 25, 24), FRAMES - 1);
  for (int64_t k = 1; k < 24; k++) {
    int64_t number = survey_frame(&some, 25, k);
    assert_true(number == 5 || number % KEY == 0);
    assert_true(number <= 5 + 94 * k / 24 && number > 5 + 94 * k / 24 - KEY);
  }
  scree_reader_close(reader);
}

static void one_pass_finds_box_and_range(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "t.scree");
  write_balls(path);
  scree_reader *reader = scree_reader_open(path, NULL);
  assert_non_null(reader);
  run_survey all = survey(reader, 0, FRAMES - 1, 1e9), some = survey(reader, 0, FRAMES - 1, 1);
  assert_float_equal(all.box.low[0], -0.1, 1e-6);
  assert_float_equal(all.box.high[0], 5.1, 1e-6);
  assert_float_equal(all.box.high[1], 3.1, 1e-6);
  assert_float_equal(some.box.high[1], 0.1, 1e-6);
  assert_float_equal(all.range.high, FRAMES - 1, 1e-3);
  assert_float_equal(some.range.high, FRAMES - 1, 1e-3);
  assert_int_equal(all.has_walls, 0);
  survey_free(&all);
  survey_free(&some);
  scree_reader_close(reader);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_of_large_runs_are_keys), cmocka_unit_test(one_pass_finds_box_and_range)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
