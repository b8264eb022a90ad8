/* The table of joints: adds and removes joints and bonds, and computes positions, angles and energies of
 * joints from the poses of their bodies. */
#include "model/housing.h"
#include "model/joints.h"

#include <string.h>
#include "math/turn/turn.h"
#include "math/vec.h"
#include "model/angle.h"
#include "model/rest.h"

void sc_joints_free(sc_joints *joints) {
  sc_free(joints->row);
  sc_free(joints->trait);
  sc_free(joints->broken);
  sc_free(joints->yield);
  sc_ties_free(&joints->ties);
  sc_bonds_free(&joints->bonds);
  memset(joints, 0, sizeof *joints);
}

static void set_ground_pose(double x[3], double q[4]) {
  sc_set3(0, 0, 0, x);
  q[0] = 1;
  q[1] = q[2] = q[3] = 0;
}

static void place_body(const sc_bodies *bodies, int32_t row, double x[3], double q[4]) {
  if (row < 0) {
    set_ground_pose(x, q);
    return;
  }
  sc_copy3(bodies->position[row], x);
  memcpy(q, bodies->orientation[row], 4 * sizeof *q);
}

static void to_world(const double x[3], const double q[4], const double local[3], double out[3]) {
  sc_quat_rotate(q, local, out);
  sc_add(x, out, out);
}

void sc_joint_place_rows(
    const sc_bodies *bodies, const sc_joint *joint, const int32_t row[2], sc_joint_pose *pose) {
  pose->row1 = row[0], pose->row2 = row[1];
  place_body(bodies, row[0], pose->x1, pose->q1);
  place_body(bodies, row[1], pose->x2, pose->q2);
  if (bodies->cell) {
    double shift[3];
    sc_cell_shift(bodies->cell, &joint->image, shift);
    sc_add(pose->x2, shift, pose->x2);
  }
  to_world(pose->x1, pose->q1, joint->anchor1, pose->p1);
  to_world(pose->x2, pose->q2, joint->anchor2, pose->p2);
}

bool sc_joint_place_points(const sc_bodies *bodies, const sc_joint *joint, sc_joint_pose *pose) {
  SC_ASSERT(bodies && joint && pose);
  const scree_joint_def *def = &joint->def;
  const int32_t row[2] = {sc_bodies_row(bodies, def->a), sc_bodies_row(bodies, def->b)};
  if (row[0] < 0 || (def->b && row[1] < 0)) return false;
  sc_joint_place_rows(bodies, joint, row, pose);
  return true;
}

bool sc_joint_place(const sc_bodies *bodies, const sc_joint *joint, sc_joint_pose *pose) {
  if (!sc_joint_place_points(bodies, joint, pose)) return false;
  sc_quat_rotate(pose->q1, joint->axis1, pose->axis1);
  sc_quat_rotate(pose->q2, joint->axis2, pose->axis2);
  return true;
}

int sc_joint_freedom(int type, int which) {
  switch (type) {
  case SCREE_JOINT_HINGE: return which ? 0 : 1;
  case SCREE_JOINT_SLIDER: return which ? 0 : 2;
  case SCREE_JOINT_CYLINDRICAL: return which ? 1 : 2;
  case SCREE_JOINT_UNIVERSAL:
  case SCREE_JOINT_BALL: return 1;
  case SCREE_JOINT_DISTANCE: return which ? 0 : 3;
  default: return 0;
  }
}

int scree_joint_freedom(int type, int which) {
  const int kind = type == SCREE_JOINT_FIXED && !which ? 2 : sc_joint_freedom(type, which);
  return kind < 2 ? kind : 2;
}

/* Returns the angle about an axis from direction `from` to direction `to` [rad]. */
static double angle_about(const double axis[3], const double from[3], const double to[3]) {
  double across[3];
  sc_cross(from, to, across);
  return sc_angle_of(sc_dot(across, axis), sc_dot(to, from));
}

