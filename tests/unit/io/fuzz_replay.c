/* Replays the corpora of the fuzzers, as they are and with a few thousand seeded mutations, in every
 * build. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
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

enum { MOST = 1 << 16 };

/* Changes a few bytes, swaps two stretches, or cuts the end off. */
static size_t mutate(unsigned char *bytes, size_t size, sc_rng *rng) {
  int edits = 1 + (int)(sc_rng_next(rng) % 4);
  for (int i = 0; i < edits && size; i++) {
    size_t at = (size_t)(sc_rng_next(rng) % size);
    switch (sc_rng_next(rng) % 5) {
    case 0: bytes[at] = (unsigned char)sc_rng_next(rng); break;
    case 1: bytes[at] ^= (unsigned char)(1u << sc_rng_next(rng) % 8); break;
    case 2: bytes[at] = sc_rng_next(rng) % 2 ? 255 : 0; break;
    case 3: {
      size_t n = (size_t)(sc_rng_next(rng) % 16), to = (size_t)(sc_rng_next(rng) % size);
      if (at + n < size && to + n < size) memmove(bytes + to, bytes + at, n);
      break;
    }
    default:
      if (sc_rng_next(rng) % 8 == 0) size = at;
      break;
    }
  }
  return size;
}

static void replay(const char *corpus, int (*target)(const uint8_t *, size_t), int mutations) {
  char folder[600], path[900];
  snprintf(folder, sizeof folder, "%s", SCREE_TESTS_DIR "/unit/io/fuzz_replay.c");
  strcpy(strstr(folder, "unit/io/fuzz_replay.c"), "fuzz/corpus/");
  strcat(folder, corpus);
  DIR *dir = opendir(folder);
  assert_non_null(dir);
  unsigned char *bytes = malloc(MOST), *changed = malloc(MOST);
  sc_rng rng;
  sc_rng_seed(&rng, 1);
  int files = 0;
  for (struct dirent *entry; (entry = readdir(dir));) {
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, MOST, file);
    fclose(file);
    assert_int_equal(target(bytes, size), 0);
    for (int i = 0; i < mutations; i++) {
      memcpy(changed, bytes, size);
      assert_int_equal(target(changed, mutate(changed, size, &rng)), 0);
    }
    files++;
  }
  closedir(dir);
  free(bytes);
  free(changed);
  print_message("%s: %d files, %d mutations each\n", corpus, files, mutations);
  assert_true(files >= 3);
}

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
  scree_checkpoint_destroy(restart_whole());
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(files_do_no_harm),
      cmocka_unit_test(payloads_do_no_harm), cmocka_unit_test(edited_checkpoints_do_no_harm)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
