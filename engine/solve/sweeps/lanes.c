/* Lanes for all ball contacts of a problem: order, plans of all threads, room; and contacts on their way
 * in and out. What planning needs is given back before the room is taken. */
#include "solve/sweeps/lanes.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct planner {
  const sc_problem *problem;
  const sc_ball_pairs *in;
  sc_lanes *lanes;
  sc_order part[SC_LANE_PARTS];
  sc_bundle_plan *plan; /* per stream */
  int32_t *place;       /* per contact, in the order of the visits */
  unsigned char *taken; /* lanes of each bundle; plans leave gaps between their streams */
  int32_t *last;        /* per thread and body: the bundle that touched it last */
} planner;

/* With one thread all colours of a part form one stream: bundles then span colours, which changes no
 * order and fills more lanes. */
static void plan_thread(void *context, int thread, int threads) {
  planner *p = context;
  const sc_lanes *lanes = p->lanes;
  int32_t base = 0, offset = 0, *last = p->last + (size_t)thread * (size_t)p->problem->bodies;
  memset(last, 0xff, (size_t)p->problem->bodies * sizeof *last);
  for (int part = 0; part < lanes->parts; offset += p->part[part++].count)
    for (int colour = 0; colour < lanes->colours; colour++) {
      const sc_order *order = p->part + part;
      sc_bundles *stream = sc_lanes_stream(lanes, thread, part, colour);
      int32_t begin = 0, end = order->count;
      if (threads > 1) sc_order_share(order, colour, thread, threads, &begin, &end);
      /* plans follow each other as their visits do */
      size_t at = (size_t)(offset + begin),
             gap = SC_BUNDLES_OPEN * (size_t)((part * lanes->colours + colour) * threads + thread);
      sc_bundle_plan *plan = p->plan + (stream - lanes->stream);
      *plan = (sc_bundle_plan){begin, end, p->place + at, p->taken + at + gap};
      stream->count = sc_bundles_plan(p->problem, p->in, order->visit, plan, last, &base);
      stream->lanes = end - begin;
    }
}

/* Streams get their bundles one after the other. */
static void set_slots(void *context, int thread, int threads) {
  const planner *p = context;
  const sc_lanes *lanes = p->lanes;
  int32_t first = 0;
  (void)threads;
  for (const sc_bundles *s = lanes->stream; s < sc_lanes_stream(lanes, thread, 0, 0); s++) first += s->count;
  for (int part = 0; part < lanes->parts; part++)
    for (int colour = 0; colour < lanes->colours; colour++) {
      const sc_bundles *stream = sc_lanes_stream(lanes, thread, part, colour);
      const sc_bundle_plan *plan = p->plan + (stream - lanes->stream);
      const int32_t *visit = p->part[part].visit;
      for (int32_t k = plan->begin; k < plan->end; k++)
        lanes->slot[visit[k]] = first * SC_LANES + plan->place[k - plan->begin];
      first += stream->count;
    }
}

/* The order, in two parts where some bodies are held by several ranks. */
static bool order_contacts(planner *p, sc_arena *arena) {
  const sc_ball_pairs *in = p->in;
  const sc_lanes *lanes = p->lanes;
  sc_order whole;
  bool split = lanes->parts > 1;
  if (!sc_order_build(p->problem, lanes->contacts, in->first, in->second, in->stride, lanes->pool, arena,
          split ? &whole : p->part))
    return false;
  return !split ||
      sc_order_split(&whole, lanes->exchange->shared, in->first, in->second, in->stride, arena, p->part);
}

static bool take_plans(planner *p, sc_arena *arena) {
  const sc_lanes *lanes = p->lanes;
  size_t count = (size_t)lanes->contacts, gaps = SC_BUNDLES_OPEN * (size_t)sc_lanes_streams(lanes);
  p->plan = SC_TAKE(arena, sc_bundle_plan, sc_lanes_streams(lanes));
  p->place = SC_TAKE(arena, int32_t, count);
  p->taken = SC_TAKE(arena, unsigned char, count + gaps);
  p->last = SC_TAKE(arena, int32_t, (size_t)lanes->threads * (size_t)p->problem->bodies);
  return p->plan && p->place && p->taken && p->last;
}

/* How many lanes of each bundle hold a contact, for all streams. NULL without memory. */
static unsigned char *gather_taken(const planner *p, sc_arena *arena) {
  unsigned char *taken = SC_TAKE(arena, unsigned char, p->lanes->count), *at = taken;
  for (int32_t s = 0; s < sc_lanes_streams(p->lanes) && taken; at += p->lanes->stream[s++].count)
    memcpy(at, p->plan[s].taken, (size_t)p->lanes->stream[s].count);
  return taken;
}

