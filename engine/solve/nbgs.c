/* Nonlinear block Gauss-Seidel (Preclik & Ruede 2015; Preclik, Eibl & Ruede 2017, section 3): visits contacts one after the other,
 * replaces each impulse by its law's answer with all others held, and carries the change over to the two bodies at once. Stops
 * when the largest change of velocity |A_jj dx_j| in a sweep falls below the tolerance.
 *
 * A sweep goes over mechanisms (joint_blocks.h), ball contacts, general contacts. Both buckets of contacts are visited colour by
 * colour and block by block (order.h), balls in bundles (lanes.h): the result is the same for any number of threads and any width
 * of vectors.
 *
 * A problem that is spread over ranks is swept by all of them at a time, each on its own contacts; after each sweep the border's
 * bodies meet (problem.h), which is a Jacobi step between ranks with as much relaxation as each body has copies. Contacts of such
 * bodies are swept first, and their velocities travel while the others are swept. The largest change over all ranks travels during
 * the next sweep, so that ranks stop one sweep after the one that met the tolerance.
 *
 * Positions. Where the problem asks for it (problem->gap), penetrations are taken back after velocities are solved, not by speeds
 * that contacts ask for: those stay in the bodies as kinetic energy, and friction can hold grains so that no impulses of any size
 * give the speeds, which then grow without end. With u_n the answer's velocity, a contact's gap at the end of the step is
 * gap + dt u_n = dt left. Shifts dt d of the positions are sought with
 *     d_n + w >= 0  complementary to  y >= 0,   w = left where open, share * left where it penetrates (at most `most`),
 * d = M^-1 W y: no friction, so that what a packing allows to open can open, and from y = 0 in every step. A few sweeps over the
 * same bundles are enough, for what is left comes back in the next step; they stop at the tolerance. */
#include "math/vec.h"
#include "problem/problem.h"
#include "solve/joint_blocks.h"
#include "solve/lanes.h"
#include "solve/momentum.h"
#include "solve/order.h"

#include <stdatomic.h>
#include <string.h>

enum {
  PARTS = 2,        /* contacts of border bodies and the others */
  PIECE = 256,      /* bundles between two looks at the messages */
  UNPACK_AHEAD = 8  /* bundles whose contacts are asked for before impulses go back to them */
};

typedef struct worker { /* what one thread needs; arrays by colour, or one stream over all colours when alone */
  sc_bundles bundles[PARTS][SC_COLOURS];
  sc_bundle_plan plan[PARTS][SC_COLOURS];
  int32_t *last;            /* per body: the bundle that touched it last */
  int32_t pad, sink;        /* rows of spare bodies */
  double largest[16];       /* [0] used; the rest keeps threads on separate cache lines */
} worker;

typedef struct push { double want, x; } push; /* speed w that a general contact may keep; its share y */

typedef struct run {
  sc_problem *problem;
  const scree_solver_def *par;
  sc_pool *pool;
  sc_order balls[PARTS], generals[PARTS];
  int parts;                /* 1: nothing lies beyond, all contacts are in the first part */
  sc_joint_blocks joints;
  int32_t *group; unsigned char *lane, *fill; /* plans of the bundles (lanes.h) */
  worker *worker;
  sc_momentum momentum;     /* where par->acceleration is set */
  bool scripted;            /* a user's law is among the laws: general contacts stay in the calling thread */
  struct push *push;        /* of general contacts, while positions are corrected */
  sc_sweep sweep;
  double tolerance_square;
  atomic_int failed;
  int64_t sweeps;
  double largest;
  double norm;              /* of the last change, over all ranks */
} run;

/* ---- one contact ---- */

/* Relaxes a general contact; the square of its change in velocity, negative when a user's law failed. */
static double relax_general(sc_problem *problem, const sc_general_contact *c, double omega) {
  const double *A = problem->block + c->block;
  double *x = problem->x + c->x, u[SCREE_LAW_MAX_DIM], next[SCREE_LAW_MAX_DIM], d[SCREE_LAW_MAX_DIM], square = 0;
  sc_problem_general_velocity(problem, c, u);
  if (sc_local_general(problem, c, u, next) < 0) return -1;
  for (int r = 0; r < c->dim; r++) {
    d[r] = omega * (next[r] - x[r]);
    x[r] = omega == 1 ? next[r] : x[r] + d[r];
  }
  sc_problem_general_apply(problem, c, d);
  for (int r = 0; r < 3; r++) {
    double sum = 0;
    for (int s = 0; s < c->dim; s++) sum += A[r * c->dim + s] * d[s];
    square += sum * sum;
  }
  return square;
}

