/* Steps of a world: each takes its substeps by the stepper that the world was made with. */
#include "world/account/totals.h"
#include "world/bodies/viewed.h"
#include "world/account/account.h"
#include "world/step/plan.h"
#include "world/step/track.h"
#include "world/steps.h"

/* The stepper that the world was made with. */
static scree_status substep(scree_world *world, double dt, scree_error *error) {
  switch (world->def.stepper) {
  case SCREE_STEPPER_PENALTY: return sc_world_penalty_step(world, dt, error);
  case SCREE_STEPPER_STEWART_TRINKLE: return sc_world_implicit_step(world, dt, error);
  case SCREE_STEPPER_SECOND_ORDER: return sc_world_second_order_step(world, dt, error);
  default: return sc_world_substep(world, dt, error);
  }
}

/* Runs the substeps of one step. Contacts are found in the first substep or in each. Loads act in all
 * substeps. Iterations and impacts are sums over all substeps. */
static scree_status substeps(scree_world *world, double dt, scree_error *error) {
  int64_t iterations = 0, impacts = 0;
  sc_world_flatten(&world->bodies);
  sc_totals_forget(world->totals);
  for (int64_t part = 0; part < world->def.substeps; part++) {
    world->substep = part;
    world->bodies.loads_stay = part + 1 < world->def.substeps;
    scree_status status = sc_world_follow_plan(world, error);
    if (status == SCREE_OK) status = sc_world_track(world, error);
    if (status == SCREE_OK) status = substep(world, dt, error);
    world->bodies.loads_stay = false;
    if (status == SCREE_OK) status = sc_world_stop_fast(world, dt, error);
    if (status == SCREE_OK) status = sc_world_count_crossings(world, dt, error);
    if (status == SCREE_OK) status = sc_totals_add(world, error);
    if (status != SCREE_OK) return status;
    iterations += world->iterations, impacts += world->impacts;
    sc_account_note(world);
    if (part == 0 || !world->def.reuse_contacts) sc_collide_tick(world->collide);
  }
  world->iterations = iterations, world->impacts = impacts;
  return SCREE_OK;
}

scree_status scree_world_step(scree_world *world, int64_t count, scree_error *error) {
  SC_DEMAND(world, error, SCREE_E_ARGUMENT);
  if (count < 0) return sc_fail(error, SCREE_E_ARGUMENT, "the number of steps must not be negative");
  if (count && world->viewed) {
    scree_status status = sc_world_check_viewed(world, error);
    if (status != SCREE_OK) return status;
  }
  double dt = sc_world_dt(world);
  for (int64_t i = 0; i < count; i++) {
    scree_status status = substeps(world, dt, error);
    world->contacts_found = false;
    world->planned_count = 0;
    if (status != SCREE_OK) return status;
    world->step++;
    world->time += world->def.dt;
    world->version++;
    sc_world_note_effort(world);
    if ((status = sc_world_watch_domain(world, error)) != SCREE_OK) return status;
  }
  return SCREE_OK;
}
