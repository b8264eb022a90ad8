/* Tests the refinements of Coulomb-like laws: static coefficient, weakening, cohesion, anisotropy. */
#include "law_support.h"
#include "law_problems.h"

static const char *const laws[5] = {"coulomb", "max_dissipation", "cone", "polyhedral", "decoupled"};

static scree_contact_info quiet_info(void) {
  return (scree_contact_info){.normal = {0, 0, 1},
      .t = {1, 0, 0},
      .dt = 1e-3,
      .orientation1 = {1, 0, 0, 0},
      .orientation2 = {1, 0, 0, 0}};
}

static void refresh(law_call *call, double *state, const scree_contact_info *info) {
  assert_int_equal(call->law->refresh(call->law, call->par, state, info, NULL), 0);
}

/* A contact sticks up to mu_static and slides with mu. */
static void test_static(void **state) {
  (void)state;
  const double A[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int i = 0; i < 5; i++) {
    law_call call = call_law(laws[i], 0.3);
    call.par[SC_PAR_MU_STATIC] = 0.6;
    double x[3];
    const double held[3] = {1, 0.59, 0}, lost[3] = {1, 0.61, 0};
    assert_int_equal(solve_law(&call, A, held, x), SCREE_STICKING);
    assert_true(fabs(x[1] - 0.59) < 1e-15);
    assert_int_equal(solve_law(&call, A, lost, x), SCREE_SLIDING);
    assert_true(fabs(x[1] - 0.3 * x[0]) < 1e-15);
    // a static coefficient below the sliding coefficient changes nothing
    call.par[SC_PAR_MU_STATIC] = 0.1;
    const double inside[3] = {1, 0.29, 0};
    assert_int_equal(solve_law(&call, A, inside, x), SCREE_STICKING);
  }
}

/* The coefficient is mu + (mu_static - mu)/(1 + v/vc). v: slip speed, vc: weakening_speed. */
static void test_velocity_weakening(void **state) {
  (void)state;
  static const double speed[4] = {0, 0.5, 1, 3}, want[4] = {0.6, 0.3 + 0.3 / 1.5, 0.45, 0.3 + 0.3 / 4};
  for (int i = 0; i < 4; i++) {
    law_call call = call_law("coulomb", 0.3);
    call.par[SC_PAR_MU_STATIC] = 0.6;
    call.par[SC_PAR_WEAKENING_SPEED] = 1;
    scree_contact_info info = quiet_info();
    info.slip[0] = 0.6 * speed[i];
    info.slip[1] = -0.8 * speed[i];
    refresh(&call, NULL, &info);
    assert_true(fabs(call.par[SC_PAR_MU] - want[i]) < 1e-15);
    assert_true(call.par[SC_PAR_MU_STATIC] == 0);
  }
}

/* The coefficient falls linearly with the slip. A sticking contact accumulates no slip. */
static void test_slip_weakening(void **state) {
  (void)state;
  double memory[SC_STATE_COUNT] = {0};
  for (int step = 0; step < 30; step++) {
    law_call call = call_law("max_dissipation", 0.2);
    call.par[SC_PAR_MU_STATIC] = 0.8;
    call.par[SC_PAR_WEAKENING_SLIP] = 0.02;
    scree_contact_info info = quiet_info();
    info.slip[0] = 1;
    info.impulse[0] = 1;
    info.impulse[1] = -1;
    refresh(&call, memory, &info);
    assert_true(fabs(memory[SC_STATE_SLIP] - 1e-3 * (step + 1)) < 1e-15);
    assert_true(fabs(call.par[SC_PAR_MU] - fmax(0.2, 0.2 + 0.6 * (1 - 0.05 * (step + 1)))) < 1e-14);
    // if friction is well inside the cone, the accumulated slip does not grow
    double rest[SC_STATE_COUNT] = {memory[0]};
    info.impulse[1] = -0.01;
    law_call still = call_law("max_dissipation", 0.2);
    still.par[SC_PAR_MU_STATIC] = 0.8;
    still.par[SC_PAR_WEAKENING_SLIP] = 0.02;
    refresh(&still, rest, &info);
    assert_true(rest[SC_STATE_SLIP] == memory[SC_STATE_SLIP]);
  }
}

