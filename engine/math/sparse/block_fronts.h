/* Fronts of a block-sparse matrix (block_sparse.h), derived from the order of its blocks. */
#ifndef SC_BLOCK_FRONTS_H
#define SC_BLOCK_FRONTS_H

#include "math/sparse/block_order.h"
#include "math/sparse/block_sparse.h"

/* Sets fronts, places and offsets of a matrix whose sizes are known. Returns false if out of memory. */
bool sc_block_fronts_find(const sc_block_order *order, sc_block_sparse *matrix, sc_arena *arena);
/* Returns the first row of a block in a front; -1 if the front does not have the block. */
int32_t sc_block_front_row(const sc_block_sparse *matrix, const sc_block_front *front, int32_t block);

#endif
