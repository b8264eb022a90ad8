/* Correction of positions by sweeps of nonlinear block Gauss-Seidel.
 *
 * If the world has corrections, penetrations are corrected after the velocities are solved, not by target
 * speeds of contacts. Such speeds stay in the bodies as kinetic energy. Friction can also lock grains so that
 * no impulse reaches the target speeds, and impulses grow without bound. Let u_n be the solved normal
 * velocity. The gap of a contact at the end of the step is then gap + dt u_n = dt left. The shifts dt d of
 * the positions satisfy
 *     d_n + w >= 0  complementary to  y >= 0,   w = left if open, fraction * left if it penetrates
 *                   (at most the speed limit),
 * d = M^-1 W y. There is no friction, so that every contact that can open does open. y starts from 0 in every
 * step. A few sweeps over the same bundles are enough, because the next step corrects the rest. Sweeps stop
 * at the tolerance. In the last sweep general contacts are under-relaxed (factor 0.5). Otherwise the contacts
 * visited last are satisfied exactly at the expense of their neighbours (half the mean depth in piles of
 * boxes).
 *
 * Joints are rows of the position problem and are solved last. Locked directions do not move: J d = 0. A
 * motor or friction row below its bound counts as locked; at its bound it does not act. At limits J d + left
 * >= 0.
 *
 * The position problem has its own bodies, which start from rest, its own joint rows, and one impulse along
 * the normal of each contact. It uses the order, normals and joint factors of the velocity sweeps. */
#include "solve/sweeps/positions.h"

#include <math.h>
#include <string.h>
#include "math/vec.h"
#include "problem/contacts/kernels/kernels.h"
#include "problem/operator/delassus.h"

typedef struct corrector {
  const sc_positions_in *in;
  const sc_problem *problem; /* velocity problem, already solved */
  sc_nbgs *own;
} corrector;

/* Returns the speed w [m/s] at which a contact may close by shifts; negative: speed at which it must open.
 * gap: gap over dt [m/s]. u_n: solved normal velocity. */
static double closing_speed(const sc_positions_in *in, double gap, double u_n) {
  double left = gap + u_n;
  double back = in->correction_fraction * left;
  return left >= 0 ? left : back > -in->speed_limit ? back : -in->speed_limit;
}

/* ---- balls ---- */

/* Returns closing_speed of a contact with a spring. Position corrections may not reduce the deflection of the
 * spring, because the spring's force needs the deflection. They only remove the overlap beyond the deflection
 * (spring->rest). */
static double closing_speed_of_spring(
    const sc_positions_in *in, const sc_contact_spring *spring, double u_n, double x_n) {
  return closing_speed(in, fmax(0, u_n + spring->bias + spring->normal * x_n), -spring->rest);
}

static void aim_lane(
    const corrector *c, const sc_bundle *b, const sc_bundle_spring *springs, sc_bundle_push *push, int l) {
  const sc_solver_body *body = c->problem->body, *one = body + b->i[l], *two = body + sc_lane_body(b->j[l]);
  double n[3] = {b->n[0][l], b->n[1][l], b->n[2][l]}, u[3];
  sc_ball_velocity(one, two, n, u);
  const sc_contact_spring spring = springs ? sc_spring_get(springs, (uint32_t)l) : (sc_contact_spring){0};
  const double p[3] = {b->p[0][l], b->p[1][l], b->p[2][l]}, u_n = sc_dot(u, n);
  push->want[l] = spring.normal > 0 ? closing_speed_of_spring(c->in, &spring, u_n, sc_dot(p, n))
                                    : closing_speed(c->in, push->want[l], u_n);
}

/* Prefetches bundle b + BUNDLES_AHEAD, and the bodies of bundle b + BODIES_AHEAD. left: number of bundles
 * from b on. */
SC_FETCH fetch_aim(const corrector *c, const sc_bundle *b, int64_t left) {
  enum { BUNDLES_AHEAD = 12, BODIES_AHEAD = 4 };
  if (left > BUNDLES_AHEAD) {
    const sc_bundle *far = b + BUNDLES_AHEAD;
    __builtin_prefetch(far->i);
    for (int k = 0; k < 3; k++) __builtin_prefetch(far->n[k]);
    __builtin_prefetch(far->bias);
  }
  if (left <= BODIES_AHEAD) return;
  for (int l = 0; l < SC_LANES; l++) {
    int32_t i = b[BODIES_AHEAD].i[l], j = b[BODIES_AHEAD].j[l];
    __builtin_prefetch(c->problem->body + i);
    __builtin_prefetch(c->problem->body + sc_lane_body(j));
  }
}

