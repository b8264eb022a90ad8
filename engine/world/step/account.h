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
/* Of a body from the velocity it has to that of the solved problem, before this is stored. time: for which
 * forces acted [s]. */
sc_change sc_account_solved(const scree_world *world, int32_t row, double time);
/* Energy that turning a body from another orientation has brought while it kept its spin. */
double sc_account_turned(const sc_bodies *bodies, int32_t row, const double from[4]);
/* Kinetic and potential energy of a body; potential alone. 0 for those that are not this rank's own. */
double sc_account_energy(const scree_world *world, int32_t row, const sc_motion *motion);
double sc_account_potential(const scree_world *world);
/* Kinetic energy of a row; of all bodies here. */
double sc_account_kinetic_of(const sc_bodies *bodies, int32_t row);
double sc_account_kinetic(const scree_world *world);

/* Returns the work that a contact's driven bodies do while it has an impulse on its first body [J]: immovable
 * ones that move and surfaces that run. */
double sc_account_driven(const sc_bodies *bodies, const sc_contact *contact, const double impulse[3]);

/* Stores the velocities of all bodies as those that the step leaves, and all joints as met by a step. */
void sc_account_note(scree_world *world);
/* Returns whether velocities or joints have changed since they were noted. */
bool sc_account_changed(const scree_world *world);
/* Returns the part of the present velocity of a problem's row that no step has left. It is all of it if the
 * joint is new, else what bodies' velocities have changed by since they were noted. */
double sc_account_found(
    const scree_world *world, const sc_problem *problem, const sc_joint *joint, const sc_joint_row *row);

/* How a row of joints moves while it has its impulse. */
typedef struct sc_row_motion {
  double before, after; /* velocities [row velocity] */
  double found;         /* part of `before` that no step left */
} sc_row_motion;
/* What a row of joints did. */
typedef struct sc_row_work {
  double work; /* by motors and driven bodies */
  /* to friction, limits and dampers; to rows that hold the joint, for velocities found; to springs that the
   * step does not resolve */
  double lost;
  /* by rows that hold the joint, but for velocities found; by springs, with what dampers took */
  double scheme;
} sc_row_work;
void sc_account_row(
    const sc_problem *problem, const sc_joint_row *row, const sc_row_motion *motion, sc_row_work *sum);

#endif
