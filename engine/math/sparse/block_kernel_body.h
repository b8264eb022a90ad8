/* The kernel of block_kernel.h for vectors of LANES doubles; TAKE is the name of the function. Tiles of C
 * with four rows and a width of two vectors stay in registers during all products. */
#include "math/sparse/block_kernel.h"

typedef double lanes __attribute__((vector_size(LANES * 8), aligned(8), may_alias));

enum { TALL = 4 };

/* Subtracts the product A B from a tile of C: `tall` rows from row i on, and 2 LANES columns from column j
 * on. */
static inline __attribute__((always_inline)) void subtract_tile(
    const sc_product *p, int i, int j, const int tall) {
  lanes left[TALL], right[TALL];
  for (int r = 0; r < tall; r++) {
    const double *row = p->C + (i + r) * p->c_stride + j;
    left[r] = *(const lanes *)row;
    right[r] = *(const lanes *)(row + LANES);
  }
  for (int s = 0; s < p->k; s++) {
    const double *b = p->B + s * p->b_stride + j;
    lanes b0 = *(const lanes *)b, b1 = *(const lanes *)(b + LANES);
    for (int r = 0; r < tall; r++) {
      double a = p->A[(i + r) * p->a_stride + s];
      left[r] -= a * b0;
      right[r] -= a * b1;
    }
  }
  for (int r = 0; r < tall; r++) {
    double *row = p->C + (i + r) * p->c_stride + j;
    *(lanes *)row = left[r];
    *(lanes *)(row + LANES) = right[r];
  }
}

/* Subtracts the product A B from row i of C, in the columns from j to the last. These columns are fewer than
 * the width of a tile. */
static inline void subtract_columns(const sc_product *p, int i, int j) {
  double *c = p->C + i * p->c_stride;
  for (int s = 0; s < p->k; s++) {
    double a = p->A[i * p->a_stride + s];
    const double *b = p->B + s * p->b_stride;
    for (int col = j; col < p->n; col++) c[col] -= a * b[col];
  }
}

void TAKE(const sc_product *p) {
  int tiled = p->n - p->n % (2 * LANES), i = 0;
  for (; i + TALL <= p->m; i += TALL)
    for (int j = 0; j < tiled; j += 2 * LANES) subtract_tile(p, i, j, TALL);
  for (; i < p->m; i++)
    for (int j = 0; j < tiled; j += 2 * LANES) subtract_tile(p, i, j, 1);
  for (i = 0; i < p->m && tiled < p->n; i++) subtract_columns(p, i, tiled);
}
