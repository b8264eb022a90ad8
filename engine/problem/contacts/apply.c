/* Adds the effect of all impulses (warm start) or of cohesion to the bodies of a problem, with several
 * threads.
 *
 * The contributions to a body must be added in the order of the contacts, for any number of threads. Each
 * thread therefore has a range of bodies. It visits the contacts in order and changes only its own bodies.
 * Bodies that are near in space mostly have near rows, so most chunks of contacts have bodies of one thread
 * only. The lowest and highest row of each chunk are computed first, and each thread skips the chunks without
 * bodies of its range. Immovable bodies do not change and belong to no thread. Walls have the last rows, so
 * the highest row of a chunk does not count immovable bodies. */
#include "problem/problem.h"
#include "math/vec.h"
#include "problem/joints/bonds.h"
#include "problem/contacts/contacts.h"
#include "problem/operator/delassus.h"
#include "problem/contacts/apply.h"

enum { MAX_CHUNKS = 1024 }; /* largest number of chunks; the ranges of rows of all chunks lie on the stack */
enum { BODIES_AHEAD = 12 }; /* prefetch distance of bodies, in contacts */
/* Lowest and highest row of the movable bodies that the contacts of a chunk touch. */
typedef struct reach {
  int32_t low, high;
} reach;
typedef struct warm {
  const sc_problem *problem;
  /* [balls], [generals] pulls that replace the contacts' impulses [N s]; NULL: impulses are applied */
  const double *ball_pull, *general_pull;
  int64_t chunk, general_chunk; /* ball contacts and general contacts per chunk */
  int32_t rows;                 /* all bodies from this row on are immovable */
  reach *reach, *general_reach; /* [chunks] rows of bodies in a chunk; only set with several threads */
} warm;

/* Returns the number of contacts in the batch that begins at `at`. */
static int32_t batch_size(int64_t at, int64_t end) {
  return end - at < SC_BALLS ? (int32_t)(end - at) : SC_BALLS;
}

static void reach_of(int32_t i, int32_t j, int32_t rows, reach *r) {
  int32_t high = i > j ? i : j;
  if (high >= rows) high = i < j ? i : j;
  if (i < r->low) r->low = i;
  if (j < r->low) r->low = j;
  if (high > r->high) r->high = high;
}

static void find_reaches(void *context, int64_t first, int64_t end) {
  warm *w = context;
  reach r = {INT32_MAX, -1};
  sc_ball_contact scratch[SC_BALLS];
  for (int64_t at = first; at < end; at += SC_BALLS) {
    int32_t count = batch_size(at, end);
    const sc_ball_contact *contact = sc_problem_balls(w->problem, (int32_t)at, count, scratch);
    for (int32_t c = 0; c < count; c++) reach_of(contact[c].i, contact[c].j, w->rows, &r);
  }
  w->reach[first / w->chunk] = r;
}

static void find_general_reaches(void *context, int64_t first, int64_t end) {
  warm *w = context;
  reach r = {INT32_MAX, -1};
  for (int64_t c = first; c < end; c++) {
    int32_t i, j;
    sc_problem_sides(w->problem, (int32_t)c, &i, &j);
    reach_of(i, j, w->rows, &r);
  }
  w->general_reach[first / w->general_chunk] = r;
}

static int32_t movable_rows(const sc_problem *problem) {
  int32_t rows = problem->bodies;
  while (rows > 0 && !(problem->body[rows - 1].inv_mass > 0)) rows--;
  return rows;
}

SC_FETCH fetch_bodies(const sc_problem *problem, const sc_ball_contact *contact) {
  __builtin_prefetch(problem->body + contact->i, 1);
  __builtin_prefetch(problem->body + contact->j, 1);
}

/* Adds the effect of the impulse `sign` p and of the scaled angular impulse `turn` to the velocities of a
 * body. */
static inline void apply_impulse(sc_solver_body *body, double sign, const double p[3], const double turn[3]) {
  body->v[0] += sign * (body->inv_mass * p[0]);
  body->v[1] += sign * (body->inv_mass * p[1]);
  body->v[2] += sign * (body->inv_mass * p[2]);
  body->q[0] += body->k * turn[0];
  body->q[1] += body->k * turn[1];
  body->q[2] += body->k * turn[2];
}

/* Applies the impulse of a ball contact, and its moment unless couple is NULL, to its bodies. Skips a body
 * whose row is not in low..high. */
static inline void apply_ball(const sc_problem *problem, const sc_ball_contact *contact,
    const sc_ball_couple *couple, int32_t low, int32_t high) {
  sc_solver_body *a = problem->body + contact->i, *b = problem->body + contact->j;
  double turn[3]; /* scaled angular impulse on either body: (-n) x p [N s] */
  sc_cross(contact->p, contact->n, turn);
  bool near = contact->i >= low && contact->i <= high && a->inv_mass > 0,
       far = contact->j >= low && contact->j <= high && b->inv_mass > 0;
  if (near) apply_impulse(a, 1, contact->p, turn);
  if (far) apply_impulse(b, -1, contact->p, turn);
  if (!couple) return;
  if (near) sc_axpy(a->k, couple->m, a->q, a->q);
  if (far) sc_axpy(-b->k * couple->ratio, couple->m, b->q, b->q);
}

/* Applies the impulse of cohesion to the bodies of a ball contact. Skips a body whose row is not in
 * low..high. The impulse acts along the normal, so it does not change the spin. */
static inline void pull_ball(
    const sc_problem *problem, const sc_ball_contact *contact, double pull, int32_t low, int32_t high) {
  sc_solver_body *a = problem->body + contact->i, *b = problem->body + contact->j;
  if (contact->i >= low && contact->i <= high) sc_axpy(-pull * a->inv_mass, contact->n, a->v, a->v);
  if (contact->j >= low && contact->j <= high) sc_axpy(pull * b->inv_mass, contact->n, b->v, b->v);
}

