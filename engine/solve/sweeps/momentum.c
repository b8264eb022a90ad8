/* Momentum on sweeps: see momentum.h. */
#include "solve/sweeps/momentum.h"

#include <math.h>
#include <string.h>

#include "problem/contacts/contacts.h"
#include "solve/sweeps/kernels/sweep.h"

enum { CHUNK = 1024 }; /* number of bodies per partial sum */

/* Constants of the pace. Each choice is judged by two numbers: the mean of log10(residual with
 * momentum/without) after 32 to 1024 sweeps of 30 rigid problems (18 of flows past a blade, 12 public ones),
 * and the share of problems for which momentum is worse. The constants below have -0.90 and 13 %. Without an
 * adaptive cap (WINDOW infinite, GROWTH 100) the numbers are -0.64 and 29 %. The comment of a constant gives
 * both numbers for other values of this constant alone. */
static const double TOP = 0.9;   /* largest cap of beta; 0.95: -0.78, 12 %; 0.8: -0.86, 11 % */
static const double GROWTH = 10; /* growth of the norm that restarts theta; 100: -0.89, 14 % */
enum { WINDOW = 16 };            /* sweeps between two updates of the cap; 12: -0.69, 9 %; 24: -0.89, 13 % */
static const double FALL = 0.8;  /* the cap drops if norm > FALL * earlier norm; 0.5: -0.81, 11 % */
static const double DROP = 0.8;  /* factor of a cap that drops; not measured */
static const double RISE = 1.1;  /* divisor of 1 - cap for a cap that rises; not measured */

/* Returns the smaller of the two shares that a contact's spring has in the diagonal of its block, along and
 * across the normal. n, t: diagonal entries without springs. Returns 0 for a rigid contact. */
static double share_of(const sc_contact_spring *spring, double n, double t) {
  if (!(spring->normal > 0)) return 0;
  return fmin(spring->normal / (n + spring->normal), spring->tangent / (t + spring->tangent));
}

double sc_momentum_top(const sc_problem *problem) {
  double q = 1;
  sc_general_room room;
  if (!problem->springs || problem->joint_rows || problem->couple) return TOP;
  for (int32_t c = 0; c < problem->balls && q > 0; c++) {
    const sc_ball_contact ball = sc_problem_ball(problem, c);
    const sc_solver_body *a = problem->body + ball.i, *b = problem->body + ball.j;
    const double a_n = a->inv_mass + b->inv_mass;
    q = fmin(q, share_of(&ball.spring, a_n, a_n + a->k + b->k));
  }
  for (int32_t c = 0; c < problem->generals && q > 0; c++) {
    const sc_general g = sc_problem_general(problem, c, &room);
    const int n = g.c->dim;
    const sc_contact_spring *s = &g.c->spring;
    q = n > 3 ? 0 : fmin(q, share_of(s, g.A[0] - s->normal, fmax(g.A[n + 1], g.A[2 * n + 2]) - s->tangent));
  }
  return fmin(TOP, (1 - sqrt(q)) / (1 + sqrt(q)));
}

static void store_impulses(sc_momentum *m) {
  const sc_problem *problem = m->problem;
  memcpy(m->body, problem->body, (size_t)problem->bodies * sizeof *m->body);
  if (m->x_count) memcpy(m->x, problem->x, (size_t)m->x_count * sizeof *m->x);
  for (int32_t r = 0; r < m->rows; r++) m->joint[r] = problem->joint_row[m->row[r]].x;
}

/* Lists the joint rows of all blocks. Returns false if out of memory. */
static bool list_rows_of_blocks(const sc_joint_blocks *joints, sc_arena *arena, sc_momentum *m) {
  size_t count = 0;
  for (int32_t k = 0; k < joints->count; k++)
    count += (size_t)(joints->block[k].held + joints->block[k].boxed);
  m->row = SC_TAKE(arena, int32_t, count);
  m->joint = SC_TAKE(arena, double, count);
  if (!m->row || !m->joint) return false;
  for (int32_t k = 0; k < joints->count; k++)
    for (int32_t i = 0; i < joints->block[k].held + joints->block[k].boxed; i++)
      m->row[m->rows++] = joints->block[k].row[i];
  return true;
}

