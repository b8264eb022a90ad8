/* Computes the number of substeps of a step for each mechanism.
 *
 * Tension stiffens a chain of links. If the joints of a link with inertia I pull with forces F at arms r, the
 * link swings at a rate of about sqrt(sum |F| |r| / I). This rate does not depend on gravity or on the size
 * of the mechanism. The number of substeps is a power of two. It is so large that two quantities are small in
 * a substep: this rate times the length of the substep, and the rotation of arms and axes. */
#include "world/world.h"
#include "world/steps.h"
#include "world/mechanism/motion/swing_parts.h"

#include <math.h>
#include "math/vec.h"

enum { RESTS = -1 }; /* in place of a number of substeps: the mechanism sleeps */

/* Returns the largest inverse inertia of a body about axes perpendicular to an arm [1/(kg m2)]. */
static double inverse_inertia_across(const sc_bodies *bodies, int32_t row, const double arm[3]) {
  double axes[3][3], turned[3], max = 0;
  sc_normalise(arm, axes[0]);
  sc_frame(axes[0], axes[1], axes[2]);
  for (int k = 1; k < 3; k++) {
    sc_world_turn(bodies, row, axes[k], turned);
    max = fmax(max, sc_dot(axes[k], turned));
  }
  return max;
}

/* Returns the squared rate at which a body swings about a joint [1/s2]. arm: from the centre of mass to the
 * joint. force: size of the joint's reaction [N]. */
static double swing_rate(const sc_bodies *bodies, int32_t row, const double arm[3], double force) {
  return force * sc_norm(arm) * inverse_inertia_across(bodies, row, arm);
}

/* Returns the squared rate that a distance joint adds to swing_rate, because the body circles about the
 * joint's other anchor [1/s2]. */
static double circle_rate(const sc_bodies *bodies, int32_t row, const sc_joint_pose *pose, double force) {
  double between[3];
  sc_sub(pose->p1, pose->p2, between);
  double length = sc_norm(between);
  return length > 0 ? force / length * bodies->inv_mass[row] : 0;
}

/* Returns the rate at which an arm rotates with its body [rad/s]; 0 for an arm of length 0. */
static double turn_rate(const sc_bodies *bodies, int32_t row, const double arm[3]) {
  double along[3], turned[3];
  double length = sc_normalise(arm, along);
  sc_cross(bodies->spin[row], along, turned);
  return length > 1e-6 * sc_body_scale(bodies, row) ? sc_norm(turned) : 0;
}

static double axis_rate(const sc_bodies *bodies, int32_t row, const double axis[3]) {
  double turned[3];
  sc_cross(bodies->spin[row], axis, turned);
  return sc_norm(turned);
}

double sc_mechanism_turn_rate(
    const scree_world *world, const sc_joint *joint, const sc_joint_pose *pose, int side) {
  const bool axes = joint->def.type != SCREE_JOINT_BALL && joint->def.type != SCREE_JOINT_DISTANCE;
  const int32_t row = side ? pose->row2 : pose->row1;
  double arm[3];
  if (row < 0) return 0;
  sc_sub(side ? pose->p2 : pose->p1, side ? pose->x2 : pose->x1, arm);
  double rate = turn_rate(&world->bodies, row, arm);
  return axes ? fmax(rate, axis_rate(&world->bodies, row, side ? pose->axis2 : pose->axis1)) : rate;
}

/* Rates of motion of the bodies in sc_swings.body. They determine the number of substeps. */
typedef struct rates {
  double *swing, *turn; /* [bodies] squared swing rate [1/s2]; rotation rate of arms and axes [rad/s] */
} rates;

/* Adds the rates of a ball joint to its bodies. A ball joint has arms but no axes. force: size of its
 * reaction [N]. */
