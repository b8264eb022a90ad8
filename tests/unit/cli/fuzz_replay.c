/* Replays the corpora of the fuzzers of the program's readers and of the Lua API. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#define LLVMFuzzerTestOneInput fuzz_kept
#include "fuzz/kept.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_csv
#include "fuzz/csv.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_script
#include "fuzz/script.c"
#undef LLVMFuzzerTestOneInput
#include "support/replay.h"

static void kept_sections_do_no_harm(void **state) {
  (void)state;
  replay("kept", fuzz_kept, 40);
}

/* Every word of every section as values that make no sense, one at a time. */
static void odd_words_do_no_harm(void **state) {
  (void)state;
  static const uint8_t odd[] = {9, 10, 12, 13, 16 + 6, 16 + 9};
  enum { SECTIONS = 14, BYTES = 320 };
  for (size_t s = 0; s < SECTIONS; s++)
    for (size_t at = 0; at < BYTES; at += 4)
      for (size_t k = at % 8 ? 4 : 0; k < sizeof odd; k++) {
        const uint8_t input[] = {(uint8_t)s, (uint8_t)(at & 255), (uint8_t)(at >> 8), 254, odd[k]};
        assert_int_equal(fuzz_kept(input, sizeof input), 0);
      }
}

static void tables_do_no_harm(void **state) {
  (void)state;
  replay("csv", fuzz_csv, 200);
}

static void calls_do_no_harm(void **state) {
  (void)state;
  replay("script", fuzz_script, 12);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kept_sections_do_no_harm),
      cmocka_unit_test(odd_words_do_no_harm), cmocka_unit_test(tables_do_no_harm),
      cmocka_unit_test(calls_do_no_harm)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
