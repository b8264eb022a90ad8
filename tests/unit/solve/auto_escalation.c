/* Escalation and plan of `auto` on synthetic islands: islands that may use the second-order solver,
 * islands in back-off, and the treatment of islands at rest, nearly at rest and in motion. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solve/auto/auto.h"

static const sc_auto_step step = {.sweeps = 50, .tolerance = 1e-8, .fall = 1e-2};

static sc_island heap(int32_t bodies) {
  return (sc_island){
      .bodies = bodies, .generals = 4 * bodies, .rows = 12 * bodies, .residual = 1e-4, .load = 1e-2};
}

static void a_law_that_the_solver_does_not_take_is_never_escalated(void **state) {
  (void)state;
  for (int32_t bodies = 1; bodies < 10000; bodies *= 3)
    for (int fast = 0; fast < 2; fast++) {
      sc_island island = heap(bodies);
      island.unfit = true, island.speed = fast;
      assert_int_equal(sc_escalation_of(&island, &step, INFINITY), SC_ESCALATION_UNFIT);
      island.residual = 2 * step.tolerance; // nearly at rest
      assert_int_equal(sc_plan_of(&island, &step), SC_PLAN_SWEEP);
    }
}

static void the_budget_decides(void **state) {
  (void)state;
  const sc_island island = heap(10);
  assert_int_equal(sc_escalation_of(&island, &step, INFINITY), SC_ESCALATE);
  assert_int_equal(sc_escalation_of(&island, &step, 0), SC_ESCALATION_EXPENSIVE);
}

/* An island that waits is swept while it moves. If it comes to rest, or its wait ends, it is tried at
 * once. */
static void waits_hold_while_the_island_moves(void **state) {
  (void)state;
  sc_island island = heap(10);
  island.wait = (sc_wait){3, 3}, island.speed = 2 * step.fall;
  assert_true(sc_escalation_is_moving(&island, &step));
  assert_int_equal(sc_escalation_of(&island, &step, INFINITY), SC_ESCALATION_WAITS);
  island.speed = step.fall / 2;
  assert_int_equal(sc_escalation_of(&island, &step, INFINITY), SC_ESCALATE);
  island.speed = 2 * step.fall, island.wait.left = 0;
  assert_int_equal(sc_escalation_of(&island, &step, INFINITY), SC_ESCALATE);
}

static void large_islands_wait_at_rest(void **state) {
  (void)state;
  sc_island island = heap(800);
  assert_true(sc_cost_is_large(&island, &step));
  island.wait = (sc_wait){3, 3};
  assert_int_equal(sc_escalation_of(&island, &step, INFINITY), SC_ESCALATION_WAITS);
  assert_true(sc_escalation_backs_off(&island, &step));
  const sc_island small = heap(10);
  assert_false(sc_escalation_backs_off(&small, &step));
}

static void effort_falls_from_structures_to_flows(void **state) {
  (void)state;
  sc_island still = heap(10), moving = heap(10), met = heap(10), large = heap(800);
  moving.speed = 2 * step.fall, met.residual = step.tolerance / 2;
  const sc_escalation_aim rest = sc_escalation_aim_of(&still, &step, false),
                          flow = sc_escalation_aim_of(&moving, &step, false),
                          refined = sc_escalation_aim_of(&met, &step, false),
                          heavy = sc_escalation_aim_of(&large, &step, false);
  assert_true(rest.way.patience > flow.way.patience);
  assert_true(rest.way.patience > heavy.way.patience);
  assert_true(rest.way.polish && heavy.way.polish && !flow.way.polish);
  assert_true(rest.tolerance == step.tolerance && flow.tolerance == step.tolerance);
  assert_true(refined.tolerance < met.residual); // or it would return at once
  // sweeps prefer some of the redundant contacts, the impulses of the last step do not
  assert_true(rest.way.anew && !flow.way.anew && !heavy.way.anew);
  assert_false(sc_escalation_aim_of(&met, &step, true).way.anew);
  assert_true(refined.rounds > 0 && refined.rounds <= rest.rounds && heavy.rounds <= rest.rounds);
}

