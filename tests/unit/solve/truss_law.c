/* Tests compatible forces by their definition: forces balance the loads, and follow from the displacements by
 * the law of each member. Random structures have friction, bounds, offsets, fixed bodies, masses and cells.
 * The tangent of the law must be the derivative of the law. If bodies touch only fixed bodies, a Newton step
 * must need one conjugate-gradient step, because the preconditioner is then exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "random_problem.h"
#include "solve/truss/truss.h"
#include "solve/truss/truss_system.h"
#include "support/truss_step.h"

enum { BODIES = 8, CONTACTS = 34 };

typedef struct kind {
  double exponent;
  bool friction, bounded, offset, cell, mass, balls, islands;
} kind;

typedef struct structure {
  kind k;
  uint8_t held[BODIES];
  double load[BODIES][6], given[CONTACTS][3];
  sc_truss_contact contact[CONTACTS];
  sc_truss_cell cell;
  sc_truss_mass mass[BODIES];
  sc_truss truss;
} structure;

/* Adds sign times the force of a contact to its bodies and to the cell. Rows from BODIES on are the columns
 * of G. */
static void spread(const sc_truss_contact *c, const double f[3], double sum[BODIES + 3][6]) {
  double t[3], o[3], p[3] = {0, 0, 0}, turn[3];
  sc_frame(c->n, t, o);
  sc_axpy(f[0], c->n, p, p), sc_axpy(f[1], t, p, p), sc_axpy(f[2], o, p, p);
  sc_add(sum[c->i], p, sum[c->i]), sc_sub(sum[c->j], p, sum[c->j]);
  sc_cross(c->arm1, p, turn), sc_add(sum[c->i] + 3, turn, sum[c->i] + 3);
  sc_cross(c->arm2, p, turn), sc_sub(sum[c->j] + 3, turn, sum[c->j] + 3);
  for (int l = 0; l < 3; l++) sc_axpy(-c->shift[l], p, sum[BODIES + l], sum[BODIES + l]);
}

static void make_contact(sc_rng *rng, const kind *k, int at, sc_truss_contact *c) {
  *c = (sc_truss_contact){.i = 2 + at % (BODIES - 2), .stiffness = random_between(rng, 0.5, 3)};
  do c->j = (int32_t)(sc_rng_next(rng) % BODIES);
  while (c->j == c->i || (k->islands && c->j >= 2));
  random_unit(rng, c->n);
  if (k->balls) {
    sc_scale(-random_between(rng, 0.5, 2), c->n, c->arm1),
        sc_scale(random_between(rng, 0.5, 2), c->n, c->arm2);
  } else {
    random_vector(rng, 1, c->arm1), random_vector(rng, 1, c->arm2);
  }
  if (k->friction)
    c->mu = at % 5 ? random_between(rng, 0.1, 0.8) : 0, c->ratio = random_between(rng, 0.2, 1.5);
  if (k->bounded && at % 3 == 0) c->mu = 0.5, c->bounded = true, c->bound = random_between(rng, 0.1, 0.4);
  if (k->offset) c->offset = random_between(rng, -0.2, 0.2);
  if (k->cell && at % 2) random_vector(rng, 2, c->shift);
}

