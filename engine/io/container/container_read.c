/* Container: reader.
 *
 * If trailer and index are valid, the table of chunks comes from the index. Otherwise the reader scans the
 * file from the start: a valid header leads to the next chunk, and a payload with a wrong checksum is
 * skipped. If a header is not valid, the scan continues at the next multiple of 8 bytes that has a valid
 * header. The reader compares every size in the file with the size of the file before it uses the size. */
#include "io/container/container.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { BLOCK = 1 << 16 }; /* number of bytes that a scan reads at once */

static uint64_t padded_size(uint64_t count) { return (count + 7) & ~(uint64_t)7; }

/* Counts a damaged place and its lost bytes. Stores a text about the first place. */
static void note_damage(sc_container *container, uint64_t offset, uint64_t bytes, const char *what) {
  if (!container->damaged)
    snprintf(container->damage, sizeof container->damage, "%s at byte %llu (%llu bytes)", what,
        (unsigned long long)offset, (unsigned long long)bytes);
  container->damaged++;
  container->lost_bytes += bytes;
}

/* ---- file header ---- */

static scree_status read_header(sc_container *container, uint32_t schema, scree_error *error) {
  unsigned char header[SC_CONTAINER_HEADER + SC_CHUNK_HEADER] = {0};
  const char *path = container->file.path;
  size_t count = container->size < sizeof header ? (size_t)container->size : sizeof header;
  scree_status status = sc_file_read(&container->file, 0, header, count, error);
  if (status) return status;
  bool magic = count >= SC_CONTAINER_HEADER && !memcmp(header, sc_container_magic, 8);
  bool sound = magic && sc_get_u32(header + 28) == (uint32_t)crc32(0, header, 28);
  sc_chunk first;
  /* a damaged file header loses no data, so the file is read if a valid chunk follows the header */
  if (!sound && !sc_chunk_read_header(&first, header + SC_CONTAINER_HEADER))
    return magic
        ? sc_fail(error, SCREE_E_FORMAT, "%s: the file header is damaged and no chunk follows it", path)
        : sc_fail(error, SCREE_E_FORMAT, "%s is not a scree file", path);
  if (!sound) {
    note_damage(container, 0, SC_CONTAINER_HEADER, "damaged file header");
    container->schema = schema;
    return SCREE_OK;
  }
  container->major = sc_get_u16(header + 8);
  container->minor = sc_get_u16(header + 10);
  container->schema = sc_get_u32(header + 12);
  container->identity = sc_get_u64(header + 16);
  if (container->major != SC_CONTAINER_MAJOR)
    return sc_fail(error, SCREE_E_FORMAT, "%s has format version %u.%u; this program reads version %d", path,
        container->major, container->minor, SC_CONTAINER_MAJOR);
  if (schema && schema != container->schema)
    return sc_fail(error, SCREE_E_FORMAT, "%s holds a '%.4s', not a '%.4s'", path, (const char *)header + 12,
        schema == SC_SCHEMA_TRAJECTORY       ? "TRAJ"
            : schema == SC_SCHEMA_CHECKPOINT ? "CKPT"
                                             : "PROB");
  return SCREE_OK;
}

/* ---- index ---- */

/* Returns whether a chunk with this header at `offset` ends at or before `limit`, and its sizes are
 * possible. */
static bool is_possible_chunk(const sc_chunk *chunk, uint64_t offset, uint64_t limit) {
  if (offset > limit || limit - offset < SC_CHUNK_HEADER) return false;
  uint64_t room = limit - offset - SC_CHUNK_HEADER;
  if (chunk->stored > room) return false;
  if (chunk->codec == SC_CODEC_STORED) return chunk->raw == chunk->stored;
  return chunk->codec == SC_CODEC_ZLIB && chunk->raw / 1032 <= chunk->stored;
}

/* Fills the list of chunks from the bytes `row` of an index of `count` entries. Returns false unless the
 * chunks are in order and end at or before offset `at`. */
static bool read_table(sc_container *container, const unsigned char *row, uint64_t count, uint64_t at) {
  uint64_t before = SC_CONTAINER_HEADER;
  unsigned char header[SC_CHUNK_HEADER];
  for (uint64_t i = 0; i < count; i++, row += 56) {
    sc_chunk *chunk = container->chunk + i;
    memcpy(header, "CHNK", 4);
    memcpy(header + 8, row + 8, 48);
    sc_put_u32(header + 4, (uint32_t)crc32(0, header + 8, 48));
    sc_chunk_read_header(chunk, header);
    chunk->offset = sc_get_u64(row);
    if (chunk->offset < before || !is_possible_chunk(chunk, chunk->offset, at)) return false;
    before = chunk->offset + SC_CHUNK_HEADER + padded_size(chunk->stored);
  }
  container->count = count;
  return true;
}