/* Relaxes a general contact's push on positions, along its normal alone. */
static double relax_push(sc_problem *problem, const sc_general_contact *c, push *own) {
  double u[SCREE_LAW_MAX_DIM], d[SCREE_LAW_MAX_DIM] = {0}, a = problem->block[c->block];
  sc_problem_general_velocity(problem, c, u);
  double next = fmax(0, own->x - (u[0] + own->want) / a);
  d[0] = next - own->x;
  own->x = next;
  if (d[0] != 0) sc_problem_general_apply(problem, c, d);
  return a * a * d[0] * d[0];
}

/* ---- one thread's share of a sweep; returns the largest square of a change ---- */

static double sweep_joints(run *r, int thread) {
  double largest = 0;
  if (!r->problem->joint_rows) return 0;
  if (thread == 0) largest = sc_joint_blocks_relax(r->problem, &r->joints);
  sc_pool_barrier(r->pool);
  return largest;
}

/* Bundles of one colour, in pieces where messages may come in between. */
static double sweep_bundles(run *r, const sc_bundles *b, double beta, int thread, bool listens) {
  const sc_border *border = r->problem->border;
  sc_solver_body *body = r->problem->body, *sink = body + r->worker[thread].sink;
  double largest = 0;
  int32_t piece = listens ? PIECE : b->count;
  for (int32_t at = 0; at < b->count; at += piece) {
    int32_t count = b->count - at < piece ? b->count - at : piece;
    largest = fmax(largest, r->sweep(b->bundle + at, b->past ? b->past + at : NULL, beta, count, body, sink, r->par->relaxation));
    if (listens) border->advance(border->context, body);
  }
  return largest;
}

static double sweep_balls(run *r, int part, double beta, int thread, int threads) {
  double largest = 0;
  bool listens = part > 0 && thread == 0;
  for (int colour = 0; colour < (threads > 1 ? SC_COLOURS : 1); colour++) {
    largest = fmax(largest, sweep_bundles(r, r->worker[thread].bundles[part] + colour, beta, thread, listens));
    sc_pool_barrier(r->pool);
  }
  return largest;
}

static double sweep_generals(run *r, int part, int thread, int threads) {
  const sc_order *order = r->generals + part;
  double largest = 0;
  if (!order->count) return 0;
  for (int colour = 0; colour < SC_COLOURS; colour++) {
    int32_t begin = 0, end = 0;
    if (!r->scripted)
      sc_order_share(order, colour, thread, threads, &begin, &end);
    else if (thread == 0)
      sc_order_share(order, colour, 0, 1, &begin, &end);
    for (int32_t k = begin; k < end; k++) {
      const sc_general_contact *c = r->problem->general + order->visit[k];
      double square = r->push ? relax_push(r->problem, c, r->push + order->visit[k]) : relax_general(r->problem, c, r->par->relaxation);
      if (square < 0) {
        atomic_store(&r->failed, 1);
        break;
      }
      largest = fmax(largest, square);
      if (part > 0 && thread == 0 && (k - begin) % PIECE == PIECE - 1)
        r->problem->border->advance(r->problem->border->context, r->problem->body);
    }
    sc_pool_barrier(r->pool);
  }
  return largest;
}

static double sweep_part(run *r, int part, double beta, int thread, int threads) {
  double largest = sweep_balls(r, part, beta, thread, threads);
  return fmax(largest, sweep_generals(r, part, thread, threads));
}

/* Everything once; border bodies have met at the end. */
static double sweep_all(run *r, double beta, int thread, int threads) {
  const sc_border *border = r->problem->border;
  double largest = sweep_joints(r, thread);
  largest = fmax(largest, sweep_part(r, 0, beta, thread, threads));
  if (!border) return largest;
  if (thread == 0) border->start(border->context, r->problem->body);
  largest = fmax(largest, sweep_part(r, 1, beta, thread, threads));
  if (thread == 0) border->finish(border->context, r->problem->body);
  return largest;
}

/* ---- all sweeps ---- */

