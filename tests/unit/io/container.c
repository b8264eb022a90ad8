/* Containers with wrong contents and right checksums: header, index and trailer are checked against the
 * file; if the index is wrong, a scan still finds every chunk. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <zlib.h>

#include "io/container/column.h"
#include "support/frames.h"

enum { CHUNKS = 3, TEXT = SC_TAG('T', 'E', 'X', 'T') };

/* Wrong statement of a file. */
typedef enum lie {
  NONE,
  /* the file header */
  VERSION,
  SCHEMA,
  NO_SCREE,
  HEADER,
  HEADER_ALONE,
  /* the trailer */
  TRAILER_MARK,
  TRAILER_SUM,
  INDEX_BEHIND,
  INDEX_AT_END,
  INDEX_ELSEWHERE,
  INDEX_COUNT,
  INDEX_MANY,
  /* the index */
  INDEX_TYPE,
  INDEX_SUM,
  ROW_BEFORE,
  ROW_BEHIND,
  ROW_RAW,
  ROW_CODEC,
  /* a row that is sound, but not of its chunk */
  ROW_TYPE,
  ROW_NUMBER,
  ROW_CRC,
  /* chunks, with the same in their rows */
  CHUNK_NO_ZLIB,
  CHUNK_SHORT,
  CHUNK_RATIO,
  CHUNK_CODEC,
  CHUNK_STORED,
  CHUNK_PADDING
} lie;

typedef struct made {
  unsigned char bytes[4096];
  size_t size;
  sc_chunk chunk[CHUNKS];
} made;

static const char payload[CHUNKS][64] = {"one", "two two two two two two two two two two two two", "three"};

static void seal(unsigned char *at, size_t count) {
  sc_put_u32(at + count, (uint32_t)crc32(0, at, (uInt)count));
}

/* A chunk whose header has the sum that it needs. */
static void add(made *m, sc_chunk *chunk, const void *bytes, size_t there) {
  chunk->offset = m->size;
  chunk->crc = (uint32_t)crc32(0, bytes, (uInt)there);
  sc_chunk_write_header(chunk, m->bytes + m->size);
  memcpy(m->bytes + m->size + SC_CHUNK_HEADER, bytes, there);
  m->size += SC_CHUNK_HEADER + (there + 7) / 8 * 8;
}

static void add_text(made *m, int k, lie what) {
  sc_bytes packed = {0};
  bool zlib = k == 1;
  assert_true(sc_deflate(&packed, payload[k], strlen(payload[k]), 6));
  const void *bytes = zlib && what != CHUNK_NO_ZLIB ? packed.at : (const void *)payload[k];
  size_t stored = zlib && what != CHUNK_NO_ZLIB ? packed.count : strlen(payload[k]);
  sc_chunk *chunk = m->chunk + k;
  *chunk = (sc_chunk){
      .type = TEXT, .codec = zlib, .stored = stored, .raw = strlen(payload[k]), .number = (uint64_t)k};
  if (zlib && what == CHUNK_SHORT) chunk->raw--;
  if (zlib && what == CHUNK_RATIO) chunk->raw = 1033 * (stored + 1);
  if (zlib && what == CHUNK_CODEC) chunk->codec = 7;
  if (zlib && what == CHUNK_STORED) chunk->stored = 1 << 20;
  add(m, chunk, bytes, stored);
  if (k == 2 && what == CHUNK_PADDING) m->bytes[m->size - 1] = 1;
  sc_bytes_free(&packed);
}

static void add_header(made *m, lie what) {
  memcpy(m->bytes, what == NO_SCREE ? "NOTSCREE" : (const char *)sc_container_magic, 8);
  sc_put_u16(m->bytes + 8, what == VERSION ? 9 : SC_CONTAINER_MAJOR);
  sc_put_u32(m->bytes + 12, what == SCHEMA ? SC_SCHEMA_PROBLEM : SC_SCHEMA_TRAJECTORY);
  seal(m->bytes, 28);
  if (what == HEADER || what == HEADER_ALONE) m->bytes[20] ^= 1;
  m->size = what == HEADER_ALONE ? 48 : SC_CONTAINER_HEADER;
}

