/* Shared parts of the gradient solvers: the problem as one convex program over all impulses.
 *
 *     minimise  1/2 x'A x - x'b   over  x in K     (Eq. (11) of Negrut, Serban & Tasora 2018)
 *
 * K is the product of the contacts' cones (law.project) and of the intervals of joint rows, which may be
 * unbounded. The gradient A x - b is the relative velocity with bias, computed from the bodies, so A is not
 * assembled. Every contact and joint row has a weight a_j, the mean of its diagonal block. The inner product
 * of x and y is sum a_j x_j.y_j. A step of length t subtracts t u_j / a_j.
 *
 * Laws whose velocity is not in the polar cone (exact Coulomb) need an outer fixed point. With a fixed shift
 * s = mu |u_to| e_n (u_to: slip velocity, e_n: normal) the program with b - s is convex. After each solution
 * s is updated (De Saxce & Feng 1998). */
#ifndef SC_GRADIENT_H
#define SC_GRADIENT_H

#include "solve/solver.h"

typedef struct sc_gradient {
  const sc_problem *problem;
  int32_t general_rows; /* number of impulses of general contacts: length of problem.x in use */
  int64_t n;        /* unknowns: 3 per ball contact (world axes), dim per general contact, 1 per joint row */
  bool shifted;     /* a law has a shift */
  double *x, *u;    /* [n] present impulses, and velocities A x - b + shift */
  double *shift;    /* [n] shift s [m/s] */
  double *weight;   /* [n] weight a_j of the contact or joint row */
  double *held;     /* [n] impulses that the present velocities of the bodies include */
  double *work[6];  /* [n] each: scratch of the inner method */
  double step;      /* step length with which the next call of the inner method starts */
  double sure_step; /* lower bound of 1 / (largest eigenvalue of the weighted operator) */
} sc_gradient;

/* Inner method: improves g->x and g->u until the natural residual falls to `tolerance` [m/s], with at most
 * `most` iterations. Returns the number of iterations. */
typedef int64_t sc_gradient_method(sc_gradient *g, double tolerance, int64_t most);

/* Computes the velocities that impulses x cause. Sets the bodies' velocities, and u with bias and shift. */
void sc_gradient_evaluate(sc_gradient *g, const double *x, double *u);
/* Projects x onto K, in place. */
void sc_gradient_project(const sc_gradient *g, double *x);
/* Returns the natural residual: the maximum over contacts and joint rows of a_j |x_j - P(x_j - u_j / a_j)|
 * [m/s]. scratch: [n]. */
double sc_gradient_residual(const sc_gradient *g, const double *x, const double *u, double *scratch);
/* Computes out = x - t u / a, a step of length t with the weights a. */
void sc_gradient_descend(const sc_gradient *g, const double *x, const double *u, double t, double *out);
/* Returns the dot product of a and b, [n] each. */
double sc_gradient_dot(const sc_gradient *g, const double *a, const double *b);
/* Returns the weighted inner product, the sum of weight a.b over all contacts and joint rows. */
double sc_gradient_weighted(const sc_gradient *g, const double *a, const double *b);

/* Returns why gradient solvers do not support a law with these parameters; NULL if they do
 * (sc_solver.misfit). */
const char *sc_gradient_misfit(const sc_law *law, const double *par);
/* Implements sc_solver.solve with an inner method. */
scree_status sc_gradient_solve(const sc_problem *problem, const scree_solver_def *par, sc_arena *arena,
    sc_gradient_method *method, sc_solver_report *report, scree_error *error);

#endif
