/* Shifts of positions, by sweeps of nonlinear block Gauss-Seidel.
 *
 * Where the problem asks for it (problem->positions), penetrations are taken back after velocities are
 * solved, not by speeds that contacts ask for: those stay in the bodies as kinetic energy, and friction
 * can hold grains so that no impulses of any size give the speeds, which then grow without end. With u_n
 * the answer's velocity, a contact's gap at the end of the step is gap + dt u_n = dt left. Shifts dt d
 * of the positions are sought with
 *     d_n + w >= 0  complementary to  y >= 0,   w = left where open, share * left where it penetrates
 *                   (at most `most`),
 * d = M^-1 W y: no friction, so that what a packing allows to open can open, and from y = 0 in every
 * step. A few sweeps over the same bundles are enough, for what is left comes back in the next step;
 * they stop at the tolerance.
 *
 * Joints are rows of the same problem and are met last: J d = 0 in held directions and where a motor or
 * friction holds by less than its bound, J d + left >= 0 at limits, nothing where a motor or friction
 * gives all it can.
 *
 * Shifts take the place of the bodies' velocities, and what they need that of the lanes' impulses and
 * gaps, so that corrections cost no memory: whoever asks for them has stored velocities and impulses
 * before. */
#include <string.h>
#include "math/vec.h"
#include "solve/sweeps/nbgs.h"

/* The speed w by which a contact may close, or if negative must open, beyond its velocity along the
 * normal. */
static double wanted(const sc_problem *problem, double gap, double u_n) {
  double left = gap + u_n;
  double share = problem->share * left;
  return left >= 0 ? left : share > -problem->most ? share : -problem->most;
}

static void aim_lane(const sc_problem *problem, sc_bundle *b, int l) {
  const sc_solver_body *one = problem->body + b->i[l],
                       *two = problem->body + (b->j[l] < 0 ? ~b->j[l] : b->j[l]);
  double n[3] = {b->n[0][l], b->n[1][l], b->n[2][l]}, u[3];
  sc_ball_velocity(one, two, n, u);
  b->bias[l] = wanted(problem, b->bias[l], sc_dot(u, n));
}

/* Bundles are asked for ahead, and, once these are there, bodies. */
SC_FETCH fetch_aim(const sc_problem *problem, const sc_bundle *b, int64_t left) {
  enum { BUNDLES_AHEAD = 12, BODIES_AHEAD = 4 };
  if (left > BUNDLES_AHEAD) {
    const sc_bundle *far = b + BUNDLES_AHEAD;
    __builtin_prefetch(far->i);
    for (int k = 0; k < 3; k++) __builtin_prefetch(far->n[k]), __builtin_prefetch(far->p[k], 1);
    __builtin_prefetch(far->bias, 1);
  }
  if (left <= BODIES_AHEAD) return;
  for (int l = 0; l < SC_LANES; l++) {
    int32_t i = b[BODIES_AHEAD].i[l], j = b[BODIES_AHEAD].j[l];
    __builtin_prefetch(problem->body + i);
    __builtin_prefetch(problem->body + (j < 0 ? ~j : j));
  }
}

/* No contact has an impulse yet. */
static void aim(void *context, int64_t first, int64_t end) {
  sc_nbgs *r = context;
  const sc_problem *problem = r->problem;
  for (int64_t at = first; at < end; at++) {
    sc_bundle *b = r->balls->bundle + at;
    fetch_aim(problem, b, end - at);
    for (int l = 0; l < SC_LANES; l++)
      if (b->i[l] < problem->bodies) aim_lane(problem, b, l);
    memset(b->p, 0, sizeof b->p);
  }
}

/* Sweeps carry no momentum, contacts have no friction, and every bias counts. */
static void change_streams(sc_lanes *lanes) {
  static const double none[1][SC_LANES];
  for (int s = 0; s < sc_lanes_streams(lanes); s++) {
    sc_bundles *stream = lanes->stream + s;
    stream->past = NULL;
    stream->couple = NULL;
    stream->mu = none, stream->mu_step = 0;
    stream->least = -INFINITY;
  }
  lanes->used = true;
}

