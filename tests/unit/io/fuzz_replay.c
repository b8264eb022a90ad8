/* Replays the corpora of the fuzzers in every build, unchanged and with a few thousand seeded mutations. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define LLVMFuzzerTestOneInput fuzz_container
#include "fuzz/container.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_frame
#include "fuzz/frame.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_checkpoint
#include "fuzz/checkpoint.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_problem
#include "fuzz/problem.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_mesh
#include "fuzz/mesh.c"
#undef LLVMFuzzerTestOneInput
#include "support/replay.h"

static void files_do_no_harm(void **state) {
  (void)state;
  replay("container", fuzz_container, 150);
}
static void payloads_do_no_harm(void **state) {
  (void)state;
  replay("frame", fuzz_frame, 600);
}

static void edited_checkpoints_do_no_harm(void **state) {
  (void)state;
  replay("checkpoint", fuzz_checkpoint, 5);
}

static void edited_problems_do_no_harm(void **state) {
  (void)state;
  replay("problem", fuzz_problem, 10);
}

/* Every word of every section of a dump as values that make no sense, one at a time. */
static void odd_words_in_problems_do_no_harm(void **state) {
  (void)state;
  const sc_sections *whole = problem_whole();
  static const uint8_t odd[] = {9, 10, 12, 13, 16 + 6, 16 + 9};
  for (size_t s = 0; s < whole->count; s++)
    for (size_t at = 0; at < whole->row[s].size && at < 480; at += 4)
      for (size_t k = at % 8 ? 4 : 0; k < sizeof odd; k++) {
        const uint8_t input[] = {
            (uint8_t)(s % 2), (uint8_t)s, (uint8_t)(at & 255), (uint8_t)(at >> 8), 254, odd[k]};
        assert_int_equal(fuzz_problem(input, sizeof input), 0);
      }
}

static void meshes_do_no_harm(void **state) {
  (void)state;
  replay("mesh", fuzz_mesh, 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(files_do_no_harm),
      cmocka_unit_test(payloads_do_no_harm), cmocka_unit_test(edited_checkpoints_do_no_harm),
      cmocka_unit_test(edited_problems_do_no_harm), cmocka_unit_test(odd_words_in_problems_do_no_harm),
      cmocka_unit_test(meshes_do_no_harm)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
