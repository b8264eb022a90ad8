/* Products of dense matrices, 4 doubles at a time. */
#if defined(__AVX2__)
#define LANES 4
#define TAKE sc_product_take_avx2
#include "math/sparse/block_kernel_body.h"
#endif
