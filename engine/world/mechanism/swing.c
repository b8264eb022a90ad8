/* Which mechanisms go on by themselves, and in how many parts of a step.
 *
 * The step's problem holds all contacts and joints together, with all of a step's forces at its start:
 * what solvers, reports and problem files see. That suits contacts, which are met at the end of the
 * step, but it is of first order where motion is smooth. So a mechanism on which no contact had an impulse in
 * this step goes on from its state before it by RATTLE (rattle.c), which is of second order and keeps
 * energy. A mechanism that something touches keeps the solved velocities; they are carried along with
 * the shift that brings its joints to their places, so that the shift does no work.
 *
 * Tension stiffens: a link of inertia I whose joints pull with forces F at arms r swings at a rate of
 * about sqrt(sum |F| |r| / I), which has nothing to do with gravity or the mechanism's size. Steps are
 * cut into parts, a power of two of them, until this rate and the turn of arms and axes are small for a
 * part, and again where positions cannot be met. */
#include "world/step/account.h"
#include "world/mechanism/swing_account.h"
#include "world/mechanism/trees/trees.h"

#include <math.h>
#include <string.h>
#include "math/vec.h"

enum { MOST_PARTS = 256, RESTS = -1 };
static const double LARGEST_SWING = 0.7, LARGEST_TURN = 0.5; /* in a part of a step [rad] */

/* ---- before the step's problem is stored ---- */

static int32_t leader_of(int32_t *leader, int32_t row) {
  while (leader[row] != row) row = leader[row] = leader[leader[row]];
  return row;
}

static void joint_rows(const scree_world *world, const sc_joint *joint, int32_t row[2]) {
  row[0] = sc_bodies_row(&world->bodies, joint->def.a);
  row[1] = joint->def.b ? sc_bodies_row(&world->bodies, joint->def.b) : -1;
}

static bool moves(const scree_world *world, int32_t row) {
  return row >= 0 && world->bodies.inv_mass[row] > 0;
}

static bool take(scree_world *world, sc_swings *s) {
  sc_arena *arena = &world->arena;
  size_t rows = (size_t)world->bodies.count, joints = (size_t)world->joints.count;
  s->leader = SC_TAKE(arena, int32_t, rows);
  s->place = SC_TAKE(arena, int32_t, rows);
  s->body = SC_TAKE(arena, int32_t, 2 * joints);
  s->before = SC_TAKE(arena, sc_motion, 2 * joints);
  s->load = sc_arena_take(arena, 2 * joints * sizeof *s->load);
  s->force = SC_TAKE(arena, double, joints);
  s->travel = SC_TAKE(arena, double, joints);
  s->row_work = sc_arena_take(arena, joints * sizeof *s->row_work);
  s->ends = sc_arena_take(arena, joints * sizeof *s->ends);
  s->lead = SC_TAKE(arena, int32_t, joints);
  return s->leader && s->place && s->body && s->before && s->load && s->force && s->travel && s->row_work &&
      s->ends && s->lead;
}

/* The first time that a body is met. */
static void list_body(const scree_world *world, sc_swings *s, int32_t row) {
  if (s->held[row] != SC_HELD) return;
  s->held[row] = SC_LISTED;
  s->leader[row] = row;
  s->place[row] = s->bodies;
  sc_motion_read(&world->bodies, row, s->before + s->bodies);
  memcpy(s->load[s->bodies], sc_bodies_load(&world->bodies, row), sizeof *s->load);
  s->body[s->bodies++] = row;
}

/* Velocity of a row before the step's problem was solved. */
static double velocity_before(const scree_world *world, const sc_joint_row *row) {
  const sc_bodies *bodies = &world->bodies;
  double sum = 0;
  for (int side = 0; side < 2; side++) {
    int32_t body = side ? row->j : row->i;
    if (body >= bodies->count) continue;
    sum += sc_dot(side ? row->lin2 : row->lin1, bodies->velocity[body]) +
        sc_body_scale(bodies, body) * sc_dot(side ? row->ang2 : row->ang1, bodies->spin[body]);
  }
  return sum;
}

