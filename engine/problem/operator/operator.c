/* The Delassus operator over rows of bodies or over a matrix: see operator.h. */
#include "problem/operator/operator.h"

#include <math.h>
#include <string.h>
#include "law/law_parts.h"
#include "math/vec.h"
#include "problem/operator/local.h"
#include "problem/operator/matrix.h"
#include "problem/planar.h"

/* ---- blocks and their rows ---- */

static int64_t count_rows(const sc_problem *problem) {
  int64_t rows = 3 * (int64_t)problem->balls + problem->joint_rows;
  for (int32_t c = 0; c < problem->generals; c++) rows += problem->general[c].dim;
  return rows;
}

static bool allocate_operator(const sc_problem *problem, sc_arena *arena, sc_operator *op) {
  op->block = SC_TAKE(arena, sc_operator_block, op->blocks);
  op->b = SC_TAKE(arena, double, op->rows);
  op->x = SC_TAKE(arena, double, op->rows);
  if (problem->matrix) return op->block && op->b && op->x;
  op->row = SC_TAKE(arena, sc_row, op->rows);
  op->body = sc_arena_take(arena, (size_t)problem->bodies * sizeof *op->body);
  op->free = SC_TAKE(arena, sc_solver_body, problem->bodies);
  return op->block && op->b && op->x && op->row && op->body && op->free;
}

/* Returns the parameters of Coulomb's law with coefficient mu, NULL if out of memory. All laws with a closed
 * form for balls are Coulomb's law. last: parameters of the previous ball contact, which are reused if mu is
 * equal. */
static const double *ball_parameters(double mu, const double *last, sc_arena *arena) {
  if (last && last[SC_PAR_MU] == mu) return last;
  double *par = SC_TAKE(arena, double, SCREE_LAW_MAX_PARAMS);
  if (!par) return NULL;
  memset(par, 0, SCREE_LAW_MAX_PARAMS * sizeof *par);
  scree_param_defaults(sc_friction_params, SC_PAR_COUNT, par);
  par[SC_PAR_MU] = mu;
  return par;
}

static bool list_balls(sc_operator *op, sc_arena *arena) {
  const sc_law *law = sc_law_find("coulomb");
  const double *par = NULL;
  for (int32_t c = 0; c < op->problem->balls; c++) {
    const sc_ball_contact *ball = op->problem->ball + c;
    double axis[3][3];
    if (!(par = ball_parameters(ball->mu, par, arena))) return false;
    op->block[c] = (sc_operator_block){
        .row = 3 * (int64_t)c, .dim = 3, .i = ball->i, .j = ball->j, .law = law, .par = par, .length = 1};
    sc_copy3(ball->n, axis[0]);
    const sc_contact_spring *s = &ball->spring;
    sc_set3(s->normal, s->tangent, s->tangent, op->block[c].soft);
    sc_frame(ball->n, axis[1], axis[2]);
    for (int k = 0; k < 3; k++) {
      sc_row_of_ball(ball, axis[k], op->row + 3 * (int64_t)c + k);
      op->x[3 * (int64_t)c + k] = sc_dot(ball->p, axis[k]);
      op->b[3 * (int64_t)c + k] = op->block[c].soft[k] * op->x[3 * (int64_t)c + k] +
          (k ? -s->tangent * sc_dot(s->last, axis[k]) : sc_spring_bias(s, ball->bias));
    }
  }
  return true;
}

static int64_t list_general_blocks(sc_operator *op, int64_t row) {
  const sc_problem *problem = op->problem;
  for (int32_t c = 0; c < problem->generals; row += problem->general[c++].dim) {
    const sc_general_contact *g = problem->general + c;
    op->block[problem->balls + c] = (sc_operator_block){.row = row,
        .dim = g->dim,
        .i = g->i,
        .j = g->j,
        .law = problem->law[g->law],
        .par = problem->par + g->par,
        .length = problem->matrix ? 1 : g->scale1};
    double *soft = op->block[problem->balls + c].soft, sprung[SCREE_LAW_MAX_DIM] = {0};
    sc_set3(g->spring.normal, g->spring.tangent, g->spring.tangent, soft);
    sprung[0] = sc_spring_general(g, problem->x + g->x, sprung) + sprung[0];
    for (int k = 0; k < g->dim; k++) {
      if (op->row) sc_row_of_general(g, k, op->row + row + k);
      op->x[row + k] = problem->x[g->x + k];
      op->b[row + k] = sprung[k];
      if (problem->drifts && k < 3) op->b[row + k] += g->drift[k];
    }
  }
  return row;
}

