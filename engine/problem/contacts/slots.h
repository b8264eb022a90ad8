/* Where contacts lie side by side: bundles of eight that share no movable body, walked in Gauss-Seidel order.
 *
 * Contacts are taken in their order (order.h) and each is put into the first open bundle of its kind
 * after the last one that touches either of its bodies (bundle.h). Contacts of one body so keep their order,
 * and a sweep over bundles (sweep.h) computes the same numbers as one over contacts, bit for bit. What a
 * bundle holds is another's matter: store.h for balls, generals.h for the rest.
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
  sc_pool *pool; /* whose threads sweep side by side; NULL: one */
  int threads;
  const uint8_t *shared; /* bodies that other ranks hold, too; NULL: none */
  int parts;             /* 1: nothing lies beyond, all contacts are in the first part */
  int rounds;            /* of a part; 0: there is no contact */
  sc_stream *stream;     /* threads x parts x rounds; bundles lie in this order */
  int32_t count;         /* bundles in all */
  int32_t contacts;
  int32_t *slot; /* per contact: bundle * SC_LANES + lane */
} sc_slots;

/* Slots of so many contacts, not yet known; false without memory. shared: as in sc_exchange. */
bool sc_slots_open(int32_t contacts, sc_pool *pool, const uint8_t *shared, sc_arena *arena, sc_slots *slots);
/* Plans them, in blocks so many contact lengths wide (order.h). kind: per contact, below SC_SLOT_KINDS;
 * NULL: all are of kind 0. NULL without memory, else of each bundle how many lanes are taken
 * (sc_slot_taken) and of what kind (sc_slot_kind). It lies behind the streams at the mark: all of the arena
 * that was taken since is given back. */
enum { SC_SLOT_KINDS = 12 };
const uint8_t *sc_slots_plan(const sc_problem *problem, int lengths, const sc_contact_pairs *pairs,
    const uint8_t *kind, sc_arena_mark mark, sc_arena *arena, sc_slots *slots);
static inline int sc_slot_taken(uint8_t taken) { return taken & 15; }
static inline int sc_slot_kind(uint8_t taken) { return taken >> 4; }
/* The row of a body that a lane names, by ~row if it cannot move. */
static inline int32_t sc_lane_body(int32_t name) { return name < 0 ? ~name : name; }

static inline int sc_slots_streams(const sc_slots *slots) {
  return slots->threads * slots->parts * slots->rounds;
}
static inline int sc_slots_stream(const sc_slots *slots, int thread, int part, int round) {
  return (thread * slots->parts + part) * slots->rounds + round;
}
/* What a thread of the pool has to do in a round: nothing, if others do all. */
static inline sc_stream sc_slots_share(const sc_slots *slots, int thread, int part, int round) {
  const sc_stream none = {0, 0};
  return thread < slots->threads ? slots->stream[sc_slots_stream(slots, thread, part, round)] : none;
}
/* The end of its bundles in the last one. */
static inline int32_t sc_slots_end(const sc_slots *slots, int thread, int part) {
  const sc_stream last = sc_slots_share(slots, thread, part, slots->rounds - 1);
  return last.first + last.count;
}

/* ---- rows behind the bodies that sweeps use ---- */

/* Rows with which so many threads need no copy of the bodies. */
static inline int32_t sc_lanes_spare(int threads) { return 3 * threads; }
/* Those of a thread: a body at rest with unit mass and an immovable one, which pad bundles, and one that
 * swallows writes. */
static inline int32_t sc_lanes_pad(int32_t bodies, int thread) { return bodies + 3 * thread; }
static inline int32_t sc_lanes_sink(int32_t bodies, int thread) { return bodies + 3 * thread + 2; }
/* Few contacts a thread are left to the caller's thread: the barriers between phases cost more than
 * another core helps. So are some more where others want the cores. A general contact counts for some of
 * balls. */
static inline sc_pool *sc_lanes_pool(
    int64_t balls, int64_t generals, int64_t contacts_per_thread, sc_pool *pool) {
  enum { WEIGHT = 4, MORE = 16 };
  const int64_t contacts = balls + WEIGHT * generals, few = contacts_per_thread * sc_pool_threads(pool);
  return contacts < few || (contacts < MORE * few && sc_pool_is_crowded(pool)) ? NULL : pool;
}

#endif
