/* Union-find on the numbers 0 .. n - 1. of: [n] initially of[i] = i; later of[i] is a link towards the root
 * of the set that contains i. */
#ifndef SC_SETS_H
#define SC_SETS_H

#include <stdint.h>

/* Returns the root of the set that contains i. Shortens the links on the way (path halving). */
static inline int32_t sc_sets_top(int32_t *of, int32_t i) {
  while (of[i] != i) i = of[i] = of[of[i]];
  return i;
}

/* Merges the sets that contain i and j. The smaller root becomes the common root, so that roots do not depend
 * on the order of calls. */
static inline void sc_sets_join(int32_t *of, int32_t i, int32_t j) {
  int32_t a = sc_sets_top(of, i), b = sc_sets_top(of, j);
  if (a < b) of[b] = a;
  else of[a] = b;
}

#endif
