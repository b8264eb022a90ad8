/* Tests jobs whose reads fail. Each read of a job, in turn, fails once, fails from then on, finds a truncated
 * file, is interrupted, or returns one byte less. An interrupted or shortened read must not change the job's
 * result. After a failure or truncation the job returns its normal result or an error. The job must never
 * crash, leak or leave a file open. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "io/container/container.h"
#include "io/trajectory/checkpoint.h"
#include "support/frames.h"

/* ---- the reads of this program ---- */

typedef enum fault { NONE, ONCE, ON, CUT, INTERRUPTED, SHORT, FAULTS } fault;

static fault what;
static long calls, fail_at;

ssize_t pread(int fd, void *to, size_t count, off_t offset) {
  const long call = ++calls;
  const bool now = what != NONE && (call == fail_at || (call > fail_at && what == ON));
  if (!now) return syscall(SYS_pread64, fd, to, count, offset);
  if (what == CUT) return 0;
  if (what == SHORT) return syscall(SYS_pread64, fd, to, count > 1 ? count - 1 : count, offset);
  errno = what == INTERRUPTED ? EINTR : EIO;
  return -1;
}

/* ---- jobs ---- */

enum { ANSWER = 1 << 12, LONG = 300000 };

static char folder[64], file[160];

/* All chunks of a container, before and after it is verified, in words; "" after an error. */
static void read_container(char answer[ANSWER]) {
  scree_error error = {SCREE_OK, ""};
  sc_container c;
  *answer = 0;
  if (sc_container_open(&c, file, SC_SCHEMA_CHECKPOINT, &error)) return;
  int length = 0;
  for (int round = 0; round < 2; round++) {
    sc_bytes bytes = {0};
    length += snprintf(
        answer + length, ANSWER - (size_t)length, "%d %d %s;", c.complete, (int)c.damaged, c.damage);
    scree_status status = SCREE_OK;
    for (size_t k = 0; k < c.count && !status; k++) {
      status = sc_container_get(&c, k, &bytes, &error);
      const uint64_t hash = sc_hash(SC_HASH_START, bytes.at, bytes.count);
      length += snprintf(answer + length, ANSWER - (size_t)length, "%llx;", (unsigned long long)hash);
    }
    sc_bytes_free(&bytes);
    if (status || (!round && sc_container_verify(&c, &error))) {
      *answer = 0;
      break;
    }
  }
  sc_container_close(&c);
}

/* The sections of a checkpoint and its generation. */
static void read_checkpoint(char answer[ANSWER]) {
  scree_error error = {SCREE_OK, ""};
  sc_sections sections;
  int generation, length = 0;
  *answer = 0;
  if (sc_checkpoint_load(&sections, file, &generation, &error)) return;
  length += snprintf(answer, ANSWER, "%d;", generation);
  for (size_t k = 0; k < sections.count; k++)
    length += snprintf(answer + length, ANSWER - (size_t)length, "%s %llx;", sections.row[k].name,
        (unsigned long long)sc_hash(SC_HASH_START, sections.row[k].bytes, sections.row[k].size));
  sc_sections_free(&sections);
}

static int open_files(void) {
  DIR *all = opendir("/proc/self/fd");
  int count = 0;
  while (all && readdir(all)) count++;
  if (all) closedir(all);
  return count;
}

/* A job that may lose what it cannot read says less; it must not say anything else. `loses`: damage is
 * counted, so an answer that differs is one that tells of it. */
static void stutter(const char *name, void (*job)(char answer[ANSWER]), bool loses) {
  static char first[ANSWER], again[ANSWER];
  what = NONE, calls = 0;
  job(first);
  const long total = calls, open = open_files();
  long errors = 0;
  assert_true(*first && total > 3);
  for (fault f = ONCE; f < FAULTS; f++)
    for (long n = 1; n <= total; n++) {
      what = f, calls = 0, fail_at = n;
      job(again);
      what = NONE;
      const bool same = !strcmp(first, again);
      if (!same && (f >= INTERRUPTED || (*again && !loses)))
        fail_msg("%s, fault %d of read %ld: %s", name, f, n, again);
      if (open_files() != open) fail_msg("%s, fault %d of read %ld: a file stays open", name, f, n);
      errors += !*again;
    }
  print_message("%s: %ld reads, %ld errors\n", name, total, errors);
  assert_true(errors > 0);
}

/* ---- files ---- */

static void fill_sections(sc_sections *s, int mark) {
  static char text[LONG];
  for (int k = 0; k < LONG; k++) text[k] = (char)(k % 8191 * 7919 % 251 + mark);
  assert_int_equal(sc_section_write(s, "one", &mark, sizeof mark, NULL), 0);
  assert_int_equal(sc_section_write(s, "long", text, sizeof text, NULL), 0);
  assert_int_equal(sc_section_write(s, "three", "three", 5, NULL), 0);
}

/* Two generations of a checkpoint at `file`. */
static void two_generations(void) {
  snprintf(file, sizeof file, "%s/checkpoint.scree", folder);
  for (int mark = 1; mark <= 2; mark++) {
    sc_sections s = {0};
    fill_sections(&s, mark);
    assert_int_equal(sc_checkpoint_save(&s, AT_FDCWD, file, 2, NULL), 0);
    sc_sections_free(&s);
  }
}

/* Changes the byte at that place, from the end where it is below 0. */
static void flip(long at) {
  FILE *f = fopen(file, "r+b");
  assert_non_null(f);
  fseek(f, at, at < 0 ? SEEK_END : SEEK_SET);
  const int was = fgetc(f);
  fseek(f, -1, SEEK_CUR);
  fputc(was ^ 0x55, f);
  fclose(f);
}

static void whole_container(void **state) {
  (void)state;
  two_generations();
  stutter("container", read_container, true);
}

/* If a file has no trailer, the reader scans the file chunk by chunk. It skips a damaged chunk and finds the
 * chunks before and after it. */
static void walked_container(void **state) {
  (void)state;
  two_generations();
  flip(-8);
  stutter("without its trailer", read_container, true);
  flip(SC_CONTAINER_HEADER + 1);
  stutter("with a damaged chunk", read_container, true);
  flip(SC_CONTAINER_HEADER + 1);
  flip(1);
  stutter("with a damaged header", read_container, true);
}

/* A generation that cannot be read gives way to the one before. */
static void checkpoint(void **state) {
  (void)state;
  two_generations();
  stutter("checkpoint", read_checkpoint, true);
  flip(-8);
  stutter("checkpoint of before", read_checkpoint, false);
}

static int set_up(void **state) {
  (void)state;
  support_path(folder, file, "x");
  return 0;
}

static int clean_up(void **state) {
  (void)state;
  support_clean(folder);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_container), cmocka_unit_test(walked_container), cmocka_unit_test(checkpoint)};
  return cmocka_run_group_tests(tests, set_up, clean_up);
}
