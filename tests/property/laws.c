/* Random single-contact problems: what every law promises, for every kind of difficulty
 * (law_problems.h).
 *
 * The number of problems per law and family is LAW_PROBLEMS, or what the environment variable
 * SCREE_LAW_PROBLEMS says. Tolerances are relative to the size of the terms in A x - b and grow with the
 * condition of A, as rounding does. */
#include "law_support.h"
#include "law_problems.h"

#include <stdlib.h>

#ifndef LAW_PROBLEMS
#define LAW_PROBLEMS 1250
#endif

static int problems(void) {
  const char *text = getenv("SCREE_LAW_PROBLEMS");
  return text && atoi(text) > 0 ? atoi(text) : LAW_PROBLEMS;
}

static void report(const char *what, const char *law, int family, const law_problem *p, double error) {
  const double *A = p->A;
  fail_msg("%s: %s, %s: %.3g for A = (%.17g, %.17g, %.17g, %.17g, %.17g, %.17g), b = (%.17g, %.17g, %.17g), "
           "mu = %.17g, condition %.2g",
      law, family_names[family], what, error, A[0], A[1], A[2], A[4], A[5], A[8], p->b[0], p->b[1], p->b[2],
      p->mu, p->condition);
}

/* Rounding grows with the condition of A, but never needs more than this. */
static double allowance(const law_problem *p) { return 1e-12 * fmax(1, 0.1 * sqrt(p->condition)); }

static const char *const exact[3] = {"coulomb", "max_dissipation", "cone"};

/* Each law's own conditions; no kinetic energy is made. */
static void test_conditions(void **state) {
  (void)state;
  for (int j = 0; j < 3; j++)
    for (int family = 0; family < FAMILIES; family++) {
      sc_rng rng;
      sc_rng_seed(&rng, 11 + family);
      for (int i = 0; i < problems(); i++) {
        law_problem p = random_problem(&rng, family);
        law_call call = call_law(exact[j], p.mu);
        double x[3];
        solve_law(&call, p.A, p.b, x);
        double error = violation(exact[j], p.A, p.b, p.mu, x), energy = sc_energy3(p.A, p.b, x);
        if (!(error <= allowance(&p))) report("conditions broken by", exact[j], family, &p, error);
        if (!(energy <= 1e-15 * fabs(x[0] * p.b[0]))) report("energy made", exact[j], family, &p, energy);
      }
    }
}

/* cone <= max_dissipation <= every Coulomb solution, in energy; all Coulomb solutions hold and come in
 * order. */
static void test_order(void **state) {
  (void)state;
  int several = 0;
  for (int family = 0; family < FAMILIES; family++) {
    sc_rng rng;
    sc_rng_seed(&rng, 23 + family);
    for (int i = 0; i < problems(); i++) {
      law_problem p = random_problem(&rng, family);
      law_call coulomb = call_law("coulomb", p.mu), best = call_law("max_dissipation", p.mu),
               relaxed = call_law("cone", p.mu);
      double x[3], all[3 * SCREE_LAW_MAX_SOLUTIONS], r[3];
      solve_law(&best, p.A, p.b, x);
      solve_law(&relaxed, p.A, p.b, r);
      double least = sc_energy3(p.A, p.b, x), free = sc_energy3(p.A, p.b, r),
             slack = (1e-11 + 1e-15 * p.condition) * (fabs(least) + fabs(free));
      if (!(free <= least + slack)) report("cone above max_dissipation by", "cone", family, &p, free - least);
      int count = coulomb.law->solutions(coulomb.law, 3, p.A, p.b, coulomb.par, all);
      several += count > 1;
      double last = -INFINITY;
      for (int k = 0; k < count; k++) {
        double energy = sc_energy3(p.A, p.b, all + 3 * k),
               error = violation("coulomb", p.A, p.b, p.mu, all + 3 * k);
        if (!(error <= 10 * allowance(&p)))
          report("solution breaks its conditions by", "coulomb", family, &p, error);
        if (!(least <= energy + slack))
          report("max_dissipation above coulomb by", "max_dissipation", family, &p, least - energy);
        if (!(energy >= last - slack))
          report("solutions out of order by", "coulomb", family, &p, last - energy);
        last = energy;
      }
      // the engine's answer is the first of them
      solve_law(&coulomb, p.A, p.b, r);
      double gap = sc_energy3(p.A, p.b, r) - sc_energy3(p.A, p.b, all);
      if (!(fabs(gap) <= (1e-7 + 1e-15 * p.condition) * fabs(sc_energy3(p.A, p.b, all))))
        report("not the solution of least energy, by", "coulomb", family, &p, gap);
    }
  }
  assert_true(several > 0);
}

