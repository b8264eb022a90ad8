/* What is known of pairs from step to step beside their contacts. */
#ifndef SC_HINTS_H
#define SC_HINTS_H

#include "collide/state.h"

/* Room for what is known of all pairs of the list where many shapes are no spheres, or some are meshes, and
 * something can be known; what is known stays. */
bool sc_hints_keep(sc_collide *collide);

/* The same, or no room where nothing is wanted, without what is known. */
bool sc_hints_begin(sc_collide *collide, bool wanted);

/* Whether a hint says something of its pair that outlives the list. */
static inline bool sc_hint_is_carried(const sc_hint *hint) {
  const float *n = hint->axis;
  return n[0] != SC_HINT_NEAR && (n[0] != 0 || n[1] != 0 || n[2] != 0);
}

/* Whether many shapes are no spheres. */
bool sc_hints_solid(const sc_poses *poses);

/* The triangles near a pair of a shape and a mesh; NULL for others. */
static inline sc_near *sc_hints_near(const sc_list *list, int32_t pair) {
  const sc_hint *hint = list->hint + pair;
  return hint->near.kind == SC_HINT_NEAR ? list->near + hint->near.row : NULL;
}

#endif
