/* Numbers arrays of integers (texts) in the order of their first occurrence. Equal arrays get equal
 * numbers. */
#ifndef SC_TEXTS_H
#define SC_TEXTS_H

#include "base/base.h"

typedef struct sc_texts {
  sc_arena *arena;
  int32_t count; /* number of different arrays */
  int32_t **text, *length;
  int32_t *table; /* [places] hash table of arrays: number + 1, 0: empty */
  size_t places;  /* size of `table`: a power of two, more than twice the largest number of arrays */
} sc_texts;

/* Prepares a table for at most `most` different arrays. All memory comes from the arena. Returns false if out
 * of memory. */
bool sc_texts_open(sc_texts *texts, size_t most, sc_arena *arena);
/* Returns the number of an array. A new array is copied and gets the next number. Returns -1 if out of
 * memory. */
int32_t sc_texts_number(sc_texts *texts, const int32_t *text, int32_t length);

#endif
