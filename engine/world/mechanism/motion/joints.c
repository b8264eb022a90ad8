/* Joints of a world: creates, checks, removes and reads joints, and corrects positions after a step. */
#include "world/bodies/rows.h"
#include "world/mechanism/trees/tree_correct.h"
#include "world/fits.h"
#include "world/account/account.h"
#include "world/phase.h"
#include "world/mechanism/swing.h"
#include "world/account/totals.h"
#include "world/mechanism/ties.h"

#include <math.h>
#include <string.h>
#include "math/vec.h"
#include "model/relative.h"
#include "problem/joints/joints.h"
#include "solve/joints/joint_blocks.h"
#include "problem/operator/delassus.h"
#include "problem/assembly/assembly.h"
#include "model/housing.h"

/* ---- checks ---- */

static scree_status check_bodies(
    const scree_world *world, const scree_joint_def *def, const char *name, scree_error *error) {
  if (def->a == def->b)
    return sc_fail(error, SCREE_E_ARGUMENT, "%s: a body cannot be joined to itself", name);
  if (!def->a) return sc_fail(error, SCREE_E_ARGUMENT, "%s.a is missing: it must be a body", name);
  int32_t a = sc_world_row(world, def->a, error), b = def->b ? sc_world_row(world, def->b, error) : -1;
  if (a < 0 || (def->b && b < 0)) return SCREE_E_STALE;
  if (sc_bodies_runs(&world->bodies, a) || (b >= 0 && sc_bodies_runs(&world->bodies, b)))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s: a joint would run along with the surface_velocity of a fixed body; join to the ground", name);
  const int32_t *n = def->image;
  if ((n[0] || n[1] || n[2]) && world->cell.moves)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "%s.image: a joint to an image cannot follow a cell that is deformed", name);
  for (int k = 0; k < 3; k++)
    if (n[k] && (b < 0 || !world->bodies.cell || !world->cell.periodic[k]))
      return sc_fail(error, SCREE_E_ARGUMENT, "%s.image[%d] is %d, but %s", name, k + 1, (int)n[k],
          b < 0 ? "the ground has no images" : "nothing is periodic along that edge (world.cell.periodic)");
  bool moves = world->bodies.inv_mass[a] > 0 || (b >= 0 && world->bodies.inv_mass[b] > 0);
  return moves ? SCREE_OK
               : sc_fail(error, SCREE_E_ARGUMENT, "%s: one of the two bodies must be dynamic", name);
}

static scree_status check_frame(
    const scree_world *world, const scree_joint_def *def, const char *name, scree_error *error) {
  if (!def->frame) return SCREE_OK;
  if (!sc_joint_geared(def->type))
    return sc_fail(error, SCREE_E_ARGUMENT, "%s.frame: only gears and racks have a housing", name);
  if (def->frame == def->a || def->frame == def->b)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "%s.frame must be a third body, the one that carries a and b", name);
  const int32_t row = sc_world_row(world, def->frame, error);
  if (row < 0) return SCREE_E_STALE;
  if (sc_bodies_runs(&world->bodies, row))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s.frame: the surface_velocity of a fixed body is no motion of a housing; leave it out", name);
  if (def->type == SCREE_JOINT_RACK && world->bodies.cell)
    return sc_fail(error, SCREE_E_ARGUMENT, "%s.frame: a rack in a cell has no housing that moves", name);
  return SCREE_OK;
}

/* Checks numbers and vectors of a definition against scree_joint_params. Limits are checked together with the
 * drives. */
static scree_status check_numbers(const scree_joint_def *def, const char *name, scree_error *error) {
  scree_joint_def numbers = *def;
  numbers.second.upper = INFINITY;
  if (def->length < 0) numbers.length = -1;
  scree_status status = scree_param_check_all(
      scree_joint_params, scree_joint_params_count, &numbers, name, error);
  if (status == SCREE_OK && def->ratio == 0 && sc_joint_geared(def->type))
    status = sc_fail(error, SCREE_E_ARGUMENT, "%s.ratio must not be 0", name);
  return status;
}