static void make_structure(sc_rng *rng, const kind *k, structure *s) {
  double sum[BODIES + 3][6];
  memset(s, 0, sizeof *s), memset(sum, 0, sizeof sum);
  s->k = *k;
  s->held[0] = s->held[1] = 1;
  for (int c = 0; c < CONTACTS; c++) {
    sc_truss_contact *at = s->contact + c;
    make_contact(rng, k, c, at);
    const double push = c % 4 ? random_between(rng, 0.2, 1) : 0,
                 most = at->bounded ? at->bound : at->mu * push, angle = random_between(rng, 0, 6),
                 share = push > 0 ? random_between(rng, 0, 0.9) : 0;
    sc_set3(push, share * most * cos(angle), share * most * sin(angle), s->given[c]);
    spread(at, s->given[c], sum);
  }
  for (int b = 0; b < BODIES; b++) {
    memcpy(s->load[b], sum[b], sizeof sum[b]);
    if (s->held[b]) s->load[b][0] = 1e9; // the load of a held body is ignored
    s->mass[b] = (sc_truss_mass){random_between(rng, 0.5, 2), {1, 0.1, 0.2, 1.5, -0.1, 2}};
  }
  for (int l = 0; l < 3; l++)
    for (int e = 0; e < 3; e++) {
      s->cell.moves[l][e] = (l + 2 * e) % 4 != 0;
      s->cell.load[l][e] = s->cell.moves[l][e] ? sum[BODIES + l][e] : 1e9;
    }
  s->truss = (sc_truss){.bodies = BODIES,
      .held = s->held,
      .load = (const double(*)[6])s->load,
      .contacts = CONTACTS,
      .contact = s->contact,
      .cell = k->cell ? &s->cell : NULL,
      .mass = k->mass ? s->mass : NULL,
      .exponent = k->exponent,
      .tolerance = 1e-11,
      .iterations = 300};
}

/* Computes the compressions of a member in the frame of its normal: minus the displacement of body i relative
 * to j. */
static void compress(
    const structure *s, const sc_truss_contact *at, const double u[BODIES + 3][6], double c[3]) {
  double d[3], turn[3], t[3], o[3];
  sc_sub(u[at->i], u[at->j], d);
  sc_cross(u[at->i] + 3, at->arm1, turn), sc_add(d, turn, d);
  sc_cross(u[at->j] + 3, at->arm2, turn), sc_sub(d, turn, d);
  for (int l = 0; l < 3 && s->k.cell; l++) sc_axpy(-at->shift[l], u[BODIES + l], d, d);
  sc_frame(at->n, t, o);
  sc_set3(-at->offset - sc_dot(d, at->n), -sc_dot(d, t), -sc_dot(d, o), c);
}

/* Fails unless f is the force of a member with the compressions c. With a friction cone f is the point of the
 * cone nearest to the elastic force. The difference of the elastic force and f must lie in the polar cone,
 * perpendicular to f. */
static void check_member(const structure *s, const sc_truss_contact *at, double stiffness, const double c[3],
    const double f[3], double within) {
  const double push = stiffness * pow(fmax(0, c[0]), s->k.exponent - 1), kt = stiffness * at->ratio,
               size = hypot(f[1], f[2]), elastic = kt * hypot(c[1], c[2]);
  if (!(at->mu > 0) || at->bounded) near(f[0], push, within);
  if (!(at->mu > 0)) {
    assert_true(size == 0);
  } else if (at->bounded) {
    near(size, fmin(elastic, at->bound), within);
    near(f[1] * hypot(c[1], c[2]), size * c[1], within), near(f[2] * hypot(c[1], c[2]), size * c[2], within);
  } else {
    const double left[3] = {c[0] - f[0] / stiffness, c[1] - f[1] / kt, c[2] - f[2] / kt};
    assert_true(f[0] >= 0 && size <= at->mu * f[0] + within);
    assert_true(left[0] + at->mu * hypot(left[1], left[2]) <= within);
    near(sc_dot(left, f), 0, within);
  }
}

/* Fails unless forces balance loads (with mass: loads and M u). */
static void check_balance(const structure *s, const double f[CONTACTS][3], const double u[BODIES + 3][6]) {
  double sum[BODIES + 3][6];
  memset(sum, 0, sizeof sum);
  for (int c = 0; c < CONTACTS; c++) spread(s->contact + c, f[c], sum);
  for (int b = 0; b < BODIES; b++) {
    double wanted[6];
    memcpy(wanted, s->load[b], sizeof wanted);
    const double *I = s->mass[b].inertia, *w = u[b] + 3;
    if (s->k.mass) {
      sc_axpy(s->mass[b].mass, u[b], wanted, wanted);
      wanted[3] += I[0] * w[0] + I[1] * w[1] + I[2] * w[2];
      wanted[4] += I[1] * w[0] + I[3] * w[1] + I[4] * w[2];
      wanted[5] += I[2] * w[0] + I[4] * w[1] + I[5] * w[2];
    }
    for (int e = 0; e < 6; e++) {
      if (s->held[b]) assert_true(u[b][e] == 0);
      else near(sum[b][e], wanted[e], 1e-9);
    }
  }
  for (int l = 0; l < 3 && s->k.cell; l++)
    for (int e = 0; e < 3; e++) {
      if (s->cell.moves[l][e]) near(sum[BODIES + l][e], s->cell.load[l][e], 1e-8);
      else assert_true(u[BODIES + l][e] == 0);
    }
}

