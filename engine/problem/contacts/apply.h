/* Effects of all impulses of a problem on its bodies. */
#ifndef SC_PROBLEM_APPLY_H
#define SC_PROBLEM_APPLY_H

#include "problem/problem.h"

/* Adds the effect of all impulses in the problem to its bodies (warm start). pool may be NULL. */
void sc_problem_apply_all(const sc_problem *problem, sc_pool *pool);

/* Pulls the bodies of all contacts together. ball_pull, general_pull: per contact, an impulse along the
 * normal, at least 0 [N s]. */
void sc_problem_pull_all(
    const sc_problem *problem, const double *ball_pull, const double *general_pull, sc_pool *pool);

#endif
