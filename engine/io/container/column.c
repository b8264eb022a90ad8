/* Converts deltas of columns to bytes (zigzag coding, byte planes, deflate) and back, and values to words and
 * back. */
#include "io/container/column.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <zlib.h>

static const double max_quanta = 1125899906842624.0; /* 2^50: smaller numbers are exact in a double */

void sc_column_scratch_free(sc_column_scratch *scratch) {
  sc_free(scratch->rest);
  sc_bytes_free(&scratch->planes);
  memset(scratch, 0, sizeof *scratch);
}

bool sc_column_room(sc_column_scratch *scratch, size_t count) {
  SC_ASSERT(scratch);
  return SC_GROW(scratch->rest, scratch->rest_capacity, count + 1);
}

bool sc_column_zigzag(const sc_column *column) {
  return column->predictor != SC_PREDICT_NONE ||
      (column->word != SC_WORD_DOUBLE && column->word != SC_WORD_FLOAT);
}

static uint64_t encode_zigzag(uint64_t v) { return v << 1 ^ (v >> 63 ? ~(uint64_t)0 : 0); }
static uint64_t decode_zigzag(uint64_t v) { return v >> 1 ^ (v & 1 ? ~(uint64_t)0 : 0); }

uint64_t sc_column_cost(uint64_t rest, bool signs) {
  uint64_t v = signs ? encode_zigzag(rest) : rest;
  return v ? 64 - (uint64_t)__builtin_clzll(v) : 0;
}

/* ---- writing ---- */

static uint8_t fewest_bytes(const uint64_t *rest, size_t count) {
  uint64_t all = 0;
  for (size_t i = 0; i < count; i++) all |= rest[i];
  return all >> 32 ? 8 : all >> 16 ? 4 : all >> 8 ? 2 : 1;
}

/* Splits deltas into byte planes, lowest byte first: plane b contains byte b of every delta. planes: [width x
 * count]. */
static void split_planes(const uint64_t *rest, size_t count, int width, unsigned char *planes) {
  for (int b = 0; b < width; b++, planes += count)
    for (size_t i = 0; i < count; i++) planes[i] = (unsigned char)(rest[i] >> 8 * b);
}

static void join_planes(const unsigned char *planes, size_t count, int width, uint64_t *rest) {
  for (size_t i = 0; i < count; i++) rest[i] = planes[i];
  for (int b = 1; b < width; b++)
    for (size_t i = 0; i < count; i++) rest[i] |= (uint64_t)planes[(size_t)b * count + i] << 8 * b;
}

/* Appends one zlib stream of all planes to out. Every plane starts a new block and therefore gets its own
 * Huffman codes. For noisy data with few significant bits, separate codes save more bytes than a search for
 * repetitions. strategy: that of zlib. Returns false if out of memory. */
static bool deflate_planes(
    sc_bytes *out, unsigned char *planes, size_t count, int width, int level, int strategy) {
  z_stream z = {0};
  if (deflateInit2(&z, level, Z_DEFLATED, 15, 9, strategy) != Z_OK) return false;
  size_t bound = deflateBound(&z, (uLong)(count * (size_t)width)) + 64 * (size_t)width, before = out->count;
  unsigned char *room = sc_bytes_take(out, bound);
  int code = room && bound < UINT_MAX ? Z_OK : Z_BUF_ERROR;
  z.next_out = room;
  z.avail_out = (uInt)bound;
  for (int b = 0; b < width && code == Z_OK; b++) {
    z.next_in = planes + (size_t)b * count;
    z.avail_in = (uInt)count;
    code = deflate(&z, b + 1 < width ? Z_BLOCK : Z_FINISH);
  }
  out->count = before + (code == Z_STREAM_END ? bound - z.avail_out : 0);
  deflateEnd(&z);
  return code == Z_STREAM_END;
}

/* Appends the planes, deflated by Huffman codes and runs, to out. If the result is at most a quarter of the
 * planes, or level > 1, also tries zlib's search for repetitions and appends only the shorter result. Returns
 * false if out of memory. */
static bool pack_planes(sc_bytes *out, unsigned char *planes, size_t count, int width, int level) {
  size_t start = out->count;
  if (!deflate_planes(out, planes, count, width, level, Z_RLE)) return false;
  size_t runs = out->count - start;
  if (level == 1 && 4 * runs > count * (size_t)width) return true;
  if (!deflate_planes(out, planes, count, width, level, Z_DEFAULT_STRATEGY)) return false;
  size_t searched = out->count - start - runs;
  if (searched < runs) memmove(out->at + start, out->at + start + runs, searched);
  out->count = start + (searched < runs ? searched : runs);
  return true;
}

static void write_column_header(const sc_column *column, unsigned char *at) {
  memset(at, 0, SC_COLUMN_HEADER);
  sc_put_u16(at, column->id);
  at[2] = column->word;
  at[3] = column->predictor;
  at[4] = column->width;
  at[5] = column->components;
  at[6] = column->packing;
  sc_put_u64(at + 8, column->rows);
  sc_put_u64(at + 16, sc_bits(column->quantum));
  sc_put_u64(at + 24, column->stored);
}

