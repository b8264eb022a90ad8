/* Rounds of the interior point method: see interior.c. */
#ifndef SC_NEWTON_INTERIOR_H
#define SC_NEWTON_INTERIOR_H

#include "solve/newton/cone.h"
#include "solve/newton/system.h"

/* State of the method. */
typedef struct sc_interior {
  sc_newton_system *system;
  double *X; /* [rows] impulses, inside all cones and bounds */
  /* [cones] dual of each cone: share of the normal velocity, then slip velocity of the friction part */
  double (*U)[3];
  double *zl, *zu;         /* [items] duals of the bounds of joint rows */
  double *aX, (*aU)[3];    /* step of X and of U that the predictor found */
  double *dX, (*dU)[3];    /* step of X and U */
  double *dzl, *dzu;       /* step of zl and zu */
  double *off;             /* [rows] residual of the velocity equations [m/s] */
  double *p, *Sp, *work;   /* [rows] right-hand side, S p, scratch */
  sc_cone_scaling *scale;  /* [cones] Nesterov-Todd scaling at the present X and U */
  sc_newton_metric metric; /* blocks D and S of Newton's step */
  bool frozen;             /* true: shifts s are constant, so the problem is convex */
  double *slip;            /* [cones] frozen shift [m/s] */
  double mean;             /* mean complementarity (product of impulse and dual) over all cones and bounds */
  double step;             /* length of the last step */
} sc_interior;

/* Allocates the state in the arena. Returns false if out of memory. */
bool sc_interior_take(sc_interior *in, sc_newton_system *system, sc_arena *arena);
/* Starts inside all cones, with impulses and velocities of the size of the free velocities. */
void sc_interior_start(sc_interior *in);
/* Starts near the impulses X, inside all cones. room: velocity that determines the distance from the border
 * of cones and bounds [m/s]. */
void sc_interior_start_near(sc_interior *in, const double *X, double room);
/* Makes one round: a predictor and a corrector step. Returns false if there is no factorisation or no
 * positive step. */
bool sc_interior_round(sc_interior *in);
/* Returns the error in the conditions of the problem with the present shifts [m/s]. */
double sc_interior_error(const sc_interior *in);

#endif
