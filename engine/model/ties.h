/* Hash table that counts ties. A tie connects two bodies, for example by a joint. The key is the pair of
 * their ids, in either order. */
#ifndef SC_TIES_H
#define SC_TIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "scree/world.h"

typedef struct sc_tie {
  scree_id low, high; /* low <= high; high = 0: the place is empty */
  int64_t count;
} sc_tie;

/* Hash table with open addressing. `places` is a power of two, and at most half of the places are taken. */
typedef struct sc_ties {
  sc_tie *place;
  size_t places, taken;
} sc_ties;

/* Returns the number of ties between two ids. One of them may be 0, but not both. */
int64_t sc_ties_count(const sc_ties *ties, scree_id one, scree_id two);
/* Adds a tie. If out of memory, changes nothing and returns false. */
bool sc_ties_add(sc_ties *ties, scree_id one, scree_id two);
/* Removes one tie. There must be at least one. */
void sc_ties_drop(sc_ties *ties, scree_id one, scree_id two);
/* Frees the table and zeroes the struct. */
void sc_ties_free(sc_ties *ties);

#endif
