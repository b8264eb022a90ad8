/* The solver `auto`: sweeps where they reach the tolerance, the second-order solver where an island's
 * sweeps stall and its factors cost no more than a bounded number of sweeps.
 *
 *   1. A problem whose impulses meet the tolerance as they are is left untouched. Islands (contacts and
 *      joints whose bodies hang together) that nearly do, like structures at rest, go to the
 *      second-order solver at once where two of its rounds cost no more than a few times all sweeps: it
 *      takes one or two from there.
 *   2. Where a quarter of the problem or more is in such islands, they are left, or solved, by
 *      themselves, and what follows is for the others alone.
 *   3. Sweeps (nbgs): all that are allowed, or, where the second-order solver may be cheap, a few first.
 *   4. Islands above the tolerance whose factors are cheaper than the sweeps that are left go to the
 *      second-order solver; then the sweeps that are left follow, with momentum where all contacts are of
 *      balls or all that is left moves (other impulses are not unique, and are pushed about by it); then
 *      islands that still are above the tolerance go to it if they cost no more than so many times all
 *      sweeps.
 *   5. An island in which a body is faster than what weight gives in a step, and whose answer cost more
 *      than PAYS times all sweeps, is left to sweeps for 1, 3, 7, ... steps: demolitions and flows change
 *      their contacts in every step, and no answer is near the last one. Each of its bodies remembers that
 *      (problem.wait), so that what it meets waits with it; an answer that pays halves the next wait. Large
 *      islands, which a bound on the cost of their factors would leave to sweeps and the usual cost would
 *      not, wait likewise where they are still.
 * Costs are counted in multiplications, from numbers of bodies and rows alone, so that the same scene
 * always takes the same way. Laws that the second-order solver does not take (newton/build.h), and
 * problems spread over ranks or of more contacts of balls and rows of joints than MOST_CONTACTS, stay with
 * sweeps: to look at them costs as much as some of their sweeps. A tolerance of 0
 * means exactly the sweeps asked for. */
#include <math.h>
#include <string.h>
#include "solve/solver.h"
#include "solve/auto/islands.h"
#include "solve/auto/matrix.h"
#include "solve/newton/newton.h"
#include "problem/contacts/store.h"
#include "problem/residual/residual.h"
#include "problem/contacts/contacts.h"

enum {
  FIRST_SWEEPS = 10,
  ROUNDS = 60, /* most factorisations of an answer */
  FEW_ROUNDS = 6,
  USUAL_ROUNDS = 8,
  WARM_ROUNDS = 2,
  SAMPLE = 16,
  PATIENCE = 15, /* factorisations without a gain after which an island that moves is given up */
  MOST_WAIT = 63,
  LARGE_ROUNDS = 24, /* the same of large islands, whose answers take about as many where there is one */
  LARGE_WAIT = 255,
  MOST_BODIES = 4000,
  MOST_CONTACTS = 20000
};
/* Multiplications of a sweep per contact or row, of a factorisation per row besides its elimination; the
 * part of an elimination's that vectors leave. Measured on towers, walls and beds. */
static const double BALL_SWEEP = 50, GENERAL_SWEEP = 350, JOINT_SWEEP = 200, ROW_ROUND = 2000, VECTORS = 0.5;
/* multiplications of an elimination over the square of its rows: a bound for heaps, and what walls of up to
 * 1600 bricks and heaps of 1500 boxes take at most */
static const double BOUND = 30, USUAL = 7.5;
/* times the cost of all sweeps that an answer may cost: from nearby, and where sweeps have stalled */
static const double WORTH = 4, DEAR = 20, PAYS = 2;
/* of the tolerance: changes of velocity that may come again and again, those that are none, and residuals
 * that are none */
static const double CALM = 1e-2, STILL = 1e-5, EXACT = 1e-6;
static const double GAIN =
    1e-3; /* of a residual that meets the tolerance: what impulses for rest are to reach */
static const double ROUNDING = 1e-14; /* of the velocities that impulses make */
static const double CLOSE = 0.01;     /* of what weight gives in a step: nearly at rest */

/* ---- costs ---- */

static double sweep_cost(int32_t balls, int32_t generals, int32_t joint_rows) {
  return BALL_SWEEP * balls + GENERAL_SWEEP * generals + JOINT_SWEEP * joint_rows;
}

/* What a round of the second-order solver takes for so many bodies in a heap, whose separators grow as the
 * power 2/3, so many times the square of its rows; flat and long structures take less. */
static double round_cost(const sc_island *island, double times) {
  double n = 6 * (double)island->bodies;
  return VECTORS * times * n * n + ROW_ROUND * island->rows;
}

