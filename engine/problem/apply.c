/* Warm start: the effect of all impulses in the problem on its bodies, shared among threads.
 *
 * A body's sum must be taken in the order of the contacts, whoever takes it. So threads share bodies, not contacts: each has a
 * range of rows and goes through the contacts in order, adding what falls on its own rows. Rows that are near in space are near in
 * number, so most chunks of contacts touch rows of one thread alone; how far down and up each chunk reaches is looked up first, and
 * chunks that do not reach a thread's rows are passed over. Immovable bodies feel nothing and belong to nobody; walls are the last
 * rows, so that no chunk reaches up to them. */
#include "problem/problem.h"
#include "math/vec.h"

enum { MOST_CHUNKS = 1024, BODIES_AHEAD = 16 };
typedef struct reach { int32_t low, high; } reach; /* lowest and highest row */
typedef struct warm {
  sc_problem *problem;
  int64_t chunk;
  int32_t rows;            /* all from here on are immovable */
  reach reach[MOST_CHUNKS];
} warm;

static void look_up(void *context, int64_t first, int64_t end) {
  warm *w = context;
  reach r = {INT32_MAX, -1};
  for (int64_t c = first; c < end; c++) {
    int32_t i = w->problem->ball[c].i, j = w->problem->ball[c].j;
    int32_t high = i > j ? i : j;
    if (high >= w->rows) high = i < j ? i : j;
    if (i < r.low) r.low = i;
    if (j < r.low) r.low = j;
    if (high > r.high) r.high = high;
  }
  w->reach[first / w->chunk] = r;
}

static int32_t movable_rows(const sc_problem *problem) {
  int32_t rows = problem->bodies;
  while (rows > 0 && !(problem->body[rows - 1].inv_mass > 0)) rows--;
  return rows;
}

SC_FETCH fetch_bodies(const sc_problem *problem, int64_t c) {
  if (c >= problem->balls) return;
  __builtin_prefetch(problem->body + problem->ball[c].i, 1);
  __builtin_prefetch(problem->body + problem->ball[c].j, 1);
}

/* Impulse p and torque/s turn on a body. */
static inline void feel(sc_solver_body *body, double sign, const double p[3], const double turn[3]) {
  for (int k = 0; k < 3; k++) {
    body->v[k] += sign * (body->inv_mass * p[k]);
    body->q[k] += body->k * turn[k];
  }
}

/* Contacts first..end - 1 on the rows low..high. */
static void apply_chunk(sc_problem *problem, int64_t first, int64_t end, int32_t low, int32_t high) {
  for (int64_t c = first; c < end; c++) {
    fetch_bodies(problem, c + BODIES_AHEAD);
    const sc_ball_contact *contact = problem->ball + c;
    sc_solver_body *a = problem->body + contact->i, *b = problem->body + contact->j;
    double turn[3]; /* on either body: (-n) x p */
    sc_cross(contact->p, contact->n, turn);
    bool near = contact->i >= low && contact->i <= high && a->inv_mass > 0, far = contact->j >= low && contact->j <= high && b->inv_mass > 0;
    if (near) feel(a, 1, contact->p, turn);
    if (far) feel(b, -1, contact->p, turn);
    if (!problem->couple) continue;
    const sc_ball_couple *couple = problem->couple + c;
    if (near) sc_axpy(a->k, couple->m, a->q, a->q);
    if (far) sc_axpy(-b->k * couple->ratio, couple->m, b->q, b->q);
  }
}

static void apply_part(void *context, int thread, int threads) {
  warm *w = context;
  int64_t low, end, balls = w->problem->balls;
  sc_part(w->rows, thread, threads, &low, &end);
  for (int64_t k = 0; k * w->chunk < balls; k++) {
    if (threads > 1 && (w->reach[k].high < low || w->reach[k].low >= end)) continue;
    int64_t stop = (k + 1) * w->chunk < balls ? (k + 1) * w->chunk : balls;
    apply_chunk(w->problem, k * w->chunk, stop, (int32_t)low, (int32_t)end - 1);
  }
}

void sc_problem_apply_all(sc_problem *problem, sc_pool *pool) {
  int64_t least = (problem->balls + MOST_CHUNKS - 1) / MOST_CHUNKS;
  warm w = {.problem = problem, .chunk = least > SC_RANGE ? least : SC_RANGE, .rows = movable_rows(problem)};
  if (problem->balls < 4 * SC_RANGE) pool = NULL; /* not worth waking anyone for */
  if (sc_pool_threads(pool) > 1) sc_pool_ranges(pool, problem->balls, w.chunk, look_up, &w);
  sc_pool_run(pool, apply_part, &w);
  for (int32_t c = 0; c < problem->generals; c++)
    sc_problem_general_apply(problem, problem->general + c, problem->x + problem->general[c].x);
  for (int32_t r = 0; r < problem->joint_rows; r++)
    sc_problem_joint_apply(problem, problem->joint_row + r, problem->joint_row[r].x);
}
