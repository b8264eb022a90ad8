/* 200 kills at random moments. */
#include "support/kill.h"

static void a_killed_writer_loses_no_finished_frame(void **state) {
  (void)state;
  kill_many(200, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_killed_writer_loses_no_finished_frame)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