static scree_status check_vectors(const scree_joint_def *def, const char *name, scree_error *error) {
  bool has_axis = def->type != SCREE_JOINT_BALL && def->type != SCREE_JOINT_FIXED &&
      def->type != SCREE_JOINT_DISTANCE;
  bool has_second = def->type == SCREE_JOINT_UNIVERSAL || sc_joint_geared(def->type);
  if (has_axis && !(sc_norm(def->axis) > 0))
    return sc_fail(error, SCREE_E_ARGUMENT, "%s.axis has length zero", name);
  if (has_second && !(sc_norm(def->axis_b) > 0))
    return sc_fail(error, SCREE_E_ARGUMENT, "%s.axis_b has length zero", name);
  return SCREE_OK;
}

static scree_status check_drives(const scree_world *world, const scree_joint_def *def, scree_error *error) {
  scree_status status = sc_world_check_drives(def, error);
  return status == SCREE_OK ? sc_world_check_joint_fits(world, def, error) : status;
}

/* ---- creation and removal ---- */

scree_joint scree_world_add_joint(scree_world *world, const scree_joint_def *def, scree_error *error) {
  SC_DEMAND(world && def, error, 0);
  const char *name = scree_joint_type_name(def->type);
  if (!name) return sc_fail(error, SCREE_E_ARGUMENT, "there is no joint type %d", def->type), 0;
  if (check_bodies(world, def, name, error) != SCREE_OK || check_frame(world, def, name, error) != SCREE_OK ||
      check_numbers(def, name, error) != SCREE_OK || check_vectors(def, name, error) != SCREE_OK ||
      check_drives(world, def, error) != SCREE_OK)
    return 0;
  sc_joint *joint = sc_bodies_hold_left(&world->bodies) ? sc_joints_add(&world->joints, &world->bodies, def)
                                                        : NULL;
  if (joint) sc_quat_normalise(def->turn_servo.target, joint->def.turn_servo.target);
  if (!joint) return sc_fail(error, SCREE_E_MEMORY, "no memory for a joint"), 0;
  sc_joint_wake(&world->bodies, def);
  world->version++;
  return joint->id;
}

static int32_t find_joint(const scree_world *world, scree_joint joint, scree_error *error) {
  int32_t row = sc_joints_find(&world->joints, joint);
  if (row < 0) sc_fail(error, SCREE_E_STALE, "the joint has been removed (its handle is stale)");
  return row;
}

scree_status scree_world_remove_joint(scree_world *world, scree_joint joint, scree_error *error) {
  SC_DEMAND(world, error, SCREE_E_ARGUMENT);
  const int32_t bond = sc_bonds_find(&world->joints.bonds, joint),
                row = bond < 0 ? find_joint(world, joint, error) : -1;
  if (row < 0 && bond < 0) return SCREE_E_STALE;
  if (bond < 0) sc_joints_drop(&world->joints, &world->bodies, row);
  else sc_joints_remove_bond(&world->joints, bond);
  world->problem_valid = 0;
  world->version++;
  return SCREE_OK;
}

scree_status scree_world_get_drive(
    const scree_world *world, scree_joint joint, int which, scree_drive *drive, scree_error *error) {
  SC_DEMAND(world && drive, error, SCREE_E_ARGUMENT);
  int32_t row = find_joint(world, joint, error);
  if (row < 0) return SCREE_E_STALE;
  *drive = *sc_joint_drive(world->joints.row + row, which);
  return SCREE_OK;
}

/* Replaces the definition of a joint by one that has been checked. Wakes the bodies of the joint. */
static void replace_definition(scree_world *world, int32_t row, const scree_joint_def *def) {
  world->joints.row[row].def = *def;
  sc_joints_tell(&world->joints, row);
  sc_joint_wake(&world->bodies, def);
}

/* Returns the present velocity along a free direction [m/s or rad/s]. */
static double free_speed(
    const scree_world *world, const sc_joint *joint, const sc_joint_pose *pose, int which) {
  const sc_bodies *bodies = &world->bodies;
  double v[3] = {0, 0, 0}, w[3] = {0, 0, 0}, arm[3], turn[3], d[3];
  for (int side = 0; side < 2; side++) {
    int32_t row = side ? pose->row2 : pose->row1;
    double sign = side ? -1 : 1;
    if (row < 0) continue;
    sc_sub(side && !sc_joint_shifts(joint->def.type) ? pose->p2 : pose->p1, side ? pose->x2 : pose->x1, arm);
    sc_rigid_velocity(bodies->velocity[row], bodies->spin[row], arm, turn);
    sc_axpy(sign, turn, v, v);
    sc_axpy(sign, bodies->spin[row], w, w);
  }
  int kind = sc_joint_freedom(joint->def.type, which);
  if (!kind || !sc_joint_direction(joint, pose, which, d)) return 0;
  return sc_dot(kind == 1 ? w : v, d);
}

