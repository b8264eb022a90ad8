/* All bonds met at once, contacts and joints held: conjugate gradients on the bodies' velocities.
 *
 * With B the velocities of all bonds, S their softness, and y = B v + bias + S x what is unmet, the impulses
 *     x' = x - S^-1 (y + B dv),     (M + B' S^-1 B) dv = -B' S^-1 y
 * meet every bond: the step of implicit elasticity (M + h^2 K + h C) in the space of bodies. Its matrix is
 * symmetric and positive definite; it is never formed. A sweep passes a load on from one ball to the next,
 * so that a beam of N balls takes some N^4 of them; conjugate gradients take some N. They are preconditioned
 * by a number for a body's velocity and one for its spin: mass and the mean stiffness about it.
 * What they leave, as velocities M^-1 r, is judged as the change of a sweep is. Sums are taken over fixed
 * chunks of bodies in fixed order: the same bits for any number of threads. */
#ifndef SC_ELASTIC_H
#define SC_ELASTIC_H

#include "solve/sweeps/kernels/sweep.h"

typedef struct sc_elastic {
  const sc_problem *problem;
  const sc_bond_lanes *bonds;
  sc_pool *pool;
  sc_bond_sweep *pass;
  /* per body: mass and K^-1 in inv_mass and k beside a direction; the preconditioner beside its product;
   * what is left; the change of velocity so far */
  sc_solver_body *z, *load, *left, *change;
  double (*sum)[2]; /* per chunk */
  int64_t chunks;
  double largest; /* square of the largest velocity left */
} sc_elastic;

bool sc_elastic_build(const sc_problem *problem, const sc_bond_lanes *bonds, sc_pool *pool, sc_arena *arena,
    sc_elastic *elastic);
/* On all threads together; bonds and bodies are changed. Returns the number of iterations, alike on all. */
int64_t sc_elastic_solve(sc_elastic *elastic, const scree_solver_def *par, int thread, int threads);

#endif
