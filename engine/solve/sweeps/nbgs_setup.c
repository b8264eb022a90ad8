/* Builds the state of nonlinear block Gauss-Seidel (nbgs.h): balls in lanes, the order of general contacts,
 * joint blocks, spare rows of bodies. */
#include <string.h>
#include "math/vec.h"
#include "solve/sweeps/nbgs.h"
#include "problem/contacts/contacts.h"

void sc_nbgs_clear_spares(int32_t bodies, int threads, sc_solver_body *body) {
  memset(body + bodies, 0, (size_t)sc_lanes_spare(threads) * sizeof *body);
  for (int t = 0; t < threads; t++) body[sc_lanes_pad(bodies, t)].inv_mass = 1;
}

/* Sets the spare rows. Copies the bodies if the problem has too few spare rows behind them. */
static bool add_spares(sc_nbgs *r, int threads, sc_arena *arena) {
  sc_problem *problem = &r->problem;
  size_t rows = (size_t)problem->bodies, spares = (size_t)sc_lanes_spare(threads);
  if (!problem->store || sc_contacts_spare(problem->store) < sc_lanes_spare(threads)) {
    sc_solver_body *body = SC_TAKE(arena, sc_solver_body, rows + spares);
    if (!body) return false;
    memcpy(body, problem->body, rows * sizeof *body);
    problem->body = body;
  }
  sc_nbgs_clear_spares(problem->bodies, threads, problem->body);
  return true;
}

/* ---- momentum of balls ---- */

static bool remember_balls(const sc_nbgs *r, sc_arena *arena) {
  sc_contacts *lanes = r->balls;
  sc_bundle_past *past = SC_TAKE(arena, sc_bundle_past, lanes->slots.count);
  lanes->bundles.past = past;
  for (int32_t b = 0; b < lanes->slots.count && past; b++)
    memcpy(past[b].p, lanes->bundles.bundle[b].p, sizeof past[b].p);
  return past != NULL;
}

/* ---- joints ---- */

static void factor_share(void *context, int thread, int threads) {
  const sc_nbgs *r = context;
  const sc_mechanism_sweep_in in = {
      .mechanisms = &r->mechanisms, .first = thread, .end = r->mechanisms.count, .step = threads};
  sc_sweeps_best()->mechanism_factor(&in);
}

static void mark_pair(const sc_problem *problem, int32_t i, int32_t j, uint8_t *pushed) {
  const int32_t body[2] = {sc_lane_body(i), sc_lane_body(j)};
  for (int side = 0; side < 2; side++)
    if (body[side] < problem->bodies) pushed[body[side]] = 1;
}

/* Marks the bodies of a bundle of general contacts. */
static void mark_general(const sc_nbgs *r, int32_t bundle, uint8_t *pushed) {
  const sc_general_bundle *b = r->generals.bundle + bundle;
  const bool rows = sc_slot_kind(r->generals.taken[bundle]) == SC_BUNDLE_ROWS;
  for (int l = 0; l < SC_LANES; l++) {
    if (!rows) mark_pair(&r->problem, b->i[l], b->j[l], pushed);
    else if (b->i[l] >= 0)
      mark_pair(&r->problem, r->problem.general[b->i[l]].i, r->problem.general[b->i[l]].j, pushed);
  }
}

/* Marks the bodies that have contacts or bonds. */
static void mark_pushed(const sc_nbgs *r, uint8_t *pushed) {
  const sc_contacts *balls = r->balls;
  for (int32_t b = 0; b < balls->slots.count; b++)
    for (int l = 0; l < SC_LANES; l++)
      mark_pair(&r->problem, balls->bundles.bundle[b].i[l], balls->bundles.bundle[b].j[l], pushed);
  for (int32_t b = 0; b < r->generals.slots.count; b++) mark_general(r, b, pushed);
  for (int32_t k = 0; k < r->problem.bonds; k++)
    mark_pair(&r->problem, r->problem.bond[k].i, r->problem.bond[k].j, pushed);
}

/* Moves mechanisms whose bodies have contacts or bonds before all other mechanisms. Does nothing if bodies
 * are shared with other ranks, because contacts of other ranks are not known here, or if sweeps have
 * momentum. */
static bool sort_mechanisms(sc_nbgs *r, sc_arena *arena) {
  if (r->exchange->shared || r->par.acceleration) return true;
  uint8_t *pushed = SC_TAKE(arena, uint8_t, r->problem.bodies);
  if (!pushed) return false;
  memset(pushed, 0, (size_t)r->problem.bodies);
  mark_pushed(r, pushed);
  sc_mechanisms_sort(&r->mechanisms, pushed);
  return true;
}

static bool build_joints(sc_nbgs *r, sc_arena *arena) {
  sc_joint_lists lists;
  if (!r->problem.joint_rows) return true;
  if (!sc_joint_lists_make(&r->problem, arena, &lists) ||
      !sc_mechanisms_build(&r->problem, &lists, sc_pool_threads(r->pool), arena, &r->mechanisms) ||
      !sc_joint_blocks_rest(&r->problem, &lists, arena, &r->joints) || !sort_mechanisms(r, arena))
    return false;
  r->mechanism_sweep = sc_sweeps_best()->mechanism;
  sc_pool_run(r->pool, factor_share, r);
  return true;
}

bool sc_nbgs_set_up(
    sc_nbgs *r, const sc_problem *problem, const scree_solver_def *par, sc_pool *pool, sc_arena *arena) {
  sc_contacts *store = problem->store;
  int64_t balls = (int64_t)problem->balls + problem->bonds;
  SC_ASSERT(!store || store->bundles.bundle); /* assembly has planned the bundles */
  pool = store ? store->pool : sc_lanes_pool(balls, problem->generals, par->contacts_per_thread, pool);
  int threads = sc_pool_threads(pool);
  *r = (sc_nbgs){.problem = *problem,
      .par = *par,
      .pool = pool,
      .exchange = sc_problem_exchange(problem),
      .tolerance_square = par->tolerance * par->tolerance};
  if (!add_spares(r, threads, arena)) return false;
  r->balls = store ? store : sc_contacts_of_rows(&r->problem, pool, arena);
  if (!r->balls || (problem->couple && !sc_couples_fill(problem, r->balls, par->acceleration, arena)))
    return false;
  r->generals = *r->balls->generals;
  if (!sc_bond_lanes_fill(&r->problem, par->acceleration, pool, arena, &r->bonds) ||
      !sc_elastic_build(&r->problem, &r->bonds, pool, arena, &r->elastic))
    return false;
  if (!build_joints(r, arena)) return false;
  r->worker = SC_TAKE(arena, sc_nbgs_worker, threads);
  if (!r->worker) return false;
  for (int t = 0; t < threads; t++) r->worker[t].measured = true;
  if (!r->par.acceleration) return true;
  if (!remember_balls(r, arena) || !sc_generals_remember(&r->generals, arena) ||
      !sc_mechanisms_remember(&r->mechanisms, &r->problem, arena) ||
      !sc_momentum_build(&r->problem, &r->joints, arena, &r->momentum))
    return false;
  /* all ranks have the same cap */
  if (r->exchange->shared) r->momentum.top = r->exchange->largest(r->exchange->context, r->momentum.top);
  return true;
}
