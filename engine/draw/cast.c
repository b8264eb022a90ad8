/* Rows of rays with what every processor has. */
#define CAST_ROW sc_cast_row_plain
#include "draw/cast_rows.h"

sc_cast *sc_cast_choose(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return sc_cast_row_avx2;
#endif
  return sc_cast_row_plain;
}
