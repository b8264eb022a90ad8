/* Products of dense matrices, two doubles at a time, which every x86-64 processor supports; and the choice of
 * the kernel. */
#include "base/base.h"

#define LANES 2
#define TAKE sc_product_take_scalar
#include "math/sparse/block_kernel_body.h"

sc_product_take *sc_product_best(void) {
#if defined(__x86_64__)
  sc_product_take *const by_width[] = {sc_product_take_scalar, sc_product_take_avx2, sc_product_take_avx512};
  return by_width[sc_simd_best()];
#else
  return sc_product_take_scalar;
#endif
}
