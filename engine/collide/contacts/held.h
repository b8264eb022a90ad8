/* Shapes that others hold off. */
#ifndef SC_HELD_H
#define SC_HELD_H

#include "collide/state.h"

/* A pair of the list, as it is placed. */
typedef struct sc_held {
  const sc_collide *collide;
  const sc_bodies *bodies;
  int32_t pair;
  double dt; /* step [s] */
} sc_held;

/* Whether a touch is one with an edge or corner that the other shape never reaches: this shape lies above
 * a face beside the edge, and another touch keeps it above this face. a is the first shape of the pair.
 * slack [m]: how deep it may lie below the face. */
bool sc_is_held_off(
    const sc_held *held, const sc_placed *a, const sc_placed *b, double slack, const sc_touch *touch);

#endif
