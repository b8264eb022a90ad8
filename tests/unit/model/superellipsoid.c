/* Superellipsoids: mass properties against integrals over sections, the support function against points of
 * the surface, and contacts against those of ellipsoids. The normal of a contact is the direction of largest
 * separation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "collide/collide.h"
#include "collide/narrow/convex/convex.h"
#include "model/mass.h"
#include "model/shape/kind.h"

static sc_rng rng;
static double between(double low, double high) { return low + (high - low) * sc_rng_unit(&rng); }

static sc_shape make(int type, double a, double b, double c, double e1, double e2) {
  sc_shape s = {.type = type, .extent = {a, b, c}, .orientation = {1, 0, 0, 0}, .own = {e1, e2}};
  s.bound = sc_shape_bound(&s);
  return s;
}
static sc_shape any(void) {
  return make(SCREE_SUPERELLIPSOID, between(0.3, 2), between(0.3, 2), between(0.3, 2), between(0.2, 1.8),
      between(0.2, 1.8));
}

static double implicit(const sc_shape *s, const double x[3]) {
  double u = pow(fabs(x[0]) / s->extent[0], 2 / s->own[1]) + pow(fabs(x[1]) / s->extent[1], 2 / s->own[1]);
  return pow(u, s->own[1] / s->own[0]) + pow(fabs(x[2]) / s->extent[2], 2 / s->own[0]);
}

static void random_unit(double n[3]) {
  do
    for (int k = 0; k < 3; k++) n[k] = between(-1, 1);
  while (!(sc_dot(n, n) > 0.01 && sc_dot(n, n) < 1));
  sc_normalise(n, n);
}

/* Returns the integral over (0, 1) of z^m (1 - z^(2/e1))^(k e1/2) by the midpoint rule. */
static double section(double e1, int m, int k) {
  enum { N = 200000 };
  double sum = 0;
  for (int i = 0; i < N; i++) {
    double z = (i + 0.5) / N;
    sum += pow(z, m) * pow(1 - pow(z, 2 / e1), k * e1 / 2);
  }
  return sum / N;
}

static void mass_is_that_of_its_sections(void **state) {
  (void)state;
  sc_rng_seed(&rng, 1);
  for (int i = 0; i < 12; i++) {
    sc_shape s = any();
    double e1 = s.own[0] = fmax(s.own[0], 0.5), p = 2 / s.own[1], mass, centre[3], inertia[6];
    double a = s.extent[0], b = s.extent[1], c = s.extent[2];
    // area and second moment of the section with half axes 1, by Dirichlet's integral
    double area = 4 * tgamma(1 / p) * tgamma(1 / p) / (p * p * tgamma(2 / p + 1)),
           second = 4 * tgamma(3 / p) * tgamma(1 / p) / (p * p * tgamma(4 / p + 1));
    double volume = 2 * a * b * c * area * section(e1, 0, 2),
           across = 2 * a * b * c * second * section(e1, 0, 4),
           along = 2 * a * b * c * c * c * area * section(e1, 2, 2);
    assert_int_equal(sc_shape_mass(&s, 3, &mass, centre, inertia), 1);
    assert_true(fabs(mass / (3 * volume) - 1) < 1e-6);
    assert_true(fabs(inertia[0] / (3 * (b * b * across + along)) - 1) < 1e-6);
    assert_true(fabs(inertia[3] / (3 * (a * a * across + along)) - 1) < 1e-6);
    assert_true(fabs(inertia[5] / (3 * (a * a + b * b) * across) - 1) < 1e-6);
  }
}