/* x(s b) = s x(b): exactly for powers of two, to rounding otherwise. */
static void test_scaling(void **state) {
  (void)state;
  static const char *const laws[5] = {"coulomb", "max_dissipation", "cone", "polyhedral", "decoupled"};
  for (int j = 0; j < 5; j++)
    for (int family = 0; family < FAMILIES; family++) {
      sc_rng rng;
      sc_rng_seed(&rng, 37 + family);
      for (int i = 0; i < problems() / 4 + 1; i++) {
        law_problem p = random_problem(&rng, family);
        law_call call = call_law(laws[j], p.mu);
        double x[3], y[3], b[3];
        solve_law(&call, p.A, p.b, x);
        for (int k = 0; k < 3; k++) b[k] = ldexp(p.b[k], 7);
        solve_law(&call, p.A, b, y);
        for (int k = 0; k < 3; k++)
          if (y[k] != ldexp(x[k], 7))
            report("scaling by 2^7 changes", laws[j], family, &p, y[k] - ldexp(x[k], 7));
        // far outside the tame range
        for (int k = 0; k < 3; k++) b[k] = ldexp(p.b[k], 500);
        solve_law(&call, p.A, b, y);
        for (int k = 0; k < 3; k++)
          if (!(fabs(ldexp(y[k], -500) - x[k]) <= 1e-9 * (fabs(x[0]) + fabs(x[1]) + fabs(x[2]))))
            report("scaling by 2^500 changes", laws[j], family, &p, x[k]);
      }
    }
}

/* Turning the tangents turns the answer: it keeps its energy and fulfils the conditions of the unturned
 * problem. */
static void test_rotation(void **state) {
  (void)state;
  for (int j = 0; j < 3; j++)
    for (int family = 0; family < FAMILIES; family++) {
      sc_rng rng;
      sc_rng_seed(&rng, 41 + family);
      for (int i = 0; i < problems() / 2 + 1; i++) {
        law_problem p = random_problem(&rng, family);
        double angle = between(&rng, 0, 6.2), c = cos(angle), s = sin(angle), A[9], b[3], x[3], y[3], back[3];
        const double R[9] = {1, 0, 0, 0, c, s, 0, -s, c};
        for (int r = 0; r < 3; r++) {
          b[r] = R[3 * r] * p.b[0] + R[3 * r + 1] * p.b[1] + R[3 * r + 2] * p.b[2];
          for (int q = 0; q < 3; q++) {
            A[3 * r + q] = 0;
            for (int k = 0; k < 3; k++)
              for (int m = 0; m < 3; m++) A[3 * r + q] += R[3 * r + k] * p.A[3 * k + m] * R[3 * q + m];
          }
        }
        A[3] = A[1];
        A[6] = A[2];
        A[7] = A[5];
        law_call call = call_law(exact[j], p.mu);
        solve_law(&call, p.A, p.b, x);
        solve_law(&call, A, b, y);
        back[0] = y[0];
        back[1] = c * y[1] - s * y[2];
        back[2] = s * y[1] + c * y[2];
        double error = violation(exact[j], p.A, p.b, p.mu, back),
               change = sc_energy3(p.A, p.b, x) - sc_energy3(p.A, p.b, back);
        if (!(error <= 10 * allowance(&p)))
          report("turned answer breaks the conditions by", exact[j], family, &p, error);
        if (!(fabs(change) <=
                (1e-8 + 1e-12 * p.condition) * fmax(fabs(sc_energy3(p.A, p.b, x)), fabs(x[0] * p.b[0]))))
          report("turning changes the energy by", exact[j], family, &p, change);
      }
    }
}