/* An empty lane: a body at rest with unit mass against an immovable one, which open. */
static void clear_lane(sc_bundle *b, int l, int32_t pad) {
  for (int k = 0; k < 3; k++) b->n[k][l] = b->p[k][l] = 0;
  b->bias[l] = 1;
  b->i[l] = pad;
  b->j[l] = ~(pad + 1);
}

static void clear_rest(const sc_lanes *lanes, const unsigned char *taken, int32_t bodies) {
  const sc_bundle *end;
  int32_t b = 0;
  for (int32_t s = 0; s < sc_lanes_streams(lanes); s++) {
    int32_t thread = s / (lanes->parts * lanes->colours);
    for (end = lanes->stream[s].bundle + lanes->stream[s].count; lanes->bundle + b < end; b++)
      for (int l = taken[b]; l < SC_LANES; l++)
        clear_lane(lanes->bundle + b, l, sc_lanes_pad(bodies, thread));
  }
}

static bool take_room(const sc_ball_pairs *in, sc_arena *arena, sc_lanes *lanes) {
  size_t rows = in->one_mu || !lanes->count ? 1 : (size_t)lanes->count;
  lanes->mu_step = !in->one_mu;
  lanes->bundle = SC_TAKE(arena, sc_bundle, lanes->count);
  lanes->mu = sc_arena_take(arena, rows * sizeof *lanes->mu);
  if (!lanes->bundle || !lanes->mu) return false;
  memset(lanes->mu, 0, rows * sizeof *lanes->mu);
  sc_bundle *bundle = lanes->bundle;
  for (int32_t s = 0; s < sc_lanes_streams(lanes); bundle += lanes->stream[s++].count) {
    sc_bundles *stream = lanes->stream + s;
    stream->bundle = bundle;
    stream->mu = (const double(*)[SC_LANES])lanes->mu + lanes->mu_step * (bundle - lanes->bundle);
    stream->mu_step = lanes->mu_step;
    stream->least = lanes->least;
  }
  return true;
}

/* Slots of all contacts and the number of bundles. NULL without memory, else how many lanes of each
 * bundle are taken, at the mark. */
static unsigned char *plan_slots(planner *p, sc_arena_mark mark, sc_arena *arena) {
  sc_lanes *lanes = p->lanes;
  if (!order_contacts(p, arena) || !take_plans(p, arena)) return NULL;
  sc_pool_run(p->lanes->pool, plan_thread, p);
  for (int32_t s = 0; s < sc_lanes_streams(lanes); s++) lanes->count += lanes->stream[s].count;
  sc_pool_run(p->lanes->pool, set_slots, p);
  unsigned char *taken = gather_taken(p, arena);
  return taken ? sc_arena_back_but(arena, mark, taken, (size_t)lanes->count) : NULL;
}

/* ---- as a store ---- */

_Static_assert(offsetof(sc_lanes, store) == 0, "a store is the lanes that it begins");

static bool open_lanes(sc_ball_store *store, int32_t balls, int32_t generals, sc_arena *arena) {
  sc_lanes *lanes = (sc_lanes *)store;
  SC_ASSERT(balls >= 0 && !lanes->stream); /* lanes are opened once */
  lanes->pool = sc_lanes_pool((int64_t)balls + generals, lanes->contacts_per_thread, lanes->pool);
  lanes->threads = sc_pool_threads(lanes->pool);
  lanes->parts = lanes->exchange->shared ? SC_LANE_PARTS : 1;
  lanes->colours = lanes->threads > 1 ? SC_COLOURS : 1;
  lanes->contacts = balls;
  lanes->stream = SC_TAKE(arena, sc_bundles, sc_lanes_streams(lanes));
  lanes->slot = SC_TAKE(arena, int32_t, balls);
  if (lanes->stream) memset(lanes->stream, 0, (size_t)sc_lanes_streams(lanes) * sizeof *lanes->stream);
  return lanes->stream && lanes->slot;
}

static bool plan_lanes(sc_ball_store *store, const sc_problem *problem, const sc_ball_pairs *pairs,
    sc_arena_mark mark, sc_arena *arena) {
  sc_lanes *lanes = (sc_lanes *)store;
  const sc_ball_pairs in = *pairs;
  SC_ASSERT(lanes->stream && !lanes->bundle);
  planner p = {.problem = problem, .in = &in, .lanes = lanes};
  lanes->least = in.gaps ? 0 : -INFINITY;
  lanes->body = problem->body;
  const unsigned char *taken = plan_slots(&p, mark, arena);
  if (!taken || !take_room(&in, arena, lanes)) return false;
  clear_rest(lanes, taken, problem->bodies);
  return true;
}

