/* The loop over the stages of a step, and stages that several steppers share. */
#include "world/world.h"

#include <string.h>

#include "world/account/losses.h"
#include "world/cell/cell_drive.h"
#include "world/mechanism/ties.h"
#include "world/mechanism/yields.h"
#include "world/step/solve.h"
#include "world/step/faces.h"
#include "world/step/step.h"
#include "world/steps.h"

scree_status sc_run_stages(sc_step *step, const sc_stage *stages, scree_error *error) {
  sc_stopwatch *watch = &step->world->watch;
  const int before = watch->running;
  scree_status status = SCREE_OK;
  for (; status == SCREE_OK && stages->name && !step->ended; stages++) {
    sc_stopwatch_switch(watch, stages->clock);
    status = stages->run(step, error);
  }
  sc_stopwatch_switch(watch, before);
  return status;
}

scree_status sc_step_record_mechanisms(sc_step *step, scree_error *error) {
  return sc_world_swings_begin(step->world, &step->swings, error);
}

scree_status sc_step_assemble(sc_step *step, scree_error *error) {
  const scree_world_def *def = &step->world->def;
  return sc_world_assemble(step->world, sc_world_solver(step->world), step->forces, def->erp, def->drift_time,
      false, &step->swings, error);
}

scree_status sc_step_solve(sc_step *step, scree_error *error) {
  step->report = (sc_solver_report){0};
  return sc_world_solve(step->world, &step->report, error);
}

scree_status sc_step_check_velocities(sc_step *step, scree_error *error) {
  return sc_world_check_finite(step->world, error);
}

scree_status sc_step_solve_with_breaks(sc_step *step, const sc_stage *stages, scree_error *error) {
  scree_world *world = step->world;
  if (!sc_world_breakable(world)) return sc_run_stages(step, stages, error);
  const size_t numbers = (size_t)world->contacts.count *
      (size_t)(world->contacts.state ? world->contacts.stride : 0);
  double *state = SC_TAKE(&world->arena, double, numbers + 1);
  if (!state) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", world->contacts.count);
  if (numbers) memcpy(state, world->contacts.state, numbers * sizeof *state);
  const sc_arena_mark mark = sc_arena_here(&world->arena);
  for (int round = 0;; round++) {
    bool breaks = false;
    scree_status status = sc_run_stages(step, stages, error);
    if (status == SCREE_OK && round < SC_YIELD_ROUNDS) status = sc_world_yield(world, &breaks, error);
    if (status != SCREE_OK || !breaks) return status;
    if (numbers) memcpy(world->contacts.state, state, numbers * sizeof *state);
    sc_arena_back(&world->arena, mark);
  }
}

scree_status sc_step_correct_positions(sc_step *step, scree_error *error) {
  return sc_world_correct_positions(step->world, &step->report, &step->shift, error);
}

scree_status sc_step_close_losses(sc_step *step, scree_error *error) {
  sc_losses_add_half(step->world);
  const scree_status status = sc_faces_close(step->world, error);
  return status == SCREE_OK ? sc_losses_close(step->world, error) : status;
}

scree_status sc_step_move_bodies(sc_step *step, scree_error *error) {
  (void)error;
  sc_world_advance(step->world, step->dt, step->swings.held, step->shift);
  return SCREE_OK;
}

scree_status sc_step_correct_joints(sc_step *step, scree_error *error) {
  return sc_world_correct_joints(step->world, step->swings.trees, error);
}

scree_status sc_step_check_state(sc_step *step, scree_error *error) {
  return sc_world_check_state(step->world, error);
}

scree_status sc_step_break_joints(sc_step *step, scree_error *error) {
  return sc_world_break_joints(step->world, error);
}
