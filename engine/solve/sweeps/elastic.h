/* Solves all bonds together, with fixed impulses of contacts and joints, by conjugate gradients on the
 * velocities of bodies.
 *
 * B maps velocities v of bodies to velocities of bonds, x are the impulses of the bonds, S is the softness,
 * and y = B v + bias + S x is the residual. The impulses
 *     x' = x - S^-1 (y + B dv),     (M + B' S^-1 B) dv = -B' S^-1 y
 * have no residual. This is the step of implicit elasticity, M + h^2 K + h C, in the space of bodies (h: time
 * step, K: stiffness, C: damping). The matrix is symmetric and positive definite, and is never formed. A
 * sweep moves a load only from one ball to the next, so a beam of N balls takes about N^4 sweeps. Conjugate
 * gradients take about N iterations. The preconditioner has two numbers per body, from mass and mean
 * stiffness, for velocity and for spin. The residual r as a velocity, M^-1 r, is compared with the tolerance.
 * Sums over fixed chunks of bodies in a fixed order have the same bits for any number of threads. */
#ifndef SC_ELASTIC_H
#define SC_ELASTIC_H

#include "solve/sweeps/kernels/sweep.h"

typedef struct sc_elastic {
  const sc_problem *problem;
  const sc_bond_lanes *bonds;
  sc_pool *pool;
  sc_bond_sweep *pass;
  /* [bodies] search direction z; inv_mass and k contain mass and K^-1 instead of their inverses */
  sc_solver_body *z;
  /* [bodies] product of the matrix and z; inv_mass and k contain the preconditioner */
  sc_solver_body *load;
  sc_solver_body *left;   /* [bodies] residual r */
  sc_solver_body *change; /* [bodies] velocity change x so far */
  double (*sum)[2];       /* [chunks] partial sum and maximum over a chunk of bodies */
  int64_t chunks;
  double largest; /* square of the largest velocity M^-1 r at the end [m^2/s^2] */
} sc_elastic;

/* Allocates scratch in the arena. Returns false if out of memory. */
bool sc_elastic_build(const sc_problem *problem, const sc_bond_lanes *bonds, sc_pool *pool, sc_arena *arena,
    sc_elastic *elastic);
/* Solves the bonds and updates the velocities of bodies and the impulses of bonds. All threads of the pool
 * call it. Returns the number of iterations, which is equal on all threads. */
int64_t sc_elastic_solve(sc_elastic *elastic, const scree_solver_def *par, int thread, int threads);

#endif
