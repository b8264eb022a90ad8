/* Assembles joints as rows of the step's problem. Each row is the velocity of a relative to b, along a
 * direction d or about d:
 *
 *   point rows    d.(v1 + w1 x r1 - v2 - w2 x r2),  error d.(p1 - p2)
 *                 For sliders and cylindrical joints d rotates with b, and r2 ends at p1. The velocity of the
 *                 row is then exactly the rate of the error.
 *   turn rows     L d.(w1 - w2), L the length of the bodies; every row is a velocity in m/s
 *                 error of aligned axes: L d.(a2 x a1);
 *                 error of a fixed orientation: L d.2 vec(q1 relative q2^-1)
 *   universal     L (a1 x a2).(w1 - w2), the rate of L a1.a2
 *   gear          w_a.axis + ratio w_b.axis_b, with w_a and w_b relative to the housing f
 *   rack          v_b.axis_b - ratio w_a.axis, with v_b - v_f - w_f x (x_b - x_f) for v_b
 *                 The error of gears and racks is measured relative to the housing. Without a housing it is
 *                 the sum over steps of the velocity that the solver leaves in the row.
 *
 * A locked row has the target velocity -feedback error / dt. A limit is one-sided: it allows the distance
 * to the limit within dt. A motor has its speed as target and its force as bound, friction has the target
 * 0 and its own bound. Friction of a ball joint has three rows (ball_friction). Springs, dampers and servos
 * are rows with softness (springs.c).
 *
 * A rotor with the speed u and the armature I turns with the free direction: u' = v_row', -x = I (u' - u).
 * This is a row with the softness 1/I and the bias -u. It adds I to the inertia of the free direction in the
 * joint-space equations of motion. u is a state of the joint, because the rotation of bodies between two
 * solutions changes the velocity of the row, but not the momentum of the rotor. */
#include "problem/joints/joints.h"

#include "math/vec.h"
#include "problem/joints/gears.h"
#include "problem/joints/joint_rows.h"
#include "problem/planar.h"
#include "problem/operator/delassus.h"
#include "model/housing.h"

static void point_rows(sc_row_maker *m, int count, const double d[][3]) {
  double gap[3];
  sc_sub(m->pose.p1, m->pose.p2, gap);
  for (int k = 0; k < count; k++) sc_joint_point_row(m, d[k], sc_dot(gap, d[k]));
}

/* Sets d to two directions perpendicular to b's axis. They rotate with b, so that errors at both ends of a
 * step have the same directions. */
static void across_axis(const sc_row_maker *m, double d[2][3]) {
  sc_quat_rotate(m->pose.q2, m->joint->side2, d[0]);
  sc_cross(m->pose.axis2, d[0], d[1]);
}

static void relative_spin(const sc_row_maker *m, double out[3]) {
  sc_copy3(m->bodies->spin[m->pose.row1], out);
  if (m->pose.row2 >= 0) sc_axpy(-1, m->bodies->spin[m->pose.row2], out, out);
}

/* Sets out to a right-handed frame that rotates with b, in world axes. first: its first axis in the frame of
 * b, a unit vector; if first is 0, out is the frame of b. */
