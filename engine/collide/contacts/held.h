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

/* Whether a touch of a pair, a first, is one of an edge or corner that the other shape never comes to: it
 * lies beyond a face there, and on a neighbour that does not move beside that shape it lies, or comes to lie,
 * no lower. slack [m]: what counts as no lower. */
bool sc_is_held_off(
    const sc_held *held, const sc_placed *a, const sc_placed *b, double slack, const sc_touch *touch);

#endif
