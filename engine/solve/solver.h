/* The plug of a solver: one folder each, one const struct, one line in the registry. */
#ifndef SC_SOLVER_H
#define SC_SOLVER_H

#include "problem/problem.h"

/* How problems were solved, by those solvers that choose (`auto`); else all 0. */
typedef struct sc_solver_ways {
  int64_t untouched;   /* problems whose impulses of the last step were good enough */
  int64_t swept;       /* that were swept */
  int64_t accelerated; /* of these, with momentum */
  int64_t escalated;   /* islands that the second-order solver was given */
  /* left above the tolerance: with a law that it does not take; too dear for it; in motion, where it did not
   * pay lately */
  int64_t unfit, dear, moving;
} sc_solver_ways;

/* fill: share of the lanes that bundles of contacts use, 0 where there are none. sweeps: order, lanes and
 * factors of joints over this problem's contacts, for who sweeps over them again (sweeps/positions.h),
 * NULL from solvers without. Zeroed by the caller. */
typedef struct sc_solver_report {
  int64_t iterations;
  double residual, fill;
  sc_solver_ways ways;
  struct sc_nbgs *sweeps;
} sc_solver_report;
typedef struct sc_solver {
  const char *name, *doc;
  /* In: bodies with free velocities plus the effect of the warm-start impulses already in the problem.
   * Out: the same with the final impulses. par->tolerance here is absolute [m/s]. pool may be NULL: one
   * thread. The answer must not depend on it. */
  scree_status (*solve)(const sc_problem *problem, const scree_solver_def *par, sc_pool *pool,
      sc_arena *arena, sc_solver_report *report, scree_error *error);
  /* Returns why the solver cannot take contacts of a law with these parameters, as a phrase that follows
   * "it", or NULL if it can. NULL: the solver takes every law. */
  const char *(*misfit)(const sc_law *law, const double *par);
  bool couples; /* ball contacts may have moments (problem.couple) */
  bool bonds;   /* problems may have bonds */
  bool spreads; /* a problem may be spread over ranks (problem.exchange) */
  bool rests;   /* gaps within the tolerance may count as closed, so that what rests needs no impulses anew */
  bool waits;   /* leaves islands to sweeps for some steps: problems have problem.wait */
  bool may_fail; /* there are problems that it gives up */
  /* Sweeps of positions that are taken at least, where shapes other than balls touch and the tolerance is
   * not met: fewer let stacks of unlike masses creep, and heaps of capsules swell. */
  int64_t corrections;
  bool sweeps; /* it sweeps over bundles of contacts (problem/contacts); false: it wants rows */
} sc_solver;
/* Solvers that others call. */
extern const sc_solver sc_solver_nbgs, sc_solver_pgs, sc_solver_newton;

const sc_solver *sc_solver_find(const char *name);
const sc_solver *sc_solver_at(int index);

#endif
