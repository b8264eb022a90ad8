/* Joints and bonds of a world in a step: their rows in the contact problem, positions, energies and
 * breaks. */
#ifndef SC_WORLD_TIES_H
#define SC_WORLD_TIES_H

#include "base/base.h"
#include "scree/joint.h"
#include "scree/world.h"

typedef struct sc_swings sc_swings; /* see swing.h */

typedef struct sc_trees sc_trees; /* see trees/tree_plan.h */

/* Adds the rows of joints to the world's problem (motion/joints.c). swings: joints marked in swings->apart
 * get no rows; NULL: all joints get rows. */
scree_status sc_world_assemble_joints(
    scree_world *world, double dt, const sc_swings *swings, scree_error *error);
/* Corrects the position errors of joints after a step, if the world's definition sets correct_joints
 * (motion/joints.c). trees: trees of joints, which are corrected in SIMD lanes; NULL: none. */
scree_status sc_world_correct_joints(scree_world *world, const sc_trees *trees, scree_error *error);
/* Fails unless limits, motors, springs and friction suit the joint's type and have valid values
 * (drives.c). */
scree_status sc_world_check_drives(const scree_joint_def *def, scree_error *error);
/* Returns the energy in the springs of all joints [J]. Bonds, and joints that break in this step, do not
 * count. Only the first rank returns this energy, all other ranks 0 (breaks.c). */
double sc_world_elastic(const scree_world *world);
/* Removes and records all joints whose load in the step exceeded their strength (breaks.c). */
scree_status sc_world_break_joints(scree_world *world, scree_error *error);
/* Adds the rows of bonds to the world's problem (bonds.c). */
scree_status sc_world_assemble_bonds(scree_world *world, double dt, scree_error *error);
/* Stores the solved loads of bonds and adds their energies to the energy balance (bonds.c). */
void sc_world_keep_bonds(scree_world *world);
/* Excludes the pairs of bodies that joints or bonds connect from the neighbour list (tied_parts.c). */
scree_status sc_world_part_tied(scree_world *world, scree_error *error);
/* Removes and records all bonds that break in the step. Adds the change of elastic energy of all other bonds
 * to the energy balance (bonds.c). */
scree_status sc_world_break_bonds(scree_world *world, scree_error *error);
/* Returns the elastic energy of all bonds [J] (bonds.c). */
double sc_world_bonds_elastic(const scree_world *world);
/* Sets *state to the state of a bond, in the form of a joint's state. Returns false if no bond has this id
 * (bonds.c). */
bool sc_world_get_bond(const scree_world *world, scree_joint id, scree_joint_state *state);
/* Appends the record of a broken joint or bond to the world's list, and adds its energy to the losses
 * (breaks.c). */
scree_status sc_world_record_break(scree_world *world, const scree_break *load, scree_error *error);
/* Returns true if a joint or bond connects the two bodies of a contact and excludes the contact
 * (motion/joints.c). */
bool sc_world_keeps_out(const scree_world *world, int32_t contact);

#endif
