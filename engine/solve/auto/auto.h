/* The parts of `auto` (auto.c): cost model, back-off, escalation, plan. Each part decides by plain
 * numbers of an island and a step, so that a scene is always solved in the same way. */
#ifndef SC_AUTO_H
#define SC_AUTO_H

#include "solve/auto/islands.h"
#include "solve/newton/newton.h"
#include "solve/solver.h"

/* Plain numbers of a step. */
typedef struct sc_auto_step {
  double sweeps;    /* most sweeps of the step */
  double tolerance; /* of a residual [m/s] */
  double fall;      /* velocity that weight gives in the step, |g| dt [m/s] */
} sc_auto_step;

/* ---- cost model (cost.c): estimates, in multiplications ---- */

/* An answer may cost this many times all sweeps of a step. 10 and 40 change the sweeps of a bed of balls
 * by 0 and 3 %. */
enum { SC_COST_LIMIT = 20 };

/* Returns the multiplications of one sweep over an island. */
double sc_cost_sweep(const sc_island *island);
/* Returns the multiplications of one factorisation of an island and its use. */
double sc_cost_round(const sc_island *island, const sc_auto_step *step);
/* Returns whether the bound on an elimination exceeds SC_COST_LIMIT times all sweeps. */
bool sc_cost_is_large(const sc_island *island, const sc_auto_step *step);
/* Returns whether an answer of the second-order solver usually costs at most `budget` sweeps. */
bool sc_cost_affords(const sc_island *island, const sc_auto_step *step, double budget);
/* Returns whether an answer that took `rounds` factorisations was worth its cost. */
bool sc_cost_pays(const sc_island *island, const sc_auto_step *step, int64_t rounds);

/* ---- back-off (backoff.c) ---- */

/* Returns the wait after an answer. before: the wait before the answer. pays: the answer was worth its cost.
 * is_large: sc_cost_is_large. */
sc_wait sc_backoff_after(sc_wait before, bool pays, bool is_large);
/* Returns the wait one step later. */
sc_wait sc_backoff_step(sc_wait wait);

/* ---- escalation (escalation.c) ---- */

/* ESCALATE: the second-order solver may solve the island. UNFIT: that solver has no rule for one of its laws.
 * WAITS: the island backs off. EXPENSIVE: an answer would cost more than the budget. */
typedef enum sc_escalation {
  SC_ESCALATE,
  SC_ESCALATION_UNFIT,
  SC_ESCALATION_WAITS,
  SC_ESCALATION_EXPENSIVE
} sc_escalation;

typedef struct sc_escalation_aim {
  int64_t rounds;   /* most factorisations */
  double tolerance; /* of the residual [m/s] */
  sc_newton_way way;
} sc_escalation_aim;

/* Returns whether a body of the island is faster than what weight gives in the step. */
bool sc_escalation_is_moving(const sc_island *island, const sc_auto_step *step);
/* Returns whether an island may escalate if its answer may cost `budget` sweeps, or why not. */
sc_escalation sc_escalation_of(const sc_island *island, const sc_auto_step *step, double budget);
/* Returns the limits and the tolerance for the second-order solver. */
sc_escalation_aim sc_escalation_aim_of(const sc_island *island, const sc_auto_step *step);
/* Returns whether the island ever waits: a small island at rest is worth every answer it can afford. */
bool sc_escalation_backs_off(const sc_island *island, const sc_auto_step *step);

/* ---- plan (plan.c) ---- */

/* LEAVE: the impulses stay. ANSWER: the second-order solver refines them at once. SWEEP: they are swept. */
typedef enum sc_plan { SC_PLAN_LEAVE, SC_PLAN_ANSWER, SC_PLAN_SWEEP } sc_plan;

/* Returns the largest residual of an island that is nearly at rest [m/s]. */
double sc_plan_close(const sc_auto_step *step);
/* Returns the plan for an island at the start of a step. */
sc_plan sc_plan_of(const sc_island *island, const sc_auto_step *step);
/* Returns whether islands at rest are planned apart. Their sweep costs `still` multiplications, a sweep
 * over the problem `all`. */
bool sc_plan_splits(double still, double all);
/* Returns the largest residual of a problem, INFINITY if one exceeds `most` [m/s]. */
double sc_plan_residual(const sc_problem *problem, double most);
/* Returns whether planning islands at rest apart may pay, judged from a sample of the contacts. */
bool sc_plan_samples_rest(const sc_problem *problem, double tolerance);

/* ---- bare matrices (matrix.c) ---- */

/* Solves a problem that is given as a Delassus matrix: one island. */
scree_status sc_auto_matrix(const sc_problem *problem, const scree_solver_def *par, sc_arena *arena,
    sc_solver_report *report, scree_error *error);

#endif
