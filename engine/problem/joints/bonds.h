/* Bonds to rows of a problem, and impulses back to bonds. */
#ifndef SC_PROBLEM_BONDS_H
#define SC_PROBLEM_BONDS_H

#include "math/vec.h"
#include "model/bonds.h"
#include "problem/problem.h"

/* Rows of all bonds with the bodies as they stand, into problem->bond, with the impulses of the last step
 * times warm_start. problem->bodies and dt are set. False without memory. */
bool sc_bonds_assemble(const sc_bonds *bonds, const sc_bodies *bodies, double dt, double warm_start,
    sc_pool *pool, sc_arena *arena, sc_problem *problem);
/* Returns how many bonds pass what they bear under their rows' impulses, and sets the cause (-1: none) and
 * the share of what it bears of each bond. */
int32_t sc_bonds_judge(
    const sc_bonds *bonds, const sc_problem *problem, sc_pool *pool, int8_t *cause, double *share);
/* Sets the force and torque of a row's impulses on its bond's first body, means over the step. */
void sc_bond_load(const sc_problem *problem, const sc_bond_row *row, double force[3], double torque[3]);
/* What bonds did in a step [J]. */
typedef struct sc_bonds_work {
  double moved;  /* work of their impulses on relative velocities, and what is lost */
  double lost;   /* to dampers, and to springs that the step does not resolve */
  double driven; /* work of driven bodies */
  double stored; /* energy in them before the step */
} sc_bonds_work;
/* Velocities that bonds may find which no step has left: those of bodies less `left`, and all of what bonds
 * of ids above `met` find. */
typedef struct sc_bonds_found {
  const double (*left)[6]; /* per body: velocity and spin after the last step */
  uint64_t met;
} sc_bonds_found;
/* Keeps forces and torques of the rows' impulses. found: NULL if there is nothing. */
sc_bonds_work sc_bonds_keep(
    sc_bonds *bonds, const sc_problem *problem, const sc_bonds_found *found, sc_pool *pool);

/* Relative velocities u of the points and r = q1 - ratio q2 of a row (bonds.c). */
static inline void sc_bond_velocity(
    const sc_solver_body *a, const sc_solver_body *b, const sc_bond_row *row, double u[3], double r[3]) {
  double spin[3], turn[3];
  for (int k = 0; k < 3; k++) {
    spin[k] = row->arm1 * a->q[k] + row->arm2 * b->q[k];
    r[k] = a->q[k] - row->ratio * b->q[k];
  }
  sc_cross(spin, row->d, turn);
  for (int k = 0; k < 3; k++) u[k] = (a->v[k] - b->v[k]) + turn[k];
}
/* The effect of impulse p and moment m on the two bodies. */
void sc_problem_bond_apply(
    const sc_problem *problem, const sc_bond_row *row, const double p[3], const double m[3]);
/* By how much velocities at a row change if it alone is met [m/s]. */
double sc_problem_bond_residual(const sc_problem *problem, const sc_bond_row *row);

#endif
