/* One sweep of nonlinear block Gauss-Seidel over joints, balls and general contacts, on all threads. */
#include "math/vec.h"
#include "solve/sweeps/nbgs.h"

enum { PIECE = 256 }; /* bundles between two looks at the messages */

/* ---- one contact ---- */

/* Relaxes a general contact; the square of its change in velocity, negative when a user's law failed. */
static double relax_general(sc_problem *problem, const sc_general_contact *c, double omega) {
  const double *A = problem->block + c->block;
  double *x = problem->x + c->x, u[SCREE_LAW_MAX_DIM], next[SCREE_LAW_MAX_DIM], d[SCREE_LAW_MAX_DIM],
         square = 0;
  sc_problem_general_velocity(problem, c, u);
  if (sc_local_general(problem, c, u, next) < 0) return -1;
  for (int r = 0; r < c->dim; r++) {
    d[r] = omega * (next[r] - x[r]);
    x[r] = omega == 1 ? next[r] : x[r] + d[r];
  }
  sc_problem_general_apply(problem, c, d);
  for (int r = 0; r < c->dim; r++) {
    double sum = 0;
    for (int s = 0; s < c->dim; s++) sum += A[r * c->dim + s] * d[s];
    if (r >= 3) sum *= c->scale1; /* a spin as a velocity */
    square += sum * sum;
  }
  return square;
}

/* Relaxes a general contact's push on positions, along its normal alone. */
static double relax_push(sc_problem *problem, const sc_general_contact *c, sc_nbgs_push *own) {
  double u[SCREE_LAW_MAX_DIM], d[SCREE_LAW_MAX_DIM] = {0}, a = problem->block[c->block];
  sc_problem_general_velocity(problem, c, u);
  double next = fmax(0, own->x - (u[0] + own->want) / a);
  d[0] = next - own->x;
  own->x = next;
  if (d[0] != 0) sc_problem_general_apply(problem, c, d);
  return a * a * d[0] * d[0];
}

/* ---- one thread's share of a sweep; returns the largest square of a change ---- */

static double sweep_joints(sc_nbgs *r, int thread) {
  double largest = 0;
  if (!r->problem->joint_rows) return 0;
  if (thread == 0) largest = sc_joint_blocks_relax(r->problem, &r->joints);
  sc_pool_barrier(r->pool);
  return largest;
}

/* A look at the messages. */
static void listen(sc_nbgs *r) {
  const sc_border *border = r->problem->border;
  r->listens = border->advance(border->context, r->problem->body);
}

/* Bundles of one colour, in pieces as long as messages may come in between. */
static double sweep_bundles(sc_nbgs *r, const sc_bundles *b, double beta, int thread, int part) {
  sc_solver_body *body = r->problem->body, *sink = body + sc_solver_sink(r->problem->bodies, thread);
  double largest = 0;
  for (int32_t at = 0, end; at < b->count; at = end) {
    bool listens = part > 0 && thread == 0 && r->listens;
    end = listens && b->count - at > PIECE ? at + PIECE : b->count;
    const sc_sweep_in in = {b, at, end, body, sink, r->par.relaxation, beta};
    largest = fmax(largest, b->couple ? r->sweep_couple(&in) : r->sweep(&in));
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
      const sc_general_contact *c = r->problem->general + order->visit[k];
      double square = r->push ? relax_push(r->problem, c, r->push + order->visit[k])
                              : relax_general(r->problem, c, r->par.relaxation);
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

static double sweep_all(sc_nbgs *r, double beta, int thread, int threads) {
  const sc_border *border = r->problem->border;
  double largest = sweep_joints(r, thread);
  largest = fmax(largest, sweep_part(r, 0, beta, thread, threads));
  if (!border) return largest;
  if (thread == 0) {
    border->start(border->context, r->problem->body);
    r->listens = true;
  }
  largest = fmax(largest, sweep_part(r, 1, beta, thread, threads));
  if (thread == 0) border->finish(border->context, r->problem->body);
  return largest;
}

double sc_nbgs_sweep(sc_nbgs *r, double beta, int thread, int threads) {
  double largest = sweep_all(r, beta, thread, threads);
  r->worker[thread].largest[0] = largest;
  sc_pool_barrier(r->pool);
  for (int t = 0; t < threads; t++) largest = fmax(largest, r->worker[t].largest[0]);
  return largest;
}
