/* Compatible forces on plain arrays: closed forms, the pyramid's reference numbers, symmetry, order,
 * friction, bad input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "pyramid.h"
#include "support/truss_step.h"

static void assert_near(double value, double wanted, double within) {
  if (!(fabs(value - wanted) <= within)) print_error("%.15g instead of %.15g\n", value, wanted);
  assert_true(fabs(value - wanted) <= within);
}

/* Solves or fails the test; the arena lives for the call only. */
static sc_truss_report solved(const sc_truss *truss, double (*force)[3]) {
  sc_arena arena = {0};
  sc_truss_report report;
  scree_error error = {0};
  scree_status status = sc_truss_solve(truss, &arena, force, NULL, &report, &error);
  if (status) print_error("%s\n", error.text);
  assert_int_equal(status, SCREE_OK);
  sc_arena_free(&arena);
  return report;
}

/* A beam of weight 10 on three supports at x = -1, 0, 1; body 0 is the held ground, body 1 the beam. */
static sc_truss beam(
    const double stiffness[3], double exponent, sc_truss_contact contact[3], double load[2][6]) {
  static const uint8_t held[2] = {1, 0};
  memset(load, 0, 12 * sizeof(double));
  load[1][2] = 10;
  for (int c = 0; c < 3; c++)
    contact[c] = (sc_truss_contact){.i = 1,
        .j = 0,
        .n = {0, 0, 1},
        .arm1 = {c - 1, 0, -0.1},
        .arm2 = {c - 1, 0, 0},
        .stiffness = stiffness[c]};
  return (sc_truss){.bodies = 2,
      .held = held,
      .load = (const double(*)[6])load,
      .contacts = 3,
      .contact = contact,
      .exponent = exponent,
      .tolerance = 1e-13,
      .iterations = 100};
}

static void beam_shares_its_weight(void **state) {
  (void)state;
  sc_truss_contact contact[3];
  double load[2][6], force[3][3];
  static const struct {
    double stiffness[3], exponent, wanted[3];
  } cases[] = {{{1, 1, 1}, 2, {10.0 / 3, 10.0 / 3, 10.0 / 3}}, {{1, 3, 1}, 2, {2, 6, 2}},
      {{1e9, 3e9, 1e9}, 2, {2, 6, 2}}, {{1, 3, 1}, 2.5, {2, 6, 2}}, {{1, 3, 1}, 1.5, {2, 6, 2}},
      {{1, 3, 1}, 4, {2, 6, 2}}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    sc_truss truss = beam(cases[k].stiffness, cases[k].exponent, contact, load);
    solved(&truss, force);
    for (int c = 0; c < 3; c++) assert_near(force[c][0], cases[k].wanted[c], 1e-10);
  }
}

/* The load beyond the middle support, towards the right: the left one lets go and two supports carry by
 * the lever rule. */
static void beam_lets_go_of_a_support(void **state) {
  (void)state;
  sc_truss_contact contact[3];
  double load[2][6], force[3][3];
  sc_truss truss = beam((double[3]){1, 1, 1}, 2, contact, load);
  load[1][4] = -9.0; // moment that moves the load to x = 0.9
  solved(&truss, force);
  assert_near(force[0][0], 0, 1e-12);
  assert_near(force[1][0], 1, 1e-10);
  assert_near(force[2][0], 9, 1e-10);
}

static double largest(const pyramid *p) {
  double most = 0;
  for (int32_t c = 0; c < p->contacts; c++) most = fmax(most, p->force[c][0]);
  return most;
}

static void pyramid_equals_reference(void **state) {
  (void)state;
  static const struct {
    int n;
    double exponent, largest, centre, corner;
  } cases[] = {{4, 2, .832561210107, 1.0887096774, .5887096774},
      {4, 2.5, .850144007661, 1.1011425928, .6011425928}, {10, 2, 2.163713659147, 3.5607846044, 1.3309235549},
      {10, 2.5, 2.214344492759, 3.5833028183, 1.3645797026}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    pyramid p = pyramid_make(cases[k].n);
    sc_truss truss = pyramid_truss(&p, cases[k].exponent);
    solved(&truss, p.force);
    double base[100], sum = 0;
    pyramid_floor(&p, base);
    for (int i = 0; i < p.n * p.n; i++) sum += base[i];
    assert_near(largest(&p), cases[k].largest, 1e-9);
    assert_near(base[p.n / 2 * (p.n + 1)], cases[k].centre, 1e-9);
    assert_near(base[0], cases[k].corner, 1e-9);
    assert_near(sum, p.bodies - p.n * p.n, 1e-10 * sum);
    pyramid_free(&p);
  }
}

