/* A stream into memory that knows when memory has run out. (open_memstream leaves out what does not fit and
 * goes on.) */
#ifndef SL_TEXT_H
#define SL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct sl_text {
  char *at;
  size_t size, capacity;
  bool cut;
} sl_text;

/* NULL without memory; text must stay where it is until the end. */
FILE *sl_text_open(sl_text *text);
/* Ends the stream, which may be NULL: the whole text, allocated, or NULL where any of it is missing. */
char *sl_text_close(FILE *stream, sl_text *text);

#endif
