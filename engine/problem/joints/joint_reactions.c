/* Stores the impulses of joint rows in the joints: reactions, efforts of motors, and impulses for the warm
 * start of the next step. */
#include "problem/joints/joint_reactions.h"

#include <math.h>
#include "math/vec.h"
#include "problem/joints/joints.h"
#include "problem/operator/delassus.h"

/* Sets arm to the vector from the centre of body a to the joint's point, world axes [m]. */
static void arm_of(const sc_joint *joint, const sc_bodies *bodies, int32_t a, double arm[3]) {
  double point[3];
  sc_quat_rotate(bodies->orientation[a], joint->anchor1, point);
  sc_add(bodies->position[a], point, point);
  sc_sub(point, bodies->position[a], arm);
}

/* Returns the length that turns the units of a row along a free direction into those of the direction. */
static double unit_of(const sc_joint *joint, const sc_bodies *bodies, const sc_joint_row *row, int which) {
  const int32_t two = row->j < bodies->count ? row->j : -1;
  return sc_joint_freedom(joint->def.type, which) == 1 ? sc_joint_common_length(bodies, row->i, two) : 1;
}

static void add_effort(
    sc_joint *joint, const sc_bodies *bodies, const sc_joint_row *row, double s1, double dt) {
  if (row->free) joint->effort[row->free - 1] += row->x / dt * unit_of(joint, bodies, row, row->free - 1);
  else sc_axpy(row->x * s1 / dt, row->ang1, joint->effort + 2, joint->effort + 2);
}

/* Adds to force and torque the mean force of a row on body a over dt, and its torque about the joint's
 * point. */
static void add_reaction(
    const double arm[3], double s1, const sc_joint_row *row, double dt, double force[3], double torque[3]) {
  double pull[3], turn[3], moment[3];
  sc_scale(row->x / dt, row->lin1, pull);
  sc_scale(row->x * s1 / dt, row->ang1, turn);
  sc_cross(arm, pull, moment);
  sc_sub(turn, moment, turn);
  sc_add(force, pull, force);
  sc_add(torque, turn, torque);
}

void sc_joint_turn_rotor(sc_joint *joint, const sc_bodies *bodies, const sc_joint_row *row) {
  if (!row->rotor) return;
  joint->rotor[row->rotor - 1] = sc_joint_row_rotor(row) / unit_of(joint, bodies, row, row->rotor - 1);
}

void sc_joint_add_impact(sc_joint *joint, const sc_bodies *bodies, const sc_joint_row *row) {
  double arm[3];
  arm_of(joint, bodies, row->i, arm);
  add_reaction(arm, sc_joint_length(bodies, row->i), row, 1, joint->impact, joint->impact + 3);
}

/* Returns true if a row belongs to the friction of a ball joint. */
static bool is_ball_friction(const sc_joint *joint, const sc_joint_row *row) {
  return joint->def.type == SCREE_JOINT_BALL && !row->free && !row->motor && row->hi < INFINITY;
}

/* Adds the reactions of rows first .. end - 1 to the force and torque of their joint. */
static void add_reactions(
    sc_joint *joint, const sc_bodies *bodies, const sc_problem *problem, int32_t first, int32_t end) {
  double arm[3];
  if (first == end) return;
  const int32_t a = problem->joint_row[first].i;
  const double s1 = sc_joint_length(bodies, a);
  arm_of(joint, bodies, a, arm);
  sc_set3(0, 0, 0, joint->friction);
  for (int32_t r = first; r < end; r++) {
    const sc_joint_row *row = problem->joint_row + r;
    add_reaction(arm, s1, row, problem->dt, joint->force, joint->torque);
    if (is_ball_friction(joint, row)) sc_axpy(s1 * row->x, row->ang1, joint->friction, joint->friction);
    if (row->motor) add_effort(joint, bodies, row, s1, problem->dt);
    sc_joint_turn_rotor(joint, bodies, row);
  }
}

/* Returns the row after the last row of a joint whose rows begin at `first`. Returns `first` if the joint has
 * no rows. */
static int32_t end_of(const sc_problem *problem, int32_t joint, int32_t first) {
  int32_t end = first;
  while (end < problem->joint_rows && problem->joint_row[end].joint == joint) end++;
  return end;
}

int32_t sc_joint_load(const sc_joints *joints, const sc_bodies *bodies, const sc_problem *problem,
    int32_t joint, int32_t first, double force[3], double torque[3]) {
  const int32_t end = end_of(problem, joint, first);
  double arm[3];
  sc_set3(0, 0, 0, force), sc_set3(0, 0, 0, torque);
  if (first == end) return end;
  const int32_t a = problem->joint_row[first].i;
  arm_of(joints->row + joint, bodies, a, arm);
  for (int32_t r = first; r < end; r++)
    add_reaction(arm, sc_joint_length(bodies, a), problem->joint_row + r, problem->dt, force, torque);
  return end;
}

void sc_joints_react(sc_joints *joints, const sc_bodies *bodies, const sc_problem *problem) {
  for (int32_t r = 0, end; r < problem->joint_rows; r = end) {
    const int32_t joint = problem->joint_row[r].joint;
    end = end_of(problem, joint, r);
    add_reactions(joints->row + joint, bodies, problem, r, end);
  }
}

/* Stores the impulses of a joint's rows. Adds the step's error of a gear or rack without a housing to
 * sc_joint.travel. */
static void store_impulses(sc_joint *joint, const sc_problem *problem, int32_t first, int32_t end) {
  const bool sums = sc_joint_geared(joint->def.type) && !sc_joint_framed(joint);
  for (int32_t r = first; r < end; r++) {
    const sc_joint_row *row = problem->joint_row + r;
    joint->x[r - first] = row->x;
    if (sums) joint->travel += problem->dt * sc_problem_joint_velocity(problem, row);
  }
  sc_copy3(joint->effort + 2, joint->held);
}

void sc_joints_keep(sc_joints *joints, const sc_bodies *bodies, const sc_problem *problem) {
  int32_t row = 0;
  for (int32_t i = 0; i < joints->count; i++) {
    const int32_t first = row;
    sc_joint *joint = joints->row + i;
    if (i + SC_JOINTS_AHEAD < joints->count) sc_joint_fetch(joint + SC_JOINTS_AHEAD);
    if (!sc_joint_rests(bodies, joint)) sc_joint_forget(joint);
    row = end_of(problem, i, first);
    if (row == first && sc_joint_rests(bodies, joint)) joint->rotor[0] = joint->rotor[1] = 0;
    add_reactions(joint, bodies, problem, first, row);
    store_impulses(joint, problem, first, row);
  }
}