static void forces_follow_from_displacements(void **unused) {
  (void)unused;
  static const kind kinds[] = {{.exponent = 2}, {.exponent = 2, .balls = true}, {.exponent = 2.5},
      {.exponent = 3}, {.exponent = 2.2}, {.exponent = 2, .offset = true},
      {.exponent = 2.5, .offset = true, .balls = true}, {.exponent = 2, .friction = true},
      {.exponent = 2, .friction = true, .balls = true}, {.exponent = 2, .friction = true, .bounded = true},
      {.exponent = 2, .cell = true}, {.exponent = 2.5, .cell = true, .balls = true},
      {.exponent = 2, .cell = true, .friction = true, .bounded = true},
      {.exponent = 2, .mass = true, .offset = true}, {.exponent = 2.5, .mass = true, .offset = true},
      {.exponent = 2, .mass = true, .friction = true}};
  sc_rng rng;
  sc_rng_seed(&rng, 12);
  int idle = 0, pushing = 0, sliding = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int round = 0; round < 4; round++) {
      static structure s;
      sc_arena arena = {0};
      sc_truss_report report;
      scree_error error = {0};
      double f[CONTACTS][3], u[BODIES + 3][6] = {{0}};
      make_structure(&rng, kinds + k, &s);
      if (sc_truss_solve(&s.truss, &arena, f, u, &report, &error)) fail_msg("kind %zu: %s", k, error.text);
      assert_true(report.residual <= 1e-10 && report.iterations > 0 && report.cg_iterations > 0);
      check_balance(&s, (const double(*)[3])f, (const double(*)[6])u);
      for (int c = 0; c < CONTACTS; c++) {
        double x[3];
        compress(&s, s.contact + c, (const double(*)[6])u, x);
        check_member(&s, s.contact + c, s.contact[c].stiffness, x, f[c], 1e-8);
        idle += f[c][0] == 0, pushing += f[c][0] > 0;
        sliding += f[c][0] > 0 && s.contact[c].mu > 0 && !s.contact[c].bounded &&
            hypot(f[c][1], f[c][2]) > 0.999 * s.contact[c].mu * f[c][0];
      }
      sc_arena_free(&arena);
    }
  assert_true(idle > 100 && pushing > 500 && sliding > 20);
}

/* Tests the one-step variant. Impulses are those of contacts with the stiffness k * rigidity * (mean
 * mass/mean k). For exponents other than 2 the unit of velocities is the largest free speed. */
static void impulses_follow_from_velocities(void **unused) {
  (void)unused;
  sc_rng rng;
  sc_rng_seed(&rng, 13);
  for (int round = 0; round < 6; round++) {
    static structure s;
    sc_arena arena = {0};
    sc_truss_report report;
    scree_error error = {0};
    double f[CONTACTS][3], v[BODIES + 3][6] = {{0}}, mass = 0, stiffness = 0, fastest = 0;
    make_structure(&rng, &(kind){.exponent = round % 2 ? 2.5 : 2, .mass = true, .offset = true}, &s);
    for (int b = 2; b < BODIES; b++) {
      mass += s.mass[b].mass / (BODIES - 2);
      fastest = fmax(fastest, sc_norm(s.load[b]) / s.mass[b].mass);
    }
    for (int c = 0; c < CONTACTS; c++) stiffness += s.contact[c].stiffness / CONTACTS;
    const double rigidity = round < 2 ? 30
        : round < 4                   ? 100
                                      : 3000,
                 p = s.k.exponent, unit = mass / stiffness * pow(fastest, 2 - p) * pow(rigidity, p - 1);
    if (solve_one_step(&s.truss, rigidity, &arena, f, v, &report, &error)) fail_msg("%s", error.text);
    check_balance(&s, (const double(*)[3])f, (const double(*)[6])v);
    for (int c = 0; c < CONTACTS; c++) {
      double x[3];
      compress(&s, s.contact + c, (const double(*)[6])v, x);
      check_member(&s, s.contact + c, unit * s.contact[c].stiffness, x, f[c], 1e-6);
    }
    sc_arena_free(&arena);
  }
}

