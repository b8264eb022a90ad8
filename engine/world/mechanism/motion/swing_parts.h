/* Number of substeps of a step for each mechanism. */
#ifndef SC_SWING_PARTS_H
#define SC_SWING_PARTS_H

#include "world/mechanism/swing.h"
#include "world/mechanism/trees/tree.h"

/* Sets *parts [joints] to the number of substeps that the joint's mechanism needs. Other values: 0 if a
 * contact touches the mechanism, -1 if it sleeps, SC_TREE_OPEN if the step's problem does not contain it.
 * touched: [joints] see sc_mechanism_touched. */
scree_status sc_mechanism_parts(scree_world *world, const sc_swings *swings, const uint8_t *touched,
    double dt, int32_t **parts, scree_error *error);
/* Returns the rotation rate of a joint's arm or axis on one side, whichever is larger [rad/s]. side: 0 for
 * body a, 1 for body b. */
double sc_mechanism_turn_rate(
    const scree_world *world, const sc_joint *joint, const sc_joint_pose *pose, int side);

#endif
