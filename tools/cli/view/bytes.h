/* A byte buffer that grows. A failed allocation sets `failed` and makes every later call do nothing, so
 * that a writer needs to check only once, at the end. */
#ifndef VIEW_BYTES_H
#define VIEW_BYTES_H

#include <stddef.h>
#include <stdint.h>

typedef struct view_bytes {
  unsigned char *at;
  size_t count, room;
  int failed;
} view_bytes;

/* Appends `count` zeroed bytes and returns the first of them; NULL if out of memory. */
void *view_bytes_take(view_bytes *bytes, size_t count);
/* Appends a copy of bytes. */
void view_bytes_add(view_bytes *bytes, const void *from, size_t count);
/* Appends a text without its terminating zero. */
void view_bytes_text(view_bytes *bytes, const char *text);
/* Appends formatted text. */
void view_bytes_print(view_bytes *bytes, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends a text as a JSON string with quotes. Escapes characters that could end a script element. */
void view_bytes_json(view_bytes *bytes, const char *text);
/* Appends bytes as base64 (RFC 4648). */
void view_bytes_base64(view_bytes *bytes, const unsigned char *from, size_t count);
/* Frees the bytes and makes the buffer empty. */
void view_bytes_free(view_bytes *bytes);

#endif
