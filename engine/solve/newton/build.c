/* Rows of a problem for the second-order solver: see build.h. */
#include "solve/newton/build.h"

#include <math.h>
#include <string.h>
#include "law/law_parts.h"
#include "law/soft/penalty.h"
#include "math/vec.h"
#include "problem/operator/matrix.h"
#include "problem/planar.h"

static bool is_frictionless(const sc_operator_block *b) { return b->law->params_count == 0; }

const char *sc_newton_misfit(const sc_law *law, const double *par) {
  if (!law->project || law->user) return "has no convex set of impulses";
  if (!law->params_count || law->penalty) return NULL;
  return par[SC_PAR_MU_STATIC] > par[SC_PAR_MU] ? "has mu_static above mu" : NULL;
}

/* Returns the parameters of Coulomb friction of a block's law. A penalty law has its own parameters, so the
 * friction parameters are written to `room`. */
static const double *friction_of(const sc_operator_block *b, double room[SCREE_LAW_MAX_PARAMS]) {
  if (!b->law->penalty) return b->par;
  sc_penalty_coulomb(b->par, room);
  return room;
}

/* ---- items ---- */

/* Adds a friction part (sliding, torsion or rolling) of one or two rows to an item. Omits rows whose bound is
 * 0, and rows that cannot move in a planar world. */
static void add_part(const sc_operator *op, const sc_newton_source *from, int rows, sc_newton_item *item,
    sc_newton_source *source) {
  int size = 0;
  for (int r = 0; r < rows; r++) {
    if (!(from[r].limit > 0) || (op->problem->planar && sc_planar_dead(from[r].row[0]))) continue;
    source[item->dim++] = from[r];
    size++;
  }
  if (size) item->size[item->parts++] = size;
}

static sc_newton_source plain_source(int row, double limit) {
  return (sc_newton_source){{(int8_t)row, (int8_t)row}, {1, 0}, limit};
}

/* Adds sliding friction: a circle, or an ellipse with axis (c, s) in the tangent plane. */
static void add_sliding(
    const sc_operator *op, const double *par, sc_newton_item *item, sc_newton_source *source) {
  double mu = par[SC_PAR_MU], mu2 = par[SC_PAR_MU2], c = par[SC_PAR_AXIS_T], s = par[SC_PAR_AXIS_O],
         norm = sqrt(c * c + s * s);
  sc_newton_source two[2] = {plain_source(1, mu), plain_source(2, mu)};
  if (mu2 > 0 && norm > 0) {
    two[0] = (sc_newton_source){{1, 2}, {c / norm, s / norm}, fmax(mu, 1e-6 * mu2)};
    two[1] = (sc_newton_source){{2, 1}, {c / norm, -s / norm}, mu2};
  }
  add_part(op, two, 2, item, source);
}

/* Sets the compliances of an item's scaled rows. A bare matrix already contains the compliances. */
static void set_compliance(
    const sc_operator *op, const sc_operator_block *b, sc_newton_item *item, const sc_newton_source *source) {
  if (b->law && op->problem->matrix) return;
  for (int k = 0; k < item->dim; k++)
    item->soft[k] = source[k].row[0] < 3 ? source[k].limit * source[k].limit * b->soft[source[k].row[0]] : 0;
}

/* Fills an item, except its indices, and the sources of its rows. Returns the cohesion impulse of the item [N
 * s]. */
