/* Products of dense matrices, 4 doubles at a time. */
#if defined(__AVX2__)
#define LANES 4
#define TAKE sc_product_take_avx2
#include "math/block_kernel_body.h"
#else
#include "math/block_kernel.h"

void sc_product_take_avx2(const sc_product *p) { sc_product_take_scalar(p); }
#endif
