/* The solver `auto`: sweeps where they reach the tolerance, the second-order solver where an island's
 * sweeps stall and its factors cost no more than a bounded number of sweeps.
 *
 *   1. A problem whose impulses meet the tolerance as they are is left untouched. Islands (contacts and
 *      joints whose bodies hang together) that nearly do, like structures at rest, go to the
 *      second-order solver at once where two of its rounds cost no more than a few times all sweeps: it
 *      takes one or two from there.
 *   2. Sweeps (nbgs): all that are allowed, or, where the second-order solver may be cheap, a few first.
 *   3. Islands above the tolerance whose factors are cheaper than the sweeps that are left go to the
 *      second-order solver; then the sweeps that are left follow; then islands that still are above the
 *      tolerance go to it if they cost no more than so many times all sweeps.
 * Costs are counted in multiplications, from numbers of bodies and rows alone, so that the same scene
 * always takes the same way. Laws that the second-order solver does not take (newton/build.h), and
 * problems spread over ranks or of more contacts than MOST_CONTACTS, stay with sweeps. A tolerance of 0
 * means exactly the sweeps asked for. */
#include <math.h>
#include <string.h>
#include "solve/solver.h"
#include "solve/auto/islands.h"
#include "solve/sweeps/lanes.h"

enum {
  FIRST_SWEEPS = 10,
  ROUNDS = 60,
  USUAL_ROUNDS = 8,
  WARM_ROUNDS = 2,
  MOST_BODIES = 4000,
  MOST_CONTACTS = 20000
};
/* Multiplications of a sweep per contact or row, of a factorisation per row besides its elimination; the
 * part of an elimination's that vectors leave. Measured on towers, walls and beds. */
static const double BALL_SWEEP = 50, GENERAL_SWEEP = 350, JOINT_SWEEP = 200, ROW_ROUND = 2000, VECTORS = 0.5;
/* times the cost of all sweeps that an answer may cost: from nearby, and where sweeps have stalled */
static const double WORTH = 4, DEAR = 20;
static const double CLOSE = 0.01; /* of what weight gives in a step: nearly at rest */

/* ---- costs ---- */

static double sweep_cost(int32_t balls, int32_t generals, int32_t joint_rows) {
  return BALL_SWEEP * balls + GENERAL_SWEEP * generals + JOINT_SWEEP * joint_rows;
}

/* What the second-order solver usually takes for so many bodies in a heap, whose separators grow as the
 * power 2/3; flat and long structures take less. */
static double round_cost(int32_t bodies, int32_t rows) {
  double n = 6 * (double)bodies;
  return VECTORS * 30 * n * n + ROW_ROUND * rows;
}

/* ---- at rest ---- */

/* The worst residual of all contacts and rows; the first above `most` ends the search, with INFINITY. */
static double worst(const sc_problem *problem, double most) {
  int32_t all = problem->balls + problem->generals + problem->joint_rows;
  double largest = 0;
  for (int32_t c = 0; c < all; c++) {
    double residual = sc_problem_residual_of(problem, c);
    if (!(residual <= most)) return INFINITY;
    largest = fmax(largest, residual);
  }
  return largest;
}

/* ---- escalation ---- */

typedef struct escalation {
  const sc_problem *problem;
  const scree_solver_def *par;
  sc_arena *arena;
  sc_solver_report *report;
  scree_error *error;
  double residual; /* the worst of all islands */
} escalation;

static scree_status solve_island(escalation *e, sc_islands *islands, int32_t index) {
  sc_island_problem cut;
  sc_solver_report found = {0};
  scree_solver_def par = *e->par;
  sc_arena_mark mark = sc_arena_here(e->arena);
  par.iterations = ROUNDS;
  if (!sc_islands_cut(e->problem, islands, index, e->arena, &cut))
    return sc_fail(e->error, SCREE_E_MEMORY, "no memory for an island");
  scree_status status = sc_solver_find("newton")->solve(&cut.problem, &par, NULL, e->arena, &found, e->error);
  if (status == SCREE_OK) {
    sc_islands_put(e->problem, &cut);
    islands->island[index].residual = found.residual;
    e->report->escalated++;
    e->report->iterations += found.iterations;
  }
  sc_arena_back(e->arena, mark);
  return status;
}

/* Islands above the tolerance of which so many rounds cost no more than so many sweeps go to the
 * second-order solver. *left: whether any stays above the tolerance. */