scree_status scree_world_set_drive(
    scree_world *world, scree_joint joint, int which, const scree_drive *drive, scree_error *error) {
  SC_DEMAND(world && drive, error, SCREE_E_ARGUMENT);
  int32_t row = find_joint(world, joint, error);
  if (row < 0) return SCREE_E_STALE;
  const sc_joint *own = world->joints.row + row;
  scree_joint_def def = own->def;
  scree_drive *to = which ? &def.second : &def.drive;
  *to = *drive;
  if (isnan(to->rest)) to->rest = own->position[which];
  scree_status status = check_drives(world, &def, error);
  if (status != SCREE_OK) return status;
  sc_joint_pose pose;
  const bool starts = drive->armature > 0 && !(sc_joint_drive(own, which)->armature > 0);
  if (starts && sc_joint_place(&world->bodies, own, &pose)) // a new rotor turns with the joint
    world->joints.row[row].rotor[which] = free_speed(world, own, &pose, which);
  replace_definition(world, row, &def);
  return SCREE_OK;
}

scree_status scree_world_set_motor(
    scree_world *world, scree_joint joint, double speed, double force, scree_error *error) {
  SC_DEMAND(world, error, SCREE_E_ARGUMENT);
  scree_drive drive;
  scree_status status = scree_world_get_drive(world, joint, 0, &drive, error);
  if (status != SCREE_OK) return status;
  if (drive.motor != SCREE_MOTOR_FORCE) drive.motor = SCREE_MOTOR_SPEED;
  drive.speed = speed;
  drive.force = force;
  return scree_world_set_drive(world, joint, 0, &drive, error);
}

scree_status scree_world_get_turn_servo(
    const scree_world *world, scree_joint joint, scree_turn_servo *servo, scree_error *error) {
  SC_DEMAND(world && servo, error, SCREE_E_ARGUMENT);
  int32_t row = find_joint(world, joint, error);
  if (row < 0) return SCREE_E_STALE;
  *servo = world->joints.row[row].def.turn_servo;
  return SCREE_OK;
}

scree_status scree_world_set_turn_servo(
    scree_world *world, scree_joint joint, const scree_turn_servo *servo, scree_error *error) {
  SC_DEMAND(world && servo, error, SCREE_E_ARGUMENT);
  int32_t row = find_joint(world, joint, error);
  if (row < 0) return SCREE_E_STALE;
  scree_joint_def def = world->joints.row[row].def;
  def.turn_servo = *servo;
  scree_status status = check_drives(world, &def, error);
  sc_quat_normalise(def.turn_servo.target, def.turn_servo.target);
  if (status == SCREE_OK) replace_definition(world, row, &def);
  return status;
}

bool sc_world_joined(const scree_world *world, int32_t row1, int32_t row2, sc_image image) {
  const sc_bodies *bodies = &world->bodies;
  if (!sc_joints_any(&world->joints)) return false;
  scree_id one = sc_bodies_id(bodies, row1), two = sc_bodies_id(bodies, row2);
  return sc_joints_part(&world->joints, one, two) &&
      (!bodies->cell || sc_joints_part_image(&world->joints, one, two, image));
}

bool sc_world_keeps_out(const scree_world *world, int32_t contact) {
  sc_sides sides;
  if (sc_collide_parts(world->collide, contact)) return true;
  if (!world->bodies.cell || !world->joints.count) return false;
  sc_collide_sides(world->collide, &world->shapes, contact, &sides);
  return sc_world_joined(world, sides.body1, sides.body2, sc_collide_image(world->collide, contact));
}

