/* Joints to rows of a problem. */
#ifndef SC_PROBLEM_JOINTS_H
#define SC_PROBLEM_JOINTS_H

#include <math.h>
#include "model/joints.h"
#include "problem/problem.h"

/* Rows of all joints with the bodies as they stand, into problem->joint_row; impulses of the last step
 * times warm_start in place. feedback: share of an error taken back per step, at most at the speed
 * max_correction [m/s] (0: any). Measures positions of joints. displace: rows for a correction of
 * positions instead: held directions and limits that are passed, the error itself in place of a
 * velocity, impulses 0. */
scree_status sc_joints_assemble(sc_joints *joints, const sc_bodies *bodies, double dt, double feedback,
    double max_correction, double warm_start, bool displace, sc_arena *arena, sc_problem *problem,
    scree_error *error);
/* Length of a body's spin, 1 of the ground's; L, the larger length of the bodies that move. */
double sc_joint_length(const sc_bodies *bodies, int32_t row);
double sc_joint_common_length(const sc_bodies *bodies, const sc_joint_pose *pose);
/* Whether a row is held (neither boxed nor one-sided). */
static inline bool sc_joint_row_held(const sc_joint_row *row) {
  return row->lo == -INFINITY && row->hi == INFINITY;
}

#endif
