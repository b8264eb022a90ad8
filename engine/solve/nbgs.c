/* Nonlinear block Gauss-Seidel (Preclik & Ruede 2015; Preclik, Eibl & Ruede 2017, section 3): visits contacts one after the other,
 * replaces each impulse by its law's answer with all others held, and carries the change over to the two bodies at once.
 * Stops when the largest change of velocity |A_jj dx_j| in a sweep falls below the tolerance. */
#include "problem/problem.h"
#include "math/vec.h"

/* Relaxes one ball contact; returns the square of its change in velocity. */
static double relax_ball(sc_problem *problem, int32_t c, double omega) {
  sc_ball_contact *contact = problem->ball + c;
  const sc_solver_body *a = problem->body + contact->i, *b = problem->body + contact->j;
  double u[3], p[3], d[3];
  sc_problem_ball_velocity(problem, c, u);
  sc_local_ball(problem, c, u, p);
  for (int k = 0; k < 3; k++) d[k] = omega * (p[k] - contact->p[k]);
  sc_add(contact->p, d, contact->p);
  sc_problem_ball_apply(problem, c, d);
  double a_t = a->inv_mass + b->inv_mass + a->k + b->k;
  return a_t * a_t * sc_dot(d, d);
}

/* The same for a general contact; negative when a user's law failed. */
static double relax_general(sc_problem *problem, const sc_general_contact *c, double omega) {
  const double *A = problem->block + c->block;
  double *x = problem->x + c->x, u[SCREE_LAW_MAX_DIM], d[SCREE_LAW_MAX_DIM], square = 0;
  sc_problem_general_velocity(problem, c, u);
  if (sc_local_general(problem, c, u, d) < 0) return -1;
  for (int r = 0; r < c->dim; r++) {
    d[r] = omega * (d[r] - x[r]);
    x[r] += d[r];
  }
  sc_problem_general_apply(problem, c, d);
  for (int r = 0; r < 3; r++) {
    double sum = 0;
    for (int s = 0; s < c->dim; s++) sum += A[r * c->dim + s] * d[s];
    square += sum * sum;
  }
  return square;
}

static double relax_joint(sc_problem *problem, sc_joint_row *row) {
  double d = sc_local_joint(problem, row) - row->x;
  row->x += d;
  sc_problem_joint_apply(problem, row, d);
  double change = sc_problem_joint_diagonal(problem, row) * d;
  return change * change;
}

static scree_status solve(sc_problem *problem, const scree_solver_def *par, int threads, sc_arena *arena, sc_solver_report *report, scree_error *error) {
  (void)threads;
  (void)arena;
  double largest = 0;
  int64_t sweep = 0;
  while (sweep < par->iterations) {
    largest = 0;
    for (int32_t r = 0; r < problem->joint_rows; r++) largest = fmax(largest, relax_joint(problem, problem->joint_row + r));
    for (int32_t c = 0; c < problem->balls; c++) largest = fmax(largest, relax_ball(problem, c, par->relaxation));
    for (int32_t c = 0; c < problem->generals; c++) {
      double square = relax_general(problem, problem->general + c, par->relaxation);
      if (square < 0) return sc_fail(error, SCREE_E_LAW, "a friction law failed");
      largest = fmax(largest, square);
    }
    sweep++;
    if (largest <= par->tolerance * par->tolerance && sweep >= par->min_iterations) break;
  }
  report->iterations = sweep;
  report->residual = sqrt(largest);
  return SCREE_OK;
}

const sc_solver sc_solver_nbgs = {"nbgs", "nonlinear block Gauss-Seidel", solve};