/* Loops of three are written out: compilers leave them as loops, which costs more than the sums in them. */

static inline void put_lane(const sc_lanes *lanes, int32_t c, const sc_ball_contact *from, double bias) {
  uint32_t slot = (uint32_t)lanes->slot[c], group = slot / SC_LANES, l = slot % SC_LANES;
  bool still = !(lanes->body[from->j].inv_mass > 0);
  sc_bundle *b = lanes->bundle + group;
  b->n[0][l] = from->n[0], b->n[1][l] = from->n[1], b->n[2][l] = from->n[2];
  b->p[0][l] = from->p[0], b->p[1][l] = from->p[1], b->p[2][l] = from->p[2];
  b->bias[l] = bias;
  lanes->mu[group * (uint32_t)lanes->mu_step][l] = from->mu;
  b->i[l] = from->i;
  b->j[l] = still ? ~from->j : from->j;
}

static inline void get_lane(const sc_lanes *lanes, int32_t c, sc_ball_contact *to) {
  uint32_t slot = (uint32_t)lanes->slot[c], group = slot / SC_LANES, l = slot % SC_LANES;
  const sc_bundle *b = lanes->bundle + group;
  double bias = b->bias[l];
  int32_t j = b->j[l];
  *to = (sc_ball_contact){.n = {b->n[0][l], b->n[1][l], b->n[2][l]},
      .p = {b->p[0][l], b->p[1][l], b->p[2][l]},
      .bias = bias > lanes->least ? bias : lanes->least,
      .mu = lanes->mu[group * (uint32_t)lanes->mu_step][l],
      .i = b->i[l],
      .j = j < 0 ? ~j : j};
}

/* Asks for a lane that is read or written later. */
SC_FETCH fetch_lane(const sc_lanes *lanes, int32_t c) {
  const sc_bundle *b = lanes->bundle + (uint32_t)lanes->slot[c] / SC_LANES;
  __builtin_prefetch(b->n[0], 1);
  __builtin_prefetch(b->n[1], 1);
  __builtin_prefetch(b->n[2], 1);
  __builtin_prefetch(b->p[0], 1);
  __builtin_prefetch(b->p[1], 1);
  __builtin_prefetch(b->p[2], 1);
  __builtin_prefetch(b->i, 1);
  __builtin_prefetch(b->bias, 1);
}

static void put_lanes(
    sc_ball_store *store, int32_t first, int32_t count, const sc_ball_contact *from, const double *gap) {
  enum { AHEAD = 16 };
  const sc_lanes *lanes = (const sc_lanes *)store;
  SC_ASSERT(first >= 0 && first + count <= lanes->contacts);
  for (int32_t k = 0; k < count; k++) {
    if (first + k + AHEAD < lanes->contacts) fetch_lane(lanes, first + k + AHEAD);
    put_lane(lanes, first + k, from + k, gap ? gap[k] : from[k].bias);
  }
}

static void get_lanes(const sc_ball_store *store, int32_t first, int32_t count, sc_ball_contact *to) {
  enum { AHEAD = 24 };
  const sc_lanes *lanes = (const sc_lanes *)store;
  SC_ASSERT(first >= 0 && first + count <= lanes->contacts);
  for (int32_t k = 0; k < count; k++) {
    if (first + k + AHEAD < lanes->contacts) fetch_lane(lanes, first + k + AHEAD);
    get_lane(lanes, first + k, to + k);
  }
}

static void set_impulse(sc_ball_store *store, int32_t c, const double p[3]) {
  const sc_lanes *lanes = (const sc_lanes *)store;
  uint32_t slot = (uint32_t)lanes->slot[c];
  for (int k = 0; k < 3; k++) lanes->bundle[slot / SC_LANES].p[k][slot % SC_LANES] = p[k];
}

sc_lanes *sc_lanes_create(
    const scree_solver_def *par, const sc_exchange *exchange, sc_pool *pool, sc_arena *arena) {
  sc_lanes *lanes = SC_TAKE(arena, sc_lanes, 1);
  if (lanes)
    *lanes = (sc_lanes){.store = {.spare = sc_lanes_spare(sc_pool_threads(pool)),
                            .open = open_lanes,
                            .plan = plan_lanes,
                            .put = put_lanes,
                            .get = get_lanes,
                            .set = set_impulse},
        .exchange = exchange,
        .contacts_per_thread = par->contacts_per_thread,
        .pool = pool};
  return lanes;
}

sc_ball_store *sc_lanes_store(
    const scree_solver_def *par, const sc_exchange *exchange, sc_pool *pool, sc_arena *arena) {
  sc_lanes *lanes = sc_lanes_create(par, exchange, pool, arena);
  return lanes ? &lanes->store : NULL;
}
