/* Local solutions: the impulse of one contact by its law, with all other impulses fixed. */
#ifndef SC_LOCAL_H
#define SC_LOCAL_H

#include "problem/problem.h"

/* Adds the spring of a ball contact to its velocity u and to its Delassus entries a_n and a_t. *bias: set to
 * the bias of the spring, or the bias of the contact if the contact is rigid [m/s]. */
void sc_spring_ball(const sc_ball_contact *contact, double u[3], double *bias, double *a_n, double *a_t);
/* Adds the spring of a general contact with impulses x to its velocity u. Returns the bias of the spring, or
 * the bias of the contact if the contact is rigid [m/s]. */
double sc_spring_general(const sc_general_contact *contact, const double *x, double *u);

/* Computes the new impulse p of a ball contact by the closed form (docs/theory/laws.md). u: its present
 * relative velocity, world axes. */
void sc_local_ball(const sc_problem *problem, const sc_ball_contact *contact, const double u[3], double p[3]);
/* Computes impulse p and moment m of a ball contact with moments. w: relative spin q1 - ratio q2. */
void sc_local_couple(const sc_problem *problem, const sc_ball_contact *contact, const sc_ball_couple *couple,
    const double u[3], const double w[3], double p[3], double m[3]);
/* Computes the new impulse x of a general contact. u: from sc_problem_general_velocity. Returns a negative
 * number if a user's law failed. */
int sc_local_general(const sc_problem *problem, const sc_general *contact, const double *u, double *x);
/* Returns the new impulse of a joint row, within its bounds. */
double sc_local_joint(const sc_problem *problem, const sc_joint_row *row);

#endif
