/* Container: common part and writer.
 *
 * The writer keeps the table of chunks in memory and writes it at the end as the index. It assembles a chunk
 * in one buffer and writes it with one call. If the write fails, the writer truncates the file to the last
 * whole chunk and stores the error. Later calls return this error and write nothing. */
#include "io/container/container.h"

#include <string.h>
#include <zlib.h>

const unsigned char sc_container_magic[8] = {0x8d, 's', 'c', 'r', '\r', '\n', 0x1a, '\n'};
static const char mark[4] = {'C', 'H', 'N', 'K'};
static const char trailer_mark[8] = {'S', 'C', 'R', 'E', 'E', 'E', 'N', 'D'};

/* ---- zlib ---- */

bool sc_deflate(sc_bytes *out, const void *bytes, size_t count, int level) {
  uLongf size = compressBound((uLong)count);
  size_t before = out->count;
  unsigned char *room = sc_bytes_take(out, size);
  if (!room) return false;
  if (compress2(room, &size, bytes, (uLong)count, level) != Z_OK) {
    out->count = before;
    return false;
  }
  out->count = before + size;
  return true;
}

scree_status sc_inflate(sc_bytes *out, const void *bytes, size_t stored, uint64_t raw, scree_error *error) {
  SC_ASSERT(out && (bytes || !stored));
  /* deflate shortens data by a factor of at most 1032, so larger results are impossible */
  if (raw / 1032 > stored)
    return sc_fail(error, SCREE_E_FORMAT, "%llu bytes cannot come from %llu compressed ones",
        (unsigned long long)raw, (unsigned long long)stored);
  out->count = 0;
  unsigned char *room = sc_bytes_take(out, raw + 1);
  if (!room) return sc_fail(error, SCREE_E_MEMORY, "out of memory for %llu bytes", (unsigned long long)raw);
  uLongf got = (uLongf)raw + 1;
  int code = uncompress(room, &got, bytes, (uLong)stored);
  out->count = raw;
  if (code == Z_MEM_ERROR) return sc_fail(error, SCREE_E_MEMORY, "out of memory for zlib");
  if (code != Z_OK || got != raw)
    return sc_fail(error, SCREE_E_FORMAT, "a compressed block does not decode to its size");
  return SCREE_OK;
}

/* ---- headers ---- */

void sc_chunk_write_header(const sc_chunk *chunk, unsigned char header[SC_CHUNK_HEADER]) {
  SC_ASSERT(chunk && header);
  memset(header, 0, SC_CHUNK_HEADER);
  memcpy(header, mark, 4);
  sc_put_u32(header + 8, chunk->type);
  sc_put_u16(header + 12, chunk->codec);
  sc_put_u16(header + 14, chunk->flags);
  sc_put_u64(header + 16, chunk->stored);
  sc_put_u64(header + 24, chunk->raw);
  sc_put_u64(header + 32, chunk->number);
  sc_put_u64(header + 40, chunk->value);
  sc_put_u32(header + 48, chunk->crc);
  sc_put_u32(header + 52, chunk->extra);
  sc_put_u32(header + 4, (uint32_t)crc32(0, header + 8, SC_CHUNK_HEADER - 8));
}

bool sc_chunk_read_header(sc_chunk *chunk, const unsigned char header[SC_CHUNK_HEADER]) {
  SC_ASSERT(chunk && header);
  if (memcmp(header, mark, 4) ||
      sc_get_u32(header + 4) != (uint32_t)crc32(0, header + 8, SC_CHUNK_HEADER - 8))
    return false;
  chunk->type = sc_get_u32(header + 8);
  chunk->codec = sc_get_u16(header + 12);
  chunk->flags = sc_get_u16(header + 14);
  chunk->stored = sc_get_u64(header + 16);
  chunk->raw = sc_get_u64(header + 24);
  chunk->number = sc_get_u64(header + 32);
  chunk->value = sc_get_u64(header + 40);
  chunk->crc = sc_get_u32(header + 48);
  chunk->extra = sc_get_u32(header + 52);
  return true;
}

