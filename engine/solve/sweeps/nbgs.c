/* Nonlinear block Gauss-Seidel (Preclik & Ruede 2015; Preclik, Eibl & Ruede 2017, section 3): visits contacts
 * one after the other, replaces each impulse by its law's solution with all other impulses fixed, and updates
 * the velocities of the two bodies at once. Stops when the largest velocity change |A_jj dx_j| in a sweep
 * falls below the tolerance.
 *
 * A sweep visits mechanisms (joint_blocks.h), bonds, ball contacts, general contacts. It visits bonds and
 * contacts colour by colour and block by block (order.h), and balls in bundles (store.h). The result is the
 * same for any number of threads and any SIMD width.
 *
 * If a problem is spread over ranks, all ranks sweep at the same time, each over its own contacts. After each
 * sweep the ranks combine the velocities of shared bodies (problem/exchange.h). This is a Jacobi step between
 * ranks, relaxed by the number of copies of a body. Each rank sweeps contacts of shared bodies first. The
 * messages with the velocities of these bodies travel while the rank sweeps its other contacts. The maximum
 * of the changes over all ranks is computed during the next sweep, so ranks stop one sweep after the
 * tolerance is reached.
 *
 * positions.c uses the order, lanes and factors again to correct penetrations. */
#include <string.h>
#include "math/vec.h"
#include "solve/sweeps/bare.h"
#include "solve/sweeps/nbgs.h"
#include "problem/contacts/contacts.h"
#include "problem/operator/delassus.h"
#include "problem/operator/local.h"

/* ---- one general contact ---- */

/* Implements sc_nbgs_relax: relaxes the impulses of the general contact in lane l of a bundle of rows. */
static double relax_general_row(const sc_nbgs *r, double omega, int32_t bundle, int l) {
  const sc_problem *problem = &r->problem;
  const sc_general_contact *c = problem->general + r->generals.bundle[bundle].i[l];
  const sc_general row = sc_problem_row(problem, c);
  const double *A = problem->block + c->block;
  double *x = problem->x + c->x, u[SCREE_LAW_MAX_DIM], next[SCREE_LAW_MAX_DIM], d[SCREE_LAW_MAX_DIM],
         square = 0;
  sc_problem_general_velocity(problem, c, u);
  if (sc_local_general(problem, &row, u, next) < 0) return -1;
  for (int k = 0; k < c->dim; k++) {
    d[k] = omega * (next[k] - x[k]);
    x[k] = omega == 1 ? next[k] : x[k] + d[k];
  }
  sc_problem_general_apply(problem, c, d);
  for (int k = 0; k < c->dim; k++) {
    double sum = 0;
    for (int s = 0; s < c->dim; s++) sum += A[k * c->dim + s] * d[s];
    if (k >= 3) sum *= c->scale1; /* converts a spin to a velocity */
    square += sum * sum;
  }
  return square;
}

/* ---- all sweeps ---- */

/* Returns the norm of the sweep's change: the largest norm of all ranks, so that all ranks use the same
 * momentum factors. */
static double norm_of_change(sc_nbgs *r, int thread) {
  const double own = sc_momentum_norm(&r->momentum);
  if (!r->exchange->shared) return own;
  if (thread == 0) r->norm = r->exchange->largest(r->exchange->context, own);
  sc_pool_barrier(r->pool);
  return r->norm;
}

/* Extrapolates all impulses that are not in bundles, and the velocities, between two sweeps. Returns the beta
 * by which the next sweep extrapolates the impulses in bundles. */
static double extrapolate_between_sweeps(sc_nbgs *r, sc_pace *pace, int thread, int threads) {
  if (!r->par.acceleration) return 0;
  sc_momentum_pace(norm_of_change(r, thread), pace);
  sc_momentum_move(&r->momentum, pace->beta, thread, threads);
  if (thread == 0 && r->exchange->move) r->exchange->move(r->exchange->context, pace->beta);
  sc_pool_barrier(r->pool);
  return pace->beta;
}

/* Returns true if the largest change of a sweep must be computed. Sweeps before min_iterations do not need
 * it, because they do not stop. On several ranks the change also decides whether the next sweep is the
 * last. */
static bool needs_change(const scree_solver_def *par, int64_t sweep) {
  return sweep + 1 >= (par->min_iterations < par->iterations ? par->min_iterations : par->iterations);
}

