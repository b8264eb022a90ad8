/* Numbers for what is alike: of texts of integers, each that is met for the first time gets the next one. */
#ifndef SC_TEXTS_H
#define SC_TEXTS_H

#include "base/base.h"

typedef struct sc_texts {
  sc_arena *arena;
  int32_t count; /* of different ones */
  int32_t **text, *length;
  int32_t *table; /* number + 1 by hash, 0: empty */
  size_t places;  /* a power of two, more than twice as many as texts */
} sc_texts;

/* For at most so many different ones. False without memory. */
bool sc_texts_open(sc_texts *texts, size_t most, sc_arena *arena);
/* The number of a text; a new one is copied, with the number that `count` was before. -1 without memory. */
int32_t sc_texts_number(sc_texts *texts, const int32_t *text, int32_t length);

#endif
