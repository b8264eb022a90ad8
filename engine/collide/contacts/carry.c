/* Carries the contact cache across removals and from one neighbour list to the next.
 *
 * Contacts are sorted by pair and store the row of their pair. These rows change only when the list changes.
 * The old pairs are then stored with the new rows of their shapes, and each old pair is searched in the new
 * list. The search starts at the position of the preceding pair, because both lists mostly have the same
 * order. Contacts of a pair whose shapes exchanged their order (a body became movable) are dropped. */
#include <string.h>
#include "collide/contacts/pair_caches.h"

enum {
  CHUNK = 1024, /* pairs that a thread processes at a time */
  NOTHING = -1  /* in place of a row: there is none */
};

static scree_status fail_to_carry(const sc_collide *collide, scree_error *error) {
  return sc_fail(error, SCREE_E_MEMORY, "no memory to carry %d contacts over", (int)collide->now.count);
}

/* ---- the old pairs with new rows ---- */

typedef struct packing {
  const sc_list *list;
  const int32_t *new_row; /* [old shape row] new row, -1: removed */
  sc_contact_transfer *to;
} packing;

static void rename_pairs(void *context, int64_t first, int64_t end) {
  const packing *k = context;
  const sc_list *list = k->list;
  for (int64_t p = first; p < end; p++)
    k->to->pair[p] = (sc_pair){k->new_row[list->pair[p].one], k->new_row[list->pair[p].two]};
  const size_t count = (size_t)(end - first);
  if (k->to->image) memcpy(k->to->image + first, list->image + first, count * sizeof *list->image);
  if (k->to->pair_cache)
    memcpy(k->to->pair_cache + first, list->pair_cache + first, count * sizeof *list->pair_cache);
}

scree_status sc_contacts_pack(
    sc_collide *collide, const int32_t *new_row, sc_contact_transfer *out, scree_error *error) {
  const sc_list *list = &collide->list;
  const int32_t pairs = list->pairs;
  *out = (sc_contact_transfer){.pairs = pairs,
      .pair = SC_TAKE(collide->scratch, sc_pair, pairs),
      .image = list->image ? SC_TAKE(collide->scratch, sc_image, pairs) : NULL,
      .pair_cache = list->pair_caches ? SC_TAKE(collide->scratch, sc_pair_cache, pairs) : NULL};
  if (!out->pair || (list->image && !out->image) || (list->pair_caches && !out->pair_cache))
    return fail_to_carry(collide, error);
  sc_pool_ranges(collide->pool, pairs, CHUNK, rename_pairs, &(packing){list, new_row, out});
  return SCREE_OK;
}

/* ---- contacts are moved to the new pairs ---- */

typedef struct unpacking {
  sc_collide *collide;
  const sc_contact_transfer *from;
  sc_contact_cache old; /* copy of the contact cache, with rows of old pairs */
  int32_t *first;       /* [new pairs] row in `old` of the first contact, or NOTHING */
  int32_t *before;      /* [chunks + 1] number of contacts of all new pairs before a chunk */
} unpacking;

/* Returns the row after the last contact of the pair that contact `first` belongs to. */
static int32_t end_of_pair(const sc_contact_cache *cache, int32_t first) {
  int32_t end = first + 1;
  while (end < cache->count && cache->row[end].pair == cache->row[first].pair) end++;
  return end;
}

/* Returns the row of old pair p in the new list, or NOTHING. *at: in: row where the search starts; out: first
 * row whose key is not less than the key of the pair. */
static int32_t find_new_row(const unpacking *u, int32_t p, int32_t *at) {
  const sc_list *list = &u->collide->list;
  const sc_pair pair = u->from->pair[p];
  const uint64_t key = sc_names_key(list, pair);
  *at = sc_names_place(list, key, *at);
  for (int32_t q = *at; q < list->pairs && sc_names_key(list, list->pair[q]) == key; q++)
    if (list->pair[q].one == pair.one && (!list->image || sc_image_same(u->from->image[p], list->image[q])))
      return q;
  return NOTHING;
}