static void list_joints(sc_operator *op, int64_t row) {
  const sc_problem *problem = op->problem;
  for (int32_t r = 0; r < problem->joint_rows; r++, row++) {
    const sc_joint_row *joint = problem->joint_row + r;
    op->block[problem->balls + problem->generals + r] = (sc_operator_block){.row = row,
        .dim = 1,
        .i = joint->i,
        .j = joint->j,
        .lo = joint->lo,
        .hi = joint->hi,
        .soft = {joint->softness},
        .length = 1};
    sc_row_of_joint(problem, joint, op->row + row);
    op->x[row] = joint->x;
    op->b[row] = joint->bias + joint->softness * joint->x;
  }
}

/* ---- products ---- */

static void apply_matrix(const sc_operator *op, const double *x, double *u) {
  const sc_problem *problem = op->problem;
  for (int32_t c = 0; c < problem->generals; c++) {
    const sc_operator_block *to = op->block + c;
    for (int64_t b = problem->matrix->first[c]; b < problem->matrix->first[c + 1]; b++) {
      const sc_operator_block *from = op->block + problem->matrix->column[b];
      const double *A = problem->matrix->value + problem->matrix->at[b];
      for (int r = 0; r < to->dim; r++)
        for (int s = 0; s < from->dim; s++) u[to->row + r] += A[r * from->dim + s] * x[from->row + s];
    }
  }
}

/* Adds the effect of impulse x along a direction to op->body, which has the velocities that impulses
 * cause. */
static void add_effect(
    const sc_operator *op, int32_t body, const double lin[3], const double ang[3], double x) {
  const sc_problem *problem = op->problem;
  double felt[3], turn[3], *v = op->body[body];
  sc_planar_feel(problem, lin, felt);
  sc_problem_turn(problem, body, ang, turn);
  sc_axpy(x * problem->body[body].inv_mass, felt, v, v);
  sc_axpy(x, turn, v + 3, v + 3);
}

static double effect_on_row(const sc_operator *op, const sc_row *row) {
  const double *v1 = op->body[row->i], *v2 = op->body[row->j];
  const double sum = sc_dot(row->lin1, v1) + sc_dot(row->ang1, v1 + 3) + sc_dot(row->lin2, v2) +
      sc_dot(row->ang2, v2 + 3);
  if (!row->third) return sum;
  const double *v3 = op->body[row->third->body];
  return sum + sc_dot(row->third->lin, v3) + sc_dot(row->third->ang, v3 + 3);
}

/* Returns true if row k of a block cannot move because the problem is planar. Only the diagonal entry of
 * such a row is nonzero. */
static bool is_dead_row(const sc_operator *op, const sc_operator_block *block, int k) {
  return op->problem->planar && block->law && sc_planar_dead(k);
}

void sc_operator_apply(const sc_operator *op, const double *x, double *u) {
  const sc_problem *problem = op->problem;
  SC_ASSERT(x != u);
  memset(u, 0, (size_t)op->rows * sizeof *u);
  if (problem->matrix) {
    apply_matrix(op, x, u);
    return;
  }
  memset(op->body, 0, (size_t)problem->bodies * sizeof *op->body);
  for (int32_t c = 0; c < op->blocks; c++)
    for (int k = 0; k < op->block[c].dim; k++) {
      const sc_row *row = op->row + op->block[c].row + k;
      if (is_dead_row(op, op->block + c, k)) continue;
      add_effect(op, row->i, row->lin1, row->ang1, x[op->block[c].row + k]);
      add_effect(op, row->j, row->lin2, row->ang2, x[op->block[c].row + k]);
      if (row->third)
        add_effect(op, row->third->body, row->third->lin, row->third->ang, x[op->block[c].row + k]);
    }
  double A[SCREE_LAW_MAX_DIM * SCREE_LAW_MAX_DIM];
  for (int32_t c = 0; c < op->blocks; c++) {
    const sc_operator_block *block = op->block + c;
    if (problem->planar) sc_operator_entries(op, c, c, A);
    for (int k = 0; k < block->dim; k++) {
      const sc_row *row = op->row + block->row + k;
      u[block->row + k] = is_dead_row(op, block, k) ? A[k * block->dim + k] * x[block->row + k]
                                                    : effect_on_row(op, row);
      if (k < 3 && block->soft[k] > 0) u[block->row + k] += block->soft[k] * x[block->row + k];
    }
  }
}

/* Computes the entries between blocks c and k, c >= k. */
static void couple_blocks(const sc_operator *op, int32_t c, int32_t k, double *A) {
  const sc_operator_block *to = op->block + c, *from = op->block + k;
  for (int r = 0; r < to->dim; r++)
    for (int s = 0; s < from->dim; s++)
      A[r * from->dim + s] = is_dead_row(op, to, r) || is_dead_row(op, from, s)
          ? 0
          : sc_row_couple(op->problem, op->row + to->row + r, op->row + from->row + s);
}