/* Without coupling to the normal both laws agree; for a ball they are the closed form. */
static void test_uncoupled(void **state) {
  (void)state;
  static const char *const ball_laws[3] = {"coulomb", "max_dissipation", "decoupled"};
  sc_rng rng;
  sc_rng_seed(&rng, 5);
  for (int i = 0; i < 2 * problems(); i++) {
    law_problem p = random_problem(&rng, FAMILY_UNCOUPLED);
    law_call coulomb = call_law("coulomb", p.mu), best = call_law("max_dissipation", p.mu);
    double x[3], y[3];
    solve_law(&coulomb, p.A, p.b, x);
    solve_law(&best, p.A, p.b, y);
    for (int k = 0; k < 3; k++)
      if (!(fabs(x[k] - y[k]) <= 1e-13 * (fabs(x[0]) + fabs(x[1]) + fabs(x[2]))))
        report("laws differ by", "both", FAMILY_UNCOUPLED, &p, x[k] - y[k]);
    if (p.A[5] != 0 || p.A[4] != p.A[8]) continue;
    double xn = fmax(0, p.b[0] / p.A[0]), slide = length2(p.b[1], p.b[2]),
           cut = fmin(1 / p.A[4], p.mu * xn / slide);
    const double want[3] = {xn, p.b[1] * cut, p.b[2] * cut};
    for (int j = 0; j < 3; j++) {
      law_call call = call_law(ball_laws[j], p.mu);
      double mu = -1;
      assert_true(call.law->ball_mu && call.law->ball_mu(call.par, &mu) && mu == p.mu);
      solve_law(&call, p.A, p.b, x);
      for (int k = 0; k < 3; k++)
        if (!(fabs(x[k] - want[k]) <= 4e-15 * (xn + slide * cut)))
          report("differs from the closed form by", ball_laws[j], FAMILY_UNCOUPLED, &p, x[k] - want[k]);
    }
  }
}

/* Least energy on the conic by dense sampling of the direction, refined by golden section. */
static double sampled(const law_problem *p, bool plane) {
  double best = 0, at = 0;
  const double golden = 0.6180339887498949;
  int n = 400;
  for (int pass = 0; pass < 2; pass++) {
    double lo = pass ? at - 6.3 / n : 0, hi = pass ? at + 6.3 / n : 6.283185307179586;
    int steps = pass ? 60 : n;
    double a = hi - golden * (hi - lo), b = lo + golden * (hi - lo), found[2] = {0};
    for (int i = 0; i < steps; i++) {
      double angle[2] = {pass ? a : lo + (hi - lo) * i / n, b};
      for (int k = 0; k <= pass; k++) {
        double w[3] = {1, p->mu * cos(angle[k]), p->mu * sin(angle[k])}, Aw[3];
        for (int r = 0; r < 3; r++)
          Aw[r] = p->A[3 * r] * w[0] + p->A[3 * r + 1] * w[1] + p->A[3 * r + 2] * w[2];
        double force = p->b[0] * w[0] + p->b[1] * w[1] + p->b[2] * w[2],
               cost = w[0] * Aw[0] + w[1] * Aw[1] + w[2] * Aw[2];
        double s = plane ? (Aw[0] > 0 ? p->b[0] / Aw[0] : 0) : fmax(0, force / cost);
        found[k] = s * s * cost / 2 - s * force;
        if (found[k] < best) {
          best = found[k];
          at = angle[k];
        }
      }
      if (pass) {
        if (found[0] < found[1]) hi = b;
        else lo = a;
        a = hi - golden * (hi - lo);
        b = lo + golden * (hi - lo);
      }
    }
  }
  return best;
}

