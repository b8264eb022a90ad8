/* The semi-implicit stepper: impulse-velocity Euler (Preclik, Eibl & Ruede 2017, section 3.1).
 *
 * Free velocities are computed from the forces at the start of the step. The solver corrects them with the
 * gaps at the start of the step, and bodies move with the corrected velocities. If a stage fails, bodies keep
 * their state before the substep. Impacts of pairs with restitution are solved first (impact/impact.c). */
#include "world/world.h"
#include "world/account/losses.h"
#include "world/cell/cell.h"
#include "world/impact/impact.h"
#include "world/mechanism/ties.h"
#include "world/mechanism/yields.h"
#include "world/step/sleep.h"
#include "world/step/step.h"
#include "world/steps.h"

static scree_status open_step(sc_step *step, scree_error *error) {
  scree_world *world = step->world;
  (void)error;
  sc_world_yields_clear(world);
  sc_joints_forget_impacts(&world->joints);
  world->problem_valid = 0;
  step->stored = sc_world_elastic(world);
  step->forces = step->dt;
  return SCREE_OK;
}

/* Sets the figures and contacts of a step in which all bodies sleep. The contacts of the last step stay. */
static void skip_step(scree_world *world, double dt) {
  world->figures.iterations = 0, world->figures.residual = 0, world->figures.bundle_fill = 0;
  world->contacts.age = dt;
  world->figures.impacts = world->contacts.impacts = 0;
  sc_losses_begin(&world->contacts);
}

static scree_status wake_islands(sc_step *step, scree_error *error) {
  scree_world *world = step->world;
  const scree_status status = sc_sleep_begin(world, &step->ended, error);
  if (step->ended) skip_step(world, step->dt);
  else sc_arena_reset(&world->arena);
  world->figures.free_finite = false;
  return status;
}

static scree_status solve_impacts(sc_step *step, scree_error *error) {
  const scree_status status = sc_world_impacts(step->world, step->dt, error);
  sc_tied_share_impacts(step->world);
  return status;
}

static scree_status unload_rolling(sc_step *step, scree_error *error) {
  return sc_world_roll_begin(step->world, &step->rolls, error);
}

static const sc_stage solution[] = {
    {"record mechanisms", SCREE_STAGE_ASSEMBLE, sc_step_record_mechanisms},
    {"assemble problem", SCREE_STAGE_ASSEMBLE, sc_step_assemble},
    {"subtract rolling", SCREE_STAGE_ASSEMBLE, unload_rolling},
    {"solve problem", SCREE_STAGE_SOLVE, sc_step_solve},
    {"check velocities", SCREE_STAGE_SOLVE, sc_step_check_velocities},
    {NULL},
};

static scree_status find_solution(sc_step *step, scree_error *error) {
  return sc_step_solve_with_breaks(step, solution, error);
}

static scree_status store_solution(sc_step *step, scree_error *error) {
  sc_world_swings_book(step->world, &step->swings, step->shift);
  sc_world_store_solution(step->world, &step->swings, step->shift, step->rolls.contacts);
  return sc_world_roll_end(step->world, &step->rolls, error);
}

static scree_status move_mechanisms(sc_step *step, scree_error *error) {
  return sc_world_swings(step->world, &step->swings, step->dt, error);
}

static scree_status move_cell(sc_step *step, scree_error *error) {
  step->world->contacts.age = step->dt;
  return sc_world_move_cell(step->world, step->dt, error);
}

/* Adds to `correction` the energy that the springs of joints gained since the start of the substep, because
 * `elastic` in the energy balance contains the energy of these springs. */
static scree_status balance_energy(sc_step *step, scree_error *error) {
  (void)error;
  step->world->energy.correction += sc_world_elastic(step->world) - step->stored;
  return SCREE_OK;
}

static scree_status lay_to_sleep(sc_step *step, scree_error *error) {
  return sc_sleep_end(step->world, step->dt, error);
}

static scree_status break_bonds(sc_step *step, scree_error *error) {
  return sc_world_break_bonds(step->world, error);
}

static const sc_stage stages[] = {
    {"open step", SC_NO_CLOCK, open_step},
    {"wake islands", SC_NO_CLOCK, wake_islands},
    {"find contacts", SC_NO_CLOCK, sc_step_find_contacts, sc_contact_stages},
    {"solve impacts", SCREE_STAGE_SOLVE, solve_impacts},
    {"find solution", SC_NO_CLOCK, find_solution, solution},
    {"correct positions", SCREE_STAGE_SOLVE, sc_step_correct_positions},
    {"store solution", SCREE_STAGE_INTEGRATE, store_solution},
    {"close losses", SCREE_STAGE_INTEGRATE, sc_step_close_losses},
    {"move mechanisms", SCREE_STAGE_INTEGRATE, move_mechanisms},
    {"move bodies", SCREE_STAGE_INTEGRATE, sc_step_move_bodies},
    {"move cell", SCREE_STAGE_INTEGRATE, move_cell},
    {"correct joints", SCREE_STAGE_INTEGRATE, sc_step_correct_joints},
    {"balance energy", SC_NO_CLOCK, balance_energy},
    {"check state", SC_NO_CLOCK, sc_step_check_state},
    {"lay to sleep", SC_NO_CLOCK, lay_to_sleep},
    {"break joints", SC_NO_CLOCK, sc_step_break_joints},
    {"break bonds", SC_NO_CLOCK, break_bonds},
    {NULL},
};

const sc_stepper sc_stepper_semi_implicit = {stages, NULL};