void sc_operator_entries(const sc_operator *op, int32_t c, int32_t k, double *A) {
  const sc_problem *problem = op->problem;
  SC_ASSERT(c >= 0 && c < op->blocks && k >= 0 && k < op->blocks);
  int n = op->block[c].dim, m = op->block[k].dim;
  const double *given = problem->matrix ? sc_matrix_block(problem->matrix, c, k) : NULL;
  if (problem->matrix && !given) memset(A, 0, (size_t)(n * m) * sizeof *A);
  else if (given) memcpy(A, given, (size_t)(n * m) * sizeof *A);
  else if (c == k && c >= problem->balls && op->block[c].law)
    memcpy(A, problem->block + problem->general[c - problem->balls].block, (size_t)(n * m) * sizeof *A);
  else if (c > k) couple_blocks(op, c, k, A);
  else if (c == k && op->block[c].soft[0] > 0) {
    couple_blocks(op, c, c, A);
    for (int r = 0; r < n && r < 3; r++) A[n * r + r] += op->block[c].soft[r];
  } else {
    double mirror[SCREE_LAW_MAX_DIM * SCREE_LAW_MAX_DIM];
    couple_blocks(op, k, c, mirror);
    for (int r = 0; r < n; r++)
      for (int s = 0; s < m; s++) A[r * m + s] = c == k && s > r ? mirror[r * m + s] : mirror[s * n + r];
  }
}

/* Adds the velocities that remain if the problem's impulses are removed to op->b: present velocities minus
 * the effect of the impulses. Returns false if out of memory. */
static bool find_free(sc_operator *op, sc_arena *arena) {
  const sc_problem *problem = op->problem;
  sc_arena_mark mark = sc_arena_here(arena);
  double *own = SC_TAKE(arena, double, op->rows);
  if (!own) return false;
  sc_operator_apply(op, op->x, own);
  for (int32_t c = 0; c < op->blocks; c++)
    for (int k = 0; k < op->block[c].dim; k++) {
      int64_t at = op->block[c].row + k;
      double now = problem->matrix            ? problem->matrix->velocity[problem->general[c].x + k]
          : is_dead_row(op, op->block + c, k) ? own[at]
                                              : sc_row_velocity(problem, op->row + at);
      op->b[at] += now - own[at];
    }
  sc_arena_back(arena, mark);
  return true;
}

/* Adds the effect of sign times impulses x of all rows to the velocities of bodies. */
static void move_bodies(const sc_operator *op, const double *x, double sign, sc_solver_body *bodies) {
  sc_problem moved = *op->problem;
  moved.body = bodies;
  for (int32_t c = 0; c < op->blocks; c++)
    for (int k = 0; k < op->block[c].dim; k++)
      if (!is_dead_row(op, op->block + c, k))
        sc_row_apply(&moved, op->row + op->block[c].row + k, sign * x[op->block[c].row + k]);
}

/* Copies the bodies and subtracts the effect of the present impulses from the copies. */
static void free_bodies(sc_operator *op) {
  if (op->problem->matrix) return;
  memcpy(op->free, op->problem->body, (size_t)op->problem->bodies * sizeof *op->free);
  move_bodies(op, op->x, -1, op->free);
}

scree_status sc_operator_build(
    const sc_problem *problem, sc_arena *arena, sc_operator *op, scree_error *error) {
  SC_ASSERT(!problem->store && !problem->couple); /* ball contacts are in rows, without moments */
  SC_ASSERT(problem && arena);
  *op = (sc_operator){.problem = problem,
      .blocks = problem->balls + problem->generals + problem->joint_rows,
      .rows = count_rows(problem)};
  if (!allocate_operator(problem, arena, op) || !list_balls(op, arena))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %lld unknowns", (long long)op->rows);
  list_joints(op, list_general_blocks(op, 3 * (int64_t)problem->balls));
  free_bodies(op);
  return find_free(op, arena)
      ? SCREE_OK
      : sc_fail(error, SCREE_E_MEMORY, "no memory for %lld unknowns", (long long)op->rows);
}

/* ---- graph of coupled blocks ---- */

static bool graph_of_matrix(const sc_operator *op, sc_arena *arena, sc_operator_graph *graph) {
  const sc_matrix *matrix = op->problem->matrix;
  graph->first = SC_TAKE(arena, int64_t, (size_t)op->blocks + 1);
  graph->block = SC_TAKE(arena, int32_t, matrix->first[op->blocks]);
  if (!graph->first || !graph->block) return false;
  memcpy(graph->first, matrix->first, ((size_t)op->blocks + 1) * sizeof *graph->first);
  memcpy(graph->block, matrix->column, (size_t)matrix->first[op->blocks] * sizeof *graph->block);
  return true;
}

/* Blocks of each movable body b: block[first[b]] .. block[first[b + 1] - 1], ascending. */
typedef struct block_lists {
  int32_t *first, *block;
} block_lists;

