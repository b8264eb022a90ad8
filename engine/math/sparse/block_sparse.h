/* Sparse matrices of dense blocks on a symmetric pattern, and their LU factorisation by the multifrontal
 * method (Duff & Reid 1983; Liu 1992).
 *
 * Values need not be symmetric. No rows are exchanged: the matrices of the solvers are close to positive
 * definite, and a pivot that vanishes is replaced by a small share of its block's diagonal and counted.
 * Blocks are eliminated in a fill-reducing order (block_order.h). Those with like columns form a front: a
 * dense matrix of the rows that are eliminated there (pivots) and those that feel it (border). A front
 * takes the updates of its children in the elimination tree, and leaves its own to its parent.
 *
 * Sums are taken in a fixed order, that of the elimination, whatever the width of vectors: every entry
 * loses its products one after the other. */
#ifndef SC_BLOCK_SPARSE_H
#define SC_BLOCK_SPARSE_H

#include <stdint.h>
#include "base/base.h"

typedef struct sc_block_front {
  int32_t pivots, border;   /* blocks */
  int32_t pivot_rows, rows; /* rows of pivots, and of both */
  int32_t first;            /* place of its first pivot in the order */
  int32_t *list;            /* blocks: pivots, then border, in the order of elimination */
  int32_t parent;           /* -1: none */
  int32_t leaf;             /* first front of its subtree, which ends with itself */
  int64_t upper, lower;     /* in value: pivot rows x rows, and border rows x pivot rows */
  int32_t *into;            /* per border block: its row in the parent */
} sc_block_front;

/* Where a block lies in value: entry (r, c) at [at + r * stride + c]. */
typedef struct sc_block_place {
  int64_t at;
  int32_t stride;
} sc_block_place;

typedef struct sc_block_sparse {
  int32_t blocks, rows;
  const int32_t *size;
  int32_t *start;  /* per block: its first row in vectors */
  int32_t *place;  /* per block: its turn in the elimination */
  int32_t *offset; /* per block: its first row among the pivots of its front */
  int32_t *of;     /* per block: its front */
  int32_t fronts;
  sc_block_front *front; /* children before parents, in postorder */
  int64_t values;
  double *value;
  int64_t room; /* of the stack of updates */
  double *stack;
  double *work;     /* rows */
  double flops;     /* multiplications of a factorisation */
  int64_t doubtful; /* pivots that were replaced in the last one */
} sc_block_sparse;

/* Order and fronts, with flops, values and room. `size` must outlive the matrix. False without memory. */
bool sc_block_sparse_analyse(int32_t blocks, const int32_t *size, int64_t edges, const int32_t (*edge)[2],
    sc_arena *arena, sc_block_sparse *out);
/* Room for values and the stack, which analysing leaves out, so that its flops can be looked at first. */
bool sc_block_sparse_take(sc_block_sparse *matrix, sc_arena *arena);
/* Where block (i, j) lies; i = j, or an edge. */
sc_block_place sc_block_sparse_place(const sc_block_sparse *matrix, int32_t i, int32_t j);
void sc_block_sparse_clear(sc_block_sparse *matrix);
/* Factorises the values in place. False where they are not finite. */
bool sc_block_sparse_factor(sc_block_sparse *matrix);
/* x: the right-hand side in, the solution out; rows in the order of the blocks. */
void sc_block_sparse_solve(const sc_block_sparse *matrix, double *x);

#endif
