/* The solver `newton`: solves a whole problem by the second-order method (newton.c). */
#include <math.h>
#include <string.h>
#include "math/vec.h"
#include "solve/newton/build.h"
#include "solve/newton/newton.h"
#include "solve/solver.h"
#include "problem/residual/residual.h"

enum { SWEEPS = 50 };                             /* number of sweeps in each call of sc_newton_aim.sweep */
static const size_t MOST_BYTES = (size_t)2 << 30; /* maximum size of the factors */

typedef struct whole {
  const sc_problem *problem;
  const sc_newton_build *build;
  double *x; /* [operator.rows] present impulses */
  const scree_solver_def *par;
  sc_arena *arena;
} whole;

static double judge_residual(void *context, const double *X) {
  const whole *w = context;
  sc_newton_write(w->build, X, w->x);
  sc_operator_store(w->build->operator, w->x, w->problem);
  return sc_problem_residual(w->problem);
}

/* Copies the problem's impulses to w->x. */
static void read_newton_impulses(const whole *w) {
  const sc_operator *op = w->build->operator;
  const sc_problem *problem = w->problem;
  for (int32_t c = 0; c < op->blocks; c++) {
    int32_t general = c - problem->balls, joint = general - problem->generals;
    double *x = w->x + op->block[c].row;
    for (int k = 0; k < op->block[c].dim; k++)
      x[k] = general < 0 ? sc_dot(problem->ball[c].p, op->row[op->block[c].row + k].lin1)
          : joint < 0    ? problem->x[problem->general[general].x + k]
                         : problem->joint_row[joint].x;
  }
}

/* Sweeps the problem from X. Sweeps decide better which contacts with small impulses or gaps are closed,
 * because they solve each contact separately. */
static void sweep_impulses(void *context, double *X) {
  const whole *w = context;
  scree_solver_def par = *w->par;
  sc_solver_report report = {0};
  sc_arena_mark mark = sc_arena_here(w->arena);
  judge_residual(context, X);
  par.iterations = SWEEPS;
  par.relaxation = 1;
  par.order = SCREE_ORDER_KEY;
  sc_solver_pgs.solve(w->problem, &par, NULL, w->arena, &report, NULL);
  read_newton_impulses(w);
  sc_newton_read(w->build, w->x, X);
  sc_arena_back(w->arena, mark);
}

static scree_status check_newton_laws(const sc_operator *op, scree_error *error) {
  for (int32_t c = 0; c < op->blocks; c++) {
    const sc_operator_block *block = op->block + c;
    const char *why = block->law ? sc_newton_misfit(block->law, block->par) : NULL;
    if (why)
      return sc_fail(
          error, SCREE_E_ARGUMENT, "newton cannot take law %s: it %s; nbgs can", block->law->name, why);
  }
  return SCREE_OK;
}

scree_status sc_newton_take(const sc_problem *problem, const scree_solver_def *par, sc_newton_way way,
    sc_arena *arena, sc_solver_report *report, scree_error *error) {
  sc_operator op;
  sc_newton_build build;
  sc_newton_report found = {0};
  report->residual = sc_problem_residual(problem);
  if (report->residual <= par->tolerance) return SCREE_OK;
  scree_status status = sc_operator_build(problem, arena, &op, error);
  if (status == SCREE_OK) status = check_newton_laws(&op, error);
  if (status != SCREE_OK) return status;
  int32_t *all = SC_TAKE(arena, int32_t, op.blocks + 1);
  whole w = {problem, &build, SC_TAKE(arena, double, op.rows + 1), par, arena};
  if (!all || !w.x) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", op.blocks);
  for (int32_t c = 0; c < op.blocks; c++) all[c] = c;
  if (!sc_newton_build_from(&op, op.blocks, all, arena, &build) ||
      !sc_newton_system_begin(&build.system, MOST_BYTES, arena))
    return sc_fail(error, SCREE_E_MEMORY,
        "newton: the factors of %d contacts take more than %zu MiB; nbgs needs none", op.blocks,
        MOST_BYTES >> 20);
  double *X = SC_TAKE(arena, double, build.system.rows + 1);
  if (!X) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", op.blocks);
  sc_newton_read(&build, op.x, X);
  const sc_newton_aim aim = {par->tolerance, problem->matrix ? 0 : 0.1 * par->tolerance, par->iterations,
      way.patience, way.polish, way.anew, judge_residual, sweep_impulses, &w};
  if (!sc_newton_solve(&build.system, &aim, arena, X, &found))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", op.blocks);
  report->residual = judge_residual(&w, X);
  report->iterations = found.rounds;
  return SCREE_OK;
}

static scree_status solve_newton(const sc_problem *problem, const scree_solver_def *par, sc_pool *pool,
    sc_arena *arena, sc_solver_report *report, scree_error *error) {
  (void)pool;
  return sc_newton_take(
      problem, par, (sc_newton_way){SC_NEWTON_PATIENCE, false, false}, arena, report, error);
}

const sc_solver sc_solver_newton = {.name = "newton",
    .doc = "second order: an interior point method and Newton's on the natural map, in body space",
    .solve = solve_newton,
    .misfit = sc_newton_misfit};

/* Former name of `newton`, for old experiments. */
const sc_solver sc_solver_ipm = {
    .name = "ipm", .doc = "the former name of newton", .solve = solve_newton, .misfit = sc_newton_misfit};
