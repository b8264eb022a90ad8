/* One time step, in outline: neighbours, contacts, problem, impulses, motion.
 *
 * Impulse-velocity semi-implicit Euler (Preclik, Eibl & Ruede 2017, section 3.1): free velocities are
 * formed with the forces at the start of the step, contacts are solved on them with the gaps at the
 * start of the step, and bodies move with the velocities that result. On an error bodies stay at the
 * last whole step. Pairs with restitution have their impacts first (impact.c). */
#include "world/cell/cell.h"
#include "world/cell/cell_drive.h"
#include "math/vec.h"
#include "problem/joints/joints.h"
#include "solve/sweeps/positions.h"
#include "world/impact/impact.h"
#include "world/account/losses.h"
#include "world/step/second_order.h"
#include "world/mechanism/roll.h"
#include "world/mechanism/swing.h"
#include "world/mechanism/yields.h"
#include "world/step/sleep.h"
#include "world/step/solve.h"
#include "world/step/track.h"
#include "world/steps.h"
#include "world/mechanism/ties.h"
#include "problem/assembly/assembly.h"
#include "problem/contacts/contacts.h"

#include <math.h>
#include <string.h>

/* Runs a stage and adds its time to the clock of that stage. */
#define TIMED(stage, call) \
  do { \
    double start = sc_clock_wall(); \
    call; \
    world->seconds[stage] += sc_clock_wall() - start; \
  } while (0)

/* Sorts rows in Morton order. Sets *map to the old row of each shape, for the contact cache. */
static scree_status put_in_order(scree_world *world, int32_t **map, scree_error *error) {
  sc_bodies *bodies = &world->bodies;
  sc_arena *arena = &world->arena;
  size_t rows = (size_t)bodies->count, shapes = (size_t)world->shapes.count;
  *map = SC_TAKE(arena, int32_t, shapes);
  sc_arena_mark mark = sc_arena_here(arena);
  int32_t *order = SC_TAKE(arena, int32_t, rows);
  if (!order || !*map) return sc_fail(error, SCREE_E_MEMORY, "no memory to order %d bodies", bodies->count);
  scree_status status = sc_collide_order(world->collide, bodies, order, error);
  if (status != SCREE_OK) return status;
  size_t of_bodies = sc_bodies_scratch(bodies), of_shapes = sc_shapes_scratch(&world->shapes);
  void *scratch = sc_arena_take(arena, of_bodies > of_shapes ? of_bodies : of_shapes);
  if (!scratch) return sc_fail(error, SCREE_E_MEMORY, "no memory to order %d bodies", bodies->count);
  if ((status = sc_world_permute_tracks(world, order, error)) != SCREE_OK) return status;
  sc_bodies_permute(bodies, order, scratch);
  sc_shapes_permute(&world->shapes, bodies, *map, scratch);
  sc_arena_back(arena, mark);
  return SCREE_OK;
}

/* Sets *stale if the neighbour list of this rank is stale. Sends *stale and the ghosts to other ranks. */
static scree_status look_around(scree_world *world, double dt, bool *stale, scree_error *error) {
  *stale = sc_collide_stale(world->collide, &world->bodies, &world->shapes, dt);
  return world->ranks->begin(world->ranks->context, world, *stale, error);
}

static scree_status neighbours(scree_world *world, double dt, bool stale, scree_error *error) {
  sc_collide *collide = world->collide;
  int32_t *map = NULL;
  scree_status status = world->ranks->align(world->ranks->context, world, dt, &stale, error);
  if (status != SCREE_OK || !stale) return status;
  sc_world_remap_cell(world);
  sc_arena_mark mark = sc_arena_here(&world->arena);
  if (sc_collide_disordered(collide, &world->shapes)) status = put_in_order(world, &map, error);
  if (status == SCREE_OK) status = sc_collide_build(collide, &world->bodies, &world->shapes, map, dt, error);
  sc_arena_back(&world->arena, mark);
  return status;
}

static scree_status find_contacts(scree_world *world, double dt, scree_error *error) {
  world->removals = world->blows = 0;
  world->problem_valid = 0;
  world->contacts_found = true;
  scree_status status = sc_world_part_tied(world, error);
  if (status == SCREE_OK)
    status = sc_collide_contacts(world->collide, &world->bodies, &world->shapes, world->state_stride,
        sc_world_pull_place(world), dt, &world->contacts, &world->state, error);
  if (status == SCREE_OK) sc_losses_begin(world);
  return status;
}

