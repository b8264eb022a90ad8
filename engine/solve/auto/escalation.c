/* Escalation of `auto`: see auto.h. */
#include "solve/auto/auto.h"

enum { ROUNDS = 60, PATIENCE = 15 };
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

sc_escalation_aim sc_escalation_aim_of(const sc_island *island, const sc_auto_step *step) {
  const bool is_met = island->residual <= step->tolerance, is_moving = sc_escalation_is_moving(island, step),
             is_large = sc_cost_is_large(island, step);
  return (sc_escalation_aim){.rounds = ROUNDS,
      .tolerance = is_met ? GAIN * island->residual : step->tolerance,
      .way = {is_moving || is_large ? PATIENCE : SC_NEWTON_PATIENCE, !is_moving}};
}
