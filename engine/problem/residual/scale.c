/* Computes the velocity scale of a problem. Tolerances are multiples of this scale. */
#include "problem/problem.h"
#include "problem/contacts/contacts.h"
#include "problem/operator/delassus.h"
#include "problem/residual/residual.h"

#include <math.h>

static double closing_balls(void *context, int64_t first, int64_t end) {
  enum { AHEAD = 16 };
  const sc_problem *problem = context;
  sc_ball_contact scratch[SC_BALLS];
  double sum = 0, u[3];
  for (int64_t at = first; at < end; at += SC_BALLS) {
    int32_t count = end - at < SC_BALLS ? (int32_t)(end - at) : SC_BALLS;
    const sc_ball_contact *ball = sc_problem_balls(problem, (int32_t)at, count, scratch);
    for (int32_t c = 0; c < count; c++) {
      if (c + AHEAD < count) {
        __builtin_prefetch(problem->body + ball[c + AHEAD].i);
        __builtin_prefetch(problem->body + ball[c + AHEAD].j);
      }
      sc_ball_velocity(problem->body + ball[c].i, problem->body + ball[c].j, ball[c].n, u);
      sum += fmax(0, -sc_dot(u, ball[c].n) - ball[c].bias);
    }
  }
  return sum;
}

double sc_problem_closing_with(const sc_problem *problem, double balls, sc_pool *pool) {
  int32_t count = problem->balls + problem->generals;
  return count ? (balls + sc_problem_closing_generals(problem, pool)) / count : 0;
}

double sc_problem_closing_balls(const sc_problem *problem, sc_pool *pool) {
  return sc_pool_sum(pool, problem->balls, closing_balls, (void *)problem);
}

double sc_problem_closing(const sc_problem *problem, sc_pool *pool) {
  return sc_problem_closing_with(problem, sc_problem_closing_balls(problem, pool), pool);
}

/* Returns the sum of three speeds of a joint row: the speed of its bodies along the row, the size of its
 * bias, and the speed that a given impulse causes. */
static double joint_speed(const sc_problem *problem, const sc_joint_row *row) {
  const sc_solver_body *i = problem->body + row->i, *j = problem->body + row->j;
  double given = row->lo == row->hi ? fabs(row->hi) * sc_problem_joint_diagonal(problem, row) : 0;
  double sum = fabs(row->bias) + given + fabs(sc_dot(row->lin1, i->v)) + fabs(sc_dot(row->ang1, i->q)) +
      fabs(sc_dot(row->lin2, j->v)) + fabs(sc_dot(row->ang2, j->q));
  const sc_joint_third *third = sc_problem_third(problem, row);
  if (!third) return sum;
  const sc_solver_body *k = problem->body + third->body;
  return sum + fabs(sc_dot(third->lin, k->v)) + fabs(sc_dot(third->ang, k->q));
}

/* Returns the sum of the speeds of both bodies of a bond and of the sizes of its biases. */
static double bond_speed(const sc_problem *problem, const sc_bond_row *row) {
  const sc_solver_body *i = problem->body + row->i, *j = problem->body + row->j;
  return sc_norm(row->push) + sc_norm(row->turn) + sc_norm(i->v) + sc_norm(i->q) + sc_norm(j->v) +
      sc_norm(j->q);
}

/* Returns true if a row drives bodies: a given impulse, a motor or a spring. */
static bool is_drive(const sc_joint_row *row) {
  return (row->lo == row->hi && row->lo != 0) || row->motor || row->softness > 0;
}

/* Returns the velocity that a drive gives to its row if nothing resists. For a motor the impulse of the
 * last step is used. */
static double drive_speed(const sc_problem *problem, const sc_joint_row *row) {
  const double diagonal = sc_problem_joint_diagonal(problem, row);
  if (row->lo == row->hi) return fabs(row->hi) * diagonal;
  if (!(row->softness > 0)) return fabs(row->x) * diagonal;
  return fabs(row->bias) * (1 - row->softness / diagonal);
}

/* Share of the drive speed that velocity errors may have as rounding errors, even without gravity. */
static const double DRIVEN = 1e-6;

double sc_problem_drive_speed(const sc_problem *problem) {
  double sum = 0;
  int32_t drives = 0;
  for (int32_t r = 0; r < problem->joint_rows; r++) {
    const sc_joint_row *row = problem->joint_row + r;
    if (!is_drive(row)) continue;
    sum += drive_speed(problem, row);
    drives++;
  }
  return drives ? sum / drives : 0;
}

double sc_problem_velocity_scale(const sc_problem *problem, double closing) {
  SC_ASSERT(problem);
  double scale = fmax(
             fmax(problem->gravity * problem->dt, closing), DRIVEN * sc_problem_drive_speed(problem)),
         sum = 0;
  const int32_t rows = problem->joint_rows, all = rows + problem->bonds;
  if (scale > 0 || !all) return scale;
  for (int32_t r = 0; r < rows; r++) sum += joint_speed(problem, problem->joint_row + r);
  for (int32_t r = 0; r < problem->bonds; r++) sum += bond_speed(problem, problem->bond + r);
  return sum / all;
}