/* Cohesion shifts the cone. The contact bears a pull up to the cohesion. Under a larger pull the contact
 * opens, and the cohesion still acts. */
static void test_cohesion(void **state) {
  (void)state;
  const double A[9] = {2, 0, 0, 0, 3, 0, 0, 0, 3};
  for (int i = 0; i < 5; i++) {
    law_call call = call_law(laws[i], 0.5);
    double x[3];
    call.par[SC_PAR_COHESION_IMPULSE] = 0.1;
    double mu;
    assert_false(call.law->ball_mu && call.law->ball_mu(call.par, &mu));
    const double pull[3] = {-0.1, 0, 0}, tear[3] = {-0.5, 0, 0}, shear[3] = {-0.1, 1, 0};
    solve_law(&call, A, pull, x);
    assert_true(fabs(x[0] + 0.05) < 1e-15); /* the contact does not open: v_n = 0 */
    solve_law(&call, A, tear, x);
    assert_true(fabs(x[0] + 0.1) < 1e-15); /* the contact opens */
    solve_law(&call, A, shear, x);
    if (i != 2) assert_true(fabs(x[0] + 0.05) < 1e-15);
    assert_true(fabs(x[1] - 0.5 * (x[0] + 0.1)) < 1e-15); /* friction acts although the contact is pulled */
  }
}

/* Elliptic cone: the impulse lies on its boundary, and friction opposes the slip in the sense of the
 * ellipse's normal. max_dissipation has the least energy. */
static void test_anisotropy(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 3);
  for (int i = 0; i < 2000; i++) {
    law_problem p = random_problem(&rng, FAMILY_BODY);
    double angle = between(&rng, 0, 6.2), c = cos(angle), s = sin(angle), mu2 = between(&rng, 0.05, 1.5),
           x[3], v[3];
    law_call call = call_law("coulomb", p.mu + 0.05);
    call.par[SC_PAR_MU2] = mu2;
    call.par[SC_PAR_AXIS_T] = 3 * c;
    call.par[SC_PAR_AXIS_O] = 3 * s;
    if (solve_law(&call, p.A, p.b, x) != SCREE_SLIDING) continue;
    double size = slip_of(p.A, p.b, x, v), mu = call.par[SC_PAR_MU], e = (c * x[1] + s * x[2]) / mu,
           f = (c * x[2] - s * x[1]) / mu2;
    assert_true(fabs(v[0]) <= 1e-13 * size);
    assert_true(fabs(length2(e, f) - x[0]) <= 1e-13 * x[0]);
    // the slip is opposite to the outward normal (e/mu, f/mu2) of the ellipse
    double vp = c * v[1] + s * v[2], vq = c * v[2] - s * v[1], np = e / mu, nq = f / mu2;
    assert_true(fabs(vp * nq - vq * np) <= 1e-12 * size * length2(np, nq));
    assert_true(vp * np + vq * nq <= 0);
  }
  // equal coefficients give the circle, for any main direction
  law_problem p = random_problem(&rng, FAMILY_BODY);
  law_call round = call_law("max_dissipation", 0.1), same = call_law("max_dissipation", 0.1);
  same.par[SC_PAR_MU2] = 0.1;
  same.par[SC_PAR_AXIS_O] = 2;
  double x[3], y[3];
  solve_law(&round, p.A, p.b, x);
  solve_law(&same, p.A, p.b, y);
  for (int k = 0; k < 3; k++)
    assert_true(fabs(x[k] - y[k]) <= 1e-14 * (fabs(x[0]) + fabs(x[1]) + fabs(x[2])));
}

