/* Angles of joints. The functions use only + - * / sqrt, so that they return the same bits everywhere. */
#ifndef SC_ANGLE_H
#define SC_ANGLE_H

#include <math.h>

/* Returns atan(x) for x in [0, 1]. Halves the angle three times and then uses a short series. */
static inline double sc_small_atan(double x) {
  double sum = 0;
  for (int i = 0; i < 3; i++) x = x / (1 + sqrt(1 + x * x));
  for (int k = 12; k >= 0; k--) sum = 1.0 / (2 * k + 1) - x * x * sum;
  return 8 * x * sum;
}

/* Returns the angle of the point (x, y) from the x axis, in [-pi, pi]; 0 for the origin. */
static inline double sc_angle_of(double y, double x) {
  const double pi = 3.14159265358979323846;
  double ax = fabs(x), ay = fabs(y),
         a = ax == 0 && ay == 0 ? 0
      : ay <= ax                ? sc_small_atan(ay / ax)
                                : pi / 2 - sc_small_atan(ax / ay);
  if (x < 0) a = pi - a;
  return y < 0 ? -a : a;
}

/* Returns `angle` plus that multiple of 2 pi for which the result is nearest to `last` [rad]. */
static inline double sc_nearest_turn(double angle, double last) {
  const double turn = 6.283185307179586477;
  double turns = (last - angle) / turn;
  return angle + turn * floor(turns + 0.5);
}

#endif
