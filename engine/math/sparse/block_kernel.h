/* Kernel for dense row-major matrices: C -= A B. C is m x n, and each entry is a sum of k products. From each
 * entry of C, the k products are subtracted one by one in a fixed order, so the bits do not depend on the
 * width of vectors. The width is chosen at run time by sc_simd_best. */
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
/* Returns the kernel of the chosen width. */
sc_product_take *sc_product_best(void);

#endif