/* Returns the angle of a's side vector relative to b's side vector about the axis of a hinge or cylindrical
 * joint [rad]. */
static double measure_hinge(const sc_joint *joint, const sc_joint_pose *pose) {
  double side1[3], side2[3];
  sc_quat_rotate(pose->q1, joint->side1, side1);
  sc_quat_rotate(pose->q2, joint->side2, side2);
  return angle_about(pose->axis2, side2, side1);
}

/* Returns an angle of a universal joint [rad]. which = 0: from b's axis to a's side vector, about a's axis.
 * which = 1: from b's side vector to a's axis, about b's axis. */
static double measure_universal(const sc_joint *joint, const sc_joint_pose *pose, int which) {
  double side[3];
  sc_quat_rotate(which ? pose->q2 : pose->q1, which ? joint->side2 : joint->side1, side);
  return which ? angle_about(pose->axis2, side, pose->axis1) : angle_about(pose->axis1, pose->axis2, side);
}

static double measure_swing(const sc_joint_pose *pose) {
  double across[3];
  sc_cross(pose->axis2, pose->axis1, across);
  return sc_angle_of(sc_norm(across), sc_dot(pose->axis1, pose->axis2));
}

/* Returns the twist of a ball joint: the angle of a's side vector relative to b's side vector about a's axis
 * [rad]. b's side vector is first rotated by the shortest rotation that aligns b's axis with a's axis. */
static double measure_twist(const sc_joint *joint, const sc_joint_pose *pose) {
  double c[3], once[3], twice[3], side1[3], side2[3], open = 1 + sc_dot(pose->axis1, pose->axis2);
  sc_quat_rotate(pose->q1, joint->side1, side1);
  sc_quat_rotate(pose->q2, joint->side2, side2);
  sc_cross(pose->axis2, pose->axis1, c);
  sc_cross(c, side2, once);
  sc_cross(c, once, twice);
  sc_add(side2, once, side2);
  if (open > 1e-12) sc_axpy(1 / open, twice, side2, side2);
  return angle_about(pose->axis1, side2, side1);
}

double sc_joint_measure(const sc_joint *joint, const sc_joint_pose *pose, int which) {
  SC_ASSERT(joint && pose);
  double d[3], last = joint->position[which];
  sc_sub(pose->p1, pose->p2, d);
  switch (joint->def.type) {
  case SCREE_JOINT_HINGE: return which ? 0 : sc_nearest_turn(measure_hinge(joint, pose), last);
  case SCREE_JOINT_SLIDER: return which ? 0 : sc_dot(d, pose->axis2);
  case SCREE_JOINT_CYLINDRICAL:
    return which ? sc_nearest_turn(measure_hinge(joint, pose), last) : sc_dot(d, pose->axis2);
  case SCREE_JOINT_UNIVERSAL: return sc_nearest_turn(measure_universal(joint, pose, which), last);
  case SCREE_JOINT_BALL:
    if (!(sc_dot(joint->def.axis, joint->def.axis) > 0)) return 0;
    return which ? measure_swing(pose) : sc_nearest_turn(measure_twist(joint, pose), last);
  case SCREE_JOINT_DISTANCE: return which ? 0 : sc_norm(d);
  default: return 0;
  }
}

bool sc_joint_direction(const sc_joint *joint, const sc_joint_pose *pose, int which, double d[3]) {
  SC_ASSERT(joint && pose);
  double open = 1 + sc_dot(pose->axis1, pose->axis2);
  switch (joint->def.type) {
  case SCREE_JOINT_UNIVERSAL: sc_copy3(which ? pose->axis2 : pose->axis1, d); return true;
  case SCREE_JOINT_DISTANCE: sc_sub(pose->p1, pose->p2, d); return sc_normalise(d, d) > 0;
  case SCREE_JOINT_BALL:
    if (which) {
      sc_cross(pose->axis2, pose->axis1, d);
      return sc_normalise(d, d) > 0;
    }
    sc_add(pose->axis1, pose->axis2, d);
    sc_scale(1 / fmax(open, 1e-12), d, d);
    return true;
  default: sc_copy3(pose->axis2, d); return true;
  }
}

