/* Distance and relative velocity of two points, one on each of two bodies.
 *
 * All stages use the arms, distances and relative velocities of this file. An arm is the vector from a body's
 * centre of mass to a point. A fixed body may have a moving surface, like a conveyor belt (sc_bodies_runs).
 * At a contact, only the tangential component of the surface's velocity acts, because the body does not move
 * along its normal. */
#ifndef SC_RELATIVE_H
#define SC_RELATIVE_H

#include "math/vec.h"
#include "model/bodies.h"

/* Sets d to the vector from a point of an image of body two to the point p1 of body one [m]. p2: the same
 * point of body two itself, which is not shifted to the image. image: NULL for body two itself. */
static inline void sc_displacement(
    const sc_bodies *bodies, const sc_image *image, const double p1[3], const double p2[3], double d[3]) {
  sc_sub(p1, p2, d);
  if (sc_image_is_body(image)) return;
  double shift[3];
  sc_cell_shift(bodies->cell, image, shift);
  sc_sub(d, shift, d);
}

/* Sets r1 and r2 to the arms of a point [m]: the vectors to the point from the centres of mass of body one
 * and of an image of body two. image: NULL for body two itself. */
static inline void sc_arms(const sc_bodies *bodies, int32_t one, int32_t two, const sc_image *image,
    const double point[3], double r1[3], double r2[3]) {
  SC_ASSERT(one >= 0 && one < bodies->count && two >= 0 && two < bodies->count);
  sc_displacement(bodies, NULL, point, bodies->position[one], r1);
  sc_displacement(bodies, image, point, bodies->position[two], r2);
}

/* Sets r1 and r2 to the arms of a contact point, like sc_arms. The arm of a ball ends on the ball's own
 * surface, for any gap. normal: unit normal from body two to body one. */
static inline void sc_contact_arms(const sc_bodies *bodies, int32_t one, int32_t two, const sc_image *image,
    const double point[3], const double normal[3], double r1[3], double r2[3]) {
  double ball1 = sc_bodies_ball(bodies, one), ball2 = sc_bodies_ball(bodies, two);
  sc_arms(bodies, one, two, image, point, r1, r2);
  if (ball1 > 0) sc_scale(-ball1, normal, r1);
  if (ball2 > 0) sc_scale(ball2, normal, r2);
}

/* Sets v to the velocity of a rigid body at the end of the arm r. */
static inline void sc_rigid_velocity(
    const double velocity[3], const double spin[3], const double r[3], double v[3]) {
  sc_cross(spin, r, v);
  sc_add(v, velocity, v);
}

/* Sets v to the velocity of a body's surface at the end of the arm r. n: unit normal of the contact, of
 * either sign. */
static inline void sc_surface_velocity(
    const sc_bodies *bodies, int32_t row, const double r[3], const double n[3], double v[3]) {
  sc_rigid_velocity(bodies->velocity[row], bodies->spin[row], r, v);
  if (sc_bodies_runs(bodies, row)) sc_axpy(-sc_dot(v, n), n, v, v);
}

/* Returns the number that must be added to the normal component of the relative velocity of two rigid bodies
 * [m/s]. This number removes the normal component of the velocity of a moving surface. Returns 0 if neither
 * body has a moving surface. r1, r2: arms of the contact point; n: unit normal. */
static inline double sc_running_normal(const sc_bodies *bodies, int32_t one, const double r1[3], int32_t two,
    const double r2[3], const double n[3]) {
  double v[3], off = 0;
  if (sc_bodies_runs(bodies, one)) {
    sc_rigid_velocity(bodies->velocity[one], bodies->spin[one], r1, v);
    off -= sc_dot(v, n);
  }
  if (sc_bodies_runs(bodies, two)) {
    sc_rigid_velocity(bodies->velocity[two], bodies->spin[two], r2, v);
    off += sc_dot(v, n);
  }
  return off;
}

/* Sets u to the velocity of body one's surface relative to the surface of an image of body two, at the arms
 * r1 and r2. n: unit normal. */
static inline void sc_relative_velocity(const sc_bodies *bodies, int32_t one, const double r1[3], int32_t two,
    const sc_image *image, const double r2[3], const double n[3], double u[3]) {
  double v2[3];
  sc_rigid_velocity(bodies->velocity[one], bodies->spin[one], r1, u);
  sc_rigid_velocity(bodies->velocity[two], bodies->spin[two], r2, v2);
  sc_sub(u, v2, u);
  sc_axpy(sc_running_normal(bodies, one, r1, two, r2, n), n, u, u);
  if (sc_image_is_body(image) || !bodies->cell->moves) return;
  sc_cell_drift(bodies->cell, image, v2);
  sc_sub(u, v2, u);
}

/* Returns the speed at which the surfaces of two bodies approach each other at a point [m/s]. n: unit normal
 * from body two to body one. */
static inline double sc_closing_speed(const sc_bodies *bodies, int32_t one, int32_t two,
    const sc_image *image, const double point[3], const double n[3]) {
  double r1[3], r2[3], u[3];
  sc_arms(bodies, one, two, image, point, r1, r2);
  sc_relative_velocity(bodies, one, r1, two, image, r2, n, u);
  return -sc_dot(u, n);
}

#endif
