/* Pair cache: separating axes, features and near triangles of the pairs of the list, from step to step. */
#ifndef SC_PAIR_CACHES_H
#define SC_PAIR_CACHES_H

#include "collide/state.h"

/* Allocates the pair cache if the world gains from it. A world gains from the cache if many shapes are not
 * spheres or some shape is a mesh, and not all pairs have closed forms. Existing entries stay if each pair
 * has one. Returns false if out of memory. */
bool sc_pair_caches_reserve(sc_collide *collide);

/* Clears the pair cache: one zeroed entry per pair of the list, or no entries if !wanted. Returns false if
 * out of memory. */
bool sc_pair_caches_clear(sc_collide *collide, bool wanted);

/* Returns true if a cache entry is kept when a new list is built: it has an axis, and it is not a row of a
 * triangle cache. */
static inline bool sc_pair_cache_is_carried(const sc_pair_cache *pair_cache) {
  const float *n = pair_cache->axis;
  return n[0] != SC_CACHE_TRIANGLES && (n[0] != 0 || n[1] != 0 || n[2] != 0);
}

/* Returns true if at least one of FEW_SOLIDS shapes (pair_caches.c) is not a sphere. */
bool sc_has_many_solids(const sc_poses *poses);

/* Returns the triangle cache of a pair of a shape and a mesh; NULL for other pairs. */
static inline sc_triangle_cache *sc_triangle_cache_of(const sc_list *list, int32_t pair) {
  const sc_pair_cache *pair_cache = list->pair_cache + pair;
  return pair_cache->mesh.kind == SC_CACHE_TRIANGLES ? list->triangles + pair_cache->mesh.row : NULL;
}

#endif
