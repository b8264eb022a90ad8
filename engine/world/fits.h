/* What fits a world's stepper and solver: each check returns SCREE_E_ARGUMENT with a text that names
 * what does not fit and what to take instead. */
#ifndef SC_WORLD_FITS_H
#define SC_WORLD_FITS_H

#include "world/world.h"

/* Returns the name of a stepper, "?" for a number that is none. */
const char *sc_stepper_name(int stepper);
/* Checks the options of a world that is to be made. */
scree_status sc_world_check_options(const scree_world_def *def, scree_error *error);
/* Checks a joint that is to be made or changed. */
scree_status sc_world_check_joint_fits(
    const scree_world *world, const scree_joint_def *def, scree_error *error);
/* Checks whether bonds may be made in the world. */
scree_status sc_world_check_bonds_fit(const scree_world *world, scree_error *error);
/* Checks whether the velocity gradient of the world's cell may be other than 0. */
scree_status sc_world_check_flow_fits(const scree_world *world, scree_error *error);
/* Checks a rule between two materials of the world; law: its index in world->law. */
scree_status sc_world_check_pair_fits(
    const scree_world *world, const scree_pair_def *def, int32_t law, scree_error *error);
/* Checks all joints and rules of a world, as a checkpoint may bring those of another. */
scree_status sc_world_check_fits(const scree_world *world, scree_error *error);

#endif
