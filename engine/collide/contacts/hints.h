/* Pair cache: separating axes, features and near triangles of the pairs of the list, from step to step. */
#ifndef SC_HINTS_H
#define SC_HINTS_H

#include "collide/state.h"

/* Allocates the pair cache if the world gains from it: many shapes are not spheres or some shape is a mesh,
 * and not all pairs have closed forms. Keeps the entries if their number fits. Returns false without
 * memory. */
bool sc_hints_reserve(sc_collide *collide);

/* Clears the pair cache: one zeroed entry per pair of the list, or no entries if !wanted. Returns false
 * without memory. */
bool sc_hints_clear(sc_collide *collide, bool wanted);

/* Returns true if a cache entry stays valid when the list is rebuilt. Rows of triangle caches do not. */
static inline bool sc_hint_is_carried(const sc_hint *hint) {
  const float *n = hint->axis;
  return n[0] != SC_HINT_NEAR && (n[0] != 0 || n[1] != 0 || n[2] != 0);
}

/* Returns true if at least one shape in FEW_SOLIDS (hints.c) is not a sphere. */
bool sc_hints_solid(const sc_poses *poses);

/* Returns the triangle cache of a pair of a shape and a mesh; NULL for other pairs. */
static inline sc_near *sc_hints_near(const sc_list *list, int32_t pair) {
  const sc_hint *hint = list->hint + pair;
  return hint->near.kind == SC_HINT_NEAR ? list->near + hint->near.row : NULL;
}

#endif
