/* Sparse matrices of dense blocks on a symmetric pattern, and their LU factorisation by the multifrontal
 * method (Duff & Reid 1983; Liu 1992).
 *
 * Values need not be symmetric. Rows are not exchanged, because the matrices of the solvers are close to
 * positive definite. A pivot that is too small is replaced by a small fraction of the largest diagonal entry
 * of its front, and counted. Blocks are eliminated in a fill-reducing order (block_order.h). Blocks with
 * similar columns form a front: a dense matrix of the rows that are eliminated there (pivots) and the rows
 * that their elimination changes (border). The elimination changes the border rows and columns; this change
 * is the update of the front. Each front adds the updates of its children in the elimination tree to its own
 * matrix, and passes its own update to its parent.
 *
 * From each entry, products are subtracted one after the other in the order of elimination, so all widths of
 * vectors give the same bits. */
#ifndef SC_BLOCK_SPARSE_H
#define SC_BLOCK_SPARSE_H

#include <stdint.h>
#include "base/base.h"

typedef struct sc_block_front {
  int32_t pivots, border; /* pivots: number of pivot blocks; border: number of border blocks */
  /* pivot_rows: number of rows of the pivot blocks; rows: number of rows of all blocks of the front */
  int32_t pivot_rows, rows;
  int32_t first; /* position of the front's first pivot in the elimination order */
  /* [pivots + border] indices of the front's blocks: pivots, then border, each in the order of elimination */
  int32_t *list;
  int32_t parent; /* index of the parent front; -1: none */
  /* index of the first front of this front's subtree, which consists of the fronts from `leaf` to this
   * front */
  int32_t leaf;
  /* offsets in sc_block_sparse.value. upper: of the pivot rows, a matrix of pivot_rows x rows; lower: of the
   * pivot columns of the border, a matrix of (rows - pivot_rows) x pivot_rows. */
  int64_t upper, lower;
  int32_t *into; /* [border] row of the parent front at which the border block begins */
} sc_block_front;

/* Position of a block of the matrix in sc_block_sparse.value: its entry (r, c) has the index at + r * stride
 * + c. */
typedef struct sc_block_place {
  int64_t at;
  int32_t stride;
} sc_block_place;

typedef struct sc_block_sparse {
  int32_t blocks, rows;
  const int32_t *size;
  int32_t *start;  /* [blocks] first row of the block in the vectors b and x */
  int32_t *place;  /* [blocks] position of the block in the elimination order */
  int32_t *offset; /* [blocks] first row of the block among the pivot rows of its front */
  int32_t *of;     /* [blocks] index of the block's front */
  int32_t fronts;
  sc_block_front *front; /* [fronts] children before parents, in postorder */
  int64_t values;
  double *value;
  int64_t room; /* number of doubles of `stack` */
  double *stack;
  double *work;     /* [rows] scratch */
  double flops;     /* approximate number of multiplications of a factorisation */
  int64_t doubtful; /* number of pivots that the last factorisation replaced */
} sc_block_sparse;

/* Analyses the pattern of a matrix: computes the order of elimination, the fronts, flops, values and room.
 * size: [blocks] rows of each block; this array must outlive the matrix. edge: see sc_block_order_find. Does
 * not allocate `value`, `stack` and `work`. Returns false if out of memory. */
bool sc_block_sparse_analyse(int32_t blocks, const int32_t *size, int64_t edges, const int32_t (*edge)[2],
    sc_arena *arena, sc_block_sparse *out);
/* Allocates `value`, `stack` and `work` after the analysis. Call it only if flops, the cost of a
 * factorisation, is acceptable. Returns false if out of memory. */
bool sc_block_sparse_take(sc_block_sparse *matrix, sc_arena *arena);
/* Returns the position of block (i, j) in `value`. Either i = j, or (i, j) must be an edge. */
sc_block_place sc_block_sparse_place(const sc_block_sparse *matrix, int32_t i, int32_t j);
/* Sets all values to 0. */
void sc_block_sparse_clear(sc_block_sparse *matrix);
/* Factorises the values in place. Returns false if a pivot of the factor is not finite. */
bool sc_block_sparse_factor(sc_block_sparse *matrix);
/* Solves A x = b in place with the factorised matrix (x: b on entry). Row r of block k is x[start[k] + r]. */
void sc_block_sparse_solve(const sc_block_sparse *matrix, double *x);

#endif
