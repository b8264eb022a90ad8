/* Row numbers of shapes that stay valid when shapes are removed (alias, origin, rank), and the order of the
 * list by rank.
 *
 * A removal moves the shape in the last row into the free row, but the pairs of the list still have the rows
 * of its build. alias maps these rows to present rows, and origin maps back. The rank of a shape is the row
 * that it had when rows were last put in order; it moves with the shape. Worlds that never remove a body do
 * not need these maps, so the maps are allocated at the first removal.
 *
 * The list is sorted by the lower rank of the two shapes, then by the higher rank. The order of pairs and
 * contacts therefore does not depend on when the list was built between two orderings of rows. If nothing was
 * removed and all shapes have similar sizes, the search finds pairs in this order. Otherwise the pairs are
 * sorted by two counting sorts, first by the higher rank, then by the lower. */
#include <string.h>
#include "collide/list.h"

static bool reserve_names(sc_list *list, size_t rows) {
  size_t alias = list->names_capacity, origin = alias, rank = alias;
  if (!SC_GROW_LEAN(list->alias, alias, rows) || !SC_GROW_LEAN(list->origin, origin, rows) ||
      !SC_GROW_LEAN(list->rank, rank, rows))
    return false;
  list->names_capacity = rank;
  return true;
}

bool sc_names_reserve(sc_list *list, size_t rows) {
  return !list->names_capacity || reserve_names(list, rows);
}

bool sc_names_keep(sc_list *list, size_t rows) {
  bool had = list->names_capacity > 0;
  if (!reserve_names(list, rows ? rows : 1)) return false;
  for (size_t row = 0; row < rows && !had; row++)
    list->alias[row] = list->origin[row] = list->rank[row] = (int32_t)row;
  return true;
}

void sc_names_number(sc_list *list, int32_t rows) {
  SC_ASSERT(rows >= 0 && (!list->names_capacity || (size_t)rows <= list->names_capacity));
  for (int32_t row = 0; row < rows && list->names_capacity; row++) list->alias[row] = list->origin[row] = row;
  list->known = list->listed = rows;
  list->removals = false;
}

void sc_names_move(sc_list *list, int32_t row, int32_t last) {
  SC_ASSERT(list->names_capacity && row >= 0 && row < list->known && row <= last);
  if (list->origin[row] >= 0) list->alias[list->origin[row]] = -1;
  if (last >= list->known) {
    list->origin[row] = -1; /* the shape is not in the list */
  } else if (row != last) {
    list->origin[row] = list->origin[last];
    if (list->origin[row] >= 0) list->alias[list->origin[row]] = row;
    list->rank[row] = list->rank[last];
  }
}

void sc_names_rank_rows(sc_list *list, int32_t rows) {
  for (int32_t row = 0; row < rows && list->rank; row++) list->rank[row] = row;
  list->age = 0;
}

static int32_t rank_of(const sc_list *list, sc_pair pair, bool higher) {
  int32_t a = sc_names_rank(list, pair.one), b = sc_names_rank(list, pair.two);
  return (a > b) == higher ? a : b;
}

static bool is_sorted(const sc_list *list) {
  int32_t low = -1, high = -1;
  for (int32_t p = 0; p < list->pairs; p++) {
    int32_t l = rank_of(list, list->pair[p], false), h = rank_of(list, list->pair[p], true);
    if (l < low || (l == low && h < high)) return false;
    low = l, high = h;
  }
  return true;
}

/* An array of pairs with their images, as input or output of a sort. */
typedef struct rows {
  sc_pair *pair;
  sc_image *image;
} rows;

/* Sorts pairs by their lower or higher rank with a stable counting sort. higher: true: by the higher rank.
 * start: [ranks + 1] scratch. */
static void sort_by(const sc_list *list, rows from, rows to, bool higher, int32_t *start, int32_t ranks) {
  memset(start, 0, ((size_t)ranks + 1) * sizeof *start);
  for (int32_t p = 0; p < list->pairs; p++) start[rank_of(list, from.pair[p], higher) + 1]++;
  for (int32_t r = 0; r < ranks; r++) start[r + 1] += start[r];
  for (int32_t p = 0; p < list->pairs; p++) {
    int32_t at = start[rank_of(list, from.pair[p], higher)]++;
    to.pair[at] = from.pair[p];
    if (from.image) to.image[at] = from.image[p];
  }
}

bool sc_names_sort(sc_list *list, int32_t shapes, sc_arena *scratch) {
  if (is_sorted(list)) return true;
  int32_t ranks = 0;
  for (int32_t row = 0; row < shapes; row++)
    if (sc_names_rank(list, row) >= ranks) ranks = sc_names_rank(list, row) + 1;
  int32_t *start = SC_TAKE(scratch, int32_t, (size_t)ranks + 1);
  rows own = {list->pair, list->image},
       sorted = {SC_TAKE(scratch, sc_pair, list->pairs),
           list->image ? SC_TAKE(scratch, sc_image, list->pairs) : NULL};
  if (!start || !sorted.pair || (list->image && !sorted.image)) return false;
  sort_by(list, own, sorted, true, start, ranks);
  sort_by(list, sorted, own, false, start, ranks);
  return true;
}

uint64_t sc_names_key(const sc_list *list, sc_pair pair) {
  return (uint64_t)rank_of(list, pair, false) << 32 | (uint32_t)rank_of(list, pair, true);
}

int32_t sc_names_place(const sc_list *list, uint64_t key, int32_t at) {
  int32_t low = 0, high = list->pairs;
  if (at < high && sc_names_key(list, list->pair[at]) < key) {
    low = at + 1;
    for (int32_t step = 1; step < high - low; step *= 2) { // the key of low - 1 is less than `key`
      if (sc_names_key(list, list->pair[low + step - 1]) >= key) high = low + step - 1;
      else low += step;
    }
  } else if (at < high) {
    high = at;
  }
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (sc_names_key(list, list->pair[middle]) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
