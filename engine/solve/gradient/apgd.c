/* Accelerated projected gradient descent: Nesterov's method with adaptive restart and an estimate of the
 * Lipschitz constant that may also fall (Mazhar, Heyn, Negrut & Tasora 2015, Algorithm 1). gradient.h
 * describes the program.
 *
 * The objective is quadratic, so the test of the step, f(x+) <= f(y) + g.(x+ - y) + |x+ - y|^2 / 2t, becomes
 * d'A d <= |d|^2 / t with d = x+ - y and the step length t. A d is a difference of known velocities, so an
 * iteration costs one pass of the operator. */
#include "solve/gradient/gradient.h"

#include <math.h>
#include <string.h>

/* Makes one projected step from y. Halves the step length until the quadratic bound is satisfied, or until
 * the length is so small that the bound is guaranteed (g->sure_step). Returns the number of passes of the
 * operator. */
static int64_t descend_projected(
    sc_gradient *g, const double *y, const double *uy, double *x, double *u, double *d) {
  for (int64_t passes = 1;; passes++) {
    sc_gradient_descend(g, y, uy, g->step, x);
    sc_gradient_project(g, x);
    sc_gradient_evaluate(g, x, u);
    double dAd = 0;
    for (int64_t k = 0; k < g->n; k++) d[k] = x[k] - y[k], dAd += d[k] * (u[k] - uy[k]);
    if (dAd * g->step <= sc_gradient_weighted(g, d, d) || g->step <= g->sure_step) return passes;
    g->step = fmax(0.5 * g->step, g->sure_step);
  }
}

static int64_t minimise_accelerated(sc_gradient *g, double tolerance, int64_t most) {
  double *y = g->work[0], *uy = g->work[1], *x = g->work[2], *u = g->work[3], *d = g->work[4],
         *scratch = g->work[5];
  size_t bytes = (size_t)g->n * sizeof *y;
  double theta = 1;
  int64_t spent = 0;
  memcpy(y, g->x, bytes);
  memcpy(uy, g->u, bytes);
  while (spent < most) {
    spent += descend_projected(g, y, uy, x, u, d);
    // applies momentum; restarts the momentum if it points uphill
    double uphill = 0;
    for (int64_t k = 0; k < g->n; k++) uphill += uy[k] * (x[k] - g->x[k]);
    double next = 0.5 * theta * (sqrt(theta * theta + 4) - theta),
           beta = theta * (1 - theta) / (theta * theta + next);
    if (uphill > 0) beta = 0, next = 1;
    for (int64_t k = 0; k < g->n; k++) {
      y[k] = x[k] + beta * (x[k] - g->x[k]);
      uy[k] = u[k] + beta * (u[k] - g->u[k]);
    }
    theta = next;
    memcpy(g->x, x, bytes);
    memcpy(g->u, u, bytes);
    g->step /= 0.9;
    if (sc_gradient_residual(g, g->x, g->u, scratch) <= tolerance) break;
  }
  return spent;
}

static scree_status solve_apgd(const sc_problem *problem, const scree_solver_def *par, sc_pool *pool,
    sc_arena *arena, sc_solver_report *report, scree_error *error) {
  (void)pool;
  return sc_gradient_solve(problem, par, arena, minimise_accelerated, report, error);
}

const sc_solver sc_solver_apgd = {.name = "apgd",
    .doc = "accelerated projected gradient descent on the cone problem, with an outer fixed point for exact "
           "Coulomb "
           "friction",
    .solve = solve_apgd,
    .misfit = sc_gradient_misfit};
