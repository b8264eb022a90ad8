/* A growing trajectory: a reader finds new frames, reads only the added bytes, and reports when the file
 * must be opened again. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "support/frames.h"

enum { GRAINS = 2000, BEFORE = 20, ALL = 24 };
static char folder[64], whole[128], growing[160];

/* Bytes that this process has read so far. */
static long bytes_read(void) {
  long bytes = -1;
  FILE *in = fopen("/proc/self/io", "r");
  if (!in || fscanf(in, "rchar: %ld", &bytes) != 1) bytes = -1;
  if (in) fclose(in);
  return bytes;
}

static int64_t size_of(const char *path) {
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  fseek(in, 0, SEEK_END);
  const int64_t size = ftell(in);
  fclose(in);
  return size;
}

/* Writes the whole file, and notes how long it is after each frame. */
static void write_whole(int64_t end[ALL]) {
  unlink(whole);
  scree_trajectory_def def = scree_trajectory_defaults();
  def.background = 0;
  scree_writer *w = scree_writer_open(whole, &def, NULL);
  assert_non_null(w);
  flow *f = flow_create(GRAINS, 7);
  for (int i = 0; i < ALL; i++, flow_advance(f)) {
    scree_frame frame = flow_frame(f);
    assert_int_equal(scree_writer_frame(w, &frame, NULL), SCREE_OK);
    end[i] = scree_writer_bytes(w);
  }
  flow_destroy(f);
  assert_int_equal(scree_writer_close(w, NULL), SCREE_OK);
}

/* Copies the bytes from..to of the whole file to the end of the growing one. */
static void append(int64_t from, int64_t to) {
  FILE *in = fopen(whole, "rb"), *out = fopen(growing, from ? "ab" : "wb");
  assert_true(in && out);
  fseek(in, from, SEEK_SET);
  for (int64_t i = from; i < to; i++) fputc(fgetc(in), out);
  fclose(in);
  fclose(out);
}

static void same_frame(scree_reader *a, scree_reader *b, int64_t i) {
  const scree_frame *x = scree_reader_frame(a, i, NULL), *y = scree_reader_frame(b, i, NULL);
  assert_true(x && y && x->time == y->time && x->bodies == y->bodies);
  assert_memory_equal(x->position, y->position, (size_t)x->bodies * 3 * sizeof(double));
}

static void reads_what_was_added(void **state) {
  (void)state;
  int64_t end[ALL];
  write_whole(end);
  append(0, end[BEFORE - 1]);
  scree_reader *r = scree_reader_open(growing, NULL), *all = scree_reader_open(whole, NULL);
  assert_true(r && all);
  assert_int_equal(scree_reader_info(r)->frames, BEFORE);
  /* a frame and half of another */
  int64_t half = (end[BEFORE] + end[BEFORE + 1]) / 2, at = end[BEFORE - 1];
  append(at, half);
  const long before = bytes_read();
  assert_int_equal(scree_reader_update(r, NULL), SCREE_OK);
  const long read = bytes_read() - before;
  assert_int_equal(scree_reader_info(r)->frames, BEFORE + 1);
  if (before >= 0) assert_true(read >= end[BEFORE] - at && read < 3 * (half - at) && read < at / 2);
  same_frame(r, all, BEFORE);
  /* the rest of that frame, the others, and no damage is left */
  append(half, end[ALL - 1]);
  assert_int_equal(scree_reader_update(r, NULL), SCREE_OK);
  assert_int_equal(scree_reader_info(r)->frames, ALL);
  assert_int_equal(scree_reader_info(r)->damaged_chunks, 0);
  assert_int_equal(scree_reader_info(r)->lost_bytes, 0);
  assert_string_equal(scree_reader_info(r)->damage, "");
  for (int i = ALL - 1; i >= 0; i -= 5) same_frame(r, all, i);
  /* the index comes */
  append(end[ALL - 1], size_of(whole));
  assert_int_equal(scree_reader_update(r, NULL), SCREE_OK);
  assert_true(scree_reader_info(r)->complete && scree_reader_info(r)->frames == ALL);
  same_frame(r, all, 3);
  assert_int_equal(scree_reader_update(r, NULL), SCREE_E_FORMAT); // a file with an index grows no more
  scree_reader_close(r);
  scree_reader_close(all);
}

static void says_when_the_file_is_another(void **state) {
  (void)state;
  int64_t end[ALL];
  write_whole(end);
  append(0, end[4]);
  scree_reader *r = scree_reader_open(growing, NULL);
  assert_non_null(r);
  assert_int_equal(truncate(growing, end[3]), 0);
  assert_int_equal(scree_reader_update(r, NULL), SCREE_E_FORMAT);
  scree_reader_close(r);
  r = scree_reader_open(growing, NULL);
  assert_non_null(r);
  /* cut and continued otherwise: the last chunk that the reader knows is not there */
  assert_int_equal(truncate(growing, end[2]), 0);
  append(end[5], end[7]);
  assert_int_equal(scree_reader_update(r, NULL), SCREE_E_FORMAT);
  scree_reader_close(r);
}

static int begin(void **state) {
  (void)state;
  support_path(folder, whole, "whole.scree");
  snprintf(growing, sizeof growing, "%s/growing.scree", folder);
  return 0;
}
static int clean(void **state) {
  (void)state;
  unlink(growing);
  support_clean(folder);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_what_was_added), cmocka_unit_test(says_when_the_file_is_another)};
  return cmocka_run_group_tests(tests, begin, clean);
}
