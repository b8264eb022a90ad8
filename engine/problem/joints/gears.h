/* Computes the contribution of the housing to the rows of gears and racks. */
#ifndef SC_GEARS_H
#define SC_GEARS_H

#include "model/joints.h"
#include "problem/problem.h"

/* Computes the part of the housing in the row of a gear or rack. housing: row of bodies. length: L of the row
 * (joints.c). scale: length by which the spin of the housing is scaled [m]. */
void sc_gear_third(const sc_bodies *bodies, const sc_joint *joint, const sc_joint_pose *pose, int32_t housing,
    double length, double scale, sc_joint_third *third);

#endif
