/* What sweeps of nonlinear block Gauss-Seidel need: balls in lanes, the order of general contacts,
 * blocks of joints, spare rows of bodies. */
#include <string.h>
#include "math/vec.h"
#include "solve/sweeps/nbgs.h"

void sc_nbgs_clear_spares(int32_t bodies, int threads, sc_solver_body *body) {
  memset(body + bodies, 0, (size_t)sc_solver_spare(threads) * sizeof *body);
  for (int t = 0; t < threads; t++) body[sc_solver_pad(bodies, t)].inv_mass = 1;
}

/* Bodies are copied where the problem has no room for spare rows behind them. */
static bool add_spares(sc_nbgs *r, int threads, sc_arena *arena) {
  sc_problem *problem = r->problem;
  size_t rows = (size_t)problem->bodies, spares = (size_t)sc_solver_spare(threads);
  if (problem->spare < sc_solver_spare(threads)) {
    sc_solver_body *body = SC_TAKE(arena, sc_solver_body, rows + spares);
    if (!body) return false;
    memcpy(body, problem->body, rows * sizeof *body);
    problem->body = body;
  }
  sc_nbgs_clear_spares(problem->bodies, threads, problem->body);
  return true;
}

/* ---- rows of balls are copied to lanes ---- */

static void copy_rows(void *context, int64_t first, int64_t end) {
  const sc_nbgs *r = context;
  const sc_problem *problem = r->problem;
  for (int64_t c = first; c < end; c++) {
    sc_ball_contact ball = problem->ball[c];
    if (problem->positions) ball.bias = problem->ball_gap[c];
    sc_lane_put(r->balls, (int32_t)c, &ball, !(problem->body[ball.j].inv_mass > 0));
  }
}

static bool lanes_of_rows(sc_nbgs *r, sc_arena *arena) {
  const sc_problem *problem = r->problem;
  sc_lanes_in in = {.count = problem->balls,
      .pool = r->pool,
      .border = problem->border,
      .one_mu = true,
      .least = problem->positions ? 0 : -INFINITY};
  if (in.count)
    in.first = &problem->ball->i, in.second = &problem->ball->j,
    in.stride = sizeof *problem->ball / sizeof(int32_t);
  for (int32_t c = 1; c < in.count && in.one_mu; c++) in.one_mu = problem->ball[c].mu == problem->ball->mu;
  r->balls = SC_TAKE(arena, sc_lanes, 1);
  if (!r->balls || !sc_lanes_begin(&in, arena, r->balls)) return false;
  if (!sc_lanes_plan(problem, &in, sc_arena_here(arena), arena, r->balls)) return false;
  sc_pool_ranges(r->pool, problem->balls, SC_RANGE, copy_rows, r);
  return !problem->couple || sc_couples_fill(problem, r->balls, r->par.acceleration, arena, &r->couple);
}

/* ---- momentum of balls lives beside their bundles ---- */

static bool remember_balls(const sc_nbgs *r, sc_arena *arena) {
  const sc_lanes *lanes = r->balls;
  sc_bundle_past *past = SC_TAKE(arena, sc_bundle_past, lanes->count);
  if (!past) return false;
  for (int32_t b = 0; b < lanes->count; b++) memcpy(past[b].p, lanes->bundle[b].p, sizeof past[b].p);
  for (int s = 0; s < sc_lanes_streams(lanes); s++)
    lanes->stream[s].past = past + (lanes->stream[s].bundle - lanes->bundle);
  return true;
}

/* ---- general contacts ---- */

/* Their order, in two parts where some bodies are held by several ranks. */
static bool order_generals(sc_nbgs *r, sc_arena *arena) {
  const sc_problem *problem = r->problem;
  const sc_border *border = problem->border;
  enum { STRIDE = sizeof *problem->general / sizeof(int32_t) };
  /* an empty bucket may have no array at all */
  const int32_t *first = problem->generals ? &problem->general->i : NULL,
                *second = problem->generals ? &problem->general->j : NULL;
  sc_order whole;
  if (!sc_order_build(
          problem, problem->generals, first, second, STRIDE, r->pool, arena, border ? &whole : r->generals))
    return false;
  return !border || sc_order_split(&whole, border->shared, first, second, STRIDE, arena, r->generals);
}

/* What corrections of positions need beside lanes: shifts lie where velocities were, unless those are
 * copies or other arrays know the bodies' inertia. */
static bool take_shifts(sc_nbgs *r, int threads, sc_arena *arena) {
  const sc_problem *problem = r->problem;
  size_t spares = (size_t)sc_solver_spare(threads);
  r->pushes = SC_TAKE(arena, sc_nbgs_push, problem->generals);
  r->joint_shift = SC_TAKE(arena, sc_joint_row, problem->joint_rows);
  if (!r->pushes || !r->joint_shift) return false;
  if (!problem->K && problem->spare >= sc_solver_spare(threads)) return true;
  return (r->shift = SC_TAKE(arena, sc_solver_body, (size_t)problem->bodies + spares)) != NULL;
}

bool sc_nbgs_set_up(
    sc_nbgs *r, sc_problem *problem, const scree_solver_def *par, sc_pool *pool, sc_arena *arena) {
  if (problem->lanes) pool = problem->lanes->threads > 1 ? pool : NULL;
  else pool = sc_solver_pool((int64_t)problem->balls + problem->generals, par->contacts_per_thread, pool);
  int threads = sc_pool_threads(pool);
  *r = (sc_nbgs){.problem = problem,
      .par = *par,
      .pool = pool,
      .balls = problem->lanes,
      .sweep = sc_sweep_best(),
      .sweep_couple = sc_sweep_couple_best(),
      .tolerance_square = par->tolerance * par->tolerance};
  if (!add_spares(r, threads, arena) || (!r->balls && !lanes_of_rows(r, arena)) || !order_generals(r, arena))
    return false;
  if (!sc_joint_blocks_build(problem, arena, &r->joints)) return false;
  r->worker = SC_TAKE(arena, sc_nbgs_worker, threads);
  if (!r->worker) return false;
  for (int32_t law = 0; law < problem->laws; law++) r->scripted |= problem->law[law]->user != NULL;
  if (problem->positions && !take_shifts(r, threads, arena)) return false;
  return !r->par.acceleration ||
      (remember_balls(r, arena) && sc_momentum_build(problem, arena, &r->momentum));
}