/* Sets *largest to the largest position error of joint `row` [m]; row -1: of all joints. */
static scree_status measure_placement(scree_world *world, int32_t row, double *largest, scree_error *error) {
  sc_arena arena = {0};
  sc_joints one = row < 0 ? world->joints
                          : (sc_joints){.row = world->joints.row + row, .count = 1, .capacity = 1};
  sc_problem problem = {
      .bodies = world->bodies.count + 1, .dt = world->def.dt, .planar = world->bodies.planar};
  sc_copy3(world->bodies.plane, problem.plane);
  const sc_joints_in in = {
      .dt = world->def.dt, .feedback = 1, .yield = world->joints.yield, .displace = true};
  scree_status status = sc_joints_assemble(&one, &world->bodies, &in, &arena, &problem, error);
  *largest = 0;
  for (int32_t r = 0; status == SCREE_OK && r < problem.joint_rows; r++)
    *largest = fmax(*largest, fabs(problem.joint_row[r].bias));
  sc_arena_free(&arena);
  return status;
}

scree_status scree_world_get_joint(
    const scree_world *world, scree_joint id, scree_joint_state *state, scree_error *error) {
  SC_DEMAND(world && state, error, SCREE_E_ARGUMENT);
  if (sc_world_get_bond(world, id, state)) return SCREE_OK;
  int32_t row = find_joint(world, id, error);
  if (row < 0) return SCREE_E_STALE;
  const sc_joint *joint = world->joints.row + row;
  sc_joint_pose pose;
  memset(state, 0, sizeof *state);
  state->type = joint->def.type;
  state->a = joint->def.a;
  state->b = joint->def.b;
  sc_copy3(joint->anchor1, state->at);
  sc_copy3(joint->anchor2, state->at_b);
  sc_copy3(joint->axis1, state->axis);
  sc_reaction mean;
  sc_world_joint_reaction(world, joint, &mean);
  sc_copy3(mean.force, state->force);
  sc_copy3(mean.torque, state->torque);
  if (!sc_joint_place(&world->bodies, joint, &pose)) return SCREE_OK;
  state->position = sc_joint_measure(joint, &pose, 0);
  state->speed = free_speed(world, joint, &pose, 0);
  state->position_b = sc_joint_measure(joint, &pose, 1);
  state->speed_b = free_speed(world, joint, &pose, 1);
  state->effort = mean.effort[0];
  state->effort_b = mean.effort[1];
  sc_copy3(mean.effort + 2, state->turn_effort);
  if (joint->def.type == SCREE_JOINT_BALL) sc_joint_turn(joint, &pose, state->turn);
  state->elastic = sc_joint_elastic(joint, &pose);
  return measure_placement((scree_world *)world, row, &state->error, error);
}

int64_t scree_world_joints_count(const scree_world *world) {
  SC_DEMAND(world, NULL, 0);
  return world->joints.count;
}
scree_joint scree_world_joint_at(const scree_world *world, int64_t index) {
  SC_DEMAND(world, NULL, 0);
  return index >= 0 && index < world->joints.count ? world->joints.row[index].id : 0;
}

/* Sends the report of rank 0 to all other ranks. Rank 0 solves the joints. */
static void share_report(const scree_world *world, scree_joints_report *report) {
  double values[4] = {(double)report->rows, (double)report->redundant, report->error, report->velocity_error};
  world->ranks->most(world->ranks->context, values, 4);
  report->rows = (int64_t)values[0], report->redundant = (int64_t)values[1];
  report->error = values[2], report->velocity_error = values[3];
}

int64_t scree_world_stray_gears(const scree_world *world, scree_stray_gear *out, int max) {
  SC_DEMAND(world && (out || max <= 0), NULL, 0);
  int64_t count = 0;
  for (int32_t i = 0; i < world->joints.count; i++) {
    const sc_joint *joint = world->joints.row + i;
    if (!sc_joints_astray(&world->joints, &world->bodies, i) && !sc_joints_idle_frame(&world->joints, i))
      continue;
    if (count < max) out[count] = (scree_stray_gear){joint->id, joint->def.a, joint->def.b, joint->def.frame};
    count++;
  }
  return count;
}

