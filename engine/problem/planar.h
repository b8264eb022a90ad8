/* Planar problems: movable bodies do not move along a unit normal p, and rotate only about p.
 *
 * The constraint is part of the inverse mass, M^-1 -> P M^-1 with
 *     linear    (E - p p') / m
 *     angular   p p' / (p'I p)          (not p'I^-1 p: the constraint torque keeps the axis)
 * so that impulses along p have no effect, and every solver stays in the plane. E: unit matrix. I: inertia.
 * The axis t of contact frames lies in the plane. The rows o, torsion and rolling about t then cannot move:
 * their velocity and coupling are 0. Their diagonal is that of a movable row of the contact, so that blocks
 * are positive definite and laws return 0 for these rows. Contacts with the normal p have no effect and are
 * left out. */
#ifndef SC_PLANAR_H
#define SC_PLANAR_H

#include "math/vec.h"
#include "problem/problem.h"

/* Sets out to a minus its component along p. */
static inline void sc_planar_project(const double p[3], const double a[3], double out[3]) {
  sc_axpy(-sc_dot(a, p), p, a, out);
}
/* Returns true if row r of a contact (n, t, o, torsion, rolling t, rolling o) cannot move. */
static inline bool sc_planar_dead(int r) { return r >= 2 && r <= 4; }
/* Sets out to the part of an impulse a that changes the velocity of a body. In a planar problem this is its
 * component in the plane, otherwise all of a. */
static inline void sc_planar_feel(const sc_problem *problem, const double a[3], double out[3]) {
  if (problem->planar) sc_planar_project(problem->plane, a, out);
  else sc_copy3(a, out);
}
/* Returns true if a normal is perpendicular to the plane: its component in the plane is at most 1e-6. */
static inline bool sc_planar_flat(const double p[3], const double n[3]) {
  double t[3];
  sc_cross(p, n, t);
  return !(sc_dot(t, t) > 1e-12);
}
/* Sets a contact frame with t in the plane: t = p x n / |p x n|, o = n x t. */
static inline void sc_planar_frame(const double p[3], const double n[3], double t[3], double o[3]) {
  sc_cross(p, n, t);
  sc_normalise(t, t);
  sc_cross(n, t, o);
}

#endif
