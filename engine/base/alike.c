/* A hash table with chains that stores equal rows once (alike.h). */
#include "base/alike.h"

#include <string.h>

void sc_alike_free(sc_alike *a) {
  sc_free(a->row);
  sc_free(a->link);
  sc_free(a->first);
  *a = (sc_alike){0};
}

size_t sc_alike_bytes(const sc_alike *a) {
  return a->capacity * a->width + a->link_capacity * sizeof *a->link + a->places * sizeof *a->first;
}

static unsigned char *row_of(const sc_alike *a, int32_t number) { return a->row + (size_t)number * a->width; }

/* Returns a pointer to the entry of a->first for the hash of `bytes`: the first row of the chain + 1; 0: the
 * chain is empty. Hashes 8 bytes at a time, because this is fast and each new row is hashed. */
static int32_t *place_of(const sc_alike *a, const unsigned char *bytes) {
  uint64_t hash = 0, word;
  for (size_t at = 0; at < a->width; at += sizeof word) {
    memcpy(&word, bytes + at, sizeof word);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return a->first + ((size_t)hash & (a->places - 1));
}

static void enter_row(sc_alike *a, int32_t number) {
  int32_t *place = place_of(a, row_of(a, number));
  a->link[number].next = *place;
  *place = number + 1;
}

static void enter_all(sc_alike *a) {
  memset(a->first, 0, a->places * sizeof *a->first);
  for (int32_t number = 0; number < a->rows; number++)
    if (a->link[number].users) enter_row(a, number);
}

static bool grow_places(sc_alike *a) {
  size_t places = a->places ? a->places : 16;
  while (places < a->capacity) places *= 2;
  if (places == a->places) return true;
  int32_t *first = sc_realloc(a->first, places * sizeof *first);
  if (!first) return false;
  a->first = first, a->places = places;
  enter_all(a);
  return true;
}

bool sc_alike_reserve(sc_alike *a, size_t width, size_t more) {
  SC_ASSERT(width % 8 == 0 && (!a->width || a->width == width));
  const size_t need = (size_t)a->rows + more;
  a->width = width;
  if (need <= a->capacity && a->places) return true;
  if (need > INT32_MAX / 2) return false;
  const size_t capacity = sc_lean_capacity(a->capacity, need);
  unsigned char *row = sc_realloc(a->row, capacity * width);
  if (!row) return false;
  a->row = row;
  if (!SC_GROW_LEAN(a->link, a->link_capacity, capacity)) return false;
  a->capacity = capacity;
  return grow_places(a);
}

static int32_t find_row(const sc_alike *a, const void *bytes) {
  int32_t at = a->places ? *place_of(a, bytes) : 0;
  while (at && memcmp(row_of(a, at - 1), bytes, a->width)) at = a->link[at - 1].next;
  return at - 1;
}

static int32_t find_free_row(sc_alike *a) {
  if (!a->free) return a->rows++;
  int32_t number = a->free - 1;
  a->free = a->link[number].next;
  return number;
}

int32_t sc_alike_take(sc_alike *a, size_t width, const void *bytes) {
  int32_t number = find_row(a, bytes);
  if (number < 0) {
    if (!sc_alike_reserve(a, width, !a->free)) return -1;
    number = find_free_row(a);
    memcpy(row_of(a, number), bytes, width);
    a->link[number].users = 0;
    enter_row(a, number);
  }
  a->link[number].users++;
  return number;
}

bool sc_alike_drop(sc_alike *a, int32_t number) {
  SC_ASSERT(number >= 0 && number < a->rows && a->link[number].users > 0);
  if (--a->link[number].users) return false;
  int32_t *at = place_of(a, row_of(a, number));
  while (*at != number + 1) at = &a->link[*at - 1].next;
  *at = a->link[number].next;
  a->link[number].next = a->free;
  a->free = number + 1;
  return true;
}

size_t sc_alike_scratch(const sc_alike *a) {
  return (size_t)a->rows * (a->width + sizeof *a->link + sizeof(int32_t));
}

void sc_alike_order(sc_alike *a, int32_t *number, int32_t count, void *scratch) {
  const size_t rows = (size_t)a->rows;
  unsigned char *row = scratch;
  sc_alike_link *link = (sc_alike_link *)(void *)(row + rows * a->width);
  /* name: [rows] new number of each row + 1; 0: no new number yet. used: number of rows with a new number. */
  int32_t *name = (int32_t *)(link + rows), used = 0;
  if (!rows) return;
  memset(name, 0, rows * sizeof *name);
  for (int32_t i = 0; i < count; i++) {
    const int32_t old = number[i];
    if (old < 0) continue;
    if (!name[old]) {
      memcpy(row + (size_t)used * a->width, row_of(a, old), a->width);
      link[used] = a->link[old];
      name[old] = ++used;
    }
    number[i] = name[old] - 1;
  }
  memcpy(a->row, row, (size_t)used * a->width);
  memcpy(a->link, link, (size_t)used * sizeof *link);
  a->rows = used, a->free = 0;
  enter_all(a);
}