/* The paper's size, all three models: equilibrium, floor = weight, and mirror symmetry where the
 * stiffness is uniform. */
static void large_pyramid_balances(void **state) {
  (void)state;
  for (int model = 0; model < 3; model++) {
    pyramid p = pyramid_make(20);
    assert_int_equal(p.bodies, 2870);
    if (model == 2) pyramid_two_species(&p);
    sc_truss truss = pyramid_truss(&p, model == 1 ? 2.5 : 2);
    sc_truss_report report = solved(&truss, p.force);
    assert_true(report.residual <= 1e-12);
    double base[400], sum = 0, skew = 0;
    pyramid_floor(&p, base);
    for (int i = 0; i < 400; i++) sum += base[i], skew = fmax(skew, fabs(base[i] - base[399 - i]));
    assert_near(sum, 2470, 1e-10 * 2470);
    if (model == 2) assert_true(skew > 1e-3);
    else assert_true(skew < 1e-8);
    for (int32_t c = 0; c < p.contacts; c++) assert_true(p.force[c][0] >= 0);
    pyramid_free(&p);
  }
}

static void order_of_contacts_does_not_matter(void **state) {
  (void)state;
  pyramid p = pyramid_make(10);
  pyramid_two_species(&p);
  sc_truss truss = pyramid_truss(&p, 2.5);
  solved(&truss, p.force);
  double base[100], again[100];
  pyramid_floor(&p, base);
  sc_rng rng;
  sc_rng_seed(&rng, 7);
  for (int32_t c = p.contacts - 1; c > 0; c--) {
    int32_t other = (int32_t)(sc_rng_unit(&rng) * (c + 1));
    sc_truss_contact kept = p.contact[c];
    p.contact[c] = p.contact[other], p.contact[other] = kept;
  }
  solved(&truss, p.force);
  pyramid_floor(&p, again);
  for (int i = 0; i < 100; i++) assert_near(again[i], base[i], 1e-9);
  pyramid_free(&p);
}

/* Loads made of random forces, half or nine tenths of them zero, or spread over twelve decades: at the
 * edge of what can be carried. */
static double random_force(sc_rng *rng, int kind) {
  double u = sc_rng_unit(rng);
  return kind == 0 ? u : kind == 1 ? (u < 0.5 ? 0 : u) : kind == 2 ? u > 0.9 : pow(10, -12 * u);
}

static void loads_at_the_edge_are_carried(void **state) {
  (void)state;
  for (int trial = 0; trial < 8; trial++) {
    pyramid p = pyramid_make(5);
    sc_rng rng;
    sc_rng_seed(&rng, (uint64_t)trial + 1);
    memset(p.load, 0, (size_t)p.bodies * sizeof *p.load);
    for (int32_t c = 0; c < p.contacts; c++) {
      double f = random_force(&rng, trial / 2);
      sc_axpy(f, p.contact[c].n, p.load[p.contact[c].i], p.load[p.contact[c].i]);
      sc_axpy(-f, p.contact[c].n, p.load[p.contact[c].j], p.load[p.contact[c].j]);
    }
    sc_truss truss = pyramid_truss(&p, trial % 2 ? 2.5 : 2);
    assert_true(solved(&truss, p.force).residual <= 1e-12);
    for (int32_t c = 0; c < p.contacts; c++) assert_true(p.force[c][0] >= 0);
    pyramid_free(&p);
  }
}

/* Scales of load, stiffness and length change nothing but the unit of force. */
static void no_scale_is_known(void **state) {
  (void)state;
  for (int tiny = 0; tiny < 2; tiny++) {
    pyramid p = pyramid_make(4);
    double unit = tiny ? 1e-30 : 1e30;
    for (int32_t b = 0; b < p.bodies; b++) p.load[b][2] *= unit;
    for (int32_t c = 0; c < p.contacts; c++) {
      p.contact[c].stiffness = unit;
      sc_scale(1 / unit, p.contact[c].arm1, p.contact[c].arm1);
      sc_scale(1 / unit, p.contact[c].arm2, p.contact[c].arm2);
    }
    sc_truss truss = pyramid_truss(&p, 2.5);
    solved(&truss, p.force);
    assert_near(largest(&p) / unit, .850144007661, 1e-9);
    pyramid_free(&p);
  }
}

