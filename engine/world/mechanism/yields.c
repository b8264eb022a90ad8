/* Limits the load of a joint or bond to its strength in the step in which it breaks.
 *
 * A rigid joint removes a velocity difference within one step, whatever its strength. Without a limit the
 * joint would therefore stop the bodies before it breaks. The solver first solves a step as if no joint
 * broke. If the load F of a joint or bond exceeds a bound by a factor s > 1, its rows are replaced by the
 * constant load F/s, which is the strength. The solver then solves the step again. F/s is equal and opposite
 * on both bodies, so momentum is conserved. The new solution can overload other joints. The step is therefore
 * solved again until no further joint breaks, at most SC_YIELD_ROUNDS times.
 *
 * The work of these loads and the energy in the joint's springs count as dissipated. */
#include "world/world.h"
#include "world/mechanism/yields.h"

#include <math.h>
#include <string.h>
#include "math/vec.h"
#include "problem/joints/bonds.h"
#include "problem/joints/joint_reactions.h"

bool sc_world_breakable(const scree_world *world) {
  const sc_joints *joints = &world->joints;
  for (int32_t i = 0; i < joints->count; i++)
    if (joints->trait[i] & SC_JOINT_BREAKS) return true;
  for (int32_t k = 0; k < joints->bonds.glues && joints->bonds.count; k++)
    if (sc_glue_breaks(joints->bonds.glue + k)) return true;
  return false;
}

void sc_world_yields_clear(scree_world *world) {
  sc_joints *joints = &world->joints;
  if (!joints->yields) return;
  for (int32_t i = 0; i < joints->count; i++) joints->row[i].yields = 0;
  for (int32_t i = 0; i < joints->bonds.count; i++) joints->bonds.row[i].yields = 0;
  joints->yields = 0;
}

void sc_world_yields_spend(scree_world *world) {
  for (int32_t k = 0; k < world->joints.yields; k++) {
    sc_yield *yield = world->joints.yield + k;
    sc_set3(0, 0, 0, yield->force);
    sc_set3(0, 0, 0, yield->torque);
  }
}

/* Appends an entry to the list of breaking joints and bonds (yields). force, torque: load in the solved
 * problem. share: ratio of load to strength, > 1. Returns NULL without memory. */
static sc_yield *add_yield(
    scree_world *world, const double force[3], const double torque[3], double share, scree_error *error) {
  sc_joints *joints = &world->joints;
  if (!SC_GROW(joints->yield, joints->yield_capacity, (size_t)joints->yields + 1)) {
    sc_fail(error, SCREE_E_MEMORY, "no memory for %d joints that break", joints->yields + 1);
    return NULL;
  }
  sc_yield *yield = joints->yield + joints->yields++;
  memset(yield, 0, sizeof *yield);
  yield->scale = 1 / share;
  sc_scale(yield->scale, force, yield->force);
  sc_scale(yield->scale, torque, yield->torque);
  yield->load.force = sc_norm(force);
  yield->load.torque = sc_norm(torque);
  yield->load.time = world->time + (double)(world->substep + 1) * sc_world_dt(world);
  return yield;
}

/* ---- joints ---- */

/* Compares the load of joint i with its bounds. If the joint breaks, adds an entry to the list of yields and
 * increments *count. */
static scree_status judge_joint(scree_world *world, int32_t i, const double force[3], const double torque[3],
    int32_t *count, scree_error *error) {
  sc_joint *joint = world->joints.row + i;
  sc_joint_pose pose;
  double share;
  if (joint->yields || !sc_joint_place(&world->bodies, joint, &pose)) return SCREE_OK;
  const int cause = sc_joint_cause(joint, pose.axis1, force, torque, 0, &share);
  if (cause < 0) return SCREE_OK;
  sc_yield *yield = add_yield(world, force, torque, share, error);
  if (!yield) return SCREE_E_MEMORY;
  joint->yields = world->joints.yields;
  yield->load.joint = joint->id;
  yield->load.type = joint->def.type;
  yield->load.cause = cause;
  yield->load.a = joint->def.a;
  yield->load.b = joint->def.b;
  yield->load.energy = sc_joint_elastic(joint, &pose);
  sc_copy3(pose.p1, yield->load.at);
  ++*count;
  return SCREE_OK;
}

static scree_status judge_joints(scree_world *world, int32_t *count, scree_error *error) {
  const sc_problem *problem = &world->problem;
  double force[3], torque[3];
  for (int32_t r = 0, end; r < problem->joint_rows; r = end) {
    const int32_t i = problem->joint_row[r].joint;
    end = sc_joint_load(&world->joints, &world->bodies, problem, i, r, force, torque);
    if (!(world->joints.trait[i] & SC_JOINT_BREAKS)) continue;
    const scree_status status = judge_joint(world, i, force, torque, count, error);
    if (status != SCREE_OK) return status;
  }
  return SCREE_OK;
}

