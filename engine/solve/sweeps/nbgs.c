/* Nonlinear block Gauss-Seidel (Preclik & Ruede 2015; Preclik, Eibl & Ruede 2017, section 3): visits
 * contacts one after the other, replaces each impulse by its law's answer with all others held, and
 * carries the change over to the two bodies at once. Stops when the largest change of velocity |A_jj
 * dx_j| in a sweep falls below the tolerance.
 *
 * A sweep goes over mechanisms (joint_blocks.h), ball contacts, general contacts. Both buckets of
 * contacts are visited colour by colour and block by block (order.h), balls in bundles (lanes.h): the
 * result is the same for any number of threads and any width of vectors.
 *
 * A problem that is spread over ranks is swept by all of them at a time, each on its own contacts; after
 * each sweep the border's bodies meet (problem.h), which is a Jacobi step between ranks with as much
 * relaxation as each body has copies. Contacts of such bodies are swept first, and their velocities
 * travel while the others are swept. The largest change over all ranks travels during the next sweep, so
 * that ranks stop one sweep after the one that met the tolerance.
 *
 * Where the problem asks for it (problem->positions), penetrations can be taken back after velocities
 * are solved (nbgs_positions.c). */
#include <string.h>
#include "math/vec.h"
#include "solve/sweeps/nbgs.h"

/* ---- all sweeps ---- */

/* Between two sweeps: moves everything but the balls' impulses on by momentum; the beta by which the
 * next sweep moves those. */
static double accelerate(sc_nbgs *r, sc_pace *pace, int thread, int threads) {
  if (!r->par.acceleration) return 0;
  sc_momentum_measure(&r->momentum, thread, threads);
  sc_pool_barrier(r->pool);
  const sc_border *border = r->problem->border;
  double norm = sc_momentum_norm(&r->momentum);
  if (border) { /* all ranks go at one pace, that of the largest norm */
    if (thread == 0) r->norm = border->largest(border->context, norm);
    sc_pool_barrier(r->pool);
    norm = r->norm;
  }
  sc_momentum_pace(norm, pace);
  sc_momentum_move(&r->momentum, pace->beta, thread, threads);
  sc_pool_barrier(r->pool);
  return pace->beta;
}

double sc_nbgs_deciding(sc_nbgs *r, int thread, int64_t sweep, double largest) {
  const sc_border *border = r->problem->border;
  if (thread == 0 && !border) r->largest = largest;
  if (!border) return largest;
  if (thread == 0) {
    r->largest = sweep > 1 ? border->reduce_finish(border->context) : INFINITY;
    border->reduce_start(border->context, atomic_load(&r->failed) ? 0 : largest);
  }
  sc_pool_barrier(r->pool);
  return r->largest;
}

static void iterate(void *context, int thread, int threads) {
  sc_nbgs *r = context;
  sc_pace pace = {1, INFINITY, 0};
  double beta = 0;
  for (int64_t sweep = 1; sweep <= r->par.iterations; sweep++) {
    double largest = sc_nbgs_sweep(r, beta, thread, threads);
    largest = sc_nbgs_deciding(r, thread, sweep, largest);
    if (thread == 0) r->sweeps = sweep;
    bool done = atomic_load(&r->failed) || (largest <= r->tolerance_square && sweep >= r->par.min_iterations);
    sc_pool_barrier(r->pool); /* nobody overwrites largest[] before all have read it */
    if (done) return;
    if (sweep < r->par.iterations) beta = accelerate(r, &pace, thread, threads);
  }
}

/* ---- the answer ---- */

/* Share of the bundles' lanes that hold a contact. */
static double fill(const sc_lanes *lanes) {
  int64_t all = (int64_t)lanes->count * SC_LANES, used = 0;
  for (int s = 0; s < sc_lanes_streams(lanes); s++) used += lanes->stream[s].lanes;
  return all ? (double)used / (double)all : 0;
}

/* Impulses and moments of balls go back from copies in lanes to the problem's rows. */
static void unpack(void *context, int64_t first, int64_t end) {
  const sc_nbgs *r = context;
  for (int64_t c = first; c < end; c++) {
    const sc_ball_contact ball = sc_lane_get(r->balls, (int32_t)c);
    sc_copy3(ball.p, r->problem->ball[c].p);
    if (r->couple) sc_couple_get(r->balls, r->couple, (int32_t)c, r->problem->couple[c].m);
  }
}

static scree_status solve(sc_problem *problem, const scree_solver_def *par, sc_pool *pool, sc_arena *arena,
    sc_solver_report *report, scree_error *error) {
  sc_solver_body *original = problem->body;
  *report = (sc_solver_report){0};
  if (problem->balls + problem->generals + problem->joint_rows == 0 && !problem->border) return SCREE_OK;
  sc_nbgs *r = SC_TAKE(arena, sc_nbgs, 1);
  if (!r || !sc_nbgs_set_up(r, problem, par, pool, arena)) {
    problem->body = original;
    return sc_fail(
        error, SCREE_E_MEMORY, "no memory to order %d contacts", problem->balls + problem->generals);
  }
  sc_pool_run(r->pool, iterate, r);
  if (problem->border && r->sweeps) r->largest = problem->border->reduce_finish(problem->border->context);
  if (!problem->lanes) sc_pool_ranges(r->pool, problem->balls, SC_RANGE, unpack, r);
  *report = (sc_solver_report){r->sweeps, sqrt(r->largest), fill(r->balls)};
  if (problem->body != original) memcpy(original, problem->body, (size_t)problem->bodies * sizeof *original);
  problem->body = original;
  if (problem->positions) problem->sweeper = r;
  return atomic_load(&r->failed) ? sc_fail(error, SCREE_E_LAW, "a friction law failed") : SCREE_OK;
}

const sc_solver sc_solver_nbgs = {"nbgs", "nonlinear block Gauss-Seidel", solve, true, true};
