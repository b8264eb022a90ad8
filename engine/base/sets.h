/* Union-find on the numbers 0..n-1. of[i] is i at first. Later it is a link towards the root of the set of
 * i. */
#ifndef SC_SETS_H
#define SC_SETS_H

#include <stdint.h>

/* Returns the root of i's set, with path halving. */
static inline int32_t sc_sets_top(int32_t *of, int32_t i) {
  while (of[i] != i) i = of[i] = of[of[i]];
  return i;
}

/* Merges two sets. The smaller root becomes the common root, so that the order of unions does not matter. */
static inline void sc_sets_join(int32_t *of, int32_t i, int32_t j) {
  int32_t a = sc_sets_top(of, i), b = sc_sets_top(of, j);
  if (a < b) of[b] = a;
  else of[a] = b;
}

#endif