static double describe_item(
    const sc_operator *op, int32_t block, sc_newton_item *item, sc_newton_source *source) {
  const sc_operator_block *b = op->block + block;
  *item = (sc_newton_item){.third = -1, .dim = 1, .contact = b->law != NULL, .lo = b->lo, .hi = b->hi};
  source[0] = plain_source(0, 1);
  set_compliance(op, b, item, source);
  if (!b->law || is_frictionless(b)) return 0;
  item->shifted = b->law->shift != NULL;
  double room[SCREE_LAW_MAX_PARAMS];
  const double *par = friction_of(b, room);
  const sc_newton_source torsion = plain_source(3, par[SC_PAR_TORSION]),
                         rolling[2] = {
                             plain_source(4, par[SC_PAR_ROLLING]), plain_source(5, par[SC_PAR_ROLLING])};
  add_sliding(op, par, item, source);
  if (b->dim > 3) add_part(op, &torsion, 1, item, source);
  if (b->dim > 4) add_part(op, rolling, 2, item, source);
  set_compliance(op, b, item, source);
  return par[SC_PAR_COHESION_IMPULSE];
}

static bool list_items(sc_newton_build *build, sc_arena *arena) {
  sc_newton_system *s = &build->system;
  s->items = build->blocks;
  s->item = SC_TAKE(arena, sc_newton_item, build->blocks + 1);
  build->cohesion = SC_TAKE(arena, double, build->blocks + 1);
  build->source = SC_TAKE(arena, sc_newton_source, (int64_t)SC_NEWTON_ROWS * build->blocks + 1);
  if (!s->item || !build->cohesion || !build->source) return false;
  int64_t row = 0;
  for (int32_t i = 0; i < build->blocks; i++) {
    build->cohesion[i] = describe_item(build->operator, build->block[i], s->item + i, build->source + row);
    row += s->item[i].dim;
  }
  return sc_newton_number(s);
}

/* ---- coordinates of unit mass ---- */

/* Computes the Cholesky factor R of K = R R'. Columns without a positive pivot are 0. */
static void cholesky_root(const double K[6], double R[3][3]) {
  double A[3][3] = {{K[0], K[1], K[2]}, {K[1], K[3], K[4]}, {K[2], K[4], K[5]}};
  memset(R, 0, 9 * sizeof(double));
  for (int c = 0; c < 3; c++) {
    double pivot = A[c][c];
    for (int k = 0; k < c; k++) pivot -= R[c][k] * R[c][k];
    if (!(pivot > 1e-14 * A[c][c])) continue;
    R[c][c] = sqrt(pivot);
    for (int r = c + 1; r < 3; r++) {
      double entry = A[r][c];
      for (int k = 0; k < c; k++) entry -= R[r][k] * R[c][k];
      R[r][c] = entry / R[c][c];
    }
  }
}

static void columns_of(const sc_problem *problem, int32_t body, const double lin[3], const double ang[3],
    double share, double out[6]) {
  double felt[3], room[6], R[3][3], root = sqrt(problem->body[body].inv_mass);
  sc_planar_feel(problem, lin, felt);
  cholesky_root(sc_problem_inertia(problem, body, room), R);
  for (int k = 0; k < 3; k++) {
    out[k] += share * root * felt[k];
    out[3 + k] += share * (R[0][k] * ang[0] + R[1][k] * ang[1] + R[2][k] * ang[2]);
  }
}

static void fill_row(sc_newton_build *build, int32_t i, int k) {
  const sc_operator *op = build->operator;
  const sc_newton_item *item = build->system.item + i;
  const sc_newton_source *source = build->source + item->row + k;
  double(*out)[6] = build->system.H[item->row + k];
  memset(out, 0, 12 * sizeof(double));
  for (int s = 0; s < 2; s++) {
    const sc_row *row = op->row + op->block[build->block[i]].row + source->row[s];
    double share = source->limit * source->share[s];
    if (share == 0) continue;
    if (item->body[0] >= 0) columns_of(op->problem, row->i, row->lin1, row->ang1, share, out[0]);
    if (item->body[1] >= 0) columns_of(op->problem, row->j, row->lin2, row->ang2, share, out[1]);
  }
}

/* Fills the third body of an item's joint row. Call number_bodies before. */
static void fill_third(sc_newton_build *build, int32_t i) {
  const sc_newton_item *item = build->system.item + i;
  if (item->third < 0) return;
  const sc_operator *op = build->operator;
  const sc_joint_third *from = op->row[op->block[build->block[i]].row].third;
  double *to = build->system.third[item->third].H;
  memset(to, 0, 6 * sizeof *to);
  columns_of(op->problem, from->body, from->lin, from->ang, 1, to);
}

