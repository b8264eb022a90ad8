/* Checks of features against a world's stepper and solver. Each check returns SCREE_E_ARGUMENT if the world
 * does not support the feature. The error text names the feature and an alternative. */
#ifndef SC_WORLD_FITS_H
#define SC_WORLD_FITS_H

#include "world/world.h"

/* Returns the name of a stepper, or "?" if the number is not a stepper. */
const char *sc_stepper_name(int stepper);
/* Checks the options of a new world. */
scree_status sc_world_check_options(const scree_world_def *def, scree_error *error);
/* Checks a joint before it is created or changed. */
scree_status sc_world_check_joint_fits(
    const scree_world *world, const scree_joint_def *def, scree_error *error);
/* Checks that the world supports elastic bonds. */
scree_status sc_world_check_bonds_fit(const scree_world *world, scree_error *error);
/* Checks that the world supports a velocity gradient of its cell that is not 0. */
scree_status sc_world_check_flow_fits(const scree_world *world, scree_error *error);
/* Checks a rule between two materials of the world; law: index of the rule's law in world->laws.law. */
scree_status sc_world_check_pair_fits(
    const scree_world *world, const scree_pair_def *def, int32_t law, scree_error *error);
/* Checks all joints and rules of a world. A loaded checkpoint may come from a world with another stepper or
 * solver. */
scree_status sc_world_check_fits(const scree_world *world, scree_error *error);

#endif