scree_status scree_world_joints_report(scree_world *world, scree_joints_report *report, scree_error *error) {
  SC_DEMAND(world && report, error, SCREE_E_ARGUMENT);
  memset(report, 0, sizeof *report);
  report->joints = (int64_t)world->joints.count + world->joints.bonds.count;
  report->broken = world->joints.breaks;
  report->resolved = world->joints.resolved;
  for (int32_t i = 0; i < world->joints.count && world->joints.homeless; i++)
    report->homeless += sc_joints_astray(&world->joints, &world->bodies, i);
  if (!world->joints.count) return SCREE_OK;
  sc_joint_blocks blocks = {0};
  if (world->problem_valid) {
    const sc_problem *problem = &world->problem;
    if (!sc_joint_blocks_build(problem, &world->arena, &blocks))
      return sc_fail(error, SCREE_E_MEMORY, "no memory for %d joint rows", problem->joint_rows);
    report->rows = problem->joint_rows + 3 * (int64_t)world->mechanisms.apart;
    for (int32_t i = 0; i < blocks.count; i++)
      report->redundant += blocks.block[i].held - blocks.block[i].rank;
    for (int32_t r = 0; r < problem->joint_rows; r++)
      if (sc_joint_row_held(problem->joint_row + r))
        report->velocity_error = fmax(
            report->velocity_error, fabs(sc_problem_joint_unmet(problem, problem->joint_row + r)));
  }
  scree_status status = measure_placement(world, -1, &report->error, error);
  if (status == SCREE_OK) share_report(world, report);
  return status;
}

/* ---- joints in a step ---- */

scree_status sc_world_assemble_joints(
    scree_world *world, double dt, const sc_swings *swings, scree_error *error) {
  const uint8_t *apart = swings ? swings->apart : NULL;
  const bool known = swings && swings->trees && !world->bodies.distributed;
  world->mechanisms.apart = 0;
  if (!world->joints.count) return SCREE_OK;
  for (int32_t i = 0; i < world->joints.count && apart; i++) world->mechanisms.apart += apart[i];
  const scree_world_def *def = &world->def;
  /* the impulses of motors and friction are 0 in an impact */
  const bool strikes = world->phase && world->phase->strikes;
  const sc_joints_in in = {.dt = strikes ? 0 : dt,
      .feedback = def->correct_joints ? 0 : def->erp,
      .most = def->max_correction,
      .warm_start = def->solver.warm_start,
      .yield = world->joints.yield,
      .way = world->phase ? world->phase->way : dt,
      .starts = true,
      .apart = apart,
      .ends = known ? (const int32_t(*)[2])swings->ends : NULL};
  scree_status status = sc_joints_assemble(
      &world->joints, &world->bodies, &in, &world->arena, &world->problem, error);
  /* rank 0 solves the joints */
  if (world->ranks->rank != 0) world->problem.joint_rows = 0;
  return status;
}

/* Moves and rotates a body by the displacement in `body`. body->v is a translation [m], body->q a rotation
 * vector times the body's length scale [m]. */
static void displace_row(sc_bodies *bodies, int32_t row, const sc_solver_body *body) {
  double turn[4] = {0}, change[4], *q = bodies->orientation[row];
  sc_add(bodies->position[row], body->v, bodies->position[row]);
  sc_scale(0.5 / sc_body_scale(bodies, row), body->q, turn + 1);
  sc_quat_mul(turn, q, change);
  for (int k = 0; k < 4; k++) change[k] += q[k];
  sc_quat_normalise(change, q);
}

/* Makes one Newton step on the position errors of all locked rows. Sets *largest to the largest error before
 * the step [m]. */
static scree_status correct_once(scree_world *world, sc_joints *joints, double *largest, scree_error *error) {
  sc_bodies *bodies = &world->bodies;
  sc_assemble_in in = {.bodies = bodies,
      .pairs = &world->pairs,
      .law = world->laws.law,
      .laws = world->laws.count,
      .dt = world->def.dt};
  sc_problem problem;
  sc_assembled assembled;
  sc_joint_blocks blocks;
  scree_status status = sc_assemble(&in, &world->arena, &problem, &assembled, error);
  if (status != SCREE_OK) return status;
  for (int32_t b = 0; b < problem.bodies; b++) {
    sc_set3(0, 0, 0, problem.body[b].v);
    sc_set3(0, 0, 0, problem.body[b].q);
  }
  const sc_joints_in rows = {
      .dt = world->def.dt, .feedback = 1, .yield = world->joints.yield, .displace = true};
  status = sc_joints_assemble(joints, bodies, &rows, &world->arena, &problem, error);
  if (status != SCREE_OK) return status;
  if (!sc_joint_blocks_build(&problem, &world->arena, &blocks))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to correct joints");
  *largest = 0;
  for (int32_t r = 0; r < problem.joint_rows; r++) *largest = fmax(*largest, fabs(problem.joint_row[r].bias));
  sc_joint_blocks_relax(&problem, &blocks);
  for (int32_t row = 0; row < bodies->count; row++)
    if (bodies->kind[row] == SCREE_DYNAMIC) displace_row(bodies, row, problem.body + row);
  return SCREE_OK;
}

