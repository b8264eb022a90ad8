/* A table that stores equal rows once and counts their users.
 *
 * Rows are compared by all their bytes, so they must have no padding. A zeroed table is empty. All rows of a
 * table have the same width, a multiple of 8. The number of a row does not change while the row has users,
 * except by sc_alike_order. */
#ifndef SC_ALIKE_H
#define SC_ALIKE_H

#include "base/base.h"

/* Link of a row in a chain of rows. All members named next, free and first contain the number of a row + 1;
 * 0: none. */
typedef struct sc_alike_link {
  int32_t users;
  int32_t next; /* next row with the same hash, or next free row */
} sc_alike_link;

typedef struct sc_alike {
  int32_t rows; /* number of rows, including free rows */
  int32_t free;
  unsigned char *row;
  sc_alike_link *link;
  size_t width, capacity, link_capacity;
  int32_t *first; /* hash table: [places] first row of each chain */
  /* size of `first`: a power of two, at least 16; less than twice the capacity unless it is 16 */
  size_t places;
} sc_alike;

/* Frees all arrays and zeroes the table. */
void sc_alike_free(sc_alike *alike);
/* Reserves memory for `more` further rows. width: bytes of a row, the same in all calls for a table. Returns
 * false if out of memory. */
bool sc_alike_reserve(sc_alike *alike, size_t width, size_t more);
/* Returns the number of the row with these bytes and adds a user to this row. If there is no such row, adds
 * one. Returns -1 if out of memory. */
int32_t sc_alike_take(sc_alike *alike, size_t width, const void *bytes);
/* Removes a user of a row. Returns true if it was the last user; the bytes of the row are then valid until
 * the next sc_alike_take. */
bool sc_alike_drop(sc_alike *alike, int32_t number);
/* Returns the bytes of a row. */
static inline const void *sc_alike_row(const sc_alike *alike, int32_t number) {
  return alike->row + (size_t)number * alike->width;
}
/* Returns the number of users of a row; 0: the row is free. */
static inline int32_t sc_alike_users(const sc_alike *alike, int32_t number) {
  return alike->link[number].users;
}
/* Returns the scratch bytes that sc_alike_order needs. */
size_t sc_alike_scratch(const sc_alike *alike);
/* Sorts the rows in the order in which their numbers first occur in number[0 .. count - 1], and drops free
 * rows. Replaces the entries of `number` by the new numbers of the rows; negative entries are not changed.
 * `number` must contain one entry for each user of the table. scratch: sc_alike_scratch bytes. */
void sc_alike_order(sc_alike *alike, int32_t *number, int32_t count, void *scratch);
/* Returns the bytes of heap memory of a table. */
size_t sc_alike_bytes(const sc_alike *alike);

#endif
