/* What one contact or joint row sees of its bodies, and does to them. */
#ifndef SC_DELASSUS_H
#define SC_DELASSUS_H

#include "problem/problem.h"

/* Relative velocity of two bodies at a ball contact, world axes. */
static inline void sc_ball_velocity(
    const sc_solver_body *a, const sc_solver_body *b, const double n[3], double u[3]) {
  double q[3], turn[3];
  sc_add(a->q, b->q, q);
  sc_cross(q, n, turn);
  u[0] = a->v[0] - b->v[0] - turn[0];
  u[1] = a->v[1] - b->v[1] - turn[1];
  u[2] = a->v[2] - b->v[2] - turn[2];
}

/* Relative velocity u of a contact in its frame, rows as dim says (no bias). */
/* world axes for balls */
void sc_problem_ball_velocity(const sc_problem *problem, const sc_ball_contact *contact, double u[3]);
void sc_problem_general_velocity(const sc_problem *problem, const sc_general_contact *contact, double *u);
/* Its state. */
void sc_problem_general_state(const sc_problem *problem, const sc_general *contact, sc_general_state *state);
/* Adds the effect of impulse p to the bodies' velocities. */
void sc_problem_ball_apply(const sc_problem *problem, const sc_ball_contact *contact, const double p[3]);
void sc_problem_general_apply(const sc_problem *problem, const sc_general_contact *contact, const double *p);
/* The same of bodies in rows low..high alone; of a problem with bodies. */
void sc_problem_general_apply_within(
    const sc_problem *problem, const sc_general_contact *contact, const double *p, int32_t low, int32_t high);
/* Fills A (dim x dim) of a general contact from masses, arms and frame. */
void sc_problem_general_block(const sc_problem *problem, const sc_general_contact *contact, double *A);
/* The same for one joint row: relative velocity, effect of impulse x, diagonal of the Delassus operator with
 * the row's softness; and velocity + bias + softness x, which is 0 where the row is met. */
double sc_problem_joint_velocity(const sc_problem *problem, const sc_joint_row *row);
double sc_problem_joint_unmet(const sc_problem *problem, const sc_joint_row *row);
void sc_problem_joint_apply(const sc_problem *problem, const sc_joint_row *row, double x);
double sc_problem_joint_diagonal(const sc_problem *problem, const sc_joint_row *row);
/* Relative spin of a ball contact with moments, q1 - ratio q2 (couple.c). */
void sc_problem_couple_velocity(
    const sc_problem *problem, const sc_ball_contact *contact, const sc_ball_couple *couple, double w[3]);
/* Largest distance in velocity of a ball contact with moments from its law's answer. */
double sc_problem_couple_residual(
    const sc_problem *problem, const sc_ball_contact *contact, const sc_ball_couple *couple);

#endif