/* Takes sign times what a joint's rows did in the step's problem into the account. */
static void book(scree_world *world, const double row_work[3], double sign) {
  world->work += sign * row_work[0];
  world->dissipated += sign * (row_work[0] + row_work[2]);
  world->lost_elsewhere[SCREE_LOST_JOINTS] += sign * row_work[1];
  world->correction += sign * row_work[2];
}

static void book_rows(scree_world *world, sc_swings *s) {
  const sc_problem *problem = &world->problem;
  for (int32_t i = 0; i < world->joints.count; i++) memset(s->row_work[i], 0, sizeof *s->row_work);
  for (int32_t r = 0; r < problem->joint_rows; r++) {
    const sc_joint_row *row = problem->joint_row + r;
    sc_row_work sum = {0};
    sc_account_row(problem, row, velocity_before(world, row), sc_problem_joint_velocity(problem, row), &sum);
    const double part[3] = {sum.work, sum.lost, sum.scheme};
    sc_add(s->row_work[row->joint], part, s->row_work[row->joint]);
  }
  for (int32_t i = 0; i < world->joints.count; i++) book(world, s->row_work[i], 1);
}

/* Bodies of a joint are of one mechanism. */
static void join(scree_world *world, sc_swings *s, int32_t i) {
  const sc_joint *joint = world->joints.row + i;
  int32_t *row = s->ends[i];
  row[0] = row[1] = -1;
  s->force[i] = s->travel[i] = 0;
  if (sc_joint_rests(&world->bodies, joint)) return;
  joint_rows(world, joint, row);
  for (int side = 0; side < 2; side++)
    if (row[side] >= 0) list_body(world, s, row[side]);
  s->force[i] = sc_norm(joint->force);
  s->travel[i] = joint->travel;
  if (!moves(world, row[0]) || !moves(world, row[1])) return;
  int32_t a = leader_of(s->leader, row[0]), b = leader_of(s->leader, row[1]);
  s->leader[a > b ? a : b] = a > b ? b : a;
}

/* The row by which a joint's mechanism is known, -1 where none of its bodies can move. */
static int32_t mechanism(const scree_world *world, const sc_swings *s, int32_t joint) {
  for (int side = 0; side < 2; side++)
    if (moves(world, s->ends[joint][side])) return leader_of(s->leader, s->ends[joint][side]);
  return -1;
}

static scree_status find_trees(scree_world *world, sc_swings *s, scree_error *error) {
  sc_trees *trees = SC_TAKE(&world->arena, sc_trees, 1);
  s->trees = trees;
  return trees ? sc_trees_find(world, s, trees, error)
               : sc_fail(error, SCREE_E_MEMORY, "no memory for %d joints", world->joints.count);
}

scree_status sc_world_swings_begin(scree_world *world, sc_swings *s, scree_error *error) {
  *s = (sc_swings){0};
  scree_status status = sc_world_mark_held(world, &s->held, error);
  if (status != SCREE_OK || !world->joints.count) return status;
  if (!take(world, s))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the motion of %d joints", world->joints.count);
  book_rows(world, s);
  if (!world->def.correct_joints) return SCREE_OK;
  for (int32_t i = 0; i < world->joints.count; i++) join(world, s, i);
  for (int32_t i = 0; i < world->joints.count; i++) s->lead[i] = mechanism(world, s, i);
  return find_trees(world, s, error);
}

/* ---- who is touched ---- */

