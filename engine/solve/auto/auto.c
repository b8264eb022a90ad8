/* The solver `auto`: sweeps most islands. Islands whose sweeps stall escalate: the second-order solver
 * solves them, if this costs at most a bounded number of sweeps.
 *
 *   1. If the residual of every contact is small (plan.c), islands at rest keep the impulses of the last
 *      step. The second-order solver refines the impulses of the other islands. If all islands then reach
 *      the tolerance, the step is solved.
 *   2. Otherwise, islands at rest or nearly at rest are treated in this way if a sweep over them costs at
 *      least a quarter of a sweep over the problem. The other islands become a problem of their own.
 *   3. That problem, or the whole problem, gets some sweeps (nbgs).
 *   4. Islands above the tolerance escalate if the estimated cost is below that of the remaining sweeps
 *      (escalation.c, cost.c). The remaining sweeps follow. They have momentum only if all contacts are of
 *      balls, or if every island above the tolerance moves. In other problems impulses are not unique, and
 *      momentum would change them in every step. Islands that are still above the tolerance then escalate if
 *      the cost model allows it.
 *   5. If an escalation cost more than it gained, the island is only swept for some steps (backoff.c).
 * Problems with a user's law, on several ranks, with bonds, or with many contacts of balls and joint rows
 * are only swept. A tolerance of 0 means exactly par->iterations sweeps. */
#include <math.h>
#include "problem/contacts/contacts.h"
#include "problem/contacts/store.h"
#include "solve/auto/auto.h"

/* Sweeps before the search for islands. With 5 and 20 the number of sweeps for a bed of balls changes by -3
 * and 7 %. */
enum { FIRST_SWEEPS = 10 };
/* Maximum number of ball contacts plus joint rows of a problem that is searched for islands. A search costs
 * as much as some sweeps of a large bed. Assembly puts the contacts of larger problems into bundles at
 * once. */
enum { MOST_CONTACTS = 20000 };

typedef struct solve_state {
  const sc_problem *problem;
  const scree_solver_def *par;
  sc_pool *pool;
  sc_arena *arena;
  sc_solver_report *report;
  scree_error *error;
  sc_auto_step step;
  bool leaves_still; /* an island whose bodies are slower than |g| dt stayed above the tolerance */
} solve_state;

/* ---- escalation ---- */

static scree_status solve_island(solve_state *s, sc_islands *islands, int32_t index, bool refines) {
  sc_island_problem cut;
  sc_solver_report found = {0};
  scree_solver_def par = *s->par;
  sc_island *island = islands->island + index;
  sc_arena_mark mark = sc_arena_here(s->arena);
  const sc_escalation_aim aim = sc_escalation_aim_of(island, &s->step, refines);
  par.iterations = aim.rounds, par.tolerance = aim.tolerance;
  if (!sc_islands_cut(s->problem, islands, index, s->arena, &cut))
    return sc_fail(s->error, SCREE_E_MEMORY, "no memory for an island");
  scree_status status = sc_newton_take(&cut.problem, &par, aim.way, s->arena, &found, s->error);
  if (status == SCREE_OK) {
    if (sc_escalation_backs_off(island, &s->step)) {
      const bool pays = sc_cost_pays(island, &s->step, found.iterations);
      sc_islands_wait(&cut, sc_backoff_after(island->wait, pays, sc_cost_is_large(island, &s->step)));
    }
    sc_islands_put(s->problem, &cut);
    island->residual = found.residual;
    s->report->ways.escalated++;
    s->report->iterations += found.iterations;
  }
  sc_arena_back(s->arena, mark);
  return status;
}

static void forget_left(sc_solver_report *report) {
  report->ways.unfit = report->ways.dear = report->ways.moving = 0;
}

/* Counts an island that stays above the tolerance in the report. choice: the reason why it did not
 * escalate. */
static void note_left(solve_state *s, const sc_island *island, sc_escalation choice) {
  sc_solver_ways *ways = &s->report->ways;
  s->leaves_still |= !sc_escalation_is_moving(island, &s->step);
  ways->unfit += choice == SC_ESCALATION_UNFIT;
  ways->moving += choice == SC_ESCALATION_WAITS;
  ways->dear += choice == SC_ESCALATION_EXPENSIVE;
}

/* Calls the second-order solver for islands for which it costs at most `budget` sweeps. refines: true: these
 * are the islands that are not at rest; false: the islands above the tolerance. *left: set to true if an
 * island stays above the tolerance. */
