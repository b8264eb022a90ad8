/* Where contacts lie side by side: bundles of eight that share no movable body, walked in Gauss-Seidel
 * order.
 *
 * Each contact, in the order of order.h, goes into the first open bundle of its kind after the last bundle
 * that touches either of its bodies (pack.h). So contacts of one body stay in their order, and a sweep over
 * bundles (solve/sweeps/kernels/sweep.h) computes the same bits as a sweep over contacts. The contents of
 * bundles are in store.h for ball contacts and in generals.h for general contacts.
 *
 * Threads share the blocks of each colour, and each sweeps its own bundles in rounds, a barrier apart. */
#ifndef SC_SLOTS_H
#define SC_SLOTS_H

#include "base/base.h"
#include "math/lanes/lane.h"
#include "problem/contacts/order.h"
#include "problem/contacts/contacts.h"

/* Contacts of border bodies, which are swept first, and the others. */
enum { SC_LANE_PARTS = 2 };

/* Bundles that follow each other in one thread's sweep. */
typedef struct sc_stream {
  int32_t first, count;
} sc_stream;

typedef struct sc_slots {
  sc_pool *pool; /* its threads sweep side by side; NULL: one thread */
  int threads;
  const uint8_t *shared; /* bodies that other ranks hold, too; NULL: none */
  int parts;             /* 1: no body is shared, all contacts are in the first part */
  int rounds;            /* rounds of each part; 0: there is no contact */
  sc_stream *stream;     /* threads x parts x rounds; bundles lie in this order */
  int32_t count;         /* bundles in all */
  int32_t contacts;
  int32_t *slot; /* per contact: bundle * SC_LANES + lane */
} sc_slots;

/* Allocates slots for `contacts` contacts, whose places are planned later. shared: as in sc_exchange. Returns
 * false without memory. */
bool sc_slots_open(int32_t contacts, sc_pool *pool, const uint8_t *shared, sc_arena *arena, sc_slots *slots);
/* Plans slots, with blocks `lengths` contact lengths wide (order.h). kind: per contact, below SC_SLOT_KINDS;
 * NULL: all are of kind 0. Returns for each bundle its number of contacts (sc_slot_taken) and its kind
 * (sc_slot_kind), or NULL without memory. The result lies behind the streams at the mark. All other arena
 * memory allocated since the mark is freed. */
enum { SC_SLOT_KINDS = 12 };
const uint8_t *sc_slots_plan(const sc_problem *problem, int lengths, const sc_contact_pairs *pairs,
    const uint8_t *kind, sc_arena_mark mark, sc_arena *arena, sc_slots *slots);
static inline int sc_slot_taken(uint8_t taken) { return taken & 15; }
static inline int sc_slot_kind(uint8_t taken) { return taken >> 4; }
/* Returns the row of a body that a lane names: row, or ~row if the body cannot move. */
static inline int32_t sc_lane_body(int32_t name) { return name < 0 ? ~name : name; }

static inline int sc_slots_streams(const sc_slots *slots) {
  return slots->threads * slots->parts * slots->rounds;
}
static inline int sc_slots_stream(const sc_slots *slots, int thread, int part, int round) {
  return (thread * slots->parts + part) * slots->rounds + round;
}
/* Returns the bundles of a thread in a round; none if the thread takes no part in the sweep. */
static inline sc_stream sc_slots_share(const sc_slots *slots, int thread, int part, int round) {
  const sc_stream none = {0, 0};
  return thread < slots->threads ? slots->stream[sc_slots_stream(slots, thread, part, round)] : none;
}
/* Returns the end of a thread's bundles in the last round. */
static inline int32_t sc_slots_end(const sc_slots *slots, int thread, int part) {
  const sc_stream last = sc_slots_share(slots, thread, part, slots->rounds - 1);
  return last.first + last.count;
}

/* ---- rows behind the bodies that sweeps use ---- */

/* Returns the number of spare rows with which the threads need no copy of the bodies. */
static inline int32_t sc_lanes_spare(int threads) { return 3 * threads; }
/* Returns the first of a thread's three spare rows. The first two pad bundles: a body at rest with unit
 * mass, and an immovable body. */
static inline int32_t sc_lanes_pad(int32_t bodies, int thread) { return bodies + 3 * thread; }
/* Returns the third of these rows. Writes to bodies that cannot move go there, and nobody reads them. */
static inline int32_t sc_lanes_sink(int32_t bodies, int thread) { return bodies + 3 * thread + 2; }
/* Returns the pool, or NULL if the caller's thread sweeps alone. It does if there are fewer than
 * contacts_per_thread contacts per thread, because barriers then cost more than other threads gain. If
 * the pool is oversubscribed, the limit is MORE times as high. A general contact counts as WEIGHT ball
 * contacts. */
static inline sc_pool *sc_lanes_pool(
    int64_t balls, int64_t generals, int64_t contacts_per_thread, sc_pool *pool) {
  enum { WEIGHT = 4, MORE = 16 };
  const int64_t contacts = balls + WEIGHT * generals, few = contacts_per_thread * sc_pool_threads(pool);
  return contacts < few || (contacts < MORE * few && sc_pool_is_crowded(pool)) ? NULL : pool;
}

#endif
