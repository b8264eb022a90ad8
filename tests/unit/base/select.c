/* Selection by rank against sorted lists: repeated keys, sorted and reversed lists, lists of one key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/base.h"

enum { MOST = 60 };

static double key(const void *context, int32_t item) { return ((const double *)context)[item]; }

static bool before(const double *value, int32_t a, int32_t b) {
  return value[a] < value[b] || (value[a] == value[b] && a < b);
}

/* How many items come before one: its rank. */
static int32_t rank_of(const double *value, int32_t count, int32_t item) {
  int32_t smaller = 0;
  for (int32_t k = 0; k < count; k++) smaller += before(value, k, item);
  return smaller;
}

static void check(const double *value, const int32_t *start, int32_t count, int32_t rank) {
  int32_t item[MOST], seen[MOST] = {0};
  for (int32_t k = 0; k < count; k++) item[k] = start[k];
  sc_select_rank(item, count, rank, key, value);
  assert_int_equal(rank_of(value, count, item[rank]), rank);
  for (int32_t k = 0; k < count; k++) {
    seen[item[k]]++;
    if (k < rank) assert_true(before(value, item[k], item[rank]));
    if (k > rank) assert_true(before(value, item[rank], item[k]));
  }
  for (int32_t k = 0; k < count; k++) assert_int_equal(seen[k], 1);
}

static void every_rank_of_random_lists(void **unused) {
  (void)unused;
  sc_rng rng;
  sc_rng_seed(&rng, 3);
  for (int32_t count = 1; count <= MOST; count++) {
    double value[MOST];
    int32_t item[MOST];
    int kinds = 1 + count % 7; /* few different keys: many are equal */
    for (int32_t k = 0; k < count; k++) value[k] = (double)(int)(sc_rng_unit(&rng) * kinds * 3), item[k] = k;
    for (int32_t k = count - 1; k > 0; k--) {
      int32_t other = (int32_t)(sc_rng_unit(&rng) * (k + 1)), swap = item[k];
      item[k] = item[other], item[other] = swap;
    }
    for (int32_t rank = 0; rank < count; rank++) check(value, item, count, rank);
  }
}

static void lists_in_order_and_against_it(void **unused) {
  (void)unused;
  double value[MOST];
  int32_t up[MOST], down[MOST];
  for (int32_t k = 0; k < MOST; k++) value[k] = k, up[k] = k, down[k] = MOST - 1 - k;
  for (int32_t rank = 0; rank < MOST; rank++) check(value, up, MOST, rank), check(value, down, MOST, rank);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_rank_of_random_lists), cmocka_unit_test(lists_in_order_and_against_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
