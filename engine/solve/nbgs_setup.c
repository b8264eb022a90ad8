/* What sweeps of nonlinear block Gauss-Seidel need: the order of contacts, bundles of balls, blocks of joints, spare rows of bodies. */
#include <string.h>
#include "solve/nbgs.h"

/* Every thread has three spare rows behind the bodies: two that pad bundles, one that swallows writes. Bodies are copied where the
 * problem has no room for them. */
static bool add_spares(sc_nbgs *r, int threads, sc_arena *arena) {
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
  sc_nbgs *r = context;
  sc_nbgs_worker *w = r->worker + thread;
  int32_t base = 0, offset = 0;
  memset(w->last, 0xff, (size_t)r->problem->bodies * sizeof *w->last);
  for (int part = 0; part < r->parts; offset += r->balls[part++].count)
    for (int colour = 0; colour < r->colours; colour++) {
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
  sc_nbgs *r = context;
  (void)threads;
  sc_nbgs_worker *w = r->worker + thread;
  for (int part = 0; part < r->parts; part++)
    for (int colour = 0; colour < r->colours; colour++) {
      sc_bundles_fill(r->problem, r->balls[part].visit, w->plan[part] + colour, w->pad, w->bundles[part] + colour);
      sc_bundles_fill_couples(r->problem, w->bundles[part] + colour);
    }
}

static bool take_bundles(sc_nbgs *r, int threads, sc_arena *arena) {
  for (int t = 0; t < threads; t++)
    for (int part = 0; part < r->parts; part++)
      for (int colour = 0; colour < r->colours; colour++) {
        sc_bundles *bundles = r->worker[t].bundles[part] + colour;
        if (!sc_bundles_take(bundles->count, r->par->acceleration, arena, bundles) ||
            !sc_bundles_take_couples(r->problem, arena, bundles))
          return false;
      }
  return true;
}

static bool bundle_balls(sc_nbgs *r, int threads, sc_arena *arena) {
  size_t count = (size_t)r->problem->balls;
  if (!count) return true;
  r->group = SC_TAKE(arena, int32_t, count);
  r->lane = SC_TAKE(arena, unsigned char, count);
  r->fill = SC_TAKE(arena, unsigned char, count + 64 * SC_NBGS_PARTS * SC_COLOURS * (size_t)threads);
  if (!r->group || !r->lane || !r->fill) return false;
  for (int t = 0; t < threads; t++)
    if (!(r->worker[t].last = SC_TAKE(arena, int32_t, r->problem->bodies))) return false;
  sc_pool_run(r->pool, plan_balls, r);
  if (!take_bundles(r, threads, arena)) return false;
  sc_pool_run(r->pool, fill_balls, r);
  return true;
}

/* The order of one bucket, in two parts where some bodies are held by several ranks. */
static bool order_bucket(sc_nbgs *r, int32_t count, const int32_t *first, const int32_t *second, size_t stride, sc_arena *arena,
    sc_order part[SC_NBGS_PARTS]) {
  const sc_border *border = r->problem->border;
  sc_order whole;
  if (!sc_order_build(r->problem, count, first, second, stride, r->pool, arena, border ? &whole : part)) return false;
  return !border || sc_order_split(&whole, border->shared, first, second, stride, arena, part);
}

bool sc_nbgs_set_up(sc_nbgs *r, sc_arena *arena) {
  int threads = sc_pool_threads(r->pool);
  sc_problem *problem = r->problem;
  enum { BALL_STRIDE = sizeof(sc_ball_contact) / sizeof(int32_t), GENERAL_STRIDE = sizeof(sc_general_contact) / sizeof(int32_t) };
  /* an empty bucket may have no array at all */
  const int32_t *ball_i = problem->balls ? &problem->ball->i : NULL, *ball_j = problem->balls ? &problem->ball->j : NULL;
  const int32_t *general_i = problem->generals ? &problem->general->i : NULL,
      *general_j = problem->generals ? &problem->general->j : NULL;
  r->parts = problem->border ? SC_NBGS_PARTS : 1;
  if (!order_bucket(r, problem->balls, ball_i, ball_j, BALL_STRIDE, arena, r->balls)) return false;
  if (!order_bucket(r, problem->generals, general_i, general_j, GENERAL_STRIDE, arena, r->generals)) return false;
  if (!sc_joint_blocks_build(problem, arena, &r->joints)) return false;
  r->worker = SC_TAKE(arena, sc_nbgs_worker, threads);
  if (!r->worker) return false;
  memset(r->worker, 0, (size_t)threads * sizeof *r->worker);
  for (int32_t law = 0; law < problem->laws; law++) r->scripted |= problem->law[law]->user != NULL;
  if (!add_spares(r, threads, arena) || !bundle_balls(r, threads, arena)) return false;
  return !r->par->acceleration || sc_momentum_build(problem, arena, &r->momentum);
}
