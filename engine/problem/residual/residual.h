/* The residual of a problem, which is the same for all solvers, and the velocity scale of tolerances. */
#ifndef SC_RESIDUAL_H
#define SC_RESIDUAL_H

#include "problem/problem.h"

/* Returns the mean over contacts of the closing velocity max(0, b_n) at the bodies' present velocities
 * [m/s]. */
double sc_problem_closing(const sc_problem *problem, sc_pool *pool);
/* Returns the sum of the closing velocities of ball contacts [m/s]. */
double sc_problem_closing_balls(const sc_problem *problem, sc_pool *pool);
/* Returns the mean closing velocity over all contacts [m/s]. balls: result of sc_problem_closing_balls. */
double sc_problem_closing_with(const sc_problem *problem, double balls, sc_pool *pool);
/* Returns the mean velocity [m/s] that joint rows with a motor, spring or given impulse would have if no
 * other impulse acted; 0 without such rows. */
double sc_problem_drive_speed(const sc_problem *problem);
/* Returns the velocity scale of tolerances [m/s]. It is the largest of three velocities: the velocity that
 * weight gives in a step, the mean closing velocity `closing` of the free velocities, and 1e-6 of the drive
 * speed. If all are 0, it is the mean speed in the rows of joints and bonds. */
double sc_problem_velocity_scale(const sc_problem *problem, double closing);

/* Returns the largest of |A_jj (x_j - solve_j(b_j - sum_k A_jk x_k))| over contacts and joint rows j [m/s].
 * solve_j: law of j. The bodies' velocities contain all impulses. */
double sc_problem_residual(const sc_problem *problem);
/* Returns the residual of one unknown [m/s]. The index counts ball contacts, then general contacts,
 * joint rows and bonds. */
double sc_problem_residual_of(const sc_problem *problem, int32_t index);
/* Returns the residual of a general contact [m/s]. */
double sc_problem_general_residual(const sc_problem *problem, const sc_general *contact);

#endif
