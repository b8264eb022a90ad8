/* Runs a fuzzer's target on the files of its corpus, unchanged and with random mutations from a fixed seed.
 * Works in every build. */
#ifndef REPLAY_H
#define REPLAY_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

enum { REPLAY_MOST = 1 << 16 };

/* Mutates data at random: changes bytes, copies short ranges, or truncates the data. Returns the new size. */
static inline size_t replay_mutate(unsigned char *bytes, size_t size, sc_rng *rng) {
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

static inline void replay(const char *corpus, int (*target)(const uint8_t *, size_t), int mutations) {
  char folder[600], path[900];
  snprintf(folder, sizeof folder, SCREE_TESTS_DIR "/fuzz/corpus/%s", corpus);
  DIR *dir = opendir(folder);
  assert_non_null(dir);
  unsigned char *bytes = malloc(REPLAY_MOST), *changed = malloc(REPLAY_MOST);
  sc_rng rng;
  sc_rng_seed(&rng, 1);
  int files = 0;
  for (struct dirent *entry; (entry = readdir(dir));) {
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, REPLAY_MOST, file);
    fclose(file);
    assert_int_equal(target(bytes, size), 0);
    for (int i = 0; i < mutations; i++) {
      memcpy(changed, bytes, size);
      assert_int_equal(target(changed, replay_mutate(changed, size, &rng)), 0);
    }
    files++;
  }
  closedir(dir);
  free(bytes);
  free(changed);
  print_message("%s: %d files, %d mutations each\n", corpus, files, mutations);
  assert_true(files >= 3);
}

#endif
