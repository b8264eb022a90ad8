/* Momentum on Gauss-Seidel sweeps (Nesterov's sequence, as in accelerated projected gradients; here
 * around whole sweeps).
 *
 * After each sweep all impulses are moved on along their last change, p + beta (p - p_before), and so
 * are the velocities, which are linear in the impulses. The next sweep then makes every impulse
 * admissible again; the last sweep is followed by no move, so that answers are always those of a sweep.
 * beta follows theta' = (sqrt(theta^4 + 4 theta^2) - theta^2)/2, beta = theta (1 - theta)/(theta^2 +
 * theta'), up to a cap. Friction makes the problem no minimisation, so nothing guarantees descent, and
 * momentum may orbit. The norm of the change between two sweeps, sum m |dv|^2 + |dq|^2/k over bodies, shows
 * both: theta starts afresh (beta = 0) when the norm has grown to a multiple of the least one since. When
 * the least norm of some sweeps is hardly below that of the sweeps before, the cap falls as well, so that
 * sweeps which orbit become plain ones, which converge. The cap rises again while the norm falls.
 * Where all contacts have springs, the Delassus matrix over its blocks has no eigenvalue below a known q, and
 * the cap is at most (1 - sqrt q)/(1 + sqrt q), the best constant beta then (Nesterov 2004, 2.2.1).
 * That sum is taken over fixed chunks of bodies in fixed order, so it does not depend on the number of
 * threads.
 *
 * Impulses that live in bundles the sweep itself moves as it loads them (store.h, generals.h,
 * mechanisms.h). */
#ifndef SC_MOMENTUM_H
#define SC_MOMENTUM_H

#include <math.h>
#include "problem/problem.h"
#include "solve/joints/joint_blocks.h"

/* Shared by all threads. */
typedef struct sc_momentum {
  const sc_problem *problem;
  const struct sc_sweeps *sweeps; /* of the machine's width (kernels/sweep.h) */
  sc_solver_body *body;           /* as they were after the sweep before */
  double *x, *joint;              /* the same of general impulses and of rows of joints in blocks: */
  int32_t *row;
  int32_t x_count, rows;
  int32_t chunks;
  double *sum; /* per chunk: energy norm of the last change */
  double top;  /* largest cap of beta */
} sc_momentum;

/* Momentum as all threads compute it, each for itself. Norms are those of changes. */
typedef struct sc_pace {
  double theta, beta;
  double least;          /* norm since theta started afresh */
  double cap, top;       /* of beta; largest cap */
  double lately, before; /* least norms: since the last look back, and before it */
  int count;             /* sweeps since the last look back */
} sc_pace;
/* Returns the pace before the first sweep. top: largest cap. */
static inline sc_pace sc_pace_fresh(double top) {
  return (sc_pace){
      .theta = 1, .least = INFINITY, .cap = top, .top = top, .lately = INFINITY, .before = INFINITY};
}
/* Returns the largest cap for a problem, by the springs of its contacts. */
double sc_momentum_top(const sc_problem *problem);

/* False without memory. The problem's bodies must stay where they are. */
bool sc_momentum_build(
    const sc_problem *problem, const sc_joint_blocks *joints, sc_arena *arena, sc_momentum *momentum);
/* A thread's share of the norms; a barrier must follow. */
void sc_momentum_measure(sc_momentum *momentum, int thread, int threads);
/* The norm of the last change. */
double sc_momentum_norm(const sc_momentum *momentum);
/* The factor beta for the coming move, from that norm. */
void sc_momentum_pace(double norm, sc_pace *pace);
/* A thread's share of the move of bodies, general contacts and joints by beta; a barrier must follow. */
void sc_momentum_move(sc_momentum *momentum, double beta, int thread, int threads);

#endif
