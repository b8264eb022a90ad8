/* The solution of a step's problem, and a guard against answers that make energy. */
#ifndef SC_WORLD_SOLVE_H
#define SC_WORLD_SOLVE_H

#include "world/world.h"

/* Returns the options of the world's solver. Tolerances in them are velocities [m/s], shares of the velocity
 * scale of the problem. */
scree_solver_def sc_world_solver_options(const scree_world *world);
/* Solves the world's problem, whose impulses have not been applied to its bodies. An answer above the
 * tolerance that brings more kinetic energy than exact impulses could is sought again; the world's
 * effort counts these steps. */
scree_status sc_world_solve(scree_world *world, sc_solver_report *report, scree_error *error);

#endif
