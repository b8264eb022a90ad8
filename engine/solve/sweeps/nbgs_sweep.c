/* One sweep of nonlinear block Gauss-Seidel over joints, balls and general contacts, on all threads. */
#include "math/vec.h"
#include "solve/sweeps/nbgs.h"

enum { PIECE = 256 }; /* bundles between two looks at the messages */

/* ---- one thread's share of a sweep; returns the largest square of a change ---- */

/* The first number from `low` on that is `thread`'s share. */
static int32_t share_from(int32_t low, int thread, int threads) {
  return low + (thread - low % threads + threads) % threads;
}

double sc_nbgs_joints(const sc_nbgs *r, int thread, int threads) {
  const sc_mechanisms *m = &r->mechanisms;
  double largest = thread == 0 ? sc_joint_blocks_relax(&r->problem, &r->joints) : 0;
  if (!m->count) return largest;
  sc_mechanism_sweep_in in = {m, thread, r->met ? m->busy : m->count, threads, r->problem.body,
      r->problem.body + sc_lanes_sink(r->problem.bodies, thread), m->room + thread};
  largest = fmax(largest, r->mechanism_sweep(&in));
  in.first = share_from(m->busy, thread, threads); // once more, for the rounding of the first time
  if (!r->met) r->mechanism_sweep(&in);
  // momentum looks at impulses after every sweep
  for (int32_t b = thread; b < m->count && r->par.acceleration; b += threads)
    sc_mechanism_unpack(m, b, &r->problem);
  return largest;
}

static double sweep_joints(const sc_nbgs *r, int thread) {
  if (!r->problem.joint_rows) return 0;
  double largest = sc_nbgs_joints(r, thread, sc_pool_threads(r->pool));
  sc_pool_barrier(r->pool);
  return largest;
}

/* A look at the messages. */
static void listen(sc_nbgs *r) { r->listens = r->exchange->advance(r->exchange->context, r->problem.body); }

/* Bundles at, at + 1, ... that are swept in one go: pieces, as long as messages may come in between. */
static int32_t piece_end(const sc_nbgs *r, const sc_stream *s, int32_t at, int thread, int part) {
  int32_t end = s->first + s->count;
  return part > 0 && thread == 0 && r->listens && end - at > PIECE ? at + PIECE : end;
}

static double sweep_stream(sc_nbgs *r, const sc_stream *s, double beta, int thread, int part) {
  sc_solver_body *body = r->problem.body, *sink = body + sc_lanes_sink(r->problem.bodies, thread);
  double largest = 0;
  for (int32_t at = s->first, end; at < s->first + s->count; at = end) {
    end = piece_end(r, s, at, thread, part);
    const sc_sweep_in in = {&r->balls->bundles, r->push, at, end, body, sink, r->par.relaxation, beta};
    largest = fmax(largest, r->sweep(&in));
    if (part > 0 && thread == 0 && r->listens) listen(r);
  }
  return largest;
}

static double sweep_balls(sc_nbgs *r, int part, double beta, int thread) {
  const sc_slots *slots = &r->balls->slots;
  double largest = 0;
  for (int phase = 0; phase < slots->phases; phase++) {
    const sc_stream *stream = slots->stream + sc_slots_stream(slots, thread, part, phase);
    largest = fmax(largest, sweep_stream(r, stream, beta, thread, part));
    sc_pool_barrier(r->pool);
  }
  return largest;
}

/* ---- bonds ---- */

static double sweep_bonds(const sc_nbgs *r, double beta, int thread) {
  const sc_slots *slots = &r->bonds.slots;
  sc_solver_body *body = r->problem.body;
  double largest = 0;
  for (int phase = 0; phase < slots->phases; phase++) {
    const sc_stream *s = slots->stream + sc_slots_stream(slots, thread, 0, phase);
    const sc_bond_sweep_in in = {&r->bonds, s->first, s->first + s->count, body,
        body + sc_lanes_sink(r->problem.bodies, thread), r->par.relaxation, beta};
    largest = fmax(largest, r->bond_sweep(&in));
    sc_pool_barrier(r->pool);
  }
  return largest;
}

