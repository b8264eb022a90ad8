/* Operators and linear algebra of the second-order solver: see system.h. */
#include "solve/newton/system.h"

#include <math.h>
#include <string.h>
#include "math/small.h"

enum { REFINEMENTS = 2 }; /* number of iterative refinements of a direction */

bool sc_newton_number(sc_newton_system *s) {
  int64_t rows = 0, cones = 0, blocks = 0;
  for (int32_t i = 0; i < s->items; i++) {
    sc_newton_item *item = s->item + i;
    item->row = (int32_t)rows;
    item->cone = (int32_t)cones;
    item->block = (int32_t)blocks;
    rows += item->dim;
    blocks += (int64_t)item->dim * item->dim;
    if (item->contact) cones += item->parts ? item->parts : 1;
  }
  s->rows = (int32_t)rows;
  s->cones = (int32_t)cones;
  s->blocks = (int32_t)blocks;
  return blocks < INT32_MAX / 8;
}

/* ---- setting up ---- */

static double square_of_row(const double h[6]) {
  double sum = 0;
  for (int k = 0; k < 6; k++) sum += h[k] * h[k];
  return sum;
}

static double diagonal_entry(const sc_newton_system *s, int32_t row) {
  double sum = 0;
  if (s->H) {
    for (int k = 0; k < 12; k++) sum += s->H[row][k / 6][k % 6] * s->H[row][k / 6][k % 6];
    return sum;
  }
  for (int64_t e = s->matrix.at[row]; e < s->matrix.at[row + 1]; e++)
    if (s->matrix.column[e] == row) sum += s->matrix.value[e];
  return sum;
}

static void find_stiffness(sc_newton_system *s) {
  for (int32_t i = 0; i < s->items; i++) {
    sc_newton_item *item = s->item + i;
    double sum = 0;
    for (int k = 0; k < item->dim; k++) sum += diagonal_entry(s, item->row + k);
    item->stiff = sum > 0 ? sum / item->dim : 1;
    if (item->third >= 0) item->stiff += square_of_row(s->third[item->third].H);
    for (int k = 0; k < item->dim; k++) item->stiff += item->soft[k] / item->dim;
  }
}

/* Analyses the sparse matrix of body blocks: one edge between each two bodies of an item. Returns false if
 * out of memory. */
static bool pattern_of_bodies(sc_newton_system *s, sc_arena *arena) {
  int32_t *size = SC_TAKE(arena, int32_t, s->bodies + 1), (*edge)[2];
  int64_t edges = 0;
  edge = sc_arena_take(arena, ((size_t)s->items + 2 * (size_t)s->thirds + 1) * sizeof *edge);
  s->place = sc_arena_take(arena, ((size_t)s->items + 1) * sizeof *s->place);
  if (!size || !edge || !s->place) return false;
  for (int32_t b = 0; b < s->bodies; b++) size[b] = 6;
  for (int32_t i = 0; i < s->items; i++) {
    const int32_t *body = s->item[i].body;
    if (body[0] >= 0 && body[1] >= 0 && body[0] != body[1]) memcpy(edge[edges++], body, sizeof *edge);
    const int32_t third = s->item[i].third >= 0 ? s->third[s->item[i].third].body : -1;
    for (int side = 0; side < 2 && third >= 0; side++)
      if (body[side] >= 0 && body[side] != third) edge[edges][0] = body[side], edge[edges++][1] = third;
  }
  return sc_block_sparse_analyse(s->bodies, size, edges, (const int32_t(*)[2])edge, arena, &s->sparse);
}

static void place_third(sc_newton_system *s, const int32_t body[2], sc_newton_third *third) {
  for (int side = 0; side < 2; side++) {
    if (body[side] < 0) continue;
    third->place[2 * side] = sc_block_sparse_place(&s->sparse, third->body, body[side]);
    third->place[2 * side + 1] = sc_block_sparse_place(&s->sparse, body[side], third->body);
  }
  third->place[4] = sc_block_sparse_place(&s->sparse, third->body, third->body);
}

static void place_bodies(sc_newton_system *s) {
  for (int32_t i = 0; i < s->items; i++) {
    for (int k = 0; k < 4; k++) {
      int32_t a = s->item[i].body[k / 2], b = s->item[i].body[k % 2];
      if (a >= 0 && b >= 0) s->place[i][k] = sc_block_sparse_place(&s->sparse, a, b);
    }
    if (s->item[i].third >= 0) place_third(s, s->item[i].body, s->third + s->item[i].third);
  }
}

