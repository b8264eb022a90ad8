/* Lanes for all ball contacts of a problem: their room, and contacts on their way in and out. */
#include "solve/sweeps/bundles/generals.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* An empty lane: a body at rest with unit mass against an immovable one, which open. */
static void clear_lane(sc_bundle *b, int l, int32_t pad) {
  for (int k = 0; k < 3; k++) b->n[k][l] = b->p[k][l] = 0;
  b->bias[l] = 1;
  b->i[l] = pad;
  b->j[l] = ~(pad + 1);
}

static void clear_rest(const sc_lanes *lanes, const uint8_t *taken, int32_t bodies) {
  const sc_slots *slots = &lanes->slots;
  for (int s = 0; s < sc_slots_streams(slots); s++) {
    const sc_stream *stream = slots->stream + s;
    int thread = s / (slots->parts * slots->rounds);
    for (int32_t b = stream->first; b < stream->first + stream->count; b++)
      for (int l = sc_slot_taken(taken[b]); l < SC_LANES; l++)
        clear_lane(lanes->bundles.bundle + b, l, sc_lanes_pad(bodies, thread));
  }
}

static bool take_room(const sc_ball_pairs *in, sc_arena *arena, sc_lanes *lanes) {
  size_t count = (size_t)lanes->slots.count, rows = in->one_mu || !count ? 1 : count;
  sc_bundle *bundle = SC_TAKE(arena, sc_bundle, count);
  lanes->mu = sc_arena_take(arena, rows * sizeof *lanes->mu);
  if (!bundle || !lanes->mu) return false;
  memset(lanes->mu, 0, rows * sizeof *lanes->mu);
  for (int l = 0; l < SC_LANES && in->one_mu; l++) lanes->mu[0][l] = in->mu;
  lanes->bundles = (sc_bundles){.bundle = bundle,
      .mu = (const double(*)[SC_LANES])lanes->mu,
      .mu_step = !in->one_mu,
      .least = in->gaps ? 0 : -INFINITY};
  return true;
}

/* ---- as a store ---- */

_Static_assert(offsetof(sc_lanes, store) == 0, "a store is the lanes that it begins");

static bool open_lanes(sc_ball_store *store, int32_t balls, int32_t generals, bool laned, sc_arena *arena) {
  sc_lanes *lanes = (sc_lanes *)store;
  SC_ASSERT(balls >= 0 && !lanes->slots.slot); /* lanes are opened once */
  lanes->pool = sc_lanes_pool(balls, generals, lanes->contacts_per_thread, lanes->pool);
  if (laned && !sc_generals_open(lanes, generals, arena)) return false;
  return sc_slots_open(balls, lanes->pool, lanes->exchange->shared, arena, &lanes->slots);
}

static bool plan_lanes(sc_ball_store *store, const sc_problem *problem, const sc_ball_pairs *pairs,
    sc_arena_mark mark, sc_arena *arena) {
  sc_lanes *lanes = (sc_lanes *)store;
  const sc_ball_pairs in = *pairs;
  SC_ASSERT(lanes->slots.slot && !lanes->bundles.bundle);
  lanes->body = problem->body;
  const uint8_t *taken = sc_slots_plan(problem, SC_BALL_BLOCKS, &in, NULL, mark, arena, &lanes->slots);
  if (!taken || !take_room(&in, arena, lanes)) return false;
  clear_rest(lanes, taken, problem->bodies);
  return true;
}

/* Loops of three are written out: compilers leave them as loops, which costs more than the sums in them. */

static inline void put_lane(const sc_lanes *lanes, int32_t c, const sc_ball_contact *from, double bias) {
  uint32_t slot = (uint32_t)lanes->slots.slot[c], group = slot / SC_LANES, l = slot % SC_LANES;
  bool still = !(lanes->body[from->j].inv_mass > 0);
  sc_bundle *b = lanes->bundles.bundle + group;
  b->n[0][l] = from->n[0], b->n[1][l] = from->n[1], b->n[2][l] = from->n[2];
  b->p[0][l] = from->p[0], b->p[1][l] = from->p[1], b->p[2][l] = from->p[2];
  b->bias[l] = bias;
  if (lanes->bundles.mu_step) lanes->mu[group][l] = from->mu;
  b->i[l] = from->i;
  b->j[l] = still ? ~from->j : from->j;
}

static inline void get_lane(const sc_lanes *lanes, int32_t c, sc_ball_contact *to) {
  uint32_t slot = (uint32_t)lanes->slots.slot[c], group = slot / SC_LANES, l = slot % SC_LANES;
  const sc_bundle *b = lanes->bundles.bundle + group;
  double bias = b->bias[l];
  int32_t j = b->j[l];
  *to = (sc_ball_contact){.n = {b->n[0][l], b->n[1][l], b->n[2][l]},
      .p = {b->p[0][l], b->p[1][l], b->p[2][l]},
      .bias = bias > lanes->bundles.least ? bias : lanes->bundles.least,
      .mu = lanes->mu[group * (uint32_t)lanes->bundles.mu_step][l],
      .i = b->i[l],
      .j = sc_lane_body(j)};
}

/* Asks for a lane that is read or written later. */
SC_FETCH fetch_lane(const sc_lanes *lanes, int32_t c) {
  const sc_bundle *b = lanes->bundles.bundle + (uint32_t)lanes->slots.slot[c] / SC_LANES;
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
  SC_ASSERT(first >= 0 && first + count <= lanes->slots.contacts);
  for (int32_t k = 0; k < count; k++) {
    if (first + k + AHEAD < lanes->slots.contacts) fetch_lane(lanes, first + k + AHEAD);
    put_lane(lanes, first + k, from + k, gap ? gap[k] : from[k].bias);
  }
}

static void get_lanes(const sc_ball_store *store, int32_t first, int32_t count, sc_ball_contact *to) {
  enum { AHEAD = 24 };
  const sc_lanes *lanes = (const sc_lanes *)store;
  SC_ASSERT(first >= 0 && first + count <= lanes->slots.contacts);
  for (int32_t k = 0; k < count; k++) {
    if (first + k + AHEAD < lanes->slots.contacts) fetch_lane(lanes, first + k + AHEAD);
    get_lane(lanes, first + k, to + k);
  }
}

static void set_impulse(sc_ball_store *store, int32_t c, const double p[3]) {
  const sc_lanes *lanes = (const sc_lanes *)store;
  uint32_t slot = (uint32_t)lanes->slots.slot[c];
  for (int k = 0; k < 3; k++) lanes->bundles.bundle[slot / SC_LANES].p[k][slot % SC_LANES] = p[k];
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
                            .set = set_impulse,
                            .plan_generals = sc_generals_plan,
                            .put_general = sc_generals_put,
                            .members = sc_generals_members,
                            .make = sc_generals_make,
                            .get_general = sc_generals_get,
                            .set_general = sc_generals_set,
                            .sides = sc_generals_sides,
                            .states = sc_generals_states,
                            .apply = sc_generals_apply,
                            .closing = sc_generals_closing},
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