/* Finds the new rows of a range of old pairs that still exist and have contacts or a pair cache entry. */
static void find_new_rows(void *context, int64_t first, int64_t end) {
  const unpacking *u = context;
  const sc_contact_transfer *from = u->from;
  int32_t at = (int32_t)first, contact = sc_contact_cache_find(&u->old, (int32_t)first);
  for (int32_t p = (int32_t)first; p < end; p++) {
    const bool touches = contact < u->old.count && u->old.row[contact].pair == p,
               known = from->pair_cache && sc_pair_cache_is_carried(from->pair_cache + p);
    const int32_t begin = contact;
    if (touches) contact = end_of_pair(&u->old, begin);
    if (!(touches || known) || from->pair[p].one < 0 || from->pair[p].two < 0) continue;
    const int32_t q = find_new_row(u, p, &at);
    if (q == NOTHING) continue;
    if (touches) u->first[q] = begin;
    if (known) u->collide->list.pair_cache[q] = from->pair_cache[p];
  }
}

static void count_contacts(void *context, int64_t first, int64_t end) {
  const unpacking *u = context;
  int32_t count = 0;
  for (int64_t q = first; q < end; q++)
    if (u->first[q] != NOTHING) count += end_of_pair(&u->old, u->first[q]) - u->first[q];
  u->before[first / CHUNK + 1] = count;
}

static void move_contacts(void *context, int64_t first, int64_t end) {
  const unpacking *u = context;
  int32_t to = u->before[first / CHUNK];
  for (int64_t q = first; q < end; q++)
    for (int32_t c = u->first[q], last = c == NOTHING ? c : end_of_pair(&u->old, c); c < last; c++)
      sc_contact_cache_move_row(&u->old, c, &u->collide->now, to++, (int32_t)q);
}

scree_status sc_contacts_unpack(
    sc_collide *collide, const sc_contact_transfer *transfer, scree_error *error) {
  sc_list *list = &collide->list;
  const int32_t pairs = list->pairs, chunks = (pairs + CHUNK - 1) / CHUNK;
  unpacking u = {.collide = collide,
      .from = transfer,
      .first = SC_TAKE(collide->scratch, int32_t, pairs),
      .before = SC_TAKE(collide->scratch, int32_t, chunks + 1)};
  if (!u.first || !u.before ||
      !sc_contact_cache_copy(&collide->now, collide->pool, collide->scratch, &u.old) ||
      !sc_pair_caches_clear(collide, transfer->pair_cache))
    return fail_to_carry(collide, error);
  memset(u.first, NOTHING, (size_t)pairs * sizeof *u.first);
  u.before[0] = 0;
  sc_pool_ranges(collide->pool, transfer->pairs, CHUNK, find_new_rows, &u);
  sc_pool_ranges(collide->pool, pairs, CHUNK, count_contacts, &u);
  for (int32_t k = 0; k < chunks; k++) u.before[k + 1] += u.before[k];
  sc_pool_ranges(collide->pool, pairs, CHUNK, move_contacts, &u);
  collide->now.count = u.before[chunks];
  return SCREE_OK;
}

/* ---- removal of shapes from the list ---- */

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
    if (collide->list.pair_caches) collide->list.pair_cache[kept] = collide->list.pair_cache[p];
    if (collide->list.image) collide->list.image[kept] = collide->list.image[p];
    collide->list.pair[kept++] = (sc_pair){one, two};
  }
  collide->list.pairs = kept, collide->list.excluded_version = 0;
  if (collide->list.pair_caches) collide->list.pair_caches = kept;
  sc_contact_cache *now = &collide->now;
  int32_t left = 0;
  for (int32_t c = 0; c < now->count; c++)
    if (moved[now->row[c].pair] >= 0) sc_contact_cache_move_row(now, c, now, left++, moved[now->row[c].pair]);
  now->count = left;
  sc_names_number(&collide->list, collide->list.known);
  return sc_collide_end(collide, mark, SCREE_OK);
}