/* Per joint, nonzero: a contact had an impulse on its mechanism in this step, or a bond holds it. */
static scree_status find_touched(
    scree_world *world, const sc_swings *s, uint8_t **touched, scree_error *error) {
  int32_t joints = world->joints.count;
  uint8_t *body = SC_TAKE(&world->arena, uint8_t, world->bodies.count);
  double *most = SC_TAKE(&world->arena, double, joints);
  *touched = SC_TAKE(&world->arena, uint8_t, joints);
  if (!body || !most || !*touched) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d joints", joints);
  memset(body, 0, (size_t)world->bodies.count);
  for (int32_t c = 0; c < world->contacts; c++) {
    sc_meeting contact;
    sc_collide_meeting(world->collide, &world->shapes, c, &contact);
    const int32_t row[2] = {contact.sides.body1, contact.sides.body2};
    if (sc_dot(contact.impulse, contact.impulse) == 0) continue;
    for (int side = 0; side < 2; side++)
      if (s->held[row[side]] == SC_LISTED && moves(world, row[side]))
        body[leader_of(s->leader, row[side])] = 1;
  }
  for (int32_t i = 0; i < world->joints.bonds.count; i++) {
    const sc_bond *bond = world->joints.bonds.row + i;
    const int32_t row[2] = {sc_bodies_row(&world->bodies, bond->a), sc_bodies_row(&world->bodies, bond->b)};
    for (int side = 0; side < 2; side++)
      if (row[side] >= 0 && s->held[row[side]] == SC_LISTED) body[leader_of(s->leader, row[side])] = 1;
  }
  for (int32_t i = 0; i < joints; i++) { most[i] = s->lead[i] < 0 || body[s->lead[i]]; }
  world->ranks->most(world->ranks->context, most, joints);
  for (int32_t i = 0; i < joints; i++) (*touched)[i] = most[i] > 0;
  return SCREE_OK;
}

/* ---- how many parts ---- */

/* Largest inverse inertia of a body across an arm [1/(kg m2)]. */
static double across(const sc_bodies *bodies, int32_t row, const double arm[3]) {
  double axes[3][3], turned[3], most = 0;
  sc_normalise(arm, axes[0]);
  sc_frame(axes[0], axes[1], axes[2]);
  for (int k = 1; k < 3; k++) {
    sc_world_turn(bodies, row, axes[k], turned);
    most = fmax(most, sc_dot(axes[k], turned));
  }
  return most;
}

/* Rate at which the tension of a joint lets a body with this arm swing, squared. */
static double swing_rate(const sc_bodies *bodies, int32_t row, const double arm[3], double force) {
  return force * sc_norm(arm) * across(bodies, row, arm);
}

/* What distance joints add: the body circles about the other anchor. */
static double circle_rate(const sc_bodies *bodies, int32_t row, const sc_joint_pose *pose, double force) {
  double between[3];
  sc_sub(pose->p1, pose->p2, between);
  double length = sc_norm(between);
  return length > 0 ? force / length * bodies->inv_mass[row] : 0;
}

/* Rate at which an arm turns with its body. */
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

/* Faster turn of a joint's arm and axis on one side. */
static double side_turn_rate(
    const scree_world *world, const sc_joint *joint, const sc_joint_pose *pose, int side) {
  const bool axes = joint->def.type != SCREE_JOINT_BALL && joint->def.type != SCREE_JOINT_DISTANCE;
  const int32_t row = side ? pose->row2 : pose->row1;
  double arm[3];
  if (row < 0) return 0;
  sc_sub(side ? pose->p2 : pose->p1, side ? pose->x2 : pose->x1, arm);
  double rate = turn_rate(&world->bodies, row, arm);
  return axes ? fmax(rate, axis_rate(&world->bodies, row, side ? pose->axis2 : pose->axis1)) : rate;
}

/* What parts are chosen by, per body that joints hold. */
typedef struct rates {
  double *swing, *turn; /* squared; rad/s */
} rates;

/* A joint that needs no axes: its arms alone. */
static void add_ball(const scree_world *world, const sc_swings *s, int32_t index, double force, rates *r) {
  const sc_joint *joint = world->joints.row + index;
  for (int side = 0; side < 2; side++) {
    const int32_t row = s->ends[index][side];
    double arm[3];
    if (row < 0) continue;
    sc_quat_rotate(world->bodies.orientation[row], side ? joint->anchor2 : joint->anchor1, arm);
    if (moves(world, row)) r->swing[s->place[row]] += swing_rate(&world->bodies, row, arm, force);
    r->turn[s->place[row]] = fmax(r->turn[s->place[row]], turn_rate(&world->bodies, row, arm));
  }
}

