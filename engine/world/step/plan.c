/* Planned velocities: velocities of driven bodies at which the substeps of the next step start (plan.h).
 *
 * A body that follows a function of time has the mean velocity of each substep. With one velocity for the
 * whole step, all of the change since the last step would occur in the first substep. */
#include "world/step/plan.h"
#include "world/world.h"

enum { ONLY = SCREE_SET_VELOCITY | SCREE_SET_SPIN | SCREE_SET_SURFACE_VELOCITY | SCREE_SET_SURFACE_SPIN };

scree_status scree_world_set_at_substep(scree_world *world, scree_id body, int64_t substep, int mask,
    const scree_body_state *state, scree_error *error) {
  SC_DEMAND(world && state, error, SCREE_E_ARGUMENT);
  if (mask & ~ONLY) return sc_fail(error, SCREE_E_ARGUMENT, "only velocities can be set at a substep");
  if (substep < 1 || substep >= world->def.substeps)
    return sc_fail(error, SCREE_E_ARGUMENT, "substep %lld is not one of 1 to %lld", (long long)substep,
        (long long)world->def.substeps - 1);
  if (!SC_GROW(world->plan.entry, world->plan.capacity, (size_t)world->plan.count + 1))
    return sc_fail(
        error, SCREE_E_MEMORY, "no memory for %lld planned velocities", (long long)world->plan.count + 1);
  world->plan.entry[world->plan.count++] = (sc_planned){body, substep, mask, *state};
  return SCREE_OK;
}

scree_status sc_world_follow_plan(scree_world *world, scree_error *error) {
  for (int64_t i = 0; i < world->plan.count; i++) {
    const sc_planned *entry = world->plan.entry + i;
    if (entry->substep != world->substep) continue;
    const scree_status status = scree_world_set(world, entry->body, entry->mask, &entry->state, error);
    if (status != SCREE_OK && status != SCREE_E_STALE) return status;
  }
  return SCREE_OK;
}