static scree_status escalate_islands(solve_state *s, double budget, bool refines, bool *left) {
  sc_islands islands;
  sc_arena_mark mark = sc_arena_here(s->arena);
  *left = s->leaves_still = false;
  s->report->residual = 0;
  forget_left(s->report);
  if (!sc_islands_find(s->problem, s->arena, &islands))
    return sc_fail(s->error, SCREE_E_MEMORY, "no memory for islands");
  scree_status status = SCREE_OK;
  for (int32_t i = 0; i < islands.count && status == SCREE_OK; i++) {
    const sc_island *island = islands.island + i;
    const sc_escalation choice = sc_escalation_of(island, &s->step, budget);
    const bool met = refines ? sc_plan_of(island, &s->step) != SC_PLAN_ANSWER
                             : island->residual <= s->step.tolerance;
    if (!met && choice == SC_ESCALATE) status = solve_island(s, &islands, i, refines);
    if (!(island->residual <= s->step.tolerance)) *left = true, note_left(s, island, choice);
    s->report->residual = fmax(s->report->residual, island->residual);
  }
  sc_arena_back(s->arena, mark);
  return status;
}

/* ---- sweeps ---- */

/* Sweeps the problem at most `sweeps` times. Sweeps have momentum (extrapolation of impulses) if `momentum`,
 * if the user chose it, or if contacts have springs. */
static scree_status sweep_problem(const solve_state *s, int64_t sweeps, bool momentum) {
  sc_solver_report swept = {0};
  scree_solver_def par = *s->par;
  par.acceleration |= momentum || s->problem->springs;
  par.iterations = sweeps;
  if (par.min_iterations > sweeps) par.min_iterations = sweeps;
  scree_status status = sc_solver_nbgs.solve(s->problem, &par, s->pool, s->arena, &swept, s->error);
  s->report->iterations += swept.iterations;
  s->report->residual = swept.residual;
  s->report->fill = swept.fill;
  s->report->sweeps = swept.sweeps;
  s->report->ways.swept = 1;
  s->report->ways.accelerated |= par.acceleration;
  forget_left(s->report);
  return status;
}

/* Sweeps with momentum. If the residual grew, sweeps again without momentum, unless the user chose momentum.
 * Momentum may not converge if a body has many contacts whose friction is not along the slip. */
static scree_status sweep_with_momentum(const solve_state *s, int64_t sweeps) {
  const double before = s->report->residual;
  const scree_status status = sweep_problem(s, sweeps, true);
  if (status != SCREE_OK || s->par->acceleration || s->report->residual <= before) return status;
  return sweep_problem(s, sweeps, false);
}

/* Returns true if the solver may search the problem for islands that the second-order solver can solve. */
static bool may_escalate(const sc_problem *problem, const scree_solver_def *par) {
  return par->tolerance > 0 && !sc_problem_exchange(problem)->shared && !problem->bonds &&
      problem->balls + problem->joint_rows <= MOST_CONTACTS && !sc_problem_has_user_law(problem);
}

/* Sweeps without escalation. A problem above the tolerance counts as one island above the tolerance. */
static scree_status sweep_only(const solve_state *s) {
  const scree_status status = sweep_problem(s, s->par->iterations, false);
  if (status != SCREE_OK || !(s->par->tolerance > 0) || s->report->residual <= s->par->tolerance)
    return status;
  s->report->ways.unfit = sc_problem_has_user_law(s->problem) || sc_problem_exchange(s->problem)->shared;
  s->report->ways.dear = !s->report->ways.unfit;
  return SCREE_OK;
}

/* Sweeps, then escalates the islands that sweeps leave above the tolerance. */
static scree_status sweep_and_escalate(solve_state *s) {
  const int64_t all = s->par->iterations, first = all < FIRST_SWEEPS ? all : FIRST_SWEEPS, more = all - first;
  const double tolerance = s->par->tolerance;
  bool left = true;
  scree_status status = sweep_problem(s, first, false);
  if (status != SCREE_OK || s->report->residual <= tolerance) return status;
  if (more > 0) status = escalate_islands(s, (double)more, false, &left);
  const bool pushed = !s->leaves_still || (!s->problem->generals && !s->problem->joint_rows);
  if (status == SCREE_OK && more > 0 && left)
    status = pushed ? sweep_with_momentum(s, more) : sweep_problem(s, more, false);
  if (status == SCREE_OK && left && !(s->report->residual <= tolerance))
    status = escalate_islands(s, SC_COST_LIMIT * s->step.sweeps, false, &left);
  return status;
}

