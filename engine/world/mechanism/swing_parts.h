/* In how many parts of a step mechanisms go on. */
#ifndef SC_SWING_PARTS_H
#define SC_SWING_PARTS_H

#include "world/mechanism/swing.h"
#include "world/mechanism/trees/tree.h"

/* Parts of the step per joint: those that the most demanding body of its mechanism needs; 0: touched; -1:
 * asleep; SC_TREE_OPEN: apart. */
scree_status sc_swing_parts(scree_world *world, const sc_swings *swings, const uint8_t *touched, double dt,
    int32_t **parts, scree_error *error);
/* Faster turn of a joint's arm and axis on one side [rad/s]. */
double sc_swing_turn_rate(
    const scree_world *world, const sc_joint *joint, const sc_joint_pose *pose, int side);

#endif
