/* Tests the Delassus operator: its products, entries and couplings agree with the bodies. A problem that
 * consists of these entries only has the solution of the problem with bodies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../solve/random_problem.h"
#include "problem/operator/matrix.h"
#include "problem/operator/operator.h"
#include "problem/operator/delassus.h"
#include "problem/contacts/apply.h"
#include "problem/residual/residual.h"

enum { BODIES = 7, CONTACTS = 15, BALLS = 4, JOINTS = 5 };

/* Returns a problem with general contacts, and with balls and joint rows if `joints`, between the same
 * bodies. */
static sc_problem mixed(sc_rng *rng, bool joints, bool warm, sc_arena *arena) {
  static const double par[] = {0.4};
  static const sc_law *law;
  law = sc_law_find("coulomb");
  sc_problem problem = random_problem(rng, BODIES, CONTACTS, &law, par, 1, arena);
  double(*position)[3] = sc_arena_take(arena, BODIES * sizeof *position);
  for (int32_t b = 0; b < BODIES; b++) random_vector(rng, 2, position[b]);
  problem.position = (const double(*)[3])position;
  problem.ball = SC_TAKE(arena, sc_ball_contact, BALLS);
  for (int32_t c = 0; c < BALLS && joints; c++, problem.balls++) {
    sc_ball_contact *ball = problem.ball + c;
    *ball = (sc_ball_contact){.i = c, .j = c + 1, .mu = 0.1 * (c / 2), .bias = 0.01};
    random_unit(rng, ball->n);
    if (warm) random_vector(rng, 0.1, ball->p);
  }
  for (int32_t r = 0; r < JOINTS && joints; r++)
    add_random_joint(rng, &problem, r, r % 2 ? BODIES : r + 1, r == 3 ? 0 : -INFINITY, INFINITY);
  for (int32_t r = 0; r < problem.joint_rows && warm; r++)
    problem.joint_row[r].x = random_between(rng, 0, 0.1);
  for (int32_t k = 0; k < 3 * CONTACTS && warm; k++) problem.x[k] = random_between(rng, -0.1, 0.1);
  sc_problem_apply_all(&problem, NULL);
  return problem;
}

/* The velocities of bodies are u = A x + b, and products with A are those with its entries. */
static void products_are_entries(void **unused) {
  (void)unused;
  sc_arena arena = {0};
  sc_rng rng;
  sc_rng_seed(&rng, 5);
  sc_problem problem = mixed(&rng, true, true, &arena);
  sc_joint_third third = {.body = 3};
  random_unit(&rng, third.lin);
  random_vector(&rng, 1, third.ang);
  problem.third = &third, problem.thirds = 1, problem.joint_row[1].third = 1;
  sc_operator op;
  assert_int_equal(sc_operator_build(&problem, &arena, &op, NULL), SCREE_OK);
  assert_int_equal(op.rows, 3 * (CONTACTS + BALLS) + JOINTS);
  double *u = SC_TAKE(&arena, double, op.rows), *x = SC_TAKE(&arena, double, op.rows);
  sc_operator_apply(&op, op.x, u);
  for (int32_t c = 0; c < CONTACTS; c++) {
    double seen[SCREE_LAW_MAX_DIM];
    sc_problem_general_velocity(&problem, problem.general + c, seen);
    seen[0] += problem.general[c].bias;
    for (int k = 0; k < 3; k++) {
      int64_t row = op.block[BALLS + c].row + k;
      near(u[row] + op.b[row], seen[k], 1e-12);
    }
  }
  for (int32_t c = 0; c < BALLS; c++) {
    double seen[3], axis[3][3];
    const sc_ball_contact *ball = problem.ball + c;
    sc_problem_ball_velocity(&problem, ball, seen);
    sc_copy3(ball->n, axis[0]);
    sc_frame(ball->n, axis[1], axis[2]);
    for (int k = 0; k < 3; k++) {
      const int64_t row = op.block[c].row + k;
      near(u[row] + op.b[row], sc_dot(seen, axis[k]) + (k ? 0 : ball->bias), 1e-12);
    }
  }
  for (int32_t r = 0; r < JOINTS; r++) {
    const int64_t row = op.block[BALLS + CONTACTS + r].row;
    near(u[row] + op.b[row], sc_problem_joint_unmet(&problem, problem.joint_row + r), 1e-12);
  }
  for (int64_t col = 0; col < op.rows; col++) {
    memset(x, 0, (size_t)op.rows * sizeof *x);
    x[col] = 1;
    sc_operator_apply(&op, x, u);
    const int64_t joint = col - (op.rows - JOINTS);
    if (joint >= 0) near(sc_problem_joint_diagonal(&problem, problem.joint_row + joint), u[col], 1e-12);
    for (int32_t c = 0; c < op.blocks; c++)
      for (int32_t k = 0; k < op.blocks; k++) {
        double A[36], B[36];
        const sc_operator_block *to = op.block + c, *from = op.block + k;
        if (col < from->row || col >= from->row + from->dim) continue;
        sc_operator_entries(&op, c, k, A);
        sc_operator_entries(&op, k, c, B);
        for (int r = 0; r < to->dim; r++) {
          int s = (int)(col - from->row);
          near(A[r * from->dim + s], u[to->row + r], 1e-12);
          assert_true(A[r * from->dim + s] == B[s * to->dim + r]);
        }
      }
  }
  sc_arena_free(&arena);
}

