/* Kinetic energy that the impulses of a step bring, against the most that exact impulses could bring. */
#ifndef SC_GAIN_H
#define SC_GAIN_H

#include "problem/problem.h"

/* Sums over the bodies that impulses move, with dv the change that impulses made to a free velocity v. */
typedef struct sc_gain {
  double start;  /* sum v M v / 2: kinetic energy of the free velocities [J] */
  double linear; /* sum v M dv [J] */
  double square; /* sum dv M dv [J] */
} sc_gain;

/* Computes the sums. free: [problem->bodies] bodies as they were before any impulse. pool may be NULL. */
sc_gain sc_problem_gain(const sc_problem *problem, const sc_solver_body *free, sc_pool *pool);
/* Returns the kinetic energy that impulses brought [J]. */
static inline double sc_gain_brought(const sc_gain *gain) { return gain->linear + gain->square / 2; }
/* Returns the share in [0, 1] of all impulses that brings the least kinetic energy. */
double sc_gain_best_share(const sc_gain *gain);

/* Returns a bound of the kinetic energy that exact impulses of the present sizes bring [J]: the work of
 * driven bodies, of motors, of biases, and of an error of `tolerance` [m/s] at every contact and row. The
 * bound holds since an exact impulse x leaves x.u <= -x.bias, with u the velocity at its contact, and all
 * impulses bring sum x.u - sum x.A x / 2. Everything is taken from the arena and given back. Returns INFINITY
 * without memory. */
double sc_problem_gain_bound(const sc_problem *problem, double tolerance, sc_arena *arena);

/* Scales all impulses of the problem; velocities of bodies stay as they are. */
void sc_problem_scale_impulses(const sc_problem *problem, double share);

#endif
