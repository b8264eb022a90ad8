/* Pair cache: one entry per pair of the list, and one triangle cache per pair with a mesh. */
#include <string.h>
#include "collide/contacts/hints.h"
#include "model/shape/kind.h"

enum { FEW_SOLIDS = 10 }; /* a world gains from the cache if one shape in FEW_SOLIDS is not a sphere */

static bool is_mesh(const sc_poses *poses, int32_t row) {
  const int32_t placed = poses->cache[row].placed;
  return placed >= 0 && poses->placed[placed].shape->type == SCREE_MESH;
}

/* Assigns an empty triangle cache to each pair with a mesh. Returns false without memory. */
static bool assign_triangle_caches(sc_list *list, const sc_poses *poses) {
  int32_t rows = 0;
  for (int32_t p = 0; p < list->pairs; p++)
    if (is_mesh(poses, list->pair[p].one) || is_mesh(poses, list->pair[p].two))
      list->hint[p].near.kind = SC_HINT_NEAR, list->hint[p].near.row = rows++;
  if (rows && !SC_GROW_LEAN(list->near, list->near_capacity, (size_t)rows)) return false;
  for (int32_t k = 0; k < rows; k++) list->near[k].count = -1, list->near[k].full = false;
  return true;
}

static bool has_mesh(const sc_poses *poses) {
  for (int32_t p = 0; p < poses->placed_count; p++)
    if (poses->placed[p].shape->type == SCREE_MESH) return true;
  return false;
}

bool sc_hints_clear(sc_collide *collide, bool wanted) {
  sc_list *list = &collide->list;
  if (wanted && !SC_GROW_LEAN(list->hint, list->hint_capacity, (size_t)list->pairs)) return false;
  list->hints = wanted ? list->pairs : 0;
  if (!list->hints) return true;
  memset(list->hint, 0, (size_t)list->hints * sizeof *list->hint);
  return !has_mesh(&collide->poses) || assign_triangle_caches(list, &collide->poses);
}

bool sc_hints_solid(const sc_poses *poses) {
  return (int64_t)FEW_SOLIDS * poses->placed_count >= poses->count;
}

bool sc_hints_reserve(sc_collide *collide) {
  const sc_poses *poses = &collide->poses;
  const bool wanted = !poses->closed && (sc_hints_solid(poses) || has_mesh(poses));
  return (collide->list.hints == collide->list.pairs && wanted) || sc_hints_clear(collide, wanted);
}
