/* Casts blocks of rays with the SIMD width that every processor supports, and chooses the fastest version. */
#define CAST_BLOCK sc_cast_plain
#define CAST_LANES 4
#include "draw/cast_blocks.h"

sc_cast *sc_cast_choose(void) {
#if defined(__x86_64__)
  if (sc_simd_best() >= SC_SIMD_AVX2) return sc_cast_avx2;
#endif
  return sc_cast_plain;
}
