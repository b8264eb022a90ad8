/* Output files of exports: buffered, and compressed with gzip on request. Numbers have a decimal point in
 * every locale. The first failure is stored. Later calls do nothing, and sc_out_close returns the failure. */
#ifndef SC_OUT_H
#define SC_OUT_H

#include "io/container/file.h"

typedef struct sc_out {
  sc_file file;
  uint64_t at;             /* number of bytes written to the file */
  sc_bytes buffer, packed; /* bytes not yet written or compressed; output of the compressor */
  struct z_stream_s *gzip; /* compressor; NULL: the file is not compressed */
  scree_status status;     /* status of the first failure; SCREE_OK: none */
  scree_error failure;
} sc_out;

/* Creates the file path, replacing an existing file. gzip: compresses its contents. */
scree_status sc_out_open(sc_out *out, const char *path, bool gzip, scree_error *error);
/* Appends bytes. */
void sc_out_bytes(sc_out *out, const void *bytes, size_t count);
/* Appends formatted text of at most 1023 bytes; floating-point numbers must go through sc_out_number. */
void sc_out_text(sc_out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
enum { SC_EVERY_BIT = 17 }; /* significant digits of a double */
/* Appends the separator, then a number with `digits` significant digits (SC_EVERY_BIT: all). */
void sc_out_number(sc_out *out, const char *separator, double value, int digits);
/* Appends `count` numbers, each after the separator. */
void sc_out_numbers(sc_out *out, const char *separator, const double *value, int count, int digits);
/* Overwrites bytes at an offset before the present end of an uncompressed file, such as a header with the
 * size of the file. */
void sc_out_patch(sc_out *out, uint64_t offset, const void *bytes, size_t count);
/* Returns the number of bytes appended so far to an uncompressed file. */
uint64_t sc_out_place(const sc_out *out);
/* Writes the rest of the buffer and closes the file. After a failure removes the file and returns the
 * failure. */
scree_status sc_out_close(sc_out *out, scree_error *error);
/* Closes and removes the file. */
void sc_out_abandon(sc_out *out);
/* Writes value with `digits` significant digits to text, which has room for 32 bytes. */
void sc_number_text(double value, int digits, char *text);

#endif
