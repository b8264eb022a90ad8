/* Writes the contact problem of the next step to a file. Solves problems from files. */
#include "scree/problem.h"
#include "io/fclib/fclib.h"
#include "io/trajectory/problem_dump.h"
#include "world/world.h"
#include "world/steps.h"
#include "problem/contacts/apply.h"
#include "problem/residual/residual.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 12 };

const char *scree_solver_name(int index) {
  const sc_solver *solver = sc_solver_at(index);
  return solver ? solver->name : NULL;
}

/* Assembles the problem of the next step in the world's arena, in the form that `solver` needs. solver NULL:
 * in a form for any solver. */
static scree_status coming_problem(scree_world *world, const sc_solver *solver, scree_error *error) {
  double dt = sc_world_dt(world);
  if (sc_ranks_check_whole(world->ranks, "the contact problem is written",
          "go on from a checkpoint alone, with scree dump", error) != SCREE_OK)
    return SCREE_E_ARGUMENT;
  if (world->cell.moves)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "the contact problem of a cell that is deformed is not written: files have no velocities of images");
  if (world->def.stepper == SCREE_STEPPER_PENALTY)
    return sc_fail(error, SCREE_E_ARGUMENT, "the penalty stepper has no contact problem");
  world->problem_valid = 0;
  sc_arena_reset(&world->arena);
  scree_status status = sc_world_contacts(world, dt, error);
  if (status == SCREE_OK)
    status = sc_world_assemble(world, solver, dt, world->def.erp, world->def.drift_time, true, NULL, error);
  world->problem_valid = 0;
  world->version++;
  return status;
}

scree_status scree_world_dump_problem(scree_world *world, const char *path, scree_error *error) {
  SC_DEMAND(world && path, error, SCREE_E_ARGUMENT);
  scree_status status = coming_problem(world, NULL, error);
  if (status != SCREE_OK) return status;
  const char *end = strrchr(path, '.');
  if (!end || (strcmp(end, ".hdf5") && strcmp(end, ".h5")))
    return sc_problem_save(&world->problem, path, error);
  sc_problem_apply_all(&world->problem, NULL);
  return sc_fclib_save(&world->problem, path, error);
}

static void forget_impulses(sc_problem *problem) {
  for (int32_t c = 0; c < problem->balls; c++) memset(problem->ball[c].p, 0, sizeof problem->ball[c].p);
  for (int32_t c = 0; c < problem->balls && problem->couple; c++)
    memset(problem->couple[c].m, 0, sizeof problem->couple[c].m);
  for (int32_t c = 0; c < problem->generals; c++)
    memset(problem->x + problem->general[c].x, 0, (size_t)problem->general[c].dim * sizeof *problem->x);
  for (int32_t r = 0; r < problem->joint_rows; r++) {
    sc_joint_row *row = problem->joint_row + r;
    row->x = row->lo > 0 ? row->lo : row->hi < 0 ? row->hi : 0;
  }
}

static scree_status solve_timed(sc_problem *problem, const sc_solver *solver, const scree_solver_def *def,
    sc_pool *pool, int cold, sc_arena *arena, scree_problem_result *result, scree_error *error) {
  scree_solver_def par = *def;
  sc_solver_report report = {0};
  if (cold) forget_impulses(problem);
  result->bodies = problem->bodies - 1;
  result->contacts = problem->balls + problem->generals;
  result->joint_rows = problem->joint_rows;
  result->scale = sc_problem_velocity_scale(problem, sc_problem_closing(problem, pool));
  par.tolerance *= result->scale;
  sc_problem_apply_all(problem, NULL);
  result->start_residual = sc_problem_residual(problem);
  double start = sc_clock_wall();
  scree_status status = solver->solve(problem, &par, pool, arena, &report, error);
  result->seconds = sc_clock_wall() - start;
  result->iterations = report.iterations;
  result->residual = sc_problem_residual(problem);
  result->error = result->scale > 0 ? result->residual / result->scale : result->residual;
  return status;
}

