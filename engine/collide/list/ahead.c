/* Contacts found ahead: where the bodies are a part of many, those of pairs whose bodies' states are
 * here, while the states of others' bodies (ghosts) are on their way.
 *
 * A pair is late where one of its bodies is a ghost, or moves as a script says: a half-space that turns
 * reaches as far as the shapes that there are (refresh.c), and those are not all where they will be.
 * Contacts of the other pairs go to a memory of their own, piece by piece, so that the caller can look
 * at its messages in between; nothing that is known of the last step is touched. Should the list change
 * before the rest is found, they are forgotten. In the end both kinds are put together in the order of
 * the pairs, which is what one walk over all pairs gives. */
#include <string.h>
#include "collide/list/list.h"

enum { PIECES = 16, LEAST_PIECE = 4096 }; /* of the list between two looks; pairs of the least piece */

bool sc_collide_mark_late(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes) {
  if (!SC_GROW_LEAN(collide->late, collide->late_capacity, (size_t)collide->pairs + 1)) return false;
  for (int32_t p = 0; p < collide->pairs; p++) {
    sc_pair pair = collide->pair[p];
    collide->late[p] = sc_collide_waits_for(bodies, shapes->row[pair.one].body) ||
        sc_collide_waits_for(bodies, shapes->row[pair.two].body);
  }
  return true;
}

static sc_walk walk_of(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt,
    sc_memory *next, bool late) {
  return (sc_walk){.collide = collide,
      .bodies = bodies,
      .shapes = shapes,
      .past = &collide->now,
      .dt = dt,
      .next = next,
      .late = collide->late,
      .which = late,
      .touched = collide->touched};
}

scree_status sc_collide_ahead(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes,
    int state_stride, double dt, scree_error *error) {
  collide->ahead = false;
  if (!bodies->distributed || collide->dirty || !collide->pairs) return SCREE_OK;
  sc_arena_mark mark = sc_collide_begin(collide);
  scree_status status = sc_collide_end(collide, mark, sc_collide_ready(collide, bodies, shapes, dt, error));
  if (status) return status;
  sc_memory *now = &collide->now, *early = &collide->early;
  early->count = 0;
  if (!sc_memory_shape(now, state_stride, now->touches) ||
      !sc_memory_shape(early, state_stride, !sc_collide_all_plain(collide)) ||
      !sc_collide_touch_none(collide, bodies))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", (int)now->count);
  collide->ahead = true;
  collide->ahead_pairs = 0;
  collide->ahead_deepest = 0;
  return SCREE_OK;
}

bool sc_collide_ahead_some(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt) {
  int32_t first = collide->ahead_pairs, left = collide->pairs - first, piece = collide->pairs / PIECES;
  if (!collide->ahead || left <= 0) return false;
  if (piece < LEAST_PIECE) piece = LEAST_PIECE;
  if (piece > left) piece = left;
  sc_walk w = walk_of(collide, bodies, shapes, dt, &collide->early, false);
  sc_arena_mark mark = sc_collide_begin(collide);
  /* without memory the whole walk will say so */
  collide->ahead = sc_collide_walk(&w, first, first + piece);
  sc_collide_end(collide, mark, SCREE_OK);
  collide->ahead_pairs += piece;
  if (w.deepest > collide->ahead_deepest) collide->ahead_deepest = w.deepest;
  return collide->ahead && collide->ahead_pairs < collide->pairs;
}

/* Contacts of one memory whose pairs come before a pair, from row `from` on: the row behind them. */
static int32_t before(const sc_memory *memory, int32_t from, int32_t pair) {
  while (from < memory->count && memory->row[from].pair < pair) from++;
  return from;
}

/* Both kinds in the order of their pairs take the place of the last step's. */
static bool merge(sc_collide *collide) {
  const sc_memory *part[2] = {&collide->early, &collide->rest};
  sc_memory *now = &collide->now;
  int32_t at[2] = {0, 0};
  now->count = 0;
  int64_t total = (int64_t)part[0]->count + part[1]->count;
  if (total > INT32_MAX || !sc_memory_shape(now, part[0]->stride, part[0]->touches) ||
      !sc_memory_reserve(now, (size_t)total))
    return false;
  /* stretches of either kind, up to the next contact of the other */
  for (int k = 0; at[0] < part[0]->count || at[1] < part[1]->count; k = !k) {
    int32_t other = at[!k] < part[!k]->count ? part[!k]->row[at[!k]].pair : INT32_MAX,
            end = before(part[k], at[k], other);
    sc_memory_put(part[k], (size_t)at[k], (size_t)(end - at[k]), now, (size_t)now->count);
    now->count += end - at[k];
    at[k] = end;
  }
  return true;
}

scree_status sc_collide_ahead_end(
    sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt, scree_error *error) {
  sc_memory *rest = &collide->rest;
  while (sc_collide_ahead_some(collide, bodies, shapes, dt)) {}
  bool fine = collide->ahead;
  collide->ahead = false;
  sc_collide_refresh_late(collide, bodies, shapes, dt);
  rest->count = 0;
  sc_walk w = walk_of(collide, bodies, shapes, dt, rest, true);
  w.deepest = collide->ahead_deepest;
  fine = fine && sc_memory_shape(rest, collide->early.stride, collide->early.touches) &&
      sc_collide_walk(&w, 0, collide->pairs) && merge(collide);
  collide->deepest = w.deepest;
  if (fine) return SCREE_OK;
  collide->now.count = 0;
  return sc_fail(error, SCREE_E_MEMORY, "no memory for more than %d contacts", (int)collide->early.count);
}
