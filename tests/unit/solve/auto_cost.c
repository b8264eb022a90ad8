/* The cost model of `auto` on synthetic islands: costs increase with every count, the cheaper method is
 * chosen, and for a large island only the usual cost counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solve/auto/auto.h"

static const sc_auto_step step = {.sweeps = 50, .tolerance = 1e-8, .fall = 1e-2};

/* A heap of boxes with four contacts per body. */
static sc_island heap(int32_t bodies) {
  return (sc_island){.bodies = bodies, .generals = 4 * bodies, .rows = 12 * bodies};
}

static void a_sweep_costs_more_with_every_count(void **state) {
  (void)state;
  const sc_island base = {.bodies = 10, .balls = 5, .generals = 5, .joint_rows = 5, .rows = 35};
  sc_island balls = base, generals = base, joints = base, twice = base;
  balls.balls++, generals.generals++, joints.joint_rows++;
  twice.balls *= 2, twice.generals *= 2, twice.joint_rows *= 2;
  const double cost = sc_cost_sweep(&base);
  assert_true(cost > 0);
  assert_true(sc_cost_sweep(&balls) > cost);
  assert_true(sc_cost_sweep(&generals) > cost);
  assert_true(sc_cost_sweep(&joints) > cost);
  // a general contact costs more than a ball contact
  assert_true(sc_cost_sweep(&generals) > sc_cost_sweep(&balls));
  // sweeps are linear in the problem
  assert_true(sc_cost_sweep(&twice) == 2 * cost);
}

static void a_factorisation_grows_faster_than_a_sweep(void **state) {
  (void)state;
  double last = 0, last_share = 0;
  for (int32_t bodies = 1; bodies <= 256; bodies *= 2) {
    const sc_island island = heap(bodies);
    const double cost = sc_cost_round(&island, &step), share = cost / sc_cost_sweep(&island);
    if (sc_cost_is_large(&island, &step)) break;
    assert_true(cost > 2 * last);
    assert_true(share > last_share);
    last = cost, last_share = share;
  }
  sc_island rows = heap(16);
  const double cost = sc_cost_round(&rows, &step);
  rows.rows++;
  assert_true(sc_cost_round(&rows, &step) > cost);
}

/* If an island of some size is too expensive, every larger island is, and a larger budget affords more. */
static void affordable_sizes_are_an_interval(void **state) {
  (void)state;
  int32_t most[3] = {0};
  for (int k = 0; k < 3; k++) {
    const double budget = step.sweeps * (k == 0 ? 1 : k == 1 ? 5 : 20);
    bool affords = true;
    for (int32_t bodies = 1; bodies < 20000; bodies += 1 + bodies / 50) {
      const sc_island island = heap(bodies);
      const bool now = sc_cost_affords(&island, &step, budget);
      assert_true(affords || !now || sc_cost_is_large(&island, &step));
      if (now) most[k] = bodies;
      affords = now;
    }
    assert_false(affords); // the square of the size wins in the end
  }
  assert_true(most[0] < most[1] && most[1] < most[2]);
}

/* The budget is compared with the estimate of an answer: the estimate itself is affordable, less is not. */
static void the_cheaper_way_is_chosen(void **state) {
  (void)state;
  const sc_island island = heap(100);
  const double rounds = sc_cost_round(&island, &step) / sc_cost_sweep(&island); // sweeps per factorisation
  assert_true(sc_cost_affords(&island, &step, 1000 * rounds));
  assert_false(sc_cost_affords(&island, &step, rounds)); // no answer takes a single factorisation
  // answers pay below some number of factorisations and not above it
  int changes = 0;
  for (int64_t n = 1; n < 100000; n *= 2)
    changes += sc_cost_pays(&island, &step, n) != sc_cost_pays(&island, &step, 2 * n);
  assert_int_equal(changes, 1);
}

static void more_sweeps_make_answers_cheaper(void **state) {
  (void)state;
  const sc_auto_step many = {.sweeps = 5000, .tolerance = 1e-8, .fall = 1e-2};
  const sc_island island = heap(800);
  assert_true(sc_cost_is_large(&island, &step));
  assert_false(sc_cost_is_large(&island, &many));
  int64_t pays = 0, pays_many = 0;
  for (int64_t n = 1; n < 1000; n++) {
    pays += sc_cost_pays(&island, &step, n);
    pays_many += sc_cost_pays(&island, &many, n);
  }
  assert_true(pays_many > pays);
}

/* Large islands: the bound rejects them and the usual cost affords them, up to a size. */
static void large_islands_are_judged_by_the_usual_cost(void **state) {
  (void)state;
  bool is_large = false, taken = false;
  for (int32_t bodies = 1; bodies < 20000; bodies += 1 + bodies / 50) {
    const sc_island island = heap(bodies);
    const bool now = sc_cost_is_large(&island, &step);
    assert_true(now || !is_large);
    if (!now) assert_true(sc_cost_affords(&island, &step, SC_COST_LIMIT * step.sweeps));
    else taken |= sc_cost_affords(&island, &step, SC_COST_LIMIT * step.sweeps);
    is_large = now;
  }
  assert_true(is_large && taken);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sweep_costs_more_with_every_count),
      cmocka_unit_test(a_factorisation_grows_faster_than_a_sweep),
      cmocka_unit_test(affordable_sizes_are_an_interval),
      cmocka_unit_test(the_cheaper_way_is_chosen),
      cmocka_unit_test(more_sweeps_make_answers_cheaper),
      cmocka_unit_test(large_islands_are_judged_by_the_usual_cost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