/* Sets *off to true if the position error of at least one joint exceeds rounding errors. */
static scree_status find_errors(scree_world *world, sc_joints *joints, bool *off, scree_error *error) {
  const sc_bodies *bodies = &world->bodies;
  sc_arena_mark mark = sc_arena_here(&world->arena);
  sc_problem there = {.bodies = bodies->count + 1, .dt = world->def.dt, .planar = bodies->planar};
  sc_copy3(bodies->plane, there.plane);
  const sc_joints_in in = {
      .dt = world->def.dt, .feedback = 1, .yield = world->joints.yield, .displace = true};
  scree_status status = sc_joints_assemble(joints, bodies, &in, &world->arena, &there, error);
  *off = false;
  for (int32_t r = 0; status == SCREE_OK && r < there.joint_rows; r++) {
    const sc_joint_row *row = there.joint_row + r;
    double one = row->i < bodies->count ? sc_body_scale(bodies, row->i) : 0,
           two = row->j < bodies->count ? sc_body_scale(bodies, row->j) : 0;
    if (!(fabs(row->bias) <= 1e-12 * fmax(one, two))) *off = true;
  }
  sc_arena_back(&world->arena, mark);
  return status;
}

/* Sets *picked to the joints that are awake and not in a tree. If all joints are, picked->row is the world's
 * array; else it is a copy in the arena. */
static scree_status pick_joints(
    scree_world *world, const sc_trees *trees, sc_joints *picked, scree_error *error) {
  const sc_joints *all = &world->joints;
  *picked = (sc_joints){.row = all->row, .count = all->count, .capacity = all->capacity};
  const bool any = trees && trees->count;
  if (!any && !world->bodies.rest) return SCREE_OK;
  picked->row = SC_TAKE(&world->arena, sc_joint, all->count - (any ? trees->joints : 0));
  picked->count = 0;
  if (!picked->row) return sc_fail(error, SCREE_E_MEMORY, "no memory to correct joints");
  for (int32_t i = 0; i < all->count; i++)
    if (!(any && trees->of[i] >= 0) && !sc_joint_rests(&world->bodies, all->row + i))
      picked->row[picked->count++] = all->row[i];
  return SCREE_OK;
}

/* Corrects position errors of joints by Newton's method. Stops if a Newton step does not halve the error. */
static scree_status correct_joints(scree_world *world, sc_joints *joints, scree_error *error) {
  bool off;
  double last = INFINITY, now = 0;
  if (!joints->count) return SCREE_OK;
  scree_status found = find_errors(world, joints, &off, error);
  if (found != SCREE_OK || !off) return found;
  for (int i = 0; i < 6; i++) {
    found = correct_once(world, joints, &now, error);
    if (found != SCREE_OK || !(now < 0.5 * last)) break;
    last = now;
  }
  return found;
}

scree_status sc_world_correct_joints(scree_world *world, const sc_trees *trees, scree_error *error) {
  sc_joints rest;
  if (!world->joints.count || !world->def.correct_joints) return SCREE_OK;
  double before = sc_account_potential(&world->bodies, world->def.gravity) +
      sc_account_kinetic(&world->bodies);
  scree_status status = pick_joints(world, trees, &rest, error);
  if (status == SCREE_OK) status = correct_joints(world, &rest, error);
  if (status == SCREE_OK) status = sc_trees_correct(world, trees, error);
  world->energy.correction += sc_account_potential(&world->bodies, world->def.gravity) +
      sc_account_kinetic(&world->bodies) - before;
  return status;
}
