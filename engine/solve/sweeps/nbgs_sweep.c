/* One sweep of nonlinear block Gauss-Seidel over joints, balls and general contacts, on all threads. */
#include "math/vec.h"
#include "solve/sweeps/nbgs.h"

enum { PIECE = 256 }; /* bundles between two looks at the messages */

/* ---- one thread's share of a sweep; returns the largest square of a change ---- */

static double sweep_joints(const sc_nbgs *r, int thread) {
  double largest = 0;
  if (!r->problem.joint_rows) return 0;
  if (thread == 0) largest = sc_joint_blocks_relax(&r->problem, &r->joints);
  sc_pool_barrier(r->pool);
  return largest;
}

/* A look at the messages. */
static void listen(sc_nbgs *r) { r->listens = r->exchange->advance(r->exchange->context, r->problem.body); }

/* Bundles of one colour, in pieces as long as messages may come in between. */
static double sweep_bundles(sc_nbgs *r, const sc_bundles *b, double beta, int thread, int part) {
  sc_solver_body *body = r->problem.body, *sink = body + sc_lanes_sink(r->problem.bodies, thread);
  sc_bundle_push *push = r->push ? r->push + (b->bundle - r->balls->bundle) : NULL;
  double largest = 0;
  for (int32_t at = 0, end; at < b->count; at = end) {
    bool listens = part > 0 && thread == 0 && r->listens;
    end = listens && b->count - at > PIECE ? at + PIECE : b->count;
    const sc_sweep_in in = {b, push, at, end, body, sink, r->par.relaxation, beta};
    largest = fmax(largest, r->sweep(&in));
    if (listens) listen(r);
  }
  return largest;
}

static double sweep_balls(sc_nbgs *r, int part, double beta, int thread) {
  double largest = 0;
  for (int colour = 0; colour < r->balls->colours; colour++) {
    largest = fmax(
        largest, sweep_bundles(r, sc_lanes_stream(r->balls, thread, part, colour), beta, thread, part));
    sc_pool_barrier(r->pool);
  }
  return largest;
}

static double sweep_generals(sc_nbgs *r, int part, int thread, int threads) {
  const sc_order *order = r->generals + part;
  double largest = 0;
  if (!order->count) return 0;
  for (int colour = 0; colour < SC_COLOURS; colour++) {
    int32_t begin = 0, end = 0;
    if (!r->scripted) sc_order_share(order, colour, thread, threads, &begin, &end);
    else if (thread == 0) sc_order_share(order, colour, 0, 1, &begin, &end);
    for (int32_t k = begin; k < end; k++) {
      double square = r->relax(r, order->visit[k]);
      if (square < 0) {
        atomic_store(&r->failed, 1);
        break;
      }
      largest = fmax(largest, square);
      if (part > 0 && thread == 0 && r->listens && (k - begin) % PIECE == PIECE - 1) listen(r);
    }
    sc_pool_barrier(r->pool);
  }
  return largest;
}

static double sweep_part(sc_nbgs *r, int part, double beta, int thread, int threads) {
  double largest = sweep_balls(r, part, beta, thread);
  return fmax(largest, sweep_generals(r, part, thread, threads));
}

/* Velocities of shared bodies travel while the contacts of the others are swept. */
static double sweep_all(sc_nbgs *r, double beta, int thread, int threads) {
  const sc_exchange *exchange = r->exchange;
  double largest = sweep_joints(r, thread);
  largest = fmax(largest, sweep_part(r, 0, beta, thread, threads));
  if (thread == 0) {
    exchange->start(exchange->context, r->problem.body);
    r->listens = true;
  }
  for (int part = 1; part < r->balls->parts; part++)
    largest = fmax(largest, sweep_part(r, part, beta, thread, threads));
  if (thread == 0) exchange->finish(exchange->context, r->problem.body);
  return largest;
}

double sc_nbgs_sweep(sc_nbgs *r, bool first, double beta, int thread, int threads) {
  double largest = sweep_all(r, beta, thread, threads);
  r->worker[thread].largest[0] = largest;
  sc_pool_barrier(r->pool);
  if (thread == 0) {
    for (int t = 1; t < threads; t++) largest = fmax(largest, r->worker[t].largest[0]);
    r->halted = atomic_load(&r->failed);
    r->largest = r->exchange->decide(r->exchange->context, first, r->halted ? 0 : largest);
  }
  sc_pool_barrier(r->pool); /* nobody goes on before all may read what decides */
  return r->largest;
}