/* ---- cost ---- */

static void the_preconditioner_is_exact(void **unused) {
  (void)unused;
  static const kind kinds[] = {{.exponent = 2, .islands = true},
      {.exponent = 2, .islands = true, .balls = true}, {.exponent = 2.5, .islands = true},
      {.exponent = 2, .islands = true, .friction = true, .bounded = true},
      {.exponent = 2, .islands = true, .mass = true, .friction = true}};
  sc_rng rng;
  sc_rng_seed(&rng, 14);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int round = 0; round < 5; round++) {
      static structure s;
      sc_arena arena = {0};
      sc_truss_report report;
      double f[CONTACTS][3];
      make_structure(&rng, kinds + k, &s);
      assert_int_equal(sc_truss_solve(&s.truss, &arena, f, NULL, &report, NULL), SCREE_OK);
      assert_true(report.iterations <= (kinds[k].exponent > 2 || kinds[k].bounded ? 11 : 8));
      assert_true(report.cg_iterations <= report.iterations + 1);
      sc_arena_free(&arena);
    }
}

/* ---- derivatives ---- */

static void tangents_are_derivatives(void **unused) {
  (void)unused;
  static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  sc_rng rng;
  sc_rng_seed(&rng, 15);
  for (int round = 0; round < 3000; round++) {
    const bool friction = round % 3 > 0, bounded = round % 3 == 2;
    const double exponent = friction ? 2 : (const double[]){2, 2.5, 3.5}[round / 3 % 3],
                 smooth = friction && !bounded ? 0
        : round % 4                            ? 0
                                               : 0.1,
                 h = 1e-6;
    const sc_member m = {.rows = friction ? 3 : 1,
        .mu = friction ? 0.4 : 0,
        .kn = random_between(&rng, 0.5, 2),
        .kt = random_between(&rng, 0.5, 2),
        .bounded = bounded,
        .bound = 0.3};
    double c[3], f[3], D[6], low[3], high[3];
    random_vector(&rng, 0.5, c);
    sc_member_force(&m, exponent, smooth, c, f, D);
    if (smooth > 0) { // (c + sqrt(c^2 + e^2))/2 in place of c
      const double round_c = (c[0] + sqrt(c[0] * c[0] + smooth * smooth)) / 2;
      near(f[0], m.kn * pow(round_c, exponent - 1), 1e-12);
    }
    for (int e = 0; e < m.rows; e++) {
      double back[3], ahead[3];
      sc_copy3(c, back), sc_copy3(c, ahead);
      back[e] -= h, ahead[e] += h;
      sc_member_force(&m, exponent, smooth, back, low, NULL);
      sc_member_force(&m, exponent, smooth, ahead, high, NULL);
      for (int r = 0; r < m.rows; r++) {
        const double slope = (high[r] - low[r]) / (2 * h), one = (high[r] - f[r]) / h,
                     two = (f[r] - low[r]) / h;
        if (fabs(one - two) > 1e-3) continue; // a corner of the law
        near(D[at[r][e]], slope, 2e-3);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forces_follow_from_displacements),
      cmocka_unit_test(impulses_follow_from_velocities), cmocka_unit_test(the_preconditioner_is_exact),
      cmocka_unit_test(tangents_are_derivatives)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
