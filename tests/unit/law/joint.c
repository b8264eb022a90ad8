/* Tests the law `joint`: its conditions on random problems, Coulomb's law without cohesion and tension, and
 * closed forms of a ball. */
#include "law_support.h"
#include "law_problems.h"
#include "law/joint_law.h"

/* Returns the largest violation of the conditions by x, relative to the size of the terms in A x - b. */
static double broken(const law_problem *p, double C, double T, const double x[3]) {
  double v[3], size = slip_of(p->A, p->b, x, v), y = length2(x[1], x[2]), bound = C + p->mu * x[0],
               worst = fmax(0, -v[0]);
  if (!(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]))) return INFINITY;
  if (!(size > 0)) return 0;
  if (T == 0 && !(p->b[0] > 0)) return fmax(worst, x[0] != 0 || y > 0 ? INFINITY : 0) / size;
  if (x[0] < -T * (1 + 1e-12) || y > bound + 1e-12 * (C + p->mu * fabs(x[0]))) return INFINITY;
  if (x[0] > -T) worst = fmax(worst, v[0]);
  if (y < bound * (1 - 1e-9)) worst = fmax(worst, length2(v[1], v[2]));
  else worst = fmax(worst, not_opposed(x, v));
  return worst / size;
}

static void conditions_hold(void **state) {
  (void)state;
  static const int families[] = {FAMILY_PLAIN, FAMILY_BODY, FAMILY_UNCOUPLED};
  int count[3] = {0}, pulled = 0;
  for (int f = 0; f < 3; f++) {
    sc_rng rng;
    sc_rng_seed(&rng, 17 + (uint64_t)f);
    for (int i = 0; i < 4000; i++) {
      law_problem p = random_problem(&rng, families[f]);
      law_call call = call_law("joint", p.mu = fmin(p.mu, 1));
      const double size = length2(p.b[0], length2(p.b[1], p.b[2])) / p.A[0], C = between(&rng, 0, 2) * size,
                   T = i % 2 ? between(&rng, 0, 1) * C / fmax(p.mu, 0.1) : 0;
      double x[3];
      call.par[SC_JOINT_COHESION_IMPULSE] = C, call.par[SC_JOINT_TENSION_IMPULSE] = T;
      count[solve_law(&call, p.A, p.b, x)]++;
      pulled += T > 0 && x[0] == -T;
      if (!(broken(&p, C, T, x) <= 1e-11 * fmax(1, 0.1 * sqrt(p.condition))))
        fail_msg("%s %d: %.3g with mu %.17g C %.17g T %.17g", family_names[families[f]], i,
            broken(&p, C, T, x), p.mu, C, T);
    }
  }
  for (int k = 0; k < 3; k++) assert_true(count[k] > 200);
  assert_true(pulled > 200);
}

static void without_cohesion_it_is_coulombs(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 5);
  for (int i = 0; i < 4000; i++) {
    law_problem p = random_problem(&rng, i % 2 ? FAMILY_BODY : FAMILY_PLAIN);
    law_call joint = call_law("joint", p.mu), coulomb = call_law("coulomb", p.mu);
    double x[3], y[3];
    solve_law(&joint, p.A, p.b, x), solve_law(&coulomb, p.A, p.b, y);
    for (int k = 0; k < 3; k++)
      if (!(fabs(x[k] - y[k]) <= 1e-11 * sqrt(p.condition) * (fabs(y[0]) + fabs(y[k]))))
        fail_msg("problem %d: x_%d %.17g, coulomb %.17g", i, k, x[k], y[k]);
  }
}

/* A = diag(2, 4, 4), mu 0.5, C 3, T 2. A contact bears a pull below T. It opens at -T under a larger pull.
 * Friction is at most C + mu x_n. */
static void a_ball_has_its_closed_forms(void **state) {
  (void)state;
  law_call call = call_law("joint", 0.5);
  call.par[SC_JOINT_COHESION_IMPULSE] = 3, call.par[SC_JOINT_TENSION_IMPULSE] = 2;
  const double A[9] = {2, 0, 0, 0, 4, 0, 0, 0, 4};
  static const double b[5][3] = {{-2, 4, 0}, {-8, 4, 0}, {-8, 40, 0}, {2, 40, 0}, {2, 0, -8}};
  static const double x[5][3] = {{-1, 1, 0}, {-2, 1, 0}, {-2, 2, 0}, {1, 3.5, 0}, {1, 0, -2}};
  for (int i = 0; i < 5; i++) {
    double found[3];
    solve_law(&call, A, b[i], found);
    for (int k = 0; k < 3; k++)
      if (!(fabs(found[k] - x[i][k]) < 1e-13)) fail_msg("ball %d: x_%d is %.17g", i, k, found[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(conditions_hold),
      cmocka_unit_test(without_cohesion_it_is_coulombs), cmocka_unit_test(a_ball_has_its_closed_forms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