/* ---- writer ---- */

/* Stores the failure in writer->failure if it is the first, and truncates the file to its last whole chunk.
 * Returns the stored failure. */
static scree_status store_failure(
    sc_container_writer *writer, scree_status status, const scree_error *why, scree_error *error) {
  if (writer->status == SCREE_OK) {
    writer->status = status;
    writer->failure = *why;
    if (writer->file.fd >= 0 && status == SCREE_E_IO) sc_file_truncate(&writer->file, writer->end, NULL);
  }
  if (error) *error = writer->failure;
  return writer->status;
}

scree_status sc_container_create(sc_container_writer *writer, int folder, const char *path, bool replace,
    uint32_t schema, uint64_t identity, scree_error *error) {
  SC_ASSERT(writer && path);
  memset(writer, 0, sizeof *writer);
  scree_status status = sc_file_create(&writer->file, folder, path, replace, error);
  if (status) return status;
  unsigned char header[SC_CONTAINER_HEADER] = {0};
  memcpy(header, sc_container_magic, 8);
  sc_put_u16(header + 8, SC_CONTAINER_MAJOR);
  sc_put_u16(header + 10, SC_CONTAINER_MINOR);
  sc_put_u32(header + 12, schema);
  sc_put_u64(header + 16, identity);
  sc_put_u32(header + 28, (uint32_t)crc32(0, header, 28));
  status = sc_file_write(&writer->file, 0, header, sizeof header, error);
  writer->end = sizeof header;
  if (status) sc_file_close(&writer->file, NULL);
  return status;
}

scree_status sc_container_append(sc_container_writer *writer, const char *path, const sc_chunk *chunks,
    size_t keep, uint64_t end, scree_error *error) {
  SC_ASSERT(writer && path && (chunks || !keep));
  memset(writer, 0, sizeof *writer);
  writer->file.fd = -1;
  if (!SC_GROW(writer->chunk, writer->capacity, keep + 1))
    return sc_fail(error, SCREE_E_MEMORY, "going on with %s: out of memory", path);
  if (keep) memcpy(writer->chunk, chunks, keep * sizeof *chunks);
  writer->count = keep;
  writer->end = end;
  scree_status status = sc_file_open_update(&writer->file, path, error);
  if (!status) status = sc_file_truncate(&writer->file, end, error);
  if (status) sc_container_abandon(writer);
  return status;
}

enum { PACKED = -2 }; /* value of `level` for a payload that is already compressed */

/* Assembles header, payload and padding of a chunk in writer->buffer. level PACKED: does not compress the
 * payload. */
static scree_status build_chunk(sc_container_writer *writer, sc_chunk *chunk, const void *bytes, size_t count,
    int level, scree_error *error) {
  sc_bytes *buffer = &writer->buffer;
  buffer->count = 0;
  unsigned char *header = sc_bytes_take(buffer, SC_CHUNK_HEADER);
  bool ok = header &&
      (chunk->codec == SC_CODEC_ZLIB && level != PACKED ? sc_deflate(buffer, bytes, count, level)
                                                        : sc_bytes_add(buffer, bytes, count));
  if (!ok) return sc_fail(error, SCREE_E_MEMORY, "writing %s: out of memory", writer->file.path);
  if (level != PACKED) chunk->raw = count;
  chunk->stored = buffer->count - SC_CHUNK_HEADER;
  chunk->crc = (uint32_t)crc32_z(0, buffer->at + SC_CHUNK_HEADER, chunk->stored);
  chunk->offset = writer->end;
  sc_chunk_write_header(chunk, buffer->at);
  static const unsigned char zeros[8];
  if (!sc_bytes_add(buffer, zeros, (8 - buffer->count % 8) % 8))
    return sc_fail(error, SCREE_E_MEMORY, "writing %s: out of memory", writer->file.path);
  return SCREE_OK;
}