/* Reads trailer and index. Returns false if one of them is missing or invalid, or if out of memory. Sets
 * *lack to true only if out of memory. A damaged index does not count as damage of the data. */
static bool read_index(sc_container *container, bool *lack) {
  unsigned char trailer[SC_CONTAINER_TRAILER];
  if (container->size < SC_CONTAINER_HEADER + SC_CHUNK_HEADER + SC_CONTAINER_TRAILER) return false;
  uint64_t limit = container->size - SC_CONTAINER_TRAILER;
  if (sc_file_read(&container->file, limit, trailer, sizeof trailer, NULL)) return false;
  if (memcmp(trailer, "SCREEEND", 8) || sc_get_u32(trailer + 28) != (uint32_t)crc32(0, trailer, 28))
    return false;
  uint64_t at = sc_get_u64(trailer + 8), count = sc_get_u64(trailer + 16);
  unsigned char header[SC_CHUNK_HEADER];
  sc_chunk chunk = {.offset = at};
  if (at > limit || limit - at < SC_CHUNK_HEADER ||
      sc_file_read(&container->file, at, header, sizeof header, NULL))
    return false;
  if (!sc_chunk_read_header(&chunk, header) || chunk.type != SC_CHUNK_INDEX ||
      !is_possible_chunk(&chunk, at, limit))
    return false;
  if (count > chunk.raw / 56 || chunk.raw != count * 56) return false;
  /* sc_container_get decodes the index, which is the only entry of the list for this purpose */
  sc_bytes table = {0};
  container->chunk[0] = chunk;
  scree_status status = sc_container_get(container, 0, &table, NULL);
  if (!status && !SC_GROW(container->chunk, container->capacity, count + 1)) status = SCREE_E_MEMORY;
  bool ok = !status && read_table(container, table.at, count, at);
  sc_bytes_free(&table);
  *lack = status == SCREE_E_MEMORY;
  return ok;
}

/* ---- scan of the file ---- */

/* Checks the CRC of a chunk's payload in the file. Returns 1: right, 0: wrong, -1: the file cannot be read.
 * block: [BLOCK] scratch. */
static int check_payload(
    const sc_container *container, const sc_chunk *chunk, unsigned char *block, scree_error *error) {
  uLong crc = 0;
  uint64_t at = chunk->offset + SC_CHUNK_HEADER;
  for (uint64_t left = chunk->stored; left;) {
    size_t part = left < BLOCK ? (size_t)left : BLOCK;
    if (sc_file_read(&container->file, at, block, part, error)) return -1;
    crc = crc32_z(crc, block, part);
    at += part;
    left -= part;
  }
  return (uint32_t)crc == chunk->crc;
}

/* Returns the first offset from `at` on, in steps of 8 bytes, at which a valid header is; the size of the
 * file if there is none. block: [BLOCK] scratch. */
static uint64_t next_header(const sc_container *container, uint64_t at, unsigned char *block) {
  sc_chunk chunk;
  while (at + SC_CHUNK_HEADER <= container->size) {
    uint64_t left = container->size - at;
    size_t part = left < BLOCK ? (size_t)left : BLOCK;
    if (sc_file_read(&container->file, at, block, part, NULL)) return container->size;
    size_t i = 0;
    for (; i + SC_CHUNK_HEADER <= part; i += 8)
      if (block[i] == 'C' && sc_chunk_read_header(&chunk, block + i) &&
          is_possible_chunk(&chunk, at + i, container->size))
        return at + i;
    at += i;
  }
  return container->size;
}

/* Returns the name of the damage at offset `at`. A chunk that the end of the file cuts is an unfinished
 * write. */
static const char *name_damage(const sc_container *container, uint64_t at, const unsigned char *header) {
  sc_chunk chunk;
  bool torn = container->size - at < SC_CHUNK_HEADER || sc_chunk_read_header(&chunk, header);
  return torn ? "unfinished chunk" : "damaged chunk header";
}

/* Records damage if the padding of a chunk is not zero. Such padding loses no data but shows that the file
 * has been changed. */
