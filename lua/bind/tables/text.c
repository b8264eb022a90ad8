#define _GNU_SOURCE
#include "bind/tables/text.h"

#include <stdlib.h>
#include <string.h>

static ssize_t append_bytes(void *context, const char *bytes, size_t count) {
  sl_text *text = context;
  if (text->capacity - text->size <= count) {
    size_t capacity = 2 * text->capacity + count + 1;
    char *more = realloc(text->at, capacity);
    if (!more) return text->cut = true, 0;
    text->at = more, text->capacity = capacity;
  }
  memcpy(text->at + text->size, bytes, count);
  text->at[text->size += count] = 0;
  return (ssize_t)count;
}

FILE *sl_text_open(sl_text *text) {
  *text = (sl_text){.at = calloc(1, 1), .capacity = 1};
  FILE *stream = text->at ? fopencookie(text, "w", (cookie_io_functions_t){.write = append_bytes}) : NULL;
  if (!stream) free(text->at), text->at = NULL;
  return stream;
}

char *sl_text_close(FILE *stream, sl_text *text) {
  if (!stream) return NULL;
  bool lost = ferror(stream);
  if (!fclose(stream) && !lost && !text->cut) return text->at;
  free(text->at);
  return NULL;
}
