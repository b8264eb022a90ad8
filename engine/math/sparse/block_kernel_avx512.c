/* Products of dense matrices, 8 doubles at a time. */
#if defined(__AVX512F__)
#define LANES 8
#define TAKE sc_product_take_avx512
#include "math/sparse/block_kernel_body.h"
#endif
