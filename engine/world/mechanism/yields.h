/* Joints and bonds that break bear no more than their strength in the step in which they break (yields.c). */
#ifndef SC_WORLD_YIELDS_H
#define SC_WORLD_YIELDS_H

#include "world/mechanism/swing.h"

enum { SC_YIELD_ROUNDS = 16 }; /* most solves of a step that are repeated because joints break */

/* Returns whether any joint or bond of the world may break. */
bool sc_world_breakable(const scree_world *world);
/* Forgets what breaks, at the start of a step. */
void sc_world_yields_clear(scree_world *world);
/* Takes the load off joints that break, for the later stages of a step. */
void sc_world_yields_spend(scree_world *world);
/* Marks the joints and bonds that bear more than they can in the solved problem, with what they bear in place
 * of that. *any: there are some, and the problem must be made and solved again. Collective. */
scree_status sc_world_yield(scree_world *world, bool *any, scree_error *error);
/* Calls `solve`, which makes and solves the world's problem, and calls it again while joints or bonds break in the
 * solution. Each call starts from the same state, the memory of laws included. Arena memory taken by a call is
 * freed before the next call. */
scree_status sc_world_solve_with_breaks(scree_world *world,
    scree_status (*solve)(void *context, scree_error *error), void *context, scree_error *error);
/* The same of the joints of a mechanism that goes its own way, once it has. */
scree_status sc_swing_yield(const sc_swing *swing, bool *any, scree_error *error);

/* Returns the bound that a force and torque on a pass, by the largest share of it, and sets *share to that
 * share; -1: none. axis: the joint's, from a to b; energy: in its springs (breaks.c). */
int sc_joint_cause(const sc_joint *joint, const double axis[3], const double force[3], const double torque[3],
    double energy, double *share);

#endif
