/* Lemke's algorithm: textbook problems, degenerate ones, rays, and the problems of Stewart & Trinkle
 * against an independent projected Gauss-Seidel iteration on polygons. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "problem/operator/lcp.h"
#include "random_problem.h"
#include "law/law_parts.h"
#include "solve/lemke/lemke.h"

static double complementarity_error(int n, const double *M, const double *q, const double *z) {
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double w = q[i];
    for (int j = 0; j < n; j++) w += M[i * n + j] * z[j];
    worst = fmax(worst, fabs(fmin(w, z[i])));
  }
  return worst;
}

/* Cottle, Pang & Stone's smallest kind of example, solved by hand: z = (4/3, 7/3). */
static void test_by_hand(void **state) {
  (void)state;
  sc_arena arena = {0};
  const double M[] = {2, 1, 1, 2}, q[] = {-5, -6};
  double z[2];
  assert_int_equal(sc_lemke(2, M, q, 100, &arena, z, NULL), SC_LEMKE_SOLVED);
  near(z[0], 4.0 / 3, 1e-15);
  near(z[1], 7.0 / 3, 1e-15);
  sc_arena_free(&arena);
}

static void test_nothing_to_do(void **state) {
  (void)state;
  sc_arena arena = {0};
  const double M[] = {1, 0, 0, 1}, q[] = {0, 2};
  double z[2] = {7, 7};
  int64_t pivots = -1;
  assert_int_equal(sc_lemke(2, M, q, 100, &arena, z, &pivots), SC_LEMKE_SOLVED);
  assert_true(z[0] == 0 && z[1] == 0 && pivots == 0);
  sc_arena_free(&arena);
}

static void follow(int n, const double *M, const double *q, const double *expected, int64_t pivots) {
  sc_arena arena = {0};
  int64_t count;
  double z[9];
  assert_int_equal(sc_lemke(n, M, q, 100, &arena, z, &count), SC_LEMKE_SOLVED);
  for (int i = 0; i < n; i++) near(z[i], expected[i], 1e-15);
  assert_int_equal(count, pivots);
  sc_arena_free(&arena);
}

/* Numbers of pivots. With M = E each w leaves once, and z0 leaves last, whether all ratios tie (q = -1) or
 * none (q = -1, .., -n). Where z0 ties with a w, z0 leaves. The lexicographic rule, in fractions, needs 4
 * pivots for the matrix of three rows; the largest pivots would need 3. */
static void test_paths(void **state) {
  (void)state;
  enum { N = 9, ATTEMPTS = 12 };
  static const double A[] = {2, 1, 1, 2}, a[] = {-5, -6}, B[] = {7, -3, -4, -3, 11, 6, -4, 6, 7},
                      b[] = {-3, -3, -3}, some[] = {-1, 0};
  double E[N * N] = {0}, tied[N], apart[N], one[N], rising[N], z[N];
  sc_arena arena = {0};
  int64_t pivots;
  follow(2, A, a, (const double[]){4.0 / 3, 7.0 / 3}, 3);
  follow(3, B, b, (const double[]){1, 0, 1}, 4);
  follow(2, (const double[]){1, 0, 0, 1}, some, (const double[]){1, 0}, 2);
  for (int i = 0; i < N; i++) {
    E[i * N + i] = one[i] = 1, tied[i] = -1;
    rising[i] = 1 + i, apart[i] = -1 - i;
  }
  follow(N, E, tied, one, N + 1);
  follow(N, E, apart, rising, N + 1);
  /* one pivot too few for each attempt */
  assert_int_equal(sc_lemke(N, E, tied, N, &arena, z, &pivots), SC_LEMKE_LIMIT);
  assert_int_equal(pivots, ATTEMPTS * N);
  assert_int_equal(sc_lemke(N, E, tied, N + 1, &arena, z, &pivots), SC_LEMKE_SOLVED);
  sc_arena_free(&arena);
}

/* w = -z - 1 has no solution: a ray, and z stays 0. */
static void test_ray(void **state) {
  (void)state;
  sc_arena arena = {0};
  const double M[] = {0}, q[] = {-1};
  double z[1] = {3};
  assert_int_equal(sc_lemke(1, M, q, 100, &arena, z, NULL), SC_LEMKE_RAY);
  assert_true(z[0] == 0);
  sc_arena_free(&arena);
}

static void test_limit(void **state) {
  (void)state;
  sc_arena arena = {0};
  const double M[] = {2, 1, 1, 2}, q[] = {-5, -6};
  double z[2];
  assert_int_equal(sc_lemke(2, M, q, 1, &arena, z, NULL), SC_LEMKE_LIMIT);
  sc_arena_free(&arena);
}

