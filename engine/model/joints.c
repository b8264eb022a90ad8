/* The table of joints: anchors and axes in the bodies' frames, and what is measured on them. */
#include "model/joints.h"

#include <string.h>
#include "math/vec.h"

void sc_joints_free(sc_joints *joints) {
  sc_free(joints->row);
  sc_ties_free(&joints->ties);
  memset(joints, 0, sizeof *joints);
}

/* atan of x in [0, 1] by three halvings of the angle and a short series: + - * / sqrt only, the same
 * bits everywhere. */
static double small_atan(double x) {
  double sum = 0;
  for (int i = 0; i < 3; i++) x = x / (1 + sqrt(1 + x * x));
  for (int k = 12; k >= 0; k--) sum = 1.0 / (2 * k + 1) - x * x * sum;
  return 8 * x * sum;
}

static double angle_of(double y, double x) {
  const double pi = 3.14159265358979323846;
  double ax = fabs(x), ay = fabs(y),
         a = ax == 0 && ay == 0 ? 0
      : ay <= ax                ? small_atan(ay / ax)
                                : pi / 2 - small_atan(ax / ay);
  if (x < 0) a = pi - a;
  return y < 0 ? -a : a;
}

static void ground(double x[3], double q[4]) {
  sc_set3(0, 0, 0, x);
  q[0] = 1;
  q[1] = q[2] = q[3] = 0;
}

static bool place_body(const sc_bodies *bodies, scree_id id, int32_t *row, double x[3], double q[4]) {
  *row = -1;
  ground(x, q);
  if (!id) return true;
  *row = sc_bodies_row(bodies, id);
  if (*row < 0) return false;
  sc_copy3(bodies->position[*row], x);
  memcpy(q, bodies->orientation[*row], 4 * sizeof *q);
  return true;
}

static void to_world(const double x[3], const double q[4], const double local[3], double out[3]) {
  sc_quat_rotate(q, local, out);
  sc_add(x, out, out);
}

bool sc_joint_place(const sc_bodies *bodies, const sc_joint *joint, sc_joint_pose *pose) {
  SC_ASSERT(bodies && joint && pose);
  if (!place_body(bodies, joint->def.a, &pose->row1, pose->x1, pose->q1)) return false;
  if (!place_body(bodies, joint->def.b, &pose->row2, pose->x2, pose->q2)) return false;
  to_world(pose->x1, pose->q1, joint->anchor1, pose->p1);
  to_world(pose->x2, pose->q2, joint->anchor2, pose->p2);
  sc_quat_rotate(pose->q1, joint->axis1, pose->axis1);
  sc_quat_rotate(pose->q2, joint->axis2, pose->axis2);
  return true;
}

int sc_joint_freedom(int type) {
  switch (type) {
  case SCREE_JOINT_HINGE: return 1;
  case SCREE_JOINT_SLIDER:
  case SCREE_JOINT_CYLINDRICAL: return 2;
  case SCREE_JOINT_DISTANCE: return 3;
  default: return 0;
  }
}

/* Angle of a's side against b's about the axis, with as many turns as bring it nearest to the last. */
static double measure_angle(const sc_joint *joint, const sc_joint_pose *pose) {
  const double turn = 6.283185307179586477;
  double side1[3], side2[3], across[3];
  sc_quat_rotate(pose->q1, joint->side1, side1);
  sc_quat_rotate(pose->q2, joint->side2, side2);
  sc_cross(side2, side1, across);
  double angle = angle_of(sc_dot(across, pose->axis2), sc_dot(side1, side2)),
         turns = (joint->position - angle) / turn;
  return angle + turn * floor(turns + 0.5);
}

double sc_joint_measure(const sc_joint *joint, const sc_joint_pose *pose) {
  SC_ASSERT(joint && pose);
  double d[3];
  sc_sub(pose->p1, pose->p2, d);
  switch (sc_joint_freedom(joint->def.type)) {
  case 1: return measure_angle(joint, pose);
  case 2: return sc_dot(d, pose->axis2);
  case 3: return sc_norm(d);
  default: return 0;
  }
}

