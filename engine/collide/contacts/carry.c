/* The memory of contacts, carried past removals and from one list to the next.
 *
 * Contacts lie in the order of their pairs. While the list lives, a pair's contacts are found again by
 * walking along; only when the list changes must they be renamed: the old contacts are sorted by
 * counting into buckets of the lower row (in new rows), and every new pair looks through its bucket. A
 * pair that turned round (a body became movable) starts afresh. */
#include <string.h>
#include "collide/contacts/hints.h"

/* What is kept of one old pair: its shapes in new rows, the rows of its first contact and
 * behind the last; the image of the second that is meant, 0 without a cell; and what else is known of it. */
typedef struct sc_run {
  int32_t one, two, first, end;
  sc_image image;
  sc_hint hint;
} sc_run;

/* Row behind the last contact of the pair that contact `first` is of. */
static int32_t end_of_run(const sc_memory *memory, int32_t first) {
  int32_t end = first + 1;
  while (end < memory->count && memory->row[end].pair == memory->row[first].pair) end++;
  return end;
}

static int32_t lower(int32_t one, int32_t two) { return one < two ? one : two; }

/* The next old pair and its first contact, if that is its. */
typedef struct cursor {
  int32_t pair, contact;
} cursor;

/* Goes on to the next pair that has contacts or of which something is known; false at the end. */
static bool next_run(const sc_collide *collide, const int32_t *new_row, cursor *at, sc_run *out) {
  const sc_list *list = &collide->list;
  const sc_memory *now = &collide->now;
  for (;; at->pair++) {
    const bool over = at->contact == now->count;
    if (!list->hints && !over) at->pair = now->row[at->contact].pair;
    if (list->hints ? at->pair == list->pairs : over) return false;
    const sc_pair pair = list->pair[at->pair];
    const bool touches = !over && now->row[at->contact].pair == at->pair;
    *out = (sc_run){new_row[pair.one], new_row[pair.two], at->contact, at->contact};
    if (touches) out->end = at->contact = end_of_run(now, at->contact);
    if (list->hints) out->hint = list->hint[at->pair];
    if (list->image) out->image = list->image[at->pair];
    if ((touches || sc_hint_is_carried(&out->hint)) && out->one >= 0 && out->two >= 0) break;
  }
  at->pair++;
  return true;
}

/* Sorts the remembered pairs that still exist by their lower row; bucket r is sorted[start[r] .. start[r
 * + 1]). */
scree_status sc_contacts_pack(
    sc_collide *collide, const int32_t *new_row, int32_t rows, sc_contact_transfer *out, scree_error *error) {
  int32_t runs = 0, *start = out->start = SC_TAKE(collide->scratch, int32_t, (size_t)rows + 2);
  sc_run r;
  const int contacts = collide->now.count;
  if (!start) return sc_fail(error, SCREE_E_MEMORY, "no memory to carry %d contacts over", contacts);
  memset(start, 0, ((size_t)rows + 2) * sizeof *start);
  for (cursor at = {0, 0}; next_run(collide, new_row, &at, &r); runs++) start[2 + lower(r.one, r.two)]++;
  out->sorted = SC_TAKE(collide->scratch, sc_run, runs);
  if (!out->sorted) return sc_fail(error, SCREE_E_MEMORY, "no memory to carry %d contacts over", contacts);
  for (int32_t row = 0; row < rows; row++) start[row + 2] += start[row + 1];
  for (cursor at = {0, 0}; next_run(collide, new_row, &at, &r);)
    out->sorted[start[lower(r.one, r.two) + 1]++] = r;
  return SCREE_OK;
}

/* What is remembered of a pair of the new list; NULL: nothing. */
static const sc_run *run_of(const sc_collide *collide, const sc_contact_transfer *transfer, int32_t p) {
  const sc_pair pair = collide->list.pair[p];
  const int32_t low = lower(pair.one, pair.two);
  for (int32_t k = transfer->start[low]; k < transfer->start[low + 1]; k++) {
    const sc_run *r = transfer->sorted + k;
    if (r->one == pair.one && r->two == pair.two &&
        (!collide->list.image || sc_image_same(r->image, collide->list.image[p])))
      return r;
  }
  return NULL;
}

scree_status sc_contacts_unpack(
    sc_collide *collide, const sc_contact_transfer *transfer, scree_error *error) {
  sc_memory old, *now = &collide->now;
  sc_list *list = &collide->list;
  const bool known = list->hints > 0;
  if (!sc_memory_copy(now, collide->pool, collide->scratch, &old) || !sc_hints_begin(collide, known))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to carry %d contacts over", (int)now->count);
  now->count = 0;
  for (int32_t p = 0; p < list->pairs; p++) {
    const sc_run *r = run_of(collide, transfer, p);
    if (r && known && sc_hint_is_carried(&r->hint)) list->hint[p] = r->hint;
    for (int32_t c = r ? r->first : 0; r && c < r->end; c++) sc_memory_move(&old, c, now, now->count++, p);
  }
  return SCREE_OK;
}

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