static const sc_solver *find_solver(
    const scree_solver_def *def, scree_problem_result *result, scree_error *error) {
  const sc_solver *solver = sc_solver_find(def->name ? def->name : "auto");
  memset(result, 0, sizeof *result);
  if (!solver) sc_fail(error, SCREE_E_ARGUMENT, "unknown solver \"%s\"", def->name);
  return solver;
}

/* Solves a problem from a file in FCLIB's format. The tolerance bounds the error as FCLIB measures it. A
 * solver that measures the error in another way may stop too early. It then continues from its last impulses
 * with a tenth of its tolerance. */
static scree_status solve_fclib(const char *path, const sc_solver *solver, const scree_solver_def *def,
    sc_pool *pool, sc_arena *arena, scree_problem_result *result, scree_error *error) {
  sc_fclib fclib;
  sc_problem problem;
  scree_solver_def par = *def;
  scree_status status = sc_fclib_load(path, arena, &fclib, error);
  if (status == SCREE_OK) status = sc_fclib_problem(&fclib, arena, &problem, error);
  if (status != SCREE_OK) return status;
  fclib.matrix.judge = sc_fclib_error;
  fclib.matrix.context = &fclib;
  result->contacts = fclib.contacts;
  result->scale = 1;
  result->start_residual = sc_problem_residual(&problem);
  double start = sc_clock_wall();
  for (int round = 0; round < ROUNDS && status == SCREE_OK; round++) {
    sc_solver_report report = {0};
    status = solver->solve(&problem, &par, pool, arena, &report, error);
    result->iterations += report.iterations;
    result->residual = sc_problem_residual(&problem);
    par.iterations = def->iterations - result->iterations;
    if (result->residual <= def->tolerance || par.iterations < 1 || !(report.residual <= par.tolerance))
      break;
    par.tolerance *= 0.1;
  }
  result->seconds = sc_clock_wall() - start;
  result->error = result->residual;
  return status;
}

scree_status scree_problem_solve(const char *path, const scree_solver_def *def, int threads, int cold,
    scree_problem_result *result, scree_error *error) {
  SC_DEMAND(path && def && result, error, SCREE_E_ARGUMENT);
  sc_arena arena = {0};
  sc_problem problem;
  const sc_solver *solver = find_solver(def, result, error);
  if (!solver) return SCREE_E_ARGUMENT;
  sc_pool *pool = threads > 1 ? sc_pool_create(threads) : NULL;
  bool fclib = sc_fclib_is(path);
  scree_status status = fclib ? solve_fclib(path, solver, def, pool, &arena, result, error)
                              : sc_problem_load(&problem, path, &arena, error);
  if (fclib) {
    sc_pool_destroy(pool);
    sc_arena_free(&arena);
    return status;
  }
  if (status == SCREE_OK && problem.couple && !solver->couples)
    status = sc_fail(error, SCREE_E_ARGUMENT,
        "%s: its balls have torsional or rolling friction as nbgs takes it, not %s; a problem written by "
        "scree dump is for every solver",
        path, solver->name);
  if (status == SCREE_OK) status = solve_timed(&problem, solver, def, pool, cold, &arena, result, error);
  sc_pool_destroy(pool);
  sc_arena_free(&arena);
  return status;
}

scree_status scree_world_try_solver(scree_world *world, const scree_solver_def *def, int cold,
    scree_problem_result *result, scree_error *error) {
  SC_DEMAND(world && def && result, error, SCREE_E_ARGUMENT);
  const sc_solver *solver = find_solver(def, result, error);
  if (!solver) return SCREE_E_ARGUMENT;
  scree_status status = coming_problem(world, solver, error);
  return status == SCREE_OK
      ? solve_timed(&world->problem, solver, def, world->pool, cold, &world->arena, result, error)
      : status;
}