/* Sets out to the quaternion of the rotation of a relative to b since the joint was created, in world
 * axes. */
static void turn_quat(const sc_joint *joint, const sc_joint_pose *pose, double out[4]) {
  const double *q = pose->q2, back[4] = {q[0], -q[1], -q[2], -q[3]};
  double whole[4];
  sc_quat_mul(pose->q1, joint->relative, whole);
  sc_quat_mul(whole, back, out);
}

void sc_joint_turned(const sc_joint *joint, const sc_joint_pose *pose, double out[3]) {
  double off[4];
  turn_quat(joint, pose, off);
  for (int k = 0; k < 3; k++) out[k] = off[0] < 0 ? -2 * off[k + 1] : 2 * off[k + 1];
}

/* Sets out to the rotation vector of a unit quaternion. Its angle is at most pi. */
static void rotation_vector(const double q[4], double out[3]) {
  double sine = sc_norm(q + 1), factor = sine > 0 ? 2 * sc_angle_of(sine, fabs(q[0])) / sine : 2;
  sc_scale(q[0] < 0 ? -factor : factor, q + 1, out);
}

void sc_joint_rotation(const sc_joint *joint, const sc_joint_pose *pose, double out[3]) {
  double turned[4];
  turn_quat(joint, pose, turned);
  rotation_vector(turned, out);
}

void sc_joint_along(const sc_joint *joint, const sc_joint_pose *pose, const double vector[3], double out[3]) {
  sc_quat_unrotate(joint->placed, vector, out);
  sc_quat_rotate(pose->q2, out, out);
}

void sc_joint_turn(const sc_joint *joint, const sc_joint_pose *pose, double out[3]) {
  sc_joint_rotation(joint, pose, out);
  sc_quat_unrotate(pose->q2, out, out);
  sc_quat_rotate(joint->placed, out, out);
}

void sc_joint_turn_off(const sc_joint *joint, const sc_joint_pose *pose, double out[3]) {
  double turned[4], back[4], off[4];
  back[0] = -joint->def.turn_servo.target[0];
  sc_joint_along(joint, pose, joint->def.turn_servo.target + 1, back + 1);
  turn_quat(joint, pose, turned);
  sc_quat_mul(turned, back, off);
  rotation_vector(off, out);
}

void scree_quat_of_turn(const double turn[3], double out[4]) {
  SC_DEMAND(turn && out, NULL, );
  static const double none[4] = {1, 0, 0, 0};
  sc_turn(none, turn, 1, out);
}

double sc_joint_elastic(const sc_joint *joint, const sc_joint_pose *pose) {
  const scree_joint_def *def = &joint->def;
  double sum = 0, d[3];
  for (int which = 0; which < 2; which++) {
    const scree_drive *drive = sc_joint_drive(joint, which);
    if (!(drive->stiffness > 0) || !sc_joint_freedom(def->type, which)) continue;
    double stretch = sc_joint_measure(joint, pose, which) - drive->rest;
    sum += drive->stiffness * stretch * stretch / 2;
  }
  if (def->turn_stiffness > 0) {
    sc_joint_rotation(joint, pose, d);
    sum += def->turn_stiffness * sc_dot(d, d) / 2;
  }
  if (def->type == SCREE_JOINT_FIXED && def->drive.stiffness > 0) {
    sc_sub(pose->p1, pose->p2, d);
    sum += def->drive.stiffness * sc_dot(d, d) / 2;
  }
  return sum;
}

/* An entry of joints->ties. (body, 0): the body has a joint. (a, b): contacts between a and b are
 * excluded. */
