/* The solution of a step's problem: see solve.h. */
#include "world/step/solve.h"

#include <math.h>
#include <string.h>
#include "problem/residual/gain.h"
#include "world/cell/cell_drive.h"

/* Sets the velocity that tolerances are shares of and the one that loads give, over all ranks; one of
 * them has the joints. */
static void set_scales(scree_world *world) {
  const sc_problem *problem = &world->problem;
  const sc_ranks *ranks = world->ranks;
  double contacts = (double)problem->balls + (double)problem->generals,
         closing = sc_problem_closing_with(problem, world->assembled.closing, world->pool),
         scale = sc_problem_velocity_scale(problem, ranks->mean(ranks->context, closing, contacts));
  double both[2] = {fmax(scale, sc_world_drive_speed(world)), sc_problem_drive_speed(problem)};
  ranks->most(ranks->context, both, 2);
  world->residual_scale = both[0];
  world->load_scale = fmax(both[0], both[1]);
}

/* The text a user's law left behind, with the contact it was asked about. */
static scree_status user_law_error(scree_world *world, scree_status status, scree_error *error) {
  const sc_problem *problem = &world->problem;
  for (int32_t i = 0; i < world->user_laws && status == SCREE_E_LAW; i++) {
    sc_user_law *law = world->user_law[i];
    if (law->error.status == SCREE_OK) continue;
    for (int32_t c = 0; c < problem->generals; c++) {
      if (problem->par + problem->general[c].par != law->failed) continue;
      sc_contact contact;
      sc_world_contact(world, problem->general[c].contact, &contact);
      sc_user_law_blame(sc_bodies_id(&world->bodies, contact.body1),
          sc_bodies_id(&world->bodies, contact.body2), contact.point, &law->error);
    }
    if (error) *error = law->error;
    law->error = (scree_error){0};
    law->failed = NULL;
    return SCREE_E_LAW;
  }
  return status;
}

scree_solver_def sc_world_solver_options(const scree_world *world) {
  scree_solver_def par = world->def.solver;
  par.tolerance *= world->residual_scale;
  return par;
}

/* What a solver that lets islands wait remembers of bodies from step to step. */
static scree_status remember_waits(scree_world *world, scree_error *error) {
  if (!sc_world_solver(world)->waits || world->ranks->ranks > 1) return SCREE_OK;
  if (!sc_bodies_hold_waits(&world->bodies))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", world->bodies.count);
  world->problem.wait = world->bodies.wait;
  return SCREE_OK;
}

/* ---- no energy from nothing ---- */

/* Share of the kinetic energy that is there by which rounding may raise it; sweeps of the last try over those
 * that are allowed. */
static const double SLIGHT = 1e-9;
enum { LAST_TRY = 4 };

/* One try to solve the problem. free: its bodies before any impulse. */
typedef struct attempt {
  scree_world *world;
  const sc_solver_body *free;
  const sc_solver *solver;
  scree_solver_def par;
  sc_gain gain; /* of all ranks, as the try ended */
} attempt;

static scree_status try_to_solve(attempt *a, sc_solver_report *report, scree_error *error) {
  scree_world *world = a->world;
  sc_problem *problem = &world->problem;
  sc_problem_apply_all(problem, world->pool);
  sc_exchange_meet(problem->exchange, problem->body);
  return a->solver->solve(problem, &a->par, world->pool, &world->arena, report, error);
}

/* Measures what impulses brought. Returns whether exact impulses could not have brought that much. */
static bool brings_energy(attempt *a) {
  scree_world *world = a->world;
  a->gain = sc_problem_gain(&world->problem, a->free, world->pool);
  double sum[4] = {a->gain.start, a->gain.linear, a->gain.square, 0};
  sc_ranks_sum(world->ranks, sum, 3);
  a->gain = (sc_gain){sum[0], sum[1], sum[2]};
  const double slight = SLIGHT * sum[0];
  if (sc_gain_brought(&a->gain) <= slight) return false;
  sum[3] = sc_problem_gain_bound(&world->problem, a->par.tolerance, &world->arena);
  sc_ranks_sum(world->ranks, sum + 3, 1);
  return !(sc_gain_brought(&a->gain) <= slight + sum[3]);
}

/* Begins again with a share of the present impulses. */
static void begin_again(const attempt *a, double share) {
  const sc_problem *problem = &a->world->problem;
  sc_problem_scale_impulses(problem, share);
  memcpy(problem->body, a->free, (size_t)problem->bodies * sizeof *problem->body);
}

/* An answer above the tolerance that brings energy is sought again: from the share of its impulses that
 * brings the least energy, since sweeps from there bring none, then by more sweeps from no impulses.
 * Impulses of the last step bring energy where the load has dropped and sweeps do not take them down in
 * time. */
static scree_status solve_without_gain(attempt *a, sc_solver_report *report, scree_error *error) {
  sc_effort *effort = &a->world->effort;
  scree_status status = SCREE_OK;
  double residual = report->residual;
  a->world->ranks->most(a->world->ranks->context, &residual, 1);
  if (a->world->cell.is_driven || residual <= a->par.tolerance || !brings_energy(a)) return status;
  effort->again++;
  const int64_t before = report->iterations;
  begin_again(a, sc_gain_best_share(&a->gain));
  status = try_to_solve(a, report, error);
  if (status == SCREE_OK && brings_energy(a)) {
    begin_again(a, 0);
    a->solver = &sc_solver_nbgs;
    a->par.iterations *= LAST_TRY, a->par.acceleration = 0, a->par.relaxation = 1;
    status = try_to_solve(a, report, error);
    effort->gaining += status == SCREE_OK && brings_energy(a);
  }
  report->iterations += before;
  return status;
}

/* ---- the whole ---- */

scree_status sc_world_solve(scree_world *world, sc_solver_report *report, scree_error *error) {
  sc_problem *problem = &world->problem;
  set_scales(world);
  sc_problem kept;
  scree_status status = sc_world_keep_problem(world, &kept, error);
  if (status == SCREE_OK) status = remember_waits(world, error);
  if (status != SCREE_OK) return status;
  sc_solver_body *free = SC_TAKE(&world->arena, sc_solver_body, problem->bodies);
  if (!free)
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the velocities of %d bodies", problem->bodies);
  memcpy(free, problem->body, (size_t)problem->bodies * sizeof *free);
  world->free_body = free;
  attempt a = {world, free, sc_world_solver(world), sc_world_solver_options(world), {0}};
  status = try_to_solve(&a, report, error);
  if (status == SCREE_OK) status = solve_without_gain(&a, report, error);
  sc_world_drive_end(world);
  status = sc_world_dump_kept(world, &kept, status, report->residual - a.par.tolerance, error);
  if (status != SCREE_OK) return user_law_error(world, status, error);
  world->iterations = report->iterations;
  world->solved_residual = report->residual;
  world->bundle_fill = report->fill;
  sc_effort_add(&world->effort, &report->ways);
  world->problem_valid = 1;
  return SCREE_OK;
}
