/* Inside of a step: bodies that no impulse acted on (free_motion.c). */
#ifndef SC_WORLD_FREE_MOTION_H
#define SC_WORLD_FREE_MOTION_H

#include "world/world.h"

/* Change of velocity and spin that gravity and the loads of a body make in a step. */
typedef struct sc_free_kick {
  double velocity[3], spin[3]; /* [m/s], [rad/s] */
  bool turns;                  /* spin is not 0 */
} sc_free_kick;

/* Computes the kick of a dynamic body in the step of world->problem, before its velocity is stored. Returns
 * true if the solved velocity is the free one, to rounding: then no contact, joint or bond pushed the body.
 * */
bool sc_free_find_kick(const scree_world *world, int32_t row, sc_free_kick *kick);
/* Moves a body with its new velocity back, such that the step's motion with that velocity ends where the
 * mean of the velocities before and after the step leads. Returns the work that torques do in the step
 * beyond dt times torque and mean spin [J], because the body turns meanwhile. */
double sc_free_move_back(sc_bodies *bodies, int32_t row, const sc_free_kick *kick, double dt);

#endif