/* Returns the height of a contact against gravity, for solvers that visit contacts from the bottom up. */
static double height_of(const void *context, int32_t index) {
  const scree_world *world = context;
  sc_contact contact;
  sc_world_contact(world, index, &contact);
  return -sc_dot(contact.point, world->def.gravity);
}

/* Sets in->skip to marks of contacts that the problem does not contain: contacts with cohesion between bonded
 * bodies, contacts between jointed images in a cell, and contacts that the stage skips. */
static scree_status skip_tied(scree_world *world, sc_assemble_in *in, scree_error *error) {
  in->skip = world->stage ? world->stage->skip : NULL;
  if (!sc_joints_any(&world->joints) || !world->contacts) return SCREE_OK;
  uint8_t *skip = SC_TAKE(&world->arena, uint8_t, world->contacts);
  const uint8_t *other = in->skip;
  if (!skip) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", world->contacts);
  for (int32_t c = 0; c < world->contacts; c++) {
    skip[c] = sc_world_keeps_out(world, c) || (other && other[c]);
    if (skip[c]) in->skip = skip;
  }
  return SCREE_OK;
}

/* Returns whether position shifts correct penetrations. A cell that stress drives has no shifts. Shifts
 * close some contacts and open others. The stress would close these gaps, and the cell would shrink in
 * every step. */
static bool shifts_positions(const scree_world *world) {
  return world->def.correction == SCREE_CORRECTION_POSITION && !world->cell.is_driven;
}

static sc_assemble_in assembly(
    const scree_world *world, const sc_solver *solver, double dt, double erp, double drift_time) {
  const scree_world_def *def = &world->def;
  bool semi_implicit = def->stepper != SCREE_STEPPER_STEWART_TRINKLE;
  sc_assemble_in in = {.bodies = &world->bodies,
      .shapes = &world->shapes,
      .collide = world->collide,
      .contacts = world->contacts,
      .pairs = &world->pairs,
      .law = world->law,
      .laws = world->laws,
      .state = world->state,
      .state_stride = world->state ? world->state_stride : 0,
      .couple_at = sc_world_moment_at(world),
      .pull_at = sc_world_pull_at(world),
      .blow = world->blows ? world->blow : NULL,
      .couples = solver && solver->couples,
      .dt = dt,
      .erp = erp,
      .drift_time = drift_time,
      .warm_start = def->solver.warm_start,
      .pool = world->pool};
  in.positions = shifts_positions(world) && semi_implicit;
  in.middle = semi_implicit;
  // the implicit scheme closes whole gaps at the end of the step
  if (semi_implicit) in.max_correction = def->max_correction;
  for (int32_t i = 0; i < world->pairs.rules; i++) in.springs |= sc_rule_springs(world->pairs.rule + i);
  in.mean_load = world->mean_load;
  in.impulse_scale = world->impulse_time > 0 ? dt / world->impulse_time : 1;
  memcpy(in.gravity, def->gravity, sizeof in.gravity);
  if (solver && solver->rests) in.closed = def->solver.tolerance * sc_norm(def->gravity) * dt * dt;
  return in;
}

/* Sets the options of a stage of a step of second order. */
static void follow_stage(const scree_world *world, sc_assemble_in *in) {
  const sc_stage *stage = world->stage;
  in->middle = false; /* the rates include the rotation of immovable bodies */
  in->way = stage->way, in->warm_start *= stage->warm, in->closed = fmax(in->closed, stage->closed);
  in->rates = world->state, in->rate_time = stage->rate_time;
  in->rate_at = sc_world_curve_at(world) + SC_CURVE_RATE;
  in->no_forces = stage->strikes;
  if (stage->strikes || stage->arrives) in->positions = true; /* no bias corrects penetrations */
}

/* Sets in->store to the solver's storage of ball contacts. Uses plain rows if `rows` or if the problem is
 * written to a file. */