static void check_padding(sc_container *container, const sc_chunk *chunk) {
  unsigned char byte[8];
  uint64_t end = chunk->offset + SC_CHUNK_HEADER + chunk->stored;
  size_t count = (size_t)(padded_size(chunk->stored) - chunk->stored);
  if (end + count > container->size || sc_file_read(&container->file, end, byte, count, NULL)) return;
  for (size_t i = 0; i < count; i++)
    if (byte[i]) {
      note_damage(container, end, 0, "padding that is not zero");
      return;
    }
}

/* Adds the chunk at offset *at to the list, or records damage there. Sets *at to the offset of the next
 * chunk. */
static scree_status scan_chunk(
    sc_container *container, uint64_t *at, unsigned char *block, scree_error *error) {
  unsigned char header[SC_CHUNK_HEADER] = {0};
  uint64_t left = container->size - *at;
  size_t part = left < sizeof header ? (size_t)left : sizeof header;
  scree_status status = sc_file_read(&container->file, *at, header, part, error);
  if (status) return status;
  if (left == SC_CONTAINER_TRAILER && !memcmp(header, "SCREEEND", 8)) {
    *at = container->size;
    return SCREE_OK;
  }
  sc_chunk chunk = {0};
  if (part == sizeof header && sc_chunk_read_header(&chunk, header) &&
      is_possible_chunk(&chunk, *at, container->size)) {
    chunk.offset = *at;
    *at += SC_CHUNK_HEADER + padded_size(chunk.stored);
    int sound = check_payload(container, &chunk, block, error);
    if (sound < 0) return error ? error->status : SCREE_E_IO;
    if (!sound) {
      note_damage(container, chunk.offset, *at - chunk.offset, "wrong checksum of a chunk");
      return SCREE_OK;
    }
    check_padding(container, &chunk);
    if (chunk.type == SC_CHUNK_INDEX) return SCREE_OK;
    if (!SC_GROW(container->chunk, container->capacity, container->count + 1))
      return sc_fail(error, SCREE_E_MEMORY, "reading %s: out of memory", container->file.path);
    container->chunk[container->count++] = chunk;
    return SCREE_OK;
  }
  uint64_t next = next_header(container, *at + 8, block);
  /* records the damaged bytes; the scan continues at the next valid header */
  note_damage(container, *at, next - *at, name_damage(container, *at, header));
  *at = next;
  return SCREE_OK;
}

/* Scans the chunks from offset `at` to the end of the file, and adds them to the list. */
static scree_status scan_from(sc_container *container, uint64_t at, scree_error *error) {
  unsigned char *block = sc_alloc(BLOCK);
  if (!block) return sc_fail(error, SCREE_E_MEMORY, "reading %s: out of memory", container->file.path);
  scree_status status = SCREE_OK;
  scree_error local;
  while (at < container->size && !status) {
    const size_t count = container->count;
    container->walked = at;
    container->walked_lost = container->lost_bytes, container->walked_damaged = container->damaged;
    status = scan_chunk(container, &at, block, error ? error : &local);
    /* a damaged chunk at the end may be an unfinished write, so the next scan begins at this chunk again */
    if (container->count == count && container->damaged > container->walked_damaged) continue;
    container->walked = at;
    container->walked_lost = container->lost_bytes, container->walked_damaged = container->damaged;
  }
  sc_free(block);
  return status;
}

static scree_status scan_chunks(sc_container *container, scree_error *error) {
  container->count = 0;
  return scan_from(container, SC_CONTAINER_HEADER, error);
}

/* Returns whether the last chunk of the list is unchanged in the file. */
static bool has_last_chunk(const sc_container *container) {
  unsigned char header[SC_CHUNK_HEADER];
  sc_chunk found;
  if (!container->count) return false;
  const sc_chunk *last = container->chunk + container->count - 1;
  return !sc_file_read(&container->file, last->offset, header, sizeof header, NULL) &&
      sc_chunk_read_header(&found, header) && found.type == last->type && found.number == last->number &&
      found.crc == last->crc;
}