/* A ball of weight 1 in a rectangular groove: f_n = 1/(sqrt 2 (1 + share)) with share = min(ratio, mu). */
static void ball_in_groove_with_friction(void **state) {
  (void)state;
  static const uint8_t held[2] = {1, 0};
  static const double load[2][6] = {{0}, {0, 0, 1}};
  static const struct {
    double mu, ratio;
  } cases[] = {{0.5, 2.0 / 7}, {0.1, 2.0 / 7}, {0, 1}, {2, 1}, {0.99, 1}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    sc_truss_contact contact[2];
    for (int c = 0; c < 2; c++) {
      double side = c ? -1 : 1;
      contact[c] = (sc_truss_contact){.i = 1,
          .j = 0,
          .n = {side * sqrt(0.5), 0, sqrt(0.5)},
          .stiffness = 3,
          .mu = cases[k].mu,
          .ratio = cases[k].ratio};
      sc_scale(-0.25, contact[c].n, contact[c].arm1);
    }
    sc_truss truss = {.bodies = 2,
        .held = held,
        .load = load,
        .contacts = 2,
        .contact = contact,
        .exponent = 2,
        .tolerance = 1e-13,
        .iterations = 100};
    double force[2][3], share = fmin(cases[k].mu, cases[k].ratio);
    solved(&truss, force);
    for (int c = 0; c < 2; c++) {
      assert_near(force[c][0], sqrt(0.5) / (1 + share), 1e-11);
      assert_near(hypot(force[c][1], force[c][2]), share * force[c][0], 1e-11);
    }
  }
}

/* Coulomb friction by the fixed point: f_n = k max(0, c) and |f_t| = min(ratio c_t k, mu f_n) with the
 * field's own c, and an open contact that slips carries nothing, where the cone program would let it
 * push. */
static void coulomb_friction_does_not_dilate(void **state) {
  (void)state;
  static const uint8_t held[2] = {1, 0};
  static const double load[2][6] = {{0}, {0.3, 0, 1}};
  sc_truss_contact contact[3] = {
      {.i = 1, .n = {0, 0, 1}, .arm1 = {-1, 0, 0}, .arm2 = {0}, .stiffness = 2, .mu = 0.2, .ratio = 0.5},
      {.i = 1, .n = {0, 0, 1}, .arm1 = {1, 0, 0}, .arm2 = {0}, .stiffness = 1, .mu = 0.8, .ratio = 0.5},
      {.i = 1, .n = {0, 0, -1}, .arm1 = {0, 0, 1}, .arm2 = {0}, .stiffness = 1, .mu = 5, .ratio = 0.5}};
  sc_truss truss = {.bodies = 2,
      .held = held,
      .load = load,
      .contacts = 3,
      .contact = contact,
      .exponent = 2,
      .tolerance = 1e-13,
      .iterations = 100};
  sc_arena arena = {0};
  sc_truss_report report;
  double force[3][3], u[2][6] = {{0}};
  assert_int_equal(sc_truss_coulomb(&truss, &arena, force, u, &report, NULL), SCREE_OK);
  for (int c = 0; c < 3; c++) {
    double turn[3], d[3], t[3], o[3];
    sc_cross(u[1] + 3, contact[c].arm1, turn);
    sc_add(u[1], turn, d);
    sc_frame(contact[c].n, t, o);
    double k = contact[c].stiffness, push = k * fmax(0, -sc_dot(d, contact[c].n)),
           stretch = k * 0.5 * hypot(sc_dot(d, t), sc_dot(d, o));
    assert_near(force[c][0], push, 1e-9);
    assert_near(hypot(force[c][1], force[c][2]), fmin(stretch, contact[c].mu * push), 1e-9);
  }
  assert_near(force[2][0], 0, 1e-12);
  assert_near(force[0][0] + force[1][0], 1, 1e-9);
  double cone[3][3];
  assert_int_equal(sc_truss_solve(&truss, &arena, cone, NULL, &report, NULL), SCREE_OK);
  assert_true(cone[2][0] > 1e-3);
  sc_arena_free(&arena);
}

