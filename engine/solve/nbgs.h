/* Inside of nonlinear block Gauss-Seidel: what its sweeps work on, shared by the files that prepare it (nbgs_setup.c), sweep it
 * (nbgs_sweep.c), and use sweeps for velocities (nbgs.c) and for positions (nbgs_positions.c). */
#ifndef SC_NBGS_H
#define SC_NBGS_H

#include <stdatomic.h>

#include "problem/problem.h"
#include "solve/joint_blocks.h"
#include "solve/lanes.h"
#include "solve/momentum.h"
#include "solve/order.h"

enum { SC_NBGS_PARTS = 2 }; /* contacts of border bodies and the others */

typedef struct sc_nbgs_worker { /* what one thread needs; arrays by colour */
  sc_bundles bundles[SC_NBGS_PARTS][SC_COLOURS];
  sc_bundle_plan plan[SC_NBGS_PARTS][SC_COLOURS];
  int32_t *last;            /* per body: the bundle that touched it last */
  int32_t pad, sink;        /* rows of spare bodies */
  double largest[16];       /* [0] used; the rest keeps threads on separate cache lines */
} sc_nbgs_worker;

/* Speed w by which a general contact may close, and its share y of the shifts. */
typedef struct sc_nbgs_push { double want, x; } sc_nbgs_push;

typedef struct sc_nbgs {
  sc_problem *problem;
  const scree_solver_def *par;
  sc_pool *pool;
  sc_order balls[SC_NBGS_PARTS], generals[SC_NBGS_PARTS];
  int parts;                /* 1: nothing lies beyond, all contacts are in the first part */
  int colours;              /* streams of bundles in a part: one a colour, or a single one over all colours where one thread works */
  sc_joint_blocks joints;
  int32_t *group; unsigned char *lane, *fill; /* plans of the bundles (lanes.h) */
  sc_nbgs_worker *worker;
  sc_momentum momentum;     /* where par->acceleration is set */
  bool scripted;            /* a user's law is among the laws: general contacts stay in the calling thread */
  sc_nbgs_push *push;        /* of general contacts, while positions are corrected */
  sc_sweep sweep;
  sc_sweep_couple sweep_couple;
  double tolerance_square;
  atomic_int failed;
  int64_t sweeps;
  double largest;
  double norm;              /* of the last change, over all ranks */
} sc_nbgs;

/* What stands before any set-up. Few contacts a thread are left to the caller's thread: the barriers between colours cost more than
 * another core helps, above all on a machine with more to do. */
static inline sc_nbgs sc_nbgs_begin(sc_problem *problem, const scree_solver_def *par, sc_pool *pool) {
  if (problem->balls + problem->generals < par->contacts_per_thread * sc_pool_threads(pool)) pool = NULL;
  return (sc_nbgs){.problem = problem, .par = par, .pool = pool, .sweep = sc_sweep_best(),
                   .sweep_couple = sc_sweep_couple_best(), .colours = sc_pool_threads(pool) > 1 ? SC_COLOURS : 1,
                   .tolerance_square = par->tolerance * par->tolerance};
}

/* Order, bundles, blocks of joints, spare rows: the problem's bodies may lie elsewhere afterwards. False without memory. */
bool sc_nbgs_set_up(sc_nbgs *r, sc_arena *arena);
/* Everything once, on all threads together; border bodies have met at the end. The largest square of a change, over all threads; before
 * the next sweep there must be a barrier. */
double sc_nbgs_sweep(sc_nbgs *r, double beta, int thread, int threads);
/* After set-up, with the answer's velocities in the bodies: finds problem->shift. The velocities stay as they are; bundles are used up.
 * False without memory. */
bool sc_nbgs_correct(sc_nbgs *r, sc_arena *arena);

#endif
