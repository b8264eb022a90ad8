/* A fill-reducing order for sparse symmetric patterns of blocks: approximate minimum degree on the quotient
 * graph (Amestoy, Davis & Duff 1996). Nodes of the graph are blocks, weighted by their sizes.
 *
 * The structure of the factor is also computed: for each block, the blocks in its column that are eliminated
 * later. Of blocks with equal degree, a fixed rule chooses one, so equal graphs always give equal orders. */
#ifndef SC_BLOCK_ORDER_H
#define SC_BLOCK_ORDER_H

#include <stdint.h>
#include "base/base.h"

typedef struct sc_block_order {
  int32_t *order;   /* [blocks] blocks in the order of elimination */
  int32_t *degree;  /* [blocks] number of blocks in the block's column that are eliminated later */
  int32_t **column; /* [blocks] the blocks in the block's column that are eliminated later, in any order */
} sc_block_order;

/* Computes the order of `blocks` blocks with size[b] >= 1 rows. An edge (i, j) says that block (i, j) of the
 * matrix is nonzero. It may be listed twice and in either direction. An edge from a block to itself is
 * ignored. All memory comes from the arena. Returns false if out of memory. */
bool sc_block_order_find(int32_t blocks, const int32_t *size, int64_t edges, const int32_t (*edge)[2],
    sc_arena *arena, sc_block_order *out);

#endif
