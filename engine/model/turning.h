/* Velocities at contacts with immovable bodies that rotate (turning.c). */
#ifndef SC_TURNING_H
#define SC_TURNING_H

#include "model/bodies.h"

/* Returns true if the body in a row is immovable and the body or its surface rotates. */
static inline bool sc_bodies_turn(const sc_bodies *bodies, int32_t row) {
  const double *w = bodies->spin[row];
  return bodies->kind[row] != SCREE_DYNAMIC && (w[0] != 0 || w[1] != 0 || w[2] != 0);
}
/* Returns true if the contact rows of a body have the arm of a ball: its radius along the normal. An
 * immovable ball that rotates has the arm to the contact point instead. */
static inline bool sc_bodies_has_ball_arm(const sc_bodies *bodies, int32_t row) {
  return bodies->tensor_row[row] == SC_TENSOR_BALL && !sc_bodies_turn(bodies, row);
}
/* Sets `place` to a point that replaces the centre of a rotating body for a contact in a step of length dt.
 * With the arm from `place` to the contact point, the rotating body's velocity at the contact is the velocity
 * that acts on the other body in the middle of the step. mover: row of the other body; rm: its arm. turner:
 * row of the rotating body; rt: its arm. n: unit normal. Returns the component along n of the velocity that
 * the change of the arm adds [m/s]. The caller must remove this component from the normal velocity. */
double sc_turning_place(const sc_bodies *bodies, int32_t mover, int32_t turner, const double rm[3],
    const double rt[3], const double n[3], double dt, double place[3]);

#endif
