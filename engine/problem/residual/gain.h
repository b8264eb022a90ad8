/* Kinetic energy that the impulses of a step bring, against the most that exact impulses could bring. */
#ifndef SC_GAIN_H
#define SC_GAIN_H

#include "problem/problem.h"

/* Returns the kinetic energy of the bodies that impulses move [J]. pool may be NULL. */
double sc_problem_kinetic(const sc_problem *problem, sc_pool *pool);

/* Sums over these bodies, with dv the change that impulses made to a free velocity v: sum v M dv and
 * sum dv M dv [J]. */
typedef struct sc_gain {
  double linear, square;
} sc_gain;
/* Computes the sums. free: [problem->bodies] bodies as they were before any impulse. */
sc_gain sc_problem_gain(const sc_problem *problem, const sc_solver_body *free);
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
