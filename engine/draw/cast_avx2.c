/* Rows of rays, eight at a time; the bits are those of the plain ones. */
#if defined(__AVX2__)
#define CAST_ROW sc_cast_row_avx2
#include "draw/cast_rows.h"
#else
#include "draw/draw.h"
void sc_cast_row_avx2(const sc_sight *sight, sc_row row, float *depth, int32_t *who) {
  sc_cast_row_plain(sight, row, depth, who);
}
#endif