static void islands_at_rest_are_left(void **state) {
  (void)state;
  sc_island island = heap(10);
  island.residual = 0;
  assert_int_equal(sc_plan_of(&island, &step), SC_PLAN_LEAVE);
  // the tolerance is met and nothing changes
  island.residual = step.tolerance / 2;
  assert_int_equal(sc_plan_of(&island, &step), SC_PLAN_LEAVE);
  // the tolerance is met, yet every step changes velocities by as much
  island.change = step.tolerance;
  assert_int_equal(sc_plan_of(&island, &step), SC_PLAN_ANSWER);
  // a body starts to move
  island.change = island.start = 1e-3 * step.tolerance;
  assert_int_equal(sc_plan_of(&island, &step), SC_PLAN_ANSWER);
}

static void islands_near_rest_are_refined_and_others_swept(void **state) {
  (void)state;
  sc_island island = heap(10);
  const double close = sc_plan_close(&step);
  assert_true(close >= step.tolerance && close < step.fall);
  island.residual = close;
  assert_int_equal(sc_plan_of(&island, &step), SC_PLAN_ANSWER);
  island.residual = 2 * close;
  assert_int_equal(sc_plan_of(&island, &step), SC_PLAN_SWEEP);
  sc_island large = heap(20000);
  large.residual = close;
  assert_int_equal(sc_plan_of(&large, &step), SC_PLAN_SWEEP);
  sc_island waiting = heap(10);
  waiting.residual = close, waiting.speed = 2 * step.fall, waiting.wait = (sc_wait){1, 1};
  assert_int_equal(sc_plan_of(&waiting, &step), SC_PLAN_SWEEP);
  // without weight the tolerance alone is close
  const sc_auto_step weightless = {.sweeps = 50, .tolerance = 1e-8};
  assert_true(sc_plan_close(&weightless) == 1e-8);
}

/* Units: velocities that are all scaled by one factor leave every decision as it is. */
static void the_unit_of_velocity_does_not_matter(void **state) {
  (void)state;
  const double unit = 0x1p20;
  const sc_auto_step other = {step.sweeps, unit * step.tolerance, unit * step.fall};
  for (int k = 0; k < 64; k++) {
    sc_island a = heap(k % 2 ? 10 : 800);
    a.residual = k & 2 ? 1e-3 : 1e-9, a.speed = k & 4 ? 1 : 0, a.change = k & 8 ? 1e-5 : 0;
    a.start = k & 16 ? 1e-5 : 0, a.wait.left = k & 32 ? 2 : 0;
    sc_island b = a;
    b.residual *= unit, b.speed *= unit, b.change *= unit, b.start *= unit, b.load *= unit;
    assert_int_equal(sc_plan_of(&a, &step), sc_plan_of(&b, &other));
    assert_int_equal(sc_escalation_of(&a, &step, 500), sc_escalation_of(&b, &other, 500));
    assert_int_equal(
        sc_escalation_aim_of(&a, &step, false).rounds, sc_escalation_aim_of(&b, &other, false).rounds);
  }
}

static void a_quarter_at_rest_is_planned_apart(void **state) {
  (void)state;
  assert_true(sc_plan_splits(1, 1));
  assert_true(sc_plan_splits(1, 3));
  assert_false(sc_plan_splits(1, 10));
  assert_false(sc_plan_splits(0, 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_law_that_the_solver_does_not_take_is_never_escalated),
      cmocka_unit_test(the_budget_decides),
      cmocka_unit_test(waits_hold_while_the_island_moves),
      cmocka_unit_test(large_islands_wait_at_rest),
      cmocka_unit_test(effort_falls_from_structures_to_flows),
      cmocka_unit_test(islands_at_rest_are_left),
      cmocka_unit_test(islands_near_rest_are_refined_and_others_swept),
      cmocka_unit_test(the_unit_of_velocity_does_not_matter),
      cmocka_unit_test(a_quarter_at_rest_is_planned_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
