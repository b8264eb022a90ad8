/* The matrix-free Delassus operator: computes relative velocities from the velocities of bodies, and the
 * effect of impulses on the velocities of bodies. */
#include "problem/problem.h"

#include <string.h>
#include "math/vec.h"
#include "problem/operator/matrix.h"
#include "problem/planar.h"
#include "problem/operator/delassus.h"

void sc_problem_ball_velocity(const sc_problem *problem, const sc_ball_contact *contact, double u[3]) {
  sc_ball_velocity(problem->body + contact->i, problem->body + contact->j, contact->n, u);
}

void sc_problem_ball_apply(const sc_problem *problem, const sc_ball_contact *contact, const double p[3]) {
  sc_solver_body *a = problem->body + contact->i, *b = problem->body + contact->j;
  double turn[3]; /* scaled angular impulse on either body: (-n) x p */
  sc_cross(p, contact->n, turn);
  for (int k = 0; k < 3; k++) {
    a->v[k] += a->inv_mass * p[k];
    b->v[k] -= b->inv_mass * p[k];
    a->q[k] += a->k * turn[k];
    b->q[k] += b->k * turn[k];
  }
}

static inline void multiply_inertia(const double K[6], const double a[3], double out[3]) {
  double x = K[0] * a[0] + K[1] * a[1] + K[2] * a[2], y = K[1] * a[0] + K[3] * a[1] + K[4] * a[2],
         z = K[2] * a[0] + K[4] * a[1] + K[5] * a[2];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

/* Computes out = K a for the K of a body. */
static inline void apply_inertia(const sc_problem *problem, int32_t body, const double a[3], double out[3]) {
  double scratch[6];
  multiply_inertia(sc_problem_inertia(problem, body, scratch), a, out);
}

/* Computes the vector with components x in the axes of a contact. Loops over three elements are written
 * out here, because compilers do not unroll them. */
static inline void sum_axes(const sc_general_contact *c, const double x[3], double out[3]) {
  const double n = x[0], t = x[1], o = x[2];
  out[0] = c->n[0] * n + c->t[0] * t + c->o[0] * o;
  out[1] = c->n[1] * n + c->t[1] * t + c->o[1] * o;
  out[2] = c->n[2] * n + c->t[2] * t + c->o[2] * o;
}

void sc_problem_general_velocity(const sc_problem *problem, const sc_general_contact *c, double *u) {
  if (problem->matrix) {
    memcpy(u, problem->matrix->velocity + c->x, (size_t)c->dim * sizeof *u);
    return;
  }
  const sc_solver_body *a = problem->body + c->i, *b = problem->body + c->j;
  double turn1[3], turn2[3], du[3];
  sc_cross(a->q, c->arm1, turn1);
  sc_cross(b->q, c->arm2, turn2);
  du[0] = a->v[0] + turn1[0] - b->v[0] - turn2[0];
  du[1] = a->v[1] + turn1[1] - b->v[1] - turn2[1];
  du[2] = a->v[2] + turn1[2] - b->v[2] - turn2[2];
  u[0] = sc_dot(c->n, du);
  u[1] = sc_dot(c->t, du);
  u[2] = problem->planar ? 0 : sc_dot(c->o, du);
  for (int k = 0; k < 3 && problem->drifts; k++) u[k] += c->drift[k];
  if (c->dim == 3) return;
  double w[3]; /* relative spin, for the rows of torsion and rolling */
  for (int k = 0; k < 3; k++) w[k] = a->q[k] / c->scale1 - b->q[k] / c->scale2;
  u[3] = sc_dot(c->n, w);
  if (c->dim > 4) u[4] = sc_dot(c->t, w);
  if (c->dim > 5) u[5] = sc_dot(c->o, w);
  for (int r = 3; r < 5 && r < c->dim && problem->planar; r++) u[r] = 0;
}

void sc_problem_general_state(const sc_problem *problem, const sc_general *from, sc_general_state *state) {
  const sc_general_contact *c = from->c;
  const double *x = from->x, *axis[] = {c->n, c->t, c->o};
  double u[SCREE_LAW_MAX_DIM];
  sc_problem_general_velocity(problem, c, u);
  sum_axes(c, x, state->p);
  sc_set3(0, 0, 0, state->m);
  for (int r = 3; r < c->dim; r++) sc_axpy(x[r], axis[r - 3], state->m, state->m);
  sc_copy3(c->n, state->n);
  sc_copy3(u, state->u);
}

/* Applies impulse p and moment m (world axes) to body 1, and -p and -m to body 2. Skips a body whose row is
 * not in low..high. */
static void apply_wrench(const sc_problem *problem, const sc_general_contact *c, const double p[3],
    const double m[3], int32_t low, int32_t high) {
  sc_solver_body *a = problem->body + c->i, *b = problem->body + c->j;
  double turn[3], dq[3], felt[3];
  sc_planar_feel(problem, p, felt);
  if (a->inv_mass > 0 && c->i >= low && c->i <= high) {
    sc_cross(c->arm1, p, turn);
    if (c->dim > 3) sc_axpy(1 / c->scale1, m, turn, turn);
    apply_inertia(problem, c->i, turn, dq);
    sc_axpy(a->inv_mass, felt, a->v, a->v);
    sc_add(a->q, dq, a->q);
  }
  if (b->inv_mass > 0 && c->j >= low && c->j <= high) {
    sc_cross(c->arm2, p, turn);
    if (c->dim > 3) sc_axpy(1 / c->scale2, m, turn, turn);
    apply_inertia(problem, c->j, turn, dq);
    sc_axpy(-b->inv_mass, felt, b->v, b->v);
    sc_sub(b->q, dq, b->q);
  }
}

void sc_problem_general_apply_within(
    const sc_problem *problem, const sc_general_contact *c, const double *x, int32_t low, int32_t high) {
  double p[3], m[3] = {0, 0, 0};
  sum_axes(c, x, p);
  for (int k = 0; k < 3 && c->dim > 3; k++)
    m[k] = c->n[k] * x[3] + (c->dim > 4 ? c->t[k] * x[4] : 0) + (c->dim > 5 ? c->o[k] * x[5] : 0);
  apply_wrench(problem, c, p, m, low, high);
}

void sc_problem_general_apply(const sc_problem *problem, const sc_general_contact *c, const double *x) {
  if (problem->matrix) sc_matrix_apply(problem, c, x);
  else sc_problem_general_apply_within(problem, c, x, 0, INT32_MAX);
}

/* Computes a row of the contact's Jacobian. lin: its part for v. ang1, ang2: its parts for q of bodies 1 and
 * 2. */
static inline void fill_jacobian(
    const sc_general_contact *c, int row, double lin[3], double ang1[3], double ang2[3]) {
  const double *axes[3] = {c->n, c->t, c->o};
  const double *axis = axes[row % 3];
  if (row < 3) {
    sc_copy3(axis, lin);
    sc_cross(c->arm1, axis, ang1);
    sc_cross(c->arm2, axis, ang2);
  } else {
    sc_set3(0, 0, 0, lin);
    sc_scale(1 / c->scale1, axis, ang1);
    sc_scale(1 / c->scale2, axis, ang2);
  }
}

/* Resets the rows of a block whose directions are excluded in a planar problem: sets their entries with other
 * rows to 0, and their diagonal entry to that of a movable row. */
static void reset_dead_rows(const sc_general_contact *c, double *A) {
  int n = c->dim;
  double turn = n > 5 ? A[5 * n + 5] : A[n + 1] / (c->scale1 * c->scale1);
  for (int r = 2; r < n && r < 5; r++) {
    for (int s = 0; s < n; s++) A[r * n + s] = A[s * n + r] = 0;
    A[r * n + r] = r == 2 ? A[n + 1] : turn;
  }
}

static inline void fill_block(
    const sc_problem *problem, const sc_general_contact *c, int dim, bool planar, double *A) {
  double lin[SCREE_LAW_MAX_DIM][3], ang1[SCREE_LAW_MAX_DIM][3], ang2[SCREE_LAW_MAX_DIM][3], scratch[2][6];
  double inv_mass = problem->body[c->i].inv_mass + problem->body[c->j].inv_mass;
  const double *K1 = sc_problem_inertia(problem, c->i, scratch[0]),
               *K2 = sc_problem_inertia(problem, c->j, scratch[1]);
  for (int r = 0; r < dim; r++) {
    fill_jacobian(c, r, lin[r], ang1[r], ang2[r]);
    if (planar) sc_planar_feel(problem, lin[r], lin[r]);
  }
  for (int r = 0; r < dim; r++) {
    double k1[3], k2[3];
    multiply_inertia(K1, ang1[r], k1);
    multiply_inertia(K2, ang2[r], k2);
    for (int s = 0; s <= r; s++)
      A[r * dim + s] = A[s * dim + r] = inv_mass * sc_dot(lin[r], lin[s]) + sc_dot(k1, ang1[s]) +
          sc_dot(k2, ang2[s]);
  }
}

void sc_problem_general_block(const sc_problem *problem, const sc_general_contact *c, double *A) {
  if (c->dim == 3 && !problem->planar) fill_block(problem, c, 3, false, A);
  else fill_block(problem, c, c->dim, problem->planar, A);
  if (problem->planar) reset_dead_rows(c, A);
  A[0] += c->spring.normal;
  A[c->dim + 1] += c->spring.tangent, A[2 * c->dim + 2] += c->spring.tangent;
}

/* Adds the effect of impulse x on the third body of a row. */
static void apply_third(const sc_problem *problem, const sc_joint_third *third, double x) {
  sc_solver_body *c = problem->body + third->body;
  double dq[3], felt[3];
  apply_inertia(problem, third->body, third->ang, dq);
  sc_planar_feel(problem, third->lin, felt);
  sc_axpy(c->inv_mass * x, felt, c->v, c->v);
  sc_axpy(x, dq, c->q, c->q);
}

/* Returns the contribution of the third body to the velocity of a row. */
static double third_velocity(const sc_problem *problem, const sc_joint_third *third) {
  const sc_solver_body *c = problem->body + third->body;
  return sc_dot(third->lin, c->v) + sc_dot(third->ang, c->q);
}

/* Returns the contribution of the third body to the Delassus entry of a row. */
static double third_diagonal(const sc_problem *problem, const sc_joint_third *third) {
  double k[3], felt[3];
  apply_inertia(problem, third->body, third->ang, k);
  sc_planar_feel(problem, third->lin, felt);
  return problem->body[third->body].inv_mass * sc_dot(felt, felt) + sc_dot(k, third->ang);
}

void sc_problem_joint_apply(const sc_problem *problem, const sc_joint_row *row, double x) {
  sc_solver_body *a = problem->body + row->i, *b = problem->body + row->j;
  double dq[3], felt[3];
  apply_inertia(problem, row->i, row->ang1, dq);
  sc_planar_feel(problem, row->lin1, felt);
  sc_axpy(a->inv_mass * x, felt, a->v, a->v);
  sc_axpy(x, dq, a->q, a->q);
  apply_inertia(problem, row->j, row->ang2, dq);
  sc_planar_feel(problem, row->lin2, felt);
  sc_axpy(b->inv_mass * x, felt, b->v, b->v);
  sc_axpy(x, dq, b->q, b->q);
  if (row->third) apply_third(problem, sc_problem_third(problem, row), x);
}

double sc_problem_joint_velocity(const sc_problem *problem, const sc_joint_row *row) {
  const sc_solver_body *a = problem->body + row->i, *b = problem->body + row->j;
  const double sum = sc_dot(row->lin1, a->v) + sc_dot(row->ang1, a->q) + sc_dot(row->lin2, b->v) +
      sc_dot(row->ang2, b->q);
  return row->third ? sum + third_velocity(problem, sc_problem_third(problem, row)) : sum;
}

double sc_problem_joint_unmet(const sc_problem *problem, const sc_joint_row *row) {
  return sc_problem_joint_velocity(problem, row) + row->bias + row->softness * row->x;
}

double sc_problem_joint_diagonal(const sc_problem *problem, const sc_joint_row *row) {
  double k1[3], k2[3], l1[3], l2[3];
  apply_inertia(problem, row->i, row->ang1, k1);
  apply_inertia(problem, row->j, row->ang2, k2);
  sc_planar_feel(problem, row->lin1, l1);
  sc_planar_feel(problem, row->lin2, l2);
  const double sum = problem->body[row->i].inv_mass * sc_dot(l1, l1) +
      problem->body[row->j].inv_mass * sc_dot(l2, l2) + sc_dot(k1, row->ang1) + sc_dot(k2, row->ang2) +
      row->softness;
  return row->third ? sum + third_diagonal(problem, sc_problem_third(problem, row)) : sum;
}