/* Analyses the sparse matrix of item blocks: an edge connects any two items that the matrix couples. Returns
 * false if out of memory. */
static bool pattern_of_matrix(sc_newton_system *s, sc_arena *arena) {
  const sc_newton_matrix *m = &s->matrix;
  int32_t *size = SC_TAKE(arena, int32_t, s->items + 1), *seen = SC_TAKE(arena, int32_t, s->items + 1),
          (*edge)[2];
  int64_t edges = 0;
  s->of_row = SC_TAKE(arena, int32_t, s->rows + 1);
  s->entry = SC_TAKE(arena, int64_t, m->at[s->rows] + 1);
  edge = sc_arena_take(arena, ((size_t)m->at[s->rows] + 1) * sizeof *edge);
  if (!size || !seen || !edge || !s->of_row || !s->entry) return false;
  for (int32_t i = 0; i < s->items; i++) {
    size[i] = s->item[i].dim;
    seen[i] = -1;
    for (int k = 0; k < s->item[i].dim; k++) s->of_row[s->item[i].row + k] = i;
  }
  for (int32_t row = 0; row < s->rows; row++)
    for (int64_t e = m->at[row]; e < m->at[row + 1]; e++) {
      int32_t i = s->of_row[row], j = s->of_row[m->column[e]];
      if (i == j || seen[j] == i) continue;
      seen[j] = i;
      edge[edges][0] = i;
      edge[edges++][1] = j;
    }
  return sc_block_sparse_analyse(s->items, size, edges, (const int32_t(*)[2])edge, arena, &s->sparse);
}

static void place_matrix(sc_newton_system *s) {
  const sc_newton_matrix *m = &s->matrix;
  for (int32_t row = 0; row < s->rows; row++)
    for (int64_t e = m->at[row]; e < m->at[row + 1]; e++) {
      int32_t i = s->of_row[row], j = s->of_row[m->column[e]];
      sc_block_place place = sc_block_sparse_place(&s->sparse, i, j);
      s->entry[e] = place.at + (int64_t)(row - s->item[i].row) * place.stride + m->column[e] - s->item[j].row;
    }
}

bool sc_newton_system_begin(sc_newton_system *s, size_t most, sc_arena *arena) {
  find_stiffness(s);
  if (!(s->H ? pattern_of_bodies(s, arena) : pattern_of_matrix(s, arena))) return false;
  if (((double)s->sparse.values + (double)s->sparse.room) * sizeof(double) > (double)most) return false;
  if (s->H) place_bodies(s);
  else place_matrix(s);
  s->y = SC_TAKE(arena, double, s->sparse.rows + 1);
  s->dv = SC_TAKE(arena, double, s->sparse.rows + 1);
  s->left = SC_TAKE(arena, double, s->sparse.rows + 1);
  return s->y && s->dv && s->left && sc_block_sparse_take(&s->sparse, arena);
}

/* ---- operators ---- */

/* Adds H' X to out. */
static void gather_velocities(const sc_newton_system *s, const double *X, double *out) {
  for (int32_t i = 0; i < s->items; i++) {
    const sc_newton_item *item = s->item + i;
    for (int side = 0; side < 2; side++) {
      if (item->body[side] < 0) continue;
      double *v = out + 6 * item->body[side];
      for (int k = 0; k < item->dim; k++) {
        const double *h = s->H[item->row + k][side];
        double x = X[item->row + k];
        for (int c = 0; c < 6; c++) v[c] += h[c] * x;
      }
    }
    if (item->third < 0) continue;
    const sc_newton_third *third = s->third + item->third;
    for (int c = 0; c < 6; c++) out[6 * third->body + c] += third->H[c] * X[item->row];
  }
}

/* Returns the velocity of row k of an item at the body velocities v. */
static double row_velocity_of(const sc_newton_system *s, const sc_newton_item *item, int k, const double *v) {
  double sum = 0;
  for (int side = 0; side < 2; side++) {
    if (item->body[side] < 0) continue;
    const double *h = s->H[item->row + k][side], *b = v + 6 * item->body[side];
    for (int c = 0; c < 6; c++) sum += h[c] * b[c];
  }
  if (item->third < 0) return sum;
  const sc_newton_third *third = s->third + item->third;
  for (int c = 0; c < 6; c++) sum += third->H[c] * v[6 * third->body + c];
  return sum;
}

