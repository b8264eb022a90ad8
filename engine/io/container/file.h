/* Files of the io layer: complete writes, complete reads at an offset, and errors that name the path and the
 * reason. Tests can make the nth call that modifies a file fail (sc_file_fail_at). */
#ifndef SC_FILE_H
#define SC_FILE_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/base.h"

/* An open file, which owns `path`. fd < 0: not open. */
typedef struct sc_file {
  int fd;
  char *path;
} sc_file;

/* Creates the file path, which is relative to an open folder (AT_FDCWD: the working directory). If the file
 * exists, empties it if `replace`, else fails. */
scree_status sc_file_create(sc_file *file, int folder, const char *path, bool replace, scree_error *error);
/* Opens path for reading. */
scree_status sc_file_open_read(sc_file *file, const char *path, scree_error *error);
/* Opens an existing file for reading and writing. Fails if path is a symbolic link. */
scree_status sc_file_open_update(sc_file *file, const char *path, scree_error *error);
/* Closes the file and frees its path. Does nothing if the file is not open. */
scree_status sc_file_close(sc_file *file, scree_error *error);

/* Writes all `count` bytes at an offset of the file, or fails. */
scree_status sc_file_write(
    sc_file *file, uint64_t offset, const void *bytes, size_t count, scree_error *error);
/* Reads exactly count bytes at an offset. Fails with SCREE_E_FORMAT if the file ends before. */
scree_status sc_file_read(
    const sc_file *file, uint64_t offset, void *bytes, size_t count, scree_error *error);
/* Sets *size to the size of the file [bytes]. Fails if it is not a regular file. */
scree_status sc_file_size(const sc_file *file, uint64_t *size, scree_error *error);
/* Cuts or extends the file to a size. */
scree_status sc_file_truncate(sc_file *file, uint64_t size, scree_error *error);
/* Waits until the bytes of the file are on the medium. */
scree_status sc_file_sync(sc_file *file, scree_error *error);
/* Fails if path is a device, pipe or folder, because a rename to it would replace it: root would lose
 * /dev/null. folder: open folder of a relative path, or AT_FDCWD. */
scree_status sc_file_check_target(int folder, const char *path, scree_error *error);
/* Renames a file and syncs its folder. Both paths are relative to an open folder, or AT_FDCWD. */
scree_status sc_file_rename(int folder, const char *from, const char *to, scree_error *error);
/* Removes a regular file that could not be written completely. Does nothing for devices, pipes and symbolic
 * links. */
void sc_file_discard(const char *path);
/* Creates a folder and its parents. Succeeds if the folder exists. */
scree_status sc_file_make_folder(const char *path, scree_error *error);

/* For tests: makes the nth call from now that modifies a file fail with errno `code` (0: it writes half of
 * the bytes and fails with ENOSPC). on: all later such calls fail, too. nth = 0 switches the failures off. */
void sc_file_fail_at(uint64_t nth, int code, bool on);

/* ---- little-endian bytes: write (put) and read (get) an unsigned number or a float ---- */
static inline void sc_put_u16(unsigned char *at, uint16_t v) {
  at[0] = (unsigned char)v;
  at[1] = (unsigned char)(v >> 8);
}
static inline void sc_put_u32(unsigned char *at, uint32_t v) {
  sc_put_u16(at, (uint16_t)v);
  sc_put_u16(at + 2, (uint16_t)(v >> 16));
}
static inline void sc_put_u64(unsigned char *at, uint64_t v) {
  sc_put_u32(at, (uint32_t)v);
  sc_put_u32(at + 4, (uint32_t)(v >> 32));
}
static inline void sc_put_f32(unsigned char *at, double v) {
  union {
    float f;
    uint32_t u;
  } b = {.f = (float)v};
  sc_put_u32(at, b.u);
}
static inline uint16_t sc_get_u16(const unsigned char *at) { return (uint16_t)(at[0] | at[1] << 8); }
static inline uint32_t sc_get_u32(const unsigned char *at) {
  return sc_get_u16(at) | (uint32_t)sc_get_u16(at + 2) << 16;
}
static inline uint64_t sc_get_u64(const unsigned char *at) {
  return sc_get_u32(at) | (uint64_t)sc_get_u32(at + 4) << 32;
}
/* Returns the bits of a double. */
static inline uint64_t sc_bits(double v) {
  union {
    double d;
    uint64_t u;
  } b = {v};
  return b.u;
}
/* Returns the double with these bits. */
static inline double sc_from_bits(uint64_t v) {
  union {
    uint64_t u;
    double d;
  } b = {v};
  return b.d;
}

/* ---- growing byte strings ---- */
/* A byte string that grows. A zeroed sc_bytes is empty. */
typedef struct sc_bytes {
  unsigned char *at;
  size_t count, capacity;
} sc_bytes;
/* Appends `count` uninitialised bytes. Returns the address of the first of them, valid until the next append;
 * NULL if out of memory. */
unsigned char *sc_bytes_take(sc_bytes *bytes, size_t count);
/* Appends a copy of `count` bytes. Returns false if out of memory. */
bool sc_bytes_add(sc_bytes *bytes, const void *from, size_t count);
/* Frees the bytes and makes the string empty. */
void sc_bytes_free(sc_bytes *bytes);

#endif
