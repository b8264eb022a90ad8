/* The parts of `auto` (auto.c): cost model, back-off, escalation, plan. Each decision depends only on numbers
 * of the island and of the step, not on measured times. The result of a scene is therefore reproducible. */
#ifndef SC_AUTO_H
#define SC_AUTO_H

#include "solve/auto/islands.h"
#include "solve/newton/newton.h"
#include "solve/solver.h"

/* Limits and scales of the present step, on which the decisions of `auto` depend. */
typedef struct sc_auto_step {
  double sweeps;    /* maximum number of sweeps in the step */
  double tolerance; /* maximum residual [m/s] */
  double fall;      /* velocity change by weight in the step, |g| dt [m/s] */
} sc_auto_step;

/* ---- cost model (cost.c): estimates of costs, in numbers of multiplications ---- */

/* A solve by the second-order solver may cost this many times all sweeps of a step. With 10 and 40 the number
 * of sweeps for a bed of balls changes by 0 and 3 %. */
enum { SC_COST_LIMIT = 20 };

/* Returns the multiplications of one sweep over an island. */
double sc_cost_sweep(const sc_island *island);
/* Returns the multiplications of one factorisation of an island's matrix and of one solve with the factor. */
double sc_cost_round(const sc_island *island, const sc_auto_step *step);
/* Returns whether a solve of the island may cost more than SC_COST_LIMIT times all sweeps, judged by the
 * upper bound of the cost of an elimination. */
bool sc_cost_is_large(const sc_island *island, const sc_auto_step *step);
/* Returns whether the usual cost of a solve by the second-order solver is at most that of `budget` sweeps. */
bool sc_cost_affords(const sc_island *island, const sc_auto_step *step, double budget);
/* Returns whether a solve with `rounds` factorisations paid off: its cost was at most PAYS (cost.c) times
 * that of all sweeps. */
bool sc_cost_pays(const sc_island *island, const sc_auto_step *step, int64_t rounds);

/* ---- back-off (backoff.c) ---- */

/* Returns the back-off of an island after a solve by the second-order solver. before: the back-off before the
 * solve. pays: result of sc_cost_pays. is_large: result of sc_cost_is_large. */
sc_wait sc_backoff_after(sc_wait before, bool pays, bool is_large);
/* Returns the back-off one step later: the number of steps left is lower by 1, at least 0. */
sc_wait sc_backoff_step(sc_wait wait);

/* ---- escalation (escalation.c) ---- */

/* Whether the second-order solver may solve an island, or the reason why it may not. */
typedef enum sc_escalation {
  SC_ESCALATE,            /* the second-order solver may solve the island */
  SC_ESCALATION_UNFIT,    /* the second-order solver does not support one of the island's laws */
  SC_ESCALATION_WAITS,    /* the island backs off */
  SC_ESCALATION_EXPENSIVE /* a solve would cost more than the budget */
} sc_escalation;

/* Limits of one call of the second-order solver. */
typedef struct sc_escalation_aim {
  int64_t rounds;   /* maximum number of factorisations */
  double tolerance; /* residual at which the solver stops [m/s] */
  /* patience (factorisations without a gain), polish and start: see solve/newton/newton.h */
  sc_newton_way way;
} sc_escalation_aim;

/* Returns whether a body of the island is faster than |g| dt, the velocity change by weight in the step. */
bool sc_escalation_is_moving(const sc_island *island, const sc_auto_step *step);
/* Returns whether the second-order solver may solve an island at a cost of at most `budget` sweeps, or the
 * reason why not. */
sc_escalation sc_escalation_of(const sc_island *island, const sc_auto_step *step, double budget);
/* Returns the limits and the tolerance for the second-order solver. refines: the impulses are those of the
 * last step, which are nearly a solution; false: sweeps changed them. */
sc_escalation_aim sc_escalation_aim_of(const sc_island *island, const sc_auto_step *step, bool refines);
/* Returns whether the island may back off. A small island at rest never backs off. */
bool sc_escalation_backs_off(const sc_island *island, const sc_auto_step *step);

/* ---- plan (plan.c) ---- */

/* Treatment of an island in a step: the way in which its impulses are computed. */
typedef enum sc_plan {
  SC_PLAN_LEAVE,  /* the impulses stay as they are */
  SC_PLAN_ANSWER, /* the second-order solver refines the impulses, without sweeps before */
  SC_PLAN_SWEEP   /* sweeps compute the impulses */
} sc_plan;

/* Returns the residual up to which an island counts as nearly at rest [m/s]. */
double sc_plan_close(const sc_auto_step *step);
/* Returns the plan for an island at the start of a step. */
sc_plan sc_plan_of(const sc_island *island, const sc_auto_step *step);
/* Returns whether the islands that are not at rest become a separate problem: `still` is at least a quarter
 * of `all`. still: multiplications of a sweep over the islands at rest. all: multiplications of a sweep over
 * the problem. */
bool sc_plan_splits(double still, double all);
/* Returns the largest residual of a problem, or INFINITY if a residual exceeds `most` [m/s]. */
double sc_plan_residual(const sc_problem *problem, double most);
/* Returns whether enough contacts of a sample are within the tolerance to search for islands at rest. */
bool sc_plan_samples_rest(const sc_problem *problem, double tolerance);

/* ---- bare matrices (matrix.c) ---- */

/* Solves a problem given as a Delassus matrix, which counts as one island. Returns SCREE_E_MEMORY or
 * SCREE_E_LAW on failure. */
scree_status sc_auto_matrix(const sc_problem *problem, const scree_solver_def *par, sc_arena *arena,
    sc_solver_report *report, scree_error *error);

#endif
