/* Free flight: bodies on which only gravity and loads act in a step.
 *
 * A step moves bodies by x' = x + dt v'. It uses the velocity v' at its end, because contacts require this.
 * For constant forces the exact motion is x' = x + dt (v + v')/2. A free body is therefore moved back by dt
 * (v' - v)/2 before the step moves all bodies. Flight under constant forces is then exact for any length of
 * step.
 *
 * Half of the impulse of a torque acts at each end of the step. Between the ends the body rotates free of
 * torque (velocity Verlet). With the angular momentum L and the inertia I(q),
 *     q' = turn(dt, L + dt torque/2) q,   w' = I(q')^-1 (L + dt torque).
 * The angular momentum is exact and the orientation is of second order in dt. For balls, and for a fixed axis
 * of rotation, the orientation is exact. The step rotates the body from q to q'. Because free rotation is
 * reversible, the body is first rotated back by a step from q'.
 *
 * Solvers may add and remove the impulses of a warm start, which causes rounding errors. Velocities are
 * therefore compared within some units in the last place of their terms. */
#include "world/steps.h"
#include "world/step/free_motion.h"

#include "math/turn/turn.h"
#include "math/vec.h"
#include "problem/planar.h"

/* Largest rounding error of a velocity, divided by the size of its terms: 45 units in the last place. */
static const double ROUNDING = 1e-14;

static double size_of(const double a[3]) { return fabs(a[0]) + fabs(a[1]) + fabs(a[2]); }

static bool velocities_agree(const double found[3], const double before[3], const double kick[3]) {
  const double off = ROUNDING * (size_of(before) + size_of(kick));
  for (int k = 0; k < 3; k++)
    if (!(fabs(found[k] - (before[k] + kick[k])) <= off)) return false;
  return true;
}

bool sc_free_agrees(const scree_world *world, int32_t row, const sc_free_kick *kick) {
  const sc_bodies *bodies = &world->bodies;
  const sc_solver_body *solved = world->problem.body + row;
  double spin[3];
  sc_scale(1 / sc_body_scale(bodies, row), solved->q, spin);
  return velocities_agree(solved->v, bodies->velocity[row], kick->velocity) &&
      velocities_agree(spin, bodies->spin[row], kick->spin);
}

sc_free_kick sc_free_gravity_kick(const scree_world *world) {
  const sc_bodies *bodies = &world->bodies;
  sc_free_kick kick = {.turns = false};
  sc_scale(world->problem.dt, world->def.gravity, kick.velocity);
  if (bodies->planar) sc_planar_project(bodies->plane, kick.velocity, kick.velocity);
  kick.size = size_of(kick.velocity);
  return kick;
}

void sc_free_add_loads(const scree_world *world, int32_t row, sc_free_kick *kick) {
  const sc_bodies *bodies = &world->bodies;
  const double *load = sc_bodies_load(bodies, row), dt = world->problem.dt;
  double change[3];
  sc_scale(dt * bodies->inv_mass[row], load, change);
  if (bodies->planar) sc_planar_project(bodies->plane, change, change);
  sc_add(kick->velocity, change, kick->velocity);
  kick->size += size_of(change);
  kick->turns = load[3] != 0 || load[4] != 0 || load[5] != 0;
  if (!kick->turns) return;
  sc_world_turn(bodies, row, load + 3, kick->spin);
  sc_scale(dt, kick->spin, kick->spin);
}

static double turning_energy(const double q[4], const double w[3], const double I[6]) {
  double a[3];
  sc_quat_unrotate(q, w, a);
  return 0.5 *
      (I[0] * a[0] * a[0] + I[3] * a[1] * a[1] + I[5] * a[2] * a[2] +
          2 * (I[1] * a[0] * a[1] + I[2] * a[0] * a[2] + I[4] * a[1] * a[2]));
}

/* Sets out to the spin change at the orientation `to` that the impulse of a torque causes. kick: spin change
 * that this impulse causes at the orientation `from`. */
static void carry_kick(
    const sc_tensor *tensor, const double from[4], const double to[4], const double kick[3], double out[3]) {
  double a[3], b[3];
  sc_quat_unrotate(from, kick, a);
  const double *I = tensor->inertia, *B = tensor->inverse;
  sc_set3(I[0] * a[0] + I[1] * a[1] + I[2] * a[2], I[1] * a[0] + I[3] * a[1] + I[4] * a[2],
      I[2] * a[0] + I[4] * a[1] + I[5] * a[2], b);
  sc_quat_rotate(from, b, b);
  sc_quat_unrotate(to, b, b);
  sc_set3(B[0] * b[0] + B[1] * b[1] + B[2] * b[2], B[1] * b[0] + B[3] * b[1] + B[4] * b[2],
      B[2] * b[0] + B[4] * b[1] + B[5] * b[2], a);
  sc_quat_rotate(to, a, out);
}

/* Rotates a body that is not a ball back by a step. The spin of the body must already include the whole kick.
 * Returns the work that sc_free_turn_back returns. */
static double turn_back_tensor(sc_bodies *bodies, int32_t row, const double kick[3], double dt) {
  const sc_tensor *tensor = sc_bodies_tensor(bodies, row);
  double *q = bodies->orientation[row], *w = bodies->spin[row], from[4], late[3];
  const double whole = turning_energy(q, w, tensor->inertia);
  memcpy(from, q, sizeof from);
  sc_axpy(-0.5, kick, w, w);
  sc_turn_free(tensor->inertia, tensor->inverse, dt, q, w);
  carry_kick(tensor, from, q, kick, late);
  sc_axpy(0.5, late, w, w);
  const double end = turning_energy(q, w, tensor->inertia);
  sc_turn_free(tensor->inertia, tensor->inverse, -dt, q, w);
  return end - whole;
}

double sc_free_turn_back(sc_bodies *bodies, int32_t row, const sc_free_kick *kick, double dt) {
  double mean[3], *q = bodies->orientation[row];
  if (sc_bodies_tensor(bodies, row) && !bodies->planar) return turn_back_tensor(bodies, row, kick->spin, dt);
  sc_axpy(-0.5, kick->spin, bodies->spin[row], mean);
  sc_turn(q, mean, dt, q);
  sc_turn(q, bodies->spin[row], -dt, q);
  return 0;
}
