/* Computes the residual, which is the same for all solvers: the distance of each contact from the solution
 * of its law, as a velocity. */
#include "problem/problem.h"
#include "math/vec.h"
#include "problem/joints/bonds.h"
#include "problem/operator/matrix.h"
#include "problem/contacts/contacts.h"
#include "problem/operator/delassus.h"
#include "problem/operator/local.h"
#include "problem/residual/residual.h"

static double ball_residual(const sc_problem *problem, const sc_ball_contact *contact) {
  const sc_solver_body *a = problem->body + contact->i, *b = problem->body + contact->j;
  double u[3], p[3], d[3], bias;
  sc_problem_ball_velocity(problem, contact, u);
  sc_local_ball(problem, contact, u, p);
  sc_sub(p, contact->p, d);
  double a_n = a->inv_mass + b->inv_mass, a_t = a_n + a->k + b->k, d_n = sc_dot(d, contact->n);
  sc_spring_ball(contact, u, &bias, &a_n, &a_t);
  double square = sc_dot(d, d) - d_n * d_n;
  if (square < 0) square = 0;
  return sqrt(a_n * a_n * d_n * d_n + a_t * a_t * square);
}

double sc_problem_general_residual(const sc_problem *problem, const sc_general *contact) {
  const sc_general_contact *c = contact->c;
  const double *A = contact->A, *old = contact->x;
  double u[SCREE_LAW_MAX_DIM], x[SCREE_LAW_MAX_DIM], square = 0;
  sc_problem_general_velocity(problem, c, u);
  if (sc_local_general(problem, contact, u, x) < 0) return INFINITY;
  /* rows of torsion and rolling are spins; multiplied by the scale of body 1 they are velocities */
  for (int r = 0; r < c->dim; r++) {
    double sum = 0;
    for (int s = 0; s < c->dim; s++) sum += A[r * c->dim + s] * (x[s] - old[s]);
    if (r >= 3) sum *= c->scale1;
    square += sum * sum;
  }
  return sqrt(square);
}

/* Returns the larger of two residuals; NaN if one of them is NaN, because impulses that are not finite must
 * not pass the tolerance. */
static double larger_residual(double a, double b) { return b > a || b != b ? b : a; }

double sc_problem_residual_of(const sc_problem *problem, int32_t index) {
  if (index < problem->balls) {
    const sc_ball_contact contact = sc_problem_ball(problem, index);
    return problem->couple ? sc_problem_couple_residual(problem, &contact, problem->couple + index)
                           : ball_residual(problem, &contact);
  }
  index -= problem->balls;
  if (index < problem->generals) {
    sc_general_room scratch;
    const sc_general contact = sc_problem_general(problem, index, &scratch);
    return sc_problem_general_residual(problem, &contact);
  }
  if (index >= problem->generals + problem->joint_rows)
    return sc_problem_bond_residual(
        problem, problem->bond + (index - problem->generals - problem->joint_rows));
  const sc_joint_row *row = problem->joint_row + (index - problem->generals);
  return fabs(sc_problem_joint_diagonal(problem, row) * (sc_local_joint(problem, row) - row->x));
}

double sc_problem_residual(const sc_problem *problem) {
  SC_ASSERT(problem);
  double largest = 0;
  const sc_matrix *matrix = problem->matrix;
  if (matrix && matrix->judge) return matrix->judge(matrix->context, problem->x);
  int32_t all = problem->balls + problem->generals + problem->joint_rows + problem->bonds;
  for (int32_t c = 0; c < all; c++) largest = larger_residual(largest, sc_problem_residual_of(problem, c));
  return largest;
}