/* All right-hand sides equal: every ratio test is a tie. */
static void test_ties(void **state) {
  (void)state;
  enum { N = 24 };
  sc_arena arena = {0};
  sc_rng rng;
  sc_rng_seed(&rng, 4);
  for (int trial = 0; trial < 50; trial++) {
    double B[N * N], M[N * N], q[N], z[N];
    for (int i = 0; i < N * N; i++) B[i] = (double)(sc_rng_next(&rng) % 3) - 1;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        M[i * N + j] = i == j;
        for (int k = 0; k < N; k++) M[i * N + j] += B[i * N + k] * B[j * N + k];
      }
    for (int i = 0; i < N; i++) q[i] = -1;
    assert_int_equal(sc_lemke(N, M, q, 5000, &arena, z, NULL), SC_LEMKE_SOLVED);
    assert_true(complementarity_error(N, M, q, z) < 1e-11);
    sc_arena_reset(&arena);
  }
  sc_arena_free(&arena);
}

/* ---- the problems of contact ---- */

/* A random problem whose contacts have Coulomb's law with one mu. */
static sc_problem coulomb_problem(sc_rng *rng, int32_t bodies, int32_t contacts, double mu, sc_arena *arena) {
  static const sc_law *laws[1];
  double par[SC_PAR_COUNT];
  laws[0] = sc_law_find("coulomb");
  scree_param_defaults(sc_friction_params, SC_PAR_COUNT, par);
  par[SC_PAR_MU] = mu;
  return random_problem(rng, bodies, contacts, laws, par, SC_PAR_COUNT, arena);
}

/* Nearest point of the polygon size * conv(d_i) to (y0, y1): the point itself, or the best on an edge. */
static void project_polygon(const double (*d)[2], int k, double size, double y[2]) {
  double best = INFINITY, out[2] = {0, 0};
  bool inside = true;
  for (int i = 0; i < k; i++) {
    const double *a = d[i], *b = d[(i + 1) % k];
    double e[2] = {b[0] - a[0], b[1] - a[1]}, r[2] = {y[0] - size * a[0], y[1] - size * a[1]};
    if (e[0] * r[1] - e[1] * r[0] < 0) inside = false;
    double length = e[0] * e[0] + e[1] * e[1],
           s = size > 0 ? (e[0] * r[0] + e[1] * r[1]) / (length * size) : 0;
    s = fmin(1, fmax(0, s));
    double p[2] = {size * (a[0] + s * e[0]), size * (a[1] + s * e[1])}, gap = hypot(y[0] - p[0], y[1] - p[1]);
    if (gap < best) best = gap, out[0] = p[0], out[1] = p[1];
  }
  if (!inside) y[0] = out[0], y[1] = out[1];
}

/* Projected Gauss-Seidel on normals, polygons and boxes until nothing moves. Independent of lemke.c:
 * knows W and the items only. */
static void gauss_seidel(const sc_lcp *lcp, const sc_problem *problem, double *x) {
  int n = lcp->rows;
  memset(x, 0, (size_t)n * sizeof *x);
  for (int sweep = 0; sweep < 100000; sweep++) {
    double moved = 0;
    for (int i = 0; i < lcp->items; i++) {
      const sc_lcp_item *item = lcp->item + i;
      int r = item->base;
      double u[3] = {0}, old[3], *at = x + r;
      int count = item->kind == SC_LCP_CONTACT ? 3 : 1;
      for (int k = 0; k < count; k++) {
        old[k] = at[k];
        u[k] = lcp->free[r + k];
        for (int b = 0; b < n; b++) u[k] += lcp->W[(r + k) * n + b] * x[b];
      }
      double a = lcp->W[r * n + r];
      if (count == 1) {
        const sc_joint_row *joint = problem->joint_row + item->source;
        at[0] = fmin(joint->hi, fmax(joint->lo, at[0] - u[0] / a));
      } else {
        double turn = lcp->W[(r + 1) * n + r + 1] + lcp->W[(r + 2) * n + r + 2], y[2];
        at[0] = fmax(0, at[0] - u[0] / a);
        for (int k = 1; k < 3; k++) u[k] += lcp->W[(r + k) * n + r] * (at[0] - old[0]);
        y[0] = at[1] - u[1] / turn;
        y[1] = at[2] - u[2] / turn;
        if (item->directions) project_polygon(item->direction, item->directions, item->mu * at[0], y);
        at[1] = item->directions ? y[0] : 0;
        at[2] = item->directions ? y[1] : 0;
      }
      for (int k = 0; k < count; k++) moved = fmax(moved, fabs(at[k] - old[k]));
    }
    if (moved < 1e-14) return;
  }
}

