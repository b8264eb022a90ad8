/* Limits the loads of joints and bonds to their strength in the step in which they break (yields.c). */
#ifndef SC_WORLD_YIELDS_H
#define SC_WORLD_YIELDS_H

#include "world/mechanism/swing.h"

enum { SC_YIELD_ROUNDS = 16 }; /* largest number of repeated solves of a step */

/* Returns true if at least one joint or bond of the world can break. */
bool sc_world_breakable(const scree_world *world);
/* Clears the list of breaking joints and bonds. Call at the start of a step. */
void sc_world_yields_clear(scree_world *world);
/* Sets the loads of breaking joints to 0 for the remaining phases of a step of second order. */
void sc_world_yields_spend(scree_world *world);
/* Marks joints and bonds whose load in the solved problem exceeds their strength, and computes their limited
 * loads. Sets *any to true if it marks new ones. The caller must then assemble and solve the problem again.
 * Collective. */
scree_status sc_world_yield(scree_world *world, bool *any, scree_error *error);
/* Marks breaking joints of a group of mechanisms that moves without the step's problem (rattle.c). Sets *any
 * to true if it marks new ones. */
scree_status sc_mechanism_yield(const sc_mechanism_group *group, bool *any, scree_error *error);

/* Returns the break cause with the largest ratio of load to bound and sets *share to this ratio. Returns -1
 * if no ratio exceeds 1. force, torque: load on body a; axis: axis of the joint, from a to b; energy: energy
 * in its springs (breaks.c). */
int sc_joint_cause(const sc_joint *joint, const double axis[3], const double force[3], const double torque[3],
    double energy, double *share);

#endif
