/* Orders the rows of bodies along a Morton curve, so that neighbours in space are neighbours in memory.
 * In a periodic cell positions are wrapped into the cell first.
 *
 * Positions are quantised to 2^21 steps along the longest axis of the bounding box of all sorted bodies.
 * The bits of the three steps are interleaved to keys. A stable radix sort sorts the keys. Immovable
 * bodies and bodies larger than eight times the mean radius come last, in their old order. */
#include <string.h>
#include "collide/state.h"
#include "math/vec.h"

typedef struct keyed {
  uint64_t key;
  int32_t row;
} keyed;

/* Spreads the low 21 bits so that two zero bits follow each of them. */
static uint64_t spread_bits21(uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x001f00000000ffffull;
  x = (x | x << 16) & 0x001f0000ff0000ffull;
  x = (x | x << 8) & 0x100f00f00f00f00full;
  x = (x | x << 4) & 0x10c30c30c30c30c3ull;
  return (x | x << 2) & 0x1249249249249249ull;
}

/* Computes the position of a body, wrapped into the cell if there is one. */
static void wrapped_position(const sc_bodies *bodies, int32_t row, double x[3]) {
  sc_copy3(bodies->position[row], x);
  if (bodies->cell) sc_cell_wrap(bodies->cell, bodies->position[row], x);
}

static bool is_sortable(const sc_bodies *bodies, int32_t row, double max) {
  const double *x = bodies->position[row];
  return bodies->inv_mass[row] > 0 && bodies->radius[row] <= max && isfinite(x[0] + x[1] + x[2]);
}

/* Returns the largest radius of a body that is sorted [m]. */
static double largest_radius(const sc_bodies *bodies) {
  double sum = 0;
  int64_t count = 0;
  for (int32_t row = 0; row < bodies->count; row++)
    if (is_sortable(bodies, row, 1e300)) sum += bodies->radius[row], count++;
  return count ? 8 * sum / (double)count : 0;
}

static void bounding_box(const sc_bodies *bodies, double max, double low[3], double high[3]) {
  sc_set3(INFINITY, INFINITY, INFINITY, low);
  sc_set3(-INFINITY, -INFINITY, -INFINITY, high);
  for (int32_t row = 0; row < bodies->count; row++) {
    double x[3];
    if (!is_sortable(bodies, row, max)) continue;
    wrapped_position(bodies, row, x);
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], x[k]);
      high[k] = fmax(high[k], x[k]);
    }
  }
}

/* Sorts by eight bits of the key at a time. Skips passes in which all keys have the same bits. Returns the
 * sorted array, `from` or `to`. */
static keyed *radix_sort(keyed *from, keyed *to, int32_t count) {
  for (int shift = 0; shift < 64; shift += 8) {
    int32_t start[257] = {0};
    for (int32_t i = 0; i < count; i++) start[1 + (from[i].key >> shift & 255)]++;
    if (count && start[1 + (from[0].key >> shift & 255)] == count) continue;
    for (int c = 0; c < 256; c++) start[c + 1] += start[c];
    for (int32_t i = 0; i < count; i++) to[start[from[i].key >> shift & 255]++] = from[i];
    keyed *swap = from;
    from = to, to = swap;
  }
  return from;
}

static scree_status sort_rows(
    sc_collide *collide, const sc_bodies *bodies, int32_t *order, scree_error *error) {
  keyed *from = SC_TAKE(collide->scratch, keyed, bodies->count + 1),
        *to = SC_TAKE(collide->scratch, keyed, bodies->count + 1);
  if (!from || !to) return sc_fail(error, SCREE_E_MEMORY, "no memory to sort %d bodies", (int)bodies->count);
  double low[3], high[3], width = 0, max = largest_radius(bodies);
  bounding_box(bodies, max, low, high);
  for (int k = 0; k < 3; k++) width = fmax(width, high[k] - low[k]);
  double scale = width > 0 ? 2097151 / width : 0;
  int32_t sorted = 0, at = 0;
  for (int32_t row = 0; row < bodies->count; row++) {
    if (!is_sortable(bodies, row, max)) continue;
    uint64_t key = 0;
    double x[3];
    wrapped_position(bodies, row, x);
    for (int k = 0; k < 3; k++) key |= spread_bits21((uint64_t)((x[k] - low[k]) * scale)) << k;
    from[sorted++] = (keyed){key, row};
  }
  from = radix_sort(from, to, sorted);
  for (; at < sorted; at++) order[at] = from[at].row;
  for (int32_t row = 0; row < bodies->count; row++)
    if (!is_sortable(bodies, row, max)) order[at++] = row;
  return SCREE_OK;
}

scree_status sc_collide_order(
    sc_collide *collide, const sc_bodies *bodies, int32_t *order, scree_error *error) {
  SC_ASSERT(collide && bodies && order);
  sc_arena_mark mark = sc_collide_begin(collide);
  return sc_collide_end(collide, mark, sort_rows(collide, bodies, order, error));
}