/* The rows of the index, and the index itself. Returns its place. */
static uint64_t add_index(made *m, lie what) {
  unsigned char rows[CHUNKS * 56], header[SC_CHUNK_HEADER];
  for (int k = 0; k < CHUNKS; k++) {
    sc_chunk row = m->chunk[k];
    if (k == 1 && what == ROW_BEFORE) row.offset = 8;
    if (k == 1 && what == ROW_BEHIND) row.offset = 4000;
    if (k == 1 && what == ROW_RAW) row.raw = UINT64_MAX;
    if (k == 1 && what == ROW_CODEC) row.codec = 9;
    if (k == 1 && what == ROW_TYPE) row.type = SC_TAG('A', 'A', 'A', 'A');
    if (k == 1 && what == ROW_NUMBER) row.number = 77;
    if (k == 1 && what == ROW_CRC) row.crc ^= 1;
    sc_chunk_write_header(&row, header);
    sc_put_u64(rows + 56 * k, row.offset);
    memcpy(rows + 56 * k + 8, header + 8, 48);
  }
  sc_chunk index = {
      .type = what == INDEX_TYPE ? TEXT : SC_CHUNK_INDEX, .stored = sizeof rows, .raw = sizeof rows};
  add(m, &index, rows, sizeof rows);
  if (what == INDEX_SUM) m->bytes[index.offset + SC_CHUNK_HEADER] ^= 1;
  return index.offset;
}

static void add_trailer(made *m, uint64_t index, lie what) {
  unsigned char *at = m->bytes + m->size;
  memcpy(at, what == TRAILER_MARK ? "SCREEDIE" : "SCREEEND", 8);
  sc_put_u64(at + 8,
      what == INDEX_BEHIND          ? UINT64_MAX
          : what == INDEX_AT_END    ? m->size - 8
          : what == INDEX_ELSEWHERE ? index + 8
                                    : index);
  sc_put_u64(at + 16, what == INDEX_COUNT ? 2 : what == INDEX_MANY ? UINT64_MAX / 56 : CHUNKS);
  seal(at, 28);
  if (what == TRAILER_SUM) at[28] ^= 1;
  m->size += SC_CONTAINER_TRAILER;
}

static void write_made(const char *path, lie what) {
  made m = {.size = 0};
  add_header(&m, what);
  if (what != HEADER_ALONE) {
    for (int k = 0; k < CHUNKS; k++) add_text(&m, k, what);
    add_trailer(&m, add_index(&m, what), what);
  }
  FILE *file = fopen(path, "wb");
  assert_int_equal(fwrite(m.bytes, 1, m.size, file), m.size);
  fclose(file);
}

static void headers_are_not_believed(void **state) {
  (void)state;
  const struct {
    lie what;
    const char *words;
  } bad[] = {{VERSION, "has format version 9.0; this program reads version 1"},
      {SCHEMA, "holds a 'PROB', not a 'TRAJ'"},
      {HEADER_ALONE, "the file header is damaged and no chunk follows it"}};
  char folder[64], path[128];
  support_path(folder, path, "lie.scree");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sc_container c;
    scree_error error = {SCREE_OK, ""};
    write_made(path, bad[i].what);
    assert_int_equal(sc_container_open(&c, path, SC_SCHEMA_TRAJECTORY, &error), SCREE_E_FORMAT);
    if (!strstr(error.text, bad[i].words)) fail_msg("wanted '%s', said '%s'", bad[i].words, error.text);
  }
  support_clean(folder);
}

/* Returns the error of sc_container_get for chunk k, "" if it returns the right text. */
static const char *got(const sc_container *c, size_t k, scree_error *error) {
  sc_bytes bytes = {0};
  *error = (scree_error){SCREE_OK, ""};
  if (!sc_container_get(c, k, &bytes, error)) {
    const char *want = payload[c->chunk[k].number];
    assert_int_equal(bytes.count, strlen(want));
    assert_memory_equal(bytes.at, want, bytes.count);
  }
  sc_bytes_free(&bytes);
  return error->text;
}

/* complete: the index is taken; count: chunks that are found; damage: what is said to be lost; second: what
 * reading the second says. */
static const struct {
  lie what;
  bool complete;
  size_t count;
  const char *damage, *second;
} lies[] = {
    {NONE, true, 3, "", ""},
    {NO_SCREE, true, 3, "damaged file header", ""},
    {HEADER, true, 3, "damaged file header", ""},
    {TRAILER_MARK, false, 3, "unfinished chunk", ""},
    {TRAILER_SUM, false, 3, "", ""},
    {INDEX_BEHIND, false, 3, "", ""},
    {INDEX_AT_END, false, 3, "", ""},
    {INDEX_ELSEWHERE, false, 3, "", ""},
    {INDEX_COUNT, false, 3, "", ""},
    {INDEX_MANY, false, 3, "", ""},
    {INDEX_TYPE, false, 4, "", ""},
    {INDEX_SUM, false, 3, "wrong checksum of a chunk", ""},
    {ROW_BEFORE, false, 3, "", ""},
    {ROW_BEHIND, false, 3, "", ""},
    {ROW_RAW, false, 3, "", ""},
    {ROW_CODEC, false, 3, "", ""},
    {ROW_TYPE, true, 3, "", "damaged header in the chunk at byte"},
    {ROW_NUMBER, true, 3, "", "damaged header in the chunk at byte"},
    {ROW_CRC, true, 3, "", "damaged header in the chunk at byte"},
    {CHUNK_NO_ZLIB, true, 3, "", "a compressed block that does not decode"},
    {CHUNK_SHORT, true, 3, "", "a compressed block that does not decode"},
    {CHUNK_RATIO, false, 2, "unfinished chunk", ""},
    {CHUNK_CODEC, false, 2, "unfinished chunk", ""},
    {CHUNK_STORED, false, 2, "unfinished chunk", ""},
    {CHUNK_PADDING, true, 3, "", ""},
};

