/* The order of the list: by the lower rank of the two shapes, then by the higher.
 *
 * A row's rank is the row that its shape had when rows were last put in order; it follows the shape when
 * removals move rows about. Sorted by ranks, the list is the same whenever it was built between two
 * orderings, and so is the order of contacts. As long as nothing was removed and all shapes are of like
 * size the search finds pairs in that order already. Otherwise they are sorted by counting, first by the
 * higher rank, then by the lower. */
#include <string.h>
#include "collide/list/list.h"

void sc_collide_rank_rows(sc_collide *collide, int32_t rows) {
  for (int32_t row = 0; row < rows && collide->rank; row++) collide->rank[row] = row;
  collide->age = 0;
}

static int32_t rank_of(const sc_collide *collide, sc_pair pair, bool higher) {
  int32_t a = sc_names_rank(collide, pair.one), b = sc_names_rank(collide, pair.two);
  return (a > b) == higher ? a : b;
}

static bool in_order(const sc_collide *collide) {
  int32_t low = -1, high = -1;
  for (int32_t p = 0; p < collide->pairs; p++) {
    int32_t l = rank_of(collide, collide->pair[p], false), h = rank_of(collide, collide->pair[p], true);
    if (l < low || (l == low && h < high)) return false;
    low = l, high = h;
  }
  return true;
}

/* Counting sort by one of the ranks, stable. start has ranks + 1 entries. */
static void sort_by(
    const sc_collide *collide, const sc_pair *from, sc_pair *to, bool higher, int32_t *start, int32_t ranks) {
  memset(start, 0, ((size_t)ranks + 1) * sizeof *start);
  for (int32_t p = 0; p < collide->pairs; p++) start[rank_of(collide, from[p], higher) + 1]++;
  for (int32_t r = 0; r < ranks; r++) start[r + 1] += start[r];
  for (int32_t p = 0; p < collide->pairs; p++) to[start[rank_of(collide, from[p], higher)]++] = from[p];
}

bool sc_collide_sort_pairs(sc_collide *collide, int32_t shapes) {
  if (in_order(collide)) return true;
  int32_t ranks = 0;
  for (int32_t row = 0; row < shapes; row++)
    if (sc_names_rank(collide, row) >= ranks) ranks = sc_names_rank(collide, row) + 1;
  int32_t *start = SC_TAKE(collide->scratch, int32_t, (size_t)ranks + 1);
  sc_pair *sorted = SC_TAKE(collide->scratch, sc_pair, collide->pairs);
  if (!start || !sorted) return false;
  sort_by(collide, collide->pair, sorted, true, start, ranks);
  sort_by(collide, sorted, collide->pair, false, start, ranks);
  return true;
}