typedef struct tie {
  scree_id one, two;
} tie;
enum { MOST_TIES = 4 };
static int ties_of(const scree_joint_def *def, tie out[MOST_TIES]) {
  int count = 0;
  out[count++] = (tie){def->a, 0};
  if (def->b && def->b != def->a) out[count++] = (tie){def->b, 0};
  if (def->b && !def->collide) out[count++] = (tie){def->a, def->b};
  if (def->frame) out[count++] = (tie){def->frame, 0};
  return count;
}

static bool tie_joint(sc_joints *joints, const scree_joint_def *def) {
  tie all[MOST_TIES];
  int count = ties_of(def, all), k = 0;
  while (k < count && sc_ties_add(&joints->ties, all[k].one, all[k].two)) k++;
  for (int done = k; k < count && done > 0;)
    done--, sc_ties_drop(&joints->ties, all[done].one, all[done].two);
  return k == count;
}

static scree_joint_def ties_of_bond(const sc_joints *joints, const sc_bond *bond) {
  return (scree_joint_def){
      .a = bond->a, .b = bond->b, .collide = sc_bond_glue(&joints->bonds, bond)->collide};
}

static void untie_joint(sc_joints *joints, const scree_joint_def *def) {
  tie all[MOST_TIES];
  int count = ties_of(def, all);
  for (int k = 0; k < count; k++) sc_ties_drop(&joints->ties, all[k].one, all[k].two);
}

static bool has_spring(const scree_joint_def *def) {
  return def->drive.stiffness > 0 || def->second.stiffness > 0 || def->turn_stiffness > 0;
}

static bool has_break_bound(const scree_joint_def *def) {
  return def->break_force < INFINITY || def->break_torque < INFINITY || def->break_energy < INFINITY ||
      def->break_tension < INFINITY || def->break_compression < INFINITY || def->break_shear < INFINITY ||
      def->break_bending < INFINITY || def->break_twist < INFINITY;
}

static bool is_plain_ball(const scree_joint_def *def) {
  return def->type == SCREE_JOINT_BALL && sc_drive_idle(&def->drive) && sc_drive_idle(&def->second) &&
      !(def->turn_stiffness > 0) && !(def->turn_damping > 0) && !sc_turn_servos(&def->turn_servo) &&
      !(sc_dot(def->axis, def->axis) > 0);
}

void sc_joints_tell(sc_joints *joints, int32_t row) {
  const scree_joint_def *def = &joints->row[row].def;
  joints->trait[row] = (uint8_t)((has_spring(def) ? SC_JOINT_STIFF : 0) |
      (has_break_bound(def) ? SC_JOINT_BREAKS : 0) | (is_plain_ball(def) ? SC_JOINT_PLAIN : 0));
}

/* Updates the numbers of gears and racks with a housing and without one (housed, homeless). change: 1 if the
 * joint was added, -1 if the joint was removed. */
static void count_housing(sc_joints *joints, const scree_joint_def *def, int32_t change) {
  if (def->frame) joints->housed += change;
  if (def->find_frame) joints->homeless += change;
}

bool sc_joints_tie_all(sc_joints *joints) {
  bool tied = SC_GROW(joints->trait, joints->trait_capacity, (size_t)joints->count);
  for (int32_t i = 0; i < joints->count && tied; i++) sc_joints_tell(joints, i);
  sc_ties_free(&joints->ties);
  joints->version++;
  joints->housed = joints->homeless = 0;
  for (int32_t i = 0; i < joints->count; i++) count_housing(joints, &joints->row[i].def, 1);
  for (int32_t i = 0; i < joints->count && tied; i++) tied = tie_joint(joints, &joints->row[i].def);
  for (int32_t i = 0; i < joints->bonds.count && tied; i++) {
    const scree_joint_def def = ties_of_bond(joints, joints->bonds.row + i);
    tied = tie_joint(joints, &def);
  }
  return tied;
}