static void indices_and_chunks_are_not_believed(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "lie.scree");
  for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
    sc_container c;
    scree_error error = {SCREE_OK, ""};
    write_made(path, lies[i].what);
    assert_int_equal(sc_container_open(&c, path, SC_SCHEMA_TRAJECTORY, &error), SCREE_OK);
    if (c.complete != lies[i].complete || c.count != lies[i].count || !strstr(c.damage, lies[i].damage))
      fail_msg("lie %d: complete %d, %zu chunks, '%s'", lies[i].what, c.complete, c.count, c.damage);
    for (size_t k = 0; k < c.count && k < 3; k++) {
      const char *words = k == 1 ? lies[i].second : "", *said = got(&c, k, &error);
      if (*words ? !strstr(said, words) : *said) fail_msg("lie %d, chunk %zu: '%s'", lies[i].what, k, said);
    }
    sc_container_close(&c);
  }
  support_clean(folder);
}

/* The header of a column has ranges for its members; 64 components, the last word and the last predictor are
 * sound. */
static void columns_have_bounds(void **state) {
  (void)state;
  enum { WORD = 2, PREDICTOR, WIDTH, COMPONENTS, PACKING };
  const struct {
    int at;
    unsigned char value;
  } bad[] = {{WORD, SC_WORDS}, {PREDICTOR, SC_PREDICTORS}, {WIDTH, 0}, {WIDTH, 3}, {WIDTH, 16},
      {COMPONENTS, 0}, {COMPONENTS, SC_COLUMN_COMPONENTS + 1}, {PACKING, SC_CODEC_ZLIB + 1}};
  unsigned char bytes[SC_COLUMN_HEADER] = {[WORD] = SC_WORDS - 1,
      [PREDICTOR] = SC_PREDICTORS - 1,
      [WIDTH] = 8,
      [COMPONENTS] = SC_COLUMN_COMPONENTS,
      [PACKING] = SC_CODEC_ZLIB};
  const unsigned char *end = bytes + sizeof bytes, *at = bytes;
  scree_error error = {0};
  sc_column column;
  assert_int_equal(sc_column_read(&column, &at, end, &error), SCREE_OK);
  assert_ptr_equal(at, end);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const unsigned char sound = bytes[bad[i].at];
    bytes[bad[i].at] = bad[i].value, at = bytes;
    if (sc_column_read(&column, &at, end, &error) != SCREE_E_FORMAT)
      fail_msg("byte %d may be %d", bad[i].at, bad[i].value);
    assert_non_null(strstr(error.text, "column 0 has an impossible header"));
    bytes[bad[i].at] = sound;
  }
}

/* A whole look finds what the index hides. */
static void verifying_tells_all(void **state) {
  (void)state;
  const struct {
    lie what;
    const char *words;
  } bad[] = {{CHUNK_PADDING, "padding that is not zero"}, {HEADER, "damaged file header"},
      {INDEX_SUM, "wrong checksum"}};
  char folder[64], path[128];
  support_path(folder, path, "lie.scree");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sc_container c;
    scree_error error = {SCREE_OK, ""};
    write_made(path, bad[i].what);
    assert_int_equal(sc_container_open(&c, path, 0, &error), SCREE_OK);
    assert_int_equal(sc_container_verify(&c, &error), SCREE_OK);
    assert_int_equal(c.damaged, 1);
    assert_int_equal(c.count, 3);
    if (!strstr(c.damage, bad[i].words)) fail_msg("wanted '%s', said '%s'", bad[i].words, c.damage);
    sc_container_close(&c);
  }
  support_clean(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(headers_are_not_believed),
      cmocka_unit_test(indices_and_chunks_are_not_believed),
      cmocka_unit_test(columns_have_bounds),
      cmocka_unit_test(verifying_tells_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