static void test_brute_force(void **state) {
  (void)state;
  static const int families[4] = {FAMILY_PLAIN, FAMILY_BODY, FAMILY_ROUGH, FAMILY_SCALES};
  for (int j = 0; j < 4; j++) {
    sc_rng rng;
    sc_rng_seed(&rng, 61 + j);
    for (int i = 0; i < problems() / 10 + 1; i++) {
      law_problem p = random_problem(&rng, families[j]);
      law_call best = call_law("max_dissipation", p.mu), relaxed = call_law("cone", p.mu);
      double x[3], size;
      bool sticks = solve_law(&best, p.A, p.b, x) == SCREE_STICKING;
      double energy = sc_energy3(p.A, p.b, x), other = p.b[0] > 0 ? sampled(&p, true) : 0;
      size = 1e-9 * (fabs(energy) + fabs(other));
      if (!(energy <= other + size))
        report("sampling does better by", "max_dissipation", families[j], &p, energy - other);
      if (!sticks && families[j] != FAMILY_ROUGH && !(energy >= other - 1e3 * size))
        report("sampling does worse by", "max_dissipation", families[j], &p, other - energy);
      sticks = solve_law(&relaxed, p.A, p.b, x) == SCREE_STICKING;
      energy = sc_energy3(p.A, p.b, x);
      other = sampled(&p, false);
      size = 1e-9 * (fabs(energy) + fabs(other));
      if (!(energy <= other + size))
        report("sampling does better by", "cone", families[j], &p, energy - other);
      if (!sticks && !(energy >= other - 1e3 * size))
        report("sampling does worse by", "cone", families[j], &p, other - energy);
    }
  }
}

/* The paper's way, a quartic on the circle, as cross-check of the engine's secular equation and
 * hyperbola form. */
static void test_quartic(void **state) {
  (void)state;
  static const int families[3] = {FAMILY_PLAIN, FAMILY_BODY, FAMILY_ROUGH};
  for (int j = 0; j < 3; j++) {
    sc_rng rng;
    sc_rng_seed(&rng, 71 + j);
    for (int i = 0; i < problems(); i++) {
      law_problem p = random_problem(&rng, families[j]);
      law_call call = call_law("max_dissipation", p.mu);
      double x[3], u[8][2], best = 0, nn = p.A[0], nt = p.A[1], no = p.A[2], tt = p.A[4], to = p.A[5],
                            oo = p.A[8], bn = p.b[0], bt = p.b[1], bo = p.b[2], mu = p.mu;
      if (solve_law(&call, p.A, p.b, x) != SCREE_SLIDING) continue;
      const sc_circle h = {1.5 * mu * nn * (no * bt - nt * bo),
          mu * mu * ((nt * to - no * tt) * bn + nt * no * bt - nt * nt * bo) - nn * nn * bo + nn * no * bn,
          -mu * mu * ((no * to - nt * oo) * bn - no * no * bt + nt * no * bo) + nn * nn * bt - nn * nt * bn,
          mu * nn / 2 * (2 * to * bn - no * bt - nt * bo),
          -mu * nn / 2 * ((tt - oo) * bn - nt * bt + no * bo)};
      int count = sc_circle_roots(&h, u);
      for (int k = 0; k < count; k++) {
        sc_circle_polish(&h, u[k]);
        double f = nn + mu * (nt * u[k][0] + no * u[k][1]),
               y[3] = {bn / f, mu * bn / f * u[k][0], mu * bn / f * u[k][1]};
        if (f > 0) best = fmin(best, sc_energy3(p.A, p.b, y));
      }
      double energy = sc_energy3(p.A, p.b, x), size = 1e-8 * (fabs(energy) + fabs(best));
      if (!(energy <= best + size))
        report("the quartic does better by", "max_dissipation", families[j], &p, energy - best);
      if (families[j] != FAMILY_ROUGH && !(energy >= best - size))
        report("the quartic does worse by", "max_dissipation", families[j], &p, best - energy);
    }
  }
}

/* Polygon: the normal velocity rests, the impulse lies in the polygon, no point of it opposes the slip
 * more; many corners approach the circle. */
