/* Ball contacts in bundles (slots.h): where these solvers want them (sc_ball_store). Assembly writes each
 * contact to its lane, others read it back. Rows of a problem that came without lanes are put into lanes
 * of the solver's own. */
#ifndef SC_LANES_H
#define SC_LANES_H

#include "solve/sweeps/bundles/slots.h"

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

/* Corrections of positions beside a bundle: the speed by which each contact may close (negative: must
 * open), and its impulse along the normal. */
typedef struct sc_bundle_push {
  double want[SC_LANES], x[SC_LANES];
} sc_bundle_push;

/* What sweeps see of them; all arrays have a row per bundle. */
typedef struct sc_bundles {
  sc_bundle *bundle;
  /* friction: a row per bundle where mu_step is 1, one for all where it is 0 */
  const double (*mu)[SC_LANES];
  int mu_step;
  double least;             /* 0: biases are gaps, of which the positive part counts; -INFINITY: all count */
  sc_bundle_past *past;     /* NULL without momentum */
  sc_bundle_couple *couple; /* NULL without moments */
  sc_bundle_past *couple_past; /* of m */
} sc_bundles;

/* All ball contacts of a problem, and, where they are wanted, general ones. */
typedef struct sc_lanes {
  sc_ball_store store; /* what assembly sees; first, so that either is found from the other */
  const sc_exchange *exchange;
  int64_t contacts_per_thread; /* fewer are left to one thread */
  sc_pool *pool;
  sc_slots slots;
  sc_bundles bundles;
  double (*mu)[SC_LANES];
  const sc_solver_body *body;   /* of the problem that was planned for */
  struct sc_generals *generals; /* NULL: they lie in rows */
} sc_lanes;

/* Lanes that are still empty, in the arena; NULL without memory. */
sc_lanes *sc_lanes_create(
    const scree_solver_def *par, const sc_exchange *exchange, sc_pool *pool, sc_arena *arena);
sc_ball_store *sc_lanes_store(
    const scree_solver_def *par, const sc_exchange *exchange, sc_pool *pool, sc_arena *arena);

/* Moments from the rows of a problem beside the bundles that its balls were copied to (couples.c), with
 * momentum where `past` is set; false without memory. And contact c's back. */
bool sc_couples_fill(const sc_problem *problem, sc_lanes *lanes, bool past, sc_arena *arena);
void sc_couple_get(const sc_lanes *lanes, int32_t c, double m[3]);

#endif
