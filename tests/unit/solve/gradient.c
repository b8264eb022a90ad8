/* The gradient solvers on piles of balls: they agree with block Gauss-Seidel on the exact Coulomb problem,
 * reach small residuals, and the velocities of the bodies contain exactly the impulses that the solvers
 * report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "random_problem.h"
#include "scree/world.h"
#include "problem/operator/delassus.h"
#include "problem/contacts/apply.h"
#include "problem/operator/local.h"
#include "problem/residual/residual.h"

extern const sc_solver sc_solver_apgd, sc_solver_spg;

enum { SIDE = 3, LAYERS = 4, BALLS = SIDE * SIDE * LAYERS };

/* Unit balls of random mass on a lattice, each touching the ones below and beside; all fall with weight
 * and some noise. */
static sc_problem ball_pile(sc_rng *rng, double mu, sc_arena *arena) {
  sc_problem problem = {.bodies = BALLS + 1, .dt = 1e-2, .gravity = 9.81};
  problem.body = SC_TAKE(arena, sc_solver_body, BALLS + 1);
  problem.K = sc_arena_take(arena, (BALLS + 1) * sizeof *problem.K);
  problem.ball = SC_TAKE(arena, sc_ball_contact, 4 * BALLS);
  problem.x = SC_TAKE(arena, double, 1);
  memset(problem.body + BALLS, 0, sizeof *problem.body);
  memset(problem.K, 0, (BALLS + 1) * sizeof *problem.K);
  for (int32_t b = 0; b < BALLS; b++) {
    sc_solver_body *body = problem.body + b;
    body->inv_mass = random_between(rng, 0.5, 2);
    body->k = 2.5 * body->inv_mass;
    for (int k = 0; k < 3; k++) problem.K[b][k == 0 ? 0 : k == 1 ? 3 : 5] = body->k;
    random_vector(rng, 0.05, body->v);
    random_vector(rng, 0.05, body->q);
    body->v[2] -= 0.0981;
    const int32_t step[3] = {1, SIDE, SIDE * SIDE}, place[3] = {b % SIDE, b / SIDE % SIDE, b / (SIDE * SIDE)};
    for (int k = 0; k < 3; k++) {
      if (k < 2 && place[k] == 0) continue;
      sc_ball_contact *contact = problem.ball + problem.balls++;
      *contact = (sc_ball_contact){.i = b, .j = place[k] ? b - step[k] : BALLS, .mu = mu};
      contact->n[k] = 1;
      random_vector(rng, 0.1, contact->p);
      sc_add(contact->n, contact->p, contact->n);
      sc_normalise(contact->n, contact->n);
      sc_set3(0, 0, 0, contact->p);
    }
  }
  return problem;
}

static sc_solver_report run(
    const sc_solver *solver, uint64_t seed, double mu, sc_arena *arena, sc_problem *problem) {
  sc_rng rng;
  sc_rng_seed(&rng, seed);
  *problem = ball_pile(&rng, mu, arena);
  scree_solver_def par = {.iterations = 20000, .tolerance = 1e-8, .relaxation = 1, .min_iterations = 1};
  sc_solver_report report;
  assert_int_equal(solver->solve(problem, &par, NULL, arena, &report, NULL), SCREE_OK);
  return report;
}

/* The reference: local answers one after the other until nothing moves. */
static void gauss_seidel(uint64_t seed, double mu, sc_arena *arena, sc_problem *problem) {
  sc_rng rng;
  sc_rng_seed(&rng, seed);
  *problem = ball_pile(&rng, mu, arena);
  for (int sweep = 0; sweep < 20000; sweep++)
    for (int32_t c = 0; c < problem->balls; c++) {
      double u[3], p[3], d[3];
      sc_problem_ball_velocity(problem, problem->ball + c, u);
      sc_local_ball(problem, problem->ball + c, u, p);
      sc_sub(p, problem->ball[c].p, d);
      sc_copy3(p, problem->ball[c].p);
      sc_problem_ball_apply(problem, problem->ball + c, d);
    }
}

static double velocity_difference(const sc_problem *a, const sc_problem *b) {
  double most = 0;
  for (int32_t i = 0; i < a->bodies; i++)
    for (int k = 0; k < 3; k++) {
      most = fmax(most, fabs(a->body[i].v[k] - b->body[i].v[k]));
      most = fmax(most, fabs(a->body[i].q[k] - b->body[i].q[k]));
    }
  return most;
}

static void test_agree(void **state) {
  (void)state;
  const double mus[] = {0, 0.1, 0.3, 0.6};
  for (uint64_t seed = 1; seed <= 8; seed++) {
    double mu = mus[seed % 4];
    sc_arena arena = {0};
    sc_problem reference, apgd, spg;
    gauss_seidel(seed, mu, &arena, &reference);
    assert_true(sc_problem_residual(&reference) < 1e-9);
    sc_solver_report a = run(&sc_solver_apgd, seed, mu, &arena, &apgd),
                     s = run(&sc_solver_spg, seed, mu, &arena, &spg);
    print_message("mu %.1f: apgd %d, spg %d iterations\n", mu, (int)a.iterations, (int)s.iterations);
    assert_true(a.residual <= 1e-8 && s.residual <= 1e-8);
    assert_true(velocity_difference(&reference, &apgd) < 1e-5);
    assert_true(velocity_difference(&reference, &spg) < 1e-5);
    sc_arena_free(&arena);
  }
}

/* Bodies' velocities are the free ones plus the impulses, whatever path led there. */
static void test_bodies_hold_impulses(void **state) {
  (void)state;
  const sc_solver *const solvers[] = {&sc_solver_apgd, &sc_solver_spg};
  for (int i = 0; i < 2; i++) {
    sc_arena arena = {0};
    sc_rng rng;
    sc_problem solved;
    run(solvers[i], 5, 0.4, &arena, &solved);
    sc_rng_seed(&rng, 5);
    sc_problem again = ball_pile(&rng, 0.4, &arena);
    for (int32_t c = 0; c < again.balls; c++) sc_copy3(solved.ball[c].p, again.ball[c].p);
    sc_problem_apply_all(&again, NULL);
    assert_true(velocity_difference(&again, &solved) < 1e-12);
    sc_arena_free(&arena);
  }
}

/* A start from the solution ends at once. */
static void test_warm_start(void **state) {
  (void)state;
  sc_arena arena = {0};
  sc_problem problem;
  sc_solver_report first = run(&sc_solver_apgd, 3, 0.3, &arena, &problem), second;
  scree_solver_def par = {.iterations = 20000, .tolerance = 1e-7};
  assert_int_equal(sc_solver_apgd.solve(&problem, &par, NULL, &arena, &second, NULL), SCREE_OK);
  assert_true(first.iterations > 10);
  assert_true(second.iterations <= 1);
  sc_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_agree),
      cmocka_unit_test(test_bodies_hold_impulses), cmocka_unit_test(test_warm_start)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
