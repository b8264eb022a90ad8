/* Hash table from slots to rows, for a rank that has only a part of the bodies. It uses open addressing with
 * linear probing, and at most half of its places are in use.
 *
 * An entry consists of row + 1 (0: empty) and the slot. If a row moves, its new row is stored under the same
 * slot. Removal moves later entries back into the gap, so the table needs no marks for deleted entries. */
#include "model/bodies.h"
#include "model/lookup.h"

#include <string.h>

/* Returns the preferred place of a slot: the place at which its entry is stored unless other entries are
 * there. Fibonacci hashing gives neighbouring slots distant places. */
static size_t home_place_of(const sc_bodies *bodies, uint32_t slot) {
  return (size_t)((slot * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (bodies->found_size - 1);
}

/* Returns the place of the entry of a slot. If there is no such entry, returns the empty place where it
 * belongs. */
static size_t find_slot_place(const sc_bodies *bodies, uint32_t slot) {
  size_t at = home_place_of(bodies, slot);
  while (bodies->found[2 * at] && (uint32_t)bodies->found[2 * at + 1] != slot)
    at = (at + 1) & (bodies->found_size - 1);
  return at;
}

int32_t sc_lookup_find(const sc_bodies *bodies, uint32_t slot) {
  SC_ASSERT(bodies);
  return bodies->found_size ? bodies->found[2 * find_slot_place(bodies, slot)] - 1 : -1;
}

void sc_lookup_put(sc_bodies *bodies, uint32_t slot, int32_t row) {
  SC_ASSERT(bodies->found && row >= 0);
  size_t at = find_slot_place(bodies, slot);
  bodies->found[2 * at] = row + 1;
  bodies->found[2 * at + 1] = (int32_t)slot;
}

void sc_lookup_drop(sc_bodies *bodies, uint32_t slot) {
  SC_ASSERT(bodies);
  size_t mask = bodies->found_size - 1, hole = find_slot_place(bodies, slot);
  if (!bodies->found[2 * hole]) return;
  for (size_t at = (hole + 1) & mask; bodies->found[2 * at]; at = (at + 1) & mask) {
    /* An entry may move back into the hole unless its preferred place is after the hole. */
    size_t home = home_place_of(bodies, (uint32_t)bodies->found[2 * at + 1]);
    if (((at - home) & mask) < ((at - hole) & mask)) continue;
    memcpy(bodies->found + 2 * hole, bodies->found + 2 * at, 2 * sizeof *bodies->found);
    hole = at;
  }
  bodies->found[2 * hole] = 0;
}

bool sc_lookup_build(sc_bodies *bodies, size_t rows) {
  size_t size = 64;
  while (size < 2 * rows) size *= 2;
  int32_t *table = sc_alloc(2 * size * sizeof *table);
  if (!table) return false;
  sc_free(bodies->found);
  bodies->found = table;
  bodies->found_size = size;
  for (int32_t row = 0; row < bodies->count; row++) sc_lookup_put(bodies, bodies->slot[row], row);
  return true;
}
