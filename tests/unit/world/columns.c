/* Columns in C: values stay with their bodies when rows move, checkpoints store every bit, damaged
 * checkpoints are errors, and trajectories contain the values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "scree/checkpoint.h"
#include "scree/column.h"
#include "scree/trajectory.h"

enum { BALLS = 100 };
static scree_error error;

static scree_id add_ball(scree_world *world, int k) {
  scree_shape_def shape = scree_shape_defaults();
  shape.type = SCREE_SPHERE, shape.radius = 0.01;
  scree_body_def body = scree_body_defaults();
  body.shapes = &shape, body.shapes_count = 1;
  body.position[0] = 0.03 * (37 * k % BALLS), body.position[1] = 0.03 * (k % 7);
  const scree_id id = scree_world_add(world, &body, &error);
  assert_true(id != 0);
  return id;
}

static double mass_of(int k) { return k / 3.0; }

/* Returns a world with BALLS balls, a value for each in column "tag", and column "dose", in which only ball 7
 * does not have the default. Every third ball is removed again. Sets ball[k] to the id of ball k. */
static scree_world *make_world(scree_id *ball) {
  scree_world_def def = scree_world_defaults();
  scree_world *world = scree_world_create(&def, &error);
  assert_non_null(world);
  assert_int_equal(scree_world_declare_column(world, "tag", NULL, -1, &error), 0);
  for (int k = 0; k < BALLS; k++) {
    ball[k] = add_ball(world, k);
    if (k == BALLS / 2) assert_int_equal(scree_world_declare_column(world, "dose", "Gy", 0.1, &error), 1);
    assert_int_equal(scree_world_set_value(world, 0, ball[k], mass_of(k), &error), SCREE_OK);
  }
  assert_int_equal(scree_world_set_value(world, 1, ball[7], 1e300, &error), SCREE_OK);
  for (int k = 0; k < BALLS; k += 3) assert_int_equal(scree_world_remove(world, ball[k], &error), SCREE_OK);
  return world;
}

static void check_values(scree_world *world, const scree_id *ball) {
  const int tag = scree_world_find_column(world, "tag", &error),
            dose = scree_world_find_column(world, "dose", &error);
  double value;
  int64_t rows;
  int stride;
  void *ids;
  assert_true(tag >= 0 && dose >= 0);
  for (int k = 0; k < BALLS; k++) {
    if (k % 3 == 0) {
      assert_int_equal(scree_world_get_value(world, tag, ball[k], &value, &error), SCREE_E_STALE);
      continue;
    }
    assert_int_equal(scree_world_get_value(world, tag, ball[k], &value, &error), SCREE_OK);
    assert_true(value == mass_of(k));
    assert_int_equal(scree_world_get_value(world, dose, ball[k], &value, &error), SCREE_OK);
    assert_true(value == (k == 7 ? 1e300 : 0.1));
  }
  /* row k of the array belongs to the body in row k of the views */
  const double *values = scree_world_column_values(world, tag, &rows, &stride);
  assert_non_null(values);
  assert_int_equal(scree_world_view(world, SCREE_VIEW_ID, &ids, &rows), 1);
  for (int64_t row = 0; row < rows; row++) {
    assert_int_equal(
        scree_world_get_value(world, tag, (scree_id)((const int64_t *)ids)[row], &value, &error), SCREE_OK);
    assert_true(values[row * stride] == value);
  }
}

static void values_follow_bodies(void **unused) {
  (void)unused;
  scree_id ball[BALLS];
  double value;
  scree_world *world = make_world(ball);
  check_values(world, ball);
  /* the world sorts its rows during these steps */
  assert_int_equal(scree_world_step(world, 80, &error), SCREE_OK);
  check_values(world, ball);
  const scree_id late = add_ball(world, BALLS);
  assert_int_equal(scree_world_get_value(world, 0, late, &value, &error), SCREE_OK);
  assert_true(value == -1);
  assert_int_equal(scree_world_fill_column(world, 0, 8, &error), SCREE_OK);
  assert_int_equal(scree_world_get_value(world, 0, add_ball(world, BALLS + 1), &value, &error), SCREE_OK);
  assert_true(value == 8);
  scree_world_destroy(world);
}