scree_status sc_container_update(sc_container *container, scree_error *error) {
  SC_ASSERT(container);
  uint64_t size;
  scree_status status = sc_file_size(&container->file, &size, error);
  if (status) return status;
  if (container->complete || size < container->size || !has_last_chunk(container))
    return sc_fail(error, SCREE_E_FORMAT, "%s must be opened anew", container->file.path);
  container->size = size;
  container->lost_bytes = container->walked_lost, container->damaged = container->walked_damaged;
  if (!container->damaged) container->damage[0] = 0;
  bool lack = false;
  container->complete = read_index(container, &lack);
  if (lack) return sc_fail(error, SCREE_E_MEMORY, "reading %s: out of memory", container->file.path);
  return container->complete ? SCREE_OK : scan_from(container, container->walked, error);
}

/* ---- open, verify, read ---- */

scree_status sc_container_open(
    sc_container *container, const char *path, uint32_t schema, scree_error *error) {
  SC_ASSERT(container && path);
  memset(container, 0, sizeof *container);
  scree_status status = sc_file_open_read(&container->file, path, error);
  if (status) {
    container->file.fd = -1;
    return status;
  }
  status = sc_file_size(&container->file, &container->size, error);
  if (!status && !SC_GROW(container->chunk, container->capacity, 16))
    status = sc_fail(error, SCREE_E_MEMORY, "reading %s: out of memory", path);
  if (!status) status = read_header(container, schema, error);
  if (!status) {
    bool lack = false;
    container->complete = read_index(container, &lack);
    if (lack) status = sc_fail(error, SCREE_E_MEMORY, "reading %s: out of memory", path);
    else if (!container->complete) status = scan_chunks(container, error);
  }
  if (status) sc_container_close(container);
  return status;
}

scree_status sc_container_verify(sc_container *container, scree_error *error) {
  container->damaged = 0;
  container->lost_bytes = 0;
  container->damage[0] = 0;
  scree_status status = read_header(container, container->schema, error);
  return status ? status : scan_chunks(container, error);
}

void sc_container_close(sc_container *container) {
  sc_file_close(&container->file, NULL);
  sc_free(container->chunk);
  memset(container, 0, sizeof *container);
  container->file.fd = -1;
}

/* Fails with a message that names the file, the fault `what` and the offset of the chunk. */
static scree_status fail_misread(
    const sc_container *container, const sc_chunk *chunk, const char *what, scree_error *error) {
  return sc_fail(error, SCREE_E_FORMAT, "%s: %s in the chunk at byte %llu", container->file.path, what,
      (unsigned long long)chunk->offset);
}

scree_status sc_container_get(
    const sc_container *container, size_t index, sc_bytes *bytes, scree_error *error) {
  SC_ASSERT(container && bytes && index < container->capacity);
  const sc_chunk *chunk = container->chunk + index;
  sc_chunk found = {0};
  if (!is_possible_chunk(chunk, chunk->offset, container->size))
    return fail_misread(container, chunk, "impossible size", error);
  sc_bytes stored = {0};
  unsigned char *at = sc_bytes_take(&stored, SC_CHUNK_HEADER + (size_t)chunk->stored);
  if (!at)
    return sc_fail(error, SCREE_E_MEMORY, "reading %s: out of memory for %llu bytes", container->file.path,
        (unsigned long long)chunk->stored);
  scree_status status = sc_file_read(&container->file, chunk->offset, at, stored.count, error);
  bool same = !status && sc_chunk_read_header(&found, at) && found.type == chunk->type &&
      found.stored == chunk->stored && found.raw == chunk->raw && found.codec == chunk->codec &&
      found.crc == chunk->crc && found.number == chunk->number;
  if (!status && !same) status = fail_misread(container, chunk, "damaged header", error);
  if (!status && (uint32_t)crc32_z(0, at + SC_CHUNK_HEADER, chunk->stored) != chunk->crc)
    status = fail_misread(container, chunk, "wrong checksum", error);
  if (!status && chunk->codec == SC_CODEC_ZLIB) {
    status = sc_inflate(bytes, at + SC_CHUNK_HEADER, chunk->stored, chunk->raw, error);
    if (status == SCREE_E_FORMAT)
      status = fail_misread(container, chunk, "a compressed block that does not decode", error);
  } else if (!status) {
    bytes->count = 0;
    if (!sc_bytes_add(bytes, at + SC_CHUNK_HEADER, chunk->stored))
      status = sc_fail(error, SCREE_E_MEMORY, "reading %s: out of memory", container->file.path);
  }
  sc_bytes_free(&stored);
  return status;
}

int64_t sc_container_find(const sc_container *container, uint32_t type) {
  for (size_t i = 0; i < container->count; i++)
    if (container->chunk[i].type == type) return (int64_t)i;
  return -1;
}
