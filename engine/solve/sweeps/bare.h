/* Gauss-Seidel on a bare Delassus matrix (problem/operator/matrix.h): contacts one after the other, in
 * their order, on one thread.
 *
 * A contact gathers its velocity from its rows of the matrix, so that none are carried from contact to
 * contact, and none stand beside the impulses until the end. Momentum is that of momentum.h; the norm of a
 * change is taken with the blocks of the diagonal alone.
 *
 * Redundant contacts whose gaps contradict each other hand their impulses on by nearly the same amount in
 * every sweep until one of them opens. A leap (Aitken's, with one ratio for all rows) goes as far along the
 * last change as that would go if its ratio to the one before stayed, or up to where the first contact
 * opens. */
#ifndef SC_BARE_H
#define SC_BARE_H

#include "problem/problem.h"
#include "solve/sweeps/momentum.h"

typedef struct sc_bare {
  const sc_problem *problem;
  double relaxation;
  bool threes;    /* all contacts have three rows */
  int32_t rows;   /* of problem.x */
  int32_t *from;  /* per block of the matrix: where its impulses begin in problem.x */
  double *free;   /* velocities without impulses, by row */
  double *before; /* impulses after the sweep before */
  double *change; /* room */
  bool momentum;  /* may be set between sweeps */
  sc_pace pace;
  int64_t sweeps; /* so far */
  double largest; /* change of velocity in the last one [m/s] */
} sc_bare;

/* False without memory. */
bool sc_bare_begin(const sc_problem *problem, double relaxation, sc_arena *arena, sc_bare *bare);
/* A sweep, moved on by momentum before it but for the first; false where a user's law failed. */
bool sc_bare_sweep(sc_bare *bare);
/* Two plain sweeps, and a leap where their changes have the same direction; momentum starts afresh. False
 * as above. */
bool sc_bare_leap(sc_bare *bare);
/* The matrix's velocities, with the impulses as they are now. */
void sc_bare_end(const sc_bare *bare);

#endif
