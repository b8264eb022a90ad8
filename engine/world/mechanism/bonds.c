/* Bonds of a world: their state for readers, their rows in the contact problem, their energies, and their
 * breaks in a step. */
#include "problem/joints/bonds.h"
#include "world/world.h"
#include "world/account/totals.h"

#include "world/account/account.h"
#include "world/mechanism/ties.h"

#include <math.h>
#include <string.h>
#include "math/vec.h"

/* ---- state of bonds ---- */

int64_t scree_world_bonds_count(const scree_world *world) {
  SC_DEMAND(world, NULL, 0);
  return world->joints.bonds.count;
}
scree_joint scree_world_bond_at(const scree_world *world, int64_t index) {
  SC_DEMAND(world, NULL, 0);
  const sc_bonds *bonds = &world->joints.bonds;
  return index >= 0 && index < bonds->count ? bonds->row[index].id : 0;
}

bool sc_world_get_bond(const scree_world *world, scree_joint id, scree_joint_state *state) {
  const sc_bonds *bonds = &world->joints.bonds;
  const int32_t row = sc_bonds_find(bonds, id);
  if (row < 0) return false;
  const sc_bond *bond = bonds->row + row;
  sc_bond_pose pose;
  *state = (scree_joint_state){.type = SCREE_JOINT_BOND, .a = bond->a, .b = bond->b};
  sc_copy3(bond->anchor1, state->at);
  sc_copy3(bond->anchor2, state->at_b);
  sc_normalise(bond->anchor1, state->axis);
  sc_reaction mean;
  sc_world_bond_reaction(world, bond, &mean);
  sc_copy3(mean.force, state->force);
  sc_copy3(mean.torque, state->torque);
  if (sc_bond_place(&world->bodies, bond, &pose)) state->elastic = sc_bond_elastic(bond, &pose);
  return true;
}

static double sum_elastic(void *context, int64_t first, int64_t end) {
  const scree_world *world = context;
  const sc_bonds *bonds = &world->joints.bonds;
  sc_bond_pose pose;
  double sum = 0;
  for (int64_t i = first; i < end; i++)
    if (sc_bond_place(&world->bodies, bonds->row + i, &pose)) sum += sc_bond_elastic(bonds->row + i, &pose);
  return sum;
}

double sc_world_bonds_elastic(const scree_world *world) {
  return world->joints.bonds.count
      ? sc_pool_sum(world->pool, world->joints.bonds.count, sum_elastic, (void *)world)
      : 0;
}

/* ---- bonds in a step ---- */

scree_status sc_world_assemble_bonds(scree_world *world, double dt, scree_error *error) {
  const sc_bonds *bonds = &world->joints.bonds;
  if (!bonds->count) return SCREE_OK;
  bool made = sc_bonds_assemble(
      bonds, &world->bodies, dt, world->def.solver.warm_start, world->pool, &world->arena, &world->problem);
  return made ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "no memory for %d bonds", bonds->count);
}

void sc_world_keep_bonds(scree_world *world) {
  if (!world->joints.bonds.count) return;
  const sc_bonds_found found = {(const double(*)[6])world->bodies.left, world->joints.met};
  const sc_bonds_work work = sc_bonds_keep(&world->joints.bonds, &world->problem,
      sc_account_changed(&world->bodies, &world->joints) ? &found : NULL, world->pool);
  world->energy.work += work.driven;
  world->energy.dissipated += work.moved + work.driven;
  world->energy.elsewhere[SCREE_LOST_JOINTS] += work.lost;
  world->energy.correction += work.moved - work.stored;
}

/* Arguments of judge_bond_range. cause: [bonds] cause for which the bond breaks (scree_break.cause); -1: the
 * bond does not break. */
typedef struct judge {
  const scree_world *world;
  int8_t *cause;
} judge;

