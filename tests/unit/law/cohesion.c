/* Tests laws of cohesion: pull-off forces, liquid bridges against the theory of thin bridges, ranges of the
 * forces, errors. */
#include "law_support.h"

#include "law/cohesion/cohesion.h"

static const double pi = 3.14159265358979323846;

static void pull_off_forces(void **state) {
  (void)state;
  const scree_cohesion jkr = {.law = SCREE_COHESION_JKR, .work = 0.05},
                       dmt = {.law = SCREE_COHESION_DMT, .work = 0.05};
  assert_true(fabs(scree_cohesion_pull(&jkr, 0, 0.002) / (1.5 * pi * 0.05 * 0.002) - 1) < 1e-15);
  assert_true(fabs(scree_cohesion_pull(&dmt, 0, 0.002) / (2 * pi * 0.05 * 0.002) - 1) < 1e-15);
  /* surfaces with a gap of at most 1e-4 of the radius touch */
  assert_true(scree_cohesion_pull(&jkr, 1.9e-7, 0.002) == scree_cohesion_pull(&jkr, 0, 0.002));
  assert_true(scree_cohesion_pull(&jkr, 2.1e-7, 0.002) == 0);
  assert_true(scree_cohesion_pull(&jkr, 0, INFINITY) == 0);
}

/* Returns the force of a bridge between two parabolas of radius r at a gap D. The bridge has the volume V up
 * to the radius y of the meniscus, V = pi y^2 D + pi y^4/(2 r). The height of the meniscus is D + y^2/r. The
 * pressure 2 g cos t divided by this height acts on the disc of radius y. */
static double thin_bridge(double r, double tension, double angle, double V, double D) {
  double y2 = r * (sqrt(D * D + 2 * V / (pi * r)) - D);
  return 2 * pi * y2 * tension * cos(angle) / (D + y2 / r);
}

static void bridges_are_those_of_thin_ones(void **state) {
  (void)state;
  const double r = 0.01;
  for (int i = 0; i < 60; i++) {
    scree_cohesion c = {.law = SCREE_COHESION_CAPILLARY,
        .volume = r * r * r * (i % 3 ? 1e-3 : 1e-5),
        .contact_angle = i % 5 * 0.2,
        .tension = 0.072};
    double most = scree_cohesion_pull(&c, 0, r / 2), end = scree_cohesion_rupture(&c, r / 2),
           gap = i / 60.0 * end;
    assert_true(fabs(most / (2 * pi * r * c.tension * cos(c.contact_angle)) - 1) < 1e-14);
    double thin = thin_bridge(r, c.tension, c.contact_angle, c.volume, gap);
    assert_true(fabs(scree_cohesion_pull(&c, gap, r / 2) - thin) < 0.04 * most);
    double V = cbrt(c.volume);
    assert_true(fabs(end / ((1 + c.contact_angle / 2) * (V + V * V / (10 * r))) - 1) < 1e-13);
    assert_true(scree_cohesion_pull(&c, end * (1 - 1e-9), r / 2) > 0);
    assert_true(scree_cohesion_pull(&c, end * (1 + 1e-9), r / 2) == 0);
  }
}

/* For no radius is a bridge longer than `farthest`, the length for which neighbour lists are made. */
static void the_farthest_bounds_all(void **state) {
  (void)state;
  const scree_cohesion def = {
      .law = SCREE_COHESION_CAPILLARY, .volume = 1e-9, .contact_angle = 0.5, .tension = 0.07};
  const sc_cohesion c = sc_cohesion_prepared(&def);
  for (double radius = 1e-6; radius < 10; radius *= 1.5)
    assert_true(scree_cohesion_rupture(&def, radius) <= c.farthest);
}

