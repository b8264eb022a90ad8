/* Output of exports: a buffered file, gzip on the way where wanted, numbers with a point in every
 * locale. The first failure is kept;
 * later calls do nothing and sc_out_close answers with it. */
#ifndef SC_OUT_H
#define SC_OUT_H

#include "io/container/file.h"

typedef struct sc_out {
  sc_file file;
  uint64_t at; /* bytes with the kernel */
  sc_bytes buffer, packed;
  struct z_stream_s *gzip; /* NULL: plain */
  scree_status status;
  scree_error failure;
} sc_out;

/* Creates path (replacing what is there). */
scree_status sc_out_open(sc_out *out, const char *path, bool gzip, scree_error *error);
void sc_out_bytes(sc_out *out, const void *bytes, size_t count);
/* printf for texts and whole numbers; floating-point numbers go through sc_out_number. */
void sc_out_text(sc_out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A number with so many significant digits (17: every bit), with a point whatever the locale, after the
 * separator. */
void sc_out_number(sc_out *out, const char *separator, double value, int digits);
/* Overwrites bytes that lie before the present end of a plain file, e.g. a header that tells where the
 * end is. */
void sc_out_patch(sc_out *out, uint64_t offset, const void *bytes, size_t count);
/* Bytes put out so far, those still in the buffer with them (plain files). */
uint64_t sc_out_place(const sc_out *out);
/* Flushes and closes; a file that could not be written whole is removed. */
scree_status sc_out_close(sc_out *out, scree_error *error);
/* Closes and removes. */
void sc_out_abandon(sc_out *out);
/* value with digits significant digits into text (at least 32 bytes). */
void sc_number_text(double value, int digits, char *text);

#endif