/* Applies ball contacts first .. end - 1. Skips bodies whose rows are not in low..high. */
static void apply_chunk(const warm *w, int64_t first, int64_t end, int32_t low, int32_t high) {
  const sc_problem *problem = w->problem;
  sc_ball_contact scratch[SC_BALLS];
  for (int64_t at = first; at < end; at += SC_BALLS) {
    int32_t count = batch_size(at, end);
    const sc_ball_contact *contact = sc_problem_balls(problem, (int32_t)at, count, scratch);
    for (int32_t c = 0; c < BODIES_AHEAD && c < count; c++) fetch_bodies(problem, contact + c);
    for (int32_t c = 0; c < count; c++) {
      if (c + BODIES_AHEAD < count) fetch_bodies(problem, contact + c + BODIES_AHEAD);
      if (w->ball_pull) pull_ball(problem, contact + c, w->ball_pull[at + c], low, high);
      else apply_ball(problem, contact + c, problem->couple ? problem->couple + at + c : NULL, low, high);
    }
  }
}

static void apply_generals(const warm *w, int64_t first, int64_t end, int32_t low, int32_t high) {
  sc_general_room scratch;
  for (int64_t c = first; c < end; c++) {
    const sc_general g = sc_problem_impulse(w->problem, (int32_t)c, &scratch);
    const double pull[SCREE_LAW_MAX_DIM] = {w->general_pull ? -w->general_pull[c] : 0};
    sc_problem_general_apply_within(w->problem, g.c, w->general_pull ? pull : g.x, low, high);
  }
}

/* Returns true if no body of a chunk has a row in low .. end - 1. */
static bool is_out_of_reach(const reach *r, int64_t low, int64_t end) {
  return r->high < low || r->low >= end;
}

static void apply_part(void *context, int thread, int threads) {
  warm *w = context;
  int64_t low, end, balls = w->problem->balls, generals = w->problem->generals;
  sc_part(w->rows, thread, threads, &low, &end);
  for (int64_t k = 0; k * w->chunk < balls; k++) {
    if (threads > 1 && is_out_of_reach(w->reach + k, low, end)) continue;
    int64_t stop = (k + 1) * w->chunk < balls ? (k + 1) * w->chunk : balls;
    apply_chunk(w, k * w->chunk, stop, (int32_t)low, (int32_t)end - 1);
  }
  for (int64_t k = 0; k * w->general_chunk < generals; k++) {
    if (threads > 1 && is_out_of_reach(w->general_reach + k, low, end)) continue;
    int64_t stop = (k + 1) * w->general_chunk < generals ? (k + 1) * w->general_chunk : generals;
    apply_generals(w, k * w->general_chunk, stop, (int32_t)low, (int32_t)end - 1);
  }
}

/* Returns the number of contacts per chunk: at least `min_chunk`, and such that there are at most
 * MAX_CHUNKS. */
static int64_t chunk_of(int64_t contacts, int64_t min_chunk) {
  int64_t chunk = (contacts + MAX_CHUNKS - 1) / MAX_CHUNKS;
  return chunk > min_chunk ? chunk : min_chunk;
}

/* Applies to all bodies the impulses of cohesion, or the impulses of the contacts if ball_pull and
 * general_pull are NULL. */
static void apply_contacts(
    const sc_problem *problem, const double *ball_pull, const double *general_pull, sc_pool *pool) {
  enum { GENERALS = 256 }; /* smallest chunk of general contacts; one costs as much as 12 ball contacts */
  reach of_balls[MAX_CHUNKS], of_generals[MAX_CHUNKS];
  warm w = {.problem = problem,
      .reach = of_balls,
      .general_reach = of_generals,
      .ball_pull = ball_pull,
      .general_pull = general_pull,
      .chunk = chunk_of(problem->balls, SC_RANGE),
      .general_chunk = chunk_of(problem->generals, GENERALS),
      .rows = movable_rows(problem)};
  if (problem->balls + 12 * (int64_t)problem->generals < 4 * SC_RANGE)
    pool = NULL; /* with so few contacts, waking other threads would cost more than they save */
  if (sc_pool_threads(pool) > 1) {
    sc_pool_ranges(pool, problem->balls, w.chunk, find_reaches, &w);
    sc_pool_ranges(pool, problem->generals, w.general_chunk, find_general_reaches, &w);
  }
  sc_pool_run(pool, apply_part, &w);
}

void sc_problem_apply_all(const sc_problem *problem, sc_pool *pool) {
  if (problem->matrix) {
    for (int32_t c = 0; c < problem->generals; c++)
      sc_problem_general_apply(problem, problem->general + c, problem->x + problem->general[c].x);
    return;
  }
  apply_contacts(problem, NULL, NULL, pool);
  for (int32_t r = 0; r < problem->joint_rows; r++)
    sc_problem_joint_apply(problem, problem->joint_row + r, problem->joint_row[r].x);
  for (int32_t r = 0; r < problem->bonds; r++) {
    const sc_bond_row *ahead = problem->bond + r + BODIES_AHEAD;
    if (r + BODIES_AHEAD < problem->bonds)
      __builtin_prefetch(problem->body + ahead->i, 1), __builtin_prefetch(problem->body + ahead->j, 1);
    sc_problem_bond_apply(problem, problem->bond + r, problem->bond[r].p, problem->bond[r].m);
  }
}

void sc_problem_pull_all(
    const sc_problem *problem, const double *ball_pull, const double *general_pull, sc_pool *pool) {
  SC_ASSERT((ball_pull || !problem->balls) && (general_pull || !problem->generals));
  apply_contacts(problem, ball_pull, general_pull, pool);
}