static void add_any(const scree_world *world, const sc_swings *s, int32_t index, double force, rates *r) {
  const sc_joint *joint = world->joints.row + index;
  sc_joint_pose pose;
  if (!sc_joint_place(&world->bodies, joint, &pose)) return;
  for (int side = 0; side < 2; side++) {
    const int32_t row = side ? pose.row2 : pose.row1;
    double arm[3];
    if (row < 0) continue;
    r->turn[s->place[row]] = fmax(r->turn[s->place[row]], side_turn_rate(world, joint, &pose, side));
    if (!moves(world, row) || joint->def.type == SCREE_JOINT_FIXED) continue;
    sc_sub(side ? pose.p2 : pose.p1, side ? pose.x2 : pose.x1, arm);
    double *rate = r->swing + s->place[row];
    *rate += swing_rate(&world->bodies, row, arm, force);
    if (joint->def.type == SCREE_JOINT_DISTANCE) *rate += circle_rate(&world->bodies, row, &pose, force);
  }
}

/* Adds a joint's rates to those of its bodies. */
static void add_rates(const scree_world *world, const sc_swings *s, int32_t index, rates *r) {
  const sc_joint *joint = world->joints.row + index;
  double force = fmax(s->force[index], sc_norm(joint->force));
  if (joint->def.type == SCREE_JOINT_BALL) add_ball(world, s, index, force, r);
  else add_any(world, s, index, force, r);
}

static int parts_for(double rate, double turn, double dt) {
  double wanted = fmax(sqrt(rate) * dt / LARGEST_SWING, turn * dt / LARGEST_TURN);
  int parts = 1;
  while (parts < wanted && parts < MOST_PARTS) parts *= 2;
  return parts;
}

/* Parts of the step per joint: those that the most demanding body of its mechanism needs; 0: touched; RESTS:
 * asleep. */
static scree_status choose_parts(scree_world *world, const sc_swings *s, const uint8_t *touched, double dt,
    int32_t **parts, scree_error *error) {
  int32_t joints = world->joints.count;
  rates r = {SC_TAKE(&world->arena, double, s->bodies), SC_TAKE(&world->arena, double, s->bodies)};
  int32_t *most = SC_TAKE(&world->arena, int32_t, s->bodies);
  *parts = SC_TAKE(&world->arena, int32_t, joints);
  if (!r.swing || !r.turn || !most || !*parts)
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d joints", joints);
  for (int32_t i = 0; i < s->bodies; i++) r.swing[i] = r.turn[i] = 0, most[i] = 1;
  for (int32_t i = 0; i < joints; i++) {
    (*parts)[i] = sc_joint_rests(&world->bodies, world->joints.row + i) ? RESTS : 0;
    if ((*parts)[i] != RESTS) add_rates(world, s, i, &r);
  }
  for (int32_t i = 0; i < s->bodies; i++) {
    if (!moves(world, s->body[i])) continue;
    int32_t *lead = most + s->place[leader_of(s->leader, s->body[i])];
    int32_t own = parts_for(r.swing[i], r.turn[i], dt);
    if (own > *lead) *lead = own;
  }
  for (int32_t i = 0; i < joints; i++)
    if (!touched[i]) (*parts)[i] = most[s->place[s->lead[i]]];
  return SCREE_OK;
}

/* ---- a group of mechanisms with as many parts ---- */

static bool take_group(sc_swing *g, int32_t joints, sc_arena *arena) {
  size_t rows = (size_t)g->world->bodies.count + 1, most = 2 * (size_t)joints;
  g->joints.row = SC_TAKE(arena, sc_joint, joints);
  g->source = SC_TAKE(arena, int32_t, joints);
  g->body = SC_TAKE(arena, int32_t, most);
  g->here = SC_TAKE(arena, sc_motion, most);
  g->on = SC_TAKE(arena, sc_motion, most);
  g->total = SC_TAKE(arena, sc_solver_body, rows);
  g->change = SC_TAKE(arena, sc_solver_body, rows);
  g->problem.K = sc_arena_take(arena, rows * sizeof *g->problem.K);
  g->begun = SC_TAKE(arena, double, (size_t)joints *SC_JOINT_ROWS);
  return g->begun && g->joints.row && g->source && g->body && g->here && g->on && g->total && g->change &&
      g->problem.K;
}

static void add_to_group(sc_swing *g, const sc_swings *s, int32_t joint, uint8_t *listed) {
  scree_world *world = g->world;
  int32_t row[2];
  g->joints.row[g->joints.count] = world->joints.row[joint];
  g->source[g->joints.count++] = joint;
  joint_rows(world, world->joints.row + joint, row);
  for (int side = 0; side < 2; side++) {
    if (row[side] < 0 || listed[s->place[row[side]]]) continue;
    listed[s->place[row[side]]] = 1;
    if (moves(world, row[side])) g->length = fmax(g->length, sc_body_scale(&world->bodies, row[side]));
    g->body[g->bodies++] = row[side];
  }
}

