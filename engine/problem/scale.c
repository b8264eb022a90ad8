/* The scale of velocities in a problem, which tolerances are shares of. */
#include "problem/lanes.h"
#include "math/vec.h"

static double closing_balls(void *context, int64_t first, int64_t end) {
  enum { AHEAD = 16 };
  const sc_problem *problem = context;
  double sum = 0, u[3];
  for (int64_t c = first; c < end; c++) {
    if (c + AHEAD < end) {
      const sc_ball_contact next = sc_problem_ball(problem, (int32_t)c + AHEAD);
      __builtin_prefetch(problem->body + next.i);
      __builtin_prefetch(problem->body + next.j);
    }
    const sc_ball_contact ball = sc_problem_ball(problem, (int32_t)c);
    sc_ball_velocity(problem->body + ball.i, problem->body + ball.j, ball.n, u);
    sum += fmax(0, -sc_dot(u, ball.n) - ball.bias);
  }
  return sum;
}

double sc_problem_closing(const sc_problem *problem, sc_pool *pool) {
  double u[SCREE_LAW_MAX_DIM],
      sum = problem->closing_known ? problem->closing
                                   : sc_pool_sum(pool, problem->balls, closing_balls, (void *)problem);
  for (int32_t c = 0; c < problem->generals; c++) {
    sc_problem_general_velocity(problem, problem->general + c, u);
    sum += fmax(0, -u[0] - problem->general[c].bias);
  }
  int32_t count = problem->balls + problem->generals;
  return count ? sum / count : 0;
}

/* Speeds of both bodies along a row, what it asks for, and what a given impulse does. */
static double joint_speed(const sc_problem *problem, const sc_joint_row *row) {
  const sc_solver_body *i = problem->body + row->i, *j = problem->body + row->j;
  double given = row->lo == row->hi ? fabs(row->hi) * sc_problem_joint_diagonal(problem, row) : 0;
  return fabs(row->bias) + given + fabs(sc_dot(row->lin1, i->v)) + fabs(sc_dot(row->ang1, i->q)) +
      fabs(sc_dot(row->lin2, j->v)) + fabs(sc_dot(row->ang2, j->q));
}

double sc_problem_velocity_scale(const sc_problem *problem, sc_pool *pool) {
  double scale = fmax(problem->gravity * problem->dt, sc_problem_closing(problem, pool)), sum = 0;
  if (scale > 0 || !problem->joint_rows) return scale;
  for (int32_t r = 0; r < problem->joint_rows; r++) sum += joint_speed(problem, problem->joint_row + r);
  return sum / problem->joint_rows;
}
