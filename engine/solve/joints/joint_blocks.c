/* Direct solution of joints. Joints connected through movable bodies form one block, so loops and long chains
 * need no sweeps.
 *
 * Let W be the Delassus matrix of a block, W^+ a pseudo-inverse, and u the row velocities. A pivoted Cholesky
 * factorisation eliminates the locked rows E. Dependent rows get no impulse. Boxed rows C (limits, motors,
 * friction) are relaxed on the reduced matrix S = W_CC - W_CE W_EE^+ W_EC until they do not change:
 *     u_C' = u_C - W_CE W_EE^+ u_E,   d = change on C with u_C' + S d = 0 within the bounds,
 *     e = -W_EE^+ u_E - W_EE^+ W_EC d
 * The rows of trees cannot depend on each other. Trees and blocks of many rows are factorised in skyline
 * form, with rows ordered along the mechanism. The cost of a chain is then proportional to its length. If the
 * skyline is too large (dense networks), the block is cut, and Gauss-Seidel couples its pieces. */
#include "solve/joints/joint_blocks.h"

#include <math.h>
#include <string.h>
#include "math/dense.h"
#include "problem/operator/rows.h"
#include "solve/joints/joint_order.h"
#include "problem/operator/delassus.h"

enum {
  MOST_SMALL = 12,        /* maximum rows of a block that is always dense */
  MOST_PIVOTED = 120,     /* maximum rows of a block with pivoting, unless it is a tree */
  MOST_DENSE = 300,       /* maximum rows of a dense block */
  MOST_ROWS = 20000,      /* maximum rows of a block for which a skyline is tried */
  MOST_ENTRIES = 4000000, /* maximum entries of a skyline, and of the coupling of locked to boxed rows */
  MOST_SWEEPS = 500       /* maximum sweeps over the boxed rows */
};
/* A row depends on other rows if its pivot falls below this share of its diagonal entry. */
static const double DEPENDENT = 1e-11;

/* ---- factors of one block ---- */

/* Returns whether a row is locked. A spring along a free direction counts as boxed, because its softness is
 * added to the reduced matrix. */
static bool is_locked(const sc_joint_row *row) {
  return row->lo == -INFINITY && row->hi == INFINITY && !(row->free && row->softness > 0);
}

static bool allocate_block(sc_joint_block *b, sc_arena *arena) {
  size_t n = (size_t)(b->held + b->boxed), m = (size_t)b->held, k = (size_t)b->boxed;
  b->answer = SC_TAKE(arena, double, m *k);
  b->reduced = SC_TAKE(arena, double, k *k);
  b->u = SC_TAKE(arena, double, n);
  b->dx = SC_TAKE(arena, double, n);
  b->scratch = SC_TAKE(arena, double, 2 * n);
  return b->answer && b->reduced && b->u && b->dx && b->scratch;
}

static void solve_locked(const sc_joint_block *b, const double *rhs, double *x) {
  if (b->skyline.n) sc_skyline_solve(&b->skyline, rhs, x);
  else sc_cholesky_solve(b->held, b->rank, b->factor, b->order, rhs, x, b->scratch);
}

/* Returns the entry of W between locked rows i and j of a block. A diagonal entry includes the row's
 * softness. */
static double locked_entry(
    const sc_problem *problem, const sc_joint_block *b, const sc_row *row, int32_t i, int32_t j) {
  double entry = sc_row_couple(problem, row + i, row + j);
  return i == j ? entry + problem->joint_row[b->row[i]].softness : entry;
}

static bool factorise_dense(
    const sc_problem *problem, sc_joint_block *b, const sc_row *row, sc_arena *arena) {
  int32_t m = b->held;
  b->factor = SC_TAKE(arena, double, (size_t)m *(size_t)m);
  b->order = SC_TAKE(arena, int, m);
  if (!b->factor || !b->order) return false;
  for (int32_t i = 0; i < m; i++)
    for (int32_t j = 0; j <= i; j++)
      b->factor[i * m + j] = b->factor[j * m + i] = locked_entry(problem, b, row, i, j);
  b->rank = sc_cholesky_factor(m, b->factor, b->order, DEPENDENT, b->scratch);
  return true;
}

static void factorise_skyline(const sc_problem *problem, sc_joint_block *b, const sc_row *row) {
  sc_skyline *s = &b->skyline;
  for (int32_t i = 0; i < s->n; i++)
    for (int32_t j = s->first[i]; j <= i; j++)
      *sc_skyline_entry(s, i, j) = locked_entry(problem, b, row, i, j);
  b->rank = sc_skyline_factor(s, DEPENDENT);
}

/* Computes W_EE^+ W_EC column by column, and the reduced matrix of the boxed rows. column: [rows of the
 * block] and coupling: [held * boxed] are scratch. */
