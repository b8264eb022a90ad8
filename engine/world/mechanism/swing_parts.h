/* In how many parts of a step mechanisms go on. */
#ifndef SC_SWING_PARTS_H
#define SC_SWING_PARTS_H

#include "world/mechanism/swing.h"

enum { SC_MOST_PARTS = 256 };
static const double SC_LARGEST_SWING = 0.7, SC_LARGEST_TURN = 0.5; /* in a part of a step [rad] */

/* A power of two. wanted: how many times a part of the whole step would be too long. */
static inline int sc_parts_for(double wanted) {
  int parts = 1;
  while (parts < wanted && parts < SC_MOST_PARTS) parts *= 2;
  return parts;
}

/* Parts of the step per joint: those that the most demanding body of its mechanism needs; 0: touched; -1:
 * asleep. */
scree_status sc_swing_parts(scree_world *world, const sc_swings *swings, const uint8_t *touched, double dt,
    int32_t **parts, scree_error *error);
/* Faster turn of a joint's arm and axis on one side [rad/s]. */
double sc_swing_turn_rate(
    const scree_world *world, const sc_joint *joint, const sc_joint_pose *pose, int side);

#endif
