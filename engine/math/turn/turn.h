/* Rotations over a step dt: of a body with constant spin, and of a free body without torque. Outputs may
 * alias inputs. */
#ifndef SC_TURN_H
#define SC_TURN_H

#include <math.h>
#include "math/elementary.h"

/* Sets out to the orientation q after a rotation with the spin w for a time dt: exp(dt w) q. w: in world axes
 * [rad/s]. Exact for a constant spin. */
void sc_turn(const double q[4], const double w[3], double dt, double out[4]);
/* Returns tan(h)/h with h = sqrt(z), for z < 2, accurate to rounding. Use: with h = dt |w|/2, the quaternion
 * q + tan(h) (0,w/|w|) q is parallel to exp(dt w) q. */
static inline double sc_tangent_ratio(double z) {
  /* bound of z for the series; below it, the next term of the series, 0.0036 z^6, is smaller than rounding
   * errors */
  static const double SHORT = 5e-3;
  double sine, cosine;
  if (z < SHORT)
    return 1 + z * (1.0 / 3 + z * (2.0 / 15 + z * (17.0 / 315 + z * (62.0 / 2835 + z * (1382.0 / 155925)))));
  const double h = sqrt(z);
  sc_sin_cos(h, &sine, &cosine);
  return sine / (h * cosine);
}
/* Rotates a torque-free body for dt: updates its orientation q and its spin w (world axes). I and inverse:
 * inertia in the body's frame (xx,xy,xz,yy,yz,zz) [kg m2]. Angular momentum and energy are conserved to
 * rounding. The result is exact for a body with an axis of symmetry (sc_turn_axis), and of second order in dt
 * for any other body. */
void sc_turn_free(const double I[6], const double inverse[6], double dt, double q[4], double w[3]);
/* Returns the index of the axis of symmetry (0 to 2) of an inertia tensor that is diagonal and has two equal
 * entries. Returns -1 for any other tensor. */
int sc_turn_axis(const double I[6]);

#endif
