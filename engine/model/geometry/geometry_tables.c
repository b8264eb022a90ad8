/* What the search for distances asks of a hull's corners and faces. */
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

/* Neighbours along edges: every edge is walked once in each direction by the two polygons beside it. */
static bool fill_neighbours(scree_geometry *g) {
  int32_t corners = g->first[g->faces];
  g->near_first = sc_alloc(((size_t)g->points + 2) * sizeof *g->near_first);
  g->near = sc_alloc((size_t)corners * sizeof *g->near);
  if (!g->near_first || !g->near) return false;
  for (int32_t k = 0; k < corners; k++) g->near_first[g->corner[k] + 2]++;
  for (int32_t p = 0; p < g->points; p++) g->near_first[p + 2] += g->near_first[p + 1];
  for (int32_t f = 0; f < g->faces; f++)
    for (int32_t k = g->first[f]; k < g->first[f + 1]; k++)
      g->near[g->near_first[g->corner[k] + 1]++] = g->corner[k + 1 < g->first[f + 1] ? k + 1 : g->first[f]];
  return true;
}

/* Neighbours of a face's corners, but for those before and behind them on the face, are beside it. */
static double lift_of(const scree_geometry *g, int32_t f) {
  const int32_t *corner = g->corner + g->first[f], count = g->first[f + 1] - g->first[f];
  double least = INFINITY;
  for (int32_t c = 0; c < count; c++)
    for (int32_t k = g->near_first[corner[c]]; k < g->near_first[corner[c] + 1]; k++)
      if (g->near[k] != corner[(c + 1) % count] && g->near[k] != corner[(c + count - 1) % count])
        least = fmin(least, g->plane[f][3] - sc_dot(g->plane[f], g->point[g->near[k]]));
  return least;
}

static bool fill_lifts(scree_geometry *g) {
  g->lift = sc_alloc((size_t)g->faces * sizeof *g->lift);
  for (int32_t f = 0; f < g->faces && g->lift; f++) g->lift[f] = lift_of(g, f);
  return g->lift != NULL;
}

bool sc_geometry_tables(scree_geometry *g) { return fill_neighbours(g) && fill_lifts(g); }
