/* Rows: every unknown impulse of a problem as one generalised direction on two bodies. Dense assembly
 * (complementarity problems, mechanisms) uses this common form for ball contacts, general contacts and
 * joints.
 *
 * A row's velocity is lin1.v1 + ang1.q1 + lin2.v2 + ang2.q2 with the scaled spins q = s w of problem.h. The
 * impulse x of a row changes the velocities of a body by v += x lin / m, q += x K ang. Rows of gears and
 * racks with a housing have a third body. */
#ifndef SC_ROWS_H
#define SC_ROWS_H

#include "problem/problem.h"

typedef struct sc_row {
  int32_t i, j;
  double lin1[3], ang1[3], lin2[3], ang2[3];
  const sc_joint_third *third; /* third body of the row; NULL: the row has two bodies */
} sc_row;

/* Sets the row of a ball contact along a world direction. */
void sc_row_of_ball(const sc_ball_contact *contact, const double direction[3], sc_row *row);
/* Sets row k (0..dim-1: n, t, o, torsion, rolling t, rolling o) of a general contact. */
void sc_row_of_general(const sc_general_contact *contact, int k, sc_row *row);
/* Sets the row of a joint row of the problem. */
void sc_row_of_joint(const sc_problem *problem, const sc_joint_row *joint, sc_row *row);

/* Returns the velocity of a row at the bodies' present velocities. */
double sc_row_velocity(const sc_problem *problem, const sc_row *row);
/* Adds the effect of impulse x on a row to the bodies' velocities. */
void sc_row_apply(const sc_problem *problem, const sc_row *row, double x);
/* Returns the entry of the Delassus matrix between two rows: velocity of a per unit impulse on b. */
double sc_row_couple(const sc_problem *problem, const sc_row *a, const sc_row *b);

/* Computes out = K a for a body: scaled inverse inertia times a scaled angular impulse. */
void sc_problem_turn(const sc_problem *problem, int32_t body, const double a[3], double out[3]);

/* Returns the friction coefficient of a general contact: parameter "mu" of its law; 0 if the law has no such
 * parameter. */
double sc_problem_mu(const sc_problem *problem, const sc_general_contact *contact);
/* Returns a parameter of a general contact by name, or fallback if its law has no such parameter. */
double sc_problem_parameter(
    const sc_problem *problem, const sc_general_contact *contact, const char *name, double fallback);

#endif