scree_status sc_container_put(sc_container_writer *writer, const sc_chunk *wanted, const void *bytes,
    size_t count, int level, scree_error *error) {
  SC_ASSERT(writer && wanted && (bytes || !count));
  scree_error why = {SCREE_OK, ""};
  if (writer->status) return store_failure(writer, writer->status, &why, error);
  sc_chunk chunk = *wanted;
  scree_status status = build_chunk(writer, &chunk, bytes, count, level, &why);
  if (!status && !SC_GROW(writer->chunk, writer->capacity, writer->count + 1))
    status = sc_fail(&why, SCREE_E_MEMORY, "writing %s: out of memory", writer->file.path);
  if (!status)
    status = sc_file_write(&writer->file, writer->end, writer->buffer.at, writer->buffer.count, &why);
  if (status) return store_failure(writer, status, &why, error);
  writer->chunk[writer->count++] = chunk;
  writer->end += writer->buffer.count;
  return SCREE_OK;
}

scree_status sc_container_put_packed(
    sc_container_writer *writer, const sc_chunk *chunk, const void *bytes, size_t count, scree_error *error) {
  SC_ASSERT(writer && chunk && (bytes || !count));
  return sc_container_put(writer, chunk, bytes, count, PACKED, error);
}

scree_status sc_container_sync(sc_container_writer *writer, scree_error *error) {
  scree_error why = {SCREE_OK, ""};
  scree_status status = writer->status ? writer->status : sc_file_sync(&writer->file, &why);
  return status ? store_failure(writer, status, &why, error) : SCREE_OK;
}

/* Writes the index and the trailer that points to the index. The index has for every chunk its offset, and
 * bytes 8 to 55 of its header. */
static scree_status write_index(sc_container_writer *writer, scree_error *error) {
  sc_bytes table = {0};
  size_t count = writer->count;
  unsigned char header[SC_CHUNK_HEADER], *row = sc_bytes_take(&table, count * 56 + 1);
  if (!row)
    return sc_fail(error, SCREE_E_MEMORY, "writing the index of %s: out of memory", writer->file.path);
  for (size_t i = 0; i < count; i++, row += 56) {
    sc_chunk_write_header(writer->chunk + i, header);
    sc_put_u64(row, writer->chunk[i].offset);
    memcpy(row + 8, header + 8, 48);
  }
  uint64_t at = writer->end;
  sc_chunk chunk = {.type = SC_CHUNK_INDEX, .codec = SC_CODEC_ZLIB, .number = count};
  scree_status status = sc_container_put(writer, &chunk, table.at, count * 56, 1, error);
  sc_bytes_free(&table);
  if (status) return status;
  unsigned char trailer[SC_CONTAINER_TRAILER] = {0};
  memcpy(trailer, trailer_mark, 8);
  sc_put_u64(trailer + 8, at);
  sc_put_u64(trailer + 16, count);
  sc_put_u32(trailer + 28, (uint32_t)crc32(0, trailer, 28));
  scree_error why;
  status = sc_file_write(&writer->file, writer->end, trailer, sizeof trailer, &why);
  return status ? store_failure(writer, status, &why, error) : SCREE_OK;
}

scree_status sc_container_finish(sc_container_writer *writer, bool sync, scree_error *error) {
  scree_status status = writer->status;
  if (status && error) *error = writer->failure;
  if (!status) status = write_index(writer, error);
  if (!status && sync) status = sc_container_sync(writer, error);
  scree_status closed = sc_file_close(&writer->file, status ? NULL : error);
  sc_container_abandon(writer);
  return status ? status : closed;
}

void sc_container_abandon(sc_container_writer *writer) {
  sc_file_close(&writer->file, NULL);
  sc_free(writer->chunk);
  sc_bytes_free(&writer->buffer);
  memset(writer, 0, sizeof *writer);
  writer->file.fd = -1;
}
