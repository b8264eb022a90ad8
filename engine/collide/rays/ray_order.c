/* The order in which many rays are cast. Rays through the same region are adjacent, so that the shapes they
 * test are still in the processor's cache. Results do not depend on the order. */
#include <math.h>
#include <string.h>
#include "collide/collide.h"
#include "collide/rays/rays.h"
#include "math/vec.h"

enum { BITS = 5, CELLS = 1 << 3 * BITS }; /* bits of a cell per axis; number of cells */

/* Returns the bits of x, moved to every third position. */
static uint32_t spread_bits5(uint32_t x) {
  uint32_t out = 0;
  for (int k = 0; k < BITS; k++) out |= (x >> k & 1) << 3 * k;
  return out;
}

/* Returns the Morton code (Morton 1966) of the cell of a point a little beyond the ray's entry into the
 * box. */
static uint32_t cell_of(const sc_ray_node *box, const sc_ray *ray) {
  double inverse[3], size = 0;
  uint32_t cell = 0;
  for (int k = 0; k < 3; k++) {
    inverse[k] = 1 / ray->d[k];
    size = fmax(size, box->max[k] - box->min[k]);
  }
  double enter = sc_ray_enter(ray->from, inverse, box->min, box->max, ray->reach);
  if (!(enter < INFINITY)) return 0;
  for (int k = 0; k < 3; k++) {
    double x = ray->from[k] + (enter + size / 8) * ray->d[k] - box->min[k];
    double place = floor((1 << BITS) * x / (box->max[k] - box->min[k]));
    uint32_t bin = place > 0 ? place < (1 << BITS) ? (uint32_t)place : (1 << BITS) - 1 : 0;
    cell |= spread_bits5(bin) << k;
  }
  return cell;
}

bool sc_ray_order(
    const sc_ray_field *field, const sc_ray *ray, int64_t count, sc_arena *arena, int64_t *order) {
  sc_arena_mark mark = sc_arena_here(arena);
  uint16_t *cell = SC_TAKE(arena, uint16_t, count + 1);
  int64_t *first = SC_TAKE(arena, int64_t, CELLS + 1);
  if (!cell || !first) return false;
  memset(first, 0, (CELLS + 1) * sizeof *first);
  for (int64_t i = 0; i < count; i++) first[1 + (cell[i] = (uint16_t)cell_of(field->node, ray + i))]++;
  for (int64_t c = 0; c < CELLS; c++) first[c + 1] += first[c];
  for (int64_t i = 0; i < count; i++) order[first[cell[i]]++] = i;
  sc_arena_back(arena, mark);
  return true;
}
