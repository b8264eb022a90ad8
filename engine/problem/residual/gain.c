/* Computes the kinetic energy that impulses add: see gain.h. */
#include "problem/residual/gain.h"

#include <math.h>
#include <string.h>
#include "problem/joints/bonds.h"
#include "problem/operator/rows.h"
#include "problem/contacts/contacts.h"
#include "problem/operator/delassus.h"

/* ---- sums over bodies ---- */

/* Sets out = K^-1 a, the scaled angular momentum of a scaled spin. A planar K has rank 1: its
 * pseudo-inverse is K over the square of its trace. */
static void invert_turn(const sc_problem *problem, int32_t row, const double a[3], double out[3]) {
  const double *K = problem->K[row];
  if (problem->planar) {
    const double trace = K[0] + K[3] + K[5];
    sc_problem_turn(problem, row, a, out);
    sc_scale(trace > 0 ? 1 / (trace * trace) : 0, out, out);
    return;
  }
  const double x = K[3] * K[5] - K[4] * K[4], y = K[2] * K[4] - K[1] * K[5], z = K[1] * K[4] - K[2] * K[3],
               det = K[0] * x + K[1] * y + K[2] * z,
               inverse[9] = {x, y, z, y, K[0] * K[5] - K[2] * K[2], K[1] * K[2] - K[0] * K[4], z,
                   K[1] * K[2] - K[0] * K[4], K[0] * K[3] - K[1] * K[1]};
  sc_mat_vec(inverse, a, out);
  sc_scale(det > 0 ? 1 / det : 0, out, out);
}

/* Computes linear and angular momentum of a body from its velocity and scaled spin. A body without inverse
 * inertia does not rotate. */
static void momenta_of(const sc_problem *problem, int32_t row, const double v[3], const double q[3],
    double momentum[3], double turn[3]) {
  const sc_solver_body *body = problem->body + row;
  sc_scale(1 / body->inv_mass, v, momentum);
  if (body->k > 0) sc_scale(1 / body->k, q, turn);
  else if (problem->K) invert_turn(problem, row, q, turn);
  else sc_set3(0, 0, 0, turn);
}

static double kinetic_of_range(void *context, int64_t first, int64_t end) {
  const sc_problem *problem = context;
  double sum = 0, momentum[3], turn[3];
  for (int32_t row = (int32_t)first; row < end; row++) {
    const sc_solver_body *body = problem->body + row;
    if (!(body->inv_mass > 0)) continue;
    momenta_of(problem, row, body->v, body->q, momentum, turn);
    sum += (sc_dot(momentum, body->v) + sc_dot(turn, body->q)) / 2;
  }
  return sum;
}

double sc_problem_kinetic(const sc_problem *problem, sc_pool *pool) {
  return sc_pool_sum(pool, problem->bodies, kinetic_of_range, (void *)problem);
}

sc_gain sc_problem_gain(const sc_problem *problem, const sc_solver_body *free) {
  sc_gain gain = {0, 0};
  for (int32_t row = 0; row < problem->bodies; row++) {
    const sc_solver_body *from = free + row, *to = problem->body + row;
    double dv[3], dq[3], momentum[3], turn[3];
    if (!(to->inv_mass > 0)) continue;
    sc_sub(to->v, from->v, dv), sc_sub(to->q, from->q, dq);
    momenta_of(problem, row, dv, dq, momentum, turn);
    gain.linear += sc_dot(momentum, from->v) + sc_dot(turn, from->q);
    gain.square += sc_dot(momentum, dv) + sc_dot(turn, dq);
  }
  return gain;
}

double sc_gain_best_share(const sc_gain *gain) {
  const double share = -gain->linear / gain->square;
  return share > 0 ? fmin(share, 1) : 0;
}

/* ---- the bound ---- */

/* Sums of the bound over contacts and rows. If impulses x are exact, x.u <= -x.bias (u: velocity at the
 * contact). An error of `tolerance` in the velocity adds |x| tolerance to the bound. */
typedef struct bound {
  const sc_problem *problem;
  sc_problem driven; /* copy of the problem in which immovable bodies have their velocities, and all other
                        bodies have velocity 0 */
  double tolerance, sum;
} bound;

/* Returns an upper bound of the work of a tangential spring [J]. both: dot product of the impulse and the
 * tangential impulse of the last step [N2 s2]. square: squared tangential impulse [N2 s2]. */
static double spring_work(const sc_contact_spring *spring, double both, double square) {
  return spring->tangent * fmax(0, both - square);
}