/* The joints of mechanisms with so many parts, but for trees. */
static scree_status make_group(scree_world *world, const sc_swings *s, const int32_t *parts, int32_t wanted,
    double dt, sc_swing *g, scree_error *error) {
  *g = (sc_swing){.world = world, .smooth = wanted > 0, .failed = -1};
  uint8_t *listed = SC_TAKE(&world->arena, uint8_t, s->bodies);
  if (!listed || !take_group(g, world->joints.count, &world->arena))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the motion of %d joints", world->joints.count);
  memset(listed, 0, (size_t)s->bodies);
  for (int32_t i = 0; i < world->joints.count; i++)
    if (parts[i] == wanted && s->trees->of[i] < 0) add_to_group(g, s, i, listed);
  g->problem.bodies = world->bodies.count + 1;
  g->problem.body = g->total;
  g->problem.dt = dt;
  g->problem.planar = world->bodies.planar;
  sc_copy3(world->bodies.plane, g->problem.plane);
  int32_t ground = world->bodies.count;
  memset(g->total + ground, 0, sizeof *g->total);
  memset(g->change + ground, 0, sizeof *g->change);
  memset(g->problem.K[ground], 0, sizeof *g->problem.K);
  return SCREE_OK;
}

/* The bodies as they were before the step, with its loads; joints without reactions. */
static void rewind_group(sc_swing *g, const sc_swings *s) {
  sc_bodies *bodies = &g->world->bodies;
  for (int32_t i = 0; i < g->bodies; i++) {
    int32_t place = s->place[g->body[i]];
    sc_motion_write(s->before + place, bodies, g->body[i]);
    if (bodies->load) memcpy(bodies->load[g->body[i]], s->load[place], sizeof *bodies->load);
  }
  for (int32_t i = 0; i < g->joints.count; i++) {
    sc_joint *joint = g->joints.row + i;
    *joint = g->world->joints.row[g->source[i]];
    joint->travel = s->travel[g->source[i]];
    sc_joint_forget(joint);
  }
}

/* What the joints know goes back; driven bodies stand where they were, as they are moved with the others. */
static void close_group(sc_swing *g, sc_swings *s) {
  sc_bodies *bodies = &g->world->bodies;
  for (int32_t i = 0; i < g->joints.count; i++) {
    sc_joint *to = g->world->joints.row + g->source[i];
    const sc_joint *from = g->joints.row + i;
    memcpy(to->position, from->position, sizeof to->position);
    memcpy(to->effort, from->effort, sizeof to->effort);
    sc_copy3(from->effort + 2, to->held);
    to->travel = from->travel;
    sc_copy3(from->force, to->force);
    sc_copy3(from->torque, to->torque);
  }
  for (int32_t i = 0; i < g->bodies; i++) {
    int32_t row = g->body[i];
    sc_bodies_clear_load(bodies, row);
    if (bodies->kind[row] == SCREE_DYNAMIC) s->held[row] = SC_MOVED;
    else sc_motion_write(s->before + s->place[row], bodies, row);
  }
}

static scree_status too_large(
    const scree_world *world, const sc_joint *joint, double dt, scree_error *error) {
  sc_joint_pose pose;
  double turn = 0;
  if (sc_joint_place(&world->bodies, joint, &pose))
    for (int side = 0; side < 2; side++) turn = fmax(turn, side_turn_rate(world, joint, &pose, side));
  return sc_fail(error, SCREE_E_NUMERIC,
      "at time %.9g the step of %.3g s is too large for %s joint %llu, even in %d parts: its bodies turn by "
      "%.3g "
      "rad/s; a step of %.2g s would do",
      world->time, dt, scree_joint_type_name(joint->def.type), (unsigned long long)joint->id, MOST_PARTS,
      turn, MOST_PARTS * LARGEST_TURN / fmax(turn, 2 * LARGEST_TURN * MOST_PARTS / dt));
}

