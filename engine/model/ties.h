/* Who is tied to whom: counts keyed by two bodies, in either order, in a hash table. */
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

/* Open addressing, places a power of two, at most half of them taken. */
typedef struct sc_ties {
  sc_tie *place;
  size_t places, taken;
} sc_ties;

/* How many ties there are between two ids, of which one may be 0 and not both. */
int64_t sc_ties_count(const sc_ties *ties, scree_id one, scree_id two);
/* One more (false without memory, nothing is changed then), and one less of those that there are. */
bool sc_ties_add(sc_ties *ties, scree_id one, scree_id two);
void sc_ties_drop(sc_ties *ties, scree_id one, scree_id two);
void sc_ties_free(sc_ties *ties);

#endif
