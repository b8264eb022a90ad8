/* Newton's method on the natural map: see semismooth.c. */
#ifndef SC_NEWTON_SEMISMOOTH_H
#define SC_NEWTON_SEMISMOOTH_H

#include "solve/newton/system.h"

/* State of the method; symbols as in semismooth.c. */
typedef struct sc_semismooth {
  sc_newton_system *system;
  double *X, *next, *dX, *centre; /* [rows] impulses, trial impulses, step, centre */
  double *F, *p, *Sp, *work;      /* [rows] residual F, right-hand side p, S p (S = metric.S), velocities */
  sc_newton_metric metric;
  double hold;       /* hold h of the next step */
  double floor;      /* minimum hold that is tried; good steps lower it */
  int good;          /* number of successive steps with the minimum hold */
  double error;      /* error of X without hold: root of the sum of (F stiff)^2 [m/s] */
  double load;       /* impulses at the start as velocities, root of the sum of squares [m/s] */
  double held_error; /* error of X with hold [m/s] */
} sc_semismooth;

/* Allocates the state in the arena. Returns false if out of memory. */
bool sc_semismooth_take(sc_semismooth *in, sc_newton_system *system, sc_arena *arena);
/* Starts at the impulses X: sets centre, error, load and hold. */
void sc_semismooth_start(sc_semismooth *in, const double *X);
/* Makes one proximal step, with the smallest hold that converges. most: number of factorisations after which
 * no larger hold is tried. Returns false if no hold converges. */
bool sc_semismooth_step(sc_semismooth *in, int64_t most);

/* Projects impulses onto their cones and bounds, in place. */
void sc_newton_project(const sc_newton_system *system, double *X);

#endif
