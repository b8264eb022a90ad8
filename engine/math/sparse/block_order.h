/* A fill-reducing order for sparse symmetric patterns of blocks: approximate minimum degree on the
 * quotient graph (Amestoy, Davis & Duff 1996), on blocks and weighted by their sizes.
 *
 * Beside the order it gives the structure of the factor: the later blocks in the column of each block.
 * Ties are broken by number, so the same graph always gives the same order. */
#ifndef SC_BLOCK_ORDER_H
#define SC_BLOCK_ORDER_H

#include <stdint.h>
#include "base/base.h"

typedef struct sc_block_order {
  int32_t *order;   /* block eliminated first, second, ... */
  int32_t *degree;  /* per block: how many others its column holds below it */
  int32_t **column; /* per block: their numbers, in no order */
} sc_block_order;

/* Edges may come twice and in either direction; those from a block to itself say nothing. All blocks have
 * sizes of at least 1. False without memory. */
bool sc_block_order_find(int32_t blocks, const int32_t *size, int64_t edges, const int32_t (*edge)[2],
    sc_arena *arena, sc_block_order *out);

#endif
