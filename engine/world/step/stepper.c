/* Steps of a world. Each substep runs the stages of the world's stepper. */
#include "world/world.h"
#include "world/steps.h"
#include "world/bodies/domain.h"
#include "world/account/totals.h"
#include "world/bodies/viewed.h"
#include "world/account/account.h"
#include "world/step/plan.h"
#include "world/step/step.h"
#include "world/step/track.h"

const sc_stepper *sc_find_stepper(int stepper) {
  switch (stepper) {
  case SCREE_STEPPER_PENALTY: return &sc_stepper_penalty;
  case SCREE_STEPPER_STEWART_TRINKLE: return &sc_stepper_stewart_trinkle;
  case SCREE_STEPPER_SECOND_ORDER: return &sc_stepper_second_order;
  default: return &sc_stepper_semi_implicit;
  }
}

static scree_status set_planned(sc_step *step, scree_error *error) {
  return sc_world_follow_plan(step->world, error);
}

static scree_status record_poses(sc_step *step, scree_error *error) {
  return sc_world_track(step->world, error);
}

/* Runs the stages of the world's stepper. The loads of bodies stay until the last substep, so that they act
 * in all substeps. */
static scree_status run_stepper(sc_step *step, scree_error *error) {
  scree_world *world = step->world;
  const sc_stepper *stepper = sc_find_stepper((int)world->def.stepper);
  world->bodies.loads_stay = world->substep + 1 < world->def.substeps;
  const scree_status status = sc_run_stages(step, stepper->stages, error);
  if (status != SCREE_OK && stepper->undo) stepper->undo(step);
  world->bodies.loads_stay = false;
  step->ended = false;
  return status;
}

static scree_status stop_fast(sc_step *step, scree_error *error) {
  return sc_world_stop_fast(step->world, step->dt, error);
}

static scree_status count_crossings(sc_step *step, scree_error *error) {
  return sc_world_count_crossings(step->world, step->dt, error);
}

static scree_status add_totals(sc_step *step, scree_error *error) {
  return sc_totals_add(step->world, error);
}

static scree_status note_velocities(sc_step *step, scree_error *error) {
  (void)error;
  sc_account_note(&step->world->bodies, &step->world->joints);
  return SCREE_OK;
}

const sc_stage sc_substep_stages[] = {
    {"set planned velocities", SC_NO_CLOCK, set_planned},
    {"record poses", SC_NO_CLOCK, record_poses},
    {"run stepper", SC_NO_CLOCK, run_stepper},
    {"stop fast bodies", SC_NO_CLOCK, stop_fast},
    {"count crossings", SC_NO_CLOCK, count_crossings},
    {"add totals", SC_NO_CLOCK, add_totals},
    {"note velocities", SC_NO_CLOCK, note_velocities},
    {NULL},
};

/* Runs the substeps of one step. Contacts are detected in the first substep or in every substep. Iterations
 * and impacts are summed over all substeps. */
static scree_status run_substeps(scree_world *world, double dt, scree_error *error) {
  int64_t iterations = 0, impacts = 0;
  sc_world_flatten(&world->bodies);
  sc_totals_forget(world->totals);
  for (int64_t part = 0; part < world->def.substeps; part++) {
    sc_step step = {.world = world, .dt = dt};
    world->substep = part;
    const scree_status status = sc_run_stages(&step, sc_substep_stages, error);
    if (status != SCREE_OK) return status;
    iterations += world->figures.iterations, impacts += world->figures.impacts;
    if (part == 0 || !world->def.reuse_contacts) sc_collide_tick(world->collide);
  }
  world->figures.iterations = iterations, world->figures.impacts = impacts;
  return SCREE_OK;
}

scree_status scree_world_step(scree_world *world, int64_t count, scree_error *error) {
  SC_DEMAND(world, error, SCREE_E_ARGUMENT);
  if (count < 0) return sc_fail(error, SCREE_E_ARGUMENT, "the number of steps must not be negative");
  if (count && world->query.viewed) {
    scree_status status = sc_world_check_viewed(world, error);
    if (status != SCREE_OK) return status;
  }
  double dt = sc_world_dt(world);
  for (int64_t i = 0; i < count; i++) {
    scree_status status = run_substeps(world, dt, error);
    world->contacts.found = false;
    world->plan.count = 0;
    if (status != SCREE_OK) return status;
    world->step++;
    world->time += world->def.dt;
    world->version++;
    sc_world_note_effort(world);
    if ((status = sc_world_watch_domain(world, error)) != SCREE_OK) return status;
  }
  return SCREE_OK;
}