void sc_newton_velocities(sc_newton_system *s, const double *X, bool with_q, double *U) {
  if (!s->H) {
    for (int32_t r = 0; r < s->rows; r++) {
      double sum = 0;
      for (int64_t e = s->matrix.at[r]; e < s->matrix.at[r + 1]; e++)
        sum += s->matrix.value[e] * X[s->matrix.column[e]];
      U[r] = with_q ? sum + s->q[r] : sum;
    }
    return;
  }
  memset(s->y, 0, (size_t)s->sparse.rows * sizeof *s->y);
  gather_velocities(s, X, s->y);
  for (int32_t i = 0; i < s->items; i++) {
    const sc_newton_item *item = s->item + i;
    for (int k = 0; k < item->dim; k++)
      U[item->row + k] = row_velocity_of(s, item, k, s->y) + item->soft[k] * X[item->row + k] +
          (with_q ? s->q[item->row + k] : 0);
  }
}

/* ---- the matrix of a step ---- */

/* Computes S (I + G) of an item; symbols as in system.h. */
static void compute_turned_metric(const sc_newton_item *item, const sc_newton_metric *m, double *out) {
  const double *S = m->S + item->block, *g = m->g + item->row;
  int n = item->dim;
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++) out[n * r + c] = S[n * r + c] + S[n * r] * g[c];
}

/* Adds t a b' to a block of the matrix. */
static void add_product(
    sc_newton_system *s, sc_block_place place, double t, const double a[6], const double b[6]) {
  for (int r = 0; r < 6; r++) {
    double *out = s->sparse.value + place.at + (int64_t)r * place.stride;
    for (int c = 0; c < 6; c++) out[c] += t * a[r] * b[c];
  }
}

/* Adds the third body of a joint row to the matrix of a step. t: metric of the row. */
static void add_third(sc_newton_system *s, const sc_newton_item *item, double t) {
  const sc_newton_third *third = s->third + item->third;
  for (int side = 0; side < 2; side++) {
    if (item->body[side] < 0) continue;
    const double *h = s->H[item->row][side];
    add_product(s, third->place[2 * side], t, third->H, h);
    add_product(s, third->place[2 * side + 1], t, h, third->H);
  }
  add_product(s, third->place[4], t, third->H, third->H);
}

static void add_item(sc_newton_system *s, int32_t index, const sc_newton_metric *m) {
  const sc_newton_item *item = s->item + index;
  double T[SC_NEWTON_ROWS * SC_NEWTON_ROWS], R[SC_NEWTON_ROWS][6];
  int n = item->dim;
  compute_turned_metric(item, m, T);
  if (item->third >= 0) add_third(s, item, T[0]);
  for (int b = 0; b < 2; b++) {
    if (item->body[b] < 0) continue;
    for (int r = 0; r < n; r++)
      for (int c = 0; c < 6; c++) {
        double sum = 0;
        for (int k = 0; k < n; k++) sum += T[n * r + k] * s->H[item->row + k][b][c];
        R[r][c] = sum;
      }
    for (int a = 0; a < 2; a++) {
      if (item->body[a] < 0) continue;
      sc_block_place place = s->place[index][2 * a + b];
      for (int r = 0; r < 6; r++) {
        double *out = s->sparse.value + place.at + (int64_t)r * place.stride;
        for (int k = 0; k < n; k++) {
          double h = s->H[item->row + k][a][r];
          for (int c = 0; c < 6; c++) out[c] += h * R[k][c];
        }
      }
    }
  }
}

/* Adds (I - G) D of an item to the matrix of a step. */
static void add_metric(sc_newton_system *s, int32_t index, const sc_newton_metric *m) {
  const sc_newton_item *item = s->item + index;
  const double *D = m->D + item->block, *g = m->g + item->row;
  sc_block_place place = sc_block_sparse_place(&s->sparse, index, index);
  int n = item->dim;
  for (int c = 0; c < n; c++) {
    double top = 0;
    for (int r = 0; r < n; r++) {
      s->sparse.value[place.at + (int64_t)r * place.stride + c] += D[n * r + c];
      top += g[r] * D[n * r + c];
    }
    s->sparse.value[place.at + c] -= top;
  }
}

