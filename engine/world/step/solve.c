/* Solves the contact problem of a step (solve.h). */
#include "world/world.h"
#include "world/step/solve.h"

#include <math.h>
#include <string.h>
#include "problem/residual/gain.h"
#include "world/cell/cell_drive.h"
#include "world/steps.h"
#include "problem/contacts/apply.h"
#include "problem/contacts/contacts.h"
#include "problem/residual/residual.h"

/* Sets residual_scale, the velocity scale of tolerances, and load_scale, the velocity that loads cause in a
 * step. Both are maxima over all ranks, because only the first rank has the joints. */
static void set_scales(scree_world *world) {
  const sc_problem *problem = &world->problem;
  const sc_ranks *ranks = world->ranks;
  double contacts = (double)problem->balls + (double)problem->generals,
         closing = sc_problem_closing_with(problem, world->assembled.closing, world->pool),
         scale = sc_problem_velocity_scale(problem, ranks->mean(ranks->context, closing, contacts));
  double both[2] = {fmax(scale, sc_world_drive_speed(world)), sc_problem_drive_speed(problem)};
  ranks->most(ranks->context, both, 2);
  world->figures.residual_scale = both[0];
  world->figures.load_scale = fmax(both[0], both[1]);
}

/* If a law of a script has failed, sets *error to its error and the contact at which it occurred. Returns the
 * status. */
