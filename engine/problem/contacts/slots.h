/* Places of contacts in bundles: groups of up to eight contacts that share no movable body, swept in
 * Gauss-Seidel order.
 *
 * Contacts are put into bundles in the order of order.h. Each contact goes into the first open bundle of its
 * kind after the last bundle that touches either of its bodies (pack.h). The contacts of a body therefore
 * keep their order, and a sweep over bundles (solve/sweeps/kernels/sweep.h) gives the same bits as a sweep
 * over contacts. store.h defines bundles of ball contacts, generals.h bundles of general contacts.
 *
 * The blocks of each colour are divided among the threads. Each thread sweeps its own bundles in rounds,
 * with a barrier after each round. */
#ifndef SC_SLOTS_H
#define SC_SLOTS_H

#include "base/base.h"
#include "math/lanes/lane.h"
#include "problem/contacts/order.h"
#include "problem/contacts/contacts.h"

/* Number of parts of a sweep: contacts with a shared body (sc_exchange) come first, then all other
 * contacts. */
enum { SC_LANE_PARTS = 2 };

/* Bundles that follow each other in one thread's sweep. */
typedef struct sc_stream {
  int32_t first, count;
} sc_stream;

typedef struct sc_slots {
  sc_pool *pool; /* threads that sweep; NULL: one thread */
  int threads;
  const uint8_t *shared; /* [bodies] nonzero: other ranks have copies of the body; NULL: one rank */
  /* number of parts in use: 1 if no body is shared (all contacts are in the first part), else
   * SC_LANE_PARTS */
  int parts;
  int rounds; /* number of rounds of each part; 0: there are no contacts */
  /* [threads * parts * rounds] bundles of each thread, part and round, in memory order */
  sc_stream *stream;
  int32_t count;    /* number of bundles of all threads */
  int32_t contacts; /* number of contacts in all bundles */
  int32_t *slot;    /* [contacts] bundle * SC_LANES + lane */
} sc_slots;

/* Allocates slots for `contacts` contacts. sc_slots_plan assigns them later. shared: [bodies] nonzero: other
 * ranks have copies of the body; NULL: one rank. Returns false if out of memory. */
bool sc_slots_open(int32_t contacts, sc_pool *pool, const uint8_t *shared, sc_arena *arena, sc_slots *slots);
enum { SC_SLOT_KINDS = 12 }; /* number of kinds of bundles */
/* Plans slots: assigns each contact to a lane of a bundle. lengths: width of blocks, in mean distances of the
 * two bodies of a contact (order.h). kind: [contacts] kind of bundle, below SC_SLOT_KINDS; NULL: all contacts
 * have kind 0. Returns the packed number and kind of contacts of each bundle (sc_slot_taken, sc_slot_kind),
 * or NULL if out of memory. The result lies behind the streams at the mark. All other arena memory allocated
 * since the mark is freed. */
const uint8_t *sc_slots_plan(const sc_problem *problem, int lengths, const sc_contact_pairs *pairs,
    const uint8_t *kind, sc_arena_mark mark, sc_arena *arena, sc_slots *slots);
/* Returns the number of contacts of a bundle, from its entry in the result of sc_slots_plan. */
static inline int sc_slot_taken(uint8_t taken) { return taken & 15; }
/* Returns the kind of a bundle, from its entry in the result of sc_slots_plan. */
static inline int sc_slot_kind(uint8_t taken) { return taken >> 4; }
/* Returns the row of a body from `name`, its entry in a lane: the row itself, or ~row if the body cannot
 * move. */
static inline int32_t sc_lane_body(int32_t name) { return name < 0 ? ~name : name; }

/* Returns the number of streams. */
static inline int sc_slots_streams(const sc_slots *slots) {
  return slots->threads * slots->parts * slots->rounds;
}
/* Returns the index of a stream in slots->stream. */
static inline int sc_slots_stream(const sc_slots *slots, int thread, int part, int round) {
  return (thread * slots->parts + part) * slots->rounds + round;
}
/* Returns the bundles of a thread in a round, an empty stream if the thread does not sweep. */
static inline sc_stream sc_slots_share(const sc_slots *slots, int thread, int part, int round) {
  const sc_stream none = {0, 0};
  return thread < slots->threads ? slots->stream[sc_slots_stream(slots, thread, part, round)] : none;
}
/* Returns the number of the bundle after the last bundle of a thread in a part. */
static inline int32_t sc_slots_end(const sc_slots *slots, int thread, int part) {
  const sc_stream last = sc_slots_share(slots, thread, part, slots->rounds - 1);
  return last.first + last.count;
}

/* ---- spare rows of bodies, behind the bodies of the problem ---- */

/* Returns the number of spare rows for a number of threads. Without them sweeps must copy the bodies. */
static inline int32_t sc_lanes_spare(int threads) { return 3 * threads; }
/* Returns the first of a thread's three spare rows. The first two are the bodies of empty lanes: a body at
 * rest with unit mass, and an immovable body. */
static inline int32_t sc_lanes_pad(int32_t bodies, int thread) { return bodies + 3 * thread; }
/* Returns the third of a thread's spare rows, the sink: kernels write the velocities of immovable bodies to
 * this row, and nothing reads it. */
static inline int32_t sc_lanes_sink(int32_t bodies, int thread) { return bodies + 3 * thread + 2; }
/* Returns the pool, or NULL if only the caller's thread should sweep. This is the case if there are fewer
 * than contacts_per_thread contacts per thread, because barriers then cost more than other threads gain.
 * The limit is MORE times as high if the pool is oversubscribed. A general contact counts as WEIGHT ball
 * contacts. */
static inline sc_pool *sc_lanes_pool(
    int64_t balls, int64_t generals, int64_t contacts_per_thread, sc_pool *pool) {
  enum { WEIGHT = 4, MORE = 16 };
  const int64_t contacts = balls + WEIGHT * generals, few = contacts_per_thread * sc_pool_threads(pool);
  return contacts < few || (contacts < MORE * few && sc_pool_is_crowded(pool)) ? NULL : pool;
}

#endif
