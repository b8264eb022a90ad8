/* Sparse matrices of dense blocks on a symmetric pattern, and their LU factorisation by the multifrontal
 * method (Duff & Reid 1983; Liu 1992).
 *
 * Values need not be symmetric. Rows are not exchanged, because the matrices of the solvers are close to
 * positive definite. A vanishing pivot is replaced by a small share of its front's diagonal and counted.
 * Blocks are eliminated in a fill-reducing order (block_order.h). Blocks with similar columns form a front: a
 * dense matrix of the rows that are eliminated there (pivots) and the rows that their elimination changes
 * (border). A front adds the updates of its children in the elimination tree and passes its own to its
 * parent.
 *
 * Sums have a fixed order, that of the elimination, for all widths of vectors: products are subtracted from
 * each entry one after the other. */
#ifndef SC_BLOCK_SPARSE_H
#define SC_BLOCK_SPARSE_H

#include <stdint.h>
#include "base/base.h"

typedef struct sc_block_front {
  int32_t pivots, border;   /* number of pivot blocks, and of border blocks */
  int32_t pivot_rows, rows; /* number of rows of the pivots, and of pivots and border */
  int32_t first;            /* position of the front's first pivot in the elimination order */
  int32_t *list;            /* the front's blocks: pivots, then border, in the order of elimination */
  int32_t parent;           /* index of the parent front; -1: none */
  int32_t leaf;             /* first front of this front's subtree; the subtree ends with this front */
  /* offsets in `value` of the pivot rows (pivot_rows x rows) and of the border rows (border rows x
   * pivot_rows) */
  int64_t upper, lower;
  int32_t *into; /* [border] first row of the border block in the parent */
} sc_block_front;

/* Position of a block in `value`: entry (r, c) at [at + r * stride + c]. */
typedef struct sc_block_place {
  int64_t at;
  int32_t stride;
} sc_block_place;

typedef struct sc_block_sparse {
  int32_t blocks, rows;
  const int32_t *size;
  int32_t *start;  /* [blocks] first row of the block in vectors */
  int32_t *place;  /* [blocks] position in the elimination order */
  int32_t *offset; /* [blocks] first row of the block among the pivot rows of its front */
  int32_t *of;     /* [blocks] index of the block's front */
  int32_t fronts;
  sc_block_front *front; /* [fronts] children before parents, in postorder */
  int64_t values;
  double *value;
  int64_t room; /* size of the stack of updates */
  double *stack;
  double *work;     /* [rows] scratch */
  double flops;     /* number of multiplications of a factorisation */
  int64_t doubtful; /* number of pivots replaced in the last factorisation */
} sc_block_sparse;

/* Computes order and fronts, flops, values and room, without allocating `value` and `stack`. `size` must
 * outlive the matrix. Returns false if out of memory. */
bool sc_block_sparse_analyse(int32_t blocks, const int32_t *size, int64_t edges, const int32_t (*edge)[2],
    sc_arena *arena, sc_block_sparse *out);
/* Allocates `value` and `stack`. The analysis does not allocate them, so that a caller can first compare
 * flops. Returns false if out of memory. */
bool sc_block_sparse_take(sc_block_sparse *matrix, sc_arena *arena);
/* Returns the position of block (i, j). i = j, or (i, j) must be an edge. */
sc_block_place sc_block_sparse_place(const sc_block_sparse *matrix, int32_t i, int32_t j);
/* Sets all values to 0. */
void sc_block_sparse_clear(sc_block_sparse *matrix);
/* Factorises the values in place. Returns false if they are not finite. */
bool sc_block_sparse_factor(sc_block_sparse *matrix);
/* Solves A x = b in place (x: b on entry). Rows are in the order of the blocks. */
void sc_block_sparse_solve(const sc_block_sparse *matrix, double *x);

#endif
