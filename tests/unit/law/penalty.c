/* Tests the penalty contact: elastic force and slope, slider, dashpot, rotating spring, rolling moment,
 * elastic energy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include "law/soft/penalty.h"
#include "math/vec.h"

extern const sc_law sc_law_hooke, sc_law_hertz, sc_law_coulomb;

static void assert_near(double value, double wanted, double within) {
  if (!(fabs(value - wanted) <= within)) print_error("%.15g instead of %.15g\n", value, wanted);
  assert_true(fabs(value - wanted) <= within);
}

static void defaults(const sc_law *law, double *par) {
  scree_param_defaults(law->params, law->params_count, par);
}

static sc_penalty_in touching(double overlap) {
  return (sc_penalty_in){.overlap = overlap, .radius = 0.01, .mass = 0.5, .normal = {0, 0, 1}, .dt = 1e-6};
}

static void elastic_forces(void **state) {
  (void)state;
  double par[SC_PENALTY_COUNT], memory[SC_PENALTY_STATES] = {0};
  sc_penalty_out out;
  sc_penalty_in in = touching(1e-4);
  defaults(&sc_law_hooke, par);
  par[SC_PENALTY_STIFFNESS] = 3e5;
  sc_penalty_force(sc_law_hooke.penalty, par, &in, memory, &out);
  assert_near(out.force[2], 30, 1e-12);
  assert_near(out.slope, 3e5, 1e-6);
  assert_near(out.elastic, 30 * 1e-4 / 2, 1e-15);
  defaults(&sc_law_hertz, par);
  par[SC_PENALTY_STIFFNESS] = 2e9;
  sc_penalty_force(sc_law_hertz.penalty, par, &in, memory, &out);
  assert_near(out.force[2], 4.0 / 3 * 2e9 * 0.1 * 1e-6, 1e-9);
  assert_near(out.slope, 1.5 * out.force[2] / 1e-4, 1e-4);
  assert_near(out.elastic, 0.4 * out.force[2] * 1e-4, 1e-15);
}

/* The dashpot opposes the approach. With no_pull the total force is never attractive. */
static void dashpot(void **state) {
  (void)state;
  double par[SC_PENALTY_COUNT], memory[SC_PENALTY_STATES] = {0};
  sc_penalty_out out;
  sc_penalty_in in = touching(1e-4);
  defaults(&sc_law_hooke, par);
  par[SC_PENALTY_STIFFNESS] = 2e5, par[SC_PENALTY_DAMPING] = 0.3;
  in.velocity[2] = -1;
  double c = 2 * 0.3 * sqrt(0.5 * 2e5);
  sc_penalty_force(sc_law_hooke.penalty, par, &in, memory, &out);
  assert_near(out.force[2], 20 + c, 1e-9);
  assert_near(out.drag[2], c, 1e-9);
  in.velocity[2] = 1;
  sc_penalty_force(sc_law_hooke.penalty, par, &in, memory, &out);
  assert_near(out.force[2], 20 - c, 1e-9);
  par[SC_PENALTY_NO_PULL] = 1;
  sc_penalty_force(sc_law_hooke.penalty, par, &in, memory, &out);
  assert_near(out.force[2], 0, 0);
}

/* A stretched spring sticks up to mu F_n and then slides. The work is the stored plus the lost energy. */
static void slider_balances_its_work(void **state) {
  (void)state;
  double par[SC_PENALTY_COUNT], memory[SC_PENALTY_STATES] = {0}, work = 0, lost = 0;
  sc_penalty_out out = {0};
  sc_penalty_in in = touching(1e-4);
  defaults(&sc_law_hooke, par);
  par[SC_PENALTY_STIFFNESS] = 2e5, par[SC_PENALTY_MU] = 0.4, par[SC_PENALTY_TANGENTIAL_DAMPING] = 0;
  in.velocity[0] = 3;
  in.dt = 1e-8;
  double last = 0, normal = out.elastic;
  for (int step = 0; step < 10000; step++) {
    sc_penalty_force(sc_law_hooke.penalty, par, &in, memory, &out);
    work -= (out.force[0] + last) / 2 * 3 * in.dt;
    last = out.force[0];
    lost += out.slip_loss;
    normal = out.elastic - sc_dot(memory, memory) / (2 * 2.0 / 7 * 2e5);
  }
  assert_true(out.sliding);
  assert_near(out.force[0], -0.4 * 20, 1e-9);
  assert_near(lost + out.elastic - normal, work, 1e-3 * work);
}

