/* Momentum on Gauss-Seidel sweeps (Nesterov's sequence, as in accelerated projected gradients; here
 * around whole sweeps).
 *
 * After each sweep, momentum extrapolates all impulses along their last change, p + beta (p - p_before). It
 * also extrapolates the velocities, which are linear in the impulses. The next sweep makes every impulse
 * admissible again. No extrapolation follows the last sweep.
 * beta follows theta' = (sqrt(theta^4 + 4 theta^2) - theta^2)/2, beta = theta (1 - theta)/(theta^2 +
 * theta'), up to a cap. With friction the problem is not a minimisation, so descent is not guaranteed, and
 * sweeps with momentum may orbit. Both show in the norm of the change between two sweeps,
 * sum m |dv|^2 + |dq|^2/k over bodies. If the norm grows to a multiple of its minimum, theta restarts
 * (beta = 0). If the minimum norm of some sweeps is hardly below the minimum before, the cap falls. Orbiting
 * sweeps thus become plain sweeps, which converge. The cap rises again while the norm falls.
 * If all contacts have springs, no eigenvalue of the Delassus matrix relative to its diagonal blocks is below
 * a known q. The cap is then at most (1 - sqrt q)/(1 + sqrt q), the best constant beta (Nesterov 2004,
 * 2.2.1). The sum over fixed chunks of bodies in a fixed order does not depend on the number of threads.
 *
 * The sweep itself extrapolates impulses in bundles when it loads them (store.h, generals.h,
 * mechanisms.h). */
#ifndef SC_MOMENTUM_H
#define SC_MOMENTUM_H

#include <math.h>
#include "problem/problem.h"
#include "solve/joints/joint_blocks.h"

/* State of momentum that all threads share. */
typedef struct sc_momentum {
  const sc_problem *problem;
  const struct sc_sweeps *sweeps; /* kernels of the machine's SIMD width (kernels/sweep.h) */
  sc_solver_body *body;           /* [bodies] copies of the bodies after the previous sweep */
  double *x;                      /* [x_count] impulses of general contacts in rows after the previous
                                     sweep */
  double *joint;                  /* [rows] impulses of joint rows in blocks after the previous sweep */
  int32_t *row;                   /* [rows] index in problem->joint_row of each row in a block */
  int32_t x_count, rows;
  int32_t chunks;
  double *sum; /* [chunks] energy norm of the last change of the bodies of a chunk */
  double top;  /* largest cap of beta */
} sc_momentum;

/* Sequence of factors beta. Each thread computes it for itself, with the same result. Norms are energy norms
 * of the change between two sweeps. */
typedef struct sc_pace {
  double theta, beta;
  double least;          /* minimum norm since theta restarted */
  double cap, top;       /* cap of beta; largest cap */
  double lately, before; /* minimum norm since the last update of the cap, and in the interval before it */
  int count;             /* sweeps since the last update of the cap */
} sc_pace;

/* Returns the pace before the first sweep. top: largest cap. */
static inline sc_pace sc_pace_fresh(double top) {
  return (sc_pace){
      .theta = 1, .least = INFINITY, .cap = top, .top = top, .lately = INFINITY, .before = INFINITY};
}
/* Returns the largest cap of beta for a problem. The cap is lower if all contacts have soft springs, because
 * sweeps then converge fast without momentum. */
double sc_momentum_top(const sc_problem *problem);

/* Allocates the state and copies the present impulses and bodies. Returns false if out of memory. The
 * problem's bodies must stay at their address. */
bool sc_momentum_build(
    const sc_problem *problem, const sc_joint_blocks *joints, sc_arena *arena, sc_momentum *momentum);
/* Computes the norms of a thread's chunks. The caller must wait at a barrier afterwards. */
void sc_momentum_measure(sc_momentum *momentum, int thread, int threads);
/* Returns the norm of the last change: the sum over all chunks. */
double sc_momentum_norm(const sc_momentum *momentum);
/* Computes pace->beta for the next extrapolation. norm: result of sc_momentum_norm. */
void sc_momentum_pace(double norm, sc_pace *pace);
/* Extrapolates a thread's share of bodies, general contacts in rows and joints in blocks by beta. The caller
 * must wait at a barrier afterwards. */
void sc_momentum_move(sc_momentum *momentum, double beta, int thread, int threads);

#endif
