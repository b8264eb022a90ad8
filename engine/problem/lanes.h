/* Ball contacts side by side: bundles of eight that share no movable body, walked in Gauss-Seidel order.
 *
 * Contacts are taken in their order (order.h) and each is put into the first open bundle after the last
 * one that touches either of its bodies. Contacts of one body so keep their order, and a sweep over
 * bundles (solve/sweep.h) computes the same numbers as one over contacts, bit for bit.
 *
 * The lanes are the one place where a problem for such sweeps keeps its ball contacts (problem.h:
 * `lanes` instead of `ball`). Assembly plans them from the bodies of the contacts alone (sc_lanes_plan)
 * and then writes each contact to its lane (sc_lane_put); others read contact c back with
 * sc_problem_ball. A problem in plain rows is copied to lanes by the solver. */
#ifndef SC_LANES_H
#define SC_LANES_H

#include "base/base.h"
#include "math/vec.h"
#include "problem/order.h"
#include "problem/problem.h"

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
  int threads; /* that sweep side by side */
  int parts;   /* 1: nothing lies beyond, all contacts are in the first part */
  /* streams of bundles in a part: one a colour, or a single one over all where one thread works */
  int colours;
  sc_bundles *stream; /* threads x parts x colours */
  int32_t count;      /* bundles in all */
  sc_bundle *bundle;  /* those of all streams, one after the other */
  int32_t *slot;      /* per contact: bundle * SC_LANES + lane */
  double (*mu)[SC_LANES];
  int mu_step;
  double least; /* as in the streams */
  /* corrections of positions have used the lanes up: they hold no contacts any more */
  bool used;
} sc_lanes;

typedef struct sc_lanes_in {
  int32_t count;
  /* bodies of contact c: first[c * stride], second[c * stride] */
  const int32_t *first, *second;
  size_t stride;
  sc_pool *pool;           /* whose threads will sweep; NULL: one */
  const sc_border *border; /* NULL: the problem is whole */
  bool one_mu;             /* all contacts have the same friction */
  double least;
} sc_lanes_in;

/* In two steps, between which `first` and `second` can be filled in: room for what depends on the number
 * of contacts alone; and order, plans and room for the bundles, where what is left empty opens at rest.
 * The problem's bodies and positions must be there. Planning gives all of the arena back that was taken
 * since the mark, but for the room. False without memory. */
bool sc_lanes_begin(const sc_lanes_in *in, sc_arena *arena, sc_lanes *out);
bool sc_lanes_plan(
    const sc_problem *problem, const sc_lanes_in *in, sc_arena_mark mark, sc_arena *arena, sc_lanes *lanes);

static inline int sc_lanes_streams(const sc_lanes *lanes) {
  return lanes->threads * lanes->parts * lanes->colours;
}
static inline sc_bundles *sc_lanes_stream(const sc_lanes *lanes, int thread, int part, int colour) {
  return lanes->stream + (thread * lanes->parts + part) * lanes->colours + colour;
}

/* ---- contact c in its lane ---- */

/* Loops of three are written out here: compilers leave them as loops, which costs more than the sums in
 * them. */

/* Asks for a lane that is read or written later: normal, impulse and bodies; for bias besides. */
SC_FETCH sc_lane_fetch(const sc_lanes *lanes, int32_t c, bool bias) {
  const sc_bundle *b = lanes->bundle + (uint32_t)lanes->slot[c] / SC_LANES;
  __builtin_prefetch(b->n[0], 1);
  __builtin_prefetch(b->n[1], 1);
  __builtin_prefetch(b->n[2], 1);
  __builtin_prefetch(b->p[0], 1);
  __builtin_prefetch(b->p[1], 1);
  __builtin_prefetch(b->p[2], 1);
  __builtin_prefetch(b->i, 1);
  if (bias) __builtin_prefetch(b->bias, 1);
}

static inline void sc_lane_put(const sc_lanes *lanes, int32_t c, const sc_ball_contact *from, bool still) {
  uint32_t slot = (uint32_t)lanes->slot[c], group = slot / SC_LANES, l = slot % SC_LANES;
  sc_bundle *b = lanes->bundle + group;
  b->n[0][l] = from->n[0], b->n[1][l] = from->n[1], b->n[2][l] = from->n[2];
  b->p[0][l] = from->p[0], b->p[1][l] = from->p[1], b->p[2][l] = from->p[2];
  b->bias[l] = from->bias;
  lanes->mu[group * (uint32_t)lanes->mu_step][l] = from->mu;
  b->i[l] = from->i;
  b->j[l] = still ? ~from->j : from->j;
}

static inline sc_ball_contact sc_lane_get(const sc_lanes *lanes, int32_t c) {
  uint32_t slot = (uint32_t)lanes->slot[c], group = slot / SC_LANES, l = slot % SC_LANES;
  const sc_bundle *b = lanes->bundle + group;
  double bias = b->bias[l];
  int32_t j = b->j[l];
  return (sc_ball_contact){.n = {b->n[0][l], b->n[1][l], b->n[2][l]},
      .p = {b->p[0][l], b->p[1][l], b->p[2][l]},
      .bias = bias > lanes->least ? bias : lanes->least,
      .mu = lanes->mu[group * (uint32_t)lanes->mu_step][l],
      .i = b->i[l],
      .j = j < 0 ? ~j : j};
}

/* Ball contact c of a problem, wherever it lies. */
static inline sc_ball_contact sc_problem_ball(const sc_problem *problem, int32_t c) {
  return problem->lanes ? sc_lane_get(problem->lanes, c) : problem->ball[c];
}

/* Relative velocity of two bodies at a ball contact, world axes. */
static inline void sc_ball_velocity(
    const sc_solver_body *a, const sc_solver_body *b, const double n[3], double u[3]) {
  double q[3], turn[3];
  sc_add(a->q, b->q, q);
  sc_cross(q, n, turn);
  u[0] = a->v[0] - b->v[0] - turn[0];
  u[1] = a->v[1] - b->v[1] - turn[1];
  u[2] = a->v[2] - b->v[2] - turn[2];
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
int32_t sc_bundles_plan(const sc_problem *problem, const sc_lanes_in *in, const int32_t *visit,
    const sc_bundle_plan *plan, int32_t *last, int32_t *base);

#endif
