/* Velocities at contacts with immovable bodies that rotate (turning.c). */
#ifndef SC_TURNING_H
#define SC_TURNING_H

#include "model/bodies.h"

/* Returns true if the body in a row is immovable and the body or its surface rotates. */
static inline bool sc_bodies_turn(const sc_bodies *bodies, int32_t row) {
  const double *w = bodies->spin[row];
  return bodies->kind[row] != SCREE_DYNAMIC && (w[0] != 0 || w[1] != 0 || w[2] != 0);
}
/* Sets place[3] to a point from which the arm of a rotating body must be measured, for a contact in a step
 * dt. With the arm from `place` to the contact point, the rotating body has the velocity that acts on the
 * other body in the middle of the step. mover: row of the other body, at arm rm. turner: row of the rotating
 * body, at arm rt. Returns the velocity of the turner along n that the changed arm adds; a contact must
 * ignore this velocity. */
double sc_turning_place(const sc_bodies *bodies, int32_t mover, int32_t turner, const double rm[3],
    const double rt[3], const double n[3], double dt, double place[3]);

#endif
