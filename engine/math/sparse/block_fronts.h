/* Computes the fronts of a block-sparse matrix (dense submatrices, block_sparse.h) from the order of
 * elimination of its blocks. */
#ifndef SC_BLOCK_FRONTS_H
#define SC_BLOCK_FRONTS_H

#include "math/sparse/block_order.h"
#include "math/sparse/block_sparse.h"

/* Sets the members of a matrix that describe fronts: fronts, front, place, offset and of. The members blocks
 * and size must be set. Returns false if out of memory. */
bool sc_block_fronts_find(const sc_block_order *order, sc_block_sparse *matrix, sc_arena *arena);
/* Returns the row of a front at which a block begins; -1 if the front does not have the block. */
int32_t sc_block_front_row(const sc_block_sparse *matrix, const sc_block_front *front, int32_t block);

#endif
