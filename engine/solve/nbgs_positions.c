/* Shifts of positions, by sweeps of nonlinear block Gauss-Seidel.
 *
 * Where the problem asks for it (problem->gap), penetrations are taken back after velocities are solved, not by speeds
 * that contacts ask for: those stay in the bodies as kinetic energy, and friction can hold grains so that no impulses of any size
 * give the speeds, which then grow without end. With u_n the answer's velocity, a contact's gap at the end of the step is
 * gap + dt u_n = dt left. Shifts dt d of the positions are sought with
 *     d_n + w >= 0  complementary to  y >= 0,   w = left where open, share * left where it penetrates (at most `most`),
 * d = M^-1 W y: no friction, so that what a packing allows to open can open, and from y = 0 in every step. A few sweeps over the
 * same bundles are enough, for what is left comes back in the next step; they stop at the tolerance. */
#include "math/vec.h"
#include "solve/nbgs.h"

/* The speed w by which a contact may close, or if negative must open, beyond its velocity along the normal. */
static double wanted(const sc_problem *problem, int32_t gap, double u_n) {
  double left = problem->gap[gap] + u_n;
  return left >= 0 ? left : fmax(problem->share * left, -problem->most);
}

/* Bundles, their contacts and bodies are asked for ahead. */
SC_FETCH fetch_aim(const sc_bundles *s, const sc_problem *problem, int32_t at) {
  enum { CONTACTS = 8, BODIES = 3 };
  for (int l = 0; l < SC_LANES && at + CONTACTS < s->count; l++) {
    int32_t c = s->contact[(size_t)(at + CONTACTS) * SC_LANES + (size_t)l];
    if (c < 0) continue;
    __builtin_prefetch(problem->ball + c);
    __builtin_prefetch(&problem->ball[c].j);
    __builtin_prefetch(problem->gap + c);
  }
  for (int l = 0; l < SC_LANES && at + BODIES < s->count; l++) {
    int32_t c = s->contact[(size_t)(at + BODIES) * SC_LANES + (size_t)l];
    if (c < 0) continue;
    __builtin_prefetch(problem->body + problem->ball[c].i);
    __builtin_prefetch(problem->body + problem->ball[c].j);
  }
}

static void aim_bundles(const sc_bundles *s, const sc_problem *problem) {
  for (int32_t at = 0; at < s->count; at++) {
    sc_bundle *b = s->bundle + at;
    fetch_aim(s, problem, at);
    for (int lane = 0; lane < SC_LANES; lane++) {
      int32_t c = s->contact[(size_t)at * SC_LANES + (size_t)lane];
      double u[3];
      if (c < 0) continue;
      sc_problem_ball_velocity(problem, c, u);
      b->bias[lane] = wanted(problem, c, sc_dot(u, problem->ball[c].n));
      b->mu[lane] = b->p[0][lane] = b->p[1][lane] = b->p[2][lane] = 0;
    }
  }
}

static void aim(void *context, int thread, int threads) {
  sc_nbgs *r = context;
  (void)threads;
  for (int part = 0; part < r->parts; part++)
    for (int colour = 0; colour < r->colours; colour++) {
      sc_bundles *s = r->worker[thread].bundles[part] + colour;
      s->past = NULL;   /* sweeps carry no momentum, */
      s->couple = NULL; /* and shifts meet no friction */
      aim_bundles(s, r->problem);
    }
}

static void aim_generals(void *context, int64_t first, int64_t end) {
  sc_nbgs *r = context;
  for (int64_t c = first; c < end; c++) {
    double u[SCREE_LAW_MAX_DIM];
    sc_problem_general_velocity(r->problem, r->problem->general + c, u);
    r->push[c] = (sc_nbgs_push){wanted(r->problem, r->problem->balls + (int32_t)c, u[0]), 0};
  }
}

static void iterate_positions(void *context, int thread, int threads) {
  sc_nbgs *r = context;
  const sc_border *border = r->problem->border;
  for (int64_t sweep = 0; sweep < r->par->correction_iterations; sweep++) {
    double largest = sc_nbgs_sweep(r, 0, thread, threads);
    if (border && thread == 0) r->largest = border->largest(border->context, largest);
    sc_pool_barrier(r->pool); /* nobody overwrites largest[] before all have read it */
    if ((border ? r->largest : largest) <= r->tolerance_square) return;
  }
}

typedef struct rest { const sc_solver_body *body; sc_solver_body *shift; } rest;

/* Bodies that have not been shifted yet. */
static void start_shifts(void *context, int64_t first, int64_t end) {
  const rest *r = context;
  for (int64_t row = first; row < end; row++)
    r->shift[row] = (sc_solver_body){.inv_mass = r->body[row].inv_mass, .k = r->body[row].k};
}

bool sc_nbgs_correct(sc_nbgs *r, sc_arena *arena) {
  sc_problem *problem = r->problem;
  size_t rows = (size_t)problem->bodies + (size_t)sc_solver_spare(sc_pool_threads(r->pool));
  sc_solver_body *velocity = problem->body, *shift = SC_TAKE(arena, sc_solver_body, rows);
  r->push = SC_TAKE(arena, sc_nbgs_push, (size_t)problem->generals + 1);
  if (!shift || !r->push) return false;
  sc_pool_run(r->pool, aim, r);
  sc_pool_ranges(r->pool, problem->generals, SC_RANGE, aim_generals, r);
  sc_pool_ranges(r->pool, (int64_t)rows, SC_RANGE, start_shifts, &(rest){velocity, shift});
  problem->body = shift;
  sc_pool_run(r->pool, iterate_positions, r);
  problem->body = velocity;
  problem->shift = shift;
  r->push = NULL;
  return true;
}

scree_status sc_problem_correct(sc_problem *problem, const scree_solver_def *given, sc_pool *pool, sc_arena *arena, scree_error *error) {
  scree_solver_def par = *given;
  par.acceleration = 0;
  sc_nbgs r = sc_nbgs_begin(problem, &par, pool);
  sc_solver_body *original = problem->body;
  bool fine = sc_nbgs_set_up(&r, arena) && sc_nbgs_correct(&r, arena);
  problem->body = original;
  return fine ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "no memory to correct positions of %d bodies", problem->bodies);
}