/* The velocity scale is the mean over all contacts of the speeds at which they close. */
static void closing_is_the_mean(void **unused) {
  (void)unused;
  sc_arena arena = {0};
  sc_rng rng;
  sc_rng_seed(&rng, 9);
  sc_problem problem = mixed(&rng, true, true, &arena);
  double sum = 0, u[SCREE_LAW_MAX_DIM];
  for (int32_t c = 0; c < BALLS; c++) {
    sc_problem_ball_velocity(&problem, problem.ball + c, u);
    sum += fmax(0, -sc_dot(u, problem.ball[c].n) - problem.ball[c].bias);
  }
  for (int32_t c = 0; c < CONTACTS; c++) {
    sc_problem_general_velocity(&problem, problem.general + c, u);
    sum += fmax(0, -u[0] - problem.general[c].bias);
  }
  assert_true(sum > 0.1);
  near(sc_problem_closing(&problem, NULL), sum / (BALLS + CONTACTS), 1e-12);
  sc_arena_free(&arena);
}

/* Blocks that are not listed as coupled have entries 0. */
static void couplings_are_complete(void **unused) {
  (void)unused;
  sc_arena arena = {0}, own = {0};
  sc_rng rng;
  sc_rng_seed(&rng, 6);
  sc_problem problem = mixed(&rng, true, true, &arena);
  sc_operator op;
  sc_operator_graph graph;
  assert_int_equal(sc_operator_build(&problem, &arena, &op, NULL), SCREE_OK);
  assert_true(sc_operator_couplings(&op, &own, &graph));
  sc_arena_reset(&own); /* from now on all lists lie side by side in one block */
  assert_true(sc_operator_couplings(&op, &own, &graph));
  int apart = 0;
  for (int32_t c = 0; c < op.blocks; c++) {
    int64_t at = graph.first[c];
    for (int32_t k = 0; k < op.blocks; k++) {
      double A[36];
      bool listed = at < graph.first[c + 1] && graph.block[at] == k;
      at += listed;
      sc_operator_entries(&op, c, k, A);
      for (int e = 0; e < op.block[c].dim * op.block[k].dim && !listed; e++) assert_true(A[e] == 0);
      apart += !listed;
    }
    assert_true(at == graph.first[c + 1]);
  }
  assert_true(apart > op.blocks);
  sc_arena_free(&own);
  sc_arena_free(&arena);
}

/* Impulses stored through the operator are in the problem, and the velocities of bodies include the
 * change. */
static void answers_are_stored(void **unused) {
  (void)unused;
  sc_arena arena = {0};
  sc_rng rng;
  sc_rng_seed(&rng, 7);
  sc_problem problem = mixed(&rng, true, true, &arena);
  sc_operator op, again;
  assert_int_equal(sc_operator_build(&problem, &arena, &op, NULL), SCREE_OK);
  double *x = SC_TAKE(&arena, double, op.rows);
  for (int64_t k = 0; k < op.rows; k++) x[k] = random_between(&rng, -1, 1);
  sc_operator_store(&op, x, &problem);
  assert_int_equal(sc_operator_build(&problem, &arena, &again, NULL), SCREE_OK);
  for (int64_t k = 0; k < op.rows; k++) {
    near(again.x[k], x[k], 1e-12);
    near(again.b[k], op.b[k], 1e-11);
  }
  sc_arena_free(&arena);
}

/* Returns a problem of a matrix that has the entries of a problem of general contacts. */
static sc_problem bare(const sc_problem *problem, sc_matrix *matrix, sc_arena *arena) {
  sc_operator op;
  sc_operator_graph graph;
  assert_int_equal(sc_operator_build(problem, arena, &op, NULL), SCREE_OK);
  assert_true(sc_operator_couplings(&op, arena, &graph));
  int64_t blocks = graph.first[op.blocks], *at = SC_TAKE(arena, int64_t, blocks);
  double *value = SC_TAKE(arena, double, 9 * blocks), *velocity = SC_TAKE(arena, double, op.rows);
  for (int32_t c = 0; c < op.blocks; c++)
    for (int64_t b = graph.first[c]; b < graph.first[c + 1]; b++) {
      at[b] = 9 * b;
      sc_operator_entries(&op, c, graph.block[b], value + at[b]);
    }
  for (int64_t k = 0; k < op.rows; k++) velocity[k] = op.b[k] - (k % 3 ? 0 : problem->general[k / 3].bias);
  *matrix = (sc_matrix){graph.first, graph.block, at, value, velocity};
  sc_problem out = {.dt = problem->dt,
      .gravity = problem->gravity,
      .laws = problem->laws,
      .law = problem->law,
      .par = problem->par};
  sc_general_contact *general = SC_TAKE(arena, sc_general_contact, problem->generals);
  memcpy(general, problem->general, (size_t)problem->generals * sizeof *general);
  assert_int_equal(sc_matrix_problem(matrix, problem->generals, general, arena, &out, NULL), SCREE_OK);
  return out;
}

