/* Tests the single-contact laws against the examples of Preclik, Eibl & Ruede (2017), and against references
 * computed to 60 digits. */
#include "law_support.h"
#include "reference_data.h"

static void assert_close(const double *x, const double *want, double tolerance) {
  double size = fmax(fabs(want[0]), fmax(fabs(want[1]), fabs(want[2])));
  for (int i = 0; i < 3; i++)
    if (!(fabs(x[i] - want[i]) <= tolerance * size))
      fail_msg("component %d is %.17g, not %.17g (relative difference %.2g)", i, x[i], want[i],
          fabs(x[i] - want[i]) / size);
}

/* The results of Table 1, with the tangents as printed in the paper. */
static void test_table_1(void **state) {
  (void)state;
  static const double coulomb[3][3] = {{1.558124573942665, -0.9929110889978261, -5.678913190217375},
      {0.2919727865354512, -0.8870891267545223, -0.6165383043832794},
      {0.1199453812147118, -0.4390162558093041, -0.06497162838043326}};
  static const double energies[3] = {-0.6309600061389226, -0.3925678058191242, -0.2517028593488449};
  static const double best[3] = {1.603097763685123, -1.081861345142101, -5.831964868940805};
  static const double relaxed[3] = {3.56500751147716, -1.010895895074533, -13.15173421770399};
  double A[9], b[3], par[SCREE_LAW_MAX_PARAMS];
  academic(A, b);
  law_call call = call_law("coulomb", 3.7);
  memcpy(par, call.par, sizeof par);
  scree_law_result results[SCREE_LAW_MAX_SOLUTIONS], result;
  int count;
  // the three Coulomb solutions, in ascending order of energy
  assert_int_equal(scree_law_solutions("coulomb", 3, A, b, par, results, &count, NULL), SCREE_OK);
  assert_int_equal(count, 3);
  for (int i = 0; i < 3; i++) {
    assert_close(results[i].x, coulomb[i], 1e-12);
    assert_true(fabs(results[i].energy - energies[i]) <= 1e-12);
    assert_true(violation("coulomb", A, b, 3.7, results[i].x) < 1e-14);
  }
  assert_int_equal(scree_law_solve("coulomb", 3, A, b, par, &result, NULL), SCREE_OK);
  assert_close(result.x, coulomb[0], 1e-12);
  // the maximally dissipative solution and its slip
  assert_int_equal(scree_law_solve("max_dissipation", 3, A, b, par, &result, NULL), SCREE_OK);
  assert_close(result.x, best, 1e-12);
  assert_true(fabs(result.energy + 0.6340074166739579) <= 1e-12);
  assert_true(fabs(result.v[1] + 0.05747960055666294) <= 1e-12);
  assert_true(fabs(result.v[2] - 0.03449106669853263) <= 1e-12);
  assert_int_equal(result.state, SCREE_SLIDING);
  // the solution of the law `cone`
  assert_int_equal(scree_law_solve("cone", 3, A, b, par, &result, NULL), SCREE_OK);
  assert_close(result.x, relaxed, 1e-12);
  assert_true(fabs(result.energy + 0.7628644241183583) <= 1e-12);
}

/* The results of Table 1 are only obtained with the paper's tangents, which are shorter than 1. */
static void test_table_1_tangents(void **state) {
  (void)state;
  double n[3] = {0.25, 0.36, -0.9}, norm = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  double tangent = sqrt(n[1] * n[1] + n[2] * n[2]) / norm;
  assert_true(fabs(tangent - 0.9683134693644406) < 1e-15);
  double A[9], b[3], x[3];
  academic(A, b);
  for (int i = 1; i < 3; i++) {
    b[i] /= tangent;
    for (int j = 0; j < 3; j++) {
      A[3 * i + j] /= tangent;
      A[3 * j + i] /= tangent;
    }
  }
  law_call call = call_law("max_dissipation", 3.7);
  solve_law(&call, A, b, x);
  assert_true(fabs(x[0] - 1.603097763685123) > 1e-3);
}

/* Eq. (9) chooses an asymptote by its angle to b alone. With an anisotropic block, the ray that it chooses
 * can have no energy gain. */
static void test_equation_9(void **state) {
  (void)state;
  const double A[9] = {1, 2, 0, 2, 5, 1, 0, 1, 2}, b[3] = {0, 3, 3},
               want[3] = {0.741286461976, -0.370643230988, 1.435495061};
  double x[3];
  law_call call = call_law("max_dissipation", 2);
  assert_int_equal(solve_law(&call, A, b, x), SCREE_SLIDING);
  assert_close(x, want, 1e-11);
  assert_true(fabs(sc_energy3(A, b, x) + 1.59727774502) < 1e-11);
}

/* On a parabola with b_n = 0 the impulse lies on the ray opposite to a. The printed sign gives the ray along
 * a, which is not on the plane v_n = 0. */
static void test_parabola_ray(void **state) {
  (void)state;
  const double A[9] = {1, 1, 0, 1, 3, 0.5, 0, 0.5, 2}, b[3] = {0, -3, 1};
  double x[3], v[3];
  law_call call = call_law("max_dissipation", 1);
  assert_int_equal(solve_law(&call, A, b, x), SCREE_SLIDING);
  const double want[3] = {1.5, -1.5, 0}; /* r = u.b/(u.H u), u = (-1,0), H = [[2,.5],[.5,2]] */
  assert_close(x, want, 1e-15);
  slip_of(A, b, x, v);
  assert_true(fabs(v[0]) < 1e-15);
  // with the opposite slip the impulse is 0
  const double other[3] = {0, 3, 1};
  assert_int_equal(solve_law(&call, A, other, x), SCREE_SEPARATING);
  assert_true(x[0] == 0 && x[1] == 0 && x[2] == 0);
}