/* Returns the number of a body; -1 if the body cannot move. */
static int32_t number_movable_body(sc_newton_build *build, int32_t *number, int32_t body) {
  if (!(build->operator->problem->body[body].inv_mass> 0)) return -1;
  if (number[body] < 0) number[body] = build->system.bodies++;
  return number[body];
}

/* Gives the third body of an item's row a number, if the body can move. */
static void number_third(sc_newton_build *build, int32_t *number, int32_t i) {
  sc_newton_system *s = &build->system;
  const sc_operator *op = build->operator;
  const sc_joint_third *third = op->row[op->block[build->block[i]].row].third;
  const int32_t body = third ? number_movable_body(build, number, third->body) : -1;
  if (body < 0) return;
  s->third[s->thirds].body = body;
  s->item[i].third = s->thirds++;
}

/* Numbers the movable bodies in the order in which items refer to them. Returns false if out of memory. */
static bool number_bodies(sc_newton_build *build, sc_arena *arena) {
  const sc_problem *problem = build->operator->problem;
  int32_t *number = SC_TAKE(arena, int32_t, problem->bodies);
  build->system.third = SC_TAKE(arena, sc_newton_third, problem->thirds + 1);
  if (!number || !build->system.third) return false;
  memset(number, -1, (size_t)problem->bodies * sizeof *number);
  for (int32_t i = 0; i < build->blocks; i++) {
    const sc_operator_block *b = build->operator->block + build->block[i];
    const int32_t body[2] = {b->i, b->j};
    for (int k = 0; k < 2; k++) build->system.item[i].body[k] = number_movable_body(build, number, body[k]);
    if (problem->thirds) number_third(build, number, i);
  }
  return true;
}

/* ---- a matrix ---- */

/* Returns the matrix entry between two scaled rows. A: Delassus block of the unscaled rows, with `stride`
 * columns. */
static double scaled_entry(
    const double *A, int stride, const sc_newton_source *to, const sc_newton_source *from) {
  double sum = 0;
  for (int r = 0; r < 2; r++)
    for (int c = 0; c < 2; c++) sum += to->share[r] * from->share[c] * A[to->row[r] * stride + from->row[c]];
  return to->limit * from->limit * sum;
}

static bool fill_matrix(sc_newton_build *build, sc_arena *arena) {
  const sc_operator *op = build->operator;
  const sc_matrix *from = op->problem->matrix;
  sc_newton_system *s = &build->system;
  sc_newton_matrix *m = &s->matrix;
  int64_t numbers = 0;
  int32_t *item_of = SC_TAKE(arena, int32_t, op->blocks);
  m->at = SC_TAKE(arena, int64_t, s->rows + 1);
  if (!item_of || !m->at) return false;
  memset(item_of, -1, (size_t)op->blocks * sizeof *item_of);
  for (int32_t i = 0; i < s->items; i++) item_of[build->block[i]] = i;
  for (int pass = 0; pass < 2; pass++) {
    numbers = 0;
    for (int32_t i = 0; i < s->items; i++)
      for (int r = 0; r < s->item[i].dim; r++) {
        m->at[s->item[i].row + r] = numbers;
        for (int64_t b = from->first[build->block[i]]; b < from->first[build->block[i] + 1]; b++) {
          int32_t k = item_of[from->column[b]];
          if (k < 0) continue;
          for (int c = 0; c < s->item[k].dim; c++, numbers++) {
            if (!pass) continue;
            m->column[numbers] = s->item[k].row + c;
            m->value[numbers] = scaled_entry(from->value + from->at[b], op->block[from->column[b]].dim,
                build->source + s->item[i].row + r, build->source + s->item[k].row + c);
          }
        }
      }
    m->at[s->rows] = numbers;
    if (pass) return true;
    m->column = SC_TAKE(arena, int32_t, numbers + 1);
    m->value = SC_TAKE(arena, double, numbers + 1);
    if (!m->column || !m->value) return false;
  }
  return true;
}

