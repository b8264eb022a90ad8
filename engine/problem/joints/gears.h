/* Computes the contribution of the housing to the rows of gears and racks. */
#ifndef SC_GEARS_H
#define SC_GEARS_H

#include "model/joints.h"
#include "problem/problem.h"

/* Computes the housing's part of the Jacobian of a gear or rack row, in *third. housing: row of sc_bodies.
 * length: length L of the row (joints.c) [m]. scale: length that scales the spin of the housing [m]. */
void sc_gear_third(const sc_bodies *bodies, const sc_joint *joint, const sc_joint_pose *pose, int32_t housing,
    double length, double scale, sc_joint_third *third);

#endif
