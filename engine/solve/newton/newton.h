/* The second-order solver on plain rows: see newton.c. */
#ifndef SC_NEWTON_H
#define SC_NEWTON_H

#include "solve/newton/system.h"

/* What an answer is for. judge: how far impulses X are from the answer, in the measure of the tolerance. */
typedef struct sc_newton_aim {
  double tolerance;
  double negligible; /* velocity [m/s]: contacts whose impulse does less to themselves carry none */
  int64_t rounds;    /* most factorisations */
  double (*judge)(void *context, const double *X);
  /* sweeps of Gauss-Seidel from X, in place; NULL: none */
  void (*sweep)(void *context, double *X);
  void *context;
} sc_newton_aim;

typedef struct sc_newton_report {
  int64_t rounds;
  double residual; /* of the answer, as judged */
} sc_newton_report;

/* X: impulses to start from, all 0 without any, in; the best that were found out. The system must have
 * begun. False without memory. */
bool sc_newton_solve(
    sc_newton_system *system, const sc_newton_aim *aim, sc_arena *arena, double *X, sc_newton_report *report);

#endif