static void exponents_of_one_are_an_ellipsoid(void **state) {
  (void)state;
  sc_shape s = make(SCREE_SUPERELLIPSOID, 0.5, 1, 2, 1, 1), e = make(SCREE_ELLIPSOID, 0.5, 1, 2, 0, 0);
  double mass[2], centre[3], inertia[2][6];
  sc_shape_mass(&s, 7, mass, centre, inertia[0]);
  sc_shape_mass(&e, 7, mass + 1, centre, inertia[1]);
  assert_true(fabs(mass[0] / mass[1] - 1) < 1e-13 && fabs(s.bound / e.bound - 1) < 1e-13);
  for (int k = 0; k < 6; k++) assert_true(fabs(inertia[0][k] - inertia[1][k]) < 1e-13 * mass[1]);
  sc_rng_seed(&rng, 2);
  int touching = 0;
  for (int i = 0; i < 3000; i++) {
    double q[2][4], x[2][3] = {{0, 0, 0}, {between(-3, 3), between(-3, 3), between(-3, 3)}};
    sc_placed p[2], r[2];
    sc_touch t, u;
    for (int k = 0; k < 2; k++) {
      for (int m = 0; m < 4; m++) q[k][m] = between(-1, 1);
      sc_quat_normalise(q[k], q[k]);
      sc_place(&s, x[k], q[k], p + k), sc_place(&e, x[k], q[k], r + k);
    }
    sc_touch all[2][SC_MAX_TOUCHES];
    int count = sc_narrow(p, p + 1, 1, all[0]);
    assert_int_equal(count, sc_narrow(r, r + 1, 1, all[1]));
    if (!count || all[1][0].gap < -0.3) continue;
    t = all[0][0], u = all[1][0];
    assert_true(fabs(t.gap - u.gap) < 1e-9 && sc_dot(t.normal, u.normal) > 1 - 1e-9);
    touching++;
  }
  assert_true(touching > 500);
}

/* The support point lies on the surface, and no other surface point is further in its direction. */
static void support_is_the_furthest_point(void **state) {
  (void)state;
  sc_rng_seed(&rng, 3);
  for (int i = 0; i < 60; i++) {
    sc_shape s = any();
    double d[3], x[3], far = 0;
    random_unit(d);
    sc_kind_of(&s)->support(&s, d, x);
    assert_true(fabs(implicit(&s, x) - 1) < 1e-10);
    for (int k = 0; k < 4000; k++) {
      double n[3], y[3];
      random_unit(n);
      double out = pow(implicit(&s, n), -s.own[0] / 2);
      sc_scale(out, n, y);
      assert_true(sc_dot(y, d) <= sc_dot(x, d) * (1 + 1e-12) && sc_norm(y) <= s.bound);
      far = fmax(far, sc_norm(y));
    }
    assert_true(far > 0.9 * s.bound);
  }
}

static void bend_is_the_slope_of_the_support(void **state) {
  (void)state;
  sc_rng_seed(&rng, 4);
  for (int i = 0; i < 500; i++) {
    sc_shape s = any();
    double d[3], u[3], v[3], low[3], high[3], h = 1e-5;
    random_unit(d), random_unit(u), random_unit(v);
    // skip directions close to a coordinate plane, where curvatures tend to 0 or infinity
    if (fabs(d[0]) < 0.1 || fabs(d[1]) < 0.1 || fabs(d[2]) < 0.1) continue;
    double plus[3], minus[3];
    sc_axpy(h, v, d, plus), sc_axpy(-h, v, d, minus);
    sc_kind_of(&s)->support(&s, plus, high), sc_kind_of(&s)->support(&s, minus, low);
    sc_sub(high, low, high);
    double slope = sc_dot(high, u) / (2 * h), bend = sc_kind_of(&s)->bend(&s, 0, d, u, v);
    assert_true(fabs(slope - bend) < 1e-5 * (1 + fabs(bend)));
  }
}

/* Returns the separation of two placed shapes along a unit normal n from b to a; negative: overlap. */
static double apart(const sc_placed *a, const sc_placed *b, const double n[3]) {
  double back[3] = {-n[0], -n[1], -n[2]}, d[3], x[3], y[3];
  sc_mat_tvec(a->R, back, d), sc_kind_of(a->shape)->support(a->shape, d, x);
  sc_mat_vec(a->R, x, x), sc_add(x, a->position, x);
  sc_mat_tvec(b->R, n, d), sc_kind_of(b->shape)->support(b->shape, d, y);
  sc_mat_vec(b->R, y, y), sc_add(y, b->position, y);
  sc_sub(x, y, x);
  return sc_dot(x, n);
}

