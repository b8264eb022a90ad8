/* Zip files of .npy arrays, as numpy.load reads them. */
#ifndef SC_ZIP_H
#define SC_ZIP_H

#include "io/export/export.h"

/* A zip file in the making: its central directory gathers in ex->last. */
typedef struct sc_zip {
  sc_export *ex;
  sc_out out;
  int entries;
  bool failed;
} sc_zip;

/* One member's contents, in one or two stretches that together are one raw deflate stream. */
typedef struct sc_zip_part {
  const unsigned char *bytes;
  size_t count;
} sc_zip_part;
void sc_zip_member(sc_zip *zip, const char *name, uint32_t crc, uint64_t raw, const sc_zip_part part[2]);
/* After the last member. */
void sc_zip_directory(sc_zip *zip);

/* The head of a .npy array: magic, version 1.0, a Python dictionary padded to a multiple of 64 bytes.
 * Its length. type as NumPy spells it ("<f8"); shape with its parentheses. */
enum { SC_NPY_HEAD = 192 };
size_t sc_npy_head(const char *type, const char *shape, unsigned char head[SC_NPY_HEAD]);

/* Takes an array: its rows (-1: one number without a shape), columns, and bytes of a number. */
typedef void (*sc_npz_put)(
    void *to, const char *name, const char *type, int64_t rows, int columns, const void *bytes, size_t width);
/* Puts the arrays of the bodies of the present frame. Returns false without memory. */
bool sc_npz_bodies(sc_export *ex, sc_npz_put put, void *to);
/* Puts the arrays of its contacts. Returns false without memory. */
bool sc_npz_contacts(const sc_export *ex, sc_npz_put put, void *to);

/* export_npz_single.c: all frames in one file. */
scree_status sc_npz_single_frame(sc_export *ex, scree_error *error);
scree_status sc_npz_single_end(sc_export *ex, scree_error *error);
void sc_npz_single_forget(sc_export *ex);

#endif
