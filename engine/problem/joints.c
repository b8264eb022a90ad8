/* Joints as rows. With a's velocity taken against b's, along a direction d or about it:
 *
 *   point rows    d.(v1 + w1 x r1 - v2 - w2 x r2),  error d.(p1 - p2)
 *   turn rows     L d.(w1 - w2), L the bodies' length, so that every row is a velocity in m/s
 *                 error of aligned axes: L d.(a2 x a1); of a fixed orientation: L d.2 vec(q1 relative
 *                 q2^-1)
 *   universal     L (a1 x a2).(w1 - w2), the rate of L a1.a2
 *   gear, rack    w_a.axis + ratio w_b.axis_b;  v_b.axis_b - ratio w_a.axis; errors are summed from what
 *                 solvers leave
 * Held rows ask for velocity = -feedback error / dt. A limit is one-sided with its whole distance over
 * dt; a motor asks for its speed within its force; friction for 0 within its bound. */
#include "problem/joints.h"

#include <string.h>
#include "math/vec.h"
#include "problem/planar.h"

typedef struct maker { /* what the rows of one joint are made from */
  const sc_joint *joint;
  const sc_bodies *bodies;
  sc_joint_pose pose;
  sc_problem *problem;
  double s1, s2, length;     /* lengths of the bodies' spins, and L */
  double r1[3], r2[3];       /* arms */
  double dt, feedback, most; /* step, share of errors taken back, largest speed of that */
  int32_t index;
  bool displace;
} maker;

static sc_joint_row *new_row(maker *m, double error) {
  sc_problem *p = m->problem;
  sc_joint_row *row = p->joint_row + p->joint_rows++;
  memset(row, 0, sizeof *row);
  row->i = m->pose.row1 >= 0 ? m->pose.row1 : p->bodies - 1;
  row->j = m->pose.row2 >= 0 ? m->pose.row2 : p->bodies - 1;
  row->joint = m->index;
  row->lo = -INFINITY;
  row->hi = INFINITY;
  row->bias = m->displace ? error : fmax(-m->most, fmin(m->most, m->feedback * error / m->dt));
  return row;
}

static sc_joint_row *point_row(maker *m, const double d[3], double error) {
  sc_joint_row *row = new_row(m, error);
  sc_copy3(d, row->lin1);
  sc_scale(-1, d, row->lin2);
  sc_cross(m->r1, d, row->ang1);
  sc_scale(1 / m->s1, row->ang1, row->ang1);
  sc_cross(d, m->r2, row->ang2);
  sc_scale(1 / m->s2, row->ang2, row->ang2);
  return row;
}

static sc_joint_row *turn_row(maker *m, const double d[3], double error) {
  sc_joint_row *row = new_row(m, error * m->length);
  sc_scale(m->length / m->s1, d, row->ang1);
  sc_scale(-m->length / m->s2, d, row->ang2);
  return row;
}

static void point_rows(maker *m, int count, const double d[][3]) {
  double gap[3];
  sc_sub(m->pose.p1, m->pose.p2, gap);
  for (int k = 0; k < count; k++) point_row(m, d[k], sc_dot(gap, d[k]));
}

/* Both axes stay parallel: two turns across b's axis. */
static void align_axes(maker *m, const double d[2][3]) {
  double tilt[3];
  sc_cross(m->pose.axis2, m->pose.axis1, tilt);
  for (int k = 0; k < 2; k++) turn_row(m, d[k], sc_dot(tilt, d[k]));
}

/* The whole orientation stays: three turns. */
static void align_frames(maker *m) {
  static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double *q = m->pose.q2, back[4] = {q[0], -q[1], -q[2], -q[3]};
  double whole[4], off[4];
  sc_quat_mul(m->pose.q1, m->joint->relative, whole);
  sc_quat_mul(whole, back, off);
  for (int k = 0; k < 3; k++) turn_row(m, axes[k], off[0] < 0 ? -2 * off[k + 1] : 2 * off[k + 1]);
}

