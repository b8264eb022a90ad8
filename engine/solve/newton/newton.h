/* The second-order solver on plain rows: see newton.c. */
#ifndef SC_NEWTON_H
#define SC_NEWTON_H

#include "solve/newton/system.h"
#include "solve/solver.h"

/* What an answer is for. judge: how far impulses X are from the answer, in the measure of the tolerance. */
typedef struct sc_newton_aim {
  double tolerance;
  double negligible; /* velocity [m/s]: contacts whose impulse does less to themselves carry none */
  int64_t rounds;    /* most factorisations */
  int64_t patience;  /* factorisations without a gain after which it gives up */
  bool polish;       /* an answer is taken on towards rounding */
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
/* How an answer is sought. polish: impulses go on towards rounding, so that what rests on them needs none
 * anew for many steps. */
typedef struct sc_newton_way {
  int64_t patience; /* as in the aim */
  bool polish;
} sc_newton_way;
enum { SC_NEWTON_PATIENCE = 300 }; /* where an answer matters more than its price */
/* A problem as solvers take it (solver.h). */
scree_status sc_newton_take(const sc_problem *problem, const scree_solver_def *par, sc_newton_way way,
    sc_arena *arena, sc_solver_report *report, scree_error *error);

#endif
