/* A growing run of bytes. A failed allocation is remembered and makes every later call do nothing, so
 * that a writer asks once, at the end. */
#ifndef VIEW_BYTES_H
#define VIEW_BYTES_H

#include <stddef.h>
#include <stdint.h>

typedef struct view_bytes {
  unsigned char *at;
  size_t count, room;
  int failed;
} view_bytes;

/* Room for `count` more bytes, zeroed and counted in; NULL without memory. */
void *view_bytes_take(view_bytes *bytes, size_t count);
void view_bytes_add(view_bytes *bytes, const void *from, size_t count);
void view_bytes_text(view_bytes *bytes, const char *text);
void view_bytes_print(view_bytes *bytes, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A text as a JSON string, with its quotes. What might end a script element is escaped too. */
void view_bytes_json(view_bytes *bytes, const char *text);
/* As base64, by RFC 4648. */
void view_bytes_base64(view_bytes *bytes, const unsigned char *from, size_t count);
void view_bytes_free(view_bytes *bytes);

#endif
