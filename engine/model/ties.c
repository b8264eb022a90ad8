/* Hash table of ties (ties.h) with linear probing. If an entry is removed, later entries move up. A search
 * may therefore end at the first empty place. */
#include "model/ties.h"

#include <string.h>
#include "base/base.h"

static size_t home_of(const sc_ties *ties, const sc_tie *key) {
  uint64_t h = (key->low ^ key->high * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xc2b2ae3d27d4eb4f);
  return (size_t)(h >> 32 ^ h) & (ties->places - 1);
}

static sc_tie key_of(scree_id one, scree_id two) {
  return one < two ? (sc_tie){one, two, 0} : (sc_tie){two, one, 0};
}

/* Returns the place of the entry with a key. If there is no such entry, returns the empty place where it
 * belongs. The table must have an empty place. */
static sc_tie *tie_place_of(const sc_ties *ties, const sc_tie *key) {
  size_t at = home_of(ties, key);
  while (ties->place[at].high && (ties->place[at].low != key->low || ties->place[at].high != key->high))
    at = (at + 1) & (ties->places - 1);
  return ties->place + at;
}

int64_t sc_ties_count(const sc_ties *ties, scree_id one, scree_id two) {
  sc_tie key = key_of(one, two);
  SC_ASSERT(key.high);
  return ties->places ? tie_place_of(ties, &key)->count : 0;
}

enum { FEWEST_PLACES = 16 };

static bool grow_ties(sc_ties *ties) {
  sc_ties wider = {.places = ties->places ? 2 * ties->places : FEWEST_PLACES, .taken = ties->taken};
  wider.place = sc_alloc(wider.places * sizeof *wider.place);
  if (!wider.place) return false;
  for (size_t at = 0; at < ties->places; at++)
    if (ties->place[at].high) *tie_place_of(&wider, ties->place + at) = ties->place[at];
  sc_ties_free(ties);
  *ties = wider;
  return true;
}

bool sc_ties_add(sc_ties *ties, scree_id one, scree_id two) {
  sc_tie key = key_of(one, two);
  SC_ASSERT(key.high);
  if (2 * (ties->taken + 1) > ties->places && !grow_ties(ties)) return false;
  sc_tie *tie = tie_place_of(ties, &key);
  if (!tie->high) *tie = key, ties->taken++;
  tie->count++;
  return true;
}

/* Removes the entry at place `hole`. Moves later entries, up to the next empty place, into the gap if this
 * brings them nearer to the places that their hashes give. */
static void remove_place(sc_ties *ties, size_t hole) {
  size_t mask = ties->places - 1;
  for (size_t at = (hole + 1) & mask; ties->place[at].high; at = (at + 1) & mask) {
    size_t way = (at - home_of(ties, ties->place + at)) & mask;
    if (way < ((at - hole) & mask)) continue;
    ties->place[hole] = ties->place[at];
    hole = at;
  }
  ties->place[hole] = (sc_tie){0, 0, 0};
  ties->taken--;
}

void sc_ties_drop(sc_ties *ties, scree_id one, scree_id two) {
  sc_tie key = key_of(one, two), *tie = tie_place_of(ties, &key);
  SC_ASSERT(tie->count > 0);
  if (!--tie->count) remove_place(ties, (size_t)(tie - ties->place));
}

void sc_ties_free(sc_ties *ties) {
  sc_free(ties->place);
  *ties = (sc_ties){.place = NULL};
}
