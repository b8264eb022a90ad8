/* Records the state of mechanisms before the step's problem is solved. Finds the mechanisms that the problem
 * does not contain: trees of ball joints without listed contacts. These mechanisms move independently of the
 * solver. */
#include "world/world.h"
#include "world/account/account.h"
#include "world/mechanism/trees/trees.h"
#include "world/steps.h"

#include <string.h>
#include "math/vec.h"
#include "model/relative.h"
#include "problem/operator/delassus.h"

static bool allocate_lists(scree_world *world, sc_swings *s) {
  sc_arena *arena = &world->arena;
  size_t rows = (size_t)world->bodies.count, joints = (size_t)world->joints.count;
  s->leader = SC_TAKE(arena, int32_t, rows);
  s->place = SC_TAKE(arena, int32_t, rows);
  const size_t max = sc_mechanism_max_bodies(&world->joints);
  s->body = SC_TAKE(arena, int32_t, max);
  s->before = SC_TAKE(arena, sc_motion, max);
  s->load = sc_arena_take(arena, max * sizeof *s->load);
  s->force = SC_TAKE(arena, double, joints);
  s->travel = SC_TAKE(arena, double, joints);
  s->row_work = sc_arena_take(arena, joints * sizeof *s->row_work);
  s->ends = sc_arena_take(arena, joints * sizeof *s->ends);
  s->lead = SC_TAKE(arena, int32_t, joints);
  return s->leader && s->place && s->body && s->before && s->load && s->force && s->travel && s->row_work &&
      s->ends && s->lead;
}

/* Adds a body with joints to the list of bodies, unless the list contains it. */
static void list_body(sc_swings *s, int32_t row) {
  if (s->held[row] != SC_HELD) return;
  s->held[row] = SC_LISTED;
  s->leader[row] = row;
  s->place[row] = s->bodies;
  s->body[s->bodies++] = row;
}

/* Unites the mechanisms of two bodies in the union-find structure if both bodies can move. one, two: rows of
 * the bodies; -1: the ground. */
static void unite_mechanisms(const scree_world *world, sc_swings *s, int32_t one, int32_t two) {
  if (!sc_mechanism_is_movable(&world->bodies, one) || !sc_mechanism_is_movable(&world->bodies, two)) return;
  const int32_t a = sc_leader_of(s->leader, one), b = sc_leader_of(s->leader, two);
  s->leader[a > b ? a : b] = a > b ? b : a;
}

/* Unites the housing of a gear or rack with the mechanism of its wheels. row: rows of the joint's bodies. */
static void join_housing(scree_world *world, sc_swings *s, const sc_joint *joint, const int32_t row[2]) {
  const int32_t housing = sc_joint_housing(&world->bodies, &joint->def);
  if (housing < 0) return;
  sc_world_hold(housing, -1, s->held);
  list_body(s, housing);
  for (int side = 0; side < 2; side++) unite_mechanisms(world, s, row[side], housing);
}

/* Records joint i and its bodies, and unites the mechanisms of its bodies. Does not record a joint that
 * sleeps. */
static void add_joint(scree_world *world, sc_swings *s, int32_t i) {
  const sc_joint *joint = world->joints.row + i;
  int32_t *row = s->ends[i];
  s->force[i] = s->travel[i] = 0;
  sc_swing_rows(&world->bodies, joint, row);
  sc_world_hold(row[0], row[1], s->held);
  if (sc_joint_rests(&world->bodies, joint)) {
    row[0] = row[1] = -1;
    return;
  }
  for (int side = 0; side < 2; side++)
    if (row[side] >= 0) list_body(s, row[side]);
  s->force[i] = sc_norm(joint->force);
  s->travel[i] = joint->travel;
  unite_mechanisms(world, s, row[0], row[1]);
  join_housing(world, s, joint, row);
}

/* Returns the leader of a joint's mechanism; -1 if no body of the joint can move. joint: index in
 * world->joints. */
static int32_t mechanism_leader_of(const scree_world *world, const sc_swings *s, int32_t joint) {
  for (int side = 0; side < 2; side++)
    if (sc_mechanism_is_movable(&world->bodies, s->ends[joint][side]))
      return sc_leader_of(s->leader, s->ends[joint][side]);
  return -1;
}

static scree_status find_trees(scree_world *world, sc_swings *s, scree_error *error) {
  sc_trees *trees = SC_TAKE(&world->arena, sc_trees, 1);
  s->trees = trees;
  return trees ? sc_trees_find(world, s, trees, error)
               : sc_fail(error, SCREE_E_MEMORY, "no memory for %d joints", world->joints.count);
}

/* Sets mark[i] for all joints i of trees that contain a breakable joint. Such trees need rows in the step's
 * problem, because its solution decides which joints break. */
