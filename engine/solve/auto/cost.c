/* Cost model of `auto`: see auto.h.
 *
 * A sweep costs a fixed number of multiplications per contact and joint row. A factorisation of n = 6 bodies
 * rows costs c n^2: separators of a heap grow as n^(2/3), so the elimination takes n^2. Flat and long
 * structures take less. */
#include "solve/auto/auto.h"

enum { USUAL_ROUNDS = 8 };
static const double BALL_SWEEP = 50, GENERAL_SWEEP = 350, JOINT_SWEEP = 200, ROW_ROUND = 2000;
static const double BOUND = 15, USUAL = 3.75, PAYS = 2;

static double round_cost(const sc_island *island, double elimination) {
  double n = 6 * (double)island->bodies;
  return elimination * n * n + ROW_ROUND * island->rows;
}

double sc_cost_sweep(const sc_island *island) {
  return BALL_SWEEP * island->balls + GENERAL_SWEEP * island->generals + JOINT_SWEEP * island->joint_rows;
}

bool sc_cost_is_large(const sc_island *island, const sc_auto_step *step) {
  return !(USUAL_ROUNDS * round_cost(island, BOUND) <= SC_COST_LIMIT * step->sweeps * sc_cost_sweep(island));
}

double sc_cost_round(const sc_island *island, const sc_auto_step *step) {
  return round_cost(island, sc_cost_is_large(island, step) ? USUAL : BOUND);
}

bool sc_cost_affords(const sc_island *island, const sc_auto_step *step, double budget) {
  return USUAL_ROUNDS * sc_cost_round(island, step) <= budget * sc_cost_sweep(island);
}

bool sc_cost_pays(const sc_island *island, const sc_auto_step *step, int64_t rounds) {
  return (double)rounds * sc_cost_round(island, step) / (step->sweeps * sc_cost_sweep(island)) <= PAYS;
}
