/* Effects of all impulses of a problem on its bodies. */
#ifndef SC_PROBLEM_APPLY_H
#define SC_PROBLEM_APPLY_H

#include "problem/problem.h"

/* Adds the effect of all impulses of the problem to the velocities of its bodies (warm start). pool may be
 * NULL. */
void sc_problem_apply_all(const sc_problem *problem, sc_pool *pool);

/* Adds the effect of cohesion to the velocities of the bodies of all contacts. ball_pull [balls],
 * general_pull [generals]: attracting impulses along the normal, >= 0 [N s]. pool may be NULL. */
void sc_problem_pull_all(
    const sc_problem *problem, const double *ball_pull, const double *general_pull, sc_pool *pool);

#endif
