/* Operators of one contact or joint row: relative velocities from bodies, and impulses to bodies. */
#ifndef SC_DELASSUS_H
#define SC_DELASSUS_H

#include "problem/problem.h"

/* Computes the relative velocity u of two bodies at a ball contact, world axes [m/s]. */
static inline void sc_ball_velocity(
    const sc_solver_body *a, const sc_solver_body *b, const double n[3], double u[3]) {
  double q[3], turn[3];
  sc_add(a->q, b->q, q);
  sc_cross(q, n, turn);
  u[0] = a->v[0] - b->v[0] - turn[0];
  u[1] = a->v[1] - b->v[1] - turn[1];
  u[2] = a->v[2] - b->v[2] - turn[2];
}

/* Computes the relative velocity u of a ball contact without bias, world axes [m/s]. */
void sc_problem_ball_velocity(const sc_problem *problem, const sc_ball_contact *contact, double u[3]);
/* Computes the relative velocity u of a general contact without bias: dim rows in its frame. */
void sc_problem_general_velocity(const sc_problem *problem, const sc_general_contact *contact, double *u);
/* Computes normal, impulse, moment and relative velocity of a general contact. */
void sc_problem_general_state(const sc_problem *problem, const sc_general *contact, sc_general_state *state);
/* Adds the effect of impulse p (world axes) on a ball contact to the bodies' velocities. */
void sc_problem_ball_apply(const sc_problem *problem, const sc_ball_contact *contact, const double p[3]);
/* Adds the effect of impulses p (dim rows in the contact's frame) to the bodies' velocities. */
void sc_problem_general_apply(const sc_problem *problem, const sc_general_contact *contact, const double *p);
/* Adds the effect of impulses p of a general contact to its bodies. Skips a body whose row is not in
 * low..high. The problem has no matrix. */
void sc_problem_general_apply_within(
    const sc_problem *problem, const sc_general_contact *contact, const double *p, int32_t low, int32_t high);
/* Computes the Delassus block A (dim x dim) of a general contact from masses, arms and frame. */
void sc_problem_general_block(const sc_problem *problem, const sc_general_contact *contact, double *A);
/* Returns the relative velocity of a joint row. */
double sc_problem_joint_velocity(const sc_problem *problem, const sc_joint_row *row);
/* Returns velocity + bias + softness x of a joint row, which is 0 if the row is satisfied. */
double sc_problem_joint_unmet(const sc_problem *problem, const sc_joint_row *row);
/* Adds the effect of impulse x on a joint row to the bodies' velocities. */
void sc_problem_joint_apply(const sc_problem *problem, const sc_joint_row *row, double x);
/* Returns the diagonal entry of the Delassus operator for a joint row, its softness included. */
double sc_problem_joint_diagonal(const sc_problem *problem, const sc_joint_row *row);
/* Computes the relative spin q1 - ratio q2 of a ball contact with moments (couple.c). */
void sc_problem_couple_velocity(
    const sc_problem *problem, const sc_ball_contact *contact, const sc_ball_couple *couple, double w[3]);
/* Returns the residual of a ball contact with moments [m/s]. */
double sc_problem_couple_residual(
    const sc_problem *problem, const sc_ball_contact *contact, const sc_ball_couple *couple);

#endif
