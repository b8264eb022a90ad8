/* Counts of the joints between two bodies: a hash table whose key is two ids in either order. */
#ifndef SC_TIES_H
#define SC_TIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "scree/world.h"

typedef struct sc_tie {
  scree_id low, high; /* low <= high; high 0: an empty place */
  int64_t count;
} sc_tie;

/* Open addressing: `places` is a power of two, and at most half of them are taken. */
typedef struct sc_ties {
  sc_tie *place;
  size_t places, taken;
} sc_ties;

/* Returns the number of ties between two ids; one of them may be 0, not both. */
int64_t sc_ties_count(const sc_ties *ties, scree_id one, scree_id two);
/* Adds a tie. Returns false and changes nothing if out of memory. */
bool sc_ties_add(sc_ties *ties, scree_id one, scree_id two);
/* Removes one tie; there must be one. */
void sc_ties_drop(sc_ties *ties, scree_id one, scree_id two);
/* Frees the table and zeroes the struct. */
void sc_ties_free(sc_ties *ties);

#endif