/* The limit of conjugate-gradient steps is one limit for all rounds of Coulomb friction together. */
static void rounds_share_a_limit(void **state) {
  (void)state;
  pyramid p = pyramid_make(4);
  for (int32_t c = 0; c < p.contacts; c++) p.contact[c].mu = 0.1, p.contact[c].ratio = 2.0 / 7;
  sc_truss truss = pyramid_truss(&p, 2);
  sc_arena arena = {0};
  sc_truss_report report;
  double(*u)[6] = calloc((size_t)p.bodies, sizeof *u);
  assert_int_equal(sc_truss_coulomb(&truss, &arena, p.force, u, &report, NULL), SCREE_OK);
  const int64_t needed = report.cg_iterations;
  assert_true(report.iterations >= 2 && needed >= report.iterations); // at least two rounds of one step
  for (truss.cg_iterations = needed / 2; truss.cg_iterations < needed; truss.cg_iterations += 5) {
    memset(u, 0, (size_t)p.bodies * sizeof *u);
    const scree_status status = sc_truss_coulomb(&truss, &arena, p.force, u, &report, NULL);
    assert_true(status == SCREE_OK || status == SCREE_E_NUMERIC);
    assert_true(report.cg_iterations <= truss.cg_iterations);
  }
  sc_arena_free(&arena);
  free(u), pyramid_free(&p);
}

/* With friction every force lies in its cone, the load is balanced, and more friction never costs energy. */
static void friction_relaxes_the_pyramid(void **state) {
  (void)state;
  double energy[3];
  for (int k = 0; k < 3; k++) {
    pyramid p = pyramid_make(8);
    double mu = 0.15 * k;
    for (int32_t c = 0; c < p.contacts; c++) p.contact[c].mu = mu, p.contact[c].ratio = 2.0 / 7;
    sc_truss truss = pyramid_truss(&p, 2);
    sc_truss_report report = solved(&truss, p.force);
    assert_true(report.residual <= 1e-12);
    energy[k] = 0;
    for (int32_t c = 0; c < p.contacts; c++) {
      double slide = hypot(p.force[c][1], p.force[c][2]);
      assert_true(slide <= mu * p.force[c][0] * (1 + 1e-12) + 1e-15);
      energy[k] += p.force[c][0] * p.force[c][0] / 2 + slide * slide * 7 / 4;
    }
    pyramid_free(&p);
  }
  assert_true(energy[1] < energy[0] && energy[2] < energy[1]);
}

/* The one-step variant tends to the two-step forces in proportion to 1/rigidity, and a ball in the air
 * just falls. */
static void one_step_tends_to_two_steps(void **state) {
  (void)state;
  for (int model = 0; model < 2; model++) {
    pyramid p = pyramid_make(8);
    sc_truss truss = pyramid_truss(&p, model ? 2.5 : 2);
    solved(&truss, p.force);
    double reference[64], base[64], error[2];
    pyramid_floor(&p, reference);
    sc_truss_mass *mass = calloc((size_t)p.bodies, sizeof *mass);
    for (int32_t b = 0; b < p.bodies; b++) mass[b] = (sc_truss_mass){2, {.2, 0, 0, .2, 0, .2}};
    truss.mass = mass;
    double(*v)[6] = calloc((size_t)p.bodies, sizeof *v);
    for (int k = 0; k < 2; k++) {
      sc_arena arena = {0};
      sc_truss_report report;
      memset(v, 0, (size_t)p.bodies * sizeof *v);
      assert_int_equal(solve_one_step(&truss, k ? 1e8 : 1e6, &arena, p.force, v, &report, NULL), SCREE_OK);
      pyramid_floor(&p, base);
      error[k] = 0;
      for (int i = 0; i < 64; i++) error[k] = fmax(error[k], fabs(base[i] - reference[i]));
      sc_arena_free(&arena);
    }
    assert_true(error[0] < 1e-3 && error[1] < 1e-5);
    assert_true(error[1] < 0.02 * error[0]);
    free(mass), free(v), pyramid_free(&p);
  }
}

static void one_step_lets_loose_bodies_fall(void **state) {
  (void)state;
  sc_truss_contact contact[3];
  double load[2][6], force[3][3], v[2][6] = {{0}};
  sc_truss truss = beam((double[3]){1, 1, 1}, 2, contact, load);
  sc_truss_mass mass[2] = {{0}, {4, {1, 0, 0, 2, 0, 3}}};
  truss.mass = mass;
  // Free velocity (0.5, 0, -1) and turning 0.1 about x, supports far below: gap/dt = 5.
  const double momentum[6] = {-2, 0, 4, -0.1, 0, 0};
  memcpy(load[1], momentum, sizeof momentum);
  for (int c = 0; c < 3; c++) contact[c].offset = 5;
  sc_arena arena = {0};
  sc_truss_report report;
  assert_int_equal(solve_one_step(&truss, 1e8, &arena, force, v, &report, NULL), SCREE_OK);
  assert_near(v[1][0], 0.5, 1e-12);
  assert_near(v[1][2], -1, 1e-12);
  assert_near(v[1][3], 0.1, 1e-12);
  for (int c = 0; c < 3; c++) assert_near(force[c][0], 0, 0);
  // Supports at hand: the beam lands and keeps its sideways velocity.
  for (int c = 0; c < 3; c++) contact[c].offset = 0;
  memset(v, 0, sizeof v);
  assert_int_equal(solve_one_step(&truss, 1e8, &arena, force, v, &report, NULL), SCREE_OK);
  assert_near(v[1][2], 0, 1e-7);
  assert_near(v[1][0], 0.5, 1e-9);
  assert_near(force[0][0] + force[1][0] + force[2][0], 4, 1e-6);
  sc_arena_free(&arena);
}