/* Computes the target speeds of bundles first .. end - 1 from the gaps, which the biases contain, and sets
 * the impulses to 0. */
static void aim_ball_bundles(void *context, int64_t first, int64_t end) {
  const corrector *c = context;
  const sc_bundle_spring *springs = c->own->balls->bundles.spring;
  for (int64_t at = first; at < end; at++) {
    const sc_bundle *b = c->own->balls->bundles.bundle + at;
    fetch_aim(c, b, end - at);
    memcpy(c->own->push[at].want, b->bias, sizeof c->own->push[at].want);
    for (int l = 0; l < SC_LANES; l++)
      if (b->i[l] < c->problem->bodies) aim_lane(c, b, springs ? springs + at : NULL, c->own->push + at, l);
    memset(c->own->push[at].x, 0, sizeof c->own->push[at].x);
  }
}

/* ---- general contacts and joints ---- */

static double aim_row(const corrector *c, int32_t row, double gap) {
  double u[SCREE_LAW_MAX_DIM];
  const sc_general_contact *g = c->problem->general + row;
  sc_problem_general_velocity(c->problem, g, u);
  return g->spring.normal > 0 ? closing_speed_of_spring(c->in, &g->spring, u[0], c->problem->x[g->x])
                              : closing_speed(c->in, gap, u[0]);
}

/* Replaces gap/dt in the array `push` of bundles first .. end - 1 by target speeds, and sets the impulses to
 * 0. */
static void aim_bundles(void *context, int64_t first, int64_t end) {
  const corrector *c = context;
  const sc_generals *g = &c->own->generals;
  for (int64_t at = first; at < end; at++) {
    sc_bundle_push *push = g->push + at;
    const int taken = sc_slot_taken(g->taken[at]);
    if (sc_slot_kind(g->taken[at]) != SC_BUNDLE_ROWS)
      g->kernels->aim(g, c->problem->body, (int32_t)at, c->in->correction_fraction, c->in->speed_limit);
    else
      for (int l = 0; l < taken; l++) push->want[l] = aim_row(c, g->bundle[at].i[l], push->want[l]);
    for (int l = taken; l < SC_LANES; l++) push->want[l] = 0;
    memset(push->x, 0, sizeof push->x);
  }
}

/* Implements sc_nbgs_relax for positions: relaxes the normal impulse of a general contact with a row. */
static double relax_push_row(const sc_nbgs *r, double omega, int32_t bundle, int l) {
  const sc_problem *problem = &r->problem;
  const sc_general_contact *c = problem->general + r->generals.bundle[bundle].i[l];
  sc_bundle_push *own = r->general_push + bundle;
  double u[SCREE_LAW_MAX_DIM], d[SCREE_LAW_MAX_DIM] = {0}, a = problem->block[c->block];
  sc_problem_general_velocity(problem, c, u);
  double next = fmax(0, own->x[l] - omega * ((u[0] + own->want[l]) / a));
  d[0] = next - own->x[l];
  own->x[l] = next;
  if (d[0] != 0) sc_problem_general_apply(problem, c, d);
  return a * a * d[0] * d[0];
}

/* Sets the joint rows of the position problem: rows below their bounds are locked, limits allow motion up to
 * the limit, rows at their bounds do nothing. Rows in bundles are locked. */
static void aim_joints(const corrector *c) {
  const bool copied = c->own->problem.joint_row != c->problem->joint_row;
  sc_mechanisms_still(&c->own->mechanisms);
  for (int32_t k = 0; k < c->problem->joint_rows && copied; k++) {
    const sc_joint_row *from = c->problem->joint_row + k;
    sc_joint_row *row = c->own->problem.joint_row + k;
    bool limit = from->lo == 0 && from->hi == INFINITY, stiff = from->lo < from->x && from->x < from->hi;
    *row = *from;
    row->x = 0;
    row->bias = limit ? fmax(0, sc_problem_joint_velocity(c->problem, from) + from->bias) : 0;
    if (limit) continue;
    row->lo = stiff ? -INFINITY : 0;
    row->hi = stiff ? INFINITY : 0;
  }
}

