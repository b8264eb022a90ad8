/* Rows of bytes of which those that are alike are kept once, with the number of their users.
 *
 * All bytes of a row count, so it must have no gaps. A table of zeros is an empty one; each is used with one
 * width, a multiple of 8. A row keeps its number while it has users. */
#ifndef SC_ALIKE_H
#define SC_ALIKE_H

#include "base/base.h"

/* Numbers are of a row + 1; 0: none. */
typedef struct sc_alike_link {
  int32_t users;
  int32_t next; /* of the same hash, or free like it */
} sc_alike_link;

typedef struct sc_alike {
  int32_t rows; /* free ones among them */
  int32_t free;
  unsigned char *row;
  sc_alike_link *link;
  size_t width, capacity, link_capacity;
  int32_t *first; /* by hash */
  size_t places;  /* a power of two, at most twice the capacity */
} sc_alike;

void sc_alike_free(sc_alike *alike);
/* Room for `more` further rows; false without memory. */
bool sc_alike_reserve(sc_alike *alike, size_t width, size_t more);
/* Number of the row with these bytes, which has one user more; -1 without memory. */
int32_t sc_alike_take(sc_alike *alike, size_t width, const void *bytes);
/* A row has one user less; true if that was the last: its bytes are there until the next is taken. */
bool sc_alike_drop(sc_alike *alike, int32_t number);
static inline const void *sc_alike_row(const sc_alike *alike, int32_t number) {
  return alike->row + (size_t)number * alike->width;
}
static inline int32_t sc_alike_users(const sc_alike *alike, int32_t number) {
  return alike->link[number].users;
}
/* Puts rows into the order in which number[0..count-1] names them first, without holes, and names them anew;
 * negative numbers stay. All users' numbers must be there. scratch: of that many bytes. */
size_t sc_alike_scratch(const sc_alike *alike);
void sc_alike_order(sc_alike *alike, int32_t *number, int32_t count, void *scratch);
size_t sc_alike_bytes(const sc_alike *alike);

#endif
