/* Assembles the contact problem of the present contacts, joints and bonds. Corrects positions after it is
 * solved. */
#include <math.h>
#include <string.h>
#include "math/vec.h"
#include "problem/assembly/assembly.h"
#include "problem/contacts/contacts.h"
#include "problem/joints/joints.h"
#include "solve/sweeps/positions.h"
#include "world/world.h"
#include "world/cell/cell.h"
#include "world/cell/cell_drive.h"
#include "world/mechanism/ties.h"
#include "world/step/second_order.h"
#include "world/step/solve.h"
#include "world/steps.h"

/* Returns the height of a contact against gravity. Some solvers visit contacts from the bottom up. */
static double height_of(const void *context, int32_t index) {
  const scree_world *world = context;
  sc_contact contact;
  sc_world_contact(world, index, &contact);
  return -sc_dot(contact.point, world->def.gravity);
}

/* Sets in->skip to marks of contacts that the problem does not contain. These are contacts that joints or
 * bonds exclude (sc_world_keeps_out), and contacts that the phase skips. */
static scree_status skip_tied(scree_world *world, sc_assemble_in *in, scree_error *error) {
  in->skip = world->phase ? world->phase->skip : NULL;
  if (!sc_joints_any(&world->joints) || !world->contacts.count) return SCREE_OK;
  uint8_t *skip = SC_TAKE(&world->arena, uint8_t, world->contacts.count);
  const uint8_t *other = in->skip;
  if (!skip) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", world->contacts.count);
  for (int32_t c = 0; c < world->contacts.count; c++) {
    skip[c] = sc_world_keeps_out(world, c) || (other && other[c]);
    if (skip[c]) in->skip = skip;
  }
  return SCREE_OK;
}

/* Returns true if penetrations are corrected by position shifts. In a cell that stress drives they are not.
 * Shifts close some contacts and open others. The stress would then close the new gaps, and the cell would
 * shrink in every step. */
static bool shifts_positions(const scree_world *world) {
  return world->def.correction == SCREE_CORRECTION_POSITION && !world->cell.is_driven;
}

static sc_assemble_in make_assembly(
    scree_world *world, const sc_solver *solver, double dt, double erp, double drift_time) {
  const scree_world_def *def = &world->def;
  bool semi_implicit = def->stepper != SCREE_STEPPER_STEWART_TRINKLE;
  sc_assemble_in in = {.bodies = &world->bodies,
      .shapes = &world->shapes,
      .collide = world->collide,
      .contacts = world->contacts.count,
      .pairs = &world->pairs,
      .law = world->laws.law,
      .laws = world->laws.count,
      .state = world->contacts.state,
      .state_stride = world->contacts.state ? world->contacts.stride : 0,
      .states_stay = world->repeats || (world->phase && world->phase->strikes),
      .couple_at = sc_moment_place(&world->contacts),
      .pull_at = sc_pull_place(&world->contacts),
      .faces = sc_face_place(&world->contacts) >= 0,
      .face_at = sc_face_place(&world->contacts),
      .impact = world->contacts.impacts ? world->contacts.impact : NULL,
      .couples = solver && solver->couples,
      .dt = dt,
      .erp = erp,
      .drift_time = drift_time,
      .warm_start = def->solver.warm_start,
      .pool = world->pool,
      .watch = &world->watch};
  in.positions = shifts_positions(world) && semi_implicit;
  in.middle = semi_implicit;
  // the implicit scheme has no limit of the correction, because it closes whole gaps at the end of the step
  if (semi_implicit) in.max_correction = def->max_correction;
  in.softness = sc_world_softness(world);
  in.springs = sc_world_has_springs(world);
  in.mean_load = world->energy.mean_load, in.slow_load = world->energy.slow_load;
  in.impulse_scale = world->energy.impulse_time > 0 ? dt / world->energy.impulse_time : 1;
  memcpy(in.gravity, def->gravity, sizeof in.gravity);
  if (solver && solver->rests) in.closed = def->solver.tolerance * sc_norm(def->gravity) * dt * dt;
  return in;
}

/* Sets the options of assembly for a phase of a step of second order. */
static void apply_phase(const scree_world *world, sc_assemble_in *in) {
  const sc_phase *phase = world->phase;
  in->middle = false; /* the measured rates (rate_at) already include the rotation of immovable bodies */
  in->way = phase->way, in->warm_start *= phase->warm, in->closed = fmax(in->closed, phase->closed);
  in->rates = world->contacts.state, in->rate_time = phase->rate_time;
  in->rate_at = sc_curve_place(&world->contacts) + SC_CURVE_RATE;
  in->no_forces = phase->strikes;
  /* in these phases the velocity biases must not correct penetrations */
  if (phase->strikes || phase->arrives) in->positions = true;
}

/* Sets in->store to the solver's own storage of ball contacts. Leaves in->store NULL (plain rows) if `rows`
 * is true or if the problem may be written to a file. */
static scree_status choose_store(
    scree_world *world, const sc_solver *solver, bool rows, sc_assemble_in *in, scree_error *error) {
  if (rows || !solver->sweeps || sc_world_keeps_problem(world)) return SCREE_OK;
  in->store = sc_contacts_create(
      world->def.solver.contacts_per_thread, world->ranks->exchange, world->pool, &world->arena);
  return in->store ? SCREE_OK
                   : sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", world->contacts.count);
}

scree_status sc_world_assemble(scree_world *world, const sc_solver *solver, double dt, double erp,
    double drift_time, bool rows, const sc_swings *swings, scree_error *error) {
  sc_assemble_in in = make_assembly(world, solver, dt, erp, drift_time);
  if (swings) in.alone = swings->alone;
  if (world->phase) apply_phase(world, &in);
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

scree_status sc_world_correct_positions(
    scree_world *world, const sc_solver_report *report, const sc_solver_body **shift, scree_error *error) {
  const scree_world_def *def = &world->def;
  const sc_problem *problem = &world->problem;
  const double way = world->phase ? world->phase->way : problem->dt;
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
