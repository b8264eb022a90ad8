/* Stores the impulses of joint rows in their joints. */
#ifndef SC_JOINT_REACTIONS_H
#define SC_JOINT_REACTIONS_H

#include "model/joints.h"
#include "problem/problem.h"

/* Sets the force of joint `joint` on body a, and its torque about the joint's point: means over the problem's
 * dt. The rows of the joint begin at row `first` of the problem. Returns the row after its last row, or
 * `first` if the joint has no rows. */
int32_t sc_joint_load(const sc_joints *joints, const sc_bodies *bodies, const sc_problem *problem,
    int32_t joint, int32_t first, double force[3], double torque[3]);
/* Adds the reactions of all joint rows, as means over the problem's dt, to the reactions stored in the
 * joints. */
void sc_joints_react(sc_joints *joints, const sc_bodies *bodies, const sc_problem *problem);
/* Stores the speed that the rotor of a row has after its impulse. Other rows do not change the joint. */
void sc_joint_turn_rotor(sc_joint *joint, const sc_bodies *bodies, const sc_joint_row *row);
/* Adds the impulse of a row to the impacts of its joint. */
void sc_joint_add_impact(sc_joint *joint, const sc_bodies *bodies, const sc_joint_row *row);
/* Stores impulses and reactions in the joints. Adds the step's errors of gears and racks without a housing to
 * sc_joint.travel. */
void sc_joints_keep(sc_joints *joints, const sc_bodies *bodies, const sc_problem *problem);

#endif
