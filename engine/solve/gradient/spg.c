/* Spectral projected gradient: steps of Barzilai & Borwein (1988) along the projected direction, with the
 * non-monotone acceptance of Birgin, Martinez & Raydan (2000). gradient.h describes the program.
 *
 *     d = P(x - t g) - x;   x+ = x + l d,   l = 1 if f(x + d) <= max of the last values + c g.d, else
 *                           the minimiser along d
 *     t = s.s / s.y  and  s.y / y.y  alternately,   s = x+ - x,  y = A s
 * t is the step length, l the factor along d, and c the constant SUFFICIENT. A d is a difference of
 * velocities, so f along d is known exactly, and an iteration costs one pass of the operator. */
#include "solve/gradient/gradient.h"

#include <math.h>
#include <string.h>

enum { MEMORY = 10 };                  /* number of earlier values of f in the acceptance test */
static const double SUFFICIENT = 1e-4; /* constant c of the acceptance test */
static const double SHORTEST = 1e-3;   /* minimum step length t */
static const double LONGEST = 1e6;     /* maximum step length t */

/* Returns the next step length t: s.s / s.y in odd iterations, s.y / y.y in even ones, with weighted inner
 * products. turn: number of the iteration. Returns `last` if s.y <= 0. */
static double spectral_step(
    const sc_gradient *g, const double *s, const double *y, int64_t turn, double last) {
  double ss = sc_gradient_weighted(g, s, s), sy = sc_gradient_dot(g, s, y), yy = 0;
  for (int64_t k = 0; k < g->n; k++) yy += y[k] * y[k] / g->weight[k];
  if (!(sy > 0)) return last;
  double t = turn % 2 ? ss / sy : sy / yy;
  return t < SHORTEST ? SHORTEST : t > LONGEST ? LONGEST : t;
}

static int64_t minimise_spectral(sc_gradient *g, double tolerance, int64_t most) {
  double *d = g->work[0], *x = g->work[1], *u = g->work[2], *s = g->work[3], *y = g->work[4],
         *scratch = g->work[5];
  double recent[MEMORY] = {0}, value = 0; /* values of f minus its value at the start */
  for (int64_t spent = 0; spent < most; spent++) {
    // computes the projected direction d, and f along d
    sc_gradient_descend(g, g->x, g->u, g->step, x);
    sc_gradient_project(g, x);
    sc_gradient_evaluate(g, x, u);
    double slope = 0, curve = 0, highest = recent[0], length = 1;
    for (int64_t k = 0; k < g->n; k++) {
      d[k] = x[k] - g->x[k];
      slope += g->u[k] * d[k];
      curve += d[k] * (u[k] - g->u[k]);
    }
    for (int i = 1; i < MEMORY; i++) highest = fmax(highest, recent[i]);
    if (value + slope + 0.5 * curve > highest + SUFFICIENT * slope && slope < 0 && curve > 0)
      length = fmin(1, -slope / curve);
    // computes the move s, the change y of the gradient, and the next step length
    for (int64_t k = 0; k < g->n; k++) {
      s[k] = length * d[k];
      y[k] = length * (u[k] - g->u[k]);
    }
    for (int64_t k = 0; k < g->n; k++) g->x[k] += s[k], g->u[k] += y[k];
    value += length * slope + 0.5 * length * length * curve;
    recent[(spent + 1) % MEMORY] = value;
    g->step = spectral_step(g, s, y, spent, g->step);
    if (sc_gradient_residual(g, g->x, g->u, scratch) > tolerance) continue;
    sc_gradient_evaluate(g, g->x, g->u); // computes u again, without accumulated rounding errors
    if (sc_gradient_residual(g, g->x, g->u, scratch) <= tolerance) return spent + 1;
  }
  sc_gradient_evaluate(g, g->x, g->u);
  return most;
}

static scree_status solve_spg(const sc_problem *problem, const scree_solver_def *par, sc_pool *pool,
    sc_arena *arena, sc_solver_report *report, scree_error *error) {
  (void)pool;
  return sc_gradient_solve(problem, par, arena, minimise_spectral, report, error);
}

const sc_solver sc_solver_spg = {.name = "spg",
    .doc = "spectral projected gradient (Barzilai-Borwein steps) on the cone problem, with an outer fixed "
           "point for "
           "exact Coulomb friction",
    .solve = solve_spg,
    .misfit = sc_gradient_misfit};
