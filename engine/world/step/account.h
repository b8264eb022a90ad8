/* Inside of a step: the account of energy (account.c). */
#ifndef SC_WORLD_ACCOUNT_H
#define SC_WORLD_ACCOUNT_H

#include "world/mechanism/swing.h"
#include "world/world.h"

/* What a change of a body's velocity within a step means for the account. */
typedef struct sc_change {
  double lost;  /* to impulses [J] */
  double loads; /* done by applied forces and torques */
  double early; /* by gravity before its way is gone */
} sc_change;
/* From the velocities of `from` to those of `to`, with the load of a step dt. */
sc_change sc_account_change(const scree_world *world, int32_t row, const sc_motion *from, const sc_motion *to,
    const double load[6], double dt);
/* Of a body from the velocity it has to that of the solved problem, before this is stored. */
sc_change sc_account_solved(const scree_world *world, int32_t row);
/* Energy that turning a body from another orientation has brought while it kept its spin. */
double sc_account_turned(const sc_bodies *bodies, int32_t row, const double from[4]);
/* Kinetic and potential energy of a body; potential alone. 0 for those that are not this rank's own. */
double sc_account_energy(const scree_world *world, int32_t row, const sc_motion *motion);
double sc_account_potential(const scree_world *world);
/* Kinetic energy of a row; of all bodies here. */
double sc_account_kinetic_of(const sc_bodies *bodies, int32_t row);
double sc_account_kinetic(const scree_world *world);

/* What a row of joints did: before and after are its velocities. */
typedef struct sc_row_work {
  double work; /* by motors and driven bodies */
  double lost; /* to friction, limits and dampers */
  /* by rows that hold the joint: 0 but for the step's finite length; by springs, with what dampers took */
  double scheme;
} sc_row_work;
void sc_account_row(
    const sc_problem *problem, const sc_joint_row *row, double before, double after, sc_row_work *sum);

#endif
