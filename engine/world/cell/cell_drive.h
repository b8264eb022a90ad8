/* A cell that is driven by stress. Its velocity gradient is an unknown of the contact problem. */
#ifndef SC_WORLD_CELL_DRIVE_H
#define SC_WORLD_CELL_DRIVE_H

#include "solve/solver.h"
#include "scree/world.h"

/* If stress drives the cell, replaces problem.exchange by the drive of the cell. Call between assembly and
 * solution. */
scree_status sc_world_drive_begin(scree_world *world, double dt, scree_error *error);
/* Ends the updates of the velocity gradient. Call after the solution of velocities. */
void sc_world_drive_end(scree_world *world);
/* Returns the relative velocity of neighbouring bodies that the prescribed stress causes in a step [m/s]; 0
 * without a drive. The solver's tolerance is relative to this velocity. Without a drive the tolerance is
 * relative to gravity times dt. A jammed sample at rest has no other velocity scale. */
double sc_world_drive_speed(const scree_world *world);
/* Returns the relaxation for sweeps with momentum in a cell that stress drives; 1 if no stress drives the
 * cell. */
double sc_world_drive_relaxation(const scree_world *world);
/* Sets the gradient of the world's cell to the solved gradient. Returns the work of this change on the bodies
 * [J]. Call before the velocities of the problem are copied to the bodies. */
double sc_world_drive_take(scree_world *world);

/* Returns the solver of the world's steps: nbgs if stress drives the cell, else the world's solver. */
const sc_solver *sc_world_solver(const scree_world *world);

#endif
