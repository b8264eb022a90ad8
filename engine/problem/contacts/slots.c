/* Plans slots for the contacts of a problem: the order of visits, the bundles of all threads, and their
 * numbers. */
#include "problem/contacts/slots.h"

#include <string.h>

#include "problem/contacts/pack.h"
#include "problem/contacts/contacts.h"

/* Bundles of one thread in one part of a sweep (SC_LANE_PARTS). */
typedef struct plan {
  sc_packer packer;
  int64_t base; /* preliminary number of the first bundle among the bundles of all threads */
} plan;

typedef struct planner {
  const sc_problem *problem;
  sc_slots *slots;
  sc_packing in;
  sc_order part[SC_LANE_PARTS];
  /* result of sc_order_share for each part: range of visits of each thread and colour */
  int32_t *share[SC_LANE_PARTS];
  plan *plan;      /* [threads * parts] plan of a thread for a part */
  int32_t *number; /* final numbers of bundles, by preliminary numbers */
  uint8_t *taken;  /* [bundles] number and kind of contacts, by final numbers */
} planner;

/* Sets the last bundle of each body to SC_NOBODY or SC_NEVER. Each thread does this for its share of the
 * bodies. */
static void reset_last(const planner *p, int thread) {
  int64_t first, end;
  sc_part(p->problem->bodies, thread, p->slots->threads, &first, &end);
  for (int64_t b = first; b < end; b++)
    p->in.last[b] = (sc_touched){sc_problem_moves(p->problem, (int32_t)b) ? SC_NOBODY : SC_NEVER, 0};
}

/* Packs the contacts of one thread, with a barrier after each colour. Within a colour, contacts of different
 * threads share no movable body. */
static void pack_own(void *context, int thread, int threads) {
  const planner *p = context;
  for (int part = 0; part < p->slots->parts; part++) {
    plan *own = p->plan + thread * p->slots->parts + part;
    sc_packing in = p->in;
    in.visit = p->part[part].visit;
    reset_last(p, thread);
    for (int colour = 0; colour < SC_COLOURS; colour++) {
      const int32_t *first = p->share[part] + colour * threads + thread;
      sc_pool_barrier(p->slots->pool);
      sc_pack(&own->packer, &in, own->base, first[0], first[1]);
    }
    sc_pool_barrier(p->slots->pool);
  }
}

/* ---- final numbers of bundles and slots ---- */

static int rounds_of(const sc_packer *packer) {
  return (int)((packer->count + packer->round - 1) / packer->round);
}

/* Numbers the bundles of a round that have contacts, from `number` on. Returns the next number. */
static int32_t number_round(const planner *p, const plan *own, int round, int32_t number) {
  const int64_t first = (int64_t)round * own->packer.round, next = first + own->packer.round,
                end = next < own->packer.count ? next : own->packer.count;
  for (int64_t b = first; b < end; b++) {
    const uint8_t taken = own->packer.taken[b];
    p->number[own->base + b] = number;
    p->taken[number] = taken;
    number += sc_slot_taken(taken) > 0;
  }
  return number;
}

/* Assigns final numbers to the bundles of all threads, in the order of the streams. */
static void number_bundles(const planner *p) {
  sc_slots *slots = p->slots;
  for (int thread = 0; thread < slots->threads; thread++)
    for (int part = 0; part < slots->parts; part++)
      for (int round = 0; round < slots->rounds; round++) {
        const int32_t first = slots->count;
        slots->count = number_round(p, p->plan + thread * slots->parts + part, round, first);
        slots->stream[sc_slots_stream(slots, thread, part, round)] = (sc_stream){first, slots->count - first};
      }
}

/* Replaces preliminary numbers of bundles by final numbers in the slots of a range of contacts. */
static void name_slots(void *context, int64_t first, int64_t end) {
  const planner *p = context;
  for (int64_t c = first; c < end; c++) {
    const uint32_t slot = (uint32_t)p->slots->slot[c];
    p->slots->slot[c] = p->number[slot / SC_LANES] * SC_LANES + (int32_t)(slot % SC_LANES);
  }
}

/* Sets the streams, and returns the number and kind of contacts of all bundles, which lie behind the streams.
 * Returns NULL if out of memory. */