static scree_status escalate(escalation *e, int rounds, double sweeps, bool *left) {
  sc_islands islands;
  sc_arena_mark mark = sc_arena_here(e->arena);
  *left = false;
  e->residual = 0;
  if (!sc_islands_find(e->problem, e->arena, &islands))
    return sc_fail(e->error, SCREE_E_MEMORY, "no memory for islands");
  scree_status status = SCREE_OK;
  for (int32_t i = 0; i < islands.count && status == SCREE_OK; i++) {
    const sc_island *island = islands.island + i;
    bool cheap = !island->unfit && island->bodies <= MOST_BODIES &&
        rounds * round_cost(island->bodies, island->rows) <=
            sweeps * sweep_cost(island->balls, island->generals, island->joint_rows);
    if (!(island->residual <= e->par->tolerance) && cheap) status = solve_island(e, &islands, i);
    *left |= !(island->residual <= e->par->tolerance);
    e->residual = fmax(e->residual, island->residual);
  }
  sc_arena_back(e->arena, mark);
  return status;
}

/* ---- the whole ---- */

/* Whether islands are looked at: those of larger problems are few and dear. */
static bool may_escalate(const sc_problem *problem, const scree_solver_def *par) {
  for (int32_t law = 0; law < problem->laws; law++)
    if (problem->law[law]->user) return false;
  return par->tolerance > 0 && !sc_problem_exchange(problem)->shared && !problem->matrix &&
      problem->balls + problem->generals + problem->joint_rows <= MOST_CONTACTS;
}

static scree_status sweep(const escalation *e, int64_t sweeps, sc_pool *pool) {
  sc_solver_report swept = {0};
  scree_solver_def par = *e->par;
  par.iterations = sweeps;
  if (par.min_iterations > sweeps) par.min_iterations = sweeps;
  scree_status status = sc_solver_find("nbgs")->solve(e->problem, &par, pool, e->arena, &swept, e->error);
  e->report->iterations += swept.iterations;
  e->report->residual = swept.residual;
  e->report->fill = swept.fill;
  e->report->sweeps = swept.sweeps;
  return status;
}

/* A bare matrix is one island: a few sweeps, then the second-order solver, if it takes the laws. */
static scree_status solve_matrix(escalation *e, sc_pool *pool) {
  const sc_problem *problem = e->problem;
  sc_solver_report found = {0};
  int64_t first = e->par->tolerance > 0 && e->par->iterations > FIRST_SWEEPS ? FIRST_SWEEPS
                                                                             : e->par->iterations;
  bool fits = e->par->tolerance > 0;
  for (int32_t c = 0; c < problem->generals; c++) fits &= !sc_islands_unfit(problem, c);
  scree_status status = sweep(e, fits ? first : e->par->iterations, pool);
  e->report->residual = sc_problem_residual(problem);
  if (status != SCREE_OK || !fits || e->report->residual <= e->par->tolerance) return status;
  status = sc_solver_find("newton")->solve(problem, e->par, NULL, e->arena, &found, e->error);
  e->report->iterations += found.iterations;
  e->report->residual = found.residual;
  e->report->escalated = 1;
  return status;
}

static scree_status solve(const sc_problem *problem, const scree_solver_def *par, sc_pool *pool,
    sc_arena *arena, sc_solver_report *report, scree_error *error) {
  escalation e = {problem, par, arena, report, error, 0};
  bool escalates = may_escalate(problem, par), left = true;
  scree_status status = SCREE_OK;
  double sweeps = (double)par->iterations;
  *report = (sc_solver_report){0};
  if (problem->matrix) return solve_matrix(&e, pool);
  double close = fmax(par->tolerance, CLOSE * problem->gravity * problem->dt),
         start = escalates && par->min_iterations <= 1 ? worst(problem, close) : INFINITY;
  report->residual = start;
  if (start <= par->tolerance) return SCREE_OK;
  if (start <= close) status = escalate(&e, WARM_ROUNDS, WORTH * sweeps, &left);
  report->residual = e.residual;
  if (status != SCREE_OK || !left) return status;
  int64_t first = escalates && par->iterations > FIRST_SWEEPS ? FIRST_SWEEPS : par->iterations;
  status = sweep(&e, first, pool);
  if (status != SCREE_OK || !escalates || report->residual <= par->tolerance) return status;
  int64_t more = par->iterations - first;
  if (more > 0) status = escalate(&e, USUAL_ROUNDS, (double)more, &left);
  if (status == SCREE_OK && more > 0 && left) status = sweep(&e, more, pool);
  if (status == SCREE_OK && (left || more == 0) && !(report->residual <= par->tolerance))
    status = escalate(&e, USUAL_ROUNDS, DEAR * sweeps, &left);
  if (report->escalated) report->residual = e.residual;
  return status;
}

const sc_solver sc_solver_auto = {.name = "auto",
    .doc = "sweeps, and the second-order solver for islands where they stall and it is cheap enough",
    .solve = solve,
    .couples = true,
    .spreads = true,
    .corrections = 40,
    .store = sc_lanes_store};