bool sc_momentum_build(
    const sc_problem *problem, const sc_joint_blocks *joints, sc_arena *arena, sc_momentum *m) {
  const int32_t rows = sc_problem_rows(problem);
  const sc_general_contact *last = rows ? problem->general + rows - 1 : NULL;
  *m = (sc_momentum){.problem = problem,
      .sweeps = sc_sweeps_best(),
      .top = sc_momentum_top(problem),
      .x_count = last ? last->x + last->dim : 0,
      .chunks = (problem->bodies + CHUNK - 1) / CHUNK};
  m->body = SC_TAKE(arena, sc_solver_body, problem->bodies);
  m->x = SC_TAKE(arena, double, m->x_count);
  m->sum = SC_TAKE(arena, double, m->chunks);
  if (!m->body || !m->x || !m->sum || !list_rows_of_blocks(joints, arena, m)) return false;
  store_impulses(m);
  return true;
}

void sc_momentum_measure(sc_momentum *m, int thread, int threads) {
  int64_t first, end;
  sc_part(m->chunks, thread, threads, &first, &end);
  for (int64_t c = first; c < end; c++) {
    const int64_t from = c * CHUNK, left = m->problem->bodies - from;
    m->sum[c] = m->sweeps->change(
        m->problem->body + from, m->body + from, (int32_t)(left < CHUNK ? left : CHUNK));
  }
}

double sc_momentum_norm(const sc_momentum *m) {
  double sum = 0;
  for (int32_t c = 0; c < m->chunks; c++) sum += m->sum[c];
  return sum;
}

static void restart_theta(sc_pace *pace, double norm) {
  pace->theta = 1;
  pace->least = norm;
}

/* Updates the cap of beta from the minimum norm since the last update and the minimum norm before that
 * update. */
static void update_cap(sc_pace *pace) {
  if (pace->lately > FALL * pace->before) {
    pace->cap *= DROP;
    restart_theta(pace, INFINITY);
  } else {
    pace->cap = fmin(pace->top, 1 - (1 - pace->cap) / RISE);
  }
  pace->before = fmin(pace->lately, pace->before);
  pace->lately = INFINITY, pace->count = 0;
}

void sc_momentum_pace(double norm, sc_pace *pace) {
  if (norm > GROWTH * pace->least) restart_theta(pace, norm);
  pace->least = fmin(pace->least, norm);
  pace->lately = fmin(pace->lately, norm);
  if (++pace->count == WINDOW) update_cap(pace);
  double square = pace->theta * pace->theta, next = (sqrt(square * square + 4 * square) - square) / 2;
  pace->beta = fmin(pace->theta * (1 - pace->theta) / (square + next), pace->cap);
  pace->theta = next;
}

/* Extrapolates a value y to y + beta (y - before), and sets before to the old y. */
static void extrapolate_value(double *y, double *before, double beta) {
  double now = *y;
  *y = now + beta * (now - *before);
  *before = now;
}

void sc_momentum_move(sc_momentum *m, double beta, int thread, int threads) {
  const sc_problem *problem = m->problem;
  int64_t first, end;
  sc_part(problem->bodies, thread, threads, &first, &end);
  m->sweeps->move(problem->body + first, m->body + first, (int32_t)(end - first), beta);
  sc_part(m->x_count, thread, threads, &first, &end);
  for (int64_t i = first; i < end; i++) extrapolate_value(problem->x + i, m->x + i, beta);
  sc_part(m->rows, thread, threads, &first, &end);
  for (int64_t r = first; r < end; r++)
    extrapolate_value(&problem->joint_row[m->row[r]].x, m->joint + r, beta);
}
