/* The cap on memory: allocated bytes are counted, allocations beyond the limit fail, and the count returns
 * to its start. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/base.h"
#include "scree/memory.h"

static void blocks_are_counted(void **state) {
  (void)state;
  size_t before = scree_memory_used();
  char *block = sc_alloc(100000);
  assert_in_range(scree_memory_used() - before, 100000, 110000);
  block = sc_realloc(block, 300000);
  assert_in_range(scree_memory_used() - before, 300000, 310000);
  block = sc_realloc(block, 1000);
  assert_in_range(scree_memory_used() - before, 1000, 300000);
  sc_free(block);
  sc_free(NULL);
  assert_int_equal(scree_memory_used(), before);
}

static void the_limit_refuses(void **state) {
  (void)state;
  assert_true(scree_memory_left() == SIZE_MAX);
  scree_memory_limit(scree_memory_used() + 100000);
  scree_memory_refused();
  char *block = sc_alloc(60000);
  assert_non_null(block);
  assert_null(sc_alloc(60000));
  assert_true(scree_memory_refused());
  assert_false(scree_memory_refused());
  assert_null(sc_realloc(block, 120000));
  assert_false(sc_alloc_affordable(50000));
  /* what the caller holds beside counts, too */
  assert_true(sc_alloc_affordable(30000));
  scree_memory_beside(20000);
  assert_false(sc_alloc_affordable(30000));
  assert_true(sc_alloc_affordable(10000));
  scree_memory_beside(0);
  scree_memory_refused();
  /* the same room again after it has been given back */
  sc_free(block);
  block = sc_alloc(90000);
  assert_non_null(block);
  sc_free(block);
  scree_memory_limit(0);
  assert_true(scree_memory_left() == SIZE_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_are_counted), cmocka_unit_test(the_limit_refuses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
