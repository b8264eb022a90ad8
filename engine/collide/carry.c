/* The memory of contacts, carried past removals and from one list to the next.
 *
 * Contacts lie in the order of their pairs. While the list lives, a pair's contacts are found again by walking along; only
 * when the list changes must they be renamed: the old contacts are sorted by counting into buckets of the lower row (in new
 * rows), and every new pair looks through its bucket. A pair that turned round (a body became movable) starts afresh. */
#include <string.h>
#include "collide/list.h"

/* The contacts of one old pair: rows of contacts [first, end), shapes in new rows. */
typedef struct run { int32_t one, two, first, end; } run;

bool sc_memory_reserve(sc_memory *memory, size_t count, int32_t stride) {
  return SC_GROW(memory->contact, memory->capacity, count) &&
         (stride == 0 || SC_GROW(memory->state, memory->state_capacity, count * (size_t)stride));
}

static void copy_contact(const sc_memory *from, int32_t row, sc_memory *to, int32_t at, int32_t stride, int32_t pair) {
  to->contact[at] = from->contact[row];
  to->contact[at].pair = pair;
  if (stride)
    memmove(to->state + (size_t)at * (size_t)stride, from->state + (size_t)row * (size_t)stride, (size_t)stride * sizeof(double));
}

static int32_t lower(const run *r) { return r->one < r->two ? r->one : r->two; }

/* Sorts the remembered pairs that still exist by their lower row; bucket r is sorted[start[r] .. start[r + 1]). */
static bool sort_runs(sc_collide *collide, const sc_pair *old_pair, const int32_t *new_row, int32_t rows, int32_t **start,
    run **sorted) {
  const sc_memory *now = &collide->now;
  run *runs = SC_TAKE(&collide->scratch, run, now->count + 1);
  *sorted = SC_TAKE(&collide->scratch, run, now->count + 1);
  *start = SC_TAKE(&collide->scratch, int32_t, (size_t)rows + 2);
  if (!runs || !*sorted || !*start) return false;
  memset(*start, 0, ((size_t)rows + 2) * sizeof **start);
  int32_t count = 0;
  for (int32_t c = 0, end; c < now->count; c = end) {
    int32_t pair = now->contact[c].pair;
    for (end = c; end < now->count && now->contact[end].pair == pair;) end++;
    run r = {new_row[old_pair[pair].one], new_row[old_pair[pair].two], c, end};
    if (r.one < 0 || r.two < 0) continue;
    (*start)[2 + lower(&r)]++;
    runs[count++] = r;
  }
  for (int32_t r = 0; r < rows; r++) (*start)[r + 2] += (*start)[r + 1];
  for (int32_t k = 0; k < count; k++) (*sorted)[(*start)[lower(runs + k) + 1]++] = runs[k];
  return true;
}

scree_status sc_collide_carry(sc_collide *collide, const sc_pair *old_pair, const int32_t *new_row, int32_t rows,
    scree_error *error) {
  int32_t *start, stride = collide->state_stride;
  run *sorted;
  if (!sort_runs(collide, old_pair, new_row, rows, &start, &sorted) ||
      !sc_memory_reserve(&collide->next, (size_t)collide->now.count, stride))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to carry %d contacts over", (int)collide->now.count);
  sc_memory *next = &collide->next;
  next->count = 0;
  for (int32_t p = 0; p < collide->pairs; p++) {
    sc_pair pair = collide->pair[p];
    int32_t low = pair.one < pair.two ? pair.one : pair.two;
    for (int32_t k = start[low]; k < start[low + 1]; k++) {
      if (sorted[k].one != pair.one || sorted[k].two != pair.two) continue;
      for (int32_t c = sorted[k].first; c < sorted[k].end; c++) copy_contact(&collide->now, c, next, next->count++, stride, p);
      break;
    }
  }
  sc_memory swap = collide->now;
  collide->now = *next, *next = swap;
  return SCREE_OK;
}

scree_status sc_collide_settle(sc_collide *collide, scree_error *error) {
  if (!collide->removals) return SCREE_OK;
  int32_t *moved = SC_TAKE(&collide->scratch, int32_t, collide->pairs + 1), kept = 0;
  if (!moved) return sc_fail(error, SCREE_E_MEMORY, "no memory to take removed shapes off the list");
  for (int32_t p = 0; p < collide->pairs; p++) {
    int32_t one = collide->alias[collide->pair[p].one], two = collide->alias[collide->pair[p].two];
    moved[p] = one < 0 || two < 0 ? -1 : kept;
    if (moved[p] >= 0) collide->pair[kept++] = (sc_pair){one, two};
  }
  collide->pairs = kept;
  sc_memory *now = &collide->now;
  int32_t left = 0;
  for (int32_t c = 0; c < now->count; c++)
    if (moved[now->contact[c].pair] >= 0) copy_contact(now, c, now, left++, collide->state_stride, moved[now->contact[c].pair]);
  now->count = left;
  sc_collide_number(collide, collide->known);
  return SCREE_OK;
}

void sc_collide_number(sc_collide *collide, int32_t rows) {
  for (int32_t row = 0; row < rows; row++) collide->alias[row] = collide->origin[row] = row;
  collide->known = collide->listed = rows;
  collide->removals = false;
}
