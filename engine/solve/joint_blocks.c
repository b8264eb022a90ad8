/* Joints that hang together through movable bodies are solved as one block, so that loops and long chains need no sweeps.
 *
 * Within a block, held rows E are eliminated by a pivoted Cholesky factorisation that leaves dependent rows without impulse, and
 * boxed rows C (limits, motors, friction) are relaxed on the reduced matrix S = W_CC - W_CE W_EE^+ W_EC until they rest:
 *     u_C' = u_C - W_CE W_EE^+ u_E,   d = change on C with u_C' + S d = 0 within the bounds,   e = -W_EE^+ u_E - W_EE^+ W_EC d
 * Blocks of very many rows are cut; Gauss-Seidel then goes from one to the next. */
#include "solve/joint_blocks.h"

#include <math.h>
#include <string.h>
#include "math/dense.h"
#include "problem/rows.h"

enum { MOST_ROWS = 300, MOST_SWEEPS = 500 };
static const double DEPENDENT = 1e-11; /* share of a row's own entry below which it depends on the others */

/* ---- who hangs together ---- */

static int32_t root_of(int32_t *parent, int32_t body) {
  while (parent[body] != body) body = parent[body] = parent[parent[body]];
  return body;
}

static bool movable(const sc_problem *problem, int32_t body) { return problem->body[body].inv_mass > 0; }

static int32_t block_key(const sc_problem *problem, int32_t *parent, const sc_joint_row *row) {
  return root_of(parent, movable(problem, row->i) ? row->i : row->j);
}

static int32_t *join_bodies(const sc_problem *problem, sc_arena *arena) {
  int32_t *parent = SC_TAKE(arena, int32_t, problem->bodies);
  for (int32_t b = 0; parent && b < problem->bodies; b++) parent[b] = b;
  for (int32_t r = 0; parent && r < problem->joint_rows; r++) {
    const sc_joint_row *row = problem->joint_row + r;
    if (movable(problem, row->i) && movable(problem, row->j)) parent[root_of(parent, row->j)] = root_of(parent, row->i);
  }
  return parent;
}

static bool held(const sc_joint_row *row) { return row->lo == -INFINITY && row->hi == INFINITY; }

/* ---- factors of one block ---- */

static bool take_block(sc_joint_block *b, sc_arena *arena) {
  int32_t n = b->held + b->boxed;
  b->factor = SC_TAKE(arena, double, b->held * b->held);
  b->order = SC_TAKE(arena, int, b->held);
  b->answer = SC_TAKE(arena, double, b->held * b->boxed);
  b->reduced = SC_TAKE(arena, double, b->boxed * b->boxed);
  b->u = SC_TAKE(arena, double, n);
  b->dx = SC_TAKE(arena, double, n);
  b->scratch = SC_TAKE(arena, double, 2 * n);
  return b->factor && b->order && b->answer && b->reduced && b->u && b->dx && b->scratch;
}

static bool factorise(const sc_problem *problem, sc_joint_block *b, sc_arena *arena) {
  int32_t n = b->held + b->boxed, m = b->held, k = b->boxed;
  double *W = SC_TAKE(arena, double, n * n), *column = SC_TAKE(arena, double, n);
  sc_row *row = SC_TAKE(arena, sc_row, n);
  if (!W || !column || !row || !take_block(b, arena)) return false;
  for (int32_t i = 0; i < n; i++) sc_row_of_joint(problem->joint_row + b->row[i], row + i);
  for (int32_t i = 0; i < n; i++)
    for (int32_t j = 0; j <= i; j++) W[i * n + j] = W[j * n + i] = sc_row_couple(problem, row + i, row + j);
  for (int32_t i = 0; i < m; i++)
    for (int32_t j = 0; j < m; j++) b->factor[i * m + j] = W[i * n + j];
  b->rank = sc_cholesky_factor(m, b->factor, b->order, DEPENDENT, b->scratch);
  // W_EE^+ W_EC column by column, then the reduced matrix
  for (int32_t c = 0; c < k; c++) {
    for (int32_t e = 0; e < m; e++) column[e] = W[e * n + m + c];
    sc_cholesky_solve(m, b->rank, b->factor, b->order, column, column, b->scratch);
    for (int32_t e = 0; e < m; e++) b->answer[e * k + c] = column[e];
    for (int32_t a = 0; a < k; a++) {
      double sum = W[(m + a) * n + m + c];
      for (int32_t e = 0; e < m; e++) sum -= W[(m + a) * n + e] * column[e];
      b->reduced[a * k + c] = a == c && !(sum > 1e-10 * W[(m + a) * n + m + a]) ? 0 : sum; // 0: the held rows leave no freedom
    }
  }
  return true;
}

