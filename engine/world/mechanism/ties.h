/* Joints and bonds of a world in a step: their rows, positions, energies and breaks. */
#ifndef SC_WORLD_TIES_H
#define SC_WORLD_TIES_H

#include "base/base.h"
#include "scree/joint.h"
#include "scree/world.h"

typedef struct sc_swings sc_swings; /* swing.h */

typedef struct sc_trees sc_trees;
/* Rows of joints into the problem (swings may be NULL); and positions put right after a step where the world
 * asks for it, where these joints are in trees, NULL if that is not known (joints.c). */
scree_status sc_world_assemble_joints(
    scree_world *world, double dt, const sc_swings *swings, scree_error *error);
scree_status sc_world_correct_joints(scree_world *world, const sc_trees *trees, scree_error *error);
/* Whether limits, motors, springs and friction suit a joint's type and have possible numbers (drives.c). */
scree_status sc_world_check_drives(const scree_joint_def *def, scree_error *error);
/* Energy in the springs of all joints but bonds; on the first rank, 0 on others. And takes joints away whose
 * load in the step was more than they bear (breaks.c). */
double sc_world_elastic(const scree_world *world);
scree_status sc_world_break_joints(scree_world *world, scree_error *error);
/* Bonds (bonds.c): rows into the problem; their forces after it was solved, with their part in the account of
 * energy; those that break after the step; the energy in all; the state of one as a joint's, false if there
 * is none of that id. */
scree_status sc_world_assemble_bonds(scree_world *world, double dt, scree_error *error);
void sc_world_keep_bonds(scree_world *world);
/* Tells collision whom joints and bonds keep apart (tied_parts.c). */
scree_status sc_world_part_tied(scree_world *world, scree_error *error);
scree_status sc_world_break_bonds(scree_world *world, scree_error *error);
double sc_world_bonds_elastic(const scree_world *world);
bool sc_world_get_bond(const scree_world *world, scree_joint id, scree_joint_state *state);
/* Appends a joint that broke to the record. */
scree_status sc_world_record_break(scree_world *world, const scree_break *load, scree_error *error);
/* Returns whether a joint ties the bodies of a contact together so that they do not collide. */
bool sc_world_keeps_out(const scree_world *world, int32_t contact);

#endif
