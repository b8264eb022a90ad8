/* Ball contacts side by side: bundles of eight that share no movable body, walked in Gauss-Seidel order.
 *
 * Contacts are taken in their order (order.h) and each is put into the first open bundle after the last
 * one that touches either of its bodies. Contacts of one body so keep their order, and a sweep over
 * bundles (sweep.h) computes the same numbers as one over contacts, bit for bit.
 *
 * Lanes are where these solvers want ball contacts (sc_ball_store): assembly writes each contact to its
 * lane, others read it back. Rows of a problem that came without them are put into lanes of the solver's
 * own. */
#ifndef SC_LANES_H
#define SC_LANES_H

#include "base/base.h"
#include "solve/solver.h"
#include "solve/sweeps/order.h"

enum { SC_LANES = 8 };

typedef struct sc_bundle {
  double n[3][SC_LANES], p[3][SC_LANES];
  double bias[SC_LANES]; /* at least `least` of the bundles counts */
  /* rows of bodies; j = ~row for a body that cannot move: it is read, never written */
  int32_t i[SC_LANES], j[SC_LANES];
} sc_bundle;

/* Moments beside a bundle, where ball contacts have torsional or rolling friction (problem.couple). */
typedef struct sc_bundle_couple {
  double m[3][SC_LANES], torsion[SC_LANES], rolling[SC_LANES], ratio[SC_LANES];
} sc_bundle_couple;

/* Impulses of a bundle after the sweep before, where sweeps carry momentum (momentum.h). */
typedef struct sc_bundle_past {
  double p[3][SC_LANES];
} sc_bundle_past;

/* Bundles that follow each other in one thread's sweep. */
typedef struct sc_bundles {
  int32_t count;
  int64_t lanes; /* that hold a contact */
  sc_bundle *bundle;
  /* friction: a row per bundle where mu_step is 1, one for all where it is 0 */
  const double (*mu)[SC_LANES];
  int mu_step;
  double least;                /* 0: biases below count as 0; -INFINITY: all count */
  sc_bundle_past *past;        /* NULL without momentum */
  sc_bundle_couple *couple;    /* NULL without moments */
  sc_bundle_past *couple_past; /* of m */
} sc_bundles;

/* Contacts of border bodies, which are swept first, and the others. */
enum { SC_LANE_PARTS = 2 };

/* All ball contacts of a problem. */
typedef struct sc_lanes {
  sc_ball_store store; /* what assembly sees; first, so that either is found from the other */
  const sc_exchange *exchange;
  int64_t contacts_per_thread; /* fewer are left to one thread */
  sc_pool *pool;               /* whose threads sweep side by side; NULL: one */
  int threads;
  int parts; /* 1: nothing lies beyond, all contacts are in the first part */
  /* streams of bundles in a part: one a colour, or a single one over all where one thread works */
  int colours;
  sc_bundles *stream; /* threads x parts x colours */
  int32_t count;      /* bundles in all */
  sc_bundle *bundle;  /* those of all streams, one after the other */
  int32_t contacts;
  int32_t *slot; /* per contact: bundle * SC_LANES + lane */
  double (*mu)[SC_LANES];
  int mu_step;
  double least;               /* as in the streams; 0: biases are gaps, of which the positive part counts */
  const sc_solver_body *body; /* of the problem that was planned for */
} sc_lanes;

/* Lanes that are still empty, in the arena; NULL without memory. */
sc_lanes *sc_lanes_create(
    const scree_solver_def *par, const sc_exchange *exchange, sc_pool *pool, sc_arena *arena);
sc_ball_store *sc_lanes_store(
    const scree_solver_def *par, const sc_exchange *exchange, sc_pool *pool, sc_arena *arena);

static inline int sc_lanes_streams(const sc_lanes *lanes) {
  return lanes->threads * lanes->parts * lanes->colours;
}
static inline sc_bundles *sc_lanes_stream(const sc_lanes *lanes, int thread, int part, int colour) {
  return lanes->stream + (thread * lanes->parts + part) * lanes->colours + colour;
}

/* ---- rows behind the bodies that sweeps use ---- */

/* Rows with which so many threads need no copy of the bodies. */
static inline int32_t sc_lanes_spare(int threads) { return 3 * threads; }
/* Those of a thread: a body at rest with unit mass and an immovable one, which pad bundles, and one that
 * swallows writes. */
static inline int32_t sc_lanes_pad(int32_t bodies, int thread) { return bodies + 3 * thread; }
static inline int32_t sc_lanes_sink(int32_t bodies, int thread) { return bodies + 3 * thread + 2; }
/* Few contacts a thread are left to the caller's thread: the barriers between colours cost more than
 * another core helps, above all on a machine with more to do. */
static inline sc_pool *sc_lanes_pool(int64_t contacts, int64_t contacts_per_thread, sc_pool *pool) {
  return contacts < contacts_per_thread * sc_pool_threads(pool) ? NULL : pool;
}

/* ---- planning (bundle.c) ----
 * Of the contacts visit[begin..end): place[k - begin] = bundle * SC_LANES + lane of contact visit[k];
 * taken: how many lanes of each bundle are, with 64 entries more than contacts. */
enum { SC_BUNDLES_OPEN = 64 }; /* bundles open at a time, and what `taken` holds beyond the contacts */
typedef struct sc_bundle_plan {
  int32_t begin, end;
  int32_t *place;
  unsigned char *taken;
} sc_bundle_plan;
/* Fills the plan; returns the number of bundles. last: one int32 per body, -1 before its first use;
 * *base starts at 0 and keeps calls that share `last` apart. */
int32_t sc_bundles_plan(const sc_problem *problem, const sc_ball_pairs *pairs, const int32_t *visit,
    const sc_bundle_plan *plan, int32_t *last, int32_t *base);

#endif
