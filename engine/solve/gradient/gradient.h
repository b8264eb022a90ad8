/* What the gradient solvers share: a problem as one convex program over all impulses.
 *
 *     minimise  1/2 x'A x - x'b   over  x in K     (Eq. (11) of Negrut, Serban & Tasora 2018)
 *
 * K is the product of the contacts' cones (law.project), of the joints' boxes, and of whole lines for
 * free multipliers. The gradient A x - b is the relative velocity with bias, read from the bodies, so
 * nothing is assembled. Every contact and joint row carries a weight a_j, the mean of its diagonal
 * block: inner products are sum a_j x.y, steps t u_j / a_j.
 *
 * Laws whose velocity does not lie in the polar cone (exact Coulomb) are reached by an outer fixed
 * point: with the shift s = mu |u_to| e_n held, the program with b - s is convex; then s is brought up
 * to date (De Saxce & Feng 1998). */
#ifndef SC_GRADIENT_H
#define SC_GRADIENT_H

#include "solve/solver.h"

typedef struct sc_gradient {
  const sc_problem *problem;
  int32_t general_rows; /* length of problem.x in use */
  /* unknowns: 3 per ball contact (world axes), dim per general contact, 1 per joint row */
  int64_t n;
  bool shifted;                  /* some law has a shift */
  double *x, *u;                 /* present impulses and their velocities: A x - b + shift */
  double *shift, *weight, *held; /* per unknown; held: impulses the bodies' velocities contain */
  double *work[6];               /* n each, for the inner method */
  double step;                   /* step length of the inner method, kept between its calls */
  /* at most the inverse of the operator's largest eigenvalue in the weighted inner product */
  double sure_step;
} sc_gradient;

/* Improves g->x (and g->u with it) until the natural residual falls to tolerance or most iterations are
 * spent; returns their number. */
typedef int64_t sc_gradient_method(sc_gradient *g, double tolerance, int64_t most);

/* Moves the bodies to impulses x and writes their velocities, shift included, to u. */
void sc_gradient_evaluate(sc_gradient *g, const double *x, double *u);
/* Nearest point of K, in place. */
void sc_gradient_project(const sc_gradient *g, double *x);
/* Largest over contacts and joint rows of a_j |x_j - P(x_j - u_j / a_j)|  [m/s]. scratch: n doubles. */
double sc_gradient_residual(const sc_gradient *g, const double *x, const double *u, double *scratch);
/* out = x - t u / a */
void sc_gradient_descend(const sc_gradient *g, const double *x, const double *u, double t, double *out);
double sc_gradient_dot(const sc_gradient *g, const double *a, const double *b);      /* sum a.b */
double sc_gradient_weighted(const sc_gradient *g, const double *a, const double *b); /* sum weight a.b */

/* Returns why gradient solvers cannot take a law with these parameters, or NULL (sc_solver.misfit). */
const char *sc_gradient_misfit(const sc_law *law, const double *par);
/* The whole solver around an inner method. */
scree_status sc_gradient_solve(const sc_problem *problem, const scree_solver_def *par, sc_arena *arena,
    sc_gradient_method *method, sc_solver_report *report, scree_error *error);

#endif
