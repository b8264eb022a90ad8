/* The solver `auto` for bare matrices. A matrix is one island. Sweeps come first. They have momentum after
 * the first PLAIN sweeps, and leaps if they stagnate (solve/sweeps/bare.h). The second-order solver follows
 * when sweeps are no longer likely to reach the tolerance at a lower cost.
 *
 * Costs are multiplications, computed from the numbers of rows and blocks. The cost of further sweeps is
 * forecast from the gain of the last three quarters of the sweeps. */
#include "solve/auto/auto.h"

#include <math.h>
#include "problem/operator/matrix.h"
#include "solve/sweeps/bare.h"
#include "problem/residual/residual.h"

/* These constants are not measured. Plain sweeps are cheap and gain most at first, so each more expensive
 * method starts after some sweeps of the cheaper method. */
enum {
  PLAIN = 10,  /* number of plain sweeps before momentum starts */
  LEAPS = 20,  /* sweeps before the first leap */
  FEW = 30,    /* sweeps before the first forecast */
  EVERY = 10,  /* maximum number of sweeps between two checks of the residual */
  LOOKS = 512, /* maximum number of checks of the residual */
  MOST = 5000, /* maximum number of sweeps */
  ROUNDS = 30, /* maximum cost of all sweeps, in factorisations */
  EARLY = 4    /* the forecast uses the gain after the first 1/EARLY of the sweeps */
};
/* Multiplications of a sweep per block, including the time of memory accesses. */
static const double BLOCK = 30;
/* Multiplications for the law of a contact in a sweep. */
static const double CONTACT = 500;
/* Multiplications of a factorisation per row: as in cost.c. */
static const double ROW = 2000;
/* Multiplications of a factorisation, divided by the square of its number of rows. */
static const double SQUARE = 10;
/* Sweeps stagnate if the residual exceeds this share of the residual at the previous check. A leap
 * (extrapolation of the last change, solve/sweeps/bare.h) then follows. */
static const double HARDLY = 0.7;

typedef struct course {
  sc_bare bare;
  const sc_problem *problem;
  double tolerance;
  int64_t most;           /* maximum number of sweeps */
  int looks;              /* checks of the residual so far */
  int64_t at[LOOKS];      /* [looks] number of sweeps at each check */
  double residual[LOOKS]; /* [looks] residual at each check [m/s] */
} course;

/* Returns the number of sweeps that cost as much as ROUNDS factorisations, at most MOST. */
static int64_t count_affordable_sweeps(const sc_problem *problem) {
  double rows = 0, blocks = (double)problem->matrix->first[problem->generals];
  for (int32_t c = 0; c < problem->generals; c++) rows += problem->general[c].dim;
  double sweeps = ROUNDS * (SQUARE * rows * rows + ROW * rows) /
      (BLOCK * blocks + CONTACT * problem->generals);
  return sweeps < MOST ? (int64_t)sweeps : MOST;
}

/* Returns the number of sweeps until the next check of the residual. Checks are frequent at first. */
static int64_t sweeps_until_check(int64_t sweeps) {
  int64_t more = sweeps / 4 > 2 ? sweeps / 4 : 2;
  return more < EVERY ? more : EVERY;
}

/* Records the residual. Updates velocities first, unless the caller's function `judge` computes the residual
 * of the matrix from impulses alone. */
static void record_residual(course *c) {
  if (!c->problem->matrix->judge) sc_bare_end(&c->bare);
  c->at[c->looks] = c->bare.sweeps;
  c->residual[c->looks++] = sc_problem_residual(c->problem);
}

/* Returns whether sweeps are likely to reach the tolerance before their number reaches the maximum. */
static bool is_promising(const course *c) {
  int last = c->looks - 1, early = last;
  if (c->at[last] < FEW) return true;
  while (early > 0 && EARLY * c->at[early] > c->at[last]) early--;
  double rate = c->residual[last] / c->residual[early], residual = c->residual[last];
  int64_t sweeps = c->at[last], step = sweeps - c->at[early];
  while (residual > c->tolerance && sweeps <= c->most) residual *= rate, sweeps += step;
  return sweeps <= c->most;
}

/* Sweeps until the next check of the residual. Returns false if a user's law failed. */
static bool sweep_on(course *c) {
  int last = c->looks - 1;
  int64_t end = c->bare.sweeps + sweeps_until_check(c->bare.sweeps);
  bool hardly = last > 0 && c->residual[last] > HARDLY * c->residual[last - 1];
  c->bare.momentum = c->bare.sweeps >= PLAIN;
  if (c->bare.sweeps >= LEAPS && hardly && !sc_bare_leap(&c->bare)) return false;
  while (c->bare.sweeps < end)
    if (!sc_bare_sweep(&c->bare)) return false;
  return true;
}

static bool has_supported_laws(const sc_problem *problem) {
  bool fits = true;
  for (int32_t c = 0; c < problem->generals; c++) fits &= !sc_islands_unfit(problem, problem->general + c);
  return fits;
}

/* Calls the second-order solver with zero impulses. Impulses of stagnating sweeps are a worse start. */
static scree_status escalate_matrix(const course *c, const scree_solver_def *par, sc_arena *arena,
    sc_solver_report *report, scree_error *error) {
  sc_solver_report found = {0};
  scree_solver_def rest = *par;
  rest.iterations -= report->iterations;
  for (int32_t i = 0; i < c->bare.rows; i++) c->problem->x[i] = 0;
  sc_bare_end(&c->bare);
  scree_status status = sc_solver_newton.solve(c->problem, &rest, NULL, arena, &found, error);
  report->iterations += found.iterations;
  report->residual = found.residual;
  report->ways.escalated = 1;
  return status;
}

static scree_status sweep_alone(const sc_problem *problem, const scree_solver_def *par, sc_arena *arena,
    sc_solver_report *report, scree_error *error) {
  scree_status status = sc_solver_nbgs.solve(problem, par, NULL, arena, report, error);
  report->residual = sc_problem_residual(problem);
  report->ways.swept = 1;
  return status;
}

scree_status sc_auto_matrix(const sc_problem *problem, const scree_solver_def *par, sc_arena *arena,
    sc_solver_report *report, scree_error *error) {
  if (!(par->tolerance > 0) || !has_supported_laws(problem))
    return sweep_alone(problem, par, arena, report, error);
  course *c = SC_TAKE(arena, course, 1);
  if (!c || !sc_bare_begin(problem, par->relaxation, arena, &c->bare))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", problem->generals);
  c->problem = problem;
  c->tolerance = par->tolerance;
  c->most = count_affordable_sweeps(problem) < par->iterations ? count_affordable_sweeps(problem)
                                                               : par->iterations;
  for (c->looks = 0, record_residual(c); !(c->residual[c->looks - 1] <= par->tolerance); record_residual(c)) {
    if (c->bare.sweeps >= c->most || !is_promising(c)) break;
    if (!sweep_on(c)) return sc_fail(error, SCREE_E_LAW, "a friction law failed");
  }
  sc_bare_end(&c->bare);
  report->iterations = c->bare.sweeps;
  report->residual = c->residual[c->looks - 1];
  report->ways.swept = 1;
  report->ways.accelerated = c->bare.momentum;
  if (report->residual <= par->tolerance || report->iterations >= par->iterations) return SCREE_OK;
  return escalate_matrix(c, par, arena, report, error);
}