/* If the normal turns, the spring turns with it and its length does not change. */
static void spring_turns_with_the_normal(void **state) {
  (void)state;
  double par[SC_PENALTY_COUNT], memory[SC_PENALTY_STATES] = {3, 0, 0, 2e5};
  sc_penalty_out out;
  sc_penalty_in in = touching(1e-3);
  defaults(&sc_law_hooke, par);
  par[SC_PENALTY_STIFFNESS] = 2e5;
  sc_set3(-0.6, 0, 0.8, in.normal);
  sc_penalty_force(sc_law_hooke.penalty, par, &in, memory, &out);
  assert_near(sc_norm(memory), 3, 1e-12);
  assert_near(sc_dot(memory, in.normal), 0, 1e-12);
  assert_near(memory[0], 3 * 0.8, 1e-12);
}

static void rolling_resists(void **state) {
  (void)state;
  double par[SC_PENALTY_COUNT], memory[SC_PENALTY_STATES] = {0};
  sc_penalty_out out;
  sc_penalty_in in = touching(1e-4);
  defaults(&sc_law_hooke, par);
  par[SC_PENALTY_STIFFNESS] = 2e5, par[SC_PENALTY_ROLLING] = 0.1;
  in.spin[0] = 4, in.spin[2] = 7; // spin about x is rolling; spin about the normal has no effect
  in.dt = 1e-6;
  sc_penalty_force(sc_law_hooke.penalty, par, &in, memory, &out);
  assert_near(out.torque[0], -2.0 / 7 * 2e5 * 0.01 * 0.01 * 4e-6, 1e-15);
  assert_near(out.torque[2], 0, 1e-18);
  for (int step = 0; step < 100000; step++) sc_penalty_force(sc_law_hooke.penalty, par, &in, memory, &out);
  assert_near(out.torque[0], -0.1 * 0.01 * 20, 1e-12);
}

/* If a Hertz contact opens, the spring force falls with the stiffness. */
static void opening_weakens_the_spring(void **state) {
  (void)state;
  double par[SC_PENALTY_COUNT], memory[SC_PENALTY_STATES] = {0};
  sc_penalty_out out;
  sc_penalty_in in = touching(4e-4);
  defaults(&sc_law_hertz, par);
  in.velocity[1] = 1;
  sc_penalty_force(sc_law_hertz.penalty, par, &in, memory, &out);
  double before = memory[1];
  in.overlap = 1e-4, in.velocity[1] = 0;
  sc_penalty_force(sc_law_hertz.penalty, par, &in, memory, &out);
  assert_near(memory[1], before / 2, 1e-12 * fabs(before));
}

/* For the hard steppers both laws are Coulomb's law. */
static void hard_limit_is_coulomb(void **state) {
  (void)state;
  const double A[9] = {2, 0.3, -0.1, 0.3, 3, 0.2, -0.1, 0.2, 4}, b[3] = {1, 2, -1};
  double par[SC_PENALTY_COUNT], coulomb[SCREE_LAW_MAX_PARAMS] = {0.3}, x[3], y[3];
  defaults(&sc_law_hertz, par);
  par[SC_PENALTY_MU] = 0.3;
  assert_int_equal(sc_law_hertz.solve(&sc_law_hertz, 3, A, b, par, x, NULL), SCREE_SLIDING);
  sc_law_coulomb.solve(&sc_law_coulomb, 3, A, b, coulomb, y, NULL);
  for (int k = 0; k < 3; k++) assert_near(x[k], y[k], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(elastic_forces), cmocka_unit_test(dashpot),
      cmocka_unit_test(slider_balances_its_work), cmocka_unit_test(spring_turns_with_the_normal),
      cmocka_unit_test(rolling_resists), cmocka_unit_test(opening_weakens_the_spring),
      cmocka_unit_test(hard_limit_is_coulomb)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