static scree_status user_law_error(scree_world *world, scree_status status, scree_error *error) {
  const sc_problem *problem = &world->problem;
  for (int32_t i = 0; i < world->laws.users && status == SCREE_E_LAW; i++) {
    sc_user_law *law = world->laws.user[i];
    if (law->error.status == SCREE_OK) continue;
    for (int32_t c = 0; c < sc_problem_rows(problem); c++) { // contacts with a law of a script have rows
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
  // nbgs replaces auto in a driven cell; the sweeps of auto would have momentum if contacts have springs
  par.acceleration |= world->cell.is_driven && world->problem.springs && world->solver == &sc_solver_auto;
  if (par.acceleration) par.relaxation = fmin(par.relaxation, sc_world_drive_relaxation(world));
  par.tolerance *= world->figures.residual_scale;
  return par;
}

/* Allocates the back-off counters of bodies if the solver uses them. */
static scree_status alloc_backoff(scree_world *world, scree_error *error) {
  if (!sc_world_solver(world)->waits || world->ranks->ranks > 1) return SCREE_OK;
  if (!sc_bodies_hold_waits(&world->bodies))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", world->bodies.count);
  world->problem.wait = world->bodies.wait;
  return SCREE_OK;
}

/* ---- guard against energy gain ---- */

/* Share of the kinetic energy that rounding errors may add. */
static const double ROUNDING_SHARE = 1e-9;

/* Maximum number of sweeps in the last attempt, divided by the maximum in the first attempt. */
enum { LAST_TRY = 4 };

/* Arguments of an attempt to solve the problem. */
typedef struct attempt {
  scree_world *world;
  const sc_solver *solver;
  scree_solver_def par;
  double start; /* kinetic energy of the free velocities, summed over all ranks [J] */
} attempt;

/* Returns the kinetic energy of the problem's bodies, summed over all ranks [J]. */
static double kinetic_of_all(const scree_world *world) {
  double sum = sc_problem_kinetic(&world->problem, world->pool);
  sc_ranks_sum(world->ranks, &sum, 1);
  return sum;
}

static void apply_impulses(scree_world *world) {
  sc_problem_apply_all(&world->problem, world->pool);
  sc_exchange_meet(world->problem.exchange, world->problem.body);
}

static scree_status try_to_solve(attempt *a, sc_solver_report *report, scree_error *error) {
  scree_world *world = a->world;
  apply_impulses(world);
  return a->solver->solve(&world->problem, &a->par, world->pool, &world->arena, report, error);
}

/* Returns true if the impulses have added more kinetic energy than exact impulses could add. */
static bool brings_energy(const attempt *a) {
  scree_world *world = a->world;
  const double tolerance = ROUNDING_SHARE * a->start, brought = kinetic_of_all(world) - a->start;
  if (brought <= tolerance) return false;
  double bound = sc_problem_gain_bound(&world->problem, a->par.tolerance, &world->arena);
  sc_ranks_sum(world->ranks, &bound, 1);
  return !(brought <= tolerance + bound);
}

/* Subtracts the effect of the present impulses from the velocities of the problem's bodies. */
static void subtract_impulses(scree_world *world) {
  sc_problem_scale_impulses(&world->problem, -1);
  apply_impulses(world);
  sc_problem_scale_impulses(&world->problem, -1);
}

/* Resets the bodies to their free velocities. Multiplies the impulses by the factor for which they add the
 * least energy. */
static scree_status begin_with_share(const attempt *a, scree_error *error) {
  scree_world *world = a->world;
  sc_problem *problem = &world->problem;
  const size_t size = (size_t)problem->bodies * sizeof *problem->body;
  const sc_arena_mark mark = sc_arena_here(&world->arena);
  sc_solver_body *solved = SC_TAKE(&world->arena, sc_solver_body, problem->bodies), *free = problem->body;
  if (!solved) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", problem->bodies);
  memcpy(solved, free, size);
  subtract_impulses(world);
  problem->body = solved;
  const sc_gain gain = sc_problem_gain(problem, free);
  problem->body = free;
  double sum[2] = {gain.linear, gain.square};
  sc_ranks_sum(world->ranks, sum, 2);
  sc_problem_scale_impulses(problem, sc_gain_best_share(&(sc_gain){sum[0], sum[1]}));
  sc_arena_back(&world->arena, mark);
  return SCREE_OK;
}

/* Solves the problem again if the residual is above the tolerance and the solution adds energy. The second
 * attempt starts from the impulses scaled by begin_with_share, because sweeps from there add no energy. The
 * third attempt starts from impulses of 0 and makes more sweeps. A typical cause of added energy is a load
 * that has dropped: too few sweeps then reduce the impulses of the last step. */
static scree_status solve_without_gain(attempt *a, sc_solver_report *report, scree_error *error) {
  scree_world *world = a->world;
  double residual = report->residual;
  world->ranks->most(world->ranks->context, &residual, 1);
  if (world->cell.is_driven || residual <= a->par.tolerance || !brings_energy(a)) return SCREE_OK;
  world->effort.again++;
  const int64_t before = report->iterations;
  scree_status status = begin_with_share(a, error);
  if (status == SCREE_OK) status = try_to_solve(a, report, error);
  if (status == SCREE_OK && brings_energy(a)) {
    subtract_impulses(world);
    sc_problem_scale_impulses(&world->problem, 0);
    a->solver = &sc_solver_nbgs;
    a->par.iterations *= LAST_TRY, a->par.acceleration = 0, a->par.relaxation = 1;
    status = try_to_solve(a, report, error);
    world->effort.gaining += status == SCREE_OK && brings_energy(a);
  }
  report->iterations += before;
  return status;
}

/* ---- the whole solution ---- */

scree_status sc_world_solve(scree_world *world, sc_solver_report *report, scree_error *error) {
  set_scales(world);
  sc_problem kept;
  scree_status status = sc_world_keep_problem(world, &kept, error);
  if (status == SCREE_OK) status = alloc_backoff(world, error);
  if (status != SCREE_OK) return status;
  attempt a = {world, sc_world_solver(world), sc_world_solver_options(world), kinetic_of_all(world)};
  world->figures.free_finite = isfinite(a.start);
  status = try_to_solve(&a, report, error);
  if (status == SCREE_OK) status = solve_without_gain(&a, report, error);
  sc_world_drive_end(world);
  status = sc_world_dump_kept(world, &kept, status, report->residual - a.par.tolerance, error);
  if (status != SCREE_OK) return user_law_error(world, status, error);
  world->figures.iterations = report->iterations;
  world->figures.residual = report->residual;
  world->figures.bundle_fill = report->fill;
  sc_effort_add(&world->effort, &report->ways);
  if (report->iterations > 0 && a.par.tolerance > 0) {
    world->effort.solves++;
    world->effort.capped += report->residual > a.par.tolerance;
  }
  world->problem_valid = 1;
  return SCREE_OK;
}
