/* Rounds of the interior point method: interior.c. */
#ifndef SC_NEWTON_INTERIOR_H
#define SC_NEWTON_INTERIOR_H

#include "solve/newton/cone.h"
#include "solve/newton/system.h"

typedef struct sc_interior {
  sc_newton_system *system;
  double *X;       /* impulses, inside all cones and bounds */
  double (*U)[3];  /* per cone: the dual, (share of the normal velocity, slip of its part) */
  double *zl, *zu; /* per item: duals of the bounds of joint rows */
  double *aX, *dX; /* the predictor's step, the step */
  double (*aU)[3], (*dU)[3], *dzl, *dzu;
  double *off; /* what the rows' equations lack */
  double *p, *Sp, *work;
  sc_cone_scaling *scale; /* per cone */
  sc_newton_metric metric;
  bool frozen;  /* shifts are given, and the problem is convex */
  double *slip; /* per cone: the frozen shift */
  double mean;  /* complementarity per cone and bound */
  double step;  /* length of the last step */
} sc_interior;

bool sc_interior_take(sc_interior *in, sc_newton_system *system, sc_arena *arena);
/* Inside all cones at the size of the problem, far from any answer. */
void sc_interior_start(sc_interior *in);
/* Near given impulses: as far inside as a velocity `room` and the impulses it takes. */
void sc_interior_start_near(sc_interior *in, const double *X, double room);
/* One round; false where it breaks down. */
bool sc_interior_round(sc_interior *in);
/* How far off the convex problem's conditions the point is [m/s]. */
double sc_interior_error(const sc_interior *in);

#endif
