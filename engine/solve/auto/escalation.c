/* Escalation of `auto`: see auto.h. A structure at rest gets all patience and is polished to rounding, so
 * that its impulses stay for many steps. The measurements are in docs/notebook/2026-11-26.md. */
#include "solve/auto/auto.h"

/* Most factorisations of an answer. 30 and 120 change a golden wall, which 60 brings to rest. */
enum { ROUNDS = 60 };
/* Most factorisations that refine impulses within the tolerance. A resting wall of 80 bricks takes 2 % more
 * instructions with 12 and 24 % more with 60. */
enum { MET_ROUNDS = 6 };
/* Factorisations without a gain after which an island that moves or is large is given up. A demolition took
 * 3/2 of the time without the limit; poured boxes take 3 % more sweeps and rounds with 30. */
enum { PATIENCE = 15 };
/* A refined residual falls to this share, so that impulses then stay for many steps. 0 changes a golden
 * scene; 5e-4 and 2e-3 change no bed. */
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
  return (sc_escalation_aim){.rounds = is_met ? MET_ROUNDS : ROUNDS,
      .tolerance = is_met ? GAIN * island->residual : step->tolerance,
      .way = {is_moving || is_large ? PATIENCE : SC_NEWTON_PATIENCE, !is_moving}};
}