static scree_status mark_breakable(
    scree_world *world, const sc_trees *trees, uint8_t *mark, scree_error *error) {
  const sc_joints *joints = &world->joints;
  uint8_t *breaks = SC_TAKE(&world->arena, uint8_t, trees->count);
  if (!breaks) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d joints", joints->count);
  memset(breaks, 0, (size_t)trees->count);
  for (int32_t i = 0; i < joints->count; i++)
    if (trees->of[i] >= 0 && joints->trait[i] & SC_JOINT_BREAKS) breaks[trees->of[i]] = 1;
  for (int32_t i = 0; i < joints->count; i++)
    if (trees->of[i] >= 0 && breaks[trees->of[i]]) mark[i] = 1;
  return SCREE_OK;
}

/* Finds trees without listed contacts and without breakable joints. Marks their joints in s->apart and their
 * bodies in s->alone. */
static scree_status find_apart(scree_world *world, sc_swings *s, scree_error *error) {
  const sc_trees *trees = s->trees;
  if (!trees->count || world->phase) return SCREE_OK;
  s->alone = SC_TAKE(&world->arena, uint8_t, world->bodies.count);
  if (!s->alone) return sc_fail(error, SCREE_E_MEMORY, "no memory to mark %d bodies", world->bodies.count);
  memset(s->alone, 0, (size_t)world->bodies.count);
  scree_status status = sc_mechanism_touched(world, s, true, &s->apart, error);
  if (status == SCREE_OK) status = mark_breakable(world, trees, s->apart, error);
  for (int32_t i = 0; i < world->joints.count && status == SCREE_OK; i++) {
    s->apart[i] = trees->of[i] >= 0 && !s->apart[i];
    for (int side = 0; side < 2 && s->apart[i]; side++) {
      const int32_t row = s->ends[i][side];
      if (sc_mechanism_is_movable(&world->bodies, row)) s->alone[row] = 1, s->held[row] = SC_MOVED;
    }
  }
  return status;
}

/* Sets v to the part of the velocity of a body's point p that was changed between steps: the present velocity
 * minus the velocity at the end of the last step. x: centre of mass. all: true to return the whole present
 * velocity. row -1: the ground, v = 0. */
static void compute_outside(
    const sc_bodies *bodies, int32_t row, bool all, const double x[3], const double p[3], double v[3]) {
  double velocity[3], spin[3], arm[3];
  sc_set3(0, 0, 0, v);
  if (row < 0) return;
  sc_copy3(bodies->velocity[row], velocity), sc_copy3(bodies->spin[row], spin);
  if (!all) {
    sc_sub(velocity, bodies->left[row], velocity);
    sc_sub(spin, bodies->left[row] + 3, spin);
  }
  sc_sub(p, x, arm);
  sc_rigid_velocity(velocity, spin, arm, v);
}

/* For each joint of a tree, stores the part of its relative velocity that was changed between steps
 * (compute_outside). All joints of trees are ball joints. */
static scree_status store_outside(scree_world *world, sc_swings *s, scree_error *error) {
  if (!s->found || !s->trees->count) return SCREE_OK;
  s->outside = sc_arena_take(&world->arena, (size_t)world->joints.count * sizeof *s->outside);
  if (!s->outside)
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the motion of %d joints", world->joints.count);
  for (int32_t i = 0; i < world->joints.count; i++) {
    const sc_joint *joint = world->joints.row + i;
    const bool all = joint->id > world->joints.met;
    sc_joint_pose pose;
    double v[2][3];
    if (s->trees->of[i] < 0) continue;
    sc_joint_place_rows(&world->bodies, joint, s->ends[i], &pose);
    compute_outside(&world->bodies, pose.row1, all, pose.x1, pose.p1, v[0]);
    compute_outside(&world->bodies, pose.row2, all, pose.x2, pose.p2, v[1]);
    sc_sub(v[0], v[1], s->outside[i]);
  }
  return SCREE_OK;
}

/* Stores the motion and loads of the bodies with joints that the step's problem contains. Must be called
 * before the solution of the problem changes them. */
static void store_before(const scree_world *world, sc_swings *s) {
  for (int32_t i = 0; i < s->bodies; i++) {
    if (s->held[s->body[i]] == SC_MOVED) continue;
    sc_motion_read(&world->bodies, s->body[i], s->before + i);
    memcpy(s->load[i], sc_bodies_load(&world->bodies, s->body[i]), sizeof *s->load);
  }
}