static void add_ball_rates(
    const scree_world *world, const sc_swings *s, int32_t index, double force, rates *r) {
  const sc_joint *joint = world->joints.row + index;
  for (int side = 0; side < 2; side++) {
    const int32_t row = s->ends[index][side];
    double arm[3];
    if (row < 0) continue;
    sc_quat_rotate(world->bodies.orientation[row], side ? joint->anchor2 : joint->anchor1, arm);
    if (sc_mechanism_is_movable(&world->bodies, row))
      r->swing[s->place[row]] += swing_rate(&world->bodies, row, arm, force);
    r->turn[s->place[row]] = fmax(r->turn[s->place[row]], turn_rate(&world->bodies, row, arm));
  }
}

/* Adds the rates of a joint of any type to its bodies. force: size of its reaction [N]. */
static void add_general_rates(
    const scree_world *world, const sc_swings *s, int32_t index, double force, rates *r) {
  const sc_joint *joint = world->joints.row + index;
  sc_joint_pose pose;
  if (!sc_joint_place(&world->bodies, joint, &pose)) return;
  for (int side = 0; side < 2; side++) {
    const int32_t row = side ? pose.row2 : pose.row1;
    double arm[3];
    if (row < 0) continue;
    r->turn[s->place[row]] = fmax(r->turn[s->place[row]], sc_mechanism_turn_rate(world, joint, &pose, side));
    if (!sc_mechanism_is_movable(&world->bodies, row) || joint->def.type == SCREE_JOINT_FIXED) continue;
    sc_sub(side ? pose.p2 : pose.p1, side ? pose.x2 : pose.x1, arm);
    double *rate = r->swing + s->place[row];
    *rate += swing_rate(&world->bodies, row, arm, force);
    if (joint->def.type == SCREE_JOINT_DISTANCE) *rate += circle_rate(&world->bodies, row, &pose, force);
  }
}

/* Adds the rates of joint `index` to its bodies. */
static void add_joint_rates(const scree_world *world, const sc_swings *s, int32_t index, rates *r) {
  const sc_joint *joint = world->joints.row + index;
  double force = fmax(s->force[index], sc_norm(joint->force));
  if (joint->def.type == SCREE_JOINT_BALL) add_ball_rates(world, s, index, force, r);
  else add_general_rates(world, s, index, force, r);
}

scree_status sc_mechanism_parts(scree_world *world, const sc_swings *s, const uint8_t *touched, double dt,
    int32_t **parts, scree_error *error) {
  int32_t joints = world->joints.count;
  rates r = {SC_TAKE(&world->arena, double, s->bodies), SC_TAKE(&world->arena, double, s->bodies)};
  int32_t *max = SC_TAKE(&world->arena, int32_t, s->bodies);
  *parts = SC_TAKE(&world->arena, int32_t, joints);
  if (!r.swing || !r.turn || !max || !*parts)
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d joints", joints);
  for (int32_t i = 0; i < s->bodies; i++) r.swing[i] = r.turn[i] = 0, max[i] = 1;
  for (int32_t i = 0; i < joints; i++) {
    (*parts)[i] = sc_joint_rests(&world->bodies, world->joints.row + i) ? RESTS : 0;
    if (s->apart && s->apart[i]) (*parts)[i] = SC_TREE_OPEN;
    else if (!touched[i]) add_joint_rates(world, s, i, &r);
  }
  for (int32_t i = 0; i < s->bodies; i++) {
    if (!sc_mechanism_is_movable(&world->bodies, s->body[i])) continue;
    int32_t *lead = max + s->place[sc_leader_of(s->leader, s->body[i])];
    int32_t own = sc_parts_for(
        fmax(sqrt(r.swing[i]) * dt / SC_LARGEST_SWING, r.turn[i] * dt / SC_LARGEST_TURN));
    if (own > *lead) *lead = own;
  }
  for (int32_t i = 0; i < joints; i++)
    if (!touched[i] && (*parts)[i] != SC_TREE_OPEN) (*parts)[i] = max[s->place[s->lead[i]]];
  return SCREE_OK;
}
