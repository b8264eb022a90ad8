/* Moves mechanisms. Mechanisms without contact impulses move by RATTLE, all others with the solved
 * velocities.
 *
 * The step's problem contains all contacts and joints, with all forces at the start of the step. Solvers,
 * reports and problem files use this problem. It suits contacts, because the contact law applies at the end
 * of the step. For smooth motion, however, it is only of first order. A mechanism without contact impulses in
 * this step therefore moves from its state before the step by RATTLE (rattle.c). RATTLE is of second order
 * and conserves energy.
 *
 * A mechanism with contact impulses moves with the solved velocities. The shift that corrects its joints also
 * changes these velocities, so the shift does no work.
 *
 * RATTLE divides a step into substeps that are short enough for the rates of the mechanism (swing_parts.c).
 * It doubles the number of substeps if Newton's method on positions does not converge. */
#include "world/world.h"
#include "world/account/account.h"
#include "world/mechanism/swing_account.h"
#include "world/mechanism/motion/swing_parts.h"
#include "world/mechanism/yields.h"
#include "world/mechanism/trees/trees.h"
#include "world/steps.h"

#include <math.h>
#include <string.h>
#include "math/vec.h"

/* ---- the group of all mechanisms with an equal number of substeps ---- */

static bool allocate_group(sc_mechanism_group *g, int32_t joints, sc_arena *arena) {
  size_t rows = (size_t)g->world->bodies.count + 1, max = sc_mechanism_max_bodies(&g->world->joints);
  g->joints.row = SC_TAKE(arena, sc_joint, joints);
  g->source = SC_TAKE(arena, int32_t, joints);
  g->body = SC_TAKE(arena, int32_t, max);
  g->here = SC_TAKE(arena, sc_motion, max);
  g->on = SC_TAKE(arena, sc_motion, max);
  g->total = SC_TAKE(arena, sc_solver_body, rows);
  g->change = SC_TAKE(arena, sc_solver_body, rows);
  g->problem.K = SC_TAKE(arena, sc_inertia_row, rows);
  g->begun = SC_TAKE(arena, double, (size_t)joints *SC_JOINT_ROWS);
  return g->begun && g->joints.row && g->source && g->body && g->here && g->on && g->total && g->change &&
      g->problem.K;
}

/* Adds a joint and its bodies to a group. joint: index in world->joints. listed: [s->bodies] nonzero if the
 * group already contains the body. */
static void add_to_group(sc_mechanism_group *g, const sc_swings *s, int32_t joint, uint8_t *listed) {
  scree_world *world = g->world;
  int32_t row[3];
  g->joints.row[g->joints.count] = world->joints.row[joint];
  g->source[g->joints.count++] = joint;
  sc_swing_rows(&world->bodies, world->joints.row + joint, row);
  row[2] = sc_joint_housing(&world->bodies, &world->joints.row[joint].def);
  for (int side = 0; side < 3; side++) {
    if (row[side] < 0 || listed[s->place[row[side]]]) continue;
    listed[s->place[row[side]]] = 1;
    if (sc_mechanism_is_movable(&world->bodies, row[side]))
      g->length = fmax(g->length, sc_body_scale(&world->bodies, row[side]));
    g->body[g->bodies++] = row[side];
  }
}

/* Sets *g to the joints of all mechanisms with `wanted` substeps, except trees. parts: [joints] number of
 * substeps. */
static scree_status make_group(scree_world *world, const sc_swings *s, const int32_t *parts, int32_t wanted,
    double dt, sc_mechanism_group *g, scree_error *error) {
  *g = (sc_mechanism_group){.world = world, .smooth = wanted > 0, .found = s->found, .failed = -1};
  uint8_t *listed = SC_TAKE(&world->arena, uint8_t, s->bodies);
  if (!listed || !allocate_group(g, world->joints.count, &world->arena))
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

/* Restores the poses, velocities and loads of the group's bodies before the step. Sets the reactions of its
 * joints to 0. */
static void rewind_group(sc_mechanism_group *g, const sc_swings *s) {
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
    memcpy(joint->rotor, joint->rotor_before, sizeof joint->rotor);
    sc_joint_forget(joint);
  }
}