static void reduce_boxed_rows(
    const sc_problem *problem, sc_joint_block *b, const sc_row *row, double *column, double *coupling) {
  int32_t m = b->held, k = b->boxed;
  for (int32_t c = 0; c < k; c++)
    for (int32_t e = 0; e < m; e++) coupling[c * m + e] = sc_row_couple(problem, row + m + c, row + e);
  for (int32_t c = 0; c < k; c++) {
    solve_locked(b, coupling + c * m, column);
    for (int32_t e = 0; e < m; e++) b->answer[e * k + c] = column[e];
    for (int32_t a = 0; a < k; a++) {
      double own = sc_row_couple(problem, row + m + (a > c ? a : c), row + m + (a > c ? c : a)), sum = own;
      for (int32_t e = 0; e < m; e++) sum -= coupling[a * m + e] * column[e];
      // 0: the locked rows prevent any motion of this row
      b->reduced[a * k + c] = a == c && !(sum > 1e-10 * own) ? 0 : sum;
    }
  }
}

static bool factorise_block(const sc_problem *problem, sc_joint_block *b, sc_arena *arena) {
  int32_t n = b->held + b->boxed;
  double *column = SC_TAKE(arena, double, n),
         *coupling = SC_TAKE(arena, double, (size_t)b->held *(size_t)b->boxed);
  sc_row *row = SC_TAKE(arena, sc_row, n);
  if (!column || !coupling || !row || !allocate_block(b, arena)) return false;
  for (int32_t i = 0; i < n; i++) sc_row_of_joint(problem, problem->joint_row + b->row[i], row + i);
  if (b->skyline.n) factorise_skyline(problem, b, row);
  else if (!factorise_dense(problem, b, row, arena)) return false;
  reduce_boxed_rows(problem, b, row, column, coupling);
  return true;
}

/* ---- the skyline of a block ---- */

/* Computes the first column of each row in the skyline: the earliest row that shares a movable body with
 * it. */
static void compute_skyline(const sc_joint_walk *walk, const int32_t *row, sc_skyline *s) {
  const sc_problem *problem = walk->problem;
  for (int32_t i = 0; i < s->n; i++) {
    const sc_joint_row *r = problem->joint_row + row[i];
    int32_t of_row[3];
    const int sides = sc_problem_row_bodies(problem, r, of_row);
    s->first[i] = i;
    for (int side = 0; side < sides; side++) {
      const int32_t body = of_row[side];
      if (!sc_problem_moves(problem, body)) continue;
      if (walk->first[body] < 0) walk->first[body] = i;
      else if (walk->first[body] < s->first[i]) s->first[i] = walk->first[body];
    }
    s->at[i + 1] = s->at[i] + i - s->first[i] + 1;
  }
  for (int32_t i = 0; i < s->n; i++) {
    int32_t of_row[3];
    const int sides = sc_problem_row_bodies(problem, problem->joint_row + row[i], of_row);
    for (int side = 0; side < sides; side++) walk->first[of_row[side]] = -1;
  }
}

/* Orders the locked rows of a block and allocates its skyline. *fits: false if the skyline is too large, or
 * if rows may depend on each other and are few enough for pivoting. Returns false if out of memory. */
static bool build_skyline(sc_joint_walk *walk, sc_joint_block *b, bool *fits, sc_arena *arena) {
  sc_skyline s = {.n = b->held};
  *fits = b->held > 0 && (int64_t)b->held * b->boxed <= MOST_ENTRIES &&
      (int64_t)b->boxed * b->boxed <= MOST_ENTRIES;
  if (!*fits) return true;
  bool tree = sc_joint_order(walk, b->held, b->row);
  *fits = tree || b->held + b->boxed > MOST_PIVOTED;
  if (!*fits) return true;
  s.first = SC_TAKE(arena, int32_t, s.n);
  s.at = SC_TAKE(arena, int64_t, (size_t)s.n + 1);
  if (!s.first || !s.at) return false;
  s.at[0] = 0;
  compute_skyline(walk, b->row, &s);
  *fits = s.at[s.n] <= MOST_ENTRIES && (tree || s.n > MOST_DENSE || s.at[s.n] < (int64_t)s.n * s.n / 8);
  if (!*fits) return true;
  s.entry = SC_TAKE(arena, double, s.at[s.n]);
  b->skyline = s;
  return s.entry != NULL;
}

/* ---- blocks of a list ---- */

/* Fills a block with n rows, locked rows first. Returns false if out of memory. */
static bool list_block_rows(
    const sc_problem *problem, const int32_t *row, int32_t n, sc_joint_block *b, sc_arena *arena) {
  memset(b, 0, sizeof *b);
  b->row = SC_TAKE(arena, int32_t, n);
  if (!b->row) return false;
  for (int pass = 0; pass < 2; pass++)
    for (int32_t k = 0; k < n; k++)
      if (is_locked(problem->joint_row + row[k]) == (pass == 0))
        b->row[pass ? b->held + b->boxed++ : b->held++] = row[k];
  return true;
}

