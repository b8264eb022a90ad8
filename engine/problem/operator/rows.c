/* Rows of contacts and joints as generalised directions. */
#include "problem/operator/rows.h"

#include <string.h>
#include "math/vec.h"
#include "problem/planar.h"

static void negate_vector(const double a[3], double out[3]) { sc_scale(-1, a, out); }

void sc_row_of_ball(const sc_ball_contact *contact, const double direction[3], sc_row *row) {
  row->i = contact->i;
  row->j = contact->j;
  sc_copy3(direction, row->lin1);
  negate_vector(direction, row->lin2);
  // the arms are -n and n, so both spins have the same sign: (q x arm).d = q.(arm x d)
  sc_cross(direction, contact->n, row->ang1);
  sc_copy3(row->ang1, row->ang2);
  row->third = NULL;
}

void sc_row_of_general(const sc_general_contact *contact, int k, sc_row *row) {
  const double *axes[3] = {contact->n, contact->t, contact->o}, *d = axes[k % 3];
  memset(row, 0, sizeof *row);
  row->i = contact->i;
  row->j = contact->j;
  if (k >= 3) { // torsion and rolling act on the spins w = q/s
    sc_scale(1 / contact->scale1, d, row->ang1);
    sc_scale(-1 / contact->scale2, d, row->ang2);
    return;
  }
  sc_copy3(d, row->lin1);
  negate_vector(d, row->lin2);
  sc_cross(contact->arm1, d, row->ang1);
  sc_cross(d, contact->arm2, row->ang2);
}

void sc_row_of_joint(const sc_problem *problem, const sc_joint_row *joint, sc_row *row) {
  row->i = joint->i;
  row->j = joint->j;
  sc_copy3(joint->lin1, row->lin1);
  sc_copy3(joint->ang1, row->ang1);
  sc_copy3(joint->lin2, row->lin2);
  sc_copy3(joint->ang2, row->ang2);
  row->third = sc_problem_third(problem, joint);
}

double sc_row_velocity(const sc_problem *problem, const sc_row *row) {
  const sc_solver_body *a = problem->body + row->i, *b = problem->body + row->j;
  double sum = sc_dot(row->lin1, a->v) + sc_dot(row->ang1, a->q) + sc_dot(row->lin2, b->v) +
      sc_dot(row->ang2, b->q);
  if (!row->third) return sum;
  const sc_solver_body *c = problem->body + row->third->body;
  return sum + sc_dot(row->third->lin, c->v) + sc_dot(row->third->ang, c->q);
}

void sc_problem_turn(const sc_problem *problem, int32_t body, const double a[3], double out[3]) {
  double k = problem->body[body].k;
  if (k > 0) {
    sc_scale(k, a, out);
    return;
  }
  double scratch[6];
  const double *K = sc_problem_inertia(problem, body, scratch);
  sc_set3(K[0] * a[0] + K[1] * a[1] + K[2] * a[2], K[1] * a[0] + K[3] * a[1] + K[4] * a[2],
      K[2] * a[0] + K[4] * a[1] + K[5] * a[2], out);
}

static void apply_direction(
    const sc_problem *problem, int32_t body, const double lin[3], const double ang[3], double x) {
  sc_solver_body *b = problem->body + body;
  double turn[3], felt[3];
  sc_planar_feel(problem, lin, felt);
  sc_axpy(x * b->inv_mass, felt, b->v, b->v);
  sc_problem_turn(problem, body, ang, turn);
  sc_axpy(x, turn, b->q, b->q);
}

void sc_row_apply(const sc_problem *problem, const sc_row *row, double x) {
  apply_direction(problem, row->i, row->lin1, row->ang1, x);
  apply_direction(problem, row->j, row->lin2, row->ang2, x);
  if (row->third) apply_direction(problem, row->third->body, row->third->lin, row->third->ang, x);
}

/* Returns the entry of the Delassus matrix between two directions of one body. */
static double couple_directions(const sc_problem *problem, int32_t body, const double lin_a[3],
    const double ang_a[3], const double lin_b[3], const double ang_b[3]) {
  double turn[3], felt[3];
  sc_problem_turn(problem, body, ang_b, turn);
  sc_planar_feel(problem, lin_b, felt);
  return problem->body[body].inv_mass * sc_dot(lin_a, felt) + sc_dot(ang_a, turn);
}

/* Returns the part of the Delassus entry between rows a and b that row a's third body contributes. */
static double couple_third(const sc_problem *problem, const sc_row *a, const sc_row *b, bool thirds) {
  const sc_joint_third *t = a->third;
  double sum = 0;
  if (!t) return 0;
  if (t->body == b->i) sum += couple_directions(problem, t->body, t->lin, t->ang, b->lin1, b->ang1);
  if (t->body == b->j) sum += couple_directions(problem, t->body, t->lin, t->ang, b->lin2, b->ang2);
  if (thirds && b->third && t->body == b->third->body)
    sum += couple_directions(problem, t->body, t->lin, t->ang, b->third->lin, b->third->ang);
  return sum;
}

double sc_row_couple(const sc_problem *problem, const sc_row *a, const sc_row *b) {
  double sum = 0;
  if (a->i == b->i) sum += couple_directions(problem, a->i, a->lin1, a->ang1, b->lin1, b->ang1);
  if (a->i == b->j) sum += couple_directions(problem, a->i, a->lin1, a->ang1, b->lin2, b->ang2);
  if (a->j == b->i) sum += couple_directions(problem, a->j, a->lin2, a->ang2, b->lin1, b->ang1);
  if (a->j == b->j) sum += couple_directions(problem, a->j, a->lin2, a->ang2, b->lin2, b->ang2);
  if (a->third || b->third) sum += couple_third(problem, a, b, true) + couple_third(problem, b, a, false);
  return sum;
}

double sc_problem_parameter(
    const sc_problem *problem, const sc_general_contact *contact, const char *name, double fallback) {
  const sc_law *law = problem->law[contact->law];
  const scree_param *entry = scree_param_find(law->params, law->params_count, name);
  return entry ? problem->par[contact->par + (int32_t)(entry->offset / sizeof(double))] : fallback;
}

double sc_problem_mu(const sc_problem *problem, const sc_general_contact *contact) {
  return sc_problem_parameter(problem, contact, "mu", 0);
}
