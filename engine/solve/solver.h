/* Interface of a solver. Each solver has a folder, one const struct and one line in registry.c. */
#ifndef SC_SOLVER_H
#define SC_SOLVER_H

#include "problem/problem.h"

/* Counts of how `auto` solved its problems; all 0 for other solvers. */
typedef struct sc_solver_ways {
  int64_t untouched;   /* problems that kept the impulses of the last step */
  int64_t swept;       /* number of problems that were swept */
  int64_t accelerated; /* number of swept problems whose sweeps had momentum */
  int64_t escalated;   /* islands that the second-order solver solved */
  int64_t unfit;  /* islands above the tolerance with a law that the second-order solver does not support */
  int64_t dear;   /* islands above the tolerance that are too expensive for the second-order solver */
  int64_t moving; /* islands above the tolerance that back off */
} sc_solver_ways;

/* Result of a solve. The caller sets all members to 0 before the solve. */
typedef struct sc_solver_report {
  int64_t iterations;     /* number of sweeps or factorisations */
  double residual;        /* residual of the result [m/s] */
  double fill;            /* share of the lanes of all bundles that contain a contact; 0 without bundles */
  sc_solver_ways ways;    /* how `auto` solved its problems */
  struct sc_nbgs *sweeps; /* sweep data of the problem, used again by sweeps/positions.h; NULL: none */
} sc_solver_report;

typedef struct sc_solver {
  const char *name, *doc;
  /* Computes the impulses. Input: free velocities plus the effect of the warm-start impulses, which are in
   * the problem. Output: final velocities and impulses. par->tolerance is absolute [m/s]. pool: NULL for one
   * thread; results must not depend on the pool. */
  scree_status (*solve)(const sc_problem *problem, const scree_solver_def *par, sc_pool *pool,
      sc_arena *arena, sc_solver_report *report, scree_error *error);
  /* Returns why the solver does not support a law with these parameters, as a phrase that follows "it".
   * Returns NULL if the solver supports the law. The member is NULL if the solver supports every law. */
  const char *(*misfit)(const sc_law *law, const double *par);
  bool couples; /* ball contacts may have moments (problem.couple) */
  bool bonds;   /* problems may have bonds */
  bool spreads; /* a problem may be spread over ranks (problem.exchange) */
  /* gaps within the tolerance may count as closed, because bodies at rest then keep their impulses */
  bool rests;
  /* islands back off (are only swept for some steps), so the solver needs the counters problem.wait */
  bool waits;
  bool may_fail; /* the solver returns an error for some problems */
  /* Minimum number of position sweeps if contacts are not only of balls and the solver did not converge.
   * With fewer sweeps, stacks of unlike masses creep and heaps of capsules swell. */
  int64_t corrections;
  bool sweeps; /* true: sweeps over bundles of contacts (problem/contacts); false: needs contacts as rows */
} sc_solver;
/* Solvers that other solvers call. */
extern const sc_solver sc_solver_nbgs, sc_solver_pgs, sc_solver_newton, sc_solver_auto;

/* Returns the solver of this name; NULL if none has it. */
const sc_solver *sc_solver_find(const char *name);
/* Returns the solver at an index of the registry; NULL if the index is out of range. */
const sc_solver *sc_solver_at(int index);

#endif
