/* Pair cache: one entry per pair of the list, and one triangle cache per pair with a mesh. */
#include <string.h>
#include "collide/contacts/pair_caches.h"
#include "model/shape/kind.h"

enum { FEW_SOLIDS = 10 }; /* worlds in which at least 1 shape of 10 is not a sphere gain from the cache */

static bool is_mesh(const sc_poses *poses, int32_t row) {
  const int32_t placed = poses->cache[row].placed;
  return placed >= 0 && poses->placed[placed].shape->type == SCREE_MESH;
}

/* Assigns an empty triangle cache to each pair with a mesh. Returns false if out of memory. */
static bool assign_triangle_caches(sc_list *list, const sc_poses *poses) {
  int32_t rows = 0;
  for (int32_t p = 0; p < list->pairs; p++)
    if (is_mesh(poses, list->pair[p].one) || is_mesh(poses, list->pair[p].two))
      list->pair_cache[p].mesh.kind = SC_CACHE_TRIANGLES, list->pair_cache[p].mesh.row = rows++;
  if (rows && !SC_GROW_LEAN(list->triangles, list->triangle_capacity, (size_t)rows)) return false;
  for (int32_t k = 0; k < rows; k++) list->triangles[k].count = -1, list->triangles[k].full = false;
  return true;
}

static bool has_mesh(const sc_poses *poses) {
  for (int32_t p = 0; p < poses->placed_count; p++)
    if (poses->placed[p].shape->type == SCREE_MESH) return true;
  return false;
}

bool sc_pair_caches_clear(sc_collide *collide, bool wanted) {
  sc_list *list = &collide->list;
  if (wanted && !SC_GROW_LEAN(list->pair_cache, list->pair_cache_capacity, (size_t)list->pairs)) return false;
  list->pair_caches = wanted ? list->pairs : 0;
  if (!list->pair_caches) return true;
  memset(list->pair_cache, 0, (size_t)list->pair_caches * sizeof *list->pair_cache);
  return !has_mesh(&collide->poses) || assign_triangle_caches(list, &collide->poses);
}

bool sc_has_many_solids(const sc_poses *poses) {
  return (int64_t)FEW_SOLIDS * poses->placed_count >= poses->count;
}

bool sc_pair_caches_reserve(sc_collide *collide) {
  const sc_poses *poses = &collide->poses;
  const bool wanted = !poses->closed && (sc_has_many_solids(poses) || has_mesh(poses));
  return (collide->list.pair_caches == collide->list.pairs && wanted) ||
      sc_pair_caches_clear(collide, wanted);
}