/* Lists the rows of a key, held ones first, at most MOST_ROWS per block from row *from on; those taken get key -1. */
static bool next_block(const sc_problem *problem, int32_t *key, int32_t wanted, sc_joint_block *b, sc_arena *arena) {
  int32_t n = 0;
  for (int32_t r = 0; r < problem->joint_rows && n < MOST_ROWS; r++) n += key[r] == wanted;
  memset(b, 0, sizeof *b);
  b->row = SC_TAKE(arena, int32_t, n);
  if (!b->row) return false;
  int32_t seen = 0, last = 0;
  for (int32_t r = 0; r < problem->joint_rows && seen < n; r++)
    if (key[r] == wanted) seen++, last = r;
  for (int pass = 0; pass < 2; pass++)
    for (int32_t r = 0; r <= last; r++)
      if (key[r] == wanted && held(problem->joint_row + r) == (pass == 0)) b->row[pass ? b->held + b->boxed++ : b->held++] = r;
  for (int32_t i = 0; i < n; i++) key[b->row[i]] = -1;
  return true;
}

bool sc_joint_blocks_build(const sc_problem *problem, sc_arena *arena, sc_joint_blocks *blocks) {
  memset(blocks, 0, sizeof *blocks);
  if (!problem->joint_rows) return true;
  int32_t *parent = join_bodies(problem, arena), *key = SC_TAKE(arena, int32_t, problem->joint_rows);
  blocks->block = SC_TAKE(arena, sc_joint_block, problem->joint_rows);
  if (!parent || !key || !blocks->block) return false;
  for (int32_t r = 0; r < problem->joint_rows; r++) key[r] = block_key(problem, parent, problem->joint_row + r);
  for (int32_t r = 0; r < problem->joint_rows; r++)
    while (key[r] >= 0) {
      sc_joint_block *b = blocks->block + blocks->count++;
      if (!next_block(problem, key, key[r], b, arena) || !factorise(problem, b, arena)) return false;
    }
  return true;
}

/* ---- solving ---- */

/* Boxed rows on the reduced matrix; u holds their velocities after elimination, dx receives the changes. */
static void relax_boxed(const sc_problem *problem, const sc_joint_block *b, double *u, double *dx) {
  int32_t k = b->boxed;
  memset(dx, 0, (size_t)k * sizeof *dx);
  for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    double moved = 0, size = 0;
    for (int32_t c = 0; c < k; c++) {
      const sc_joint_row *row = problem->joint_row + b->row[b->held + c];
      double a = b->reduced[c * k + c], x = row->x + dx[c];
      if (!(a > 0)) continue;
      double next = x - u[c] / a;
      next = next < row->lo ? row->lo : next > row->hi ? row->hi : next;
      double d = next - x;
      if (d == 0) continue;
      dx[c] += d;
      for (int32_t i = 0; i < k; i++) u[i] += b->reduced[i * k + c] * d;
      moved = fmax(moved, fabs(d));
      size = fmax(size, fabs(next));
    }
    if (moved <= 1e-15 * size) return;
  }
}

static double row_velocity(const sc_problem *problem, int32_t r) {
  return sc_problem_joint_velocity(problem, problem->joint_row + r) + problem->joint_row[r].bias;
}

static double relax_block(sc_problem *problem, const sc_joint_block *b) {
  int32_t m = b->held, k = b->boxed;
  double *u = b->u, *dx = b->dx, *effect = b->scratch + m + k;
  for (int32_t i = 0; i < m + k; i++) u[i] = effect[i] = row_velocity(problem, b->row[i]);
  // velocities of boxed rows once the held ones are met
  for (int32_t c = 0; c < k; c++)
    for (int32_t e = 0; e < m; e++) u[m + c] -= b->answer[e * k + c] * u[e];
  relax_boxed(problem, b, u + m, dx + m);
  sc_cholesky_solve(m, b->rank, b->factor, b->order, u, dx, b->scratch);
  for (int32_t e = 0; e < m; e++) {
    dx[e] = -dx[e];
    for (int32_t c = 0; c < k; c++) dx[e] -= b->answer[e * k + c] * dx[m + c];
  }
  for (int32_t i = 0; i < m + k; i++) {
    sc_joint_row *row = problem->joint_row + b->row[i];
    row->x += dx[i];
    sc_problem_joint_apply(problem, row, dx[i]);
  }
  double largest = 0;
  for (int32_t i = 0; i < m + k; i++) largest = fmax(largest, fabs(row_velocity(problem, b->row[i]) - effect[i]));
  return largest * largest;
}

double sc_joint_blocks_relax(sc_problem *problem, const sc_joint_blocks *blocks) {
  double largest = 0;
  for (int32_t i = 0; i < blocks->count; i++) largest = fmax(largest, relax_block(problem, blocks->block + i));
  return largest;
}
