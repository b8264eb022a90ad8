/* Plan of `auto`: decides at the start of a step whether an island keeps its impulses, or whether sweeps or
 * the second-order solver compute them (auto.h). */
#include "solve/auto/auto.h"

#include <math.h>
#include "problem/residual/residual.h"

/* One contact of each SAMPLE contacts is tested before the search for islands. A search in every step would
 * cost beds 4 %. */
enum { SAMPLE = 16 };
/* Maximum velocity change per step of an island at rest, as a share of the tolerance. 5e-3 changes the result
 * of a regression scene (tests/golden); 0 multiplies the cost of a resting wall by 20. */
static const double CALM = 1e-2;
/* Maximum velocity change of a body that starts to move, as a share of the tolerance. With 0 a resting wall
 * takes 68 % more instructions; without the condition the result of a regression scene changes. */
static const double STILL = 1e-5;
/* Rounding error as a share of the largest velocity caused by one impulse. With 0 a tower under a top of
 * 10 000 times its mass is solved again in 484 of 500 steps. */
static const double ROUNDING = 1e-14;
/* Residual of an island nearly at rest, as a share of the velocity change by weight in a step. 0 changes the
 * result of a regression scene. With 0.005 and 0.02 the work for poured boxes changes by 0 and 1 %. */
static const double CLOSE = 0.01;

double sc_plan_close(const sc_auto_step *step) { return fmax(step->tolerance, CLOSE * step->fall); }

/* Returns whether the impulses of the last step may be used again. All of the following must be true:
 *   - The residual is within the tolerance.
 *   - No body changes its velocity by more than CALM times the tolerance.
 *   - No body that starts to move changes its velocity by more than STILL times the tolerance. A body starts
 *     to move if its speed before the change is below half the change.
 * Velocity changes must be far below the tolerance, because each step with unchanged impulses repeats them.
 * The limit with STILL does not apply to faster bodies, because the change may only have stopped them. */
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
