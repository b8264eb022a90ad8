/* One sweep of nonlinear block Gauss-Seidel over joints, balls and general contacts, on all threads. */
#include "math/vec.h"
#include "solve/sweeps/nbgs.h"

enum { PIECE = 256 };           /* bundles between two polls for messages */
enum { NEAR_BODIES = 1 << 14 }; /* bodies whose rows and inertias fit into the second-level cache */

/* A thread's part of a sweep. */
typedef struct turn {
  sc_nbgs *r;
  const sc_nbgs_way *way;
  int thread;
  double largest; /* squared largest velocity change so far */
  bool open;      /* a barrier is due: other threads may still change bodies that this thread uses next */
  int32_t swept;  /* number of bundles swept since the last poll for messages */
} turn;

/* Waits for the other threads if a barrier is due. */
static void wait_if_open(turn *t) {
  if (t->open) sc_pool_barrier(t->r->pool);
  t->open = false;
}

/* ---- one thread's share of a sweep ---- */

/* Returns the first index >= low that belongs to `thread`. */
static int32_t share_from(int32_t low, int thread, int threads) {
  return low + (thread - low % threads + threads) % threads;
}

double sc_nbgs_joints(const sc_nbgs *r, double beta, int thread, int threads) {
  const sc_mechanisms *m = &r->mechanisms;
  double largest = thread == 0 ? sc_joint_blocks_relax(&r->problem, &r->joints) : 0;
  if (!m->count) return largest;
  sc_mechanism_sweep_in in = {m, thread, r->met ? m->busy : m->count, threads, r->problem.body,
      r->problem.body + sc_lanes_sink(r->problem.bodies, thread), m->room + thread, r->par.acceleration,
      beta};
  largest = fmax(largest, r->mechanism_sweep(&in));
  // a second solve of the mechanisms without contacts and bonds removes the rounding errors of the first
  in.first = share_from(m->busy, thread, threads);
  if (!r->met) r->mechanism_sweep(&in);
  return largest;
}

static void raise_largest(turn *t, double square) { t->largest = fmax(t->largest, square); }

static void sweep_joints(turn *t) {
  const sc_nbgs *r = t->r;
  if (!r->problem.joint_rows) return;
  raise_largest(t, sc_nbgs_joints(r, t->way->beta, t->thread, sc_pool_threads(r->pool)));
  t->open = true;
}

/* Polls for messages on thread 0, between pieces of the last part of a sweep. swept: bundles since the last
 * call. */
static void poll_messages(turn *t, int part, int32_t swept) {
  sc_nbgs *r = t->r;
  t->swept += swept;
  if (part == 0 || t->thread > 0 || !r->listens || t->swept < PIECE) return;
  r->listens = r->exchange->advance(r->exchange->context, r->problem.body);
  t->swept = 0;
}

static sc_solver_body *sink_of(const turn *t) {
  return t->r->problem.body + sc_lanes_sink(t->r->problem.bodies, t->thread);
}

/* Sweeps bundles at .. *end - 1, or fewer, and sets *end to the first bundle that it did not sweep. last: end
 * of the bundles that may be prefetched. Returns the squared largest velocity change. */
typedef double piece_sweep(const turn *t, int32_t at, int32_t *end, int32_t last);

/* Sweeps a thread's share of a part, round by round. */
static void sweep_slots(turn *t, const sc_slots *slots, int part, piece_sweep *sweep) {
  for (int round = 0; round < slots->rounds; round++) {
    const sc_stream s = sc_slots_share(slots, t->thread, part, round);
    const int32_t last = sc_slots_end(slots, t->thread, part), stop = s.first + s.count;
    wait_if_open(t);
    for (int32_t at = s.first, end; at < stop; at = end) {
      end = stop - at > PIECE ? at + PIECE : stop;
      raise_largest(t, sweep(t, at, &end, last));
      poll_messages(t, part, end - at);
    }
    t->open = true;
  }
}

