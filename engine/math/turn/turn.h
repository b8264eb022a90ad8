/* Rotations over a step: by a constant spin, and of a free body. Outputs may alias inputs. */
#ifndef SC_TURN_H
#define SC_TURN_H

#include <math.h>
#include "math/elementary.h"

/* Sets out to exp(dt w) q, w in world axes [rad/s]; exact for a constant spin. */
void sc_turn(const double q[4], const double w[3], double dt, double out[4]);
/* Returns tan(h)/h for z = h^2 < 2, to rounding. q + tan(h) (0,w/|w|) q with h = dt |w|/2 has the direction
 * of exp(dt w) q. */
static inline double sc_tangent_ratio(double z) {
  /* for z below this bound the next term of the series, 0.0036 z^6, is below rounding */
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
 * rounding. Exact for a body with two equal principal moments, second order in dt for others. */
void sc_turn_free(const double I[6], const double inverse[6], double dt, double q[4], double w[3]);
/* Returns the axis of symmetry of a tensor in its principal frame, 0 to 2; -1 if there is none. */
int sc_turn_axis(const double I[6]);

#endif
