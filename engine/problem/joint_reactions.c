/* What rows of joints have given goes back to the joints: reactions, efforts of motors, impulses to start
 * the next step from. */
#include "problem/joint_reactions.h"

#include "math/vec.h"
#include "problem/joints.h"

/* Adds a row's wrench on a, the torque about the joint's point. */
static void add_reaction(sc_joint *joint, const sc_joint_pose *pose, double s1, double length,
    const sc_joint_row *row, double dt) {
  double force[3], torque[3], arm[3], moment[3];
  sc_scale(row->x / dt, row->lin1, force);
  sc_scale(row->x * s1 / dt, row->ang1, torque);
  sc_sub(pose->p1, pose->x1, arm);
  sc_cross(arm, force, moment);
  sc_sub(torque, moment, torque);
  sc_add(joint->force, force, joint->force);
  sc_add(joint->torque, torque, joint->torque);
  if (!row->motor) return;
  if (!row->free) sc_axpy(row->x * s1 / dt, row->ang1, joint->effort + 2, joint->effort + 2);
  else
    joint->effort[row->free - 1] += row->x / dt *
        (sc_joint_freedom(joint->def.type, row->free - 1) == 1 ? length : 1);
}

void sc_joints_react(sc_joints *joints, const sc_bodies *bodies, const sc_problem *problem) {
  sc_joint_pose pose;
  double s1 = 1, length = 1;
  for (int32_t r = 0, placed = 0; r < problem->joint_rows; r++) {
    const sc_joint_row *row = problem->joint_row + r;
    sc_joint *joint = joints->row + row->joint;
    if (r == 0 || row[-1].joint != row->joint) {
      if (row->joint + SC_JOINTS_AHEAD < joints->count) sc_joint_fetch(joint + SC_JOINTS_AHEAD);
      placed = sc_joint_place_points(bodies, joint, &pose);
      if (placed) s1 = sc_joint_length(bodies, pose.row1), length = sc_joint_common_length(bodies, &pose);
    }
    if (placed) add_reaction(joint, &pose, s1, length, row, problem->dt);
  }
}

void sc_joints_keep(sc_joints *joints, const sc_bodies *bodies, const sc_problem *problem) {
  for (int32_t i = 0; i < joints->count; i++) {
    if (i + SC_JOINTS_AHEAD < joints->count) sc_joint_fetch(joints->row + i + SC_JOINTS_AHEAD);
    if (!sc_joint_rests(bodies, joints->row + i)) sc_joint_forget(joints->row + i);
  }
  sc_joints_react(joints, bodies, problem);
  for (int32_t r = 0, k = 0; r < problem->joint_rows; r++, k++) {
    const sc_joint_row *row = problem->joint_row + r;
    sc_joint *joint = joints->row + row->joint;
    if (r > 0 && row[-1].joint != row->joint) k = 0;
    joint->x[k] = row->x;
    if (joint->def.type == SCREE_JOINT_GEAR || joint->def.type == SCREE_JOINT_RACK)
      joint->travel += problem->dt * sc_problem_joint_velocity(problem, row);
  }
  for (int32_t i = 0; i < joints->count; i++) sc_copy3(joints->row[i].effort + 2, joints->row[i].held);
}