static double sweep_ball_bundles(const turn *t, int32_t at, int32_t *end, int32_t last) {
  const sc_nbgs *r = t->r;
  const sc_sweep_in in = {&r->balls->bundles, r->push, at, *end, last, r->problem.body, sink_of(t),
      r->par.relaxation, t->way->beta};
  return r->sweep(&in);
}

static double sweep_bonds(const turn *t, int32_t at, int32_t *end, int32_t last) {
  const sc_nbgs *r = t->r;
  const sc_bond_sweep_in in = {
      &r->bonds, at, *end, last, r->problem.body, sink_of(t), r->par.relaxation, t->way->beta};
  return r->bond_sweep(&in);
}

/* ---- general contacts ---- */

static int kind_of(const sc_nbgs *r, int32_t bundle) { return sc_slot_kind(r->generals.taken[bundle]); }

/* Sweeps a bundle of rows, one contact after the other. */
static double sweep_rows(sc_nbgs *r, double omega, int32_t bundle) {
  double largest = 0;
  for (int l = 0; l < sc_slot_taken(r->generals.taken[bundle]); l++) {
    double square = r->relax(r, omega, bundle, l);
    if (square < 0) atomic_store(&r->failed, 1);
    largest = fmax(largest, square);
  }
  return largest;
}

static double sweep_generals(const turn *t, int32_t at, int32_t *end, int32_t last) {
  sc_nbgs *r = t->r;
  const sc_problem *problem = &r->problem;
  int32_t stop = at + 1;
  if (atomic_load(&r->failed)) return 0;
  if (kind_of(r, at) == SC_BUNDLE_ROWS) {
    *end = stop;
    return sweep_rows(r, t->way->omega, at);
  }
  while (stop < *end && kind_of(r, stop) != SC_BUNDLE_ROWS) stop++;
  *end = stop;
  const sc_general_sweep_in in = {&r->generals, r->general_push, at, stop, last, problem->body, sink_of(t),
      t->way->omega, t->way->beta, problem->planar, {problem->plane[0], problem->plane[1], problem->plane[2]},
      r->worker[t->thread].measured, problem->bodies > NEAR_BODIES};
  return r->general_sweep(&in);
}

static void sweep_part(turn *t, int part) {
  sweep_slots(t, &t->r->balls->slots, part, sweep_ball_bundles);
  sweep_slots(t, &t->r->generals.slots, part, sweep_generals);
}

/* Sweeps joints, bonds and contacts once. Velocities of shared bodies are exchanged while the last part is
 * swept. */
static void sweep_all(turn *t) {
  sc_nbgs *r = t->r;
  const sc_exchange *exchange = r->exchange;
  sweep_joints(t);
  sweep_slots(t, &r->bonds.slots, 0, sweep_bonds);
  sweep_part(t, 0);
  if (r->exchange->shared) wait_if_open(t);
  if (t->thread == 0) {
    exchange->start(exchange->context, r->problem.body);
    r->listens = true;
  }
  for (int part = 1; part < r->balls->slots.parts; part++) sweep_part(t, part);
  if (exchange->moves_all) wait_if_open(t);
  if (t->thread == 0) exchange->finish(exchange->context, r->problem.body);
}

double sc_nbgs_sweep(sc_nbgs *r, const sc_nbgs_way *way, int thread, int threads) {
  turn t = {.r = r, .way = way, .thread = thread, .swept = PIECE};
  sweep_all(&t);
  r->worker[thread].largest = t.largest;
  sc_pool_barrier(r->pool);
  if (way->watched) sc_momentum_measure(&r->momentum, thread, threads);
  if (thread == 0) {
    double largest = t.largest;
    for (int k = 1; k < threads; k++) largest = fmax(largest, r->worker[k].largest);
    r->halted = atomic_load(&r->failed);
    r->met = true;
    r->largest = r->exchange->decide(r->exchange->context, way->first, r->halted ? 0 : largest);
  }
  sc_pool_barrier(r->pool); /* r->largest must be set before any thread reads it */
  return r->largest;
}
