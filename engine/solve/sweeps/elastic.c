/* Conjugate gradients over bonds: see elastic.h. */
#include "solve/sweeps/elastic.h"

#include <math.h>
#include <string.h>
#include "math/vec.h"

enum { CHUNK = 1024 }; /* number of bodies per partial sum */
/* Number of iterations times number of bonds that is always allowed. It takes about 10 ms. */
static const double GRANTED = 1e6;
/* Share of the tolerance that these iterations must reach. It is small, because even a small residual force
 * of a stiff bond moves the bodies by a large share of the bond's strain. */
static const double EXACT = 1e-4;

bool sc_elastic_build(
    const sc_problem *problem, const sc_bond_lanes *bonds, sc_pool *pool, sc_arena *arena, sc_elastic *e) {
  *e = (sc_elastic){.problem = problem, .bonds = bonds, .pool = pool, .pass = sc_sweeps_best()->bond_pass};
  if (!problem->bonds) return true;
  const size_t rows = (size_t)problem->bodies + (size_t)sc_lanes_spare(sc_pool_threads(pool));
  e->chunks = (problem->bodies + CHUNK - 1) / CHUNK;
  e->z = SC_TAKE(arena, sc_solver_body, rows);
  e->load = SC_TAKE(arena, sc_solver_body, rows);
  e->left = SC_TAKE(arena, sc_solver_body, rows);
  e->change = SC_TAKE(arena, sc_solver_body, rows);
  e->sum = sc_arena_take(arena, (size_t)e->chunks * sizeof *e->sum);
  return e->z && e->load && e->left && e->change && e->sum;
}

/* ---- parts of an iteration, each on a range of bodies ---- */

/* Runs a pass over a thread's bonds, round by round. */
static void run_pass(const sc_elastic *e, int pass, sc_solver_body *body, sc_solver_body *load, int thread) {
  const sc_slots *slots = &e->bonds->slots;
  for (int round = 0; round < slots->rounds; round++) {
    const sc_stream s = sc_slots_share(slots, thread, 0, round);
    const sc_bond_sweep_in in = {.bonds = e->bonds,
        .first = s.first,
        .end = s.first + s.count,
        .last = sc_slots_end(slots, thread, 0),
        .body = body,
        .sink = load + sc_lanes_sink(e->problem->bodies, thread),
        .pass = pass,
        .load = load};
    e->pass(&in);
    sc_pool_barrier(e->pool);
  }
}

/* Adds the mean stiffness of each bond to the preconditioner entries of both bodies. */
static void add_stiffness(const sc_elastic *e) {
  const sc_problem *problem = e->problem;
  enum { AHEAD = 12 };
  for (int32_t b = 0; b < problem->bonds; b++) {
    const sc_bond_row *row = problem->bond + b;
    if (b + AHEAD < problem->bonds)
      __builtin_prefetch(e->load + row[AHEAD].i, 1), __builtin_prefetch(e->load + row[AHEAD].j, 1);
    const double *S = row->soft, pull = (1 / S[0] + 2 / S[1]) / 3, side = 2 / S[1] / 3,
                 turn = (1 / S[2] + 2 / S[3]) / 3;
    e->load[row->i].inv_mass += pull;
    e->load[row->i].k += row->arm1 * row->arm1 * side + turn;
    e->load[row->j].inv_mass += pull;
    e->load[row->j].k += row->arm2 * row->arm2 * side + row->ratio * row->ratio * turn;
  }
}

/* Clears all rows and sets masses and preconditioner. The preconditioner is 0 for bodies that cannot move. */
static void clear_rows(sc_elastic *e) {
  const size_t bytes = ((size_t)e->problem->bodies + (size_t)sc_lanes_spare(sc_pool_threads(e->pool))) *
      sizeof *e->z;
  memset(e->z, 0, bytes);
  memset(e->load, 0, bytes);
  memset(e->change, 0, bytes);
  add_stiffness(e);
  for (int32_t b = 0; b < e->problem->bodies; b++) {
    const sc_solver_body *body = e->problem->body + b;
    const bool moves = body->inv_mass > 0 && body->k > 0;
    if (moves) e->z[b].inv_mass = 1 / body->inv_mass, e->z[b].k = 1 / body->k;
    e->load[b].inv_mass = moves ? 1 / (e->z[b].inv_mass + e->load[b].inv_mass) : 0;
    e->load[b].k = moves ? 1 / (e->z[b].k + e->load[b].k) : 0;
  }
}

static double dot_of_bodies(const sc_solver_body *a, const sc_solver_body *b) {
  return a->v[0] * b->v[0] + a->v[1] * b->v[1] + a->v[2] * b->v[2] +
      (a->q[0] * b->q[0] + a->q[1] * b->q[1] + a->q[2] * b->q[2]);
}

/* Work of one iteration on bodies first .. end - 1. sum[0]: sum of products; sum[1]: largest squared
 * velocity. */
typedef void chunk_work(sc_elastic *e, int32_t first, int32_t end, double factor, double sum[2]);

/* Runs `work` on a thread's chunks of bodies. all: sum and maximum over the chunks of all threads. */
static void each_chunk(
    sc_elastic *e, chunk_work *work, double factor, int thread, int threads, double all[2]) {
  int64_t first, end;
  sc_part(e->chunks, thread, threads, &first, &end);
  for (int64_t c = first; c < end; c++) {
    const int64_t stop = (c + 1) * CHUNK;
    e->sum[c][0] = e->sum[c][1] = 0;
    work(e, (int32_t)c * CHUNK, stop < e->problem->bodies ? (int32_t)stop : e->problem->bodies, factor,
        e->sum[c]);
  }
  sc_pool_barrier(e->pool);
  all[0] = all[1] = 0;
  for (int64_t c = 0; c < e->chunks; c++) all[0] += e->sum[c][0], all[1] = fmax(all[1], e->sum[c][1]);
  sc_pool_barrier(e->pool);
}

