/* The container: one chunked, checksummed file under trajectory, checkpoint and problem dump.
 * docs/file-format.md has the bytes.
 *
 *   file header (32 bytes) | chunk | chunk | ... | index chunk | trailer (32 bytes)
 *
 * A chunk is a 56-byte header with its own CRC-32, a payload with its own CRC-32, and zeros up to a
 * multiple of 8 bytes. Every chunk reaches the kernel in one go, so that after a kill at any moment the
 * file is readable up to the last whole chunk; without index and trailer the reader walks the chunks,
 * and past damage it looks for the next sound header. */
#ifndef SC_CONTAINER_H
#define SC_CONTAINER_H

#include "io/container/file.h"

#define SC_TAG(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

enum {
  SC_CONTAINER_HEADER = 32,
  SC_CHUNK_HEADER = 56,
  SC_CONTAINER_TRAILER = 32,
  SC_CONTAINER_MAJOR = 1,
  SC_CONTAINER_MINOR = 0
};
enum {
  SC_SCHEMA_TRAJECTORY = SC_TAG('T', 'R', 'A', 'J'),
  SC_SCHEMA_CHECKPOINT = SC_TAG('C', 'K', 'P', 'T'),
  SC_SCHEMA_PROBLEM = SC_TAG('P', 'R', 'O', 'B'),
  SC_CHUNK_INDEX = SC_TAG('I', 'N', 'D', 'X')
};
enum { SC_CODEC_STORED = 0, SC_CODEC_ZLIB = 1 };

typedef struct sc_chunk {
  uint32_t type;        /* SC_TAG */
  uint16_t codec;       /* SC_CODEC_... */
  uint16_t flags;       /* the schema's */
  uint64_t stored, raw; /* bytes in the file, bytes decoded */
  uint64_t number;      /* the schema's, e.g. the frame's number */
  uint64_t value;       /* the schema's, e.g. the bits of the frame's time */
  uint32_t crc;         /* of the stored payload */
  uint32_t extra;       /* the schema's, e.g. the number of bodies */
  uint64_t offset;      /* of the chunk's header in the file */
} sc_chunk;

/* ---- writing ---- */
typedef struct sc_container_writer {
  sc_file file;
  uint64_t end; /* where the next chunk goes: after the last whole one */
  sc_chunk *chunk;
  size_t count, capacity;
  sc_bytes buffer;     /* the chunk being put together */
  scree_status status; /* the first failure; the file takes nothing more after it */
  scree_error failure;
} sc_container_writer;

/* Starts a file at a path relative to an open folder (AT_FDCWD: to the working directory). identity: a hash
 * of the run's inputs, stored in the header. */
scree_status sc_container_create(sc_container_writer *writer, int folder, const char *path, bool replace,
    uint32_t schema, uint64_t identity, scree_error *error);
/* Goes on with an existing file after its first `keep` chunks (from a reader of the same file, closed by
 * then); the rest is cut. */
scree_status sc_container_append(sc_container_writer *writer, const char *path, const sc_chunk *chunks,
    size_t keep, uint64_t end, scree_error *error);
/* Adds a chunk; codec zlib compresses at level. chunk's type, codec, flags, number and value are read. */
scree_status sc_container_put(sc_container_writer *writer, const sc_chunk *chunk, const void *bytes,
    size_t count, int level, scree_error *error);
/* The same with a payload that is compressed already: a zlib stream of chunk->raw bytes. */
scree_status sc_container_put_packed(
    sc_container_writer *writer, const sc_chunk *chunk, const void *bytes, size_t count, scree_error *error);
scree_status sc_container_sync(sc_container_writer *writer, scree_error *error);
/* Writes index and trailer (unless a write failed before), optionally syncs, closes and frees. */
scree_status sc_container_finish(sc_container_writer *writer, bool sync, scree_error *error);
/* Closes and frees without an index, as a kill would leave the file. */
void sc_container_abandon(sc_container_writer *writer);

/* ---- reading ---- */
typedef struct sc_container {
  sc_file file;
  uint64_t size; /* of the file */
  uint32_t schema;
  uint64_t identity;
  uint16_t major, minor;
  sc_chunk *chunk;
  size_t count, capacity; /* index chunk left out */
  bool complete;          /* index and trailer are there and sound */
  uint64_t lost_bytes;    /* bytes that belong to no sound chunk */
  int64_t damaged;        /* places where chunks were lost */
  char damage[256];       /* the first of them in words, or "" */
  /* position at which the walk continues after the file has grown, and the damage found before this
   * position */
  uint64_t walked, walked_lost;
  int64_t walked_damaged;
} sc_container;

/* Opens a file of a schema (0: any). With a sound index nothing else is read; without one every chunk is
 * checked. */
scree_status sc_container_open(
    sc_container *container, const char *path, uint32_t schema, scree_error *error);
/* Walks the whole file and checks every payload, index or not; damaged chunks leave the list. */
scree_status sc_container_verify(sc_container *container, scree_error *error);
/* Walks over what was appended since the container was opened or updated. Returns SCREE_E_FORMAT if the
 * container must be opened anew: it had an index, is shorter, or has other chunks now. */
scree_status sc_container_update(sc_container *container, scree_error *error);
void sc_container_close(sc_container *container);
/* Reads and decodes a chunk into bytes (overwritten). A wrong checksum or size is SCREE_E_FORMAT. */
scree_status sc_container_get(
    const sc_container *container, size_t index, sc_bytes *bytes, scree_error *error);
/* First chunk of a type, or -1. */
int64_t sc_container_find(const sc_container *container, uint32_t type);

/* ---- zlib over byte strings ---- */
/* Appends the compressed bytes. False without memory. */
bool sc_deflate(sc_bytes *out, const void *bytes, size_t count, int level);
/* Decodes exactly raw bytes into out (overwritten); raw is checked against what stored bytes can hold
 * before memory is taken. */
scree_status sc_inflate(sc_bytes *out, const void *bytes, size_t stored, uint64_t raw, scree_error *error);

/* ---- shared by writer and reader ---- */
extern const unsigned char sc_container_magic[8];
void sc_chunk_write_header(const sc_chunk *chunk, unsigned char header[SC_CHUNK_HEADER]);
/* False if mark or CRC are wrong. */
bool sc_chunk_read_header(sc_chunk *chunk, const unsigned char header[SC_CHUNK_HEADER]);

#endif