scree_status sc_world_swings_begin(scree_world *world, sc_swings *s, scree_error *error) {
  *s = (sc_swings){0};
  const bool moves = world->joints.count && world->def.correct_joints;
  scree_status status = moves ? sc_world_open_held(world, &s->held, error)
                              : sc_world_mark_held(world, &s->held, error);
  if (status != SCREE_OK || !world->joints.count) return status;
  if (!allocate_lists(world, s))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the motion of %d joints", world->joints.count);
  s->found = sc_account_changed(&world->bodies, &world->joints);
  if (!moves) return SCREE_OK;
  for (int32_t i = 0; i < world->joints.count; i++) {
    if (i + SC_JOINTS_AHEAD < world->joints.count) sc_joint_fetch(world->joints.row + i + SC_JOINTS_AHEAD);
    add_joint(world, s, i);
  }
  for (int32_t i = 0; i < world->joints.count; i++) s->lead[i] = mechanism_leader_of(world, s, i);
  status = find_trees(world, s, error);
  if (status == SCREE_OK) status = find_apart(world, s, error);
  if (status == SCREE_OK) status = store_outside(world, s, error);
  if (status == SCREE_OK) store_before(world, s);
  return status;
}

/* ---- after the step's problem is solved ---- */

/* Returns a body's contribution to the velocity of a row before the step's problem was solved. lin, ang:
 * Jacobian of the row for this body. */
static inline double velocity_along(
    const sc_bodies *bodies, int32_t body, const double lin[3], const double ang[3]) {
  if (body >= bodies->count) return 0;
  return sc_dot(lin, bodies->velocity[body]) + sc_body_scale(bodies, body) * sc_dot(ang, bodies->spin[body]);
}

/* Returns the velocity of a joint row before the step's problem was solved. */
static double row_velocity_before(
    const sc_bodies *bodies, const sc_problem *problem, const sc_joint_row *row) {
  const sc_joint_third *third = sc_problem_third(problem, row);
  const double sum = velocity_along(bodies, row->i, row->lin1, row->ang1) +
      velocity_along(bodies, row->j, row->lin2, row->ang2);
  return third ? sum + velocity_along(bodies, third->body, third->lin, third->ang) : sum;
}

/* Adds the energies of joint rows in the step's problem to an energy balance. */
static void add_row_work(const sc_row_work *sum, sc_energy *energy) {
  energy->work += sum->work;
  energy->dissipated += sum->work + sum->scheme - sum->stored;
  energy->elsewhere[SCREE_LOST_JOINTS] += sum->lost;
  energy->correction += sum->scheme;
}

/* Adds work, losses and energy error of the integration scheme of a row of the solved problem to sum; found:
 * see sc_account_changed. */
static void add_solved_row(const scree_world *world, const sc_joint_row *row, bool found, sc_row_work *sum) {
  const sc_problem *problem = &world->problem;
  const sc_row_motion motion = {.before = row_velocity_before(&world->bodies, problem, row),
      .after = sc_problem_joint_velocity(problem, row),
      .found = found
          ? sc_account_found(&world->bodies, world->joints.met, problem, world->joints.row + row->joint, row)
          : 0};
  sc_row_work did = {0};
  sc_account_row(problem, row, &motion, &did);
  sum->work += did.work, sum->lost += did.lost;
  sum->scheme += did.scheme, sum->stored += did.stored;
}

/* Returns the work of motors and servos along position shifts [J]. */
static double shifted_motor_work(const scree_world *world, const sc_solver_body *shift) {
  const sc_problem *problem = &world->problem;
  sc_problem moved = *problem;
  double sum = 0;
  moved.body = (sc_solver_body *)shift;
  for (int32_t r = 0; r < problem->joint_rows; r++)
    if (sc_account_is_motor(problem->joint_row + r))
      sum += problem->joint_row[r].x * sc_problem_joint_velocity(&moved, problem->joint_row + r);
  return sum * sc_world_shift_time(world) / problem->dt;
}

void sc_world_swings_book(scree_world *world, sc_swings *s, const sc_solver_body *shift) {
  const sc_problem *problem = &world->problem;
  const double shifted = shift ? shifted_motor_work(world, shift) : 0;
  sc_world_mark_bonded(world, s->held);
  if (world->joints.count) memset(s->row_work, 0, (size_t)world->joints.count * sizeof *s->row_work);
  for (int32_t r = 0; r < problem->joint_rows; r++)
    add_solved_row(world, problem->joint_row + r, s->found, s->row_work + problem->joint_row[r].joint);
  for (int32_t i = 0; i < world->joints.count; i++) add_row_work(s->row_work + i, &world->energy);
  world->energy.work += shifted, world->energy.correction -= shifted;
}

void sc_world_book_joints(scree_world *world) {
  const bool found = sc_account_changed(&world->bodies, &world->joints);
  sc_row_work sum = {0};
  for (int32_t r = 0; r < world->problem.joint_rows; r++)
    add_solved_row(world, world->problem.joint_row + r, found, &sum);
  add_row_work(&sum, &world->energy);
}