static void turn_axes(const sc_row_maker *m, const double first[3], double out[3][3]) {
  double own[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (sc_dot(first, first) > 0) {
    sc_copy3(first, own[0]);
    sc_frame(own[0], own[1], own[2]);
  }
  for (int k = 0; k < 3; k++) sc_quat_rotate(m->pose.q2, own[k], out[k]);
}

/* Adds the two rows that lock displacements perpendicular to b's axis. */
static void lock_line(sc_row_maker *m) {
  double d[2][3];
  across_axis(m, d);
  point_rows(m, 2, (const double(*)[3])d);
}

/* Adds the rows that align the axes of both bodies. */
static void align_axes(sc_row_maker *m) {
  double tilt[3], d[2][3];
  across_axis(m, d);
  sc_cross(m->pose.axis2, m->pose.axis1, tilt);
  for (int k = 0; k < 2; k++) sc_joint_turn_row(m, d[k], sc_dot(tilt, d[k]));
}

/* ---- springs ---- */

/* Adds the rows of the spring in place of a locked point. Both forces act at a's point, and the damper acts
 * on the displacement in the frame of b. The rotation of both bodies as one rigid body therefore has no
 * damping, and angular momentum is conserved. */
static void soften_point(sc_row_maker *m) {
  const scree_drive *by = &m->joint->def.drive;
  static const double none[3] = {0, 0, 0};
  double gap[3], axes[3][3];
  sc_sub(m->pose.p1, m->pose.p2, gap);
  sc_sub(m->pose.p1, m->pose.x2, m->r2);
  turn_axes(m, none, axes);
  for (int k = 0; k < 3; k++)
    sc_joint_soften_row(
        m, sc_joint_point_row(m, axes[k], 0), 1, by->stiffness, by->damping, sc_dot(gap, axes[k]), 0);
}

/* Adds the rows that lock the point of a fixed joint, or the spring in place of these rows. */
static void hold_point(sc_row_maker *m, const double axes[3][3]) {
  if (!sc_drive_springs(&m->joint->def.drive)) point_rows(m, 3, axes);
  else if (!m->displace) soften_point(m);
}

/* Adds the rows of the spring in place of a locked orientation. */
static void soften_frames(sc_row_maker *m) {
  static const double none[3] = {0, 0, 0};
  const scree_joint_def *def = &m->joint->def;
  double off[3], axes[3][3];
  sc_joint_rotation(m->joint, &m->pose, off);
  turn_axes(m, none, axes);
  for (int k = 0; k < 3; k++)
    sc_joint_soften_row(m, sc_joint_turn_row(m, axes[k], 0), m->length, def->turn_stiffness,
        def->turn_damping, sc_dot(off, axes[k]), 0);
}

/* Adds the three rows that lock the orientation, or the spring in place of these rows. */
static void align_frames(sc_row_maker *m) {
  static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const scree_joint_def *def = &m->joint->def;
  double off[3];
  if (def->turn_stiffness > 0 || def->turn_damping > 0) {
    if (!m->displace) soften_frames(m);
    return;
  }
  sc_joint_turned(m->joint, &m->pose, off);
  for (int k = 0; k < 3; k++) sc_joint_turn_row(m, axes[k], off[k]);
}

/* ---- servo of all rotations ---- */

/* Sets out to the bounds of a servo's torque along its three rows. The first row has the direction of the
 * expected torque, the other two are perpendicular to it. The corners of the box of bounds lie on the
 * sphere of radius `bound`. expected: expected torque. If it is below bound/2, all directions have equal
 * bounds. */
static void servo_bounds(double expected, double bound, double out[3]) {
  const double near = 0.995;
  double along = expected < bound / 2 ? bound / sqrt(3) : near * bound;
  out[0] = along;
  out[1] = out[2] = sqrt((bound * bound - along * along) / 2);
}

/* Law of a servo in this step: its torque at the relative spin w is push - gain off - rate_gain w. World
 * axes. */
typedef struct servo_law {
  double off[3];    /* rotation vector from the target [rad] */
  double push[3];   /* torque without stiffness and without spin [N m] */
  double torque[3]; /* torque at the present spin, not bounded [N m] */
} servo_law;

static servo_law make_servo_law(const sc_row_maker *m) {
  const scree_turn_servo *servo = &m->joint->def.turn_servo;
  servo_law law;
  double spin[3];
  sc_joint_turn_off(m->joint, &m->pose, law.off);
  sc_joint_along(m->joint, &m->pose, servo->spin, spin);
  sc_joint_along(m->joint, &m->pose, servo->feed, law.push);
  sc_axpy(servo->rate_gain, spin, law.push, law.push);
  relative_spin(m, spin);
  sc_axpy(-servo->gain, law.off, law.push, law.torque);
  sc_axpy(-servo->rate_gain, spin, law.torque, law.torque);
  return law;
}

/* Adds the three rows of the servo of a ball joint's orientation. bounds: largest torque along each axis.
 * share: factor on the law of the second and third row. */
static void servo_rows(
    sc_row_maker *m, const servo_law *law, const double axes[3][3], const double bounds[3], double share) {
  const scree_turn_servo *servo = &m->joint->def.turn_servo;
  for (int k = 0; k < 3; k++) {
    const double part = k ? share : 1;
    sc_joint_row *row = sc_joint_turn_row(m, axes[k], 0);
    row->hi = bounds[k] * m->dt / m->length;
    row->lo = -row->hi;
    row->motor = true;
    sc_joint_soften_row(m, row, m->length, part * servo->gain, part * servo->rate_gain,
        sc_dot(law->off, axes[k]), part * sc_dot(law->push, axes[k]));
  }
}

/* Estimates the torque of the servo: the torque that the servo's rows would have without load, plus a share
 * of the torque of the last step. The share represents the load. axes: directions of the rows. */
static void estimate_servo_torque(
    const sc_row_maker *m, const sc_joint_row *row, const double axes[3][3], double out[3]) {
  sc_set3(0, 0, 0, out);
  for (int k = 0; k < 3; k++) {
    double whole = sc_problem_joint_diagonal(m->problem, row + k), stiff = 1 - row[k].softness / whole;
    double alone = -(sc_joint_row_velocity(m, row + k, NULL) + row[k].bias) / whole;
    sc_axpy(alone * m->length / m->dt + stiff * sc_dot(m->joint->held, axes[k]), axes[k], out, out);
  }
}

/* Adds the servo of a ball joint's orientation. If the law exceeds the bound, the torque has the direction of
 * the law. The second and third row, across the axis of the expected torque, then have the law times
 * bound/|law|. */
static void servo_turns(sc_row_maker *m) {
  const scree_turn_servo *servo = &m->joint->def.turn_servo;
  static const double none[3] = {0, 0, 0};
  double expected[3], axes[3][3], bounds[3] = {INFINITY, INFINITY, INFINITY};
  if (m->displace || !sc_turn_servos(servo)) return;
  const servo_law law = make_servo_law(m);
  const double size = sc_norm(law.torque);
  turn_axes(m, none, axes);
  servo_rows(m, &law, axes, bounds, 1);
  if (servo->torque == INFINITY) return;
  m->problem->joint_rows -= 3;
  estimate_servo_torque(m, m->problem->joint_row + m->problem->joint_rows, axes, expected);
  servo_bounds(sc_norm(expected), servo->torque, bounds);
  if (!m->solved && sc_normalise(expected, expected) > 0)
    sc_quat_unrotate(m->pose.q2, expected, m->joint->servo_axis);
  turn_axes(m, m->joint->servo_axis, axes);
  servo_rows(m, &law, axes, bounds, size > bounds[0] && bounds[0] > bounds[1] ? bounds[0] / size : 1);
}

/* Adds the row that keeps both axes of a universal joint perpendicular. */
static void universal_row(sc_row_maker *m) {
  double d[3];
  sc_cross(m->pose.axis1, m->pose.axis2, d);
  sc_joint_turn_row(m, d, sc_dot(m->pose.axis1, m->pose.axis2));
}

/* Adds the housing to the row of a gear or rack. */
static void house_row(sc_row_maker *m, sc_joint_row *row, int32_t housing) {
  sc_problem *p = m->problem;
  if (!p->third) p->third = SC_TAKE(m->arena, sc_joint_third, m->joints - m->index);
  if (!p->third) return;
  sc_gear_third(m->bodies, m->joint, &m->pose, housing, m->length, sc_joint_length(m->bodies, housing),
      p->third + p->thirds++);
  row->third = p->thirds;
}

/* Returns the position error of a gear or rack, in units of its row [m]. */
static double gear_error(const sc_row_maker *m) {
  double position[2];
  if (!sc_joint_framed(m->joint)) return m->joint->travel;
  for (int which = 0; which < 2; which++)
    position[which] = sc_joint_against_housing(m->bodies, m->joint, which);
  return sc_joint_off_ratio(m->joint, position) * (m->joint->def.type == SCREE_JOINT_GEAR ? m->length : 1);
}

static void gear_row(sc_row_maker *m) {
  const scree_joint_def *def = &m->joint->def;
  const int32_t housing = sc_joint_housing(m->bodies, def);
  sc_joint_row *row = sc_joint_new_row(m, gear_error(m));
  m->housed = housing >= 0;
  if (m->housed) house_row(m, row, housing);
  if (def->type == SCREE_JOINT_GEAR) {
    sc_scale(m->length / m->s1, m->pose.axis1, row->ang1);
    sc_scale(def->ratio * m->length / m->s2, m->pose.axis2, row->ang2);
  } else {
    sc_scale(-def->ratio / m->s1, m->pose.axis1, row->ang1);
    sc_copy3(m->pose.axis2, row->lin2);
  }
}

static void distance_rows(sc_row_maker *m) {
  const scree_drive *drive = &m->joint->def.drive;
  double d[3];
  sc_sub(m->pose.p1, m->pose.p2, d);
  double distance = sc_normalise(d, d);
  if (sc_drive_idle(drive)) sc_joint_point_row(m, d, distance - m->joint->def.length);
  else sc_joint_free_rows(m, 0);
}

/* ---- friction of ball joints ---- */

/* Share of the spin change by the bound of friction in one step. Below this share a joint without a load
 * sticks within the step. */
static const double STICKING = 1e-3;

/* Sets the axis of the friction of a ball joint: the axis of the last impulse of friction plus the impulse
 * that would stop the spin. While the joint sticks, this is the axis of its load. While it turns, this is the
 * axis of its spin. Without a last impulse, the axis is that of the free spin of this step. Also sets the
 * spin of the dampers, 0 if the joint sticks. */
static void find_friction_axis(sc_row_maker *m) {
  static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double mobility = 0, spin[3], free[3], *d = m->joint->friction_axis;
  for (int k = 0; k < 3; k++) {
    sc_joint_row *row = sc_joint_turn_row(m, axes[k], 0);
    mobility += sc_problem_joint_diagonal(m->problem, row) / (3 * m->length * m->length);
    free[k] = sc_problem_joint_velocity(m->problem, row) / m->length;
  }
  m->problem->joint_rows -= 3;
  sc_copy3(m->joint->friction, d);
  relative_spin(m, spin);
  sc_axpy(-1 / mobility, sc_dot(d, d) > 0 ? spin : free, d, d);
  if (!(sc_normalise(d, d) > 0)) sc_copy3(m->problem->planar ? m->problem->plane : axes[0], d);
  m->joint->friction_spin = sc_norm(spin);
  if (!(m->joint->friction_spin > STICKING * m->joint->def.drive.friction * m->dt * mobility))
    m->joint->friction_spin = 0;
}

/* Adds the rows of the friction of a ball joint. While the joint turns with the spin w, its torque is -T
 * w/|w|. The row about the axis of friction has the bound T. The torque across this axis is -(T/|w|) times
 * the spin across the axis, to first order. Both other rows are therefore dampers. If the joint sticks, both
 * other rows are locked, with the bound T. */
static void ball_friction(sc_row_maker *m) {
  const double most = m->joint->def.drive.friction;
  double axes[3][3];
  if (!(most > 0)) return;
  if (!m->solved) find_friction_axis(m);
  sc_copy3(m->joint->friction_axis, axes[0]);
  sc_frame(axes[0], axes[1], axes[2]);
  const double spin = m->joint->friction_spin;
  for (int k = 0; k < 3; k++) {
    sc_joint_row *row = sc_joint_turn_row(m, axes[k], 0);
    row->hi = most * m->dt / m->length;
    row->lo = -row->hi;
    if (k > 0 && spin > 0) sc_joint_soften_row(m, row, m->length, 0, most / spin, 0, 0);
  }
}

static void set_given_impulse(sc_joint_row *row, double impulse) {
  row->bias = 0;
  row->lo = row->hi = row->x = impulse;
}

/* Adds the rows of a joint that breaks in this step. The rows apply its constant load at the joint point of a
 * to both bodies, and no direction is locked. */
static void yield_rows(sc_row_maker *m, const double axes[3][3]) {
  sc_sub(m->pose.p1, m->pose.x2, m->r2);
  for (int k = 0; k < 3 && !m->displace; k++)
    set_given_impulse(sc_joint_point_row(m, axes[k], 0), m->dt * m->yield->force[k]);
  for (int k = 0; k < 3 && !m->displace; k++)
    set_given_impulse(sc_joint_turn_row(m, axes[k], 0), m->dt * m->yield->torque[k] / m->length);
}

/* Adds the row of a gear or rack that breaks in this step. The row applies the constant load of the joint, a
 * torque, to body a. */
static void yield_gear(sc_row_maker *m) {
  if (m->displace) return;
  gear_row(m);
  sc_joint_row *row = m->problem->joint_row + m->problem->joint_rows - 1;
  set_given_impulse(row, m->dt / m->s1 * sc_dot(m->yield->torque, row->ang1) / sc_dot(row->ang1, row->ang1));
}

static void make_joint_rows(sc_row_maker *m) {
  static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (m->yield) {
    if (m->joint->def.type == SCREE_JOINT_GEAR || m->joint->def.type == SCREE_JOINT_RACK) yield_gear(m);
    else yield_rows(m, axes);
    return;
  }
  if (m->plain) {
    point_rows(m, 3, axes);
    return;
  }
  switch (m->joint->def.type) {
  case SCREE_JOINT_BALL:
    point_rows(m, 3, axes);
    if (!m->displace) ball_friction(m);
    if (m->joint->def.turn_stiffness > 0 || m->joint->def.turn_damping > 0) align_frames(m);
    servo_turns(m);
    break;
  case SCREE_JOINT_HINGE:
    point_rows(m, 3, axes);
    align_axes(m);
    break;
  case SCREE_JOINT_SLIDER:
    lock_line(m);
    align_frames(m);
    break;
  case SCREE_JOINT_CYLINDRICAL:
    lock_line(m);
    align_axes(m);
    break;
  case SCREE_JOINT_UNIVERSAL:
    point_rows(m, 3, axes);
    universal_row(m);
    break;
  case SCREE_JOINT_FIXED:
    hold_point(m, axes);
    align_frames(m);
    break;
  case SCREE_JOINT_DISTANCE: distance_rows(m); break;
  default: gear_row(m);
  }
  if (m->joint->def.type == SCREE_JOINT_DISTANCE) return;
  sc_joint_free_rows(m, 0);
  sc_joint_free_rows(m, 1);
}

/* ---- all joints ---- */

/* Returns which share of a direction's squared length planar motion can follow, in [0, 1]. */
static double live_share(const sc_problem *problem, const double lin[3], const double ang[3]) {
  double felt[3], turn = sc_dot(problem->plane, ang), whole = sc_dot(lin, lin) + sc_dot(ang, ang);
  sc_planar_project(problem->plane, lin, felt);
  return whole > 0 ? (sc_dot(felt, felt) + turn * turn) / whole : 0;
}

/* Returns true if planar motion changes the velocity of a row. */
static bool is_live_row(const sc_problem *problem, const sc_joint_row *row) {
  const sc_joint_third *third = sc_problem_third(problem, row);
  return live_share(problem, row->lin1, row->ang1) > 1e-12 ||
      live_share(problem, row->lin2, row->ang2) > 1e-12 ||
      (third && live_share(problem, third->lin, third->ang) > 1e-12);
}

/* Removes rows from `first` on whose directions are perpendicular to the plane of motion, because planar
 * motion satisfies them. */
static void drop_dead_rows(sc_problem *problem, int32_t first) {
  int32_t kept = first;
  for (int32_t r = first; r < problem->joint_rows; r++) {
    const sc_joint_row *row = problem->joint_row + r;
    if (is_live_row(problem, row)) problem->joint_row[kept++] = *row;
  }
  problem->joint_rows = kept;
}

double sc_joint_length(const sc_bodies *bodies, int32_t row) {
  return row < 0 ? 1 : sc_body_scale(bodies, row);
}

double sc_joint_common_length(const sc_bodies *bodies, int32_t row1, int32_t row2) {
  double a = bodies->kind[row1] == SCREE_DYNAMIC ? sc_body_scale(bodies, row1) : 0;
  double b = row2 >= 0 && bodies->kind[row2] == SCREE_DYNAMIC ? sc_body_scale(bodies, row2) : 0;
  return fmax(a, b) > 0 ? fmax(a, b) : 1;
}

/* Computes the poses of a joint and its positions along its free directions. A ball joint without an axis has
 * no positions. Returns false if the joint has no rows. */
static bool place_joint(sc_row_maker *m) {
  const scree_joint_def *def = &m->joint->def;
  if (m->ends && m->ends[0] < 0) return false;
  if (m->plain && m->ends) return sc_joint_place_rows(m->bodies, m->joint, m->ends, &m->pose), true;
  if (def->type == SCREE_JOINT_BALL && !(sc_dot(def->axis, def->axis) > 0))
    return sc_joint_place_points(m->bodies, m->joint, &m->pose);
  if (!sc_joint_place(m->bodies, m->joint, &m->pose)) return false;
  const bool framed = sc_joint_framed(m->joint);
  for (int which = 0; which < 2 && !m->displace; which++)
    m->joint->position[which] = framed ? sc_joint_against_housing(m->bodies, m->joint, which)
                                       : sc_joint_measure(m->joint, &m->pose, which);
  return true;
}

scree_status sc_joints_assemble(sc_joints *joints, const sc_bodies *bodies, const sc_joints_in *in,
    sc_arena *arena, sc_problem *problem, scree_error *error) {
  problem->joint_rows = problem->thirds = 0;
  problem->third = NULL;
  problem->joint_row = SC_TAKE(arena, sc_joint_row, (size_t)joints->count * SC_JOINT_ROWS);
  if (!problem->joint_row) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d joints", joints->count);
  for (int32_t i = 0; i < joints->count; i++) {
    if (in->apart && in->apart[i]) continue;
    sc_joint *joint = joints->row + i;
    sc_row_maker m = {.joint = joint,
        .bodies = bodies,
        .problem = problem,
        .dt = in->dt,
        .way = in->way > 0 ? in->way : in->dt,
        .feedback = in->feedback,
        .most = in->most > 0 ? in->most : INFINITY,
        .arena = arena,
        .index = i,
        .joints = joints->count,
        .ends = in->ends ? in->ends[i] : NULL,
        .yield = joint->yields ? in->yield + (joint->yields - 1) : NULL,
        .plain = joints->trait && joints->trait[i] & SC_JOINT_PLAIN,
        .displace = in->displace,
        .solved = in->solved,
        .starts = in->starts,
        .is_new = joint->id > joints->met};
    if (i + SC_JOINTS_AHEAD < joints->count) sc_joint_fetch(joint + SC_JOINTS_AHEAD);
    if (!in->displace && !in->ends && sc_joint_rests(bodies, joint)) continue;
    if (!place_joint(&m)) continue;
    m.s1 = sc_joint_length(bodies, m.pose.row1);
    m.s2 = sc_joint_length(bodies, m.pose.row2);
    m.length = sc_joint_common_length(bodies, m.pose.row1, m.pose.row2);
    sc_sub(m.pose.p1, m.pose.x1, m.r1);
    sc_sub(!m.plain && sc_joint_shifts(joint->def.type) ? m.pose.p1 : m.pose.p2, m.pose.x2, m.r2);
    int32_t first = problem->joint_rows;
    make_joint_rows(&m);
    if (m.housed && !problem->third)
      return sc_fail(error, SCREE_E_MEMORY, "no memory for the housings of %d joints", joints->count);
    if (problem->planar) drop_dead_rows(problem, first);
    // warm start if the joint has as many rows as in the last step
    int32_t made = problem->joint_rows - first;
    for (int32_t k = 0; k < made && !in->displace && made == joint->rows; k++) {
      sc_joint_row *row = problem->joint_row + first + k;
      double x = in->warm_start * joint->x[k];
      row->x = x < row->lo ? row->lo : x > row->hi ? row->hi : x;
    }
    if (!in->displace) joint->rows = made;
  }
  return SCREE_OK;
}
