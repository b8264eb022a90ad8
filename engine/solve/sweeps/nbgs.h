/* Inside of nonlinear block Gauss-Seidel: what its sweeps work on, shared by the files that prepare it
 * (nbgs_setup.c), sweep it (nbgs_sweep.c), and use sweeps for velocities (nbgs.c) and for positions
 * (nbgs_positions.c). */
#ifndef SC_NBGS_H
#define SC_NBGS_H

#include <stdatomic.h>

#include "problem/lanes.h"
#include "solve/sweeps/joint_blocks.h"
#include "solve/sweeps/momentum.h"
#include "solve/sweeps/sweep.h"

/* of a thread: [0] used; the rest keeps threads on separate lines */
typedef struct sc_nbgs_worker {
  double largest[16];
} sc_nbgs_worker;

/* Speed w by which a general contact may close, and its share y of the shifts. */
typedef struct sc_nbgs_push {
  double want, x;
} sc_nbgs_push;

typedef struct sc_nbgs {
  sc_problem *problem;
  scree_solver_def par;
  sc_pool *pool;
  sc_lanes *balls;          /* the problem's, or copies of its rows */
  sc_bundle_couple *couple; /* beside all their bundles; NULL without moments */
  sc_order generals[SC_LANE_PARTS];
  sc_joint_blocks joints;
  sc_nbgs_worker *worker;
  sc_momentum momentum; /* where par->acceleration is set */
  /* a user's law is among the laws: general contacts stay in the calling thread */
  bool scripted;
  /* of general contacts, where positions will be corrected; and while they are, else NULL */
  sc_nbgs_push *pushes, *push;
  /* room for shifts of positions, where they cannot take the place of velocities */
  sc_solver_body *shift;
  sc_joint_row *joint_shift; /* rows of joints as shifts must meet them, where there are any */
  sc_sweep sweep, sweep_couple;
  double tolerance_square;
  bool listens; /* the first thread's: messages are looked for between pieces of a sweep */
  atomic_int failed;
  int64_t sweeps;
  double largest;
  double norm; /* of the last change, over all ranks */
} sc_nbgs;

/* The three spare rows of every thread behind so many bodies (sc_solver_pad): at rest, with unit mass,
 * immovable, scratch. */
void sc_nbgs_clear_spares(int32_t bodies, int threads, sc_solver_body *body);
/* Order, lanes, blocks of joints, spare rows: the problem's bodies may lie elsewhere afterwards. False
 * without memory. */
bool sc_nbgs_set_up(
    sc_nbgs *r, sc_problem *problem, const scree_solver_def *par, sc_pool *pool, sc_arena *arena);
/* Everything once, on all threads together; border bodies have met at the end. The largest square of a
 * change, over all threads; before the next sweep there must be a barrier. */
double sc_nbgs_sweep(sc_nbgs *r, double beta, int thread, int threads);
/* After sweep 1, 2, ...: the largest change that decides whether to stop, of this sweep, or, where other
 * ranks sweep their parts, of the sweep before over all ranks. The reduction that was started last must
 * be finished when sweeps have ended. */
double sc_nbgs_deciding(sc_nbgs *r, int thread, int64_t sweep, double largest);

#endif