static void unsupported_body_is_named(void **state) {
  (void)state;
  pyramid p = pyramid_make(4);
  // The top sphere loses one of its four contacts and slides off; a ball in the air has none at all.
  int32_t top = p.bodies - 1;
  for (int32_t c = 0; c < p.contacts; c++)
    if (p.contact[c].j == top) {
      p.contact[c] = p.contact[--p.contacts];
      break;
    }
  sc_truss truss = pyramid_truss(&p, 2);
  sc_arena arena = {0};
  sc_truss_report report;
  scree_error error;
  assert_int_equal(sc_truss_solve(&truss, &arena, p.force, NULL, &report, &error), SCREE_OK);
  p.load[top][0] = 5;
  assert_int_equal(sc_truss_solve(&truss, &arena, p.force, NULL, &report, &error), SCREE_E_NUMERIC);
  assert_int_equal(report.worst, top);
  assert_non_null(strstr(error.text, "body 30"));
  sc_arena_free(&arena);
  pyramid_free(&p);
}

static void bad_input_is_refused(void **state) {
  (void)state;
  sc_truss_contact contact[3];
  double load[2][6], force[3][3];
  sc_arena arena = {0};
  sc_truss_report report;
  scree_error error;
  sc_truss truss = beam((double[3]){1, 0, 1}, 2, contact, load);
  assert_int_equal(sc_truss_solve(&truss, &arena, force, NULL, &report, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "stiffness of contact 2"));
  truss = beam((double[3]){1, 1, -2}, 2, contact, load);
  assert_int_equal(sc_truss_solve(&truss, &arena, force, NULL, &report, &error), SCREE_E_ARGUMENT);
  truss = beam((double[3]){1, 1, 1}, 1, contact, load);
  assert_int_equal(sc_truss_solve(&truss, &arena, force, NULL, &report, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "above 1"));
  truss = beam((double[3]){1, 1, 1}, 2.5, contact, load);
  contact[0].mu = 0.3, contact[0].ratio = 0.3;
  assert_int_equal(sc_truss_solve(&truss, &arena, force, NULL, &report, &error), SCREE_E_ARGUMENT);
  contact[0].mu = NAN;
  assert_int_equal(sc_truss_solve(&truss, &arena, force, NULL, &report, &error), SCREE_E_ARGUMENT);
  sc_arena_free(&arena);
}

static void nothing_to_carry_gives_nothing(void **state) {
  (void)state;
  sc_truss_contact contact[3];
  double load[2][6], force[3][3];
  sc_truss truss = beam((double[3]){1, 1, 1}, 2, contact, load);
  load[1][2] = 0;
  solved(&truss, force);
  for (int c = 0; c < 3; c++) assert_near(force[c][0], 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(beam_shares_its_weight),
      cmocka_unit_test(beam_lets_go_of_a_support), cmocka_unit_test(pyramid_equals_reference),
      cmocka_unit_test(large_pyramid_balances), cmocka_unit_test(order_of_contacts_does_not_matter),
      cmocka_unit_test(no_scale_is_known), cmocka_unit_test(loads_at_the_edge_are_carried),
      cmocka_unit_test(ball_in_groove_with_friction), cmocka_unit_test(coulomb_friction_does_not_dilate),
      cmocka_unit_test(rounds_share_a_limit), cmocka_unit_test(friction_relaxes_the_pyramid),
      cmocka_unit_test(one_step_tends_to_two_steps), cmocka_unit_test(one_step_lets_loose_bodies_fall),
      cmocka_unit_test(unsupported_body_is_named), cmocka_unit_test(bad_input_is_refused),
      cmocka_unit_test(nothing_to_carry_gives_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