/* Copies the results of a group to the joints of the world. Resets the driven bodies to their motion before
 * the step, because the stepper moves them later together with all other bodies. */
static void close_group(sc_mechanism_group *g, sc_swings *s) {
  sc_bodies *bodies = &g->world->bodies;
  for (int32_t i = 0; i < g->joints.count; i++) {
    sc_joint *to = g->world->joints.row + g->source[i];
    const sc_joint *from = g->joints.row + i;
    memcpy(to->position, from->position, sizeof to->position);
    memcpy(to->effort, from->effort, sizeof to->effort);
    sc_copy3(from->effort + 2, to->held);
    to->travel = from->travel;
    memcpy(to->rotor, from->rotor, sizeof to->rotor);
    sc_copy3(from->force, to->force);
    sc_copy3(from->torque, to->torque);
    sc_copy3(from->friction, to->friction);
  }
  for (int32_t i = 0; i < g->bodies; i++) {
    int32_t row = g->body[i];
    sc_bodies_clear_load(bodies, row);
    if (bodies->kind[row] == SCREE_DYNAMIC) s->held[row] = SC_MOVED;
    else sc_motion_write(s->before + s->place[row], bodies, row);
  }
}

/* Returns an error: the step is too large for a joint. The message proposes a step that is small enough. */
static scree_status fail_step_too_large(
    const scree_world *world, const sc_joint *joint, double dt, scree_error *error) {
  sc_joint_pose pose;
  double turn = 0;
  if (sc_joint_place(&world->bodies, joint, &pose))
    for (int side = 0; side < 2; side++) turn = fmax(turn, sc_mechanism_turn_rate(world, joint, &pose, side));
  return sc_fail(error, SCREE_E_NUMERIC,
      "at time %.9g the step of %.3g s is too large for %s joint %llu, even in %d parts: its bodies turn by "
      "%.3g "
      "rad/s; a step of %.2g s would do",
      world->time, dt, scree_joint_type_name(joint->def.type), (unsigned long long)joint->id, SC_MOST_PARTS,
      turn, SC_MOST_PARTS * SC_LARGEST_TURN / fmax(turn, 2 * SC_LARGEST_TURN * SC_MOST_PARTS / dt));
}

/* Adds the work of motors and driven bodies and the losses of joints to *sum. Only rank 0 adds them. */
static void add_group_energies(const sc_mechanism_group *g, sc_mechanism_energy *sum) {
  if (g->world->ranks->rank != 0) return;
  sum->work += g->work;
  sum->dissipated += g->lost;
  sum->joints += g->lost;
  sum->correction += g->lost - g->work;
}

/* Returns the kinetic energy of the rotors of a group. before: before the step [J]. */
static double rotor_energy_of(const sc_mechanism_group *g, bool before) {
  double sum = 0;
  for (int32_t i = 0; i < g->joints.count; i++) {
    const sc_joint *joint = g->joints.row + i;
    sum += sc_joint_rotor_energy(joint, before ? joint->rotor_before : joint->rotor);
  }
  return g->world->ranks->rank == 0 ? sum : 0;
}

/* Moves all mechanisms with `wanted` substeps, except trees, by RATTLE. Doubles the number of substeps until
 * the positions converge. parts: [joints] number of substeps. */
