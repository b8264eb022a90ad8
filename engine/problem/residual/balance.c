/* Balance of forces: see balance.h. */
#include "problem/residual/balance.h"
#include "math/vec.h"
#include "problem/joints/bonds.h"
#include "problem/contacts/contacts.h"
#include "problem/operator/delassus.h"
#include "problem/residual/residual.h"

/* Contribution of one contact, joint row or bond to the balance. */
typedef struct share {
  double impulse;  /* size of the impulse [N s] */
  double motion;   /* relative speed at the end of the step [m/s] */
  double residual; /* residual of the law [m/s] */
  double work;     /* impulse times residual [J] */
} share;

static share of_ball(const sc_problem *problem, int32_t c) {
  const sc_ball_contact contact = sc_problem_ball(problem, c);
  double u[3], p = sc_norm(contact.p), r = sc_problem_residual_of(problem, c);
  sc_problem_ball_velocity(problem, &contact, u);
  return (share){p, sc_norm(u), r, p * r};
}

static share of_general(const sc_problem *problem, int32_t c) {
  sc_general_room scratch;
  const sc_general contact = sc_problem_general(problem, c, &scratch);
  double u[SCREE_LAW_MAX_DIM], p = sc_norm(contact.x), r = sc_problem_general_residual(problem, &contact);
  sc_problem_general_velocity(problem, contact.c, u);
  return (share){p, sc_norm(u), r, p * r};
}

/* Returns the share of a joint row. Impulse and velocity are those of a row scaled so that the longest of its
 * directions on its bodies has length 1. Otherwise they would depend on the scale of the row. */
static share of_row(const sc_problem *problem, int32_t r) {
  const sc_joint_row *row = problem->joint_row + r;
  const sc_joint_third *third = sc_problem_third(problem, row);
  double one = sc_dot(row->lin1, row->lin1) + sc_dot(row->ang1, row->ang1),
         two = sc_dot(row->lin2, row->lin2) + sc_dot(row->ang2, row->ang2),
         three = third ? sc_dot(third->lin, third->lin) + sc_dot(third->ang, third->ang) : 0,
         longer = one > two ? one : two, size = sqrt(longer > three ? longer : three),
         residual = sc_problem_residual_of(problem, problem->balls + problem->generals + r);
  if (!(size > 0)) return (share){0, 0, residual, 0};
  return (share){fabs(row->x) * size, fabs(sc_problem_joint_velocity(problem, row)) / size, residual,
      fabs(row->x) * residual};
}

static share of_bond(const sc_problem *problem, int32_t b) {
  const sc_bond_row *row = problem->bond + b;
  double u[3], r[3], p = sqrt(sc_dot(row->p, row->p) + sc_dot(row->m, row->m)),
                     residual = sc_problem_bond_residual(problem, row);
  sc_bond_velocity(problem->body + row->i, problem->body + row->j, row, u, r);
  return (share){p, sqrt(sc_dot(u, u) + sc_dot(r, r)), residual, p * residual};
}

static share share_of(const sc_problem *problem, int32_t c) {
  const int32_t contacts = problem->balls + problem->generals, rows = contacts + problem->joint_rows;
  if (c < problem->balls) return of_ball(problem, c);
  if (c < contacts) return of_general(problem, c - problem->balls);
  return c < rows ? of_row(problem, c - contacts) : of_bond(problem, c - rows);
}

enum {
  MAX_PARTS = 256
}; /* partial sums; they are added in order, so the result does not depend on threads */
typedef struct adder {
  const sc_problem *problem;
  double scale;
  int64_t chunk;
  sc_balance part[MAX_PARTS];
} adder;

/* Returns the larger of two residuals; NaN if one of them is NaN. */
static double max_or_nan(double a, double b) { return b > a || b != b ? b : a; }

static void add_range(void *context, int64_t first, int64_t end) {
  adder *a = context;
  sc_balance sum = {0, 0, 0};
  for (int64_t c = first; c < end; c++) {
    const share s = share_of(a->problem, (int32_t)c);
    sum.error += s.work;
    sum.load += s.impulse * (a->scale + s.motion);
    sum.residual = max_or_nan(sum.residual, s.residual);
  }
  a->part[first / a->chunk] = sum;
}

sc_balance sc_problem_balance(const sc_problem *problem, double scale, sc_pool *pool) {
  const int64_t all = (int64_t)problem->balls + problem->generals + problem->joint_rows + problem->bonds,
                min_chunk = (all + MAX_PARTS - 1) / MAX_PARTS;
  adder a = {
      .problem = problem, .scale = scale, .chunk = min_chunk > SC_SHORT_RANGE ? min_chunk : SC_SHORT_RANGE};
  sc_balance sum = {0, 0, 0};
  sc_pool_ranges(pool, all, a.chunk, add_range, &a);
  for (int64_t k = 0; k * a.chunk < all; k++) {
    sum.error += a.part[k].error, sum.load += a.part[k].load;
    sum.residual = max_or_nan(sum.residual, a.part[k].residual);
  }
  return sum;
}
