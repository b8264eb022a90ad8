/* Number of substeps of a step for each mechanism. */
#ifndef SC_SWING_PARTS_H
#define SC_SWING_PARTS_H

#include "world/mechanism/swing.h"
#include "world/mechanism/trees/tree.h"

/* Sets *parts [joints] to the number of substeps for the fastest body of the joint's mechanism. 0: a contact
 * touches the mechanism; -1: it is asleep; SC_TREE_OPEN: the step's problem does not contain it. */
scree_status sc_mechanism_parts(scree_world *world, const sc_swings *swings, const uint8_t *touched,
    double dt, int32_t **parts, scree_error *error);
/* Returns the larger rotation rate of a joint's arm and axis on one side [rad/s]. */
double sc_mechanism_turn_rate(
    const scree_world *world, const sc_joint *joint, const sc_joint_pose *pose, int side);

#endif
