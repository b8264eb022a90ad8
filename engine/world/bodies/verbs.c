/* Operations on all selected bodies of a world: count and remove. Each is one pass in C, because a loop over
 * grains in a script would be slow. */
#include "world/bodies/rows.h"
#include "world/world.h"
#include "math/vec.h"

#include <string.h>

static bool is_selected(const scree_world *world, int32_t row, const scree_select *select) {
  const sc_bodies *bodies = &world->bodies;
  int kind = select->kind < 0 ? SCREE_DYNAMIC : select->kind;
  if (kind != SCREE_ALL_KINDS && bodies->kind[row] != kind) return false;
  if (select->group >= 0 && sc_bodies_group(bodies, row) != select->group) return false;
  if (!select->region) return true;
  double at[3];
  if (bodies->cell) sc_cell_wrap(bodies->cell, bodies->position[row], at); /* position that frames show */
  else sc_copy3(bodies->position[row], at);
  return scree_region_contains(select->region, at);
}

/* Returns the sum of a count over all ranks. */
static int64_t sum_count(const scree_world *world, int64_t count) {
  double sum = (double)count;
  sc_ranks_sum(world->ranks, &sum, 1);
  return (int64_t)sum;
}

int64_t scree_world_count(const scree_world *world, const scree_select *select) {
  SC_DEMAND(world && select, NULL, 0);
  int64_t count = 0;
  for (int32_t row = 0; row < world->bodies.count; row++)
    count += is_selected(world, row, select) && sc_bodies_own(&world->bodies, row);
  return sum_count(world, count);
}

/* Removes the names of bodies that exist on no rank any more. Collective. */
static void forget_gone(scree_world *world) {
  for (int32_t i = world->names.count - 1; i >= 0; i--) {
    int32_t row = sc_bodies_row(&world->bodies, world->names.name[i].id);
    double alive = row >= 0 && sc_bodies_own(&world->bodies, row);
    world->ranks->most(world->ranks->context, &alive, 1);
    if (!(alive > 0)) sc_names_drop_body(&world->names, i);
  }
}

/* The loop goes from the last row to the first, because a removal moves the last row to the freed row. That
 * last row has been tested already. */
int64_t scree_world_remove_where(scree_world *world, const scree_select *select) {
  SC_DEMAND(world && select, NULL, 0);
  int64_t removed = 0;
  const sc_bodies *bodies = &world->bodies;
  for (int32_t row = bodies->count - 1; row >= 0; row--) {
    bool own = sc_bodies_own(bodies, row); /* a ghost is removed after its owner has removed the body */
    if (!(own || bodies->replicated[row]) || !is_selected(world, row, select)) continue;
    if (sc_joints_any(&world->joints) && sc_joints_hold(&world->joints, sc_bodies_id(bodies, row))) continue;
    sc_world_drop_row(world, row);
    removed += own;
  }
  removed = sum_count(world, removed);
  if (removed) forget_gone(world);
  return removed;
}

/* Returns the number of selected bodies with joints. *first: id of the selected body with joints in the
 * lowest row. */
static int64_t count_joined(const scree_world *world, const scree_select *select, scree_id *first) {
  int64_t count = 0;
  for (int32_t row = world->bodies.count - 1; row >= 0 && sc_joints_any(&world->joints); row--) {
    scree_id id = sc_bodies_id(&world->bodies, row);
    if (!is_selected(world, row, select) || !sc_joints_hold(&world->joints, id)) continue;
    *first = id;
    count++;
  }
  return count;
}

typedef struct selection {
  const scree_world *world;
  const scree_select *select;
} selection;

static bool bond_selected(void *context, const sc_bond *bond) {
  const selection *s = context;
  int32_t a = sc_bodies_row(&s->world->bodies, bond->a), b = sc_bodies_row(&s->world->bodies, bond->b);
  return (a >= 0 && is_selected(s->world, a, s->select)) || (b >= 0 && is_selected(s->world, b, s->select));
}

/* Removes every joint and bond of the selected bodies. */
static void release_joints(scree_world *world, const scree_select *select) {
  selection s = {world, select};
  if (world->joints.bonds.count) {
    sc_joints_remove_bonds(&world->joints, bond_selected, &s);
    world->problem_valid = 0;
  }
  for (int32_t i = world->joints.count - 1; i >= 0; i--) {
    const scree_joint_def *def = &world->joints.row[i].def;
    int32_t a = sc_bodies_row(&world->bodies, def->a), b = sc_bodies_row(&world->bodies, def->b),
            frame = sc_bodies_row(&world->bodies, def->frame);
    if ((a >= 0 && is_selected(world, a, select)) || (b >= 0 && is_selected(world, b, select)) ||
        (frame >= 0 && is_selected(world, frame, select))) {
      sc_joints_drop(&world->joints, &world->bodies, i);
      world->problem_valid = 0;
    }
  }
}

scree_status scree_world_remove_selected(
    scree_world *world, const scree_select *select, int joined, int64_t *removed, scree_error *error) {
  SC_DEMAND(world && select && removed, error, SCREE_E_ARGUMENT);
  scree_id first = 0;
  int64_t held = joined == SCREE_JOINED_REFUSE ? count_joined(world, select, &first) : 0;
  *removed = 0;
  if (held)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%lld of the selected bodies %s held by joints (body %llu%s): remove the joints first, or say what "
        "becomes of them",
        (long long)held, held > 1 ? "are" : "is", (unsigned long long)first, held > 1 ? " is one" : "");
  if (joined == SCREE_JOINED_RELEASE) release_joints(world, select);
  *removed = scree_world_remove_where(world, select);
  return SCREE_OK;
}
