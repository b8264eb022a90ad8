/* A fill-reducing order for sparse symmetric patterns of blocks: approximate minimum degree on the quotient
 * graph (Amestoy, Davis & Duff 1996). Nodes of the graph are blocks, weighted by their sizes.
 *
 * The structure of the factor is computed too: for each block, the later blocks in its column. Ties are
 * broken by number, so equal graphs always give equal orders. */
#ifndef SC_BLOCK_ORDER_H
#define SC_BLOCK_ORDER_H

#include <stdint.h>
#include "base/base.h"

typedef struct sc_block_order {
  int32_t *order;   /* [blocks] blocks in the order of elimination */
  int32_t *degree;  /* [blocks] number of later blocks in its column */
  int32_t **column; /* [blocks] the later blocks in its column, unordered */
} sc_block_order;

/* Computes the order. An edge may be listed twice and in either direction. An edge from a block to itself is
 * ignored. Sizes are at least 1. Returns false if out of memory. */
bool sc_block_order_find(int32_t blocks, const int32_t *size, int64_t edges, const int32_t (*edge)[2],
    sc_arena *arena, sc_block_order *out);

#endif