static void bare_matrices_are_solved(void **unused) {
  (void)unused;
  static const char *const solvers[] = {"nbgs", "pgs", "apgd", "spg", "nbgs"};
  for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
    sc_arena arena = {0};
    sc_rng rng;
    sc_rng_seed(&rng, 8);
    sc_problem problem = mixed(&rng, false, false, &arena);
    sc_matrix matrix;
    sc_problem given = bare(&problem, &matrix, &arena);
    const sc_solver *solver = sc_solver_find(solvers[s]);
    scree_solver_def par = {.iterations = 1000,
        .min_iterations = 1,
        .relaxation = 1,
        .tolerance = 1e-9,
        .acceleration = s == 4}; // the last solver has momentum
    sc_solver_report report = {0};
    near(sc_problem_residual(&given), sc_problem_residual(&problem), 1e-12);
    near(sc_problem_closing(&given, NULL), sc_problem_closing(&problem, NULL), 1e-12);
    assert_int_equal(solver->solve(&problem, &par, NULL, &arena, &report, NULL), SCREE_OK);
    assert_int_equal(solver->solve(&given, &par, NULL, &arena, &report, NULL), SCREE_OK);
    near(sc_problem_residual(&given), sc_problem_residual(&problem), 1e-8);
    assert_true(s > 1 || sc_problem_residual(&given) <= 1e-8); /* the sweeps converge, the gradient solvers
                                                                  need not */
    for (int32_t c = 0; c < CONTACTS; c++) {
      double u[SCREE_LAW_MAX_DIM];
      sc_problem_general_velocity(&problem, problem.general + c, u);
      for (int k = 0; k < 3; k++) near(matrix.velocity[3 * c + k], u[k], 1e-6);
    }
    sc_arena_free(&arena);
  }
}

/* Newton's method takes the same steps on a matrix as on the bodies that the matrix was made of: it needs as
 * many factorisations, and ends at the same impulses. */
static void newton_steps_alike(void **unused) {
  (void)unused;
  for (uint64_t seed = 20; seed < 25; seed++) {
    sc_arena arena = {0};
    sc_rng rng;
    sc_rng_seed(&rng, seed);
    sc_problem problem = mixed(&rng, false, false, &arena);
    sc_matrix matrix;
    sc_problem given = bare(&problem, &matrix, &arena);
    const scree_solver_def par = {
        .iterations = 1000, .min_iterations = 1, .relaxation = 1, .tolerance = 1e-9};
    sc_solver_report report[2] = {{0}};
    for (int k = 0; k < 2; k++) {
      sc_problem *of = k ? &given : &problem;
      assert_int_equal(sc_solver_find("newton")->solve(of, &par, NULL, &arena, report + k, NULL), SCREE_OK);
      assert_true(sc_problem_residual(of) <= 1e-9);
    }
    assert_int_equal(report[0].iterations, report[1].iterations);
    sc_arena_free(&arena);
  }
}

/* A contact without a block on the diagonal is refused. */
static void diagonals_are_asked_for(void **unused) {
  (void)unused;
  sc_arena arena = {0};
  static const int64_t first[] = {0, 1, 2}, at[] = {0, 9};
  static const int32_t column[] = {0, 0};
  static const double value[18] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double velocity[6] = {0};
  const sc_matrix matrix = {first, column, at, value, velocity};
  sc_general_contact general[2] = {{.dim = 3}, {.dim = 3, .x = 3}};
  sc_problem problem = {0};
  scree_error error = {0};
  assert_int_equal(sc_matrix_problem(&matrix, 2, general, &arena, &problem, &error), SCREE_E_FORMAT);
  assert_non_null(strstr(error.text, "contact 2"));
  sc_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products_are_entries),
      cmocka_unit_test(closing_is_the_mean), cmocka_unit_test(couplings_are_complete),
      cmocka_unit_test(answers_are_stored), cmocka_unit_test(bare_matrices_are_solved),
      cmocka_unit_test(newton_steps_alike), cmocka_unit_test(diagonals_are_asked_for)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