/* The gap of a contact is the separation along its normal, and no other direction has a larger separation. */
static void contacts_have_the_best_normal(void **state) {
  (void)state;
  sc_rng_seed(&rng, 5);
  int near = 0, deep = 0;
  for (int i = 0; i < 400; i++) {
    sc_shape s[2] = {any(), any()};
    sc_placed p[2];
    sc_touch t[SC_MAX_TOUCHES];
    for (int k = 0; k < 2; k++) {
      double q[4], x[3] = {k * between(-2, 2), k * between(-2, 2), k * between(-2, 2)};
      for (int m = 0; m < 4; m++) q[m] = between(-1, 1);
      sc_quat_normalise(q, q);
      sc_place(s + k, x, q, p + k);
    }
    int count = sc_narrow(p, p + 1, 0.3, t);
    if (!count || t[0].gap < -0.2) continue;
    double along = apart(p, p + 1, t[0].normal), size = s[0].bound + s[1].bound;
    assert_true(fabs(along - t[0].gap) < 1e-7 * size);
    for (int k = 0; k < 3000; k++) {
      double n[3];
      random_unit(n);
      if (k % 2) sc_axpy(20, t[0].normal, n, n), sc_normalise(n, n);
      assert_true(apart(p, p + 1, n) < along + 1e-4 * size);
    }
    near += t[0].gap > 0, deep += t[0].gap < 0;
  }
  assert_true(near > 20 && deep > 20);
}

/* All radii of curvature of the surface are larger than the radius of the ball that rolls inside. */
static void a_ball_rolls_inside(void **state) {
  (void)state;
  sc_rng_seed(&rng, 6);
  for (int i = 0; i < 200; i++) {
    sc_shape s = any();
    s.own[0] = between(0.2, 1), s.own[1] = between(0.2, 1);
    const double radius = sc_kind_of(&s)->rolls(&s);
    assert_true(radius > 0);
    for (int k = 0; k < 500; k++) {
      double n[3], t[3], o[3];
      random_unit(n);
      sc_frame(n, t, o);
      double a = sc_kind_of(&s)->bend(&s, 0, n, t, t), b = sc_kind_of(&s)->bend(&s, 0, n, t, o),
             c = sc_kind_of(&s)->bend(&s, 0, n, o, o), half = (a - c) / 2;
      assert_true((a + c) / 2 - sqrt(half * half + b * b) > radius);
    }
  }
  sc_shape edged = make(SCREE_SUPERELLIPSOID, 1, 1, 1, 0.5, 1.5);
  assert_true(sc_kind_of(&edged)->rolls(&edged) == 0);
}

/* Newton's method from the initial guess, without a GJK search, converges for nearly all pairs that almost
 * touch. Its distance equals that of the search. */
static void smooth_pairs_need_no_search(void **state) {
  (void)state;
  sc_rng_seed(&rng, 7);
  int pairs = 0, answers = 0;
  for (int i = 0; i < 1000; i++) {
    const double origin[3] = {0, 0, 0};
    sc_placed p[2];
    sc_convex c[2];
    sc_nearest found, whole;
    sc_simplex simplex;
    sc_shape s[2];
    for (int k = 0; k < 2; k++) {
      double q[4], x[3] = {k * between(-2, 2), k * between(-2, 2), k * between(-2, 2)};
      s[k] = make(SCREE_SUPERELLIPSOID, between(0.5, 1), between(0.5, 1), between(0.5, 1), between(0.6, 1.4),
          between(0.6, 1.4));
      for (int m = 0; m < 4; m++) q[m] = between(-1, 1);
      sc_quat_normalise(q, q);
      sc_place(s + k, x, q, p + k), sc_convex_of(p + k, origin, c + k);
    }
    if (!sc_gjk(c, c + 1, 0.2, false, &simplex, &whole) || whole.distance == INFINITY) continue;
    pairs++;
    if (!sc_convex_smooth(c, c + 1, 0.2, &found)) continue;
    answers++;
    assert_true(fabs(found.distance - whole.distance) < 1e-7 && found.distance <= whole.distance + 1e-9);
    assert_true(sc_convex_smooth(c, c + 1, found.distance / 2, &whole) && whole.distance == INFINITY);
  }
  assert_true(pairs > 50 && answers > 0.9 * pairs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mass_is_that_of_its_sections),
      cmocka_unit_test(exponents_of_one_are_an_ellipsoid),
      cmocka_unit_test(support_is_the_furthest_point),
      cmocka_unit_test(bend_is_the_slope_of_the_support),
      cmocka_unit_test(contacts_have_the_best_normal),
      cmocka_unit_test(a_ball_rolls_inside),
      cmocka_unit_test(smooth_pairs_need_no_search),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
