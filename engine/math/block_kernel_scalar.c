/* Products of dense matrices, two doubles at a time, which every processor of the family has; and the
 * choice among them. */
#include <stdlib.h>
#include <string.h>

#define LANES 2
#define TAKE sc_product_take_scalar
#include "math/block_kernel_body.h"

sc_product_take sc_product_best(void) {
  const char *wanted = getenv("SCREE_SIMD");
#if defined(__x86_64__)
  int avx512 = __builtin_cpu_supports("avx512f"), avx2 = __builtin_cpu_supports("avx2");
  if (avx512 && (!wanted || !strcmp(wanted, "avx512"))) return sc_product_take_avx512;
  if (avx2 && (!wanted || strcmp(wanted, "scalar"))) return sc_product_take_avx2;
#endif
  (void)wanted;
  return sc_product_take_scalar;
}
