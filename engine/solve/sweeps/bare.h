/* Gauss-Seidel on a bare Delassus matrix (problem/operator/matrix.h). Sweeps visit contacts in their order,
 * on one thread.
 *
 * Each contact computes its velocity from its rows of the matrix. Velocities of all contacts are only
 * computed at the end. Momentum works as described in momentum.h, except that the norm of a change uses only
 * the diagonal blocks.
 *
 * Redundant contacts whose gaps contradict each other change their impulses by nearly the same amount in
 * every sweep, until one of them opens. A leap (Aitken extrapolation, with one ratio for all rows)
 * extrapolates the last change to its limit if the ratio of two changes stayed constant. The leap stops where
 * the first contact opens. */
#ifndef SC_BARE_H
#define SC_BARE_H

#include "problem/problem.h"
#include "solve/sweeps/momentum.h"

typedef struct sc_bare {
  const sc_problem *problem;
  double relaxation;
  bool threes;    /* all contacts have three rows */
  int32_t rows;   /* number of impulses: length of problem.x in use */
  int32_t *from;  /* [blocks of the matrix] index in problem.x of the impulses of a block */
  double *free;   /* [rows] velocities without impulses */
  double *before; /* [rows] impulses after the previous sweep */
  double *change; /* [rows] scratch for changes of impulses */
  bool momentum;  /* sweeps have momentum; the caller may change it between sweeps */
  sc_pace pace;
  int64_t sweeps; /* number of sweeps so far */
  double largest; /* largest velocity change in the last sweep [m/s] */
} sc_bare;

/* Prepares sweeps: allocates the arrays in the arena and sets them. relaxation: factor on each change of an
 * impulse. Returns false if out of memory. */
bool sc_bare_begin(const sc_problem *problem, double relaxation, sc_arena *arena, sc_bare *bare);
/* Sweeps once. If sweeps have momentum, first extrapolates the impulses, except in the first sweep. Returns
 * false if a user's law failed. */
bool sc_bare_sweep(sc_bare *bare);
/* Makes two plain sweeps, and a leap if their changes have the same direction. Momentum restarts. Returns
 * false if a user's law failed. */
bool sc_bare_leap(sc_bare *bare);
/* Sets the velocities of the matrix to those of the present impulses. */
void sc_bare_end(const sc_bare *bare);

#endif