static bool add_bond(sc_joints *joints, const sc_bodies *bodies, int32_t glue, const int32_t pair[2]) {
  sc_bonds *bonds = &joints->bonds;
  sc_bond *bond = bonds->row + bonds->count;
  *bond = sc_bond_make(bodies, pair[0], pair[1], bonds->glue + glue);
  bond->glue = glue;
  const scree_joint_def def = ties_of_bond(joints, bond);
  if (!tie_joint(joints, &def)) return false;
  bond->id = ++joints->serial;
  bonds->count++;
  return true;
}

bool sc_joints_bond(sc_joints *joints, const sc_bodies *bodies, const scree_glue *glue,
    const int32_t (*pair)[2], int32_t count) {
  sc_bonds *bonds = &joints->bonds;
  joints->version++;
  const int32_t before = bonds->count, kind = sc_bonds_glue(bonds, glue);
  if (kind < 0 || !SC_GROW_LEAN(bonds->row, bonds->capacity, (size_t)before + (size_t)count)) return false;
  for (int32_t i = 0; i < count; i++) {
    if (add_bond(joints, bodies, kind, pair[i])) continue;
    while (bonds->count > before) sc_joints_remove_bond(joints, bonds->count - 1);
    return false;
  }
  return true;
}

void sc_joints_remove_bond(sc_joints *joints, int32_t row) {
  sc_bonds *bonds = &joints->bonds;
  SC_ASSERT(row >= 0 && row < bonds->count);
  joints->version++;
  const scree_joint_def def = ties_of_bond(joints, bonds->row + row);
  untie_joint(joints, &def);
  memmove(bonds->row + row, bonds->row + row + 1, (size_t)(bonds->count - row - 1) * sizeof *bonds->row);
  bonds->count--;
}

void sc_joints_remove_bonds(
    sc_joints *joints, bool (*gone)(void *context, const sc_bond *bond), void *context) {
  sc_bonds *bonds = &joints->bonds;
  int32_t kept = 0;
  joints->version++;
  for (int32_t i = 0; i < bonds->count; i++) {
    if (!gone(context, bonds->row + i)) {
      bonds->row[kept++] = bonds->row[i];
      continue;
    }
    const scree_joint_def def = ties_of_bond(joints, bonds->row + i);
    untie_joint(joints, &def);
  }
  bonds->count = kept;
}

/* Sets out to the unit vector along the component of vector `of` that is perpendicular to the axis. If this
 * component is 0, sets out to any unit vector perpendicular to the axis. */
static void set_perpendicular(const double axis[3], const double of[3], double out[3]) {
  double other[3];
  sc_axpy(-sc_dot(axis, of), axis, of, out);
  if (!(sc_normalise(out, out) > 0)) sc_frame(axis, out, other);
}