/* Between two sweeps: moves everything but the balls' impulses on by momentum; the beta by which the next sweep moves those. */
static double accelerate(run *r, sc_pace *pace, int thread, int threads) {
  if (!r->par->acceleration) return 0;
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

/* The largest change that decides whether to stop: of this sweep, or, where other ranks sweep their parts, of the sweep before over
 * all ranks. */
static double deciding(run *r, int thread, int64_t sweep, double largest) {
  const sc_border *border = r->problem->border;
  if (!border) return largest;
  if (thread == 0) {
    r->largest = sweep > 1 ? border->learn(border->context) : INFINITY;
    border->tell(border->context, atomic_load(&r->failed) ? 0 : largest);
  }
  sc_pool_barrier(r->pool);
  return r->largest;
}

static void iterate(void *context, int thread, int threads) {
  run *r = context;
  sc_pace pace = {1, INFINITY, 0};
  double beta = 0;
  for (int64_t sweep = 1; sweep <= r->par->iterations; sweep++) {
    double largest = sweep_all(r, beta, thread, threads);
    r->worker[thread].largest[0] = largest;
    sc_pool_barrier(r->pool);
    for (int t = 0; t < threads; t++) largest = fmax(largest, r->worker[t].largest[0]);
    largest = deciding(r, thread, sweep, largest);
    if (thread == 0) {
      r->sweeps = sweep;
      r->largest = largest;
    }
    bool done = atomic_load(&r->failed) || (largest <= r->tolerance_square && sweep >= r->par->min_iterations);
    sc_pool_barrier(r->pool); /* nobody overwrites largest[] before all have read it */
    if (done) return;
    if (sweep < r->par->iterations) beta = accelerate(r, &pace, thread, threads);
  }
}

/* ---- setting up ---- */

/* Every thread has three spare rows behind the bodies: two that pad bundles, one that swallows writes. Bodies are copied where the
 * problem has no room for them. */
static bool add_spares(run *r, int threads, sc_arena *arena) {
  sc_problem *problem = r->problem;
  size_t rows = (size_t)problem->bodies, spares = (size_t)sc_solver_spare(threads);
  if (problem->spare < sc_solver_spare(threads)) {
    sc_solver_body *body = SC_TAKE(arena, sc_solver_body, rows + spares);
    if (!body) return false;
    memcpy(body, problem->body, rows * sizeof *body);
    problem->body = body;
  }
  memset(problem->body + rows, 0, spares * sizeof *problem->body);
  for (int t = 0; t < threads; t++) {
    r->worker[t].pad = problem->bodies + 3 * t;
    r->worker[t].sink = r->worker[t].pad + 2;
    problem->body[r->worker[t].pad].inv_mass = 1;
  }
  return true;
}

/* With one thread all colours of a part form one stream: bundles then span colours, which changes no order and fills more lanes. */
static void plan_balls(void *context, int thread, int threads) {
  run *r = context;
  worker *w = r->worker + thread;
  int32_t base = 0, offset = 0;
  memset(w->last, 0xff, (size_t)r->problem->bodies * sizeof *w->last);
  for (int part = 0; part < r->parts; offset += r->balls[part++].count)
    for (int colour = 0; colour < (threads > 1 ? SC_COLOURS : 1); colour++) {
      const sc_order *order = r->balls + part;
      int32_t begin = 0, end = order->count;
      if (threads > 1) sc_order_share(order, colour, thread, threads, &begin, &end);
      /* plans follow each other as their visits do; fill has 64 entries more than contacts */
      size_t at = (size_t)(offset + begin), gap = 64 * (size_t)((part * SC_COLOURS + colour) * threads + thread);
      sc_bundle_plan *plan = w->plan[part] + colour;
      *plan = (sc_bundle_plan){begin, end, r->group + at, r->lane + at, r->fill + at + gap};
      w->bundles[part][colour].count = sc_bundles_plan(r->problem, order->visit, plan, w->last, &base);
    }
}

static void fill_balls(void *context, int thread, int threads) {
  run *r = context;
  worker *w = r->worker + thread;
  for (int part = 0; part < r->parts; part++)
    for (int colour = 0; colour < (threads > 1 ? SC_COLOURS : 1); colour++)
      sc_bundles_fill(r->problem, r->balls[part].visit, w->plan[part] + colour, w->pad, w->bundles[part] + colour);
}

static bool take_bundles(run *r, int threads, sc_arena *arena) {
  for (int t = 0; t < threads; t++)
    for (int part = 0; part < r->parts; part++)
      for (int colour = 0; colour < (threads > 1 ? SC_COLOURS : 1); colour++) {
        sc_bundles *bundles = r->worker[t].bundles[part] + colour;
        if (!sc_bundles_take(bundles->count, r->par->acceleration, arena, bundles)) return false;
      }
  return true;
}

static bool bundle_balls(run *r, int threads, sc_arena *arena) {
  size_t count = (size_t)r->problem->balls;
  if (!count) return true;
  r->group = SC_TAKE(arena, int32_t, count);
  r->lane = SC_TAKE(arena, unsigned char, count);
  r->fill = SC_TAKE(arena, unsigned char, count + 64 * PARTS * SC_COLOURS * (size_t)threads);
  if (!r->group || !r->lane || !r->fill) return false;
  for (int t = 0; t < threads; t++)
    if (!(r->worker[t].last = SC_TAKE(arena, int32_t, r->problem->bodies))) return false;
  sc_pool_run(r->pool, plan_balls, r);
  if (!take_bundles(r, threads, arena)) return false;
  sc_pool_run(r->pool, fill_balls, r);
  return true;
}

/* The order of one bucket, in two parts where some bodies are held by several ranks. */
static bool order_bucket(run *r, int32_t count, const int32_t *first, const int32_t *second, size_t stride, sc_arena *arena,
    sc_order part[PARTS]) {
  const sc_border *border = r->problem->border;
  sc_order whole;
  if (!sc_order_build(r->problem, count, first, second, stride, r->pool, arena, border ? &whole : part)) return false;
  return !border || sc_order_split(&whole, border->shared, first, second, stride, arena, part);
}

static bool set_up(run *r, int threads, sc_arena *arena) {
  sc_problem *problem = r->problem;
  enum { BALL_STRIDE = sizeof(sc_ball_contact) / sizeof(int32_t), GENERAL_STRIDE = sizeof(sc_general_contact) / sizeof(int32_t) };
  /* an empty bucket may have no array at all */
  const int32_t *ball_i = problem->balls ? &problem->ball->i : NULL, *ball_j = problem->balls ? &problem->ball->j : NULL;
  const int32_t *general_i = problem->generals ? &problem->general->i : NULL,
      *general_j = problem->generals ? &problem->general->j : NULL;
  r->parts = problem->border ? PARTS : 1;
  if (!order_bucket(r, problem->balls, ball_i, ball_j, BALL_STRIDE, arena, r->balls)) return false;
  if (!order_bucket(r, problem->generals, general_i, general_j, GENERAL_STRIDE, arena, r->generals)) return false;
  if (!sc_joint_blocks_build(problem, arena, &r->joints)) return false;
  r->worker = SC_TAKE(arena, worker, threads);
  if (!r->worker) return false;
  memset(r->worker, 0, (size_t)threads * sizeof *r->worker);
  for (int32_t law = 0; law < problem->laws; law++) r->scripted |= problem->law[law]->user != NULL;
  if (!add_spares(r, threads, arena) || !bundle_balls(r, threads, arena)) return false;
  return !r->par->acceleration || sc_momentum_build(problem, arena, &r->momentum);
}

/* Share of the bundles' lanes that hold a contact. */
static double fill(const run *r, int threads) {
  int64_t lanes = 0, used = 0;
  for (int t = 0; t < threads; t++)
    for (int s = 0; s < PARTS * SC_COLOURS; s++) {
      const sc_bundles *b = r->worker[t].bundles[s / SC_COLOURS] + s % SC_COLOURS;
      lanes += (int64_t)b->count * SC_LANES;
      used += b->lanes;
    }
  return lanes ? (double)used / (double)lanes : 0;
}

/* Impulses of balls go back from their lanes to the problem; bundles and contacts are asked for ahead. */
static void unpack_bundles(const sc_bundles *s, sc_problem *problem) {
  for (int32_t at = 0; at < s->count; at++) {
    const sc_bundle *b = s->bundle + at;
    const int32_t *contact = s->contact + (size_t)at * SC_LANES;
    if (at + UNPACK_AHEAD < s->count)
      for (int l = 0; l < SC_LANES; l++) {
        int32_t c = contact[UNPACK_AHEAD * SC_LANES + l];
        if (c >= 0) __builtin_prefetch(problem->ball[c].p, 1);
      }
    for (int k = 0; k < 3 && at + UNPACK_AHEAD < s->count; k++) __builtin_prefetch(b[UNPACK_AHEAD].p[k]);
    for (int l = 0; l < SC_LANES; l++)
      for (int k = 0; k < 3 && contact[l] >= 0; k++) problem->ball[contact[l]].p[k] = b->p[k][l];
  }
}

static void unpack(void *context, int thread, int threads) {
  const run *r = context;
  for (int part = 0; part < r->parts; part++)
    for (int colour = 0; colour < (threads > 1 ? SC_COLOURS : 1); colour++)
      unpack_bundles(r->worker[thread].bundles[part] + colour, r->problem);
}

/* ---- positions ---- */

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
  run *r = context;
  for (int part = 0; part < r->parts; part++)
    for (int colour = 0; colour < (threads > 1 ? SC_COLOURS : 1); colour++) {
      sc_bundles *s = r->worker[thread].bundles[part] + colour;
      s->past = NULL; /* sweeps carry no momentum */
      aim_bundles(s, r->problem);
    }
}

