/* Reads numbers of binary files and decompresses streams. */
#include <limits.h>
#include <string.h>
#include <zlib.h>
#include "io/grains/grains.h"

static uint64_t take_word(const unsigned char *at, int bytes, bool is_big) {
  uint64_t value = 0;
  for (int k = 0; k < bytes; k++) value |= (uint64_t)at[is_big ? bytes - 1 - k : k] << (8 * k);
  return value;
}

static double convert_values(sc_grain_kind kind, uint64_t word) {
  if (kind.kind == 'f' && kind.bytes == 4) {
    const uint32_t low = (uint32_t)word;
    float value;
    memcpy(&value, &low, 4);
    return (double)value;
  }
  if (kind.kind == 'f') {
    double value;
    memcpy(&value, &word, 8);
    return value;
  }
  if (kind.kind != 'i') return (double)word;
  const int shift = 64 - 8 * kind.bytes;
  return (double)((int64_t)(word << shift) >> shift);
}

void sc_grain_take(
    sc_grain_kind kind, const unsigned char *from, int64_t count, int64_t step, double *out, int64_t stride) {
  for (int64_t i = 0; i < count; i++)
    out[i * stride] = convert_values(kind, take_word(from + i * step, kind.bytes, kind.is_big));
}

bool sc_grain_inflate(const unsigned char *from, size_t count, bool raw, unsigned char *to, size_t size) {
  z_stream z = {0};
  if (count > UINT_MAX || size > UINT_MAX || inflateInit2(&z, raw ? -15 : 15) != Z_OK) return false;
  z.next_in = (unsigned char *)from, z.avail_in = (uInt)count;
  z.next_out = to, z.avail_out = (uInt)size;
  const int code = inflate(&z, Z_FINISH);
  const bool whole = code == Z_STREAM_END && z.total_out == size;
  inflateEnd(&z);
  return whole;
}
