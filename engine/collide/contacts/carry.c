/* The memory of contacts, carried past removals and from one list to the next.
 *
 * Contacts lie in the order of their pairs. While the list lives, a pair's contacts are found again by
 * walking along; only when the list changes must they be renamed: the old pairs are kept under the names
 * of the new rows, and each is looked up in the new list, from the place of the one before on, for most
 * of the time both lists are in the same order. A pair that turned round (a body became movable) starts
 * afresh. */
#include <string.h>
#include "collide/contacts/hints.h"

enum { CHUNK = 1024, NOTHING = -1 }; /* pairs that a thread takes at a time */

static scree_status no_memory(const sc_collide *collide, scree_error *error) {
  return sc_fail(error, SCREE_E_MEMORY, "no memory to carry %d contacts over", (int)collide->now.count);
}

/* ---- the old list, under new names ---- */

typedef struct packing {
  const sc_list *list;
  const int32_t *new_row;
  sc_contact_transfer *to;
} packing;

static void rename_pairs(void *context, int64_t first, int64_t end) {
  const packing *k = context;
  const sc_list *list = k->list;
  for (int64_t p = first; p < end; p++)
    k->to->pair[p] = (sc_pair){k->new_row[list->pair[p].one], k->new_row[list->pair[p].two]};
  const size_t count = (size_t)(end - first);
  if (k->to->image) memcpy(k->to->image + first, list->image + first, count * sizeof *list->image);
  if (k->to->hint) memcpy(k->to->hint + first, list->hint + first, count * sizeof *list->hint);
}

scree_status sc_contacts_pack(
    sc_collide *collide, const int32_t *new_row, sc_contact_transfer *out, scree_error *error) {
  const sc_list *list = &collide->list;
  const int32_t pairs = list->pairs;
  *out = (sc_contact_transfer){.pairs = pairs,
      .pair = SC_TAKE(collide->scratch, sc_pair, pairs),
      .image = list->image ? SC_TAKE(collide->scratch, sc_image, pairs) : NULL,
      .hint = list->hints ? SC_TAKE(collide->scratch, sc_hint, pairs) : NULL};
  if (!out->pair || (list->image && !out->image) || (list->hints && !out->hint))
    return no_memory(collide, error);
  sc_pool_ranges(collide->pool, pairs, CHUNK, rename_pairs, &(packing){list, new_row, out});
  return SCREE_OK;
}

/* ---- its contacts, under the new list ---- */

typedef struct unpacking {
  sc_collide *collide;
  const sc_contact_transfer *from;
  sc_memory old;
  int32_t *first;  /* of each pair of the new list: the first of its old contacts, or NOTHING */
  int32_t *before; /* contacts of the chunks of new pairs before each */
} unpacking;

/* Row behind the last contact of the pair that contact `first` is of. */
static int32_t end_of(const sc_memory *memory, int32_t first) {
  int32_t end = first + 1;
  while (end < memory->count && memory->row[end].pair == memory->row[first].pair) end++;
  return end;
}

/* The row of old pair p in the new list, or NOTHING; *at: where the one before was, and this one is or
 * would be. */
static int32_t new_place(const unpacking *u, int32_t p, int32_t *at) {
  const sc_list *list = &u->collide->list;
  const sc_pair pair = u->from->pair[p];
  const uint64_t key = sc_names_key(list, pair);
  *at = sc_names_place(list, key, *at);
  for (int32_t q = *at; q < list->pairs && sc_names_key(list, list->pair[q]) == key; q++)
    if (list->pair[q].one == pair.one && (!list->image || sc_image_same(u->from->image[p], list->image[q])))
      return q;
  return NOTHING;
}

