/* Numbers arrays of integers by means of a hash table with linear probing (texts.h). */
#include "base/texts.h"

#include <string.h>

bool sc_texts_open(sc_texts *t, size_t most, sc_arena *arena) {
  *t = (sc_texts){.arena = arena, .places = 16};
  while (t->places <= 2 * most) t->places *= 2;
  t->table = SC_TAKE(arena, int32_t, t->places);
  t->text = SC_TAKE(arena, int32_t *, most);
  t->length = SC_TAKE(arena, int32_t, most);
  if (!t->table || !t->text || !t->length) return false;
  memset(t->table, 0, t->places * sizeof *t->table);
  return true;
}

static bool is_same_text(const sc_texts *t, int32_t number, const int32_t *text, int32_t length) {
  return t->length[number] == length && !memcmp(t->text[number], text, (size_t)length * sizeof *text);
}

int32_t sc_texts_number(sc_texts *t, const int32_t *text, int32_t length) {
  const size_t bytes = (size_t)length * sizeof *text;
  size_t at = (size_t)sc_hash(SC_HASH_START, text, bytes) & (t->places - 1);
  for (; t->table[at]; at = (at + 1) & (t->places - 1))
    if (is_same_text(t, t->table[at] - 1, text, length)) return t->table[at] - 1;
  int32_t *copy = SC_TAKE(t->arena, int32_t, length);
  if (!copy) return -1;
  t->text[t->count] = memcpy(copy, text, bytes);
  t->length[t->count] = length;
  t->table[at] = ++t->count;
  return t->count - 1;
}
