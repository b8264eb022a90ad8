/* Products of dense matrices, 8 doubles at a time. */
#if defined(__AVX512F__)
#define LANES 8
#define TAKE sc_product_take_avx512
#include "math/block_kernel_body.h"
#else
#include "math/block_kernel.h"

void sc_product_take_avx512(const sc_product *p) { sc_product_take_scalar(p); }
#endif