static bool cheap(const sc_island *island, double times, int rounds, double sweeps) {
  return !island->unfit && island->bodies <= MOST_BODIES &&
      rounds * round_cost(island, times) <=
      sweeps * sweep_cost(island->balls, island->generals, island->joint_rows);
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

/* Whether impulses may stay as they are for a step: they meet the tolerance, and set nothing moving that
 * would leave it within a few steps. Changes of velocity matter because they come again in every step that
 * leaves impulses as they are. Where a body just came to a stop, slower than its change, the change is what
 * stopped it. */
static bool rests(const sc_island *island, double tolerance) {
  double rounding = ROUNDING * island->load;
  return island->residual <= fmax(EXACT * tolerance, fmin(rounding, tolerance)) ||
      (island->residual <= tolerance && island->change <= fmax(CALM * tolerance, rounding) &&
          island->start <= fmax(STILL * tolerance, rounding));
}

/* ---- escalation ---- */

typedef struct escalation {
  const sc_problem *problem;
  const scree_solver_def *par;
  sc_arena *arena;
  sc_solver_report *report;
  scree_error *error;
  bool still; /* islands above the tolerance were left that do not move */
} escalation;

/* Whether it is the usual cost alone that lets an island go to the second-order solver. */
static bool large(const escalation *e, const sc_island *island) {
  return !cheap(island, BOUND, USUAL_ROUNDS, DEAR * (double)e->par->iterations);
}

/* Multiplications of an elimination by which an island is judged, over the square of its rows. */
static double elimination(const escalation *e, const sc_island *island) {
  return large(e, island) ? USUAL : BOUND;
}

/* What so many rounds of an island cost over all of its sweeps. */
static double price(const escalation *e, const sc_island *island, int64_t rounds) {
  return (double)rounds * round_cost(island, elimination(e, island)) /
      ((double)e->par->iterations * sweep_cost(island->balls, island->generals, island->joint_rows));
}

static bool moving(const escalation *e, const sc_island *island) {
  return island->speed > e->problem->gravity * e->problem->dt;
}

/* An island that moves or is large and whose answer cost too much is left to sweeps, twice as long each
 * time. */
static void judge_price(
    const escalation *e, const sc_island *island, int64_t rounds, sc_island_problem *cut) {
  const bool heavy = large(e, island);
  const int last = island->wait.last, most = heavy ? LARGE_WAIT : MOST_WAIT,
            longer = 2 * last + 1 < most ? 2 * last + 1 : most;
  sc_wait paid = {0, (uint8_t)(last / 2)}, unpaid = {(uint8_t)longer, (uint8_t)longer};
  bool pays = price(e, island, rounds) <= PAYS;
  if ((moving(e, island) || heavy) && !(pays && !last)) sc_islands_wait(cut, pays ? paid : unpaid);
}

static bool waits(const escalation *e, const sc_island *island) {
  return island->wait.left && (moving(e, island) || large(e, island));
}

static scree_status solve_island(escalation *e, sc_islands *islands, int32_t index) {
  sc_island_problem cut;
  sc_solver_report found = {0};
  scree_solver_def par = *e->par;
  sc_arena_mark mark = sc_arena_here(e->arena);
  const bool nearly = islands->island[index].residual <= par.tolerance,
             heavy = large(e, islands->island + index), slow = !moving(e, islands->island + index);
  const sc_newton_way way = {slow && !heavy ? SC_NEWTON_PATIENCE : PATIENCE, slow};
  par.iterations = nearly ? FEW_ROUNDS : heavy ? LARGE_ROUNDS : ROUNDS;
  if (nearly) par.tolerance = GAIN * islands->island[index].residual;
  if (!sc_islands_cut(e->problem, islands, index, e->arena, &cut))
    return sc_fail(e->error, SCREE_E_MEMORY, "no memory for an island");
  scree_status status = sc_newton_take(&cut.problem, &par, way, e->arena, &found, e->error);
  if (status == SCREE_OK) {
    judge_price(e, islands->island + index, found.iterations, &cut);
    sc_islands_put(e->problem, &cut);
    islands->island[index].residual = found.residual;
    e->report->ways.escalated++;
    e->report->iterations += found.iterations;
  }
  sc_arena_back(e->arena, mark);
  return status;
}

/* Whether an island may go to the second-order solver now, where so many rounds are to cost no more than so
 * many sweeps. */
static bool affords(const escalation *e, const sc_island *island, int rounds, double sweeps) {
  return cheap(island, elimination(e, island), rounds, sweeps) && !waits(e, island);
}

static void forget_left(sc_solver_report *report) {
  report->ways.unfit = report->ways.dear = report->ways.moving = 0;
}

static void note_left(const escalation *e, const sc_island *island, bool affordable) {
  sc_solver_ways *ways = &e->report->ways;
  if (island->unfit) ways->unfit++;
  else if (waits(e, island)) ways->moving++;
  else if (!affordable) ways->dear++;
}

/* Islands above the tolerance, or where `calms` that do not rest, of which so many rounds cost no more than
 * so many sweeps go to the second-order solver. *left: whether any stays above the tolerance. */
static scree_status escalate(escalation *e, int rounds, double sweeps, bool calms, bool *left) {
  sc_islands islands;
  sc_arena_mark mark = sc_arena_here(e->arena);
  *left = e->still = false;
  e->report->residual = 0;
  forget_left(e->report);
  if (!sc_islands_find(e->problem, e->arena, &islands))
    return sc_fail(e->error, SCREE_E_MEMORY, "no memory for islands");
  scree_status status = SCREE_OK;
  for (int32_t i = 0; i < islands.count && status == SCREE_OK; i++) {
    const sc_island *island = islands.island + i;
    bool met = calms ? rests(island, e->par->tolerance) : island->residual <= e->par->tolerance;
    bool affordable = affords(e, island, rounds, sweeps);
    if (!met && affordable) status = solve_island(e, &islands, i);
    if (!(island->residual <= e->par->tolerance)) {
      *left = true;
      e->still |= !moving(e, island);
      note_left(e, island, affordable);
    }
    e->report->residual = fmax(e->report->residual, island->residual);
  }
  sc_arena_back(e->arena, mark);
  return status;
}

/* ---- the whole ---- */

/* Whether islands are looked at. */
static bool may_escalate(const sc_problem *problem, const scree_solver_def *par) {
  for (int32_t law = 0; law < problem->laws; law++)
    if (problem->law[law]->user) return false;
  return par->tolerance > 0 && !sc_problem_exchange(problem)->shared && !problem->matrix && !problem->bonds &&
      problem->balls + problem->joint_rows <= MOST_CONTACTS;
}

static scree_status sweep(const escalation *e, int64_t sweeps, bool momentum, sc_pool *pool) {
  sc_solver_report swept = {0};
  scree_solver_def par = *e->par;
  par.acceleration |= momentum;
  par.iterations = sweeps;
  if (par.min_iterations > sweeps) par.min_iterations = sweeps;
  scree_status status = sc_solver_nbgs.solve(e->problem, &par, pool, e->arena, &swept, e->error);
  e->report->iterations += swept.iterations;
  e->report->residual = swept.residual;
  e->report->fill = swept.fill;
  e->report->sweeps = swept.sweeps;
  e->report->ways.swept = 1;
  e->report->ways.accelerated |= par.acceleration;
  forget_left(e->report);
  return status;
}

/* Sweeps with momentum, and sweeps without it if momentum made the residual larger. Momentum does not
 * converge for some bodies on many contacts whose friction is not along the slip. */
static scree_status sweep_with_momentum(const escalation *e, int64_t sweeps, sc_pool *pool) {
  const double before = e->report->residual;
  const scree_status status = sweep(e, sweeps, true, pool);
  if (status != SCREE_OK || e->par->acceleration || e->report->residual <= before) return status;
  return sweep(e, sweeps, false, pool);
}

/* Sweeps were all there is to try, and did not reach the tolerance. */
static void note_whole(const escalation *e) {
  if (!(e->par->tolerance > 0)) return;
  bool user = false;
  for (int32_t law = 0; law < e->problem->laws; law++) user |= e->problem->law[law]->user != NULL;
  e->report->ways.unfit = user || sc_problem_exchange(e->problem)->shared;
  e->report->ways.dear = !e->report->ways.unfit;
}

/* Sweeps, then the second-order solver for islands that they leave. */
static scree_status sweep_and_escalate(escalation *e, bool escalates, sc_pool *pool) {
  const scree_solver_def *par = e->par;
  bool left = true;
  int64_t first = escalates && par->iterations > FIRST_SWEEPS ? FIRST_SWEEPS : par->iterations,
          more = par->iterations - first;
  scree_status status = sweep(e, first, false, pool);
  if (status != SCREE_OK || e->report->residual <= par->tolerance) return status;
  if (!escalates) return note_whole(e), SCREE_OK;
  if (more > 0) status = escalate(e, USUAL_ROUNDS, (double)more, false, &left);
  const bool pushed = !e->still || (!e->problem->generals && !e->problem->joint_rows);
  if (status == SCREE_OK && more > 0 && left)
    status = pushed ? sweep_with_momentum(e, more, pool) : sweep(e, more, false, pool);
  if (status == SCREE_OK && (left || more == 0) && !(e->report->residual <= par->tolerance))
    status = escalate(e, USUAL_ROUNDS, DEAR * (double)par->iterations, false, &left);
  return status;
}

/* ---- islands at rest beside others ---- */

/* Whether of a sample of contacts enough meet the tolerance for islands to be looked at. */
static bool some_rest(const sc_problem *problem, double tolerance) {
  int32_t all = problem->balls + problem->generals + problem->joint_rows, met = 0, seen = 0;
  if (problem->couple) return false;
  for (int32_t c = 0; c < all; c += SAMPLE, seen++) met += sc_problem_residual_of(problem, c) <= tolerance;
  return met * 4 >= seen;
}

/* Islands at rest stay as they are, those nearly so go to the second-order solver: *residual is theirs, and
 * *moving tells of the others; false where these are most of the problem, and nothing was done. */
static bool settle(
    escalation *e, sc_islands *islands, double close, bool *moving, double *residual, scree_status *status) {
  double still = 0, all = 0;
  *status = SCREE_OK;
  for (int32_t i = 0; i < islands->count; i++) {
    const sc_island *island = islands->island + i;
    double cost = sweep_cost(island->balls, island->generals, island->joint_rows);
    moving[i] = !rests(island, e->par->tolerance) &&
        (island->residual > close || !affords(e, island, WARM_ROUNDS, WORTH * (double)e->par->iterations));
    still += moving[i] ? 0 : cost;
    all += cost;
  }
  if (4 * still < all) return false;
  for (int32_t i = 0; i < islands->count && *status == SCREE_OK; i++) {
    if (moving[i]) continue;
    if (!rests(islands->island + i, e->par->tolerance)) *status = solve_island(e, islands, i);
    moving[i] = !(islands->island[i].residual <= e->par->tolerance);
    if (!moving[i]) *residual = fmax(*residual, islands->island[i].residual);
  }
  return true;
}

/* The islands that are not at rest, swept apart from those that are. *done: enough are at rest for that. */
static scree_status solve_moving(escalation *e, double close, sc_pool *pool, bool *done) {
  sc_islands islands;
  sc_island_problem cut;
  sc_arena_mark mark = sc_arena_here(e->arena);
  scree_status status = SCREE_OK;
  bool *moving = SC_TAKE(e->arena, bool, e->problem->bodies);
  if (!moving || !sc_islands_find(e->problem, e->arena, &islands))
    return sc_fail(e->error, SCREE_E_MEMORY, "no memory for islands");
  double residual = 0;
  *done = settle(e, &islands, close, moving, &residual, &status);
  if (*done && status == SCREE_OK) {
    sc_islands_join(e->problem, &islands, moving);
    if (!sc_islands_cut(e->problem, &islands, 0, e->arena, &cut))
      return sc_fail(e->error, SCREE_E_MEMORY, "no memory for an island");
    escalation rest = *e;
    rest.problem = &cut.problem;
    status = sweep_and_escalate(&rest, true, pool);
    sc_islands_put(e->problem, &cut);
    e->report->residual = fmax(e->report->residual, residual);
    e->report->sweeps = NULL; // of other contacts than the problem's
  }
  sc_arena_back(e->arena, mark);
  return status;
}

/* A step less to wait. */
static void count_down(const sc_problem *problem) {
  for (int32_t b = 0; b + 1 < problem->bodies && problem->wait; b++)
    problem->wait[b].left -= problem->wait[b].left > 0;
}

static scree_status solve(const sc_problem *problem, const scree_solver_def *par, sc_pool *pool,
    sc_arena *arena, sc_solver_report *report, scree_error *error) {
  escalation e = {problem, par, arena, report, error, false};
  bool escalates = may_escalate(problem, par), left, done = false;
  scree_status status = SCREE_OK;
  *report = (sc_solver_report){0};
  if (problem->matrix) return sc_auto_matrix(problem, par, arena, report, error);
  bool looks = escalates && par->min_iterations <= 1;
  count_down(problem);
  double close = fmax(par->tolerance, CLOSE * problem->gravity * problem->dt),
         start = looks ? worst(problem, close) : INFINITY;
  report->residual = start;
  report->ways.untouched = start <= EXACT * par->tolerance;
  if (report->ways.untouched) return SCREE_OK;
  if (start <= close) {
    status = escalate(&e, WARM_ROUNDS, WORTH * (double)par->iterations, true, &left);
    report->ways.untouched = !left && !report->ways.escalated;
    if (status != SCREE_OK || !left) return status;
  }
  if (looks && some_rest(problem, par->tolerance)) status = solve_moving(&e, close, pool, &done);
  return done || status != SCREE_OK ? status : sweep_and_escalate(&e, escalates, pool);
}

const sc_solver sc_solver_auto = {.name = "auto",
    .doc = "sweeps, and the second-order solver for islands where they stall and it is cheap enough",
    .solve = solve,
    .couples = true,
    .bonds = true,
    .spreads = true,
    .rests = true,
    .waits = true,
    .corrections = 40,
    .sweeps = true};
