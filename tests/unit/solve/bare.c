/* Sweeps and `auto` on a bare matrix: matrices that are not exactly symmetric, redundant contacts with
 * contradictory gaps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "law/law_parts.h"
#include "problem/operator/matrix.h"
#include "solve/solver.h"

enum { MOST = 4 };
static const double MU = 0.5;

/* All contacts tied to each other. */
typedef struct full {
  int64_t first[MOST + 1], at[MOST * MOST];
  int32_t column[MOST * MOST];
  double value[9 * MOST * MOST], q[3 * MOST], velocity[3 * MOST], par[SCREE_LAW_MAX_PARAMS];
  sc_general_contact general[MOST];
  const sc_law *law;
  sc_matrix matrix;
} full;

static double *entry(full *f, int n, int row, int column) {
  return f->value + 9 * (n * (row / 3) + column / 3) + 3 * (row % 3) + column % 3;
}

static sc_problem problem_of(full *f, int n, sc_arena *arena) {
  for (int c = 0; c <= n; c++) f->first[c] = n * c;
  for (int b = 0; b < n * n; b++) f->at[b] = 9 * b, f->column[b] = b % n;
  f->law = sc_law_find("coulomb");
  scree_param_defaults(f->law->params, f->law->params_count, f->par);
  f->par[SC_PAR_MU] = MU;
  for (int c = 0; c < n; c++)
    f->general[c] = (sc_general_contact){.dim = 3, .x = 3 * c, .scale1 = 1, .scale2 = 1};
  memcpy(f->velocity, f->q, sizeof f->q);
  f->matrix = (sc_matrix){f->first, f->column, f->at, f->value, f->velocity, NULL, NULL};
  sc_problem problem = {.laws = 1, .law = &f->law, .par = f->par, .dt = 1};
  assert_int_equal(sc_matrix_problem(&f->matrix, n, f->general, arena, &problem, NULL), SCREE_OK);
  return problem;
}

/* The natural map, by the entries alone. */
static double natural_error(full *f, int n, const double *x) {
  double largest = 0;
  for (int c = 0; c < n; c++) {
    double u[3], z[3];
    for (int k = 0; k < 3; k++) {
      u[k] = f->q[3 * c + k];
      for (int s = 0; s < 3 * n; s++) u[k] += *entry(f, n, 3 * c + k, s) * x[s];
      z[k] = x[3 * c + k] - u[k];
    }
    z[0] -= MU * sqrt(u[1] * u[1] + u[2] * u[2]);
    f->law->project(f->par, 3, z);
    for (int k = 0; k < 3; k++) largest = fmax(largest, fabs(x[3 * c + k] - z[k]));
  }
  return largest;
}

static sc_solver_report solve(
    const char *name, const sc_problem *problem, int64_t iterations, sc_arena *arena) {
  const scree_solver_def par = {
      .iterations = iterations, .min_iterations = 1, .relaxation = 1, .tolerance = 1e-11};
  sc_solver_report report = {0};
  assert_int_equal(sc_solver_find(name)->solve(problem, &par, NULL, arena, &report, NULL), SCREE_OK);
  return report;
}

/* Contacts that stick, slide and open, of a matrix whose halves differ by 2 %. */
static void asymmetry_is_solved(void **unused) {
  (void)unused;
  static const char *const solvers[] = {"nbgs", "auto"};
  static const double q[12] = {-1, 0.1, 0, -0.5, 0.9, -0.7, 0.6, 0, 0, -0.8, -0.2, 1.5};
  for (int s = 0; s < 2; s++) {
    sc_arena arena = {0};
    full f = {0};
    memcpy(f.q, q, sizeof q);
    for (int r = 0; r < 12; r++)
      for (int c = 0; c < 12; c++)
        *entry(&f, 4, r, c) = (r == c ? 2 : 0.2 / (1 + (r > c ? r - c : c - r))) + (r > c ? 0.02 : 0);
    sc_problem problem = problem_of(&f, 4, &arena);
    solve(solvers[s], &problem, 200, &arena);
    assert_true(natural_error(&f, 4, problem.x) < 1e-10);
    int open = 0, slide = 0, stick = 0;
    for (int c = 0; c < 4; c++) {
      const double *x = problem.x + 3 * c;
      double size = sqrt(x[1] * x[1] + x[2] * x[2]);
      if (x[0] == 0) open++;
      else if (size < 0.999 * MU * x[0]) stick++;
      else slide++;
    }
    assert_true(open && slide && stick);
    sc_arena_free(&arena);
  }
}

/* A beam on three supports, the middle one of which is a little lower: it carries nothing in the end, and
 * sweeps take its share off it by little each time. */
static void drifts_are_leapt_over(void **unused) {
  (void)unused;
  static const double place[3] = {-1, 0, 1}, gap[3] = {0, 1e-6, 0};
  for (int leaps = 0; leaps < 2; leaps++) {
    sc_arena arena = {0};
    full f = {0};
    for (int r = 0; r < 9; r++) {
      f.q[r] = r % 3 ? 0 : gap[r / 3] - 1;
      for (int c = 0; c < 9; c++)
        *entry(&f, 3, r, c) = r % 3 || c % 3 ? r == c : 1 + place[r / 3] * place[c / 3];
    }
    sc_problem problem = problem_of(&f, 3, &arena);
    sc_solver_report report = solve(leaps ? "auto" : "nbgs", &problem, 400, &arena);
    double error = natural_error(&f, 3, problem.x);
    if (leaps) {
      assert_true(error < 1e-10);
      assert_true(problem.x[3] < 1e-10);
      assert_int_equal(report.ways.escalated, 0);
      assert_true(report.ways.accelerated);
    } else {
      assert_true(error > 1e-8);
    }
    sc_arena_free(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(asymmetry_is_solved), cmocka_unit_test(drifts_are_leapt_over)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