/* ---- bonds ---- */

/* Adds an entry for bond i to the list of yields. cause: scree_break.cause. share: ratio of load to strength,
 * > 1. */
static scree_status yield_bond(scree_world *world, int32_t i, int cause, double share, scree_error *error) {
  sc_bond *bond = world->joints.bonds.row + i;
  sc_bond_pose pose;
  double force[3], torque[3];
  sc_bond_load(&world->problem, world->problem.bond + i, force, torque);
  sc_yield *yield = add_yield(world, force, torque, share, error);
  if (!yield) return SCREE_E_MEMORY;
  bond->yields = world->joints.yields;
  sc_copy3(yield->force, bond->force);
  sc_copy3(yield->torque, bond->torque);
  yield->load.joint = bond->id;
  yield->load.type = SCREE_JOINT_BOND;
  yield->load.cause = cause;
  yield->load.a = bond->a;
  yield->load.b = bond->b;
  if (!sc_bond_place(&world->bodies, bond, &pose)) return SCREE_OK;
  yield->load.energy = sc_bond_elastic(bond, &pose);
  sc_axpy(pose.arm1, pose.axis, world->bodies.position[pose.row1], yield->load.at);
  return SCREE_OK;
}

static scree_status judge_bonds(scree_world *world, int32_t *count, scree_error *error) {
  const sc_bonds *bonds = &world->joints.bonds;
  if (!bonds->count) return SCREE_OK;
  const sc_arena_mark mark = sc_arena_here(&world->arena);
  int8_t *cause = SC_TAKE(&world->arena, int8_t, bonds->count);
  double *share = SC_TAKE(&world->arena, double, bonds->count);
  if (!cause || !share) return sc_fail(error, SCREE_E_MEMORY, "no memory to judge %d bonds", bonds->count);
  const int32_t broken = sc_bonds_judge(bonds, &world->problem, world->pool, cause, share);
  scree_status status = SCREE_OK;
  for (int32_t i = 0; i < bonds->count && broken && status == SCREE_OK; i++)
    if (cause[i] >= 0) status = yield_bond(world, i, cause[i], share[i], error);
  sc_arena_back(&world->arena, mark);
  *count += broken;
  return status;
}

/* ---- joints and bonds together ---- */

/* Copies the list of yields from rank 0, which has solved the joints, to all other ranks. */
static scree_status share_yields(scree_world *world, int32_t *count, scree_error *error) {
  const sc_ranks *ranks = world->ranks;
  sc_joints *joints = &world->joints;
  double fresh = *count, all = joints->yields;
  if (ranks->ranks < 2) return SCREE_OK;
  ranks->most(ranks->context, &fresh, 1);
  ranks->most(ranks->context, &all, 1);
  if (!(*count = (int32_t)fresh)) return SCREE_OK;
  if (!SC_GROW(joints->yield, joints->yield_capacity, (size_t)all))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d joints that break", (int)all);
  joints->yields = (int32_t)all;
  ranks->send_all(ranks->context, joints->yield, (size_t)all * sizeof *joints->yield, 0);
  for (int32_t k = 0; k < joints->yields; k++) {
    const int32_t row = sc_joints_find(joints, joints->yield[k].load.joint);
    if (row >= 0) joints->row[row].yields = k + 1;
  }
  return SCREE_OK;
}

scree_status sc_world_yield(scree_world *world, bool *any, scree_error *error) {
  int32_t count = 0;
  scree_status status = judge_joints(world, &count, error);
  if (status == SCREE_OK) status = judge_bonds(world, &count, error);
  if (status == SCREE_OK) status = share_yields(world, &count, error);
  *any = count > 0;
  world->joints.resolved += *any;
  return status;
}

scree_status sc_mechanism_yield(const sc_mechanism_group *group, bool *any, scree_error *error) {
  scree_world *world = group->world;
  int32_t count = 0;
  for (int32_t k = 0; k < group->joints.count; k++) {
    const sc_joint *own = group->joints.row + k;
    if (!(world->joints.trait[group->source[k]] & SC_JOINT_BREAKS)) continue;
    const scree_status status = judge_joint(world, group->source[k], own->force, own->torque, &count, error);
    if (status != SCREE_OK) return status;
  }
  *any = count > 0;
  world->joints.resolved += *any;
  return SCREE_OK;
}