bool sc_newton_factor(sc_newton_system *s, const sc_newton_metric *m) {
  sc_block_sparse_clear(&s->sparse);
  s->factorisations++;
  if (!s->H) {
    for (int64_t e = 0; e < s->matrix.at[s->rows]; e++) s->sparse.value[s->entry[e]] += s->matrix.value[e];
    for (int32_t i = 0; i < s->items; i++) add_metric(s, i, m);
    return sc_block_sparse_factor(&s->sparse);
  }
  for (int32_t b = 0; b < s->bodies; b++) {
    sc_block_place place = sc_block_sparse_place(&s->sparse, b, b);
    for (int k = 0; k < 6; k++) s->sparse.value[place.at + (int64_t)k * (place.stride + 1)] = 1;
  }
  for (int32_t i = 0; i < s->items; i++) add_item(s, i, m);
  return sc_block_sparse_factor(&s->sparse);
}

bool sc_newton_soften(const sc_newton_item *item, sc_newton_metric *m) {
  double *D = m->D + item->block;
  const double *g = m->g + item->row;
  const int n = item->dim;
  if (!(item->soft[0] > 0)) return false;
  for (int k = 0; k < n; k++) {
    D[n * k + k] += item->soft[k];
    if (k) D[k] += g[k] * item->soft[k];
  }
  sc_small_invert(n, D, m->S + item->block);
  return true;
}

/* ---- directions ---- */

/* Computes dX = Sp - S (I + G) (off + H dv) of all items. off, dv: NULL for 0. */
static void impulses_of(const sc_newton_system *s, const sc_newton_metric *m, const double *Sp,
    const double *off, const double *dv, double *dX) {
  for (int32_t i = 0; i < s->items; i++) {
    const sc_newton_item *item = s->item + i;
    const double *S = m->S + item->block, *g = m->g + item->row;
    double u[SC_NEWTON_ROWS];
    int n = item->dim;
    for (int k = 0; k < n; k++)
      u[k] = (off ? off[item->row + k] : 0) + (dv ? row_velocity_of(s, item, k, dv) : 0);
    for (int k = 1; k < n; k++) u[0] += g[k] * u[k];
    for (int r = 0; r < n; r++) {
      double sum = Sp[item->row + r];
      for (int k = 0; k < n; k++) sum -= S[n * r + k] * u[k];
      dX[item->row + r] = sum;
    }
  }
}

/* Computes the direction for a bare matrix, with iterative refinement. */
static void direction_of_matrix(
    sc_newton_system *s, const sc_newton_metric *m, const double *p, const double *off, double *dX) {
  for (int round = 0; round <= REFINEMENTS; round++) {
    for (int32_t i = 0; i < s->items; i++) { // (I - G) (p - D dX) - off
      const sc_newton_item *item = s->item + i;
      const double *D = m->D + item->block, *g = m->g + item->row;
      double top = 0;
      for (int r = 0; r < item->dim; r++) {
        double sum = p[item->row + r];
        for (int k = 0; k < item->dim && round; k++) sum -= D[item->dim * r + k] * dX[item->row + k];
        s->left[item->row + r] = sum - (off ? off[item->row + r] : 0);
        top += g[r] * sum;
      }
      s->left[item->row] -= top;
    }
    if (round) {
      sc_newton_velocities(s, dX, false, s->y);
      for (int32_t r = 0; r < s->rows; r++) s->left[r] -= s->y[r];
    }
    sc_block_sparse_solve(&s->sparse, s->left);
    for (int32_t r = 0; r < s->rows; r++) dX[r] = round ? dX[r] + s->left[r] : s->left[r];
  }
}

void sc_newton_direction(sc_newton_system *s, const sc_newton_metric *m, const double *p, const double *Sp,
    const double *off, double *dX) {
  if (!s->H) {
    direction_of_matrix(s, m, p, off, dX);
    return;
  }
  size_t bytes = (size_t)s->sparse.rows * sizeof(double);
  impulses_of(s, m, Sp, off, NULL, dX);
  memset(s->dv, 0, bytes);
  for (int round = 0; round <= REFINEMENTS; round++) { // the residual is H' dX - dv
    for (int32_t r = 0; r < s->sparse.rows; r++) s->left[r] = -s->dv[r];
    gather_velocities(s, dX, s->left);
    sc_block_sparse_solve(&s->sparse, s->left);
    for (int32_t r = 0; r < s->sparse.rows; r++) s->dv[r] += s->left[r];
    impulses_of(s, m, Sp, off, s->dv, dX);
  }
}