/* The ties of a joint: each of its bodies with 0, and both where they must not touch. */
typedef struct tie {
  scree_id one, two;
} tie;
static int ties_of(const scree_joint_def *def, tie out[3]) {
  int count = 0;
  out[count++] = (tie){def->a, 0};
  if (def->b && def->b != def->a) out[count++] = (tie){def->b, 0};
  if (def->b && !def->collide) out[count++] = (tie){def->a, def->b};
  return count;
}

static bool tie_joint(sc_joints *joints, const scree_joint_def *def) {
  tie all[3];
  int count = ties_of(def, all), k = 0;
  while (k < count && sc_ties_add(&joints->ties, all[k].one, all[k].two)) k++;
  for (int done = k; k < count && done > 0;)
    done--, sc_ties_drop(&joints->ties, all[done].one, all[done].two);
  return k == count;
}

bool sc_joints_tie_all(sc_joints *joints) {
  sc_ties_free(&joints->ties);
  for (int32_t i = 0; i < joints->count; i++)
    if (!tie_joint(joints, &joints->row[i].def)) return false;
  return true;
}

sc_joint *sc_joints_add(sc_joints *joints, const sc_bodies *bodies, const scree_joint_def *def) {
  SC_ASSERT(joints && bodies && def);
  if (!SC_GROW(joints->row, joints->capacity, (size_t)joints->count + 1)) return NULL;
  sc_joint *joint = joints->row + joints->count;
  memset(joint, 0, sizeof *joint);
  joint->def = *def;
  sc_joint_pose pose;
  if (!sc_joint_place(bodies, joint, &pose) || !tie_joint(joints, def)) return NULL;
  // anchors and axes into the bodies' frames
  bool own_axis = def->type == SCREE_JOINT_UNIVERSAL || def->type == SCREE_JOINT_GEAR ||
      def->type == SCREE_JOINT_RACK;
  double axis1[3], axis2[3], side[3], other[3], d[3];
  sc_normalise(def->axis, axis1);
  sc_normalise(own_axis ? def->axis_b : def->axis, axis2);
  sc_frame(axis1, side, other);
  sc_sub(def->at, pose.x1, d);
  sc_quat_unrotate(pose.q1, d, joint->anchor1);
  sc_sub(def->type == SCREE_JOINT_DISTANCE ? def->at_b : def->at, pose.x2, d);
  sc_quat_unrotate(pose.q2, d, joint->anchor2);
  sc_quat_unrotate(pose.q1, axis1, joint->axis1);
  sc_quat_unrotate(pose.q2, axis2, joint->axis2);
  sc_quat_unrotate(pose.q1, side, joint->side1);
  sc_quat_unrotate(pose.q2, side, joint->side2);
  const double back[4] = {pose.q1[0], -pose.q1[1], -pose.q1[2], -pose.q1[3]};
  sc_quat_mul(back, pose.q2, joint->relative);
  // what the distance is kept at
  sc_joint_place(bodies, joint, &pose);
  joint->position = sc_joint_measure(joint, &pose);
  if (def->type == SCREE_JOINT_DISTANCE && def->length < 0) joint->def.length = joint->position;
  joint->id = ++joints->serial;
  joints->count++;
  return joint;
}

void sc_joints_remove(sc_joints *joints, int32_t row) {
  tie all[3];
  SC_ASSERT(row >= 0 && row < joints->count);
  int count = ties_of(&joints->row[row].def, all);
  for (int k = 0; k < count; k++) sc_ties_drop(&joints->ties, all[k].one, all[k].two);
  memmove(joints->row + row, joints->row + row + 1, (size_t)(joints->count - row - 1) * sizeof *joints->row);
  joints->count--;
}

int32_t sc_joints_find(const sc_joints *joints, uint64_t id) {
  int32_t low = 0, high = joints->count;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (joints->row[middle].id < id) low = middle + 1;
    else high = middle;
  }
  return low < joints->count && joints->row[low].id == id ? low : -1;
}
