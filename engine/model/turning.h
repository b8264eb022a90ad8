/* Surfaces that turn and cannot be pushed, as contacts see them in a step (turning.c). */
#ifndef SC_TURNING_H
#define SC_TURNING_H

#include "model/bodies.h"

/* Whether the body in a row, or the surface of that body, turns by itself: nothing can push it. */
static inline bool sc_bodies_turn(const sc_bodies *bodies, int32_t row) {
  const double *w = bodies->spin[row];
  return bodies->kind[row] != SCREE_DYNAMIC && (w[0] != 0 || w[1] != 0 || w[2] != 0);
}
/* A contact between the body `mover`, at arm rm, and the turning body `turner`, at arm rt, in a step dt.
 * Sets place[3], from which the arm of the turner to the contact's present point is to be measured: at that
 * arm the turner has the velocity that the mover finds in the middle of the step. Returns the velocity of
 * the turner along n that this arm adds, which a contact must ignore. */
double sc_turning_place(const sc_bodies *bodies, int32_t mover, int32_t turner, const double rm[3],
    const double rt[3], const double n[3], double dt, double place[3]);

#endif