static void universal_row(maker *m) {
  double d[3];
  sc_cross(m->pose.axis1, m->pose.axis2, d);
  turn_row(m, d, sc_dot(m->pose.axis1, m->pose.axis2));
}

static void gear_row(maker *m) {
  const scree_joint_def *def = &m->joint->def;
  sc_joint_row *row = new_row(m, m->joint->travel);
  if (def->type == SCREE_JOINT_GEAR) {
    sc_scale(m->length / m->s1, m->pose.axis1, row->ang1);
    sc_scale(def->ratio * m->length / m->s2, m->pose.axis2, row->ang2);
  } else {
    sc_scale(-def->ratio / m->s1, m->pose.axis1, row->ang1);
    sc_copy3(m->pose.axis2, row->lin2);
  }
}

/* ---- the free direction ---- */

static void negate(sc_joint_row *row) {
  sc_scale(-1, row->lin1, row->lin1);
  sc_scale(-1, row->lin2, row->lin2);
  sc_scale(-1, row->ang1, row->ang1);
  sc_scale(-1, row->ang2, row->ang2);
}

static sc_joint_row *free_row(maker *m, const double d[3]) {
  sc_joint_row *row = sc_joint_freedom(m->joint->def.type) == 1 ? turn_row(m, d, 0) : point_row(m, d, 0);
  row->free = true;
  return row;
}

/* A wall at distance `room` in the direction of the row's sign. */
static void limit_row(maker *m, const double d[3], double room, bool upper) {
  sc_joint_row *row = free_row(m, d);
  double length = sc_joint_freedom(m->joint->def.type) == 1 ? m->length : 1;
  if (upper) negate(row);
  row->lo = 0;
  row->bias = length * room / m->dt * (room < 0 ? m->feedback : 1);
  if (room < 0) row->bias = fmax(-m->most, row->bias);
}

/* Target of a motor: no further than a limit in this step, and back to one that is passed, so that even
 * a motor without a bound on its force keeps to them. */
static double motor_speed(const maker *m) {
  const scree_joint_def *def = &m->joint->def;
  double below = (def->lower - m->joint->position) / m->dt, above = (def->upper - m->joint->position) / m->dt;
  if (below > 0) below *= m->feedback;
  if (above < 0) above *= m->feedback;
  return def->speed < below ? below : def->speed > above ? above : def->speed;
}

static void drive_rows(maker *m, const double d[3]) {
  const scree_joint_def *def = &m->joint->def;
  /* a torque is an impulse per unit times this */
  double unit = sc_joint_freedom(def->type) == 1 ? m->length : 1;
  if (def->lower > -INFINITY) limit_row(m, d, m->joint->position - def->lower, false);
  if (def->upper < INFINITY) limit_row(m, d, def->upper - m->joint->position, true);
  if (def->motor != SCREE_MOTOR_NONE) {
    sc_joint_row *row = free_row(m, d);
    row->hi = def->force * m->dt / unit;
    row->lo = def->motor == SCREE_MOTOR_FORCE ? row->hi : -row->hi;
    row->bias = def->motor == SCREE_MOTOR_FORCE ? 0 : -motor_speed(m) * unit;
  }
  if (def->friction > 0) {
    sc_joint_row *row = free_row(m, d);
    row->hi = def->friction * m->dt / unit;
    row->lo = -row->hi;
  }
}

/* For a correction of positions: a limit that is passed is a held direction. */
static void passed_limit_row(maker *m, const double d[3]) {
  const scree_joint_def *def = &m->joint->def;
  double position = sc_joint_measure(m->joint, &m->pose),
         over = position < def->lower ? position - def->lower
      : position > def->upper         ? position - def->upper
                                      : 0;
  if (over == 0) return;
  free_row(m, d)->bias = over * (sc_joint_freedom(def->type) == 1 ? m->length : 1);
}

