/* The memory of contacts, carried past removals and from one list to the next.
 *
 * Contacts lie in the order of their pairs. While the list lives, a pair's contacts are found again by
 * walking along; only when the list changes must they be renamed: the old contacts are sorted by
 * counting into buckets of the lower row (in new rows), and every new pair looks through its bucket. A
 * pair that turned round (a body became movable) starts afresh. */
#include <string.h>
#include "collide/state.h"

/* The contacts of one old pair: its shapes in new rows, the row of the first contact; the image of the second
 * that is meant, 0 without a cell. */
typedef struct sc_run {
  int32_t one, two, first;
  sc_image image;
} sc_run;

/* Row behind the last contact of the pair that contact `first` is of. */
static int32_t end_of_run(const sc_memory *memory, int32_t first) {
  int32_t end = first + 1;
  while (end < memory->count && memory->row[end].pair == memory->row[first].pair) end++;
  return end;
}

static int32_t lower(int32_t one, int32_t two) { return one < two ? one : two; }

/* The run that starts with a contact; false where one of its shapes is gone. */
static bool make_run(const sc_collide *collide, const int32_t *new_row, int32_t first, sc_run *out) {
  sc_pair pair = collide->list.pair[collide->now.row[first].pair];
  *out = (sc_run){new_row[pair.one], new_row[pair.two], first, {{0, 0, 0}}};
  if (collide->list.image) out->image = collide->list.image[collide->now.row[first].pair];
  return out->one >= 0 && out->two >= 0;
}

/* Sorts the remembered pairs that still exist by their lower row; bucket r is sorted[start[r] .. start[r
 * + 1]). */
scree_status sc_contacts_pack(
    sc_collide *collide, const int32_t *new_row, int32_t rows, sc_contact_transfer *out, scree_error *error) {
  const sc_memory *now = &collide->now;
  int32_t runs = 0, *start = out->start = SC_TAKE(collide->scratch, int32_t, (size_t)rows + 2);
  sc_run r;
  if (!start) return sc_fail(error, SCREE_E_MEMORY, "no memory to carry %d contacts over", (int)now->count);
  memset(start, 0, ((size_t)rows + 2) * sizeof *start);
  for (int32_t c = 0; c < now->count; c = end_of_run(now, c))
    if (make_run(collide, new_row, c, &r)) start[2 + lower(r.one, r.two)]++, runs++;
  out->sorted = SC_TAKE(collide->scratch, sc_run, runs);
  if (!out->sorted)
    return sc_fail(error, SCREE_E_MEMORY, "no memory to carry %d contacts over", (int)now->count);
  for (int32_t row = 0; row < rows; row++) start[row + 2] += start[row + 1];
  for (int32_t c = 0; c < now->count; c = end_of_run(now, c))
    if (make_run(collide, new_row, c, &r)) out->sorted[start[lower(r.one, r.two) + 1]++] = r;
  return SCREE_OK;
}

scree_status sc_contacts_unpack(
    sc_collide *collide, const sc_contact_transfer *transfer, scree_error *error) {
  sc_memory old, *now = &collide->now;
  if (!sc_memory_copy(now, collide->pool, collide->scratch, &old))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to carry %d contacts over", (int)now->count);
  now->count = 0;
  for (int32_t p = 0; p < collide->list.pairs; p++) {
    sc_pair pair = collide->list.pair[p];
    int32_t low = lower(pair.one, pair.two);
    for (int32_t k = transfer->start[low]; k < transfer->start[low + 1]; k++) {
      const sc_run *r = transfer->sorted + k;
      if (r->one != pair.one || r->two != pair.two) continue;
      if (collide->list.image && !sc_image_same(r->image, collide->list.image[p])) continue;
      int32_t end = end_of_run(&old, r->first);
      for (int32_t c = r->first; c < end; c++) sc_memory_move(&old, c, now, now->count++, p);
      break;
    }
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
