/* Ids outlive moves of rows, and stale ids are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "model/bodies.h"

enum { COUNT = 300 };

static void ids_follow_rows(void **unused) {
  (void)unused;
  sc_bodies bodies = {0};
  scree_id id[COUNT];
  for (int i = 0; i < COUNT; i++) {
    int32_t row = sc_bodies_add(&bodies);
    bodies.group[row] = i;
    id[i] = sc_bodies_id(&bodies, row);
    assert_true(id[i] != 0);
  }
  for (int i = 0; i < COUNT; i += 3) sc_bodies_remove(&bodies, sc_bodies_row(&bodies, id[i]));
  for (int i = 0; i < COUNT; i++) {
    int32_t row = sc_bodies_row(&bodies, id[i]);
    if (i % 3 == 0) assert_int_equal(row, -1);
    else assert_int_equal(bodies.group[row], i);
  }
  /* a reversal of rows */
  int32_t order[COUNT];
  void *scratch = malloc(COUNT * 64);
  for (int32_t row = 0; row < bodies.count; row++) order[row] = bodies.count - 1 - row;
  sc_bodies_permute(&bodies, order, scratch);
  free(scratch);
  for (int i = 0; i < COUNT; i++)
    if (i % 3) assert_int_equal(bodies.group[sc_bodies_row(&bodies, id[i])], i);
  /* slots are reused under new ids */
  scree_id fresh = sc_bodies_id(&bodies, sc_bodies_add(&bodies));
  for (int i = 0; i < COUNT; i++) assert_true(fresh != id[i]);
  assert_int_equal(sc_bodies_row(&bodies, 0), -1);
  assert_int_equal(sc_bodies_row(&bodies, (scree_id)-1), -1);
  sc_bodies_free(&bodies);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ids_follow_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