static void aim_generals(void *context, int64_t first, int64_t end) {
  sc_nbgs *r = context;
  for (int64_t c = first; c < end; c++) {
    double u[SCREE_LAW_MAX_DIM];
    sc_problem_general_velocity(r->problem, r->problem->general + c, u);
    r->pushes[c] = (sc_nbgs_push){wanted(r->problem, r->problem->general_gap[c], u[0]), 0};
  }
}

/* Rows of joints for shifts: what is stiff keeps still, limits leave what room the velocities left,
 * forces do nothing. */
static void aim_joints(sc_nbgs *r) {
  const sc_problem *problem = r->problem;
  for (int32_t k = 0; k < problem->joint_rows; k++) {
    const sc_joint_row *from = problem->joint_row + k;
    sc_joint_row *row = r->joint_shift + k;
    bool limit = from->lo == 0 && from->hi == INFINITY, stiff = from->lo < from->x && from->x < from->hi;
    *row = *from;
    row->x = 0;
    row->bias = limit ? fmax(0, sc_problem_joint_velocity(problem, from) + from->bias) : 0;
    if (limit) continue;
    row->lo = stiff ? -INFINITY : 0;
    row->hi = stiff ? INFINITY : 0;
  }
}

/* Joints have the last word: what they are pulled apart would come back as a speed. */
static void close_joints(sc_nbgs *r) {
  const sc_border *border = r->problem->border;
  if (r->problem->joint_rows) sc_joint_blocks_relax(r->problem, &r->joints);
  if (border) sc_border_meet(border, r->problem->body);
}

static void iterate_positions(void *context, int thread, int threads) {
  sc_nbgs *r = context;
  for (int64_t sweep = 1; sweep <= r->par.correction_iterations; sweep++) {
    double largest = sc_nbgs_deciding(r, thread, sweep, sc_nbgs_sweep(r, 0, thread, threads));
    sc_pool_barrier(r->pool); /* nobody overwrites largest[] before all have read it */
    if (largest <= r->tolerance_square) return;
  }
}

typedef struct rest {
  const sc_solver_body *body;
  sc_solver_body *shift;
} rest;

/* Bodies that have not been shifted yet. */
static void start_shifts(void *context, int64_t first, int64_t end) {
  const rest *r = context;
  for (int64_t row = first; row < end; row++)
    r->shift[row] = (sc_solver_body){.inv_mass = r->body[row].inv_mass, .k = r->body[row].k};
}

void sc_problem_correct(sc_problem *problem) {
  sc_nbgs *r = problem->sweeper;
  if (!r) return;
  sc_solver_body *velocity = problem->body, *shift = r->shift ? r->shift : velocity;
  sc_pool_ranges(r->pool, r->balls->count, SC_RANGE / SC_LANES, aim, r);
  sc_pool_ranges(r->pool, problem->generals, SC_RANGE, aim_generals, r);
  aim_joints(r);
  sc_joint_row *rows = problem->joint_row;
  sc_pool_ranges(r->pool, problem->bodies, SC_RANGE, start_shifts, &(rest){velocity, shift});
  sc_nbgs_clear_spares(problem->bodies, sc_pool_threads(r->pool), shift);
  change_streams(r->balls);
  r->push = r->pushes;
  problem->body = shift;
  problem->joint_row = r->joint_shift;
  sc_pool_run(r->pool, iterate_positions, r);
  if (problem->border && r->par.correction_iterations > 0)
    problem->border->reduce_finish(problem->border->context);
  close_joints(r);
  problem->body = velocity;
  problem->joint_row = rows;
  problem->shift = shift;
  r->push = NULL;
}

scree_status sc_problem_prepare(
    sc_problem *problem, const scree_solver_def *given, sc_pool *pool, sc_arena *arena, scree_error *error) {
  scree_solver_def par = *given;
  par.acceleration = 0;
  if (!problem->positions || problem->sweeper) return SCREE_OK;
  sc_solver_body *original = problem->body;
  sc_nbgs *r = SC_TAKE(arena, sc_nbgs, 1);
  bool fine = r && sc_nbgs_set_up(r, problem, &par, pool, arena);
  problem->body = original;
  if (fine) problem->sweeper = r;
  return fine
      ? SCREE_OK
      : sc_fail(error, SCREE_E_MEMORY, "no memory to correct positions of %d bodies", problem->bodies);
}
