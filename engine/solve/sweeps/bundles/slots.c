/* Slots for the contacts of a problem: their order, plans of all threads, and what each bundle got. */
#include "solve/sweeps/bundles/phases.h"
#include "solve/sweeps/bundles/slots.h"

#include <string.h>

typedef struct planner {
  const sc_problem *problem;
  int lengths;
  const sc_ball_pairs *in;
  const uint8_t *kind;
  sc_slots *slots;
  sc_order part[SC_LANE_PARTS];
  sc_phases phases[SC_LANE_PARTS];
  sc_bundle_plan *plan; /* per stream */
  int32_t *place;       /* per contact, in the order of the visits */
  uint8_t *taken;       /* lanes of each bundle; plans leave gaps between their streams */
  int32_t *last;        /* per thread and body: the bundle that touched it last */
} planner;

/* Bundles span colours, which changes no order and fills more lanes. */
static void plan_thread(void *context, int thread, int threads) {
  planner *p = context;
  const sc_slots *slots = p->slots;
  int32_t base = 0, offset = 0, *last = p->last + (size_t)thread * (size_t)p->problem->bodies;
  memset(last, 0xff, (size_t)p->problem->bodies * sizeof *last);
  for (int part = 0; part < slots->parts; offset += p->part[part++].count)
    for (int phase = 0; phase < slots->phases; phase++) {
      const sc_order *order = p->part + part;
      const int32_t *first = p->phases[part].first + phase * threads + thread;
      int index = sc_slots_stream(slots, thread, part, phase);
      int32_t begin = first[0], end = first[1];
      /* plans follow each other as their visits do */
      size_t at = (size_t)(offset + begin),
             gap = SC_BUNDLES_OPEN * (size_t)((part * slots->phases + phase) * threads + thread);
      sc_bundle_plan *plan = p->plan + index;
      *plan = (sc_bundle_plan){begin, end, p->place + at, p->taken + at + gap};
      slots->stream[index].count = sc_bundles_plan(
          p->problem, p->in, p->kind, order->visit, plan, last, &base);
      slots->stream[index].lanes = end - begin;
    }
}

/* Streams get their bundles one after the other. */
static void number_bundles(sc_slots *slots) {
  for (int s = 0; s < sc_slots_streams(slots); s++) {
    slots->stream[s].first = slots->count;
    slots->count += slots->stream[s].count;
  }
}

static void set_slots(void *context, int thread, int threads) {
  const planner *p = context;
  const sc_slots *slots = p->slots;
  (void)threads;
  for (int part = 0; part < slots->parts; part++)
    for (int phase = 0; phase < slots->phases; phase++) {
      int index = sc_slots_stream(slots, thread, part, phase);
      const sc_bundle_plan *plan = p->plan + index;
      const int32_t *visit = p->part[part].visit, first = slots->stream[index].first * SC_LANES;
      for (int32_t k = plan->begin; k < plan->end; k++)
        slots->slot[visit[k]] = first + plan->place[k - plan->begin];
    }
}

/* The order, in two parts where some bodies are held by several ranks. */
static bool order_contacts(planner *p, sc_arena *arena) {
  const sc_ball_pairs *in = p->in;
  const sc_slots *slots = p->slots;
  sc_order whole;
  bool split = slots->parts > 1;
  if (!sc_order_build(p->problem, p->lengths, slots->contacts, in->first, in->second, in->stride, slots->pool,
          arena, split ? &whole : p->part))
    return false;
  return !split || sc_order_split(&whole, slots->shared, in->first, in->second, in->stride, arena, p->part);
}

/* Streams of that many contacts lose little where they begin and end. */
enum { LONG_STREAM = 8192 };

static bool find_phases(planner *p, sc_arena *arena) {
  sc_slots *slots = p->slots;
  slots->phases = 1;
  for (int part = 0; part < slots->parts; part++) {
    sc_phases *own = p->phases + part;
    const bool moves = slots->contacts < (int64_t)LONG_STREAM * SC_COLOURS * slots->threads;
    if (!sc_phases_build(p->problem, p->in, slots->pool, moves, arena, p->part + part, own)) return false;
    if (own->count > slots->phases) slots->phases = own->count;
  }
  return true;
}

static bool take_plans(planner *p, sc_arena *arena) {
  const sc_slots *slots = p->slots;
  size_t count = (size_t)slots->contacts, gaps = SC_BUNDLES_OPEN * (size_t)sc_slots_streams(slots);
  p->plan = SC_TAKE(arena, sc_bundle_plan, sc_slots_streams(slots));
  p->place = SC_TAKE(arena, int32_t, count);
  p->taken = SC_TAKE(arena, uint8_t, count + gaps);
  p->last = SC_TAKE(arena, int32_t, (size_t)slots->threads * (size_t)p->problem->bodies);
  return p->plan && p->place && p->taken && p->last;
}

/* What all bundles got, one stream after the other. NULL without memory. */
static uint8_t *gather_taken(const planner *p, sc_arena *arena) {
  uint8_t *taken = SC_TAKE(arena, uint8_t, p->slots->count);
  for (int s = 0; s < sc_slots_streams(p->slots) && taken; s++)
    memcpy(taken + p->slots->stream[s].first, p->plan[s].taken, (size_t)p->slots->stream[s].count);
  return taken;
}

bool sc_slots_open(int32_t contacts, sc_pool *pool, const uint8_t *shared, sc_arena *arena, sc_slots *slots) {
  *slots = (sc_slots){.pool = pool,
      .threads = sc_pool_threads(pool),
      .shared = shared,
      .parts = shared ? SC_LANE_PARTS : 1,
      .contacts = contacts};
  slots->phases = slots->threads > 1 ? SC_COLOURS : 1;
  slots->stream = SC_TAKE(arena, sc_stream, sc_slots_streams(slots));
  slots->slot = SC_TAKE(arena, int32_t, contacts);
  if (slots->stream) memset(slots->stream, 0, (size_t)sc_slots_streams(slots) * sizeof *slots->stream);
  return slots->stream && slots->slot;
}

const uint8_t *sc_slots_plan(const sc_problem *problem, int lengths, const sc_ball_pairs *pairs,
    const uint8_t *kind, sc_arena_mark mark, sc_arena *arena, sc_slots *slots) {
  planner p = {.problem = problem, .lengths = lengths, .in = pairs, .kind = kind, .slots = slots};
  if (!order_contacts(&p, arena) || !find_phases(&p, arena) || !take_plans(&p, arena)) return NULL;
  sc_pool_run(slots->pool, plan_thread, &p);
  number_bundles(slots);
  sc_pool_run(slots->pool, set_slots, &p);
  uint8_t *taken = gather_taken(&p, arena);
  return taken ? sc_arena_back_but(arena, mark, taken, (size_t)slots->count) : NULL;
}