/* What motors and driven bodies did, and what joints lost. */
static void book_group(const sc_swing *g, sc_swing_sum *sum) {
  if (g->world->ranks->rank != 0) return;
  sum->work += g->work;
  sum->dissipated += g->lost;
  sum->joints += g->lost;
  sum->correction += g->lost - g->work;
}

static scree_status swing_free(
    scree_world *world, sc_swings *s, const int32_t *parts, int32_t wanted, double dt, scree_error *error) {
  sc_swing g;
  sc_swing_sum sum;
  bool followed = false;
  scree_status status = make_group(world, s, parts, wanted, dt, &g, error);
  if (status != SCREE_OK || !g.joints.count) return status;
  double before = sc_swing_open(world, s, g.body, g.bodies, true, dt, &sum);
  for (int32_t i = 0; i < g.joints.count; i++) sc_swing_unbook_rows(s, g.source[i], &sum);
  for (int cut = wanted; !followed; cut *= 2) {
    rewind_group(&g, s);
    g.work = g.lost = 0;
    if (cut > MOST_PARTS)
      return too_large(world, g.failed >= 0 ? g.joints.row + g.failed : g.joints.row, dt, error);
    sc_arena_mark mark = sc_arena_here(&world->arena);
    status = sc_rattle(&g, dt, cut, &followed, error);
    if (status != SCREE_OK) return status;
    sc_arena_back(&world->arena, mark);
  }
  book_group(&g, &sum);
  sc_swing_close(world, s, g.body, g.bodies, true, dt, before, &sum);
  sc_swing_enter(world, &sum);
  close_group(&g, s);
  return SCREE_OK;
}

/* Velocities go along with shifts of joints. Where positions cannot be met the solved velocities stay. */
static scree_status swing_touched(
    scree_world *world, sc_swings *s, const int32_t *parts, double dt, scree_error *error) {
  sc_swing g;
  sc_swing_sum sum;
  bool followed;
  scree_status status = make_group(world, s, parts, 0, dt, &g, error);
  if (status != SCREE_OK || !g.joints.count) return status;
  sc_motion *solved = SC_TAKE(&world->arena, sc_motion, g.bodies);
  if (!solved) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", g.bodies);
  for (int32_t i = 0; i < g.bodies; i++) sc_motion_read(&world->bodies, g.body[i], solved + i);
  double before = sc_swing_open(world, s, g.body, g.bodies, false, dt, &sum);
  for (int32_t i = 0; i < g.joints.count; i++) sc_joint_forget(g.joints.row + i);
  status = sc_shake(&g, dt, &followed, error);
  if (status != SCREE_OK || !followed) {
    for (int32_t i = 0; i < g.bodies; i++) sc_motion_write(solved + i, &world->bodies, g.body[i]);
    return status;
  }
  sc_swing_close(world, s, g.body, g.bodies, false, dt, before, &sum);
  sc_swing_enter(world, &sum);
  close_group(&g, s);
  return SCREE_OK;
}

/* Mechanisms that still want more than the most parts. */
static scree_status refuse(const scree_world *world, const int32_t *parts, double dt, scree_error *error) {
  for (int32_t i = 0; i < world->joints.count; i++)
    if (parts[i] > MOST_PARTS) return too_large(world, world->joints.row + i, dt, error);
  return SCREE_OK;
}

scree_status sc_world_swings(scree_world *world, sc_swings *s, double dt, scree_error *error) {
  uint8_t *touched;
  int32_t *parts;
  if (!world->joints.count || !world->def.correct_joints) return SCREE_OK;
  scree_status status = find_touched(world, s, &touched, error);
  if (status == SCREE_OK) status = choose_parts(world, s, touched, dt, &parts, error);
  if (status == SCREE_OK) status = sc_trees_swing(world, s, parts, 0, dt, error);
  if (status == SCREE_OK) status = swing_touched(world, s, parts, dt, error);
  for (int32_t cut = 1; cut <= MOST_PARTS && status == SCREE_OK; cut *= 2) {
    status = sc_trees_swing(world, s, parts, cut, dt, error);
    if (status == SCREE_OK) status = swing_free(world, s, parts, cut, dt, error);
  }
  return status == SCREE_OK ? refuse(world, parts, dt, error) : status;
}