static uint8_t *number_slots(planner *p, int64_t bundles, sc_arena_mark mark, sc_arena *arena) {
  sc_slots *slots = p->slots;
  for (int k = 0; k < slots->threads * slots->parts; k++) {
    const int rounds = rounds_of(&p->plan[k].packer);
    if (rounds > slots->rounds) slots->rounds = rounds;
  }
  const size_t streams = (size_t)sc_slots_streams(slots) * sizeof *slots->stream;
  p->number = SC_TAKE(arena, int32_t, bundles);
  uint8_t *made = SC_TAKE(arena, uint8_t, streams + (size_t)bundles + 1);
  if (!p->number || !made) return NULL;
  slots->stream = (sc_stream *)(void *)made, p->taken = made + streams;
  number_bundles(p);
  sc_pool_ranges(slots->pool, slots->contacts, SC_SHORT_RANGE, name_slots, p);
  made = sc_arena_back_but(arena, mark, made, streams + (size_t)slots->count);
  slots->stream = (sc_stream *)(void *)made;
  return made + streams;
}

/* ---- the whole plan ---- */

/* Computes the order of visits, in two parts if some bodies are shared with other ranks. */
static bool order_contacts(planner *p, int lengths, sc_arena *arena) {
  const sc_contact_pairs *in = p->in.pairs;
  const sc_slots *slots = p->slots;
  sc_order whole;
  bool split = slots->parts > 1;
  if (!sc_order_build(p->problem, lengths, slots->contacts, in->first, in->second, in->stride, slots->pool,
          arena, split ? &whole : p->part))
    return false;
  return !split || sc_order_split(&whole, slots->shared, in->first, in->second, in->stride, arena, p->part);
}

/* Returns an upper bound of the number of bundles of a thread. In each colour the bound is one bundle per
 * contact of the thread with the most contacts, plus one round of empty bundles while contacts wait for other
 * threads. */
static int64_t max_bundles(const int32_t *share, int threads, int32_t round) {
  int64_t sum = 0;
  for (int colour = 0; colour < SC_COLOURS; colour++) {
    int32_t max_contacts = 0;
    for (const int32_t *at = share + colour * threads; at < share + (colour + 1) * threads; at++)
      if (at[1] - at[0] > max_contacts) max_contacts = at[1] - at[0];
    sum += max_contacts + (threads > 1 ? round + 1 : 0);
  }
  return sum;
}

/* Allocates the plans of all threads. Returns the upper bound of the number of bundles, -1 if out of
 * memory. */
static int64_t allocate_plans(planner *p, sc_arena *arena) {
  const sc_slots *slots = p->slots;
  const int32_t round = sc_pack_round(slots->contacts, slots->threads);
  int64_t bundles = 0;
  p->plan = SC_TAKE(arena, plan, slots->threads * slots->parts);
  p->in.last = SC_TAKE(arena, sc_touched, p->problem->bodies);
  for (int part = 0; part < slots->parts; part++) {
    p->share[part] = SC_TAKE(arena, int32_t, SC_COLOURS * slots->threads + 1);
    if (!p->plan || !p->in.last || !p->share[part]) return -1;
    sc_order_share(p->part + part, slots->threads, p->share[part]);
    const int64_t bound = max_bundles(p->share[part], slots->threads, round);
    for (int thread = 0; thread < slots->threads; thread++, bundles += bound)
      p->plan[thread * slots->parts + part] = (plan){{.thread = thread, .round = round}, bundles};
  }
  uint8_t *taken = SC_TAKE(arena, uint8_t, bundles);
  for (int k = 0; k < slots->threads * slots->parts; k++) p->plan[k].packer.taken = taken + p->plan[k].base;
  return taken && bundles <= UINT32_MAX / SC_LANES ? bundles : -1;
}

bool sc_slots_open(int32_t contacts, sc_pool *pool, const uint8_t *shared, sc_arena *arena, sc_slots *slots) {
  *slots = (sc_slots){.pool = pool,
      .threads = sc_pool_threads(pool),
      .shared = shared,
      .parts = shared ? SC_LANE_PARTS : 1,
      .contacts = contacts};
  slots->slot = SC_TAKE(arena, int32_t, contacts);
  return slots->slot != NULL;
}

const uint8_t *sc_slots_plan(const sc_problem *problem, int lengths, const sc_contact_pairs *pairs,
    const uint8_t *kind, sc_arena_mark mark, sc_arena *arena, sc_slots *slots) {
  planner p = {.problem = problem, .slots = slots, .in = {.pairs = pairs, .kind = kind, .slot = slots->slot}};
  if (!order_contacts(&p, lengths, arena)) return NULL;
  const int64_t bundles = allocate_plans(&p, arena);
  if (bundles < 0) return NULL;
  sc_pool_run(slots->pool, pack_own, &p);
  return number_slots(&p, bundles, mark, arena);
}