static void add_balls(bound *b) {
  for (int32_t c = 0; c < b->problem->balls; c++) {
    const sc_ball_contact ball = sc_problem_ball(b->problem, c);
    double u[3], w[3];
    sc_problem_ball_velocity(&b->driven, &ball, u);
    const double p_n = sc_dot(ball.p, ball.n), bias = sc_spring_bias(&ball.spring, ball.bias);
    b->sum += sc_norm(ball.p) * b->tolerance - sc_dot(ball.p, u) - p_n * fmin(0, bias);
    b->sum += spring_work(&ball.spring, sc_dot(ball.p, ball.spring.last), sc_dot(ball.p, ball.p) - p_n * p_n);
    if (!b->problem->couple) continue;
    sc_problem_couple_velocity(&b->driven, &ball, b->problem->couple + c, w);
    b->sum -= sc_dot(b->problem->couple[c].m, w);
  }
}

static void add_generals(bound *b) {
  for (int32_t c = 0; c < b->problem->generals; c++) {
    sc_general_room scratch;
    const sc_general g = sc_problem_impulse(b->problem, c, &scratch);
    double u[SCREE_LAW_MAX_DIM], square = 0;
    sc_problem_general_velocity(&b->driven, g.c, u);
    for (int k = 0; k < g.c->dim; k++) {
      b->sum -= g.x[k] * u[k];
      square += k < 3 ? g.x[k] * g.x[k] : 0;
    }
    const double bias = sc_spring_bias(&g.c->spring, g.c->bias);
    b->sum += sqrt(square) * b->tolerance - g.x[0] * fmin(0, bias);
    b->sum += spring_work(&g.c->spring, sc_dot(g.x, g.c->spring.last), square - g.x[0] * g.x[0]);
  }
}

/* Adds the bounds of all joint rows. A row at one of its bounds does work like a motor. A row between its
 * bounds satisfies its bias. */
static void add_rows(bound *b) {
  for (int32_t r = 0; r < b->problem->joint_rows; r++) {
    const sc_joint_row *row = b->problem->joint_row + r;
    const double driven = sc_problem_joint_velocity(&b->driven, row),
                 now = sc_problem_joint_velocity(b->problem, row), met = -row->bias - row->softness * row->x;
    const bool bounded = !(row->x > row->lo && row->x < row->hi);
    b->sum += row->x * ((bounded ? now : met) - driven) + fabs(row->x) * b->tolerance;
  }
}

static void add_bonds(bound *b) {
  for (int32_t k = 0; k < b->problem->bonds; k++) {
    const sc_bond_row *row = b->problem->bond + k;
    double u[3], r[3];
    sc_bond_velocity(b->driven.body + row->i, b->driven.body + row->j, row, u, r);
    b->sum -= sc_dot(row->p, u) + sc_dot(row->m, r);
    b->sum += fabs(sc_dot(row->p, row->push)) + fabs(sc_dot(row->m, row->turn)) +
        (sc_norm(row->p) + sc_norm(row->m)) * b->tolerance;
  }
}

double sc_problem_gain_bound(const sc_problem *problem, double tolerance, sc_arena *arena) {
  const sc_arena_mark mark = sc_arena_here(arena);
  bound b = {problem, *problem, tolerance, 0};
  b.driven.body = SC_TAKE(arena, sc_solver_body, problem->bodies);
  if (!b.driven.body) return INFINITY;
  memcpy(b.driven.body, problem->body, (size_t)problem->bodies * sizeof *b.driven.body);
  for (int32_t row = 0; row < problem->bodies; row++)
    if (problem->body[row].inv_mass > 0)
      sc_set3(0, 0, 0, b.driven.body[row].v), sc_set3(0, 0, 0, b.driven.body[row].q);
  add_balls(&b), add_generals(&b), add_rows(&b), add_bonds(&b);
  sc_arena_back(arena, mark);
  return b.sum;
}

/* ---- scaled impulses ---- */

void sc_problem_scale_impulses(const sc_problem *problem, double share) {
  for (int32_t c = 0; c < problem->balls; c++) {
    double p[3];
    sc_scale(share, sc_problem_ball(problem, c).p, p);
    sc_problem_ball_set(problem, c, p);
    if (problem->couple) sc_scale(share, problem->couple[c].m, problem->couple[c].m);
  }
  for (int32_t c = 0; c < problem->generals; c++) {
    sc_general_room scratch;
    const sc_general g = sc_problem_impulse(problem, c, &scratch);
    double x[SCREE_LAW_MAX_DIM];
    for (int k = 0; k < g.c->dim; k++) x[k] = share * g.x[k];
    sc_problem_general_set(problem, c, x);
  }
  for (int32_t r = 0; r < problem->joint_rows; r++) problem->joint_row[r].x *= share;
  for (int32_t k = 0; k < problem->bonds; k++) {
    sc_bond_row *row = problem->bond + k;
    sc_scale(share, row->p, row->p), sc_scale(share, row->m, row->m);
  }
}