/* Sets load = M z for a direction z. */
static void multiply_by_mass(const sc_solver_body *z, sc_solver_body *load) {
  for (int k = 0; k < 3; k++) load->v[k] = z->inv_mass * z->v[k], load->q[k] = z->k * z->q[k];
}

/* Starts conjugate gradients: r = -load, z = P r, load = M z. sum[0]: r.z; sum[1]: squared largest velocity
 * M^-1 r. */
static void start_gradients(sc_elastic *e, int32_t first, int32_t end, double factor, double sum[2]) {
  (void)factor;
  for (int32_t b = first; b < end; b++) {
    sc_solver_body *z = e->z + b, *r = e->left + b, *f = e->load + b;
    const sc_solver_body *body = e->problem->body + b;
    for (int k = 0; k < 3; k++) {
      r->v[k] = -f->v[k], r->q[k] = -f->q[k];
      z->v[k] = f->inv_mass * r->v[k], z->q[k] = f->k * r->q[k];
    }
    sum[0] += dot_of_bodies(r, z);
    sum[1] = fmax(sum[1],
        body->inv_mass * body->inv_mass * sc_dot(r->v, r->v) + body->k * body->k * sc_dot(r->q, r->q));
    multiply_by_mass(z, f);
  }
}

/* Computes sum[0] = z.load, where load = A z. */
static void compute_curvature(sc_elastic *e, int32_t first, int32_t end, double factor, double sum[2]) {
  (void)factor;
  for (int32_t b = first; b < end; b++) sum[0] += dot_of_bodies(e->z + b, e->load + b);
}

/* x += alpha z, r -= alpha A z, with alpha = factor. sum[0]: r.P r; sum[1]: squared largest velocity M^-1
 * r. */
static void update_solution(sc_elastic *e, int32_t first, int32_t end, double factor, double sum[2]) {
  for (int32_t b = first; b < end; b++) {
    sc_solver_body *r = e->left + b, *x = e->change + b;
    const sc_solver_body *z = e->z + b, *f = e->load + b, *body = e->problem->body + b;
    for (int k = 0; k < 3; k++) {
      x->v[k] += factor * z->v[k], x->q[k] += factor * z->q[k];
      r->v[k] -= factor * f->v[k], r->q[k] -= factor * f->q[k];
    }
    const double v = sc_dot(r->v, r->v), q = sc_dot(r->q, r->q);
    sum[0] += f->inv_mass * v + f->k * q;
    sum[1] = fmax(sum[1], body->inv_mass * body->inv_mass * v + body->k * body->k * q);
  }
}

/* Computes the next search direction z = P r + beta z, with beta = factor, and load = M z. */
static void update_direction(sc_elastic *e, int32_t first, int32_t end, double factor, double sum[2]) {
  (void)sum;
  for (int32_t b = first; b < end; b++) {
    sc_solver_body *z = e->z + b, *f = e->load + b;
    const sc_solver_body *r = e->left + b;
    for (int k = 0; k < 3; k++) {
      z->v[k] = f->inv_mass * r->v[k] + factor * z->v[k];
      z->q[k] = f->k * r->q[k] + factor * z->q[k];
    }
    multiply_by_mass(z, f);
  }
}

/* Adds to the velocities of the bodies the solved change (e->change), and the remaining residual r (e->left)
 * as a velocity M^-1 r. */
static void add_changes(sc_elastic *e, int32_t first, int32_t end, double factor, double sum[2]) {
  (void)factor, (void)sum;
  for (int32_t b = first; b < end; b++) {
    sc_solver_body *body = e->problem->body + b;
    const sc_solver_body *x = e->change + b, *r = e->left + b;
    for (int k = 0; k < 3; k++) {
      body->v[k] += x->v[k] + body->inv_mass * r->v[k];
      body->q[k] += x->q[k] + body->k * r->q[k];
    }
  }
}

/* ---- iterations ---- */

/* Returns whether another iteration follows. done: number of iterations so far. square: square of the largest
 * velocity M^-1 r. */
static bool continues_iterations(
    const sc_elastic *e, const scree_solver_def *par, int64_t done, double square) {
  const bool granted = (double)done * e->problem->bonds < GRANTED;
  const double enough = par->tolerance * (granted ? EXACT : 1);
  return square > enough * enough && (done < par->iterations || (granted && par->tolerance > 0));
}

int64_t sc_elastic_solve(sc_elastic *e, const scree_solver_def *par, int thread, int threads) {
  double now[2], next[2], curved[2], none[2];
  int64_t done = 0;
  if (thread == 0) clear_rows(e);
  sc_pool_barrier(e->pool);
  run_pass(e, SC_BOND_UNMET, e->problem->body, e->load, thread);
  each_chunk(e, start_gradients, 0, thread, threads, now);
  next[1] = now[1];
  while (continues_iterations(e, par, done, next[1]) && now[0] > 0) {
    run_pass(e, SC_BOND_PRODUCT, e->z, e->load, thread);
    each_chunk(e, compute_curvature, 0, thread, threads, curved);
    each_chunk(e, update_solution, now[0] / curved[0], thread, threads, next);
    each_chunk(e, update_direction, next[0] / now[0], thread, threads, none);
    now[0] = next[0];
    done++;
  }
  if (done) run_pass(e, SC_BOND_FINISH, e->problem->body, e->change, thread);
  if (done) each_chunk(e, add_changes, 0, thread, threads, none);
  if (thread == 0) e->largest = next[1];
  sc_pool_barrier(e->pool);
  return done;
}