/* Fills the next block of a list with all its n rows, or with the first MOST_DENSE rows if a skyline does
 * not fit. Returns false if out of memory. */
static bool next_block(
    sc_joint_walk *walk, const int32_t *row, int32_t n, sc_joint_block *b, sc_arena *arena) {
  bool fits = false;
  if (n > MOST_SMALL && n <= MOST_ROWS) {
    if (!list_block_rows(walk->problem, row, n, b, arena) || !build_skyline(walk, b, &fits, arena))
      return false;
    if (fits) return true;
  }
  return list_block_rows(walk->problem, row, n < MOST_DENSE ? n : MOST_DENSE, b, arena);
}

bool sc_joint_blocks_rest(
    const sc_problem *problem, sc_joint_lists *l, sc_arena *arena, sc_joint_blocks *blocks) {
  sc_joint_walk walk = {.problem = NULL};
  memset(blocks, 0, sizeof *blocks);
  for (int32_t r = 0; r < problem->joint_rows; r++) {
    if (!sc_joint_lists_first(l, r)) continue;
    if (!walk.problem) blocks->block = SC_TAKE(arena, sc_joint_block, problem->joint_rows);
    if (!blocks->block || (!walk.problem && !sc_joint_walk_take(problem, arena, &walk))) return false;
    sc_joint_block *b = blocks->block + blocks->count++;
    int32_t key = l->key[r];
    if (!next_block(&walk, l->row + l->begin[key], l->end[key] - l->begin[key], b, arena) ||
        !factorise_block(problem, b, arena))
      return false;
    l->begin[key] += b->held + b->boxed;
  }
  return true;
}

bool sc_joint_blocks_build(const sc_problem *problem, sc_arena *arena, sc_joint_blocks *blocks) {
  sc_joint_lists lists;
  memset(blocks, 0, sizeof *blocks);
  if (!problem->joint_rows) return true;
  return sc_joint_lists_make(problem, arena, &lists) && sc_joint_blocks_rest(problem, &lists, arena, blocks);
}

/* ---- solving ---- */

/* Relaxes the boxed rows on the reduced matrix. u: [boxed] velocities after elimination, updated. dx: [boxed]
 * receives the impulse changes. */
static void relax_boxed(const sc_problem *problem, const sc_joint_block *b, double *u, double *dx) {
  int32_t k = b->boxed;
  memset(dx, 0, (size_t)k * sizeof *dx);
  for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    double moved = 0, size = 0;
    for (int32_t c = 0; c < k; c++) {
      const sc_joint_row *row = problem->joint_row + b->row[b->held + c];
      double a = b->reduced[c * k + c] + row->softness, x = row->x + dx[c];
      if (!(a > 0)) continue;
      double next = x - u[c] / a;
      next = next < row->lo ? row->lo : next > row->hi ? row->hi : next;
      double d = next - x;
      if (d == 0) continue;
      dx[c] += d;
      for (int32_t i = 0; i < k; i++) u[i] += b->reduced[i * k + c] * d;
      u[c] += row->softness * d;
      moved = fmax(moved, fabs(d));
      size = fmax(size, fabs(next));
    }
    if (moved <= 1e-15 * size) return;
  }
}

static double row_velocity(const sc_problem *problem, int32_t r) {
  return sc_problem_joint_unmet(problem, problem->joint_row + r);
}

double sc_joint_block_relax(const sc_problem *problem, const sc_joint_block *b) {
  int32_t m = b->held, k = b->boxed;
  double *u = b->u, *dx = b->dx, *effect = b->scratch + m + k;
  for (int32_t i = 0; i < m + k; i++) u[i] = effect[i] = row_velocity(problem, b->row[i]);
  // velocities of boxed rows after the elimination of the locked rows
  for (int32_t c = 0; c < k; c++)
    for (int32_t e = 0; e < m; e++) u[m + c] -= b->answer[e * k + c] * u[e];
  relax_boxed(problem, b, u + m, dx + m);
  solve_locked(b, u, dx);
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
  for (int32_t i = 0; i < m + k; i++)
    largest = fmax(largest, fabs(row_velocity(problem, b->row[i]) - effect[i]));
  return largest * largest;
}

double sc_joint_blocks_relax(const sc_problem *problem, const sc_joint_blocks *blocks) {
  double largest = 0;
  for (int32_t i = 0; i < blocks->count; i++)
    largest = fmax(largest, sc_joint_block_relax(problem, blocks->block + i));
  return largest;
}
