/* Tests what a job does when memory runs out. A place is a call stack from which the engine, Lua, libyaml or
 * zlib allocates. One allocation from each place of the job fails once. In some runs all later allocations
 * fail, too. The job must return its normal result or an error, and must not crash or leak. A program
 * includes this header once, after cmocka.h. */
#ifndef TEST_STARVE_H
#define TEST_STARVE_H

#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* ---- the heap of this program ---- */

enum { ANSWER = 1 << 16, ENGINE_TRIES = 30, PLACES = 1 << 14, DEPTH = 8 };

static _Atomic long calls, live;
static long fail_at, count_of_places;
static bool fail_on, looking;
static struct place {
  uint64_t where;
  long call;
} places[PLACES]; /* places of all jobs, and the number of the first call from each */

/* sanitizers replace the heap, so only allocations of the engine can be made to fail */
#ifndef SCREE_SANITIZED
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void __libc_free(void *block);

static void look(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  void *frame[DEPTH];
  pthread_mutex_lock(&lock);
  looking = false;
  const int frames = backtrace(frame, DEPTH);
  const uint64_t where = sc_hash(1, frame + 2, (size_t)(frames > 2 ? frames - 2 : 0) * sizeof *frame);
  long k = 0;
  while (k < count_of_places && places[k].where != where) k++;
  if (k == count_of_places && k < PLACES) places[count_of_places++] = (struct place){where, calls};
  looking = true;
  pthread_mutex_unlock(&lock);
}

static bool fails(void) {
  calls++;
  if (looking) look();
  if (!fail_at || calls < fail_at || (calls > fail_at && !fail_on)) return false;
  errno = ENOMEM;
  return true;
}
static void *count(void *block) {
  live += block != NULL;
  return block;
}
void *malloc(size_t bytes) { return fails() ? NULL : count(__libc_malloc(bytes)); }
void *calloc(size_t n, size_t bytes) { return fails() ? NULL : count(__libc_calloc(n, bytes)); }
void *realloc(void *block, size_t bytes) {
  if (block && !bytes) return free(block), NULL;
  if (fails()) return NULL;
  return block ? __libc_realloc(block, bytes) : count(__libc_realloc(NULL, bytes));
}
void free(void *block) {
  live -= block != NULL;
  __libc_free(block);
}
#endif

/* ---- a job, and all its ways to fail ---- */

typedef void job(char answer[ANSWER]); /* a job: writes its result to answer, "" after an error */

static char first[ANSWER], again[ANSWER];

/* Allocations that fail: those of the whole program, or only those of the engine. */
typedef enum whose { ALL, ENGINE } whose;

static void let_fail(whose w, long n, bool on) {
  if (w == ENGINE) sc_alloc_fail_at((uint64_t)n, on);
  else fail_on = on, fail_at = n ? calls + n : 0;
}

/* Chooses the allocations that are to fail: the first one from each place in the code that no earlier job has
 * reached, or an evenly distributed sample of the engine's allocations. Returns the index of the first chosen
 * allocation in `places`. *total: number of allocations of the job. */
static long calls_to_fail(job *run, whose w, long *total) {
  const long before = w == ENGINE ? (long)sc_alloc_count() : calls, known = count_of_places;
  looking = w == ALL;
  run(again);
  looking = false;
  *total = (w == ENGINE ? (long)sc_alloc_count() : calls) - before;
  if (w == ALL)
    for (long k = known; k < count_of_places; k++) places[k].call -= before;
  else
    for (long n = 1; n <= *total; n += 1 + *total / ENGINE_TRIES) places[count_of_places++].call = n;
  assert_true(count_of_places < PLACES);
  return known;
}

static void starve(const char *name, job *run, whose w) {
#ifdef SCREE_SANITIZED
  w = ENGINE;
#endif
  backtrace((void *[1]){NULL}, 1); /* the first call of backtrace allocates memory */
  run(first);
  run(again); /* libraries have allocated their permanent memory after this run */
  assert_string_equal(first, again);
  assert_true(*first);
  static long all_errors, all_tries;
  long total, errors = 0, tries = 0;
  const long known = calls_to_fail(run, w, &total), alive = live;
  for (int on = 0; on < 2; on++)
    for (long k = known; k < count_of_places; k += on ? 4 : 1, tries++) {
      const long n = places[k].call;
      let_fail(w, n, on);
      run(again);
      let_fail(w, 0, false);
      if (*again && strcmp(again, first)) fail_msg("%s, allocation %ld: %s", name, n, again);
      if (live != alive) fail_msg("%s, allocation %ld: %ld blocks leak", name, n, live - alive);
      errors += !*again;
    }
  print_message("%s: %ld allocations, %ld tries, %ld errors\n", name, total, tries, errors);
  all_errors += errors, all_tries += tries;
  assert_true(
      !all_tries || 3 * all_errors > all_tries); /* a job in a sanitized build may not allocate at all */
}

#endif
