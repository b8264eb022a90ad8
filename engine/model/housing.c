/* Housings of gears and racks.
 *
 * The wheels of a gear rotate on axles in a housing. The ratio applies to rotations relative to the housing,
 * and the reaction acts on the housing. A scene may name the housing. Otherwise the housing is the body to
 * which axles connect both wheels. Axles may be created before or after the gear. */
#include "math/turn/turn.h"
#include "math/vec.h"
#include "model/angle.h"
#include "model/housing.h"
#include "model/joints.h"

/* Returns true if a joint of this type can be the axle of a wheel or, if `slides`, the guide of a rack. */
static bool is_axle(int type, bool slides) {
  return type == SCREE_JOINT_HINGE || type == SCREE_JOINT_CYLINDRICAL ||
      (slides && type == SCREE_JOINT_SLIDER);
}

/* Returns true if the joint is an axle of the body `wheel`. Sets *in to the other body of the joint (0: the
 * ground). slides: true if sliders count as axles. */
static bool is_axle_of(const sc_joint *joint, scree_id wheel, bool slides, scree_id *in) {
  const scree_joint_def *def = &joint->def;
  if (!is_axle(def->type, slides) || (def->a != wheel && def->b != wheel)) return false;
  *in = def->a == wheel ? def->b : def->a;
  return true;
}

/* Returns true if an axle connects `wheel` to the body `in`. slides: true if sliders count as axles. */
static bool turns_in(const sc_joints *joints, scree_id wheel, bool slides, scree_id in) {
  scree_id other;
  for (int32_t i = joints->count - 1; i >= 0; i--)
    if (is_axle_of(joints->row + i, wheel, slides, &other) && other == in) return true;
  return false;
}

void sc_joints_house(const sc_joints *joints, const sc_bodies *bodies, scree_joint_def *def) {
  scree_id in;
  if (!sc_joint_geared(def->type) || def->frame) def->find_frame = 0;
  if (bodies->cell && def->type == SCREE_JOINT_RACK)
    def->find_frame = 0; // in a cell, the periodic image of the rack is not known
  for (int32_t i = joints->count - 1; i >= 0 && def->find_frame; i--) {
    if (!is_axle_of(joints->row + i, def->a, false, &in) ||
        !turns_in(joints, def->b, def->type == SCREE_JOINT_RACK, in))
      continue;
    def->frame = in;
    def->find_frame = 0;
  }
}

/* Returns the row of body a (which = 0) or b (which = 1); -1 for the ground. */
static int32_t row_of_side(const sc_bodies *bodies, const sc_joint *joint, int which) {
  return sc_bodies_row(bodies, which ? joint->def.b : joint->def.a);
}

/* Sets out to the orientation of body a (which = 0) or b (which = 1) relative to the housing. */
static void turn_in_housing(const sc_bodies *bodies, const sc_joint *joint, int which, double out[4]) {
  static const double none[4] = {1, 0, 0, 0};
  const int32_t row = row_of_side(bodies, joint, which), housing = sc_bodies_row(bodies, joint->def.frame);
  const double *q = bodies->orientation[housing], back[4] = {q[0], -q[1], -q[2], -q[3]};
  sc_quat_mul(back, row < 0 ? none : (const double *)bodies->orientation[row], out);
}

/* Returns the position of the rack b along its direction of motion, relative to the centre of the housing
 * [m]. */
static double place_of_rack(const sc_bodies *bodies, const sc_joint *joint) {
  const int32_t row = row_of_side(bodies, joint, 1), housing = sc_bodies_row(bodies, joint->def.frame);
  double axis[3], from[3], at[3] = {0, 0, 0};
  sc_copy3(joint->axis2, axis);
  if (row >= 0)
    sc_copy3(bodies->position[row], at), sc_quat_rotate(bodies->orientation[row], joint->axis2, axis);
  sc_sub(at, bodies->position[housing], from);
  return sc_dot(axis, from);
}

void sc_joint_refer(const sc_bodies *bodies, sc_joint *joint) {
  for (int which = 0; which < 2; which++) {
    turn_in_housing(bodies, joint, which, joint->housed[which]);
    joint->position[which] = 0;
  }
  joint->travel = joint->def.type == SCREE_JOINT_RACK ? place_of_rack(bodies, joint) : 0;
}

double sc_joint_against_housing(const sc_bodies *bodies, const sc_joint *joint, int which) {
  if (which && joint->def.type == SCREE_JOINT_RACK) return place_of_rack(bodies, joint) - joint->travel;
  const double *from = joint->housed[which], back[4] = {from[0], -from[1], -from[2], -from[3]};
  double now[4], turned[4];
  turn_in_housing(bodies, joint, which, now);
  sc_quat_mul(back, now, turned);
  const double along = sc_dot(turned + 1, which ? joint->axis2 : joint->axis1);
  return sc_nearest_turn(2 * sc_angle_of(along, turned[0]), joint->position[which]);
}

double sc_joint_off_ratio(const sc_joint *joint, const double position[2]) {
  const double ratio = joint->def.ratio;
  return joint->def.type == SCREE_JOINT_RACK ? position[1] - ratio * position[0]
                                             : position[0] + ratio * position[1];
}

bool sc_joints_house_others(sc_joints *joints, const sc_bodies *bodies, int32_t row) {
  const scree_joint_def *axle = &joints->row[row].def;
  if (!joints->homeless || !is_axle(axle->type, true)) return true;
  for (int32_t i = 0; i < joints->count && joints->homeless; i++) {
    scree_joint_def *def = &joints->row[i].def, housed = *def;
    if (!def->find_frame ||
        (def->a != axle->a && def->a != axle->b && def->b != axle->a && def->b != axle->b))
      continue;
    sc_joints_house(joints, bodies, &housed);
    if (housed.frame && !sc_ties_add(&joints->ties, housed.frame, 0)) return false;
    joints->housed += housed.frame != 0;
    joints->homeless -= !housed.find_frame;
    *def = housed;
    if (def->frame) sc_joint_refer(bodies, joints->row + i);
  }
  return true;
}

/* Returns true if an axle connects `wheel` to a body that is not fixed. slides: true if sliders count as
 * axles. */
static bool turns_on_board(const sc_joints *joints, const sc_bodies *bodies, scree_id wheel, bool slides) {
  scree_id in;
  for (int32_t i = joints->count - 1; i >= 0; i--) {
    if (!is_axle_of(joints->row + i, wheel, slides, &in) || !in) continue;
    const int32_t body = sc_bodies_row(bodies, in);
    if (body >= 0 && bodies->kind[body] != SCREE_FIXED) return true;
  }
  return false;
}

bool sc_joints_astray(const sc_joints *joints, const sc_bodies *bodies, int32_t row) {
  const scree_joint_def *def = &joints->row[row].def;
  if (!sc_joint_geared(def->type) || !def->find_frame) return false;
  return turns_on_board(joints, bodies, def->a, false) ||
      (def->b && turns_on_board(joints, bodies, def->b, def->type == SCREE_JOINT_RACK));
}

bool sc_joints_idle_frame(const sc_joints *joints, int32_t row) {
  const scree_joint_def *def = &joints->row[row].def;
  return sc_joint_geared(def->type) && def->frame && !turns_in(joints, def->a, false, def->frame) &&
      !(def->b && turns_in(joints, def->b, def->type == SCREE_JOINT_RACK, def->frame));
}
