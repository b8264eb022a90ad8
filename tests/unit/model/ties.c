/* Tests ties (counts for pairs of bodies) against a plain table: many pairs share few slots, and counts grow
 * and fall at random. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include "base/base.h"
#include "model/ties.h"

enum { IDS = 40, TURNS = 200000 };
static int64_t expected[IDS][IDS];

static void check_all(const sc_ties *ties) {
  for (int one = 0; one < IDS; one++)
    for (int two = 0; two < IDS; two++)
      if (one || two)
        assert_true(sc_ties_count(ties, (scree_id)one, (scree_id)two) ==
            expected[one < two ? one : two][one < two ? two : one]);
}

static void counts_are_those_of_a_table(void **unused) {
  (void)unused;
  sc_ties ties = {.place = NULL};
  sc_rng rng;
  sc_rng_seed(&rng, 5);
  memset(expected, 0, sizeof expected);
  for (int turn = 0; turn < TURNS; turn++) {
    int one = (int)(IDS * sc_rng_unit(&rng)), two = (int)(IDS * sc_rng_unit(&rng)),
        low = one < two ? one : two, high = one < two ? two : one;
    bool fill = turn / 5000 % 2 == 0; /* alternates between phases of filling and of emptying */
    if (!high) continue;
    if (sc_rng_unit(&rng) < (fill ? 0.7 : 0.2)) {
      assert_true(sc_ties_add(&ties, (scree_id)one, (scree_id)two));
      expected[low][high]++;
    } else if (expected[low][high]) {
      sc_ties_drop(&ties, (scree_id)two, (scree_id)one);
      expected[low][high]--;
    }
    if (turn % 1000 == 0) check_all(&ties);
  }
  check_all(&ties);
  assert_true(2 * ties.taken <= ties.places);
  sc_ties_free(&ties);
}

static void no_memory_changes_nothing(void **unused) {
  (void)unused;
  sc_ties ties = {.place = NULL};
  for (scree_id k = 1; k <= 8; k++) assert_true(sc_ties_add(&ties, k, 0));
  sc_alloc_fail_at(1, false);
  assert_false(sc_ties_add(&ties, 9, 0));
  sc_alloc_fail_at(0, false);
  for (scree_id k = 1; k <= 9; k++) assert_true(sc_ties_count(&ties, 0, k) == (k < 9));
  sc_ties_free(&ties);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_are_those_of_a_table), cmocka_unit_test(no_memory_changes_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
