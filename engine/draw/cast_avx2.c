/* Casts blocks of rays, eight at a time. Results have the same bits as those of the plain version
 * (cast.c). */
#if defined(__AVX2__)
#define CAST_BLOCK sc_cast_avx2
#define CAST_LANES 8
#include "draw/cast_blocks.h"
#else
#include "draw/draw.h"
void sc_cast_avx2(const sc_sight *sight, sc_block block, float *depth, int32_t *who) {
  sc_cast_plain(sight, block, depth, who);
}
#endif
