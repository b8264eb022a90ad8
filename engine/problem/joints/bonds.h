/* Assembles bonds as rows of a problem, and stores their impulses. */
#ifndef SC_PROBLEM_BONDS_H
#define SC_PROBLEM_BONDS_H

#include "math/vec.h"
#include "model/bonds.h"
#include "problem/problem.h"

/* Assembles the rows of all bonds at the present poses, in problem->bond. The rows start from the impulses of
 * the last step times warm_start. problem->bodies and problem->dt must be set. Returns false if out of
 * memory. */
bool sc_bonds_assemble(const sc_bonds *bonds, const sc_bodies *bodies, double dt, double warm_start,
    sc_pool *pool, sc_arena *arena, sc_problem *problem);
/* Returns the number of bonds whose load exceeds their strength. Sets cause[bonds]: number of the failure
 * criterion, -1: the bond does not break. Sets share[bonds], the ratio of load to strength, of bonds that
 * break. */
int32_t sc_bonds_judge(
    const sc_bonds *bonds, const sc_problem *problem, sc_pool *pool, int8_t *cause, double *share);
/* Sets force and torque of a row on the first body of its bond: means over the step [N], [N m], world
 * axes. */
void sc_bond_load(const sc_problem *problem, const sc_bond_row *row, double force[3], double torque[3]);
/* Energies of all bonds in a step [J]. */
typedef struct sc_bonds_work {
  double moved;  /* work of the bonds' impulses on relative velocities, plus `lost` */
  double lost;   /* dissipated by dampers, and by springs that the step does not resolve */
  double driven; /* work of driven bodies through bonds */
  double stored; /* energy in the bonds before the step */
} sc_bonds_work;
/* Changes of the velocities of bodies since the end of the last step. For a bond with an id of at most `met`,
 * the change is the velocity minus `left`. For any other bond, the change is the whole velocity. */
typedef struct sc_bonds_found {
  const double (*left)[6]; /* [bodies] velocity and spin after the last step */
  uint64_t met;
} sc_bonds_found;
/* Stores the forces and torques of the rows in the bonds. Returns the energies of the step. found: NULL if
 * velocities have not changed since the end of the last step. */
sc_bonds_work sc_bonds_keep(
    sc_bonds *bonds, const sc_problem *problem, const sc_bonds_found *found, sc_pool *pool);

/* Computes the relative velocities of a row: u at the bond's point, and r = q1 - ratio q2 (bonds.c). */
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
/* Applies the impulse p and the moment m (over s1, like the row's m) to the two bodies of a row. */
void sc_problem_bond_apply(
    const sc_problem *problem, const sc_bond_row *row, const double p[3], const double m[3]);
/* Returns by how much the relative velocities of a row would change if this row alone were solved [m/s]. */
double sc_problem_bond_residual(const sc_problem *problem, const sc_bond_row *row);

#endif