bool sc_column_write(sc_bytes *payload, sc_column column, sc_column_scratch *scratch, int level) {
  SC_ASSERT(payload && scratch);
  size_t count = (size_t)column.rows * column.components, start = payload->count;
  if (sc_column_zigzag(&column))
    for (size_t i = 0; i < count; i++) scratch->rest[i] = encode_zigzag(scratch->rest[i]);
  column.width = fewest_bytes(scratch->rest, count);
  scratch->planes.count = 0;
  unsigned char *planes = sc_bytes_take(&scratch->planes, count * column.width + 1);
  if (!planes || !sc_bytes_take(payload, SC_COLUMN_HEADER)) return false;
  split_planes(scratch->rest, count, column.width, planes);
  /* the deflated bytes are stored only if they are fewer than the raw bytes */
  size_t raw = count * column.width, body = payload->count;
  if (!pack_planes(payload, planes, count, column.width, level)) return false;
  column.packing = SC_CODEC_ZLIB;
  if (payload->count - body >= raw) {
    payload->count = body;
    column.packing = SC_CODEC_STORED;
    if (!sc_bytes_add(payload, planes, raw)) return false;
  }
  column.stored = payload->count - body;
  write_column_header(&column, payload->at + start);
  return true;
}

/* ---- reading ---- */

scree_status sc_column_read(
    sc_column *column, const unsigned char **at, const unsigned char *end, scree_error *error) {
  SC_ASSERT(column && at && *at && end && *at <= end);
  const unsigned char *h = *at;
  if (end - h < SC_COLUMN_HEADER)
    return sc_fail(error, SCREE_E_FORMAT, "a frame ends inside a column's header");
  *column = (sc_column){.id = sc_get_u16(h),
      .word = h[2],
      .predictor = h[3],
      .width = h[4],
      .components = h[5],
      .packing = h[6],
      .rows = sc_get_u64(h + 8),
      .quantum = sc_from_bits(sc_get_u64(h + 16)),
      .stored = sc_get_u64(h + 24),
      .bytes = h + SC_COLUMN_HEADER};
  int w = column->width;
  if (column->stored > (uint64_t)(end - column->bytes))
    return sc_fail(error, SCREE_E_FORMAT, "column %d is longer than its frame", column->id);
  if ((w != 1 && w != 2 && w != 4 && w != 8) || column->components < 1 ||
      column->components > SC_COLUMN_COMPONENTS || column->word >= SC_WORDS ||
      column->predictor >= SC_PREDICTORS || column->packing > SC_CODEC_ZLIB)
    return sc_fail(error, SCREE_E_FORMAT, "column %d has an impossible header", column->id);
  /* deflate shortens data by a factor of at most 1032, so larger numbers of rows are impossible */
  uint64_t bytes_per_row = (uint64_t)w * column->components;
  uint64_t most = column->packing == SC_CODEC_ZLIB ? 1032 * (column->stored + 1) : column->stored;
  if (column->rows > most / bytes_per_row)
    return sc_fail(error, SCREE_E_FORMAT, "column %d claims more rows than its bytes can hold", column->id);
  if (column->word == SC_WORD_QUANTUM && !(column->quantum > 0 && isfinite(column->quantum)))
    return sc_fail(error, SCREE_E_FORMAT, "column %d has an impossible quantum", column->id);
  *at = column->bytes + column->stored;
  return SCREE_OK;
}

scree_status sc_column_unpack(const sc_column *column, sc_column_scratch *scratch, scree_error *error) {
  SC_ASSERT(column && scratch);
  size_t count = (size_t)column->rows * column->components, raw = count * column->width;
  const unsigned char *planes = column->bytes;
  if (column->packing == SC_CODEC_STORED && column->stored != raw)
    return sc_fail(error, SCREE_E_FORMAT, "column %d has the wrong size", column->id);
  if (column->packing == SC_CODEC_ZLIB) {
    scree_status status = sc_inflate(&scratch->planes, column->bytes, column->stored, raw, error);
    if (status) return status;
    planes = scratch->planes.at;
  }
  if (!sc_column_room(scratch, count))
    return sc_fail(
        error, SCREE_E_MEMORY, "out of memory for a column of %llu rows", (unsigned long long)column->rows);
  join_planes(planes, count, column->width, scratch->rest);
  if (sc_column_zigzag(column))
    for (size_t i = 0; i < count; i++) scratch->rest[i] = decode_zigzag(scratch->rest[i]);
  return SCREE_OK;
}

/* ---- words ---- */

int64_t sc_word_quanta(double value, double quantum) {
  SC_ASSERT(quantum > 0);
  double quanta = rint(value / quantum);
  return fabs(quanta) < max_quanta ? (int64_t)quanta : 0;
}

bool sc_words_fit(const double *values, size_t count, double quantum) {
  if (!(quantum > 0)) return false;
  for (size_t i = 0; i < count; i++)
    if (!(fabs(values[i] / quantum) < max_quanta - 1)) return false;
  return true;
}

uint64_t sc_word_of(int word, double value, double quantum) {
  union {
    float f;
    uint32_t u;
  } narrow = {.f = (float)value};
  switch (word) {
  case SC_WORD_DOUBLE: return sc_bits(value);
  case SC_WORD_FLOAT: return narrow.u;
  default: return (uint64_t)sc_word_quanta(value, quantum);
  }
}

double sc_word_value(int word, uint64_t bits, double quantum) {
  union {
    uint32_t u;
    float f;
  } narrow = {.u = (uint32_t)bits};
  switch (word) {
  case SC_WORD_DOUBLE: return sc_from_bits(bits);
  case SC_WORD_FLOAT: return narrow.f;
  default: return (double)(int64_t)bits * quantum;
  }
}

void sc_column_values(const sc_column *column, const uint64_t *word, double *values) {
  SC_ASSERT(column && (!column->rows || (word && values)));
  const int components = column->components;
  const int64_t rows = (int64_t)column->rows;
  for (int c = 0; c < components; c++, word += rows) {
    if (column->word == SC_WORD_QUANTUM)
      for (int64_t r = 0; r < rows; r++)
        values[components * r + c] = (double)(int64_t)word[r] * column->quantum;
    else
      for (int64_t r = 0; r < rows; r++)
        values[components * r + c] = sc_word_value(column->word, word[r], column->quantum);
  }
}
