/* The back-off of `auto` on plain states: it doubles, up to a bound, each time a newton solve was not
 * worth its cost; a solve that was worth it halves the back-off; every back-off ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solve/auto/auto.h"

/* Steps that an island is swept alone after a wait was set. */
static int steps_swept(sc_wait wait) {
  int steps = 0;
  for (; wait.left; steps++) {
    sc_wait next = sc_backoff_step(wait);
    assert_int_equal(next.left, wait.left - 1);
    assert_int_equal(next.last, wait.last); // what the next failure doubles
    wait = next;
  }
  return steps;
}

static void failures_double_the_wait_up_to_a_bound(void **state) {
  (void)state;
  int bound[2];
  for (int is_large = 0; is_large < 2; is_large++) {
    sc_wait wait = {0, 0};
    int last = 0, failures = 0;
    for (; failures < 20; failures++) {
      wait = sc_backoff_after((sc_wait){0, wait.last}, false, is_large);
      const int steps = steps_swept(wait);
      assert_true(steps == 2 * last + 1 || (steps == last && failures > 5));
      last = steps;
    }
    bound[is_large] = last;
    assert_int_equal(steps_swept(sc_backoff_after((sc_wait){0, wait.last}, false, is_large)), last);
  }
  assert_true(bound[1] > bound[0]); // islands that are large wait longer
}

static void an_answer_that_pays_ends_the_wait_and_halves_the_next(void **state) {
  (void)state;
  sc_wait failed = sc_backoff_after((sc_wait){0, 15}, false, false);
  sc_wait paid = sc_backoff_after((sc_wait){0, failed.last}, true, false);
  assert_int_equal(steps_swept(paid), 0);
  assert_true(steps_swept(sc_backoff_after(paid, false, false)) <= failed.last);
  int answers = 0;
  for (sc_wait wait = {0, 63}; wait.last; answers++) wait = sc_backoff_after(wait, true, false);
  assert_int_equal(answers, 6); // 63, 31, 15, 7, 3, 1: forgotten after as many answers as failures
}

static void no_wait_stays_no_wait(void **state) {
  (void)state;
  const sc_wait none = sc_backoff_step((sc_wait){0, 0}), paid = sc_backoff_after(none, true, true);
  assert_int_equal(none.left, 0);
  assert_int_equal(paid.left, 0);
  assert_int_equal(paid.last, 0);
}

/* A wait of a large island that shrinks is cut to the bound of small islands, not wrapped around. */
static void a_long_wait_fits_the_bound_of_small_islands(void **state) {
  (void)state;
  const sc_wait large = sc_backoff_after((sc_wait){0, 255}, false, true),
                small = sc_backoff_after((sc_wait){0, 255}, false, false);
  assert_true(large.last >= small.last);
  assert_int_equal(steps_swept(sc_backoff_after((sc_wait){0, small.last}, false, false)), small.last);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(failures_double_the_wait_up_to_a_bound),
      cmocka_unit_test(an_answer_that_pays_ends_the_wait_and_halves_the_next),
      cmocka_unit_test(no_wait_stays_no_wait),
      cmocka_unit_test(a_long_wait_fits_the_bound_of_small_islands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
