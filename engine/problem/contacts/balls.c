/* Bundles of ball contacts: allocates bundles, writes contacts to their lanes, and reads contacts. */
#include "problem/contacts/generals.h"
#include "problem/contacts/contacts.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Sets an empty lane to an open contact of a body at rest with unit mass and an immovable body. pad: row
 * of the first body. */
static void clear_ball_lane(sc_bundle *b, int l, int32_t pad) {
  for (int k = 0; k < 3; k++) b->n[k][l] = b->p[k][l] = 0;
  b->bias[l] = 1;
  b->i[l] = pad;
  b->j[l] = ~(pad + 1);
}

static void clear_ball_lanes(const sc_contacts *lanes, const uint8_t *taken, int32_t bodies) {
  const sc_slots *slots = &lanes->slots;
  for (int s = 0; s < sc_slots_streams(slots); s++) {
    const sc_stream *stream = slots->stream + s;
    int thread = s / (slots->parts * slots->rounds);
    for (int32_t b = stream->first; b < stream->first + stream->count; b++)
      for (int l = sc_slot_taken(taken[b]); l < SC_LANES; l++)
        clear_ball_lane(lanes->bundles.bundle + b, l, sc_lanes_pad(bodies, thread));
  }
}

static bool allocate_bundles(const sc_contact_pairs *in, sc_arena *arena, sc_contacts *lanes) {
  size_t count = (size_t)lanes->slots.count, rows = in->one_mu || !count ? 1 : count;
  sc_bundle *bundle = SC_TAKE(arena, sc_bundle, count);
  lanes->mu = sc_arena_take(arena, rows * sizeof *lanes->mu);
  sc_bundle_spring *spring = in->springs ? SC_TAKE(arena, sc_bundle_spring, count) : NULL;
  if (!bundle || !lanes->mu || (in->springs && !spring)) return false;
  if (spring) memset(spring, 0, count * sizeof *spring); /* empty lanes are rigid */
  memset(lanes->mu, 0, rows * sizeof *lanes->mu);
  for (int l = 0; l < SC_LANES && in->one_mu; l++) lanes->mu[0][l] = in->mu;
  lanes->bundles = (sc_bundles){.bundle = bundle,
      .mu = (const double(*)[SC_LANES])lanes->mu,
      .mu_step = !in->one_mu,
      .spring = spring,
      .least = in->gaps ? 0 : -INFINITY};
  return true;
}

/* ---- plan: which bundle and lane a contact gets ---- */

bool sc_contacts_open(sc_contacts *lanes, int32_t balls, int32_t generals, bool user_law, sc_arena *arena) {
  SC_ASSERT(balls >= 0 && !lanes->slots.slot); /* the slots are allocated once */
  lanes->pool = sc_lanes_pool(balls, generals, lanes->contacts_per_thread, lanes->pool);
  if (!sc_generals_open(lanes, generals, user_law ? NULL : lanes->pool, arena)) return false;
  return sc_slots_open(balls, lanes->pool, lanes->exchange->shared, arena, &lanes->slots);
}

bool sc_contacts_plan_balls(sc_contacts *lanes, const sc_problem *problem, const sc_contact_pairs *pairs,
    sc_arena_mark mark, sc_arena *arena) {
  const sc_contact_pairs in = *pairs;
  SC_ASSERT(lanes->slots.slot && !lanes->bundles.bundle);
  lanes->body = problem->body;
  const uint8_t *taken = sc_slots_plan(problem, SC_BALL_BLOCKS, &in, NULL, mark, arena, &lanes->slots);
  if (!taken || !allocate_bundles(&in, arena, lanes)) return false;
  clear_ball_lanes(lanes, taken, problem->bodies);
  return true;
}

/* Writes a ball contact to its lane. Loops over three elements are written out here, because compilers do not
 * unroll them and the loop control costs more than the loop body. */
static inline void put_lane(const sc_contacts *lanes, int32_t c, const sc_ball_contact *from, double bias) {
  uint32_t slot = (uint32_t)lanes->slots.slot[c], group = slot / SC_LANES, l = slot % SC_LANES;
  bool still = !(lanes->body[from->j].inv_mass > 0);
  sc_bundle *b = lanes->bundles.bundle + group;
  b->n[0][l] = from->n[0], b->n[1][l] = from->n[1], b->n[2][l] = from->n[2];
  b->p[0][l] = from->p[0], b->p[1][l] = from->p[1], b->p[2][l] = from->p[2];
  b->bias[l] = bias;
  if (lanes->bundles.mu_step) lanes->mu[group][l] = from->mu;
  b->i[l] = from->i;
  b->j[l] = still ? ~from->j : from->j;
  if (lanes->bundles.spring) sc_spring_put(&from->spring, lanes->bundles.spring + group, l);
}

static inline void get_lane(const sc_contacts *lanes, int32_t c, sc_ball_contact *to) {
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
  if (lanes->bundles.spring) to->spring = sc_spring_get(lanes->bundles.spring + group, l);
}

/* Prefetches the bundle of a contact that is read or written later. */
SC_FETCH fetch_lane(const sc_contacts *lanes, int32_t c) {
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

void sc_problem_put_balls(
    const sc_problem *problem, int32_t first, int32_t count, const sc_ball_contact *from, const double *gap) {
  enum { AHEAD = 16 };
  const sc_contacts *lanes = problem->store;
  if (!lanes) {
    memcpy(problem->ball + first, from, (size_t)count * sizeof *from);
    if (gap) memcpy(problem->gap + first, gap, (size_t)count * sizeof *gap);
    return;
  }
  SC_ASSERT(first >= 0 && first + count <= lanes->slots.contacts);
  for (int32_t k = 0; k < count; k++) {
    if (first + k + AHEAD < lanes->slots.contacts) fetch_lane(lanes, first + k + AHEAD);
    put_lane(lanes, first + k, from + k, gap ? gap[k] : from[k].bias);
  }
}

const sc_ball_contact *sc_problem_balls(
    const sc_problem *problem, int32_t first, int32_t count, sc_ball_contact *scratch) {
  enum { AHEAD = 24 };
  const sc_contacts *lanes = problem->store;
  if (!lanes) return problem->ball + first;
  SC_ASSERT(first >= 0 && first + count <= lanes->slots.contacts);
  for (int32_t k = 0; k < count; k++) {
    if (first + k + AHEAD < lanes->slots.contacts) fetch_lane(lanes, first + k + AHEAD);
    get_lane(lanes, first + k, scratch + k);
  }
  return scratch;
}

void sc_problem_ball_set(const sc_problem *problem, int32_t c, const double p[3]) {
  const sc_contacts *lanes = problem->store;
  if (!lanes) {
    sc_copy3(p, problem->ball[c].p);
    return;
  }
  uint32_t slot = (uint32_t)lanes->slots.slot[c];
  for (int k = 0; k < 3; k++) lanes->bundles.bundle[slot / SC_LANES].p[k][slot % SC_LANES] = p[k];
}

/* ---- the store ---- */

sc_contacts *sc_contacts_create(
    int64_t contacts_per_thread, const sc_exchange *exchange, sc_pool *pool, sc_arena *arena) {
  sc_contacts *store = SC_TAKE(arena, sc_contacts, 1);
  if (store)
    *store = (sc_contacts){.exchange = exchange,
        .contacts_per_thread = contacts_per_thread,
        .spare = sc_lanes_spare(sc_pool_threads(pool)),
        .pool = pool};
  return store;
}

int32_t sc_contacts_spare(const sc_contacts *store) { return store->spare; }