/* Solves joints once more after the sweeps, because joint errors would cause speeds in the next step. */
static void close_joints(sc_nbgs *r) {
  if (r->problem.joint_rows) sc_nbgs_joints(r, 0, 0, 1);
  sc_exchange_meet(r->exchange, r->problem.body);
}

/* ---- solution ---- */

/* Relaxation factor of general contacts in the last sweep, unless this sweep is the only one. */
static const double LAST_SHARE = 0.5;

static void iterate_positions(void *context, int thread, int threads) {
  sc_nbgs *r = context;
  const int64_t sweeps = r->par.correction_iterations;
  for (int64_t sweep = 1; sweep <= sweeps; sweep++) {
    const sc_nbgs_way way = {.first = sweep == 1, .omega = sweep > 1 && sweep == sweeps ? LAST_SHARE : 1};
    if (sc_nbgs_sweep(r, &way, thread, threads) <= r->tolerance_square) return;
  }
}

/* Sets the shifts of bodies first .. end - 1 to 0. */
static void start_shifts(void *context, int64_t first, int64_t end) {
  const corrector *c = context;
  sc_solver_body *shift = c->own->problem.body;
  for (int64_t row = first; row < end; row++)
    shift[row] = (sc_solver_body){.inv_mass = c->problem->body[row].inv_mass, .k = c->problem->body[row].k};
}

/* Sets up sweeps of the position problem. Uses in->sweeps if there are any. Returns false if out of
 * memory. */
static bool set_up_sweeps(
    const sc_positions_in *in, const scree_solver_def *par, sc_pool *pool, sc_arena *arena, sc_nbgs *own) {
  scree_solver_def plain = *par;
  plain.acceleration = 0;
  if (in->sweeps) *own = *in->sweeps;
  else if (!sc_nbgs_set_up(own, in->problem, &plain, pool, arena)) return false;
  size_t rows = (size_t)in->problem->bodies + (size_t)sc_lanes_spare(sc_pool_threads(own->pool));
  /* the position problem has no bonds, because shifts may stretch bonds */
  own->bonds = (sc_bond_lanes){.bundle = NULL};
  own->problem.drifts = false; /* images do not move with the cell, because shifts are not velocities */
  own->par.correction_iterations = par->correction_iterations;
  own->par.acceleration = 0;
  own->sweep = sc_sweeps_best()->push;
  own->general_sweep = sc_sweeps_best()->general_push;
  own->relax = relax_push_row;
  own->push = SC_TAKE(arena, sc_bundle_push, own->balls->slots.count);
  own->general_push = own->generals.push;
  const bool copied = own->joints.count; // without joint blocks all joint rows lie in bundles
  if (copied) own->problem.joint_row = SC_TAKE(arena, sc_joint_row, in->problem->joint_rows);
  own->problem.body = SC_TAKE(arena, sc_solver_body, rows);
  return own->push && (own->problem.joint_row || !copied) && own->problem.body;
}

scree_status sc_positions_solve(const sc_positions_in *in, const scree_solver_def *par, sc_pool *pool,
    sc_arena *arena, const sc_solver_body **shift, scree_error *error) {
  SC_ASSERT(in->correction_fraction >= 0 && in->speed_limit > 0);
  SC_ASSERT(in->problem->store || in->problem->gap || !(in->problem->balls + in->problem->generals));
  sc_nbgs own;
  corrector c = {.in = in, .problem = in->problem, .own = &own};
  if (!set_up_sweeps(in, par, pool, arena, &own))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to correct positions of %d bodies", in->problem->bodies);
  sc_pool_ranges(own.pool, own.balls->slots.count, SC_RANGE / SC_LANES, aim_ball_bundles, &c);
  sc_pool_ranges(own.pool, own.generals.slots.count, SC_SHORT_RANGE / SC_LANES, aim_bundles, &c);
  aim_joints(&c);
  sc_pool_ranges(own.pool, in->problem->bodies, SC_SHORT_RANGE, start_shifts, &c);
  sc_nbgs_clear_spares(in->problem->bodies, sc_pool_threads(own.pool), own.problem.body);
  sc_pool_run(own.pool, iterate_positions, &own);
  if (own.par.correction_iterations > 0) own.exchange->conclude(own.exchange->context, own.largest);
  close_joints(&own);
  *shift = own.problem.body;
  return SCREE_OK;
}
