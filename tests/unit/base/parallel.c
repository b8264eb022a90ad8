/* Pieces that are taken from two ends, and ranges that threads share: every piece is done once, and a thread that stands still leaves its
 * own to the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>
#include "base/parallel.h"

enum { PIECES = 1000, THREADS = 4 };

static void two_ends_meet(void **unused) {
  (void)unused;
  sc_ends ends;
  sc_ends_set(&ends, 3, 7);
  assert_int_equal(sc_ends_front(&ends), 3);
  assert_int_equal(sc_ends_back(&ends), 6);
  assert_int_equal(sc_ends_back(&ends), 5);
  assert_int_equal(sc_ends_front(&ends), 4);
  assert_int_equal(sc_ends_front(&ends), -1);
  assert_int_equal(sc_ends_back(&ends), -1);
  sc_ends_set(&ends, 0, 0);
  assert_int_equal(sc_ends_front(&ends), -1);
}

typedef struct shared { sc_ends ends; _Atomic int taken[PIECES]; } shared;

static void take_all(void *context, int thread, int threads) {
  shared *s = context;
  (void)threads;
  for (int32_t k; (k = thread % 2 ? sc_ends_back(&s->ends) : sc_ends_front(&s->ends)) >= 0;) atomic_fetch_add(&s->taken[k], 1);
}

static void every_piece_once(void **unused) {
  (void)unused;
  shared *s = calloc(1, sizeof *s);
  sc_pool *pool = sc_pool_create(THREADS);
  for (int round = 1; round <= 20; round++) {
    sc_ends_set(&s->ends, 0, PIECES);
    sc_pool_run(pool, take_all, s);
    for (int k = 0; k < PIECES; k++) assert_int_equal(s->taken[k], round);
  }
  sc_pool_destroy(pool);
  free(s);
}

/* The first chunk does not end before all others are done, those among them that were dealt to the same thread. */
typedef struct slow { _Atomic int done; int times[PIECES]; } slow;

static void wait_for_others(void *context, int64_t first, int64_t end) {
  slow *s = context;
  for (int64_t k = first; k < end; k++) s->times[k]++;
  const time_t late = time(NULL) + 60;
  while (first == 0 && atomic_load(&s->done) < PIECES - (int)end && time(NULL) < late) continue;
  atomic_fetch_add(&s->done, (int)(end - first));
}

static void others_take_over(void **unused) {
  (void)unused;
  slow s = {0};
  sc_pool *pool = sc_pool_create(2);
  const time_t begin = time(NULL);
  sc_pool_ranges(pool, PIECES, 7, wait_for_others, &s);
  assert_int_equal(s.done, PIECES);
  for (int k = 0; k < PIECES; k++) assert_int_equal(s.times[k], 1);
  assert_true(time(NULL) < begin + 60);
  sc_pool_destroy(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_ends_meet), cmocka_unit_test(every_piece_once), cmocka_unit_test(others_take_over)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