static void distance_rows(maker *m) {
  const scree_joint_def *def = &m->joint->def;
  double d[3];
  sc_sub(m->pose.p1, m->pose.p2, d);
  double distance = sc_normalise(d, d);
  if (def->lower == -INFINITY && def->upper == INFINITY) point_row(m, d, distance - def->length);
  else if (m->displace) passed_limit_row(m, d);
  else drive_rows(m, d);
}

/* The axis that friction of a ball joint turns about: that of its torque in the last step where this
 * held the joint, else that of the spin it opposes. So the bound is the same in every direction. */
static void friction_axis(const maker *m, double d[3]) {
  const sc_bodies *bodies = m->bodies;
  const double *torque = m->joint->torque, most = m->joint->def.friction * (1 - 1e-9);
  double held = sc_dot(torque, torque), spin[3] = {0, 0, 0};
  if (m->pose.row1 >= 0) sc_copy3(bodies->spin[m->pose.row1], spin);
  if (m->pose.row2 >= 0) sc_axpy(-1, bodies->spin[m->pose.row2], spin, spin);
  if (held > 0 && held < most * most) sc_copy3(torque, spin);
  if (!(sc_normalise(spin, d) > 0)) sc_set3(1, 0, 0, d);
}

static void ball_friction(maker *m) {
  double axes[3][3];
  if (!(m->joint->def.friction > 0)) return;
  friction_axis(m, axes[0]);
  sc_frame(axes[0], axes[1], axes[2]);
  for (int k = 0; k < 3; k++) {
    sc_joint_row *row = turn_row(m, axes[k], 0);
    row->hi = m->joint->def.friction * m->dt / m->length;
    row->lo = -row->hi;
  }
}

static void make_rows(maker *m) {
  static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double across[2][3];
  sc_frame(m->pose.axis2, across[0], across[1]);
  switch (m->joint->def.type) {
  case SCREE_JOINT_BALL:
    point_rows(m, 3, axes);
    if (!m->displace) ball_friction(m);
    break;
  case SCREE_JOINT_HINGE:
    point_rows(m, 3, axes);
    align_axes(m, across);
    break;
  case SCREE_JOINT_SLIDER:
    point_rows(m, 2, across);
    align_frames(m);
    break;
  case SCREE_JOINT_CYLINDRICAL:
    point_rows(m, 2, across);
    align_axes(m, across);
    break;
  case SCREE_JOINT_UNIVERSAL:
    point_rows(m, 3, axes);
    universal_row(m);
    break;
  case SCREE_JOINT_FIXED:
    point_rows(m, 3, axes);
    align_frames(m);
    break;
  case SCREE_JOINT_DISTANCE: distance_rows(m); break;
  default: gear_row(m);
  }
  if (sc_joint_freedom(m->joint->def.type) % 3 == 0) return;
  if (m->displace) passed_limit_row(m, m->pose.axis2);
  else drive_rows(m, m->pose.axis2);
}

/* ---- all joints ---- */

/* Size of what is left of a direction in the plane against the whole. */
static double live_share(const sc_problem *problem, const double lin[3], const double ang[3]) {
  double felt[3], turn = sc_dot(problem->plane, ang), whole = sc_dot(lin, lin) + sc_dot(ang, ang);
  sc_planar_project(problem->plane, lin, felt);
  return whole > 0 ? (sc_dot(felt, felt) + turn * turn) / whole : 0;
}

/* Rows that ask for nothing that a planar body could do are met as they are; those from `first` on that
 * are left close up. */
static void drop_dead_rows(sc_problem *problem, int32_t first) {
  int32_t kept = first;
  for (int32_t r = first; r < problem->joint_rows; r++) {
    const sc_joint_row *row = problem->joint_row + r;
    if (live_share(problem, row->lin1, row->ang1) > 1e-12 ||
        live_share(problem, row->lin2, row->ang2) > 1e-12)
      problem->joint_row[kept++] = *row;
  }
  problem->joint_rows = kept;
}