static void test_polyhedral(void **state) {
  (void)state;
  for (int family = 0; family < FAMILIES; family++) {
    sc_rng rng;
    sc_rng_seed(&rng, 83 + family);
    for (int i = 0; i < problems() / 2 + 1; i++) {
      law_problem p = random_problem(&rng, family);
      law_call call = call_law("polyhedral", p.mu);
      int k = 3 + (int)(sc_rng_next(&rng) % 10);
      double x[3], v[3], least = INFINITY, outside = 0;
      call.par[SC_PAR_DIRECTIONS] = k;
      scree_contact_state kind = solve_law(&call, p.A, p.b, x);
      double size = slip_of(p.A, p.b, x, v);
      if (x[0] == 0) {
        if (p.b[0] > 0) report("no impulse though the contact closes", "polyhedral", family, &p, p.b[0]);
        continue;
      }
      if (!(fabs(v[0]) <= allowance(&p) * size))
        report("normal velocity", "polyhedral", family, &p, v[0] / size);
      for (int d = 0; d < k; d++) {
        double angle = 2 * 3.14159265358979323846 * d / k, half = angle + 3.14159265358979323846 / k;
        least = fmin(least, p.mu * x[0] * (v[1] * cos(angle) + v[2] * sin(angle)));
        outside = fmax(
            outside, x[1] * cos(half) + x[2] * sin(half) - p.mu * x[0] * cos(3.14159265358979323846 / k));
      }
      double gain = x[1] * v[1] + x[2] * v[2] - least;
      if (!(outside <= 1e-11 * (fabs(x[1]) + fabs(x[2]))))
        report("outside the polygon by", "polyhedral", family, &p, outside);
      if (!(gain <= 10 * allowance(&p) * size * p.mu * x[0]))
        report("a corner opposes the slip more by", "polyhedral", family, &p, gain);
      if (kind == SCREE_STICKING && !(length2(v[1], v[2]) <= 10 * allowance(&p) * size))
        report("slips though sticking, by", "polyhedral", family, &p, v[1]);
    }
  }
}

/* Extreme but finite input: never NaN, whatever the block. */
static void test_never_nan(void **state) {
  (void)state;
  static const double extremes[] = {
      0, 5e-324, -5e-324, 1e-310, 1e-160, 1e-12, 1, 1e12, -1e12, 1e150, -1e300, 1e300};
  enum { COUNT = sizeof extremes / sizeof *extremes };
  sc_rng rng;
  sc_rng_seed(&rng, 97);
  for (int index = 0; sc_law_at(index); index++) {
    /* penalty laws: another problem */
    if (!strcmp(sc_law_at(index)->name, "hertz") || !strcmp(sc_law_at(index)->name, "hooke")) continue;
    law_call call = call_law(sc_law_at(index)->name, 0.5);
    for (int i = 0; i < problems(); i++) {
      double A[9], b[3], x[3];
      law_problem p = random_problem(&rng, i % FAMILIES);
      // SPD, scaled to extremes, in one problem out of two; else any symmetric matrix
      for (int k = 0; k < 9; k++)
        A[k] = i % 2 ? p.A[k] * (i % 4 == 1 ? 1e-200 : 1e200) : extremes[sc_rng_next(&rng) % COUNT];
      A[3] = A[1];
      A[6] = A[2];
      A[7] = A[5];
      for (int k = 0; k < 3; k++) b[k] = extremes[sc_rng_next(&rng) % COUNT];
      if (call.law->params_count) call.par[SC_PAR_MU] = i % 3 ? p.mu : i % 2 ? 0 : 1e6;
      solve_law(&call, A, b, x);
      for (int k = 0; k < 3; k++)
        if (isnan(x[k])) report("NaN", call.law->name, i % FAMILIES, &p, b[k]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_conditions),
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_scaling),
      cmocka_unit_test(test_rotation),
      cmocka_unit_test(test_uncoupled),
      cmocka_unit_test(test_brute_force),
      cmocka_unit_test(test_quartic),
      cmocka_unit_test(test_polyhedral),
      cmocka_unit_test(test_never_nan),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
