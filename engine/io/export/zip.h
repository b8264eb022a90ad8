/* Zip files of .npy arrays, as numpy.load reads them. */
#ifndef SC_ZIP_H
#define SC_ZIP_H

#include "io/export/export.h"

/* A zip file being written. Its central directory is collected in ex->last. */
typedef struct sc_zip {
  sc_export *ex;
  sc_out out;
  int entries;
  bool failed; /* memory ran out, or the file would exceed 4 GiB */
} sc_zip;

/* One part of a member's contents; the two parts together are one raw deflate stream. */
typedef struct sc_zip_part {
  const unsigned char *bytes;
  size_t count;
} sc_zip_part;
/* Writes a member of the zip file; `part` has its compressed contents. crc, raw: CRC-32 and size [bytes] of
 * the uncompressed contents. */
void sc_zip_member(sc_zip *zip, const char *name, uint32_t crc, uint64_t raw, const sc_zip_part part[2]);
/* Writes the directory; call it after the last member. */
void sc_zip_directory(sc_zip *zip);

enum { SC_NPY_HEAD = 192 }; /* largest header of a .npy array [bytes] */
/* Writes the header of a .npy array: magic number, version 1.0, a Python dictionary padded to a multiple of
 * 64 bytes. type: NumPy's name of the type, such as "<f8". shape: a Python tuple as text. Returns
 * the length. */
size_t sc_npy_head(const char *type, const char *shape, unsigned char head[SC_NPY_HEAD]);

/* Receives an array. type: NumPy's name of the type. rows -1: one number without a shape. width: size of a
 * number [bytes]. */
typedef void (*sc_npz_put)(
    void *to, const char *name, const char *type, int64_t rows, int columns, const void *bytes, size_t width);
/* Calls put for the arrays of the bodies of the present frame. Returns false if out of memory. */
bool sc_npz_bodies(sc_export *ex, sc_npz_put put, void *to);
/* Calls put for the arrays of the contacts of the present frame. Returns false if out of memory. */
bool sc_npz_contacts(const sc_export *ex, sc_npz_put put, void *to);

/* ---- all frames in one file: export_npz_single.c ---- */
/* Appends the present frame to the arrays in memory. */
scree_status sc_npz_single_frame(sc_export *ex, scree_error *error);
/* Writes the file with all frames. Does nothing if no frame was appended. */
scree_status sc_npz_single_end(sc_export *ex, scree_error *error);
/* Frees the arrays. */
void sc_npz_single_forget(sc_export *ex);

#endif