/* ---- islands at rest in a problem with other islands ---- */

/* Treats each island by its plan (sc_plan): keeps its impulses or refines them. *residual: set to the largest
 * residual of these islands. swept[i]: set to true if island i must be swept. Returns false, and changes no
 * impulse, if the islands at rest are too small a share of the problem (sc_plan_splits). */
static bool settle_islands(
    solve_state *s, sc_islands *islands, bool *swept, double *residual, scree_status *status) {
  double still = 0, all = 0;
  *status = SCREE_OK;
  for (int32_t i = 0; i < islands->count; i++) {
    const double cost = sc_cost_sweep(islands->island + i);
    swept[i] = sc_plan_of(islands->island + i, &s->step) == SC_PLAN_SWEEP;
    still += swept[i] ? 0 : cost;
    all += cost;
  }
  if (!sc_plan_splits(still, all)) return false;
  for (int32_t i = 0; i < islands->count && *status == SCREE_OK; i++) {
    const sc_island *island = islands->island + i;
    if (swept[i]) continue;
    if (sc_plan_of(island, &s->step) == SC_PLAN_ANSWER) *status = solve_island(s, islands, i, true);
    swept[i] = !(island->residual <= s->step.tolerance);
    if (!swept[i]) *residual = fmax(*residual, island->residual);
  }
  return true;
}

/* Sweeps the islands that are not at rest as a separate problem. *done: false if too few islands are at
 * rest. */
static scree_status solve_apart(solve_state *s, bool *done) {
  sc_islands islands;
  sc_island_problem cut;
  sc_arena_mark mark = sc_arena_here(s->arena);
  scree_status status = SCREE_OK;
  bool *swept = SC_TAKE(s->arena, bool, s->problem->bodies);
  if (!swept || !sc_islands_find(s->problem, s->arena, &islands))
    return sc_fail(s->error, SCREE_E_MEMORY, "no memory for islands");
  double residual = 0;
  *done = settle_islands(s, &islands, swept, &residual, &status);
  if (*done && status == SCREE_OK) {
    sc_islands_join(s->problem, &islands, swept);
    if (!sc_islands_cut(s->problem, &islands, 0, s->arena, &cut))
      return sc_fail(s->error, SCREE_E_MEMORY, "no memory for an island");
    solve_state rest = *s;
    rest.problem = &cut.problem;
    status = sweep_and_escalate(&rest);
    sc_islands_put(s->problem, &cut);
    s->report->residual = fmax(s->report->residual, residual);
    s->report->sweeps = NULL; // the sweep data belong to the problem without the islands at rest
  }
  sc_arena_back(s->arena, mark);
  return status;
}

static scree_status solve_auto(const sc_problem *problem, const scree_solver_def *par, sc_pool *pool,
    sc_arena *arena, sc_solver_report *report, scree_error *error) {
  const sc_auto_step step = {(double)par->iterations, par->tolerance, problem->gravity * problem->dt};
  solve_state s = {problem, par, pool, arena, report, error, step, false};
  *report = (sc_solver_report){0};
  if (problem->matrix) return sc_auto_matrix(problem, par, arena, report, error);
  for (int32_t b = 0; b + 1 < problem->bodies && problem->wait; b++)
    problem->wait[b] = sc_backoff_step(problem->wait[b]);
  report->residual = INFINITY;
  if (!may_escalate(problem, par)) return sweep_only(&s);
  if (par->min_iterations > 1) return sweep_and_escalate(&s);
  const double close = sc_plan_close(&step);
  bool left = true, done = false;
  scree_status status = SCREE_OK;
  report->residual = sc_plan_residual(problem, close);
  if (report->residual <= close) {
    status = escalate_islands(&s, SC_COST_LIMIT * step.sweeps, true, &left);
    report->ways.untouched = !left && !report->ways.escalated;
    if (status != SCREE_OK || !left) return status;
  }
  if (sc_plan_samples_rest(problem, par->tolerance)) status = solve_apart(&s, &done);
  return done || status != SCREE_OK ? status : sweep_and_escalate(&s);
}

const sc_solver sc_solver_auto = {.name = "auto",
    .doc = "sweeps, and the second-order solver for islands where they stall and it is cheap enough",
    .solve = solve_auto,
    .couples = true,
    .bonds = true,
    .spreads = true,
    .rests = true,
    .waits = true,
    .corrections = 40,
    .sweeps = true};
