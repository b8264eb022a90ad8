/* A stream into memory that detects when memory has run out. (open_memstream silently drops data that does
 * not fit.) */
#ifndef SL_TEXT_H
#define SL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Buffer of the stream. cut: memory ran out, so the text is incomplete. */
typedef struct sl_text {
  char *at;
  size_t size, capacity;
  bool cut;
} sl_text;

/* Opens a stream into `text`, which must not move until sl_text_close. Returns NULL if memory runs out. */
FILE *sl_text_open(sl_text *text);
/* Closes the stream, which may be NULL. Returns the text, which the caller frees, or NULL if it is
 * incomplete. */
char *sl_text_close(FILE *stream, sl_text *text);

#endif