sc_joint *sc_joints_add(sc_joints *joints, const sc_bodies *bodies, const scree_joint_def *def) {
  SC_ASSERT(joints && bodies && def);
  if (!SC_GROW(joints->row, joints->capacity, (size_t)joints->count + 1) ||
      !SC_GROW(joints->trait, joints->trait_capacity, (size_t)joints->count + 1))
    return NULL;
  sc_joint *joint = joints->row + joints->count;
  memset(joint, 0, sizeof *joint);
  joint->def = *def;
  for (int k = 0; k < 3; k++) joint->image.n[k] = def->image[k];
  sc_joint_pose pose;
  sc_joints_house(joints, bodies, &joint->def);
  if (!sc_joint_place(bodies, joint, &pose) || !tie_joint(joints, &joint->def)) return NULL;
  // converts anchors and axes to the bodies' frames
  bool own_axis = def->type == SCREE_JOINT_UNIVERSAL || sc_joint_geared(def->type);
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
  if (def->type == SCREE_JOINT_UNIVERSAL) set_perpendicular(axis1, axis2, side);
  sc_quat_unrotate(pose.q1, side, joint->side1);
  if (def->type == SCREE_JOINT_UNIVERSAL) set_perpendicular(axis2, axis1, side);
  sc_quat_unrotate(pose.q2, side, joint->side2);
  const double back[4] = {pose.q1[0], -pose.q1[1], -pose.q1[2], -pose.q1[3]};
  sc_quat_mul(back, pose.q2, joint->relative);
  memcpy(joint->placed, pose.q2, sizeof joint->placed);
  // sets the rest positions of springs and the length of a distance joint
  sc_joint_place(bodies, joint, &pose);
  for (int which = 0; which < 2; which++) {
    scree_drive *drive = which ? &joint->def.second : &joint->def.drive;
    joint->position[which] = sc_joint_measure(joint, &pose, which);
    if (isnan(drive->rest)) drive->rest = joint->position[which];
  }
  if (def->type == SCREE_JOINT_DISTANCE && def->length < 0) joint->def.length = joint->position[0];
  if (sc_joint_framed(joint)) sc_joint_refer(bodies, joint);
  joint->id = ++joints->serial;
  sc_joints_tell(joints, joints->count++);
  count_housing(joints, &joint->def, 1);
  joints->version++;
  if (!sc_joints_house_others(joints, bodies, joints->count - 1)) {
    sc_joints_remove(joints, joints->count - 1);
    return NULL;
  }
  return joint;
}

bool sc_joints_part_image(const sc_joints *joints, scree_id a, scree_id b, sc_image image) {
  const sc_image none = {{0, 0, 0}};
  for (int32_t i = 0; i < joints->count; i++) {
    const sc_joint *joint = joints->row + i;
    if (joint->def.collide) continue;
    if (joint->def.a == a && joint->def.b == b && sc_image_same(joint->image, image)) return true;
    if (joint->def.a == b && joint->def.b == a && sc_image_same(sc_image_sub(none, joint->image), image))
      return true;
  }
  return false;
}

void sc_joints_remove(sc_joints *joints, int32_t row) {
  SC_ASSERT(row >= 0 && row < joints->count);
  untie_joint(joints, &joints->row[row].def);
  count_housing(joints, &joints->row[row].def, -1);
  joints->version++;
  const size_t behind = (size_t)(joints->count - row - 1);
  memmove(joints->row + row, joints->row + row + 1, behind * sizeof *joints->row);
  memmove(joints->trait + row, joints->trait + row + 1, behind * sizeof *joints->trait);
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

bool sc_joint_rests(const sc_bodies *bodies, const sc_joint *joint) {
  if (!bodies->rest) return false;
  const int32_t a = sc_bodies_row(bodies, joint->def.a), b = sc_bodies_row(bodies, joint->def.b);
  if (a < 0) return false;
  const int32_t housing = sc_joint_housing(bodies, &joint->def);
  if (housing >= 0 && !sc_bodies_rest(bodies, a, housing)) return false;
  return b < 0 ? sc_bodies_asleep(bodies, a) : sc_bodies_rest(bodies, a, b);
}

void sc_joint_wake(sc_bodies *bodies, const scree_joint_def *def) {
  sc_bodies_wake_with(bodies, def->a);
  sc_bodies_wake_with(bodies, def->b);
  sc_bodies_wake_with(bodies, def->frame);
}

void sc_joints_drop(sc_joints *joints, sc_bodies *bodies, int32_t row) {
  sc_joint_wake(bodies, &joints->row[row].def);
  sc_joints_remove(joints, row);
}

bool sc_joint_driven(const sc_joint *joint) {
  const scree_joint_def *def = &joint->def;
  bool driven = def->turn_stiffness > 0 || def->turn_damping > 0 || sc_turn_servos(&def->turn_servo);
  for (int which = 0; which < 2; which++) {
    const scree_drive *drive = sc_joint_drive(joint, which);
    driven |= drive->motor != SCREE_MOTOR_NONE || sc_drive_springs(drive);
  }
  return driven;
}
