/* Kinetic energy that the impulses of a step add, and an upper bound for exact impulses. */
#ifndef SC_GAIN_H
#define SC_GAIN_H

#include "problem/problem.h"

/* Returns the kinetic energy of all movable bodies of the problem [J]. pool may be NULL. */
double sc_problem_kinetic(const sc_problem *problem, sc_pool *pool);

/* Sums over all movable bodies, with v the free velocity and dv its change by impulses: linear = sum v M
 * dv, square = sum dv M dv [J]. */
typedef struct sc_gain {
  double linear, square;
} sc_gain;
/* Computes the two sums. free: [problem->bodies] bodies before any impulse. */
sc_gain sc_problem_gain(const sc_problem *problem, const sc_solver_body *free);
/* Returns the factor in [0, 1] by which all impulses must be multiplied to add the smallest kinetic
 * energy. */
double sc_gain_best_share(const sc_gain *gain);

/* Returns an upper bound of the kinetic energy that exact impulses of the present sizes add [J]: the work of
 * driven bodies, of motors, of biases, and of an error of `tolerance` [m/s] at every contact and row. The
 * bound follows from two facts: an exact impulse x leaves x.u <= -x.bias, with u the velocity at its contact,
 * and all impulses add sum x.u - sum x.A x / 2. Arena memory is freed before the return. Returns INFINITY if
 * out of memory. */
double sc_problem_gain_bound(const sc_problem *problem, double tolerance, sc_arena *arena);

/* Scales all impulses of the problem by a factor. Velocities of bodies do not change. */
void sc_problem_scale_impulses(const sc_problem *problem, double share);

#endif