static double length_of(const sc_bodies *bodies, int32_t row) {
  return row < 0 ? 1 : sc_body_scale(bodies, row);
}

/* L: the larger length of the bodies that move. */
static double common_length(const sc_bodies *bodies, const sc_joint_pose *pose) {
  double a = pose->row1 >= 0 && bodies->kind[pose->row1] == SCREE_DYNAMIC ? sc_body_scale(bodies, pose->row1)
                                                                          : 0;
  double b = pose->row2 >= 0 && bodies->kind[pose->row2] == SCREE_DYNAMIC ? sc_body_scale(bodies, pose->row2)
                                                                          : 0;
  return fmax(a, b) > 0 ? fmax(a, b) : 1;
}

scree_status sc_joints_assemble(sc_joints *joints, const sc_bodies *bodies, double dt, double feedback,
    double max_correction, double warm_start, bool displace, sc_arena *arena, sc_problem *problem,
    scree_error *error) {
  problem->joint_rows = 0;
  problem->joint_row = SC_TAKE(arena, sc_joint_row, (size_t)joints->count * SC_JOINT_ROWS);
  if (!problem->joint_row) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d joints", joints->count);
  for (int32_t i = 0; i < joints->count; i++) {
    sc_joint *joint = joints->row + i;
    maker m = {.joint = joint,
        .bodies = bodies,
        .problem = problem,
        .dt = dt,
        .feedback = feedback,
        .most = max_correction > 0 ? max_correction : INFINITY,
        .index = i,
        .displace = displace};
    if (!sc_joint_place(bodies, joint, &m.pose)) continue;
    if (!displace) joint->position = sc_joint_measure(joint, &m.pose);
    m.s1 = length_of(bodies, m.pose.row1);
    m.s2 = length_of(bodies, m.pose.row2);
    m.length = common_length(bodies, &m.pose);
    sc_sub(m.pose.p1, m.pose.x1, m.r1);
    sc_sub(m.pose.p2, m.pose.x2, m.r2);
    int32_t first = problem->joint_rows;
    make_rows(&m);
    if (problem->planar) drop_dead_rows(problem, first);
    // the warm start holds where the joint has the rows it had
    int32_t made = problem->joint_rows - first;
    for (int32_t k = 0; k < made && !displace && made == joint->rows; k++) {
      sc_joint_row *row = problem->joint_row + first + k;
      double x = warm_start * joint->x[k];
      row->x = x < row->lo ? row->lo : x > row->hi ? row->hi : x;
    }
    if (!displace) joint->rows = made;
  }
  return SCREE_OK;
}

/* Adds a row's wrench on a, the torque about the joint's point. */
static void add_reaction(
    sc_joint *joint, const sc_joint_pose *pose, double s1, const sc_joint_row *row, double dt) {
  double force[3], torque[3], arm[3], moment[3];
  sc_scale(row->x / dt, row->lin1, force);
  sc_scale(row->x * s1 / dt, row->ang1, torque);
  sc_sub(pose->p1, pose->x1, arm);
  sc_cross(arm, force, moment);
  sc_sub(torque, moment, torque);
  sc_add(joint->force, force, joint->force);
  sc_add(joint->torque, torque, joint->torque);
}

void sc_joints_react(sc_joints *joints, const sc_bodies *bodies, const sc_problem *problem) {
  for (int32_t r = 0; r < problem->joint_rows; r++) {
    const sc_joint_row *row = problem->joint_row + r;
    sc_joint *joint = joints->row + row->joint;
    sc_joint_pose pose;
    if (sc_joint_place(bodies, joint, &pose))
      add_reaction(joint, &pose, length_of(bodies, pose.row1), row, problem->dt);
  }
}

void sc_joints_keep(sc_joints *joints, const sc_bodies *bodies, const sc_problem *problem) {
  for (int32_t i = 0; i < joints->count; i++) {
    sc_set3(0, 0, 0, joints->row[i].force);
    sc_set3(0, 0, 0, joints->row[i].torque);
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
}
