/* Motion of free bodies, on which no impulse acted in a step (free_motion.c). */
#ifndef SC_WORLD_FREE_MOTION_H
#define SC_WORLD_FREE_MOTION_H

#include <math.h>
#include "world/world.h"

/* Kick: the change of velocity and spin in a step by gravity and by the loads of a body. */
typedef struct sc_free_kick {
  double velocity[3], spin[3]; /* [m/s], [rad/s] */
  double size;                 /* sum of the absolute components of velocity[3] [m/s] */
  bool turns;                  /* true: spin is not 0 */
} sc_free_kick;

/* Returns the kick of bodies without loads, which only gravity causes. */
sc_free_kick sc_free_gravity_kick(const scree_world *world);
/* Adds the effect of a body's loads to its kick. */
void sc_free_add_loads(const scree_world *world, int32_t row, sc_free_kick *kick);
/* Returns true if the solved velocity of a body equals its free velocity, up to some units in the last place
 * of the terms. The free velocity is the velocity before the step plus the kick. */
bool sc_free_agrees(const scree_world *world, int32_t row, const sc_free_kick *kick);
/* Returns true if the solved velocity of a dynamic body equals its free velocity. No contact, joint or bond
 * then acted on the body. Must be called before the solved velocity is stored. */
static inline bool sc_free_is_free(const scree_world *world, int32_t row, const sc_free_kick *kick) {
  const sc_bodies *bodies = &world->bodies;
  const sc_solver_body *solved = world->problem.body + row;
  const double *v = bodies->velocity[row], *w = bodies->spin[row], *dv = kick->velocity;
  const double x = solved->v[0] - (v[0] + dv[0]), y = solved->v[1] - (v[1] + dv[1]),
               z = solved->v[2] - (v[2] + dv[2]), s = sc_body_scale(bodies, row);
  /* fast path: the velocities of free bodies agree in all digits, and those of most other bodies differ
   * much */
  if (x == 0 && y == 0 && z == 0 && !kick->turns && solved->q[0] == s * w[0] && solved->q[1] == s * w[1] &&
      solved->q[2] == s * w[2])
    return true;
  const double far = 1e-6 * kick->size;
  return !(fabs(x) > far || fabs(y) > far || fabs(z) > far) && sc_free_agrees(world, row, kick);
}
/* Rotates a body back by a step after a torque has changed its spin. Returns the work of torques in the step
 * minus dt times torque times mean spin [J]. The difference exists because the body rotates in the step. */
double sc_free_turn_back(sc_bodies *bodies, int32_t row, const sc_free_kick *kick, double dt);
/* Moves a body back before the step moves it. The step's motion with the new velocity then ends at the
 * position to which the mean of old and new velocity leads. Returns the work that sc_free_turn_back returns;
 * 0 if the body does not rotate. */
static inline double sc_free_move_back(sc_bodies *bodies, int32_t row, const sc_free_kick *kick, double dt) {
  double *x = bodies->position[row];
  for (int k = 0; k < 3; k++) x[k] -= dt / 2 * kick->velocity[k];
  return kick->turns ? sc_free_turn_back(bodies, row, kick, dt) : 0;
}

#endif
