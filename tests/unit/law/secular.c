/* Tests the secular equation of sliding contacts: the first root, from any start below this root. */
#include "law_support.h"
#include "law/law_parts.h"

typedef struct problem {
  double p[2], q[2], n[3], k[3];
} problem;

static double between(sc_rng *rng, double low, double high) { return low + (high - low) * sc_rng_unit(rng); }

/* Makes a problem with h(0) > 0. narrow: if < 1, |P| falls to this share of its length. h then has a kink and
 * may have three roots. */
static problem draw(sc_rng *rng, double narrow) {
  problem f;
  for (int k = 0; k < 2; k++) f.p[k] = between(rng, -1, 1), f.q[k] = between(rng, -1, 1);
  if (narrow < 1) {
    const double at = between(rng, 0.1, 2);
    for (int k = 0; k < 2; k++) f.q[k] = narrow * f.q[k] - f.p[k] / at;
  }
  const double size = exp(between(rng, -20, 20));
  for (int k = 0; k < 2; k++) f.q[k] *= size;
  f.n[0] = f.p[0] * f.p[0] + f.p[1] * f.p[1];
  f.n[1] = f.p[0] * f.q[0] + f.p[1] * f.q[1];
  f.n[2] = f.q[0] * f.q[0] + f.q[1] * f.q[1];
  f.k[0] = -sqrt(f.n[0]) * between(rng, -1, 1);
  f.k[1] = size * between(rng, -1, 1);
  f.k[2] = size * size * exp(between(rng, -10, 3));
  return f;
}

static double value(const problem *f, double l) {
  return hypot(f->p[0] + l * f->q[0], f->p[1] + l * f->q[1]) + f->k[0] + l * (f->k[1] - l * f->k[2]);
}

static double size_at(const problem *f, double l) {
  return sqrt(f->n[0]) + fabs(f->k[0]) + l * (sqrt(f->n[2]) + fabs(f->k[1]) + l * f->k[2]);
}

/* Returns a bound of the rounding error of h at l. A small norm is the difference of large squares. */
static double rounding_at(const problem *f, double l) {
  const double norm = hypot(f->p[0] + l * f->q[0], f->p[1] + l * f->q[1]), size = size_at(f, l);
  return 4e-16 * size * (10 + size / norm);
}

/* Returns the start for the vector e with this angle and length. All arguments are multiplied by `unit`. */
static double start_by(const problem *f, double angle, double length, double unit) {
  const double e[2] = {unit * length * cos(angle), unit * length * sin(angle)};
  return sc_law_secular_start(e[0] * f->p[0] + e[1] * f->p[1], e[0] * f->q[0] + e[1] * f->q[1],
      unit * f->k[0], unit * f->k[1], unit * f->k[2]);
}

/* Computes the first root by bisection. Returns false if the root cannot be judged: bisection may miss a root
 * at a kink, and rounding decides if two roots nearly coincide. */
static bool judge(const problem *f, double *root) {
  double all[4];
  const int count = sc_law_secular_all(f->n[0], f->n[1], f->n[2], f->k[0], f->k[1], f->k[2], all);
  if (!count || (count > 1 && all[1] < 1.001 * all[0])) return false;
  *root = all[0];
  return fabs(value(f, all[0] * (1 + 1e-6)) - value(f, all[0])) > 1e-8 * size_at(f, all[0]);
}

static void the_first_root_from_any_start(void **state) {
  (void)state;
  static const double narrow[3] = {1, 1e-2, 1e-6};
  sc_rng rng;
  sc_rng_seed(&rng, 3);
  int judged = 0;
  for (int i = 0; i < 30000; i++) {
    const problem f = draw(&rng, narrow[i % 3]);
    double want;
    if (!judge(&f, &want)) continue;
    judged++;
    for (int k = 0; k < 4; k++) {
      const double l = k ? start_by(&f, between(&rng, 0, 6.3), sc_rng_unit(&rng), exp(between(&rng, -40, 40)))
                         : 0;
      assert_true(l >= 0 && l <= want * (1 + 1e-9));
      const double got = sc_law_secular_from(l, f.n[0], f.n[1], f.n[2], f.k[0], f.k[1], f.k[2], NULL);
      if (!(got <= want * (1 + 1e-9) && fabs(value(&f, got)) <= rounding_at(&f, got)))
        fail_msg("problem %d from %g: %.17g, not %.17g (h %g)", i, l, got, want, value(&f, got));
    }
  }
  assert_true(judged > 20000);
}

/* From the direction of the friction, turned a little, one or two steps are enough. */
static void few_steps_from_a_near_direction(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 4);
  int steps = 0, cases = 0;
  for (int i = 0; i < 5000; i++) {
    const problem f = draw(&rng, 1);
    double want;
    if (!judge(&f, &want)) continue;
    const double l = start_by(&f, atan2(f.p[1] + want * f.q[1], f.p[0] + want * f.q[0]) + 1e-3, 1, 7);
    if (!(l > 0)) continue;
    sc_law_secular_from(l, f.n[0], f.n[1], f.n[2], f.k[0], f.k[1], f.k[2], &steps);
    cases++;
  }
  assert_true(cases > 3000 && steps < 1.1 * cases);
}

/* Numbers that vanish or overflow give no start. If there is no root, the result is infinite. */
static void no_start_from_nothing(void **state) {
  (void)state;
  assert_true(sc_law_secular_start(1e-200, -1e-200, 1e-200, -1e-200, 1e-200) == 0);
  assert_true(sc_law_secular_start(1e200, -1e200, 1e200, -1e200, 1e200) == 0);
  assert_true(sc_law_secular_start(-1, 1, 0, 1, 1) == 0);
  assert_true(sc_law_secular(1, 0, 1, 1, 1, 0, NULL) == INFINITY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_root_from_any_start),
      cmocka_unit_test(few_steps_from_a_near_direction),
      cmocka_unit_test(no_start_from_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
