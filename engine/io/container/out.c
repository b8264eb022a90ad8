#include "io/container/out.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { FLUSH_AT = 1 << 17 };    /* the buffer is written when it has this many bytes */
enum { GZIP_WINDOW = 15 + 16 }; /* windowBits of zlib: the largest window (15), with a gzip header (16) */

static void store_out_failure(sc_out *out, scree_status status, const char *what) {
  if (!out->status)
    out->status = sc_fail(
        &out->failure, status, "writing %s: %s", out->file.path ? out->file.path : "?", what);
}

scree_status sc_out_open(sc_out *out, const char *path, bool gzip, scree_error *error) {
  SC_ASSERT(out && path);
  memset(out, 0, sizeof *out);
  scree_status status = sc_file_create(&out->file, AT_FDCWD, path, true, error);
  if (status || !gzip) return status;
  out->gzip = sc_alloc(sizeof *out->gzip);
  if (out->gzip && deflateInit2(out->gzip, 6, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) == Z_OK)
    return SCREE_OK;
  sc_free(out->gzip);
  out->gzip = NULL;
  sc_out_abandon(out);
  return sc_fail(error, SCREE_E_MEMORY, "writing %s: out of memory", path);
}

static void write_plain(sc_out *out, const void *bytes, size_t count) {
  if (out->status) return;
  out->status = sc_file_write(&out->file, out->at, bytes, count, &out->failure);
  out->at += count;
}

/* Compresses the buffer and writes the result. last: ends the gzip stream. */
static void write_gzip(sc_out *out, bool last) {
  z_stream *z = out->gzip;
  z->next_in = out->buffer.at;
  z->avail_in = (uInt)out->buffer.count;
  int code = Z_OK;
  do {
    out->packed.count = 0;
    unsigned char *room = sc_bytes_take(&out->packed, FLUSH_AT);
    if (!room) {
      store_out_failure(out, SCREE_E_MEMORY, "out of memory");
      return;
    }
    z->next_out = room;
    z->avail_out = FLUSH_AT;
    code = deflate(z, last ? Z_FINISH : Z_NO_FLUSH);
    write_plain(out, room, FLUSH_AT - z->avail_out);
  } while (!out->status && (z->avail_out == 0 || (last && code != Z_STREAM_END)));
}

static void flush_buffer(sc_out *out, bool last) {
  if (out->gzip) write_gzip(out, last);
  else write_plain(out, out->buffer.at, out->buffer.count);
  out->buffer.count = 0;
}

void sc_out_bytes(sc_out *out, const void *bytes, size_t count) {
  SC_ASSERT(out && (bytes || !count));
  const unsigned char *at = bytes;
  while (count && !out->status) {
    size_t part = count < FLUSH_AT ? count : FLUSH_AT;
    if (!sc_bytes_add(&out->buffer, at, part)) {
      store_out_failure(out, SCREE_E_MEMORY, "out of memory");
      return;
    }
    at += part;
    count -= part;
    if (out->buffer.count >= FLUSH_AT) flush_buffer(out, false);
  }
}

void sc_out_text(sc_out *out, const char *format, ...) {
  SC_ASSERT(out && format);
  char text[1024];
  va_list args;
  va_start(args, format);
  int count = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  sc_out_bytes(out, text, count < 0 ? 0 : (size_t)count < sizeof text ? (size_t)count : sizeof text - 1);
}

void sc_number_text(double value, int digits, char *text) {
  snprintf(text, 32, "%.*g", digits, value);
  /* any character that is not a digit, a sign, an exponent or a letter of inf and nan is the decimal point of
   * the locale */
  for (char *c = text; *c; c++)
    if (!strchr("0123456789+-einfa", *c)) *c = '.';
}

void sc_out_number(sc_out *out, const char *separator, double value, int digits) {
  char text[32];
  sc_number_text(value, digits, text);
  sc_out_bytes(out, separator, strlen(separator));
  sc_out_bytes(out, text, strlen(text));
}

void sc_out_numbers(sc_out *out, const char *separator, const double *value, int count, int digits) {
  for (int k = 0; k < count; k++) sc_out_number(out, separator, value[k], digits);
}

uint64_t sc_out_place(const sc_out *out) { return out->at + out->buffer.count; }

void sc_out_patch(sc_out *out, uint64_t offset, const void *bytes, size_t count) {
  SC_ASSERT(out && (bytes || !count));
  flush_buffer(out, false);
  if (!out->status) out->status = sc_file_write(&out->file, offset, bytes, count, &out->failure);
}

static void free_out(sc_out *out) {
  if (out->gzip) deflateEnd(out->gzip);
  sc_free(out->gzip);
  sc_bytes_free(&out->buffer);
  sc_bytes_free(&out->packed);
  memset(out, 0, sizeof *out);
  out->file.fd = -1;
}

void sc_out_abandon(sc_out *out) {
  if (out->file.fd >= 0 && out->file.path) {
    sc_file_discard(out->file.path);
    sc_file_close(&out->file, NULL);
  }
  free_out(out);
}

scree_status sc_out_close(sc_out *out, scree_error *error) {
  if (!out->status) flush_buffer(out, true);
  scree_status status = out->status;
  if (status) {
    if (error) *error = out->failure;
    sc_out_abandon(out);
    return status;
  }
  status = sc_file_close(&out->file, error);
  free_out(out);
  return status;
}
