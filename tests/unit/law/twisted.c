/* Tests twisted friction: its conditions on random problems, Coulomb's law without twist, and the direction
 * of the twist. */
#include "law_support.h"
#include "law_problems.h"

enum { MU, MU_STATIC, TWIST };

/* Returns the largest violation of the conditions by x, relative to the size of the terms in A x - b. */
static double broken(const law_problem *p, double twist, const double x[3]) {
  double v[3], size = slip_of(p->A, p->b, x, v), y = length2(x[1], x[2]), slip = length2(v[1], v[2]);
  if (!(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]))) return INFINITY;
  if (!(size > 0)) return 0;
  if (x[0] == 0) return fmax(0, p->b[0]) / size;
  double worst = fmax(cone_excess(x, p->mu, size), fabs(v[0])), c = cos(twist), s = sin(twist);
  if (!on_boundary(x, p->mu)) return fmax(worst, slip) / size;
  // y is opposite to the slip rotated by the twist
  if (y > 0)
    worst = fmax(
        worst, length2(c * v[1] - s * v[2] + slip * x[1] / y, s * v[1] + c * v[2] + slip * x[2] / y));
  return worst / size;
}

static void conditions_hold(void **state) {
  (void)state;
  int sliding = 0;
  for (int family = 0; family < FAMILIES; family++) {
    sc_rng rng;
    sc_rng_seed(&rng, 71 + (uint64_t)family);
    for (int i = 0; i < 400; i++) {
      law_problem p = random_problem(&rng, family);
      law_call call = call_law("twisted", p.mu);
      double x[3], twist = call.par[TWIST] = 3 * (sc_rng_unit(&rng) - 0.5);
      sliding += solve_law(&call, p.A, p.b, x) == SCREE_SLIDING;
      double allowed = 1e-12 * fmax(1, 0.1 * sqrt(p.condition)) / cos(twist);
      if (!(broken(&p, twist, x) <= allowed))
        fail_msg("%s: %.3g with twist %.17g", family_names[family], broken(&p, twist, x), twist);
      assert_true(sc_energy3(p.A, p.b, x) <= 1e-15 * fabs(x[0] * p.b[0]));
    }
  }
  assert_true(sliding > 200);
}

static void without_a_twist_it_is_coulombs(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 5);
  for (int i = 0; i < 2000; i++) {
    law_problem p = random_problem(&rng, i % FAMILIES);
    law_call twisted = call_law("twisted", p.mu), coulomb = call_law("coulomb", p.mu);
    double x[3], y[3];
    assert_int_equal(solve_law(&twisted, p.A, p.b, x), solve_law(&coulomb, p.A, p.b, y));
    for (int k = 0; k < 3; k++) assert_true(fabs(x[k] - y[k]) <= 1e-12 * (fabs(y[0]) + fabs(y[k])));
  }
}

/* With slip along t and a twist to the left, seen along -n, the friction has components along -t and -o. */
static void turns_to_the_left(void **state) {
  (void)state;
  law_call call = call_law("twisted", 0.5);
  const double A[9] = {2, 0, 0, 0, 3, 0, 0, 0, 3}, b[3] = {1, -10, 0};
  double x[3];
  call.par[TWIST] = 0.3;
  assert_int_equal(solve_law(&call, A, b, x), SCREE_SLIDING);
  assert_true(fabs(x[0] - 0.5) < 1e-15 && fabs(length2(x[1], x[2]) - 0.25) < 1e-15);
  assert_true(x[1] < 0 && x[2] < 0);
}

static void refresh_knows_sides_and_planes(void **state) {
  (void)state;
  law_call call = call_law("twisted", 0.5);
  scree_contact_info info = {.swapped = 1};
  call.par[TWIST] = 0.3;
  assert_int_equal(call.law->refresh(call.law, call.par, NULL, &info, NULL), 0);
  assert_true(call.par[TWIST] == -0.3 && call.par[MU] == 0.5);
  info = (scree_contact_info){.planar = 1};
  assert_int_equal(call.law->refresh(call.law, call.par, NULL, &info, NULL), 0);
  assert_true(call.par[TWIST] == 0 && fabs(call.par[MU] - 0.5 * cos(0.3)) < 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(conditions_hold),
      cmocka_unit_test(without_a_twist_it_is_coulombs),
      cmocka_unit_test(turns_to_the_left),
      cmocka_unit_test(refresh_knows_sides_and_planes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
