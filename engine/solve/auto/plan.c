/* Plan of `auto`: see auto.h. */
#include "solve/auto/auto.h"

#include <math.h>
#include "problem/residual/residual.h"

/* One contact in this many says whether islands are looked for. */
enum { SAMPLE = 16 };
static const double CALM = 1e-2, STILL = 1e-5, ROUNDING = 1e-14, CLOSE = 0.01;

double sc_plan_close(const sc_auto_step *step) { return fmax(step->tolerance, CLOSE * step->fall); }

/* Impulses may stay if they meet the tolerance and set nothing moving that would leave it within a few steps.
 * A change of velocity matters because every step that leaves the impulses repeats it. If a body just
 * stopped, slower than its change, the change is what stopped it. */
static bool is_at_rest(const sc_island *island, double tolerance) {
  const double rounding = ROUNDING * island->load;
  return island->residual <= fmin(rounding, tolerance) ||
      (island->residual <= tolerance && island->change <= fmax(CALM * tolerance, rounding) &&
          island->start <= fmax(STILL * tolerance, rounding));
}

sc_plan sc_plan_of(const sc_island *island, const sc_auto_step *step) {
  if (is_at_rest(island, step->tolerance)) return SC_PLAN_LEAVE;
  return island->residual <= sc_plan_close(step) &&
          sc_escalation_of(island, step, SC_COST_LIMIT * step->sweeps) == SC_ESCALATE
      ? SC_PLAN_ANSWER
      : SC_PLAN_SWEEP;
}

double sc_plan_residual(const sc_problem *problem, double most) {
  int32_t all = problem->balls + problem->generals + problem->joint_rows;
  double largest = 0;
  for (int32_t c = 0; c < all; c++) {
    double residual = sc_problem_residual_of(problem, c);
    if (!(residual <= most)) return INFINITY;
    largest = fmax(largest, residual);
  }
  return largest;
}

bool sc_plan_samples_rest(const sc_problem *problem, double tolerance) {
  int32_t all = problem->balls + problem->generals + problem->joint_rows, met = 0, seen = 0;
  if (problem->couple) return false;
  for (int32_t c = 0; c < all; c += SAMPLE, seen++) met += sc_problem_residual_of(problem, c) <= tolerance;
  return sc_plan_splits(met, seen);
}

bool sc_plan_splits(double still, double all) { return 4 * still >= all; }
