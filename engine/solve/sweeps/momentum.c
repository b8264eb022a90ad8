/* Momentum on sweeps: see momentum.h. */
#include "solve/sweeps/momentum.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 1024 }; /* bodies whose norms are summed together */

static void remember(sc_momentum *m) {
  const sc_problem *problem = m->problem;
  for (int32_t b = 0; b < problem->bodies; b++) {
    memcpy(m->v[b], problem->body[b].v, sizeof problem->body[b].v);
    memcpy(m->v[b] + 3, problem->body[b].q, sizeof problem->body[b].q);
  }
  if (m->x_count) memcpy(m->x, problem->x, (size_t)m->x_count * sizeof *m->x);
  for (int32_t r = 0; r < problem->joint_rows; r++) m->joint[r] = problem->joint_row[r].x;
}

bool sc_momentum_build(const sc_problem *problem, sc_arena *arena, sc_momentum *m) {
  const int32_t rows = problem->generals - problem->laned;
  const sc_general_contact *last = rows ? problem->general + rows - 1 : NULL;
  *m = (sc_momentum){.problem = problem,
      .x_count = last ? last->x + last->dim : 0,
      .chunks = (problem->bodies + CHUNK - 1) / CHUNK};
  m->v = sc_arena_take(arena, (size_t)problem->bodies * sizeof *m->v);
  m->x = SC_TAKE(arena, double, m->x_count);
  m->joint = SC_TAKE(arena, double, problem->joint_rows);
  m->sum = SC_TAKE(arena, double, m->chunks);
  if (!m->v || !m->x || !m->joint || !m->sum) return false;
  remember(m);
  return true;
}

/* m |dv|^2 + |dq|^2/k; a general body's K is taken as that of a solid ball of its scale. */
static double change(const sc_solver_body *body, const double before[6]) {
  double v = 0, q = 0;
  if (!(body->inv_mass > 0)) return 0;
  for (int k = 0; k < 3; k++) {
    double dv = body->v[k] - before[k], dq = body->q[k] - before[3 + k];
    v += dv * dv;
    q += dq * dq;
  }
  return v / body->inv_mass + q / (body->k > 0 ? body->k : 2.5 * body->inv_mass);
}

void sc_momentum_measure(sc_momentum *m, int thread, int threads) {
  int64_t first, end;
  sc_part(m->chunks, thread, threads, &first, &end);
  for (int64_t c = first; c < end; c++) {
    int32_t stop = (c + 1) * CHUNK < m->problem->bodies ? (int32_t)(c + 1) * CHUNK : m->problem->bodies;
    double sum = 0;
    for (int32_t b = (int32_t)c * CHUNK; b < stop; b++) sum += change(m->problem->body + b, m->v[b]);
    m->sum[c] = sum;
  }
}

/* Cap as measured best over beds of all kinds (tests/bench/acceleration.c); the norm may swing by much
 * without any harm, so only growth by this factor over the least seen starts theta afresh. */
static const double most_beta = 0.9, most_growth = 100;

double sc_momentum_norm(const sc_momentum *m) {
  double sum = 0;
  for (int32_t c = 0; c < m->chunks; c++) sum += m->sum[c];
  return sum;
}

void sc_momentum_pace(double sum, sc_pace *pace) {
  if (sum > most_growth * pace->least) {
    pace->theta = 1;
    pace->least = sum;
  }
  pace->least = fmin(pace->least, sum);
  double square = pace->theta * pace->theta, next = (sqrt(square * square + 4 * square) - square) / 2;
  pace->beta = fmin(pace->theta * (1 - pace->theta) / (square + next), most_beta);
  pace->theta = next;
}

/* y + beta (y - before), and before becomes y. */
static void move(double *y, double *before, double beta) {
  double now = *y;
  *y = now + beta * (now - *before);
  *before = now;
}

void sc_momentum_move(sc_momentum *m, double beta, int thread, int threads) {
  const sc_problem *problem = m->problem;
  int64_t first, end;
  sc_part(problem->bodies, thread, threads, &first, &end);
  for (int64_t b = first; b < end; b++)
    for (int k = 0; k < 3; k++) {
      move(&problem->body[b].v[k], &m->v[b][k], beta);
      move(&problem->body[b].q[k], &m->v[b][3 + k], beta);
    }
  sc_part(m->x_count, thread, threads, &first, &end);
  for (int64_t i = first; i < end; i++) move(problem->x + i, m->x + i, beta);
  sc_part(problem->joint_rows, thread, threads, &first, &end);
  for (int64_t r = first; r < end; r++) move(&problem->joint_row[r].x, m->joint + r, beta);
}
