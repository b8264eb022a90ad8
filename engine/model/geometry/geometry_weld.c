/* Welding: merges points if none of their coordinates differs by more than a tolerance.
 *
 * Points are visited in their order. A point is merged into the nearest kept point within the tolerance; of
 * equally near points, into the first. A point is kept if there is no kept point within the tolerance. A hash
 * table of grid cells finds nearby kept points. The result does not depend on the order of points in the
 * table. */
#include <string.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

/* Width of a cell divided by the tolerance. With wide cells, most searches read only one cell. */
#define CELL_WIDTH 8.0

typedef struct grid {
  double width; /* width of a cell [m]; 0: only points with equal coordinates share a cell */
  uint32_t mask;
  int32_t *first; /* [slots] newest kept point in the slot; -1: none */
  int32_t *next;  /* [kept points] previous kept point in the same slot; -1: none */
} grid;

static double find_cell(const grid *g, double x) { return (g->width > 0 ? floor(x / g->width) : x) + 0.0; }

static uint32_t find_slot(const grid *g, const double cell[3]) {
  uint64_t hash = 0;
  for (int k = 0; k < 3; k++) {
    uint64_t bits;
    memcpy(&bits, cell + k, sizeof bits);
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return (uint32_t)(hash >> 16) & g->mask;
}

static bool make_grid(grid *g, size_t points, double tolerance) {
  uint32_t slots = 16;
  while (slots < points) slots *= 2;
  g->width = CELL_WIDTH * tolerance, g->mask = slots - 1;
  g->first = sc_alloc(slots * sizeof *g->first), g->next = sc_alloc((points + 1) * sizeof *g->next);
  if (!g->first || !g->next) return false;
  memset(g->first, 0xff, slots * sizeof *g->first);
  return true;
}

/* Returns the index of the nearest kept point within the tolerance; -1: there is none. */
static int32_t find_kept(const grid *g, const double (*kept)[3], const double x[3], double tolerance) {
  double from[3], to[3], cell[3], best = tolerance;
  int32_t found = -1;
  for (int k = 0; k < 3; k++)
    from[k] = find_cell(g, x[k] - tolerance), to[k] = find_cell(g, x[k] + tolerance);
  for (int corner = 0; corner < 8; corner++) {
    bool seen = false;
    for (int k = 0; k < 3; k++) {
      cell[k] = corner >> k & 1 ? to[k] : from[k];
      seen = seen || ((corner >> k & 1) && from[k] == to[k]);
    }
    if (seen) continue;
    for (int32_t p = g->first[find_slot(g, cell)]; p >= 0; p = g->next[p]) {
      double distance = 0;
      for (int k = 0; k < 3; k++) distance = fmax(distance, fabs(kept[p][k] - x[k]));
      if (distance < best || (distance == best && (found < 0 || p < found))) best = distance, found = p;
    }
  }
  return found;
}

bool sc_weld_points(double (*point)[3], int32_t *points, int32_t (*triangle)[3], size_t triangles,
    double tolerance, int32_t *welded) {
  SC_ASSERT(points && *points >= 0 && tolerance >= 0);
  const int32_t count = *points;
  int32_t *name = sc_alloc(((size_t)count + 1) * sizeof *name), kept = 0, moved = 0;
  grid g = {0};
  bool made = make_grid(&g, (size_t)count, tolerance) && name;
  for (int32_t p = 0; made && p < count; p++) {
    const int32_t near = find_kept(&g, (const double(*)[3])point, point[p], tolerance);
    if (near >= 0) {
      name[p] = near;
      for (int k = 0, apart = 0; k < 3 && !apart; k++) apart = point[p][k] != point[near][k], moved += apart;
      continue;
    }
    const double cell[3] = {
        find_cell(&g, point[p][0]), find_cell(&g, point[p][1]), find_cell(&g, point[p][2])};
    const uint32_t slot = find_slot(&g, cell);
    sc_copy3(point[p], point[kept]);
    g.next[kept] = g.first[slot], g.first[slot] = kept;
    name[p] = kept++;
  }
  for (size_t t = 0; made && t < triangles; t++)
    for (int c = 0; c < 3; c++) triangle[t][c] = name[triangle[t][c]];
  if (made) *points = kept, *welded = moved;
  sc_free(name);
  sc_free(g.first);
  sc_free(g.next);
  return made;
}