static scree_status move_free(
    scree_world *world, sc_swings *s, const int32_t *parts, int32_t wanted, double dt, scree_error *error) {
  sc_mechanism_group g;
  sc_mechanism_energy sum;
  bool followed = false;
  scree_status status = make_group(world, s, parts, wanted, dt, &g, error);
  if (status != SCREE_OK || !g.joints.count) return status;
  double before = sc_mechanism_open_energy(world, s, g.body, g.bodies, true, dt, &sum);
  for (int32_t i = 0; i < g.joints.count; i++) sc_mechanism_subtract_rows(s, g.source[i], &sum);
  for (int cut = wanted, round = 0; !followed;) {
    rewind_group(&g, s);
    g.work = g.lost = 0;
    if (cut > SC_MOST_PARTS)
      return fail_step_too_large(world, g.failed >= 0 ? g.joints.row + g.failed : g.joints.row, dt, error);
    sc_arena_mark mark = sc_arena_here(&world->arena);
    status = sc_rattle(&g, dt, cut, &followed, error);
    if (status != SCREE_OK) return status;
    sc_arena_back(&world->arena, mark);
    if (!followed) {
      cut *= 2;
      continue;
    }
    bool breaks = false; // if a joint breaks, the mechanism moves again, with loads limited to the strength
    if (round++ < SC_YIELD_ROUNDS) status = sc_mechanism_yield(&g, &breaks, error);
    if (status != SCREE_OK) return status;
    followed = !breaks;
  }
  add_group_energies(&g, &sum);
  sum.correction += rotor_energy_of(&g, false) - rotor_energy_of(&g, true);
  sc_mechanism_close_energy(world, s, g.body, g.bodies, true, dt, before, &sum);
  sc_mechanism_add_energy(&sum, &world->energy);
  close_group(&g, s);
  return SCREE_OK;
}

/* Moves the mechanisms that have contact impulses. Adds to their velocities the shifts that correct the
 * position errors of their joints. If these shifts do not converge, the velocities remain as solved. parts:
 * [joints] 0: the joint's mechanism has contact impulses. */
static scree_status move_touched(
    scree_world *world, sc_swings *s, const int32_t *parts, double dt, scree_error *error) {
  sc_mechanism_group g;
  sc_mechanism_energy sum;
  bool followed;
  scree_status status = make_group(world, s, parts, 0, dt, &g, error);
  if (status != SCREE_OK || !g.joints.count) return status;
  sc_motion *solved = SC_TAKE(&world->arena, sc_motion, g.bodies);
  if (!solved) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", g.bodies);
  for (int32_t i = 0; i < g.bodies; i++) sc_motion_read(&world->bodies, g.body[i], solved + i);
  double before = sc_mechanism_open_energy(world, s, g.body, g.bodies, false, dt, &sum);
  const double rotors = rotor_energy_of(&g, false);
  for (int32_t i = 0; i < g.joints.count; i++) sc_joint_forget(g.joints.row + i);
  status = sc_shake(&g, dt, &followed, error);
  if (status != SCREE_OK || !followed) {
    for (int32_t i = 0; i < g.bodies; i++) sc_motion_write(solved + i, &world->bodies, g.body[i]);
    return status;
  }
  sum.correction += rotor_energy_of(&g, false) - rotors;
  sc_mechanism_close_energy(world, s, g.body, g.bodies, false, dt, before, &sum);
  sc_mechanism_add_energy(&sum, &world->energy);
  close_group(&g, s);
  return SCREE_OK;
}

/* Fails if a mechanism needs more than SC_MOST_PARTS substeps. */
static scree_status check_part_counts(
    const scree_world *world, const int32_t *parts, double dt, scree_error *error) {
  for (int32_t i = 0; i < world->joints.count; i++)
    if (parts[i] > SC_MOST_PARTS) return fail_step_too_large(world, world->joints.row + i, dt, error);
  return SCREE_OK;
}

scree_status sc_world_swings(scree_world *world, sc_swings *s, double dt, scree_error *error) {
  uint8_t *touched;
  int32_t *parts;
  if (!world->joints.count || !world->def.correct_joints) return SCREE_OK;
  scree_status status = sc_mechanism_touched(world, s, false, &touched, error);
  if (status == SCREE_OK) status = sc_mechanism_parts(world, s, touched, dt, &parts, error);
  if (status == SCREE_OK) status = sc_trees_move(world, s, parts, SC_TREE_OPEN, dt, error);
  if (status == SCREE_OK) status = sc_trees_move(world, s, parts, SC_TREE_SHAKE, dt, error);
  if (status == SCREE_OK) status = move_touched(world, s, parts, dt, error);
  for (int32_t cut = 1; cut <= SC_MOST_PARTS && status == SCREE_OK; cut *= 2) {
    status = sc_trees_move(world, s, parts, cut, dt, error);
    if (status == SCREE_OK) status = move_free(world, s, parts, cut, dt, error);
  }
  return status == SCREE_OK ? check_part_counts(world, parts, dt, error) : status;
}
