/* Local answers: what the law of one contact says, all others held. */
#ifndef SC_LOCAL_H
#define SC_LOCAL_H

#include "problem/problem.h"

/* New impulse of a ball contact (closed form, docs/theory/laws.md), given its present relative velocity
 * u (world axes). */
void sc_local_ball(const sc_problem *problem, const sc_ball_contact *contact, const double u[3], double p[3]);
/* The same of a ball contact with moments; w: q1 - ratio q2. */
void sc_local_couple(const sc_problem *problem, const sc_ball_contact *contact, const sc_ball_couple *couple,
    const double u[3], const double w[3], double p[3], double m[3]);
/* New impulse of a general contact; u as sc_problem_general_velocity gives it. Negative: a user's law
 * failed. */
int sc_local_general(const sc_problem *problem, const sc_general *contact, const double *u, double *x);
/* New impulse of a joint row: bilateral within its bounds. */
double sc_local_joint(const sc_problem *problem, const sc_joint_row *row);

#endif