/* Velocities that both solutions leave agree (impulses need not where loads are shared). */
static void compare(sc_rng *rng, int32_t bodies, int32_t contacts, double mu, int directions, int joints) {
  sc_arena arena = {0};
  sc_problem problem = coulomb_problem(rng, bodies, contacts, mu, &arena);
  for (int i = 0; i < joints; i++) {
    double bound = i % 3 == 2 ? 0.2 : INFINITY;
    add_random_joint(rng, &problem, i % bodies, (i + 1) % bodies, i % 3 == 1 ? 0 : -bound, bound);
  }
  sc_lcp lcp;
  assert_int_equal(sc_lcp_build(&problem, directions, &arena, &lcp, NULL), SCREE_OK);
  double *z = SC_TAKE(&arena, double, lcp.n), *x = SC_TAKE(&arena, double, lcp.rows);
  assert_int_equal(sc_lemke(lcp.n, lcp.M, lcp.q, 100000, &arena, z, NULL), SC_LEMKE_SOLVED);
  assert_true(complementarity_error(lcp.n, lcp.M, lcp.q, z) < 1e-10);
  assert_int_equal(sc_lcp_finish(&lcp, z, &problem, &arena, NULL), SCREE_OK);
  gauss_seidel(&lcp, &problem, x);
  for (int r = 0; r < lcp.rows; r++) {
    double u = lcp.free[r], bias = 0;
    for (int b = 0; b < lcp.rows; b++) u += lcp.W[r * lcp.rows + b] * x[b];
    if (r < 3 * contacts) bias = r % 3 ? 0 : problem.general[r / 3].bias;
    else bias = problem.joint_row[r - 3 * contacts].bias;
    near(sc_row_velocity(&problem, lcp.row + r) + bias, u, 1e-8);
  }
  sc_arena_free(&arena);
}

static void test_against_gauss_seidel(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 1);
  for (int32_t contacts = 1; contacts <= 30; contacts++) compare(&rng, 1 + contacts / 3, contacts, 0.2, 8, 0);
  for (int32_t contacts = 1; contacts <= 12; contacts++) compare(&rng, 1 + contacts / 2, contacts, 0, 8, 0);
  for (int32_t contacts = 1; contacts <= 12; contacts++) compare(&rng, 1 + contacts / 2, contacts, 0.3, 4, 0);
}

static void test_with_joints(void **state) {
  (void)state;
  sc_rng rng;
  sc_rng_seed(&rng, 2);
  for (int32_t bodies = 3; bodies <= 8; bodies++) compare(&rng, bodies, 2 * bodies, 0.2, 8, bodies - 1);
}

/* A duplicated row: a free row that depends on another gets no impulse, and the solution does not change. */
static void test_redundant_rows(void **state) {
  (void)state;
  sc_arena arena = {0};
  sc_rng rng;
  sc_rng_seed(&rng, 3);
  sc_problem problem = coulomb_problem(&rng, 4, 6, 0.2, &arena);
  add_random_joint(&rng, &problem, 0, 1, -INFINITY, INFINITY);
  problem.joint_row[1] = problem.joint_row[0];
  problem.joint_rows = 2;
  sc_lcp lcp;
  assert_int_equal(sc_lcp_build(&problem, 8, &arena, &lcp, NULL), SCREE_OK);
  assert_int_equal(lcp.rank, 1);
  double *z = SC_TAKE(&arena, double, lcp.n);
  assert_int_equal(sc_lemke(lcp.n, lcp.M, lcp.q, 10000, &arena, z, NULL), SC_LEMKE_SOLVED);
  assert_int_equal(sc_lcp_finish(&lcp, z, &problem, &arena, NULL), SCREE_OK);
  for (int r = 0; r < 2; r++) {
    double v = sc_row_velocity(&problem, lcp.row + 18 + r) + problem.joint_row[r].bias;
    near(v, 0, 1e-12);
  }
  sc_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_hand),
      cmocka_unit_test(test_nothing_to_do),
      cmocka_unit_test(test_paths),
      cmocka_unit_test(test_ray),
      cmocka_unit_test(test_limit),
      cmocka_unit_test(test_ties),
      cmocka_unit_test(test_against_gauss_seidel),
      cmocka_unit_test(test_with_joints),
      cmocka_unit_test(test_redundant_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
