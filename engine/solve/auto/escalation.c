/* Escalation of `auto`: decides whether the second-order solver solves an island, and how exactly (auto.h).
 * For a structure at rest, this solver reduces the error of the impulses to rounding errors
 * (sc_newton_way.polish). A small structure at rest may also use more factorisations without a gain:
 * SC_NEWTON_PATIENCE instead of PATIENCE. The following steps can then reuse these impulses. Measurements:
 * docs/notebook/2026-11-26.md. */
#include "solve/auto/auto.h"

/* Maximum number of factorisations per solve. With 60 the wall of a regression scene (tests/golden) comes to
 * rest; 30 and 120 change the result of this scene. */
enum { ROUNDS = 60 };
/* Maximum number of factorisations if the residual of the impulses is already within the tolerance. A resting
 * wall of 80 bricks takes 2 % more instructions with 12 and 24 % more with 60. */
enum { MET_ROUNDS = 6 };
/* Number of factorisations without a gain after which the solver stops, for a moving or large island. A
 * demolition took 1.5 times as long without the limit. With 30, poured boxes take 3 % more sweeps and
 * factorisations. */
enum { PATIENCE = 15 };
/* Tolerance of a refinement as a share of the residual at its start. With this small value, impulses can be
 * reused for many steps. 0 changes the result of a regression scene (tests/golden); 5e-4 and 2e-3 change the
 * result of no bed. */
static const double GAIN = 1e-3;

bool sc_escalation_is_moving(const sc_island *island, const sc_auto_step *step) {
  return island->speed > step->fall;
}

bool sc_escalation_backs_off(const sc_island *island, const sc_auto_step *step) {
  return sc_escalation_is_moving(island, step) || sc_cost_is_large(island, step);
}

sc_escalation sc_escalation_of(const sc_island *island, const sc_auto_step *step, double budget) {
  if (island->unfit) return SC_ESCALATION_UNFIT;
  if (island->wait.left && sc_escalation_backs_off(island, step)) return SC_ESCALATION_WAITS;
  return sc_cost_affords(island, step, budget) ? SC_ESCALATE : SC_ESCALATION_EXPENSIVE;
}

/* Redundant contacts have many exact solutions. Sweeps visit one contact after the other, so their solution
 * loads the contacts unequally: a box between two fingers then slips out below its friction limit. Therefore
 * the second-order solver does not start from the impulses of the sweeps. Its interior point method shares
 * the load nearly equally. Only moving and large islands start from the sweeps, because a fresh start doubles
 * the cost of ragdolls. */
sc_escalation_aim sc_escalation_aim_of(const sc_island *island, const sc_auto_step *step, bool refines) {
  const bool is_met = island->residual <= step->tolerance, is_moving = sc_escalation_is_moving(island, step),
             is_large = sc_cost_is_large(island, step);
  return (sc_escalation_aim){.rounds = is_met ? MET_ROUNDS : ROUNDS,
      .tolerance = is_met ? GAIN * island->residual : step->tolerance,
      .way = {is_moving || is_large ? PATIENCE : SC_NEWTON_PATIENCE, !is_moving,
          !refines && !is_moving && !is_large}};
}
