/* Hash functions, random numbers and the clock (base.h). */
#include "base/base.h"

#include <string.h>
#include <time.h>

/* 2^64 divided by the golden ratio: the increment of splitmix64 */
static const uint64_t GOLDEN = 0x9e3779b97f4a7c15ull;

/* Returns a number whose bits each depend on all bits of z: the mixing function of splitmix64 (Steele, Lea &
 * Flood 2014). Different z give different numbers. */
static uint64_t mix_bits(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

uint64_t sc_hash(uint64_t hash, const void *bytes, size_t count) {
  SC_ASSERT(bytes || !count);
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < count; i++) hash = (hash ^ byte[i]) * 0x100000001b3ull;
  return hash;
}

uint64_t sc_hash_words(uint64_t hash, const void *words, size_t count) {
  SC_ASSERT(words || !count);
  for (size_t i = 0; i < count; i++) {
    uint64_t word;
    memcpy(&word, (const char *)words + i * sizeof word, sizeof word);
    hash = mix_bits(hash ^ word);
  }
  return hash;
}

/* The seed is expanded by splitmix64 to the state of xoshiro256** (Blackman & Vigna 2018). */
void sc_rng_seed(sc_rng *rng, uint64_t seed) {
  for (int i = 0; i < 4; i++) rng->s[i] = mix_bits(seed += GOLDEN);
}

void sc_rng_seed_at(sc_rng *rng, uint64_t seed, uint64_t counter) {
  sc_rng_seed(rng, mix_bits(seed + (counter + 1) * GOLDEN));
}

static uint64_t rotate_left(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

uint64_t sc_rng_next(sc_rng *rng) {
  uint64_t *s = rng->s, result = rotate_left(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate_left(s[3], 45);
  return result;
}

double sc_rng_unit(sc_rng *rng) { return (double)(sc_rng_next(rng) >> 11) * 0x1p-53; }

double sc_clock_wall(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
