/* The container: a file of chunks with checksums, which trajectories, checkpoints and problem dumps use.
 * docs/file-format.md describes the bytes.
 *
 *   file header (32 bytes) | chunk | chunk | ... | index chunk | trailer (32 bytes)
 *
 * A chunk is a 56-byte header with its own CRC-32, a payload with its own CRC-32, and zeros up to a multiple
 * of 8 bytes. Every chunk is written with one call. Therefore, after a kill at any moment, the file is
 * readable up to the last whole chunk. Without index and trailer the reader scans the chunks. After a damaged
 * chunk it searches for the next valid header. */
#ifndef SC_CONTAINER_H
#define SC_CONTAINER_H

#include "io/container/file.h"

#define SC_TAG(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

enum {
  SC_CONTAINER_HEADER = 32,  /* size of the file header [bytes] */
  SC_CHUNK_HEADER = 56,      /* size of a chunk's header [bytes] */
  SC_CONTAINER_TRAILER = 32, /* size of the trailer [bytes] */
  SC_CONTAINER_MAJOR = 1,    /* version of the format; readers refuse other major versions */
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
  uint32_t type;        /* type of the chunk: four letters (SC_TAG) */
  uint16_t codec;       /* SC_CODEC_... */
  uint16_t flags;       /* bits whose meaning the schema defines, e.g. SC_FRAME_KEY */
  uint64_t stored, raw; /* size of the payload in the file and after decompression [bytes] */
  uint64_t number;      /* meaning defined by the schema, e.g. number of the frame */
  uint64_t value;       /* meaning defined by the schema, e.g. bits of the frame's time */
  uint32_t crc;         /* CRC-32 of the stored payload */
  uint32_t extra;       /* meaning defined by the schema, e.g. number of bodies */
  uint64_t offset;      /* offset of the chunk's header in the file */
} sc_chunk;

/* ---- writing ---- */
typedef struct sc_container_writer {
  sc_file file;
  uint64_t end; /* offset of the next chunk: the end of the last whole chunk */
  sc_chunk *chunk;
  size_t count, capacity;
  sc_bytes buffer;     /* the chunk being assembled */
  scree_status status; /* the first failure; nothing is written after it */
  scree_error failure;
} sc_container_writer;

/* Creates a file at a path relative to an open folder (AT_FDCWD: the working directory). Fails if the file
 * exists, unless `replace`. identity: hash of the run's inputs, stored in the header. */
scree_status sc_container_create(sc_container_writer *writer, int folder, const char *path, bool replace,
    uint32_t schema, uint64_t identity, scree_error *error);
/* Opens an existing file to continue it after its first `keep` chunks, which end at offset `end`. Cuts off
 * the rest of the file. chunks: [keep] from a reader of this file, which must have been closed. */
scree_status sc_container_append(sc_container_writer *writer, const char *path, const sc_chunk *chunks,
    size_t keep, uint64_t end, scree_error *error);
/* Appends a chunk with the payload `bytes`. Uses type, codec, flags, number, value and extra of `chunk`.
 * level: compression level of zlib if the codec is SC_CODEC_ZLIB. */
scree_status sc_container_put(sc_container_writer *writer, const sc_chunk *chunk, const void *bytes,
    size_t count, int level, scree_error *error);
/* Appends a chunk whose payload is already compressed: a zlib stream that decodes to chunk->raw bytes. */
scree_status sc_container_put_packed(
    sc_container_writer *writer, const sc_chunk *chunk, const void *bytes, size_t count, scree_error *error);
/* Waits until all chunks are on the medium. */
scree_status sc_container_sync(sc_container_writer *writer, scree_error *error);
/* Writes index and trailer unless a write has failed before. Syncs if `sync`. Closes the file and frees the
 * writer's memory. Returns the first failure. */
scree_status sc_container_finish(sc_container_writer *writer, bool sync, scree_error *error);
/* Closes the file without an index, as after a kill, and frees the writer's memory. */
void sc_container_abandon(sc_container_writer *writer);

/* ---- reading ---- */
typedef struct sc_container {
  sc_file file;
  uint64_t size; /* size of the file [bytes] */
  uint32_t schema;
  uint64_t identity; /* hash of the run's inputs */
  uint16_t major, minor;
  sc_chunk *chunk; /* [count] all chunks except the index chunk */
  size_t count, capacity;
  bool complete;       /* index and trailer exist and are valid */
  uint64_t lost_bytes; /* number of bytes that belong to no valid chunk */
  int64_t damaged;     /* number of damaged places of the file */
  char damage[256];    /* text about the first of these places; "": no damage */
  /* offset at which sc_container_update continues; lost_bytes and damaged up to this offset */
  uint64_t walked, walked_lost;
  int64_t walked_damaged;
} sc_container;

/* Opens a file of a schema (0: any). If the index is valid, reads only the header and the index. Otherwise
 * checks every chunk. */
scree_status sc_container_open(
    sc_container *container, const char *path, uint32_t schema, scree_error *error);
/* Scans the whole file and checks every payload, even if there is an index. Removes damaged chunks from the
 * list. */
scree_status sc_container_verify(sc_container *container, scree_error *error);
/* Scans the bytes appended since the container was opened or updated. Returns SCREE_E_FORMAT if the
 * container must be opened anew: it had an index, is shorter, or has other chunks now. */
scree_status sc_container_update(sc_container *container, scree_error *error);
/* Closes the file and frees the list of chunks. */
void sc_container_close(sc_container *container);
/* Reads the chunk `index` of the list and sets bytes to its decompressed payload. Fails with SCREE_E_FORMAT
 * if a checksum or size is wrong. */
scree_status sc_container_get(
    const sc_container *container, size_t index, sc_bytes *bytes, scree_error *error);
/* Returns the index of the first chunk of a type; -1 if there is none. */
int64_t sc_container_find(const sc_container *container, uint32_t type);

/* ---- zlib over byte strings ---- */
/* Compresses `count` bytes and appends the zlib stream to out. Returns false if out of memory. */
bool sc_deflate(sc_bytes *out, const void *bytes, size_t count, int level);
/* Sets out to the `raw` bytes to which the zlib stream of `stored` bytes decodes. Fails with SCREE_E_FORMAT
 * if it decodes to another number of bytes. Checks before it allocates whether `stored` bytes can contain
 * `raw` bytes. */
scree_status sc_inflate(sc_bytes *out, const void *bytes, size_t stored, uint64_t raw, scree_error *error);

/* ---- shared by writer and reader ---- */
extern const unsigned char sc_container_magic[8];
/* Encodes the header of a chunk with its CRC. */
void sc_chunk_write_header(const sc_chunk *chunk, unsigned char header[SC_CHUNK_HEADER]);
/* Decodes the header of a chunk. Returns false if its mark "CHNK" or CRC is wrong. Does not set
 * chunk->offset. */
bool sc_chunk_read_header(sc_chunk *chunk, const unsigned char header[SC_CHUNK_HEADER]);

#endif
