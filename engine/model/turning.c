/* A body on a rotating body, such as a turntable.
 *
 * rho is the vector from the turntable's centre to the body's centre. At the start of a step of length dt,
 * the velocity w x rho of the turntable (w: its spin) points along the tangent of the circle. A body with
 * this velocity would leave the circle. The mean velocity v' over the step points along the chord,
 *     v' = tau x (rho + dt/2 v'),   tau = w tan(h)/h,   h = dt |w|/2
 * (Cayley's rotation). On the right side the engine replaces v' by the velocity of the last step, rotated
 * with the turntable by the angle w dt. This is exact for a body that moves with the turntable. For all other
 * bodies it is an extrapolation of second order: a rolling ball gets the velocity of the turntable at the
 * ball's position in the middle of the step.
 *
 * The velocity along the normal remains that at the start of the step. How the normal rotates along the
 * motion depends on the curvature of the surface. For example, the wall of a drum that rotates about its axis
 * does not move along its normal. */
#include "model/turning.h"

#include "math/turn/turn.h"
#include "math/vec.h"

/* Upper bound of h^2 (h: half the rotation in a step [rad]) for this correction: one radian per step. For
 * faster rotation, contacts use the velocity at the start of the step. */
static const double LARGEST = 0.25;

double sc_turning_place(const sc_bodies *bodies, int32_t mover, int32_t turner, const double rm[3],
    const double rt[3], const double n[3], double dt, double place[3]) {
  const double *w = bodies->spin[turner], z = dt * dt / 4 * sc_dot(w, w);
  double half[3], v[3], a[3], b[3], more[3];
  sc_copy3(bodies->position[turner], place);
  if (!(z < LARGEST)) return 0;
  const double ratio = sc_tangent_ratio(z);
  sc_scale(dt / 2 * ratio, w, half);
  sc_sub(bodies->velocity[mover], bodies->velocity[turner], v);
  sc_cross(half, v, a);
  sc_cross(half, a, b);
  const double share = 2 / (1 + sc_dot(half, half));
  for (int k = 0; k < 3; k++) {
    const double turned = v[k] + share * (a[k] + b[k]), rho = rt[k] - rm[k];
    more[k] = ratio * (rho + dt / 2 * turned) - rho;
  }
  sc_sub(place, more, place);
  sc_cross(w, more, a);
  return sc_dot(n, a);
}