/* ---- general contacts ---- */

static int kind_of(const sc_nbgs *r, int32_t bundle) { return sc_slot_kind(r->generals.taken[bundle]); }

/* A bundle of rows, one after the other. */
static double sweep_rows(sc_nbgs *r, int32_t bundle) {
  double largest = 0;
  for (int l = 0; l < sc_slot_taken(r->generals.taken[bundle]); l++) {
    double square = r->relax(r, bundle, l);
    if (square < 0) atomic_store(&r->failed, 1);
    largest = fmax(largest, square);
  }
  return largest;
}

/* From `at` on, bundles that are solved alike; how far is written to *end. */
static double sweep_run(sc_nbgs *r, int32_t at, int32_t *end, double beta, int thread) {
  const sc_problem *problem = &r->problem;
  if (kind_of(r, at) == SC_BUNDLE_ROWS) {
    *end = at + 1;
    return sweep_rows(r, at);
  }
  int32_t stop = at + 1;
  while (stop < *end && kind_of(r, stop) != SC_BUNDLE_ROWS) stop++;
  *end = stop;
  sc_general_sweep_in in = {&r->generals, r->general_push, at, stop, problem->body,
      problem->body + sc_lanes_sink(problem->bodies, thread), r->par.relaxation, beta, problem->planar,
      {problem->plane[0], problem->plane[1], problem->plane[2]}};
  return r->general_sweep(&in);
}

/* The streams of one thread; none where its contacts stay in the calling one. */
static double sweep_generals(sc_nbgs *r, int part, double beta, int thread) {
  const sc_slots *slots = &r->generals.slots;
  double largest = 0;
  if (!slots->contacts) return 0;
  for (int phase = 0; phase < slots->phases; phase++) {
    const sc_stream none = {0, 0, 0},
                    *s = thread < slots->threads ? slots->stream + sc_slots_stream(slots, thread, part, phase)
                                                 : &none;
    for (int32_t at = s->first, end; at < s->first + s->count && !atomic_load(&r->failed); at = end) {
      end = piece_end(r, s, at, thread, part);
      largest = fmax(largest, sweep_run(r, at, &end, beta, thread));
      if (part > 0 && thread == 0 && r->listens) listen(r);
    }
    sc_pool_barrier(r->pool);
  }
  return largest;
}

static double sweep_part(sc_nbgs *r, int part, double beta, int thread) {
  double largest = sweep_balls(r, part, beta, thread);
  return fmax(largest, sweep_generals(r, part, beta, thread));
}

/* Velocities of shared bodies travel while the contacts of the others are swept. */
static double sweep_all(sc_nbgs *r, double beta, int thread) {
  const sc_exchange *exchange = r->exchange;
  double largest = sweep_joints(r, thread);
  largest = fmax(largest, sweep_bonds(r, beta, thread));
  largest = fmax(largest, sweep_part(r, 0, beta, thread));
  if (thread == 0) {
    exchange->start(exchange->context, r->problem.body);
    r->listens = true;
  }
  for (int part = 1; part < r->balls->slots.parts; part++)
    largest = fmax(largest, sweep_part(r, part, beta, thread));
  if (thread == 0) exchange->finish(exchange->context, r->problem.body);
  return largest;
}

double sc_nbgs_sweep(sc_nbgs *r, bool first, double beta, int thread, int threads) {
  double largest = sweep_all(r, beta, thread);
  r->worker[thread].largest[0] = largest;
  sc_pool_barrier(r->pool);
  if (thread == 0) {
    for (int t = 1; t < threads; t++) largest = fmax(largest, r->worker[t].largest[0]);
    r->halted = atomic_load(&r->failed);
    r->met = true;
    r->largest = r->exchange->decide(r->exchange->context, first, r->halted ? 0 : largest);
  }
  sc_pool_barrier(r->pool); /* nobody goes on before all may read what decides */
  return r->largest;
}
