/* Shapes that another touch keeps off an edge. */
#ifndef SC_HELD_H
#define SC_HELD_H

#include "collide/state.h"

/* A pair of the neighbour list, with the bodies and the step. */
typedef struct sc_held {
  const sc_collide *collide;
  const sc_bodies *bodies;
  int32_t pair;
  double dt; /* step [s] */
} sc_held;

/* Returns whether a touch lies on an edge or corner that the other shape never reaches. The other shape
 * must lie above a face beside the edge, and another touch must keep it above this face.
 * a: the first shape of the pair. slack [m]: largest depth of the other shape below the face. */
bool sc_is_held_off(
    const sc_held *held, const sc_placed *a, const sc_placed *b, double slack, const sc_touch *touch);

#endif
