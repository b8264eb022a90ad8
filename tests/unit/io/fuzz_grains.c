/* Replays the corpus of the fuzzer of grain files, as it is and with seeded mutations, in every build. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define LLVMFuzzerTestOneInput fuzz_grains
#include "fuzz/grains.c"
#undef LLVMFuzzerTestOneInput
#include "support/replay.h"

static void files_of_grains_do_no_harm(void **state) {
  (void)state;
  replay("grains", fuzz_grains, 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(files_of_grains_do_no_harm)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
