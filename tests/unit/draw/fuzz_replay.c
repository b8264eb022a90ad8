/* Replays the corpus of the picture fuzzer, unchanged and mutated, and draws seeded scenes with bodies at all
 * distances. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/draw.c"
#include "support/replay.h"

static void pictures_do_no_harm(void **state) {
  (void)state;
  replay("draw", LLVMFuzzerTestOneInput, 10);
}

static void random_scenes_do_no_harm(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 7);
  for (int i = 0; i < 40; i++) {
    unsigned char bytes[DRAW_RECORD * (1 + DRAW_SHAPES)];
    for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (unsigned char)sc_rng_next(&rng);
    assert_int_equal(LLVMFuzzerTestOneInput(bytes, sizeof bytes), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pictures_do_no_harm), cmocka_unit_test(random_scenes_do_no_harm)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
