/* A cell that is driven by stress. Its velocity gradient is an unknown of the contact problem. */
#ifndef SC_WORLD_CELL_DRIVE_H
#define SC_WORLD_CELL_DRIVE_H

#include "solve/solver.h"
#include "scree/world.h"

/* Replaces the problem's exchange by the drive of the cell, if stress drives the cell. Call between assembly
 * and solution. */
scree_status sc_world_drive_begin(scree_world *world, double dt, scree_error *error);
/* Stops changes of the gradient. Call after the solution of velocities. */
void sc_world_drive_end(scree_world *world);
/* Returns the relative velocity that the prescribed stress gives to neighbouring bodies in a step [m/s]; 0
 * without a drive. Tolerances are relative to this velocity, as they are to gravity times dt elsewhere,
 * because a jammed sample at rest has no other velocity scale. */
double sc_world_drive_speed(const scree_world *world);
/* Sets the world's gradient to the solved one. Returns the work of this change on the bodies [J]. Call before
 * the velocities of the problem are stored. */
double sc_world_drive_take(scree_world *world);

/* Returns the solver of the world's steps: nbgs if stress drives the cell, else the world's solver. */
const sc_solver *sc_world_solver(const scree_world *world);

#endif
