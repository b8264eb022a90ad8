/* Planar problems: movable bodies keep their place along a unit normal p and turn about it alone.
 *
 * The constraint is part of the inverse mass, M^-1 -> P M^-1 with
 *     linear    (E - p p') / m
 *     angular   p p' / (p'I p)          (not p'I^-1 p: the constraint torque keeps the axis)
 * so that impulses across the plane do nothing and every solver stays in it. Contact frames lie so that
 * t is in the plane. The rows that cannot move then (o, torsion, rolling about t) read velocity 0,
 * couple to nothing and get a diagonal of the size of their live neighbours, so that blocks stay
 * positive definite and laws answer 0 there. A contact whose normal is p itself does nothing and is left
 * out. */
#ifndef SC_PLANAR_H
#define SC_PLANAR_H

#include "math/vec.h"
#include "problem/problem.h"

/* out = a without its part along p. */
static inline void sc_planar_project(const double p[3], const double a[3], double out[3]) {
  sc_axpy(-sc_dot(a, p), p, a, out);
}
/* Whether row r of a contact (n, t, o, torsion, rolling t, rolling o) cannot move. */
static inline bool sc_planar_dead(int r) { return r >= 2 && r <= 4; }
/* The direction of a unit impulse that a body of the problem feels: all of it, or its part in the plane. */
static inline void sc_planar_feel(const sc_problem *problem, const double a[3], double out[3]) {
  if (problem->planar) sc_planar_project(problem->plane, a, out);
  else sc_copy3(a, out);
}
/* Whether a normal points out of the plane altogether: its part in the plane is below a millionth. */
static inline bool sc_planar_flat(const double p[3], const double n[3]) {
  double t[3];
  sc_cross(p, n, t);
  return !(sc_dot(t, t) > 1e-12);
}
/* Contact frame with t in the plane: t = p x n / |p x n|, o = n x t. */
static inline void sc_planar_frame(const double p[3], const double n[3], double t[3], double o[3]) {
  sc_cross(p, n, t);
  sc_normalise(t, t);
  sc_cross(n, t, o);
}

#endif
