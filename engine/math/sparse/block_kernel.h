/* C -= A B for dense row-major matrices: m x n, by k products. Every entry of C loses its products in
 * their order, so the bits do not depend on the width of vectors; the widest that this processor runs is
 * chosen at run time, or the one that the environment variable SCREE_SIMD names. */
#ifndef SC_BLOCK_KERNEL_H
#define SC_BLOCK_KERNEL_H

typedef struct sc_product {
  int m, n, k;
  const double *A, *B;
  double *C;
  int a_stride, b_stride, c_stride;
} sc_product;
typedef void sc_product_take(const sc_product *p);
sc_product_take sc_product_take_scalar, sc_product_take_avx2, sc_product_take_avx512;
sc_product_take *sc_product_best(void);

#endif