static void columns_are_checked(void **unused) {
  (void)unused;
  scree_id ball[BALLS];
  scree_world *world = make_world(ball);
  char name[80];
  static const char *const bad[] = {"", "1a", "a-b", "velocity", "qx", "columns"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(scree_world_declare_column(world, bad[i], "", 0, &error), -1);
  memset(name, 'n', sizeof name);
  name[63] = 0;
  assert_int_equal(scree_world_declare_column(world, name, "", 0, &error), -1);
  name[62] = 0;
  assert_int_equal(scree_world_declare_column(world, name, "", 0, &error), 2);
  assert_int_equal(scree_world_declare_column(world, "tag", NULL, -1, &error), 0);
  assert_int_equal(scree_world_declare_column(world, "tag", "m", -1, &error), -1);
  assert_int_equal(scree_world_declare_column(world, "tag", NULL, 0, &error), -1);
  assert_int_equal(scree_world_find_column(world, "dosee", &error), -1);
  assert_non_null(strstr(error.text, "did you mean 'dose'"));
  assert_int_equal(scree_world_columns_count(world), 3);
  assert_string_equal(scree_world_column(world, 1)->unit, "Gy");
  assert_null(scree_world_column(world, 3));
  scree_world_destroy(world);
}

static void checkpoints_have_values(void **unused) {
  (void)unused;
  scree_id ball[BALLS], other[BALLS];
  scree_world *world = make_world(ball), *copy = make_world(other);
  scree_checkpoint *file = scree_checkpoint_create(), *again = scree_checkpoint_create();
  assert_int_equal(scree_world_save(world, file, &error), SCREE_OK);
  assert_int_equal(scree_world_fill_column(copy, 0, 3, &error), SCREE_OK);
  assert_int_equal(scree_world_declare_column(copy, "own", NULL, 2, &error), 2);
  assert_int_equal(scree_world_fill_column(copy, 2, 6, &error), SCREE_OK);
  assert_int_equal(scree_world_load(copy, file, &error), SCREE_OK);
  check_values(copy, ball);
  double value;
  assert_int_equal(scree_world_get_value(copy, 2, ball[1], &value, &error), SCREE_OK);
  assert_true(value == 2);
  /* a world without declared columns gets those of the checkpoint, and saves the same bytes */
  scree_world_def def = scree_world_defaults();
  scree_world *bare = scree_world_create(&def, &error);
  assert_int_equal(scree_world_load(bare, file, &error), SCREE_OK);
  check_values(bare, ball);
  assert_int_equal(scree_world_save(bare, again, &error), SCREE_OK);
  static const char *const sections[] = {"world.columns", "world.values"};
  for (int i = 0; i < 2; i++) {
    size_t size, size_again;
    const void *bytes = scree_checkpoint_get(file, sections[i], &size, &error),
               *bytes_again = scree_checkpoint_get(again, sections[i], &size_again, &error);
    assert_true(bytes && bytes_again && size == size_again && size > 0);
    assert_memory_equal(bytes, bytes_again, size);
  }
  scree_checkpoint_destroy(again);
  scree_checkpoint_destroy(file);
  scree_world_destroy(bare);
  scree_world_destroy(copy);
  scree_world_destroy(world);
}

/* Loads a checkpoint whose section `name` is replaced by `size` bytes, and returns the status. The checkpoint
 * is that of a world with columns. */
static scree_status load_with(const char *name, const void *bytes, size_t size) {
  scree_id ball[BALLS];
  scree_world *world = make_world(ball);
  scree_checkpoint *file = scree_checkpoint_create(), *edited = scree_checkpoint_create();
  assert_int_equal(scree_world_save(world, file, &error), SCREE_OK);
  size_t length;
  const char *section;
  for (int64_t i = 0; (section = scree_checkpoint_section(file, i, &length)); i++) {
    const bool is_replaced = !strcmp(section, name);
    const void *at = scree_checkpoint_get(file, section, &length, &error);
    assert_int_equal(
        scree_checkpoint_put(edited, section, is_replaced ? bytes : at, is_replaced ? size : length, &error),
        SCREE_OK);
  }
  const scree_status status = scree_world_load(world, edited, &error);
  scree_checkpoint_destroy(edited);
  scree_checkpoint_destroy(file);
  scree_world_destroy(world);
  return status;
}

static void damage_is_refused(void **unused) {
  (void)unused;
  scree_column list[2] = {{.name = "tag"}, {.name = "dose"}};
  assert_int_equal(load_with("world.columns", list, sizeof list), SCREE_OK);
  assert_int_equal(load_with("world.columns", list, sizeof list - 1), SCREE_E_FORMAT);
  assert_int_equal(load_with("world.columns", list, sizeof *list), SCREE_E_FORMAT);
  strcpy(list[1].name, "tag");
  assert_int_equal(load_with("world.columns", list, sizeof list), SCREE_E_FORMAT);
  memset(list[1].name, 'a', sizeof list[1].name);
  assert_int_equal(load_with("world.columns", list, sizeof list), SCREE_E_FORMAT);
  const double values[2] = {1, 2};
  assert_int_equal(load_with("world.values", values, sizeof values), SCREE_E_FORMAT);
}

/* Bodies are added and removed between key frames, and a column is declared between two frames. Frames, read
 * in any order, must contain the values. */
static void trajectories_have_values(void **unused) {
  (void)unused;
  enum { FRAMES = 9 };
  scree_id ball[BALLS];
  char path[64] = "/tmp/scree-columns-XXXXXX";
  close(mkstemp(path));
  unlink(path);
  scree_world *world = make_world(ball);
  scree_frame_buffer *buffer = scree_frame_buffer_create();
  scree_trajectory_def def = scree_trajectory_defaults();
  def.precision = 1e-4, def.key_every = 4;
  scree_writer *writer = scree_writer_open(path, &def, &error);
  for (int n = 0; n < FRAMES; n++) {
    if (n == 2) assert_int_equal(scree_world_remove(world, ball[10], &error), SCREE_OK);
    if (n == 3) ball[10] = add_ball(world, BALLS + 5);
    if (n == 6) assert_int_equal(scree_world_declare_column(world, "late", NULL, 4, &error), 2);
    assert_int_equal(scree_world_set_value(world, 0, ball[20], 0.1 * n, &error), SCREE_OK);
    const scree_frame *f = scree_frame_capture(buffer, world, 0, &error);
    assert_int_equal(scree_writer_frame(writer, f, &error), SCREE_OK);
    assert_int_equal(scree_world_step(world, 1, &error), SCREE_OK);
  }
  assert_int_equal(scree_writer_close(writer, &error), SCREE_OK);
  scree_reader *reader = scree_reader_open(path, &error);
  assert_non_null(reader);
  static const int order[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 3, 7, 2};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    const int n = order[i];
    const scree_frame *f = scree_reader_frame(reader, n, &error);
    assert_non_null(f);
    assert_int_equal(f->columns, n < 6 ? 2 : 3);
    assert_int_equal(scree_frame_column(f, "late"), n < 6 ? -1 : 2);
    assert_string_equal(f->column[1].unit, "Gy");
    for (int k = 0; k < BALLS; k++) {
      const int64_t row = scree_frame_row(f, ball[k]);
      assert_true((row >= 0) == (k % 3 != 0 && (k != 10 || n >= 3)));
      if (row < 0) continue;
      const double *value = f->value + row * f->columns;
      assert_true(value[0] == (k == 20 ? 0.1 * n : k == 10 ? -1 : mass_of(k)));
      assert_true(value[1] == (k == 7 ? 1e300 : 0.1) && (n < 6 || value[2] == 4));
    }
  }
  /* an export refuses frames whose columns differ */
  scree_export_def to = scree_export_defaults();
  int64_t files;
  to.format = SCREE_CSV, to.directory = "/tmp", to.basename = strrchr(path, '/') + 1;
  assert_int_equal(scree_export(reader, &to, &files, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "other columns"));
  to.first = 6;
  assert_int_equal(scree_export(reader, &to, &files, &error), SCREE_OK);
  scree_reader_close(reader);
  unlink(path);
  strcat(path, ".csv");
  unlink(path);
  scree_frame_buffer_destroy(buffer);
  scree_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_follow_bodies),
      cmocka_unit_test(columns_are_checked), cmocka_unit_test(checkpoints_have_values),
      cmocka_unit_test(damage_is_refused), cmocka_unit_test(trajectories_have_values)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
