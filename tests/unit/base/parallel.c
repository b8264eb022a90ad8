/* The thread pool with fewer, as many and more threads than cores: no thread passes a barrier before all
 * have reached it, jobs end for all threads, and waits may be short, long, or end in sleep. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>
#include "base/base.h"
#include "base/parallel.h"

enum { MOST = 8, PHASES = 50, JOBS = 10, COUNT = 100000 };

typedef struct phases {
  sc_pool *pool;
  bool late;       /* the last thread comes so late that the others sleep */
  int row[MOST];   /* phases that each thread has begun */
  int wrong[MOST]; /* how often another was not as far after a barrier */
} phases;

/* Every thread writes its row, and reads all of them behind the barrier. */
static void go_through(void *context, int thread, int threads) {
  phases *p = context;
  for (int k = 0; k < PHASES; k++) {
    if (p->late && thread == threads - 1 && k % 10 == 0) usleep(1000);
    p->row[thread]++;
    sc_pool_barrier(p->pool);
    for (int t = 0; t < threads; t++) p->wrong[thread] += p->row[t] != p->row[thread];
    sc_pool_barrier(p->pool);
  }
}

static void check_phases(int threads, bool late) {
  sc_pool *pool = sc_pool_create(threads);
  assert_non_null(pool);
  assert_int_equal(sc_pool_threads(pool), threads);
  phases p = {.pool = pool, .late = late};
  const int jobs = late ? 2 : JOBS;
  for (int job = 0; job < jobs; job++) sc_pool_run(pool, go_through, &p);
  for (int t = 0; t < threads; t++) {
    assert_int_equal(p.row[t], jobs * PHASES);
    assert_int_equal(p.wrong[t], 0);
  }
  sc_pool_destroy(pool);
}

static void test_barriers(void **state) {
  (void)state;
  for (int threads = 1; threads <= MOST; threads++) check_phases(threads, false);
}

static void test_late_threads(void **state) {
  (void)state;
  for (int threads = 2; threads <= MOST; threads += 2) check_phases(threads, true);
}

/* Other processes on the machine: nobody spins. */
static void test_shared_cores(void **state) {
  (void)state;
  sc_pool *pool = sc_pool_create(2);
  phases p = {.pool = pool};
  assert_non_null(pool);
  sc_pool_share_cores(pool, 1 << 20);
  for (int job = 0; job < JOBS; job++) sc_pool_run(pool, go_through, &p);
  assert_int_equal(p.row[0] + p.row[1], 2 * JOBS * PHASES);
  assert_int_equal(p.wrong[0] + p.wrong[1], 0);
  sc_pool_destroy(pool);
}

static void count_up(void *context, int64_t first, int64_t end) {
  unsigned char *visits = context;
  for (int64_t k = first; k < end; k++) visits[k]++;
}

static double sum_of_parts(void *context, int64_t first, int64_t end) {
  double sum = 0;
  (void)context;
  for (int64_t k = first; k < end; k++) sum += 1.0 / (double)(k + 1);
  return sum;
}

/* Every element once, and the same sum to the bit whatever the threads. */
static void test_ranges(void **state) {
  (void)state;
  unsigned char *visits = calloc(COUNT, 1);
  const double sum = sc_pool_sum(NULL, COUNT, sum_of_parts, NULL);
  assert_non_null(visits);
  for (int threads = 1; threads <= MOST; threads++) {
    sc_pool *pool = sc_pool_create(threads);
    assert_non_null(pool);
    sc_pool_ranges(pool, COUNT, 100, count_up, visits);
    for (int k = 0; k < COUNT; k++) assert_int_equal(visits[k], threads);
    assert_true(sc_pool_sum(pool, COUNT, sum_of_parts, NULL) == sum);
    sc_pool_destroy(pool);
  }
  free(visits);
}

static void meet_once(void *context, int thread, int threads) {
  (void)thread, (void)threads;
  sc_pool_barrier(context);
}

static void meet_nobody(void *context, int thread, int threads) {
  (void)context, (void)thread, (void)threads;
}

/* How often work is then said to be crowded. */
static int watched(sc_pool *pool, sc_job job) {
  int times = 0;
  sc_pool_run_close(pool, job, pool);
  while (sc_pool_is_crowded(pool)) times++;
  return times;
}

/* A thread that does not spin sleeps at every barrier. */
static void test_crowds(void **state) {
  (void)state;
  sc_pool *pool = sc_pool_create(2);
  sc_pool_share_cores(pool, 1 << 20);
  assert_false(sc_pool_is_crowded(pool));
  assert_int_equal(watched(pool, meet_nobody), 0);
  assert_int_equal(watched(pool, meet_once), 8);
  assert_int_equal(watched(pool, meet_once), 16);
  for (int k = 0; k < 10; k++) watched(pool, meet_once);
  assert_int_equal(watched(pool, meet_once), 1024);
  assert_int_equal(watched(pool, meet_nobody), 0);
  assert_int_equal(watched(pool, meet_once), 8);
  sc_pool_destroy(pool);
  assert_int_equal(watched(NULL, meet_once), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_barriers), cmocka_unit_test(test_late_threads),
      cmocka_unit_test(test_shared_cores), cmocka_unit_test(test_ranges), cmocka_unit_test(test_crowds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
