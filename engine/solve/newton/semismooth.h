/* Newton's method on the natural map: see semismooth.c. */
#ifndef SC_NEWTON_SEMISMOOTH_H
#define SC_NEWTON_SEMISMOOTH_H

#include "solve/newton/system.h"

/* State of the method; symbols as in semismooth.c. */
typedef struct sc_semismooth {
  sc_newton_system *system;
  double *X, *next, *dX, *centre; /* [rows] impulses, trial impulses, Newton step, proximal centre C */
  double *F, *p, *Sp, *work;      /* [rows] residual F, right-hand side p, S p (S = metric.S), velocities */
  sc_newton_metric metric;
  double hold;       /* proximal weight h of the next step */
  double floor;      /* smallest weight h that is tried; successful steps lower it */
  int good;          /* number of successive steps that succeeded with h = floor */
  double error;      /* error of X for h = 0: square root of the sum of (F stiff)^2 [m/s] */
  double load;       /* impulses at the start as velocities, root of the sum of squares [m/s] */
  double held_error; /* error of X with the present h and C [m/s] */
} sc_semismooth;

/* Allocates the state in the arena. Returns false if out of memory. */
bool sc_semismooth_take(sc_semismooth *in, sc_newton_system *system, sc_arena *arena);
/* Starts at the impulses X: sets centre, error, load and the weight h. */
void sc_semismooth_start(sc_semismooth *in, const double *X);
/* Makes one proximal step with the smallest weight h for which Newton's method converges. most: number of
 * factorisations after which no larger h is tried. Returns false if it converges for no h. */
bool sc_semismooth_step(sc_semismooth *in, int64_t most);

/* Projects impulses onto their cones and bounds, in place. */
void sc_newton_project(const sc_newton_system *system, double *X);

#endif