static void a_pull_begins_and_ends(void **state) {
  (void)state;
  const scree_cohesion near = {.force = 3, .range = 1e-3}, linear = {SCREE_COHESION_LINEAR, 3, 1e-3},
                       wet = {.law = SCREE_COHESION_CAPILLARY, .volume = 1e-9, .tension = 0.07};
  const sc_cohesion n = sc_cohesion_prepared(&near), l = sc_cohesion_prepared(&linear),
                    w = sc_cohesion_prepared(&wet);
  /* a pull begins within the range, and on a contact that was pressed; without a range, within 1e-4 of the
   * radius */
  const scree_cohesion touching = {.force = 3};
  const sc_cohesion t = sc_cohesion_prepared(&touching);
  assert_true(
      sc_cohesion_at(&t, 0.9e-4, 1, false, false) == 3 && sc_cohesion_at(&t, 0.9e-6, 0.01, false, true) == 3);
  assert_true(
      sc_cohesion_at(&t, 1.1e-4, 1, false, true) == 0 && sc_cohesion_at(&t, 1.1e-6, 0.01, false, true) == 0);
  assert_true(fabs(scree_cohesion_rupture(&touching, 0.01) - 1e-6) < 1e-20);
  assert_true(sc_cohesion_at(&n, 1e-3, 1, false, false) == 3);
  assert_true(sc_cohesion_at(&n, 1.1e-3, 1, false, true) == 0);
  assert_true(sc_cohesion_at(&n, 1.1e-3, 1, true, true) == 3);
  assert_true(fabs(sc_cohesion_at(&l, 2.5e-4, 1, false, false) - 2.25) < 1e-15);
  assert_true(
      sc_cohesion_at(&l, -1e-4, 1, false, false) == 3 && sc_cohesion_at(&l, 1e-3, 1, true, true) == 0);
  /* a bridge forms by touch, lasts until its rupture, and does not form again without touch */
  double end = scree_cohesion_rupture(&wet, 0.01);
  assert_true(sc_cohesion_at(&w, 0.5 * end, 0.01, false, false) == 0);
  assert_true(
      sc_cohesion_at(&w, 0, 0.01, false, false) > 0 && sc_cohesion_at(&w, 1e-9, 0.01, true, false) > 0);
  assert_true(sc_cohesion_at(&w, 0.99 * end, 0.01, false, true) > 0);
  assert_true(sc_cohesion_at(&w, 1.01 * end, 0.01, false, true) == 0);
}

static void refuse(const scree_cohesion *c, const char *text) {
  scree_error error = {SCREE_OK, ""};
  assert_int_equal(scree_cohesion_check(c, "pair(a, b)", &error), SCREE_E_ARGUMENT);
  if (!strstr(error.text, text)) fail_msg("'%s' does not say '%s'", error.text, text);
}

static void what_does_not_fit_is_refused(void **state) {
  (void)state;
  refuse(&(scree_cohesion){.law = 7}, "cohesion_law 7");
  refuse(&(scree_cohesion){.law = SCREE_COHESION_JKR}, "pair(a, b).work is missing");
  refuse(&(scree_cohesion){.law = SCREE_COHESION_JKR, .work = 1, .tension = 2}, "tension does not belong to");
  refuse(&(scree_cohesion){.law = SCREE_COHESION_CAPILLARY, .tension = 2}, "volume is missing");
  refuse(&(scree_cohesion){.law = SCREE_COHESION_CAPILLARY, .tension = 2, .volume = 1, .contact_angle = 2},
      "contact_angle");
  refuse(&(scree_cohesion){.law = SCREE_COHESION_LINEAR, .force = 2}, "cohesion_range is missing");
  refuse(&(scree_cohesion){.force = NAN}, "NaN");
  refuse(&(scree_cohesion){.force = -1}, "cohesion");
  assert_int_equal(scree_cohesion_check(&(scree_cohesion){0}, "pair", NULL), SCREE_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pull_off_forces),
      cmocka_unit_test(bridges_are_those_of_thin_ones),
      cmocka_unit_test(the_farthest_bounds_all),
      cmocka_unit_test(a_pull_begins_and_ends),
      cmocka_unit_test(what_does_not_fit_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
