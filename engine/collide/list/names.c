/* Names that shapes bear beside their rows.
 *
 * A removal moves the last row into the hole, and the list goes on with the rows it was built with:
 * alias and origin lead from those to the rows of today and back, rank (rank.c) to the rows of the last
 * ordering. Worlds that lose no bodies need none of the three: they are kept from the first removal on. */
#include "collide/list/list.h"

static bool reserve(sc_collide *collide, size_t rows) {
  size_t alias = collide->names_capacity, origin = alias, rank = alias;
  if (!SC_GROW_LEAN(collide->alias, alias, rows) || !SC_GROW_LEAN(collide->origin, origin, rows) ||
      !SC_GROW_LEAN(collide->rank, rank, rows))
    return false;
  collide->names_capacity = rank;
  return true;
}

bool sc_names_reserve(sc_collide *collide, size_t rows) {
  return !collide->names_capacity || reserve(collide, rows);
}

bool sc_names_keep(sc_collide *collide, size_t rows) {
  bool had = collide->names_capacity > 0;
  if (!reserve(collide, rows ? rows : 1)) return false;
  for (size_t row = 0; row < rows && !had; row++)
    collide->alias[row] = collide->origin[row] = collide->rank[row] = (int32_t)row;
  return true;
}

void sc_names_number(sc_collide *collide, int32_t rows) {
  for (int32_t row = 0; row < rows && collide->names_capacity; row++)
    collide->alias[row] = collide->origin[row] = row;
  collide->known = collide->listed = rows;
  collide->removals = false;
}

void sc_collide_forget(sc_collide *collide) {
  collide->pairs = collide->known = collide->listed = collide->now.count = 0;
  collide->removals = collide->ahead = false;
  collide->dirty = true;
}

void sc_collide_removed(sc_collide *collide, int32_t row, int32_t last) {
  collide->ahead = false;
  if (row >= collide->known) return;
  if (!sc_names_keep(collide, (size_t)collide->listed)) {
    sc_collide_forget(collide); /* no memory: the warm start is lost, nothing else */
    return;
  }
  collide->removals = true;
  if (collide->origin[row] >= 0) collide->alias[collide->origin[row]] = -1;
  if (last >= collide->known) {
    /* a shape too new for the list moves in */
    collide->origin[row] = -1;
    collide->dirty = true;
    return;
  }
  if (row != last) {
    collide->origin[row] = collide->origin[last];
    if (collide->origin[row] >= 0) collide->alias[collide->origin[row]] = row;
    collide->anchor[row] = collide->anchor[last];
    collide->rank[row] = collide->rank[last];
    if (last < collide->cached) collide->cache[row] = collide->cache[last];
  }
  collide->known = last;
}