static bool is_movable(const sc_operator *op, int32_t body) { return op->problem->body[body].inv_mass > 0; }

static bool list_blocks_of_bodies(const sc_operator *op, sc_arena *arena, block_lists *m) {
  int32_t bodies = op->problem->bodies;
  m->first = SC_TAKE(arena, int32_t, (size_t)bodies + 2);
  m->block = SC_TAKE(arena, int32_t, 2 * (size_t)op->blocks);
  if (!m->first || !m->block) return false;
  memset(m->first, 0, ((size_t)bodies + 2) * sizeof *m->first);
  int32_t *count = m->first + 2;
  for (int32_t c = 0; c < op->blocks; c++) {
    if (is_movable(op, op->block[c].i)) count[op->block[c].i]++;
    if (op->block[c].j != op->block[c].i && is_movable(op, op->block[c].j)) count[op->block[c].j]++;
  }
  for (int32_t b = 0; b < bodies; b++) count[b] += count[b - 1];
  /* first[b + 1] grows from the start to the end of the list of b */
  for (int32_t c = 0; c < op->blocks; c++) {
    int32_t i = op->block[c].i, j = op->block[c].j;
    if (is_movable(op, i)) m->block[m->first[i + 1]++] = c;
    if (j != i && is_movable(op, j)) m->block[m->first[j + 1]++] = c;
  }
  return true;
}

/* Lists the neighbours of block c, including c, by a merge of the ascending lists of its two bodies. Returns
 * their number. to: the neighbours are written here; NULL: only the number is needed. */
static int32_t merge_neighbours(const sc_operator *op, const block_lists *m, int32_t c, int32_t *to) {
  int32_t i = op->block[c].i, j = op->block[c].j, count = 0, last = -1;
  int32_t a = m->first[i], b = m->first[j], a_end = is_movable(op, i) ? m->first[i + 1] : a,
          b_end = is_movable(op, j) ? m->first[j + 1] : b;
  if (a == a_end && b == b_end) {
    if (to) *to = c;
    return 1;
  }
  while (a < a_end || b < b_end) {
    int32_t next = b == b_end || (a < a_end && m->block[a] <= m->block[b]) ? m->block[a++] : m->block[b++];
    if (next == last) continue;
    if (to) to[count] = next;
    last = next, count++;
  }
  return count;
}

bool sc_operator_couplings(const sc_operator *op, sc_arena *arena, sc_operator_graph *graph) {
  block_lists m;
  if (op->problem->matrix) return graph_of_matrix(op, arena, graph);
  graph->first = SC_TAKE(arena, int64_t, (size_t)op->blocks + 1);
  if (!graph->first || !list_blocks_of_bodies(op, arena, &m)) return false;
  graph->first[0] = 0;
  for (int32_t c = 0; c < op->blocks; c++)
    graph->first[c + 1] = graph->first[c] + merge_neighbours(op, &m, c, NULL);
  graph->block = SC_TAKE(arena, int32_t, graph->first[op->blocks]);
  if (!graph->block) return false;
  for (int32_t c = 0; c < op->blocks; c++) merge_neighbours(op, &m, c, graph->block + graph->first[c]);
  return true;
}

/* ---- storing impulses ---- */

static void store_ball(const sc_operator *op, int32_t c, const double *x) {
  sc_ball_contact *ball = op->problem->ball + c;
  sc_set3(0, 0, 0, ball->p);
  for (int k = 0; k < 3; k++) sc_axpy(x[k], op->row[op->block[c].row + k].lin1, ball->p, ball->p);
}

/* Sets the velocities of the matrix problem: velocities without impulses and without bias, plus the effect of
 * x. */
static void move_matrix(const sc_operator *op, const double *x) {
  const sc_problem *problem = op->problem;
  double *u = problem->matrix->velocity;
  sc_operator_apply(op, x, u);
  for (int32_t c = 0; c < problem->generals; c++)
    for (int k = 0; k < op->block[c].dim; k++)
      u[op->block[c].row + k] += op->b[op->block[c].row + k] - (k ? 0 : problem->general[c].bias);
}

void sc_operator_store(const sc_operator *op, const double *x, const sc_problem *problem) {
  const int32_t contacts = problem->balls + problem->generals;
  for (int32_t c = 0; c < op->blocks; c++) {
    const double *own = x + op->block[c].row;
    if (c < problem->balls) store_ball(op, c, own);
    else if (c >= contacts) problem->joint_row[c - contacts].x = own[0];
    else
      memcpy(
          problem->x + problem->general[c - problem->balls].x, own, (size_t)op->block[c].dim * sizeof *own);
  }
  if (problem->matrix) {
    move_matrix(op, x);
    return;
  }
  memcpy(problem->body, op->free, (size_t)problem->bodies * sizeof *op->free);
  move_bodies(op, x, 1, problem->body);
}