static scree_status choose_store(
    scree_world *world, const sc_solver *solver, bool rows, sc_assemble_in *in, scree_error *error) {
  if (rows || !solver->sweeps || sc_world_keeps_problem(world)) return SCREE_OK;
  in->store = sc_contacts_create(
      world->def.solver.contacts_per_thread, world->ranks->exchange, world->pool, &world->arena);
  return in->store ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", world->contacts);
}

scree_status sc_world_assemble(scree_world *world, const sc_solver *solver, double dt, double erp,
    double drift_time, bool rows, const sc_swings *swings, scree_error *error) {
  sc_assemble_in in = assembly(world, solver, dt, erp, drift_time);
  if (swings) in.alone = swings->alone;
  if (world->stage) follow_stage(world, &in);
  sc_problem *problem = &world->problem;
  scree_status status = skip_tied(world, &in, error);
  if (status == SCREE_OK)
    status = world->ranks->share_contacts(world->ranks->context, world, &in.copies, error);
  if (status == SCREE_OK) status = sc_world_wrap(world, &in, error);
  if (status == SCREE_OK) status = choose_store(world, solver, rows, &in, error);
  if (status == SCREE_OK) status = sc_assemble(&in, &world->arena, problem, &world->assembled, error);
  problem->exchange = world->ranks->exchange;
  problem->height = height_of, problem->height_context = world;
  if (status == SCREE_OK) status = sc_world_assemble_joints(world, dt, swings, error);
  if (status == SCREE_OK) status = sc_world_assemble_bonds(world, dt, error);
  return status == SCREE_OK ? sc_world_drive_begin(world, dt, error) : status;
}

/* Solves the position shifts that correct penetrations. Leaves *shift NULL if velocities correct
 * penetrations. */
scree_status sc_world_correct_positions(
    scree_world *world, const sc_solver_report *report, const sc_solver_body **shift, scree_error *error) {
  const scree_world_def *def = &world->def;
  const sc_problem *problem = &world->problem;
  const double way = world->stage ? world->stage->way : problem->dt;
  if (!shifts_positions(world)) return SCREE_OK;
  const sc_positions_in in = {.problem = problem,
      .correction_fraction = def->drift_time > 0 ? way / fmax(def->drift_time, way) : def->erp,
      .speed_limit = def->max_correction > 0 ? def->max_correction : INFINITY,
      .sweeps = report->sweeps};
  scree_solver_def par = sc_world_solver_options(world);
  const sc_exchange *exchange = sc_problem_exchange(problem);
  if (exchange->largest(exchange->context, problem->generals) > 0 && par.tolerance > 0 &&
      par.correction_iterations < sc_world_solver(world)->corrections)
    par.correction_iterations = sc_world_solver(world)->corrections;
  return sc_positions_solve(&in, &par, world->pool, &world->arena, shift, error);
}

/* Searches contacts at the present positions, ahead over the time dt. */
static scree_status search(scree_world *world, double dt, scree_error *error) {
  scree_status status;
  bool stale;
  TIMED(SCREE_STAGE_BROAD, status = look_around(world, dt, &stale, error));
  if (status == SCREE_OK) TIMED(SCREE_STAGE_BROAD, status = neighbours(world, dt, stale, error));
  if (status == SCREE_OK) TIMED(SCREE_STAGE_NARROW, status = find_contacts(world, dt, error));
  return status;
}

/* Moves the contacts of this step with their bodies. Ghosts get the poses of their owners first. */
static scree_status follow(scree_world *world, double dt, scree_error *error) {
  scree_status status;
  TIMED(SCREE_STAGE_BROAD, status = world->ranks->begin(world->ranks->context, world, false, error);
        if (status == SCREE_OK) status = neighbours(world, dt, false, error));
  world->blows = 0, world->problem_valid = 0;
  if (status == SCREE_OK)
    TIMED(SCREE_STAGE_NARROW,
        status = sc_collide_follow(world->collide, &world->bodies, &world->shapes, dt, error));
  if (status == SCREE_OK) sc_losses_begin(world);
  return status;
}

scree_status sc_world_contacts(scree_world *world, double dt, scree_error *error) {
  const bool reuse = world->def.reuse_contacts;
  scree_status status = reuse && world->contacts_found ? follow(world, dt, error)
                                                       : search(world, reuse ? world->def.dt : dt, error);
  if (status == SCREE_OK) status = sc_sleep_meet(world, error);
  if (status != SCREE_OK) world->contacts = sc_collide_memory(world->collide, NULL, 0, NULL);
  return status;
}

