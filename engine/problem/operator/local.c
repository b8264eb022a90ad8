/* Local solutions: the impulse of one contact by its law, with all other impulses fixed. Gauss-Seidel
 * replaces impulses by local solutions one after the other. The residual is the distance of the impulses from
 * their local solutions. */
#include "problem/problem.h"

#include <string.h>
#include "math/vec.h"
#include "problem/operator/delassus.h"
#include "problem/operator/local.h"

static inline bool is_soft(const sc_contact_spring *spring) { return spring->normal > 0; }

void sc_spring_ball(const sc_ball_contact *contact, double u[3], double *bias, double *a_n, double *a_t) {
  const sc_contact_spring *s = &contact->spring;
  *bias = contact->bias;
  if (!is_soft(s)) return;
  const double along = (s->normal - s->tangent) * sc_dot(contact->p, contact->n);
  for (int k = 0; k < 3; k++) u[k] += along * contact->n[k] + s->tangent * (contact->p[k] - s->last[k]);
  *bias = s->bias;
  *a_n += s->normal;
  *a_t += s->tangent;
}

double sc_spring_general(const sc_general_contact *c, const double *x, double *u) {
  const sc_contact_spring *s = &c->spring;
  if (!is_soft(s)) return c->bias;
  u[0] += s->normal * x[0];
  for (int k = 1; k < 3; k++) u[k] += s->tangent * (x[k] - s->last[k]);
  return s->bias;
}

/* Notation: A = diag(a_n, a_t, a_t) is the block, p the present impulse, u the velocity, and b = A p - u -
 * bias e_n. The solution is x_n = max(0, b_n/a_n), and tangentially b_to/a_t, clamped to the length mu
 * x_n. */
void sc_local_ball(
    const sc_problem *problem, const sc_ball_contact *contact, const double velocity[3], double p[3]) {
  const sc_solver_body *a = problem->body + contact->i, *b = problem->body + contact->j;
  const double *n = contact->n;
  double a_n = a->inv_mass + b->inv_mass, a_t = a_n + a->k + b->k, u[3], bias;
  sc_copy3(velocity, u);
  sc_spring_ball(contact, u, &bias, &a_n, &a_t);
  double u_n = sc_dot(u, n), p_n = sc_dot(contact->p, n);
  double x_n = p_n - (u_n + bias) / a_n;
  if (!(x_n > 0)) {
    sc_set3(0, 0, 0, p);
    return;
  }
  double x_t[3];
  for (int k = 0; k < 3; k++) x_t[k] = contact->p[k] - p_n * n[k] - (u[k] - u_n * n[k]) / a_t;
  double square = sc_dot(x_t, x_t), max_slip = contact->mu * x_n, cut = 1;
  if (square > max_slip * max_slip) cut = max_slip / sqrt(square);
  for (int k = 0; k < 3; k++) p[k] = x_n * n[k] + cut * x_t[k];
}

int sc_local_general(
    const sc_problem *problem, const sc_general *contact, const double *velocity, double *x) {
  const sc_general_contact *c = contact->c;
  const double *A = contact->A, *old = contact->x;
  double b[SCREE_LAW_MAX_DIM], u[SCREE_LAW_MAX_DIM];
  memcpy(u, velocity, (size_t)c->dim * sizeof *u);
  const double bias = sc_spring_general(c, old, u);
  for (int r = 0; r < c->dim; r++) {
    b[r] = -u[r];
    for (int s = 0; s < c->dim; s++) b[r] += A[r * c->dim + s] * old[s];
    x[r] = old[r];
  }
  b[0] -= bias;
  const sc_law *law = problem->law[c->law];
  return (int)law->solve(law, c->dim, A, b, problem->par + c->par, x, NULL);
}

double sc_local_joint(const sc_problem *problem, const sc_joint_row *row) {
  double a = sc_problem_joint_diagonal(problem, row);
  if (!(a > 0)) return 0;
  double x = row->x - sc_problem_joint_unmet(problem, row) / a;
  return x < row->lo ? row->lo : x > row->hi ? row->hi : x;
}