static void aim_generals(void *context, int64_t first, int64_t end) {
  run *r = context;
  for (int64_t c = first; c < end; c++) {
    double u[SCREE_LAW_MAX_DIM];
    sc_problem_general_velocity(r->problem, r->problem->general + c, u);
    r->push[c] = (push){wanted(r->problem, r->problem->balls + (int32_t)c, u[0]), 0};
  }
}

static void iterate_positions(void *context, int thread, int threads) {
  run *r = context;
  const sc_border *border = r->problem->border;
  for (int64_t sweep = 0; sweep < r->par->correction_iterations; sweep++) {
    double largest = sweep_all(r, 0, thread, threads);
    r->worker[thread].largest[0] = largest;
    sc_pool_barrier(r->pool);
    for (int t = 0; t < threads; t++) largest = fmax(largest, r->worker[t].largest[0]);
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

/* False without memory. The problem's velocities stay as they are; its bundles are used up. */
static bool correct_positions(run *r, int threads, sc_arena *arena) {
  sc_problem *problem = r->problem;
  size_t rows = (size_t)problem->bodies + (size_t)sc_solver_spare(threads);
  sc_solver_body *velocity = problem->body, *shift = SC_TAKE(arena, sc_solver_body, rows);
  r->push = SC_TAKE(arena, push, (size_t)problem->generals + 1);
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

static scree_status solve(sc_problem *problem, const scree_solver_def *par, sc_pool *pool, sc_arena *arena,
    sc_solver_report *report, scree_error *error) {
  /* with few contacts a thread the barriers between colours cost more than another core helps, above all on a machine with more
   * to do */
  if (problem->balls + problem->generals < par->contacts_per_thread * sc_pool_threads(pool)) pool = NULL;
  int threads = sc_pool_threads(pool);
  run r = {.problem = problem, .par = par, .pool = pool, .sweep = sc_sweep_best(),
      .tolerance_square = par->tolerance * par->tolerance};
  sc_solver_body *original = problem->body;
  report->iterations = 0;
  report->residual = 0;
  if (problem->balls + problem->generals + problem->joint_rows == 0 && !problem->border) return SCREE_OK;
  if (!set_up(&r, threads, arena)) {
    problem->body = original;
    return sc_fail(error, SCREE_E_MEMORY, "no memory to order %d contacts", problem->balls + problem->generals);
  }
  sc_pool_run(pool, iterate, &r);
  if (problem->border && r.sweeps) r.largest = problem->border->learn(problem->border->context);
  sc_pool_run(pool, unpack, &r);
  report->iterations = r.sweeps;
  report->residual = sqrt(r.largest);
  report->fill = fill(&r, threads);
  scree_status status = atomic_load(&r.failed) ? sc_fail(error, SCREE_E_LAW, "a friction law failed") : SCREE_OK;
  if (status == SCREE_OK && problem->gap && !correct_positions(&r, threads, arena))
    status = sc_fail(error, SCREE_E_MEMORY, "no memory to correct positions of %d bodies", problem->bodies);
  if (problem->body != original) memcpy(original, problem->body, (size_t)problem->bodies * sizeof *original);
  problem->body = original;
  return status;
}

scree_status sc_problem_correct(sc_problem *problem, const scree_solver_def *given, sc_pool *pool, sc_arena *arena, scree_error *error) {
  scree_solver_def par = *given;
  par.acceleration = 0;
  if (problem->balls + problem->generals < par.contacts_per_thread * sc_pool_threads(pool)) pool = NULL;
  int threads = sc_pool_threads(pool);
  run r = {.problem = problem, .par = &par, .pool = pool, .sweep = sc_sweep_best(), .tolerance_square = par.tolerance * par.tolerance};
  sc_solver_body *original = problem->body;
  bool fine = set_up(&r, threads, arena) && correct_positions(&r, threads, arena);
  problem->body = original;
  return fine ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "no memory to correct positions of %d bodies", problem->bodies);
}

const sc_solver sc_solver_nbgs = {"nbgs", "nonlinear block Gauss-Seidel", solve};