/* Makes a step in which all bodies sleep. The contacts of the last step stay. */
static void rest(scree_world *world, double dt) {
  world->problem_valid = 0;
  world->iterations = 0, world->solved_residual = 0, world->bundle_fill = 0;
  world->contact_age = dt;
  world->impacts = world->blows = 0;
  sc_losses_begin(world);
}

/* Arguments and results of solving a step's problem. */
typedef struct solving {
  scree_world *world;
  double dt;
  sc_swings swings;
  sc_rolls rolls;
  sc_solver_report report;
} solving;

/* Assembles and solves the problem of a step. */
static scree_status make_and_solve(void *context, scree_error *error) {
  solving *s = context;
  scree_world *world = s->world;
  const double dt = s->dt;
  scree_status status;
  s->report = (sc_solver_report){0};
  TIMED(SCREE_STAGE_ASSEMBLE, status = sc_world_swings_begin(world, &s->swings, error));
  if (status != SCREE_OK) return status;
  TIMED(SCREE_STAGE_ASSEMBLE,
      status = sc_world_assemble(world, sc_world_solver(world), dt, world->def.erp, world->def.drift_time,
          false, &s->swings, error));
  if (status != SCREE_OK) return status;
  /* the time for plans counts as solver time */
  double plans = world->assembled.plan_seconds;
  world->seconds[SCREE_STAGE_ASSEMBLE] -= plans;
  world->seconds[SCREE_STAGE_SOLVE] += plans;
  TIMED(SCREE_STAGE_ASSEMBLE, status = sc_world_roll_begin(world, &s->rolls, error));
  if (status != SCREE_OK) return status;
  TIMED(SCREE_STAGE_SOLVE, status = sc_world_solve(world, &s->report, error));
  return status == SCREE_OK ? sc_world_check_finite(world, error) : status;
}

scree_status sc_world_substep(scree_world *world, double dt, scree_error *error) {
  bool asleep;
  sc_world_yields_clear(world);
  sc_joints_forget_blows(&world->joints);
  double stored = sc_world_elastic(world);
  scree_status status = sc_sleep_begin(world, &asleep, error);
  if (status != SCREE_OK || asleep) return rest(world, dt), status;
  world->problem_valid = 0;
  world->free_finite = false;
  sc_arena_reset(&world->arena);
  status = sc_world_contacts(world, dt, error);
  if (status != SCREE_OK) return status;
  TIMED(SCREE_STAGE_SOLVE, status = sc_world_impacts(world, dt, error); sc_tied_share_blows(world));
  solving s = {.world = world, .dt = dt};
  const sc_solver_body *shift = NULL;
  if (status == SCREE_OK) status = sc_world_solve_with_breaks(world, make_and_solve, &s, error);
  if (status == SCREE_OK)
    TIMED(SCREE_STAGE_SOLVE, status = sc_world_correct_positions(world, &s.report, &shift, error));
  if (status != SCREE_OK) return status;
  TIMED(SCREE_STAGE_INTEGRATE, sc_world_swings_book(world, &s.swings);
        sc_world_store_solution(world, &s.swings, s.rolls.contacts);
        status = sc_world_roll_end(world, &s.rolls, error); sc_losses_add_half(world);
        if (status == SCREE_OK) status = sc_losses_close(world, error);
        if (status == SCREE_OK) status = sc_world_swings(world, &s.swings, dt, error);
        if (status == SCREE_OK) sc_world_advance(world, dt, s.swings.held, shift);
        if (status == SCREE_OK) status = sc_world_move_cell(world, dt, error); world->contact_age = dt;
        if (status == SCREE_OK) status = sc_world_correct_joints(world, s.swings.trees, error));
  world->correction += sc_world_elastic(world) - stored;
  if (status == SCREE_OK) status = sc_world_check_state(world, error);
  if (status == SCREE_OK) status = sc_sleep_end(world, dt, error);
  if (status == SCREE_OK) status = sc_world_break_joints(world, error);
  return status == SCREE_OK ? sc_world_break_bonds(world, error) : status;
}
