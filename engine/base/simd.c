/* Chooses the width of SIMD vectors at run time. */
#include <stdlib.h>
#include <string.h>
#include "base/base.h"

static sc_simd find_widest(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return SC_SIMD_AVX512;
  if (__builtin_cpu_supports("avx2")) return SC_SIMD_AVX2;
#endif
  return SC_SIMD_SCALAR;
}

sc_simd sc_simd_best(void) {
  static const char *const name[] = {"scalar", "avx2", "avx512"};
  const char *wanted = getenv("SCREE_SIMD");
  sc_simd most = find_widest();
  for (int k = SC_SIMD_SCALAR; wanted && k < (int)most; k++)
    if (!strcmp(wanted, name[k])) return (sc_simd)k;
  return most;
}
