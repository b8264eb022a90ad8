/* Tests that a trajectory survives the end of its writer: a child process that writes frames is killed at a
 * random moment. No finished frame may be lost, and a resumed run must write the same bytes as an
 * uninterrupted run. */
#ifndef SUPPORT_KILL_H
#define SUPPORT_KILL_H

#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

#include "support/frames.h"

/* Number of grains, number of frames, and largest number of frames that a writer writes after the frame at
 * which it is to be killed. */
enum { KILL_GRAINS = 300, KILL_FRAMES = 60, KILL_AHEAD = 6 };

static inline scree_trajectory_def kill_def(void) {
  scree_trajectory_def def = scree_trajectory_defaults();
  def.precision = 1e-7;
  def.fields |= SCREE_FIELD_CONTACTS;
  def.key_every = 8;
  return def;
}

/* Writes the frames from .. KILL_FRAMES - 1. Sends the number of durable frames through the pipe after each
 * frame; pipe_end -1: no pipe. After frame number `hold` it waits until it is killed; -1: never. Returns 0,
 * or a number that identifies the failed call. */
static inline int kill_write(const char *path, int64_t from, int pipe_end, int64_t hold) {
  scree_trajectory_def def = kill_def();
  scree_writer *w = from ? scree_writer_append(path, from, &def, NULL) : scree_writer_open(path, &def, NULL);
  if (!w) return 1;
  flow *f = flow_create(KILL_GRAINS, 21);
  for (int64_t i = 0; i < KILL_FRAMES; i++, flow_advance(f)) {
    scree_frame frame = flow_frame(f);
    if (i < from) continue;
    if (scree_writer_frame(w, &frame, NULL)) return 2;
    if (i % 3 == 0 && scree_writer_flush(w, 0, NULL)) return 3;
    int64_t durable = scree_writer_durable(w);
    if (pipe_end >= 0 && write(pipe_end, &durable, sizeof durable) != sizeof durable) return 4;
    while (i == hold) pause();
  }
  flow_destroy(f);
  return scree_writer_close(w, NULL) ? 5 : 0;
}

static inline unsigned char *kill_slurp(const char *path, long *size) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  *size = ftell(file);
  rewind(file);
  unsigned char *bytes = malloc((size_t)*size + 1);
  assert_int_equal(fread(bytes, 1, (size_t)*size, file), *size);
  fclose(file);
  return bytes;
}

/* Checks that every frame in the file `path` equals the frame in the file `straight` of an uninterrupted run.
 * Returns the number of frames in `path`. */
static inline int64_t kill_check(const char *path, const char *straight) {
  scree_error error;
  scree_reader *a = scree_reader_open(path, &error), *b = scree_reader_open(straight, &error);
  if (!a) print_error("%s\n", error.text);
  assert_non_null(a);
  scree_comparison c;
  assert_int_equal(scree_compare(a, b, 0, &c, &error), SCREE_OK);
  assert_int_equal(c.differences, 0);
  int64_t frames = scree_reader_info(a)->frames;
  scree_reader_close(a);
  scree_reader_close(b);
  return frames;
}

/* Starts a child process that writes frames, and kills it some microseconds after it reported `wanted`
 * durable frames. Checks the file. Then resumes the run and checks that its bytes equal those of the file
 * `straight`. Returns the number of frames in the file before the run was resumed. */
static inline int64_t kill_once(const char *path, const char *straight, int64_t wanted, long microseconds) {
  int ends[2];
  remove(path);
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    _exit(kill_write(path, 0, ends[1], wanted + KILL_AHEAD));
  }
  close(ends[1]);
  int64_t durable = -1, told;
  while (durable < wanted && read(ends[0], &told, sizeof told) == sizeof told) durable = told;
  struct timespec wait = {0, microseconds * 1000};
  nanosleep(&wait, NULL);
  kill(child, SIGKILL);
  int status;
  waitpid(child, &status, 0);
  while (read(ends[0], &told, sizeof told) == sizeof told) durable = told;
  close(ends[0]);
  if (access(path, F_OK)) {
    assert_true(durable <= 0);
    return 0;
  }
  FILE *file = fopen(path, "rb");
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  fclose(file);
  if (size < 32) {
    assert_true(durable <= 0);
    return 0;
  } /* the child was killed before it wrote the file header */
  if (size == 32) return 0;
  int64_t frames = kill_check(path, straight);
  assert_true(frames >= durable);
  /* if the child was killed at the very start, the preamble may be missing; a run resumes only from a file
   * with a preamble */
  if (!frames) return 0;
  assert_int_equal(kill_write(path, frames, -1, -1), 0);
  long n, m;
  unsigned char *x = kill_slurp(path, &n), *y = kill_slurp(straight, &m);
  assert_int_equal(n, m);
  assert_memory_equal(x, y, (size_t)n);
  free(x);
  free(y);
  return frames;
}

/* Calls kill_once `kills` times, at times distributed over the frames of a run and over the time of a
 * frame. */
static inline void kill_many(int kills, uint64_t seed) {
  char folder[64], path[128], straight[160];
  support_path(folder, path, "killed.scree");
  snprintf(straight, sizeof straight, "%s/straight.scree", folder);
  double start = sc_clock_wall();
  assert_int_equal(kill_write(straight, 0, -1, -1), 0);
  double frame = (sc_clock_wall() - start) / KILL_FRAMES;
  sc_rng rng;
  sc_rng_seed(&rng, seed);
  int partial = 0;
  for (int i = 0; i < kills; i++) {
    int64_t wanted = (int64_t)(KILL_FRAMES * sc_rng_unit(&rng)) - 1;
    int64_t frames = kill_once(path, straight, wanted, (long)(2e6 * frame * sc_rng_unit(&rng)) % 900000);
    partial += frames > 0 && frames < KILL_FRAMES;
  }
  print_message("%d kills, %d of them in the middle of the run\n", kills, partial);
  assert_true(partial > kills / 4);
  support_clean(folder);
}

#endif
