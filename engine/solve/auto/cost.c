/* Cost model of `auto`: estimates of the costs of sweeps and of eliminations for an island (auto.h).
 *
 * A sweep costs a fixed number of multiplications per contact and joint row. An elimination of n rows (6
 * per body) costs c n^2 multiplications, c = BOUND or USUAL, because the separators of a heap grow as
 * n^(2/3). Flat and long structures cost less. */
#include "solve/auto/auto.h"

/* Multiplications of a sweep per ball contact, measured on beds. With 25 and 100 the number of sweeps changes
 * by 0 and 6 %. */
static const double BALL_SWEEP = 50;
/* Multiplications of a sweep per other contact or joint row, measured on towers and walls. With 175 and 700
 * the number of sweeps for poured boxes changes by -2 and 3 %. */
static const double GENERAL_SWEEP = 350;
/* Multiplications of a factorisation per row, besides the elimination, measured on towers and walls. With
 * 1000 and 4000 the work for poured boxes changes by 1 and -1 %. */
static const double ROW_ROUND = 2000;
/* Upper bound of the multiplications of an elimination, divided by the square of its number of rows, for
 * heaps. With half and twice the bound the work for poured boxes changes by 1 and 2 %. */
static const double BOUND = 15;
/* Usual number of multiplications of an elimination, divided by the square of its number of rows: the largest
 * value counted for walls of up to 1600 bricks and heaps of up to 1500 boxes. */
static const double USUAL = 3.75;
/* Factorisations of a usual solve. A bed of balls takes 3 % more sweeps with 4, and changes by less than 1 %
 * with 16. */
enum { USUAL_ROUNDS = 8 };
/* A solve that costs more than this many times all sweeps does not pay off: the island backs off. With 1 and
 * 4 the cost of moving boxes changes by -2 and 3 %. */
static const double PAYS = 2;

static double round_cost(const sc_island *island, double elimination) {
  double n = 6 * (double)island->bodies;
  return elimination * n * n + ROW_ROUND * island->rows;
}

double sc_cost_sweep(const sc_island *island) {
  return BALL_SWEEP * island->balls + GENERAL_SWEEP * (island->generals + island->joint_rows);
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
