/* A cell that is driven by stress: it moves as a body of the contact problem does. */
#ifndef SC_WORLD_CELL_DRIVE_H
#define SC_WORLD_CELL_DRIVE_H

#include "solve/solver.h"
#include "scree/world.h"

/* Between assembly and solution: the problem's exchange becomes the cell, where stress drives it. */
scree_status sc_world_drive_begin(scree_world *world, double dt, scree_error *error);
/* After the solution the cell stays; then the gradient that it has come to is the world's. Returns the work
 * that bodies have from its change: bodies go along, from their velocities to those of the problem. */
void sc_world_drive_end(scree_world *world);
/* Velocity that the wanted stress gives neighbours in a step [m/s], what gravity times dt is elsewhere: where
 * a jammed sample rests nothing else tells how large impulses are. 0 without a drive. */
double sc_world_drive_speed(const scree_world *world);
double sc_world_drive_take(scree_world *world);
/* The solver of the world's steps. */
const sc_solver *sc_world_solver(const scree_world *world);

#endif
