/* Replays the corpus of the experiment fuzzer, with each file unchanged, truncated and with changed bytes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "fuzz/experiment.c"

#ifndef CORPUS
#define CORPUS "tests/fuzz/corpus/experiment"
#endif

/* Returns the folder of the corpus, because tests run in different folders of the build. */
static const char *corpus(char out[512]) {
  const char *source = SCREE_TESTS_DIR "/unit/bind/fuzz_replay.c", *end = strstr(source, "tests/unit/bind");
  snprintf(out, 512, "%.*s" CORPUS, end ? (int)(end - source) : 0, source);
  return out;
}

static size_t load(const char *folder, const char *name, unsigned char **bytes) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  *bytes = malloc(1 << 20);
  size_t size = fread(*bytes, 1, 1 << 20, file);
  fclose(file);
  return size;
}

static void replays_and_mutates(void **state) {
  (void)state;
  char folder[512];
  DIR *dir = opendir(corpus(folder));
  assert_non_null(dir);
  sc_rng rng;
  sc_rng_seed(&rng, 1);
  int files = 0;
  for (struct dirent *entry; (entry = readdir(dir));) {
    if (entry->d_name[0] == '.') continue;
    unsigned char *bytes;
    size_t size = load(folder, entry->d_name, &bytes);
    LLVMFuzzerTestOneInput(bytes, size);
    for (int k = 0; k < 60 && size && size < 20000; k++) {
      unsigned char *copy = malloc(size);
      memcpy(copy, bytes, size);
      size_t cut = size;
      if (k % 3 == 0) cut = (size_t)(sc_rng_unit(&rng) * (double)size);
      else
        for (int n = 0; n < k % 5 + 1; n++)
          copy[(size_t)(sc_rng_unit(&rng) * (double)size)] = (unsigned char)(sc_rng_next(&rng) %
              (k % 2 ? 256 : 128));
      LLVMFuzzerTestOneInput(copy, cut);
      free(copy);
    }
    free(bytes);
    files++;
  }
  closedir(dir);
  assert_true(files >= 15);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(replays_and_mutates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
