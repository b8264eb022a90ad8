/* Housings of gears and racks: the bodies in which the axles of their wheels rotate. */
#ifndef SC_HOUSING_H
#define SC_HOUSING_H

#include "model/joints.h"

/* Searches for the housing of a gear or rack if def->find_frame is set. If a housing is found, sets
 * def->frame to its id and def->find_frame to 0. */
void sc_joints_house(const sc_joints *joints, const sc_bodies *bodies, scree_joint_def *def);
/* Makes the present poses of the bodies and of the housing of a gear or rack the zero of its positions. */
void sc_joint_refer(const sc_bodies *bodies, sc_joint *joint);
/* Returns the position of a (which = 0) or b (which = 1) of a gear or rack relative to its housing. It is the
 * rotation about the body's own axis, nearest to joint->position [rad], or the displacement of a rack [m]. */
double sc_joint_against_housing(const sc_bodies *bodies, const sc_joint *joint, int which);
/* Returns the position error of a gear [rad] or rack [m] if a and b have the given positions relative to the
 * housing. */
double sc_joint_off_ratio(const sc_joint *joint, const double position[2]);
/* Searches for the housings of all gears and racks that have none yet. Call after joint `row` was added,
 * which may be the axle of a wheel. Returns false if out of memory. */
bool sc_joints_house_others(sc_joints *joints, const sc_bodies *bodies, int32_t row);
/* Returns true if a gear or rack has no housing although an axle of its wheels rotates in a body that moves.
 * The reaction of such a gear acts on the ground, so momentum is not conserved. */
bool sc_joints_astray(const sc_joints *joints, const sc_bodies *bodies, int32_t row);
/* Returns true if a gear or rack has a housing in which no axle of its two wheels rotates. */
bool sc_joints_idle_frame(const sc_joints *joints, int32_t row);

#endif