/* Section 4.2: for both laws the impulse is 0 below mu*, and the contact sticks from mu* on. A_oo is 4/m, not
 * the printed value. */
static void test_painleve(void **state) {
  (void)state;
  static const double degrees[4] = {30, 45, 60, 75},
                      threshold[4] = {2.501851166488378, 5.0 / 3, 1.347150628109127, 1.601282525764455};
  static const char *const laws[2] = {"coulomb", "max_dissipation"};
  for (int i = 0; i < 4; i++) {
    double angle = degrees[i] * (3.14159265358979323846 / 180), A[9], b[3], x[3];
    painleve(angle, A, b);
    assert_true(fabs((cos(angle) + 1 / (3 * cos(angle))) / sin(angle) - threshold[i]) < 1e-14);
    const double stick[3] = {3 * sin(2 * angle) / 8, (5 + 3 * cos(2 * angle)) / 8, 0};
    for (int j = 0; j < 2; j++) {
      law_call below = call_law(laws[j], threshold[i] * (1 - 1e-12)),
               above = call_law(laws[j], threshold[i] * (1 + 1e-12));
      assert_int_equal(solve_law(&below, A, b, x), SCREE_SEPARATING);
      assert_true(x[0] == 0 && x[1] == 0 && x[2] == 0);
      assert_int_equal(solve_law(&above, A, b, x), SCREE_STICKING);
      assert_close(x, stick, 1e-14);
    }
    // Coulomb's law also has the solution 0
    law_call call = call_law("coulomb", 1.1 * threshold[i]);
    double all[3 * SCREE_LAW_MAX_SOLUTIONS];
    int count = call.law->solutions(call.law, 3, A, b, call.par, all);
    assert_true(count >= 2 && all[3 * (count - 1)] == 0);
  }
  // the smallest threshold is 4/3 at 2 th = acos(-3/5), where the impulse is (.4, .3) m v0 along x and y
  double A[9], b[3], x[3];
  painleve(1.1071487177940904, A, b);
  law_call call = call_law("max_dissipation", 4.0 / 3 * (1 + 1e-12));
  assert_int_equal(solve_law(&call, A, b, x), SCREE_STICKING);
  const double want[3] = {0.3, 0.4, 0};
  assert_close(x, want, 1e-14);
}

/* Section 4.3 prints 0.47 mm as the grains' diameter. Three figures derived in that section show that it is
 * the radius: the largest penetrations over the radius, the volume fraction, and the grains per second. */
static void test_channel_radius(void **state) {
  (void)state;
  const double radius = 0.47e-3, pi = 3.141592653589793;
  assert_true(fabs(39.0600e-6 / radius - 0.0831) < 5e-5);
  assert_true(fabs(46.4976e-6 / radius - 0.0989) < 5e-5);
  const double grains = 246992.29 * 4 / 3 * pi * radius * radius * radius,
               room = 0.15 * 0.065 * 0.02 - 0.02 * 0.01 * 0.01 * (pi / 2 + 2);
  assert_true(fabs(grains / room - 0.572) < 5e-4);
  const double layers = 1 / (2 * radius); /* layers per second at 1 m/s */
  assert_true(fabs(65 * 20 * layers / 1.4e6 - 1) < 0.02);
}

/* The matrix A + nu J of the law `cone` is singular at this solution. */
static void test_cone_singular(void **state) {
  (void)state;
  const double A[9] = {2, 0, 0, 0, 7, 0, 0, 0, 7}, b[3] = {0, 1, 0}, want[3] = {2.0 / 15, 1.0 / 15, 0};
  double x[3];
  law_call call = call_law("cone", 0.5);
  assert_int_equal(solve_law(&call, A, b, x), SCREE_SLIDING);
  assert_close(x, want, 1e-15);
  // the law `cone` may have an impulse although the contact opens
  const double opening[3] = {-0.1, 1, 0};
  assert_int_equal(solve_law(&call, A, opening, x), SCREE_SLIDING);
  assert_true(x[0] > 0);
  const double polar[3] = {-0.5, 1, 0};
  assert_int_equal(solve_law(&call, A, polar, x), SCREE_SEPARATING);
}

static double condition(const double p[6]) {
  double det = p[0] * (p[3] * p[5] - p[4] * p[4]) - p[1] * (p[1] * p[5] - p[4] * p[2]) +
      p[2] * (p[1] * p[4] - p[3] * p[2]),
         trace = p[0] + p[3] + p[5];
  return trace * trace * trace / det; /* an upper bound of the condition number */
}

/* 60 sliding problems: ellipses, hyperbolas, near-parabolas, condition numbers up to 1e6, b_n down to
 * 1e-12. */
static void test_references(void **state) {
  (void)state;
  static const char *const laws[3] = {"max_dissipation", "coulomb", "cone"};
  for (size_t i = 0; i < sizeof references / sizeof *references; i++)
    for (int j = 0; j < 3; j++) {
      double A[9], x[3];
      unpack(references[i].A, A);
      law_call call = call_law(laws[j], references[i].mu);
      solve_law(&call, A, references[i].b, x);
      assert_close(x, references[i].answer[j], 1e-15 * fmax(100, condition(references[i].A)));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table_1),
      cmocka_unit_test(test_table_1_tangents),
      cmocka_unit_test(test_equation_9),
      cmocka_unit_test(test_parabola_ray),
      cmocka_unit_test(test_painleve),
      cmocka_unit_test(test_channel_radius),
      cmocka_unit_test(test_cone_singular),
      cmocka_unit_test(test_references),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