static void iterate_velocities(void *context, int thread, int threads) {
  sc_nbgs *r = context;
  sc_pace pace = sc_pace_fresh(r->momentum.top);
  double beta = 0;
  int64_t first = r->problem.bonds ? sc_elastic_solve(&r->elastic, &r->par, thread, threads) : 0;
  if (thread == 0) r->sweeps = first;
  if (first && !r->problem.balls && !r->problem.generals && !r->problem.joint_rows) {
    if (thread == 0) r->largest = r->elastic.largest;
    return;
  }
  for (int64_t sweep = 1; sweep <= r->par.iterations; sweep++) {
    r->worker[thread].measured = needs_change(&r->par, sweep);
    const sc_nbgs_way way = {.first = sweep == 1,
        .omega = r->par.relaxation,
        .beta = beta,
        .watched = r->par.acceleration && sweep < r->par.iterations};
    double largest = sc_nbgs_sweep(r, &way, thread, threads);
    if (thread == 0) r->sweeps = first + sweep;
    if (r->halted || (largest <= r->tolerance_square && sweep >= r->par.min_iterations)) return;
    if (sweep < r->par.iterations) beta = extrapolate_between_sweeps(r, &pace, thread, threads);
  }
}

/* ---- the solver ---- */

/* Returns the share of all bundles' lanes that contain a contact. */
static double lane_share(const sc_slots *balls, const sc_slots *generals) {
  double all = SC_LANES * ((double)balls->count + (double)generals->count),
         used = (double)balls->contacts + (double)generals->contacts;
  return all > 0 ? used / all : 0;
}

/* Solves a problem given as a bare matrix, on one thread and without lanes. */
static scree_status solve_bare(const sc_problem *problem, const scree_solver_def *par, sc_arena *arena,
    sc_solver_report *report, scree_error *error) {
  sc_bare bare;
  if (!sc_bare_begin(problem, par->relaxation, arena, &bare))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", problem->generals);
  bare.momentum = par->acceleration;
  while (bare.sweeps < par->iterations) {
    if (!sc_bare_sweep(&bare)) return sc_fail(error, SCREE_E_LAW, "a friction law failed");
    if (bare.largest <= par->tolerance && bare.sweeps >= par->min_iterations) break;
  }
  sc_bare_end(&bare);
  report->iterations = bare.sweeps;
  report->residual = bare.largest;
  return SCREE_OK;
}

static scree_status solve_nbgs(const sc_problem *problem, const scree_solver_def *par, sc_pool *pool,
    sc_arena *arena, sc_solver_report *report, scree_error *error) {
  *report = (sc_solver_report){0};
  if (problem->balls + problem->generals + problem->joint_rows + problem->bonds == 0 &&
      !sc_problem_exchange(problem)->shared)
    return SCREE_OK;
  if (problem->matrix) return solve_bare(problem, par, arena, report, error);
  sc_nbgs *r = SC_TAKE(arena, sc_nbgs, 1);
  if (!r || !sc_nbgs_set_up(r, problem, par, pool, arena))
    return sc_fail(
        error, SCREE_E_MEMORY, "no memory to order %d contacts", problem->balls + problem->generals);
  const sc_sweeps *sweeps = sc_sweeps_best();
  r->sweep = problem->couple ? sweeps->couple : problem->springs ? sweeps->spring : sweeps->plain;
  r->general_sweep = sweeps->general;
  r->bond_sweep = sweeps->bond;
  r->relax = relax_general_row;
  sc_pool_run_close(r->pool, iterate_velocities, r);
  if (r->sweeps) r->largest = r->exchange->conclude(r->exchange->context, r->largest);
  sc_contacts_copy_back(r->balls, problem);
  sc_bond_lanes_unpack(&r->bonds, problem);
  sc_mechanisms_unpack(&r->mechanisms, problem);
  *report = (sc_solver_report){.iterations = r->sweeps,
      .residual = sqrt(r->largest),
      .fill = lane_share(&r->balls->slots, &r->generals.slots),
      .sweeps = r};
  if (r->problem.body != problem->body)
    memcpy(problem->body, r->problem.body, (size_t)problem->bodies * sizeof *problem->body);
  return r->halted ? sc_fail(error, SCREE_E_LAW, "a friction law failed") : SCREE_OK;
}

const sc_solver sc_solver_nbgs = {.name = "nbgs",
    .doc = "nonlinear block Gauss-Seidel",
    .solve = solve_nbgs,
    .couples = true,
    .bonds = true,
    .spreads = true,
    .sweeps = true};