/* Sets the break cause of bonds first .. end - 1. Returns the elastic energy of those bonds that yields.c
 * does not break [J]. yields.c repeats the solve with broken bonds. A bond that exceeds its strength after
 * the last repetition breaks here. */
static double judge_bond_range(void *context, int64_t first, int64_t end) {
  enum { AHEAD = 8 };
  const judge *j = context;
  const sc_bodies *bodies = &j->world->bodies;
  const int32_t(*side)[2] = j->world->problem.bond_side;
  const sc_bonds *bonds = &j->world->joints.bonds;
  double sum = 0, share;
  for (int64_t i = first; i < end; i++) {
    const sc_bond *bond = bonds->row + i;
    const scree_glue *glue = sc_bond_glue(bonds, bond);
    sc_bond_pose pose;
    if (i + AHEAD < end) sc_bond_fetch(bodies, side[i + AHEAD]);
    j->cause[i] = -1;
    if (bond->yields) {
      j->cause[i] = (int8_t)j->world->joints.yield[bond->yields - 1].load.cause;
      continue;
    }
    if (!sc_bond_place_rows(bodies, bond, side[i][0], side[i][1], &pose)) continue;
    sum += sc_bond_elastic(bond, &pose);
    if (sc_glue_breaks(glue))
      j->cause[i] = (int8_t)sc_bond_cause(bond, glue, pose.axis, bond->force, bond->torque, &share);
  }
  return sum;
}

/* Records a bond that yields.c has broken. sc_world_record_break adds the bond's elastic energy to
 * `dissipated`. The change of elastic energy in `correction` lacks this energy. Therefore this function adds
 * the energy to `correction`. */
static scree_status record_yield(scree_world *world, const sc_bond *bond, scree_error *error) {
  const scree_break load = world->joints.yield[bond->yields - 1].load;
  world->energy.correction += load.energy;
  return sc_world_record_break(world, &load, error);
}

static scree_status record_bond_break(
    scree_world *world, const sc_bond *bond, int cause, scree_error *error) {
  sc_bond_pose pose;
  if (bond->yields) return record_yield(world, bond, error);
  scree_break load = {.joint = bond->id,
      .type = SCREE_JOINT_BOND,
      .cause = cause,
      .a = bond->a,
      .b = bond->b,
      .time = world->time + (double)(world->substep + 1) * sc_world_dt(world),
      .force = sc_norm(bond->force),
      .torque = sc_norm(bond->torque)};
  if (sc_bond_place(&world->bodies, bond, &pose)) {
    load.energy = sc_bond_elastic(bond, &pose);
    sc_axpy(pose.arm1, pose.axis, world->bodies.position[pose.row1], load.at);
  }
  return sc_world_record_break(world, &load, error);
}

/* Returns true if a bond breaks. context: pointer to a pointer to the cause of the next bond. Must be called
 * once per bond, in order. */
static bool is_broken(void *context, const sc_bond *bond) {
  const int8_t **next = context;
  (void)bond;
  return *(*next)++ >= 0;
}

scree_status sc_world_break_bonds(scree_world *world, scree_error *error) {
  sc_bonds *bonds = &world->joints.bonds;
  if (!bonds->count) return SCREE_OK;
  judge j = {world, SC_TAKE(&world->arena, int8_t, bonds->count)};
  if (!j.cause) return sc_fail(error, SCREE_E_MEMORY, "no memory to judge %d bonds", bonds->count);
  world->energy.correction += sc_pool_sum(world->pool, bonds->count, judge_bond_range, &j);
  bool any = false;
  for (int32_t i = 0; i < bonds->count; i++) {
    if (j.cause[i] < 0) continue;
    any = true;
    const scree_status status = record_bond_break(world, bonds->row + i, j.cause[i], error);
    if (status != SCREE_OK) return status;
  }
  const int8_t *next = j.cause;
  if (any) sc_joints_remove_bonds(&world->joints, is_broken, &next);
  return SCREE_OK;
}
