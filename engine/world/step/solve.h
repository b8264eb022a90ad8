/* Solves the contact problem of a step, with a guard against solutions that create energy. */
#ifndef SC_WORLD_SOLVE_H
#define SC_WORLD_SOLVE_H

#include "solve/solver.h"
#include "scree/world.h"

/* Returns the options of the world's solver. The tolerance in them is a velocity [m/s]: the world's relative
 * tolerance times the velocity scale of the problem. */
scree_solver_def sc_world_solver_options(const scree_world *world);
/* Solves the world's problem. Its impulses must not have been applied to its bodies. If the residual is above
 * the tolerance and the solution adds more kinetic energy than exact impulses could add, solves the problem
 * again. world->effort counts such steps. */
scree_status sc_world_solve(scree_world *world, sc_solver_report *report, scree_error *error);

#endif
