/* The second-order solver on plain rows: see newton.c. */
#ifndef SC_NEWTON_H
#define SC_NEWTON_H

#include "solve/newton/system.h"
#include "solve/solver.h"

/* Limits and callbacks of a solve. */
typedef struct sc_newton_aim {
  double tolerance;  /* largest allowed residual [m/s] */
  double negligible; /* contacts whose impulse changes their velocity by less than this get impulse 0 [m/s] */
  int64_t rounds;    /* maximum number of factorisations */
  int64_t patience;  /* factorisations without a gain after which the solver stops */
  bool polish;       /* polish: reduce the error of a solution to rounding errors */
  bool anew;         /* ignore the start impulses, unless they are within the tolerance */
  double (*judge)(void *context, const double *X); /* returns the residual of impulses X [m/s] */
  void (*sweep)(void *context, double *X);         /* Gauss-Seidel sweeps, X in place; NULL: none */
  void *context;                                   /* argument of judge and sweep */
} sc_newton_aim;

typedef struct sc_newton_report {
  int64_t rounds;  /* number of factorisations of the solve */
  double residual; /* judge's residual of the result [m/s] */
} sc_newton_report;

/* Solves a system. X: [rows] input: start impulses, or all 0; output: best impulses found. Call
 * sc_newton_system_begin before. Returns false if out of memory. */
bool sc_newton_solve(
    sc_newton_system *system, const sc_newton_aim *aim, sc_arena *arena, double *X, sc_newton_report *report);

/* Options that determine the effort of a solve. */
typedef struct sc_newton_way {
  int64_t patience; /* factorisations without a gain after which the solver stops */
  /* reduce the error of a solution to rounding errors; bodies at rest then keep their impulses for many
   * steps */
  bool polish;
  bool anew; /* ignore the start impulses, unless they are within the tolerance */
} sc_newton_way;
/* Value of patience if convergence matters more than cost. */
enum { SC_NEWTON_PATIENCE = 300 };

/* Solves a problem as sc_solver.solve does, with the given effort. */
scree_status sc_newton_take(const sc_problem *problem, const scree_solver_def *par, sc_newton_way way,
    sc_arena *arena, sc_solver_report *report, scree_error *error);

#endif
