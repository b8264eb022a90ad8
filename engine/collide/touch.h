/* Helpers for all functions of the narrow phase: transforms between world axes and the axes of a shape,
 * touches of balls, the largest of three numbers, and a limited number. */
#ifndef SC_TOUCH_H
#define SC_TOUCH_H

#include "collide/collide.h"
#include "math/vec.h"

/* Computes the touches of a and b with gap <= reach, normals from b to a. Returns their number. */
typedef int sc_narrow_function(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out);

/* Reads column k of a matrix. */
static inline void sc_column(const double R[9], int k, double out[3]) {
  out[0] = R[k];
  out[1] = R[3 + k];
  out[2] = R[6 + k];
}

/* Transforms a point from world axes to the axes of a shape. */
static inline void sc_to_local(const sc_placed *p, const double world[3], double local[3]) {
  double d[3];
  sc_sub(world, p->position, d);
  sc_mat_tvec(p->R, d, local);
}
/* Transforms a point from the axes of a shape to world axes. */
static inline void sc_to_world(const sc_placed *p, const double local[3], double world[3]) {
  sc_mat_vec(p->R, local, world);
  sc_add(world, p->position, world);
}

/* Computes the touch of a ball and a surface with the outward unit normal n. distance: distance of the ball's
 * centre from the surface along n [m]. Returns 1 if the gap is <= reach, else 0. */
static inline int sc_touch_ball(const double centre[3], double radius, const double n[3], double distance,
    double reach, uint32_t feature, sc_touch *out) {
  double gap = distance - radius;
  if (!(gap <= reach)) return 0;
  out->gap = gap;
  out->feature = feature;
  sc_copy3(n, out->normal);
  sc_axpy(-(radius + 0.5 * gap), n, centre, out->point);
  return 1;
}

/* Computes the touch of two balls. apart: unit normal to use if the centres coincide up to rounding. Returns
 * 1 if the gap is <= reach, else 0. */
static inline int sc_touch_balls(const double ca[3], double ra, const double cb[3], double rb,
    const double apart[3], double reach, uint32_t feature, sc_touch *out) {
  double d[3], n[3];
  sc_sub(ca, cb, d);
  double square = sc_dot(d, d), far = ra + rb + reach;
  if (!(square <= far * far)) return 0;
  double distance = sqrt(square);
  if (distance > 1e-12 * (ra + rb)) sc_scale(1 / distance, d, n);
  else sc_copy3(apart, n);
  return sc_touch_ball(ca, ra, n, distance - rb, reach, feature, out);
}

/* Returns the index of the largest of three numbers; of equal numbers the first. */
static inline int sc_largest_of(double x, double y, double z) {
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/* Returns x limited to [low, high]. Two separate choices compile to code without branches. */
static inline double sc_clamp(double x, double low, double high) {
  const double min = x < low ? low : x;
  return min > high ? high : min;
}

#endif
