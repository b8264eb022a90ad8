/* Compresses pieces of sections and joins them (pieces.h). Before each piece are three numbers of 8 bytes:
 * the sizes of the uncompressed and of the compressed bytes, and the Adler-32 sum. */
#include "io/trajectory/pieces.h"

#include <string.h>
#include <zlib.h>

enum { HEAD = 24 };      /* size of the three numbers before each piece [bytes] */
enum { LEVEL = 1 };      /* compression level of zlib */
enum { MOST = 1 << 30 }; /* largest number of bytes that one call of zlib compresses */

/* ---- packing ---- */

/* Appends a raw deflate stream of `count` bytes. The stream ends at a whole byte and has no last block, so
 * another stream may follow. Returns false on failure. */
static bool deflate_piece(sc_bytes *out, const void *bytes, size_t count) {
  z_stream z = {0};
  if (deflateInit2(&z, LEVEL, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) return false;
  const unsigned char *at = bytes;
  int code = Z_OK;
  for (size_t done = 0; done < count && code == Z_OK;) {
    size_t part = count - done < MOST ? count - done : MOST, bound = deflateBound(&z, (uLong)part) + 64;
    unsigned char *room = sc_bytes_take(out, bound);
    if (!room) break;
    z.next_in = (unsigned char *)(uintptr_t)(at + done), z.avail_in = (uInt)part;
    z.next_out = room, z.avail_out = (uInt)bound;
    code = deflate(&z, Z_SYNC_FLUSH);
    if (z.avail_in) code = Z_BUF_ERROR;
    out->count -= z.avail_out;
    done += part;
    if (done == count && code == Z_OK) code = Z_STREAM_END;
  }
  deflateEnd(&z);
  return code == Z_STREAM_END || !count;
}

static uint32_t adler_of(const void *bytes, size_t count) {
  return (uint32_t)adler32_z(adler32(0, NULL, 0), bytes, count);
}

scree_status sc_pieces_put(
    sc_pieces *pieces, const char *section, const void *bytes, size_t count, scree_error *error) {
  SC_ASSERT(pieces && section && (bytes || !count));
  size_t before = pieces->bytes.count;
  if (pieces->count == SC_PIECES)
    return sc_fail(error, SCREE_E_ARGUMENT, "a checkpoint has more than %d pieces", SC_PIECES);
  if (!sc_bytes_take(&pieces->bytes, HEAD) || !deflate_piece(&pieces->bytes, bytes, count))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to compress a piece of section '%s'", section);
  unsigned char *head = pieces->bytes.at + before;
  sc_put_u64(head, count);
  sc_put_u64(head + 8, pieces->bytes.count - before - HEAD);
  sc_put_u64(head + 16, count ? adler_of(bytes, count) : 1);
  pieces->section[pieces->count++] = section;
  return SCREE_OK;
}

void sc_pieces_free(sc_pieces *pieces) { sc_bytes_free(&pieces->bytes); }

/* ---- joining ---- */

/* A compressed piece: sizes of its uncompressed and compressed bytes, Adler-32 sum, compressed bytes. */
typedef struct piece {
  uint64_t raw, stored;
  uint32_t adler;
  const unsigned char *at;
} piece;

/* Finds the `count` pieces of each process: table[process * count + number]. Returns false if the bytes at
 * `at` contain other numbers of pieces. */
static bool find_pieces(int count, int processes, const unsigned char *at, size_t size, piece *table) {
  const unsigned char *end = at + size;
  for (int k = 0; k < count * processes; k++) {
    if (end - at < HEAD) return false;
    table[k] = (piece){sc_get_u64(at), sc_get_u64(at + 8), (uint32_t)sc_get_u64(at + 16), at + HEAD};
    if (table[k].stored > (uint64_t)(end - at) - HEAD) return false;
    at += HEAD + table[k].stored;
  }
  return at == end;
}

/* Adds to `out` the section made of the pieces first to end - 1 of every process. count: pieces per
 * process. */
static scree_status join_section(const char *name, const piece *table, int count, int processes, int first,
    int end, sc_sections *out, scree_error *error) {
  size_t stored = 0, raw = 0;
  uint32_t adler = 1;
  for (int p = 0; p < processes; p++)
    for (int k = first; k < end; k++) stored += table[p * count + k].stored;
  scree_status status = sc_section_write(out, name, NULL, 0, error);
  unsigned char *to = status ? NULL : sc_realloc(NULL, stored + 1);
  if (!to)
    return status ? status
                  : sc_fail(error, SCREE_E_MEMORY, "section '%s': no memory for %zu bytes", name, stored);
  sc_section *section = out->row + out->count - 1;
  sc_free(section->bytes);
  section->bytes = to;
  for (int k = first; k < end; k++)
    for (int p = 0; p < processes; p++) {
      const piece *one = table + p * count + k;
      if (one->stored) memcpy(to, one->at, one->stored);
      adler = (uint32_t)adler32_combine(adler, one->adler, (z_off_t)one->raw);
      to += one->stored, raw += one->raw;
    }
  section->size = raw, section->stored = stored, section->adler = adler, section->packed = true;
  return SCREE_OK;
}

scree_status sc_pieces_join(const sc_pieces *like, int processes, const void *all, size_t size,
    sc_sections *out, scree_error *error) {
  SC_ASSERT(like && processes > 0 && out);
  int count = like->count;
  piece *table = sc_alloc((size_t)count * (size_t)processes * sizeof *table + 1);
  if (!table) return sc_fail(error, SCREE_E_MEMORY, "no memory for a checkpoint of %d processes", processes);
  scree_status status = find_pieces(count, processes, all, size, table)
      ? SCREE_OK
      : sc_fail(error, SCREE_E_FORMAT, "the pieces of a checkpoint do not add up");
  for (int first = 0, end; first < count && !status; first = end) {
    for (end = first + 1; end < count && !strcmp(like->section[end], like->section[first]); end++) {}
    status = join_section(like->section[first], table, count, processes, first, end, out, error);
  }
  sc_free(table);
  return status;
}

/* ---- as a stream ---- */

bool sc_pieces_stream(const void *head, size_t count, const sc_section *section, sc_bytes *out) {
  /* header of a zlib stream; an empty last block */
  static const unsigned char begin[2] = {0x78, 0x01}, end[2] = {0x03, 0x00};
  uint32_t adler = (uint32_t)adler32_combine(adler_of(head, count), section->adler, (z_off_t)section->size);
  const unsigned char sum[4] = {(unsigned char)(adler >> 24), (unsigned char)(adler >> 16),
      (unsigned char)(adler >> 8), (unsigned char)adler};
  out->count = 0;
  return sc_bytes_add(out, begin, 2) && deflate_piece(out, head, count) &&
      sc_bytes_add(out, section->bytes, section->stored) && sc_bytes_add(out, end, 2) &&
      sc_bytes_add(out, sum, 4);
}

scree_status sc_pieces_unpack(sc_section *section, scree_error *error) {
  sc_bytes stream = {0}, raw = {0};
  scree_status status = sc_pieces_stream("", 0, section, &stream)
      ? sc_inflate(&raw, stream.at, stream.count, section->size, error)
      : sc_fail(error, SCREE_E_MEMORY, "section '%s': out of memory", section->name);
  sc_bytes_free(&stream);
  if (status) {
    sc_bytes_free(&raw);
    return status;
  }
  sc_free(section->bytes);
  section->bytes = raw.at, section->packed = false;
  return SCREE_OK;
}
