/* Newton's method on the natural map: semismooth.c. */
#ifndef SC_NEWTON_SEMISMOOTH_H
#define SC_NEWTON_SEMISMOOTH_H

#include "solve/newton/system.h"

typedef struct sc_semismooth {
  sc_newton_system *system;
  double *X, *next, *dX, *centre;
  double *F, *p, *Sp, *work;
  sc_newton_metric metric;
  double hold, floor; /* and the least that is tried, which good steps lower */
  int good;           /* steps in a row with that */
  double error;       /* of X without the hold: root of the sum of squares of F times stiff, a velocity */
  double load;        /* impulses at the start as velocities, root of the sum of squares */
  double held_error;  /* the same with it */
} sc_semismooth;

bool sc_semismooth_take(sc_semismooth *in, sc_newton_system *system, sc_arena *arena);
/* Sets X and error. */
void sc_semismooth_start(sc_semismooth *in, const double *X);
/* One proximal step in at most so many factorisations (or a few more), with as little hold as goes; false
 * where none lowers the error. */
bool sc_semismooth_step(sc_semismooth *in, int64_t most);

/* Impulses onto their cones and bounds, in place. */
void sc_newton_project(const sc_newton_system *system, double *X);

#endif
