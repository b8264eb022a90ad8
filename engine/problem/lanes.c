/* Lanes for all ball contacts of a problem: order, plans of all threads, room. What planning needs is
 * given back before the room is taken. */
#include "problem/lanes.h"

#include <string.h>

typedef struct planner {
  const sc_problem *problem;
  const sc_lanes_in *in;
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
  const sc_lanes_in *in = p->in;
  sc_order whole;
  if (!sc_order_build(p->problem, in->count, in->first, in->second, in->stride, in->pool, arena,
          in->border ? &whole : p->part))
    return false;
  return !in->border ||
      sc_order_split(&whole, in->border->shared, in->first, in->second, in->stride, arena, p->part);
}

static bool take_plans(planner *p, sc_arena *arena) {
  const sc_lanes *lanes = p->lanes;
  size_t count = (size_t)p->in->count, gaps = SC_BUNDLES_OPEN * (size_t)sc_lanes_streams(lanes);
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
        clear_lane(lanes->bundle + b, l, sc_solver_pad(bodies, thread));
  }
}

static bool take_room(const sc_lanes_in *in, sc_arena *arena, sc_lanes *lanes) {
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
  sc_pool_run(p->in->pool, plan_thread, p);
  for (int32_t s = 0; s < sc_lanes_streams(lanes); s++) lanes->count += lanes->stream[s].count;
  sc_pool_run(p->in->pool, set_slots, p);
  unsigned char *taken = gather_taken(p, arena);
  return taken ? sc_arena_back_but(arena, mark, taken, (size_t)lanes->count) : NULL;
}

bool sc_lanes_begin(const sc_lanes_in *in, sc_arena *arena, sc_lanes *out) {
  int threads = sc_pool_threads(in->pool);
  *out = (sc_lanes){.threads = threads,
      .parts = in->border ? SC_LANE_PARTS : 1,
      .colours = threads > 1 ? SC_COLOURS : 1,
      .least = in->least};
  out->stream = SC_TAKE(arena, sc_bundles, sc_lanes_streams(out));
  out->slot = SC_TAKE(arena, int32_t, in->count);
  if (out->stream) memset(out->stream, 0, (size_t)sc_lanes_streams(out) * sizeof *out->stream);
  return out->stream && out->slot;
}

bool sc_lanes_plan(
    const sc_problem *problem, const sc_lanes_in *in, sc_arena_mark mark, sc_arena *arena, sc_lanes *lanes) {
  planner p = {.problem = problem, .in = in, .lanes = lanes};
  const unsigned char *taken = plan_slots(&p, mark, arena);
  if (!taken || !take_room(in, arena, lanes)) return false;
  clear_rest(lanes, taken, problem->bodies);
  return true;
}