/* Old pairs that still exist, and touch or of which something is known, find their places. */
static void find_places(void *context, int64_t first, int64_t end) {
  const unpacking *u = context;
  const sc_contact_transfer *from = u->from;
  int32_t at = (int32_t)first, contact = sc_memory_first(&u->old, (int32_t)first);
  for (int32_t p = (int32_t)first; p < end; p++) {
    const bool touches = contact < u->old.count && u->old.row[contact].pair == p,
               known = from->hint && sc_hint_is_carried(from->hint + p);
    const int32_t begin = contact;
    if (touches) contact = end_of(&u->old, begin);
    if (!(touches || known) || from->pair[p].one < 0 || from->pair[p].two < 0) continue;
    const int32_t q = new_place(u, p, &at);
    if (q == NOTHING) continue;
    if (touches) u->first[q] = begin;
    if (known) u->collide->list.hint[q] = from->hint[p];
  }
}

static void count_contacts(void *context, int64_t first, int64_t end) {
  const unpacking *u = context;
  int32_t count = 0;
  for (int64_t q = first; q < end; q++)
    if (u->first[q] != NOTHING) count += end_of(&u->old, u->first[q]) - u->first[q];
  u->before[first / CHUNK + 1] = count;
}

static void move_contacts(void *context, int64_t first, int64_t end) {
  const unpacking *u = context;
  int32_t to = u->before[first / CHUNK];
  for (int64_t q = first; q < end; q++)
    for (int32_t c = u->first[q], last = c == NOTHING ? c : end_of(&u->old, c); c < last; c++)
      sc_memory_move(&u->old, c, &u->collide->now, to++, (int32_t)q);
}

scree_status sc_contacts_unpack(
    sc_collide *collide, const sc_contact_transfer *transfer, scree_error *error) {
  sc_list *list = &collide->list;
  const int32_t pairs = list->pairs, chunks = (pairs + CHUNK - 1) / CHUNK;
  unpacking u = {.collide = collide,
      .from = transfer,
      .first = SC_TAKE(collide->scratch, int32_t, pairs),
      .before = SC_TAKE(collide->scratch, int32_t, chunks + 1)};
  if (!u.first || !u.before || !sc_memory_copy(&collide->now, collide->pool, collide->scratch, &u.old) ||
      !sc_hints_begin(collide, transfer->hint))
    return no_memory(collide, error);
  memset(u.first, NOTHING, (size_t)pairs * sizeof *u.first);
  u.before[0] = 0;
  sc_pool_ranges(collide->pool, transfer->pairs, CHUNK, find_places, &u);
  sc_pool_ranges(collide->pool, pairs, CHUNK, count_contacts, &u);
  for (int32_t k = 0; k < chunks; k++) u.before[k + 1] += u.before[k];
  sc_pool_ranges(collide->pool, pairs, CHUNK, move_contacts, &u);
  collide->now.count = u.before[chunks];
  return SCREE_OK;
}

/* ---- the same list without what was removed ---- */

scree_status sc_collide_settle(sc_collide *collide, scree_error *error) {
  if (!collide->list.removals) return SCREE_OK;
  sc_arena_mark mark = sc_arena_here(collide->scratch);
  int32_t *moved = SC_TAKE(collide->scratch, int32_t, collide->list.pairs + 1), kept = 0;
  if (!moved) return sc_fail(error, SCREE_E_MEMORY, "no memory to take removed shapes off the list");
  for (int32_t p = 0; p < collide->list.pairs; p++) {
    int32_t one = sc_names_alias(&collide->list, collide->list.pair[p].one),
            two = sc_names_alias(&collide->list, collide->list.pair[p].two);
    moved[p] = one < 0 || two < 0 ? -1 : kept;
    if (moved[p] < 0) continue;
    if (collide->list.hints) collide->list.hint[kept] = collide->list.hint[p];
    if (collide->list.image) collide->list.image[kept] = collide->list.image[p];
    collide->list.pair[kept++] = (sc_pair){one, two};
  }
  collide->list.pairs = kept, collide->list.parted = 0;
  if (collide->list.hints) collide->list.hints = kept;
  sc_memory *now = &collide->now;
  int32_t left = 0;
  for (int32_t c = 0; c < now->count; c++)
    if (moved[now->row[c].pair] >= 0) sc_memory_move(now, c, now, left++, moved[now->row[c].pair]);
  now->count = left;
  sc_names_number(&collide->list, collide->list.known);
  return sc_collide_end(collide, mark, SCREE_OK);
}