/* ---- the system ---- */

/* Computes q: the scaled velocities without contact impulses, but with the cohesion impulses. Returns false
 * if out of memory. */
static bool fill_free(sc_newton_build *build, sc_arena *arena) {
  const sc_operator *op = build->operator;
  sc_newton_system *s = &build->system;
  double *pull = NULL, *pulled = NULL;
  for (int32_t i = 0; i < s->items && !pull; i++) {
    if (!(build->cohesion[i] > 0)) continue;
    pull = SC_TAKE(arena, double, op->rows);
    pulled = SC_TAKE(arena, double, op->rows);
    if (!pull || !pulled) return false;
    memset(pull, 0, (size_t)op->rows * sizeof *pull);
    for (int32_t k = 0; k < s->items; k++) pull[op->block[build->block[k]].row] = build->cohesion[k];
    sc_operator_apply(op, pull, pulled);
  }
  for (int32_t i = 0; i < s->items; i++)
    for (int k = 0; k < s->item[i].dim; k++) {
      const sc_newton_source *source = build->source + s->item[i].row + k;
      double sum = 0;
      for (int r = 0; r < 2; r++) {
        int64_t row = op->block[build->block[i]].row + source->row[r];
        sum += source->share[r] * (op->b[row] - (pulled ? pulled[row] : 0));
      }
      s->q[s->item[i].row + k] = source->limit * sum;
    }
  return true;
}

bool sc_newton_build_from(
    const sc_operator *op, int32_t blocks, const int32_t *block, sc_arena *arena, sc_newton_build *build) {
  *build = (sc_newton_build){.operator= op, .blocks = blocks, .block = block};
  sc_newton_system *s = &build->system;
  if (!list_items(build, arena)) return false;
  s->q = SC_TAKE(arena, double, s->rows + 1);
  if (!s->q || !fill_free(build, arena)) return false;
  if (op->problem->matrix) return fill_matrix(build, arena);
  s->H = sc_arena_take(arena, ((size_t)s->rows + 1) * sizeof *s->H);
  if (!s->H || !number_bodies(build, arena)) return false;
  for (int32_t i = 0; i < s->items; i++)
    for (int k = 0; k < s->item[i].dim; k++) fill_row(build, i, k);
  for (int32_t i = 0; i < s->items && s->thirds; i++) fill_third(build, i);
  return true;
}

void sc_newton_read(const sc_newton_build *build, const double *x, double *X) {
  const sc_newton_system *s = &build->system;
  for (int32_t i = 0; i < s->items; i++)
    for (int k = 0; k < s->item[i].dim; k++) {
      const sc_newton_source *source = build->source + s->item[i].row + k;
      const double *own = x + build->operator->block[build->block[i]].row;
      double sum = source->share[0] * own[source->row[0]] + source->share[1] * own[source->row[1]];
      X[s->item[i].row + k] = sum / source->limit + (k ? 0 : build->cohesion[i]);
    }
}

void sc_newton_write(const sc_newton_build *build, const double *X, double *x) {
  const sc_newton_system *s = &build->system;
  for (int32_t i = 0; i < s->items; i++) {
    const sc_operator_block *b = build->operator->block + build->block[i];
    double *own = x + b->row;
    for (int k = 0; k < b->dim; k++) own[k] = 0;
    for (int k = 0; k < s->item[i].dim; k++) {
      const sc_newton_source *source = build->source + s->item[i].row + k;
      double push = source->limit * X[s->item[i].row + k];
      for (int r = 0; r < 2; r++) own[source->row[r]] += source->share[r] * push;
    }
    own[0] -= build->cohesion[i];
  }
}