/* The main direction turns with the body of the pair's first material. */
static void test_direction(void **state) {
  (void)state;
  const double half = sqrt(0.5);
  scree_contact_info info = quiet_info();
  info.orientation1[0] = half;
  info.orientation1[3] = half; /* a quarter turn about z: x becomes y */
  for (int swapped = 0; swapped < 2; swapped++) {
    law_call call = call_law("coulomb", 0.5);
    call.par[SC_PAR_MU2] = 0.2;
    info.swapped = swapped;
    refresh(&call, NULL, &info);
    assert_true(
        fabs(call.par[SC_PAR_AXIS_T] - swapped) < 1e-15 && fabs(call.par[SC_PAR_AXIS_O] - !swapped) < 1e-15);
  }
}

/* Weakening does not change the ratio of an ellipse's coefficients. */
static void test_combination(void **state) {
  (void)state;
  law_call call = call_law("coulomb", 0.2);
  call.par[SC_PAR_MU_STATIC] = 0.4;
  call.par[SC_PAR_MU2] = 0.1;
  call.par[SC_PAR_WEAKENING_SPEED] = 1;
  scree_contact_info info = quiet_info();
  refresh(&call, NULL, &info);
  assert_true(fabs(call.par[SC_PAR_MU] - 0.4) < 1e-15 && fabs(call.par[SC_PAR_MU2] - 0.2) < 1e-15);
}

/* Projection gives the nearest point, checked by the normal cone. With De Saxce's shift, solutions of
 * Coulomb's law are fixed points of the projection. */
static void test_projection(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 19);
  for (int i = 0; i < 3000; i++) {
    int dim = i % 3 == 0 ? 3 : i % 3 == 1 ? 4 : 6;
    law_call call = call_law("coulomb", between(&rng, 0.1, 1.5));
    if (i % 2) {
      call.par[SC_PAR_MU2] = between(&rng, 0.1, 1.5);
      call.par[SC_PAR_AXIS_O] = between(&rng, -1, 1);
    }
    if (i % 5 == 0) call.par[SC_PAR_COHESION_IMPULSE] = 0.3;
    call.par[SC_PAR_TORSION] = between(&rng, 0, 0.5);
    call.par[SC_PAR_ROLLING] = between(&rng, 0, 0.5);
    double z[6], x[6], minus[6], s[6], dot = 0, c = call.par[SC_PAR_COHESION_IMPULSE];
    for (int k = 0; k < dim; k++) x[k] = z[k] = between(&rng, -1, 1);
    call.law->project(call.par, dim, x);
    // z - x lies in the normal cone: it is orthogonal to x, and the support of its friction plus its normal
    // part is not positive
    // positive

    for (int k = 0; k < dim; k++) {
      minus[k] = z[k] - x[k];
      dot += minus[k] * (x[k] + (k ? 0 : c));
    }
    call.law->shift(call.par, dim, minus, s);
    assert_true(fabs(dot) < 1e-12);
    assert_true(minus[0] + s[0] < 1e-12);
    // a projected point is projected to itself
    memcpy(z, x, sizeof z);
    call.law->project(call.par, dim, x);
    for (int k = 0; k < dim; k++) assert_true(fabs(x[k] - z[k]) < 1e-12);
  }
  // x = P(x - r (v + s)) for solutions of Coulomb's law
  for (int i = 0; i < 2000; i++) {
    law_problem p = random_problem(&rng, FAMILY_BODY);
    law_call call = call_law("coulomb", p.mu);
    double x[3], v[3], s[3], y[3];
    solve_law(&call, p.A, p.b, x);
    double size = slip_of(p.A, p.b, x, v), r = 1 / (p.A[0] + p.A[4] + p.A[8]);
    call.law->shift(call.par, 3, v, s);
    for (int k = 0; k < 3; k++) y[k] = x[k] - r * (v[k] + s[k]);
    call.law->project(call.par, 3, y);
    for (int k = 0; k < 3; k++) assert_true(fabs(y[k] - x[k]) <= 1e-11 * r * size);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_static),
      cmocka_unit_test(test_velocity_weakening),
      cmocka_unit_test(test_slip_weakening),
      cmocka_unit_test(test_cohesion),
      cmocka_unit_test(test_anisotropy),
      cmocka_unit_test(test_direction),
      cmocka_unit_test(test_combination),
      cmocka_unit_test(test_projection),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
