/* Converts global FCLib problems to local ones: eliminates the velocities of bodies, block by block of M. */
#include <math.h>
#include <string.h>
#include "base/sets.h"
#include "io/fclib/fclib.h"
#include "math/dense.h"

enum { WIDEST = 600 }; /* largest number of rows of a block of M: it is factorised as a dense matrix */

/* Diagonal blocks of M: M has no entries between rows of different blocks. */
typedef struct clusters {
  int32_t count;
  int32_t *of;    /* [rows of M] block of a row */
  int32_t *first; /* [count + 1] first entry of each block in row[] */
  int32_t *row;   /* [rows of M] rows of M, block by block */
  int32_t *place; /* [rows of M] index of a row within its block */
} clusters;

static bool find_clusters(const sc_fclib_sparse *M, sc_arena *arena, clusters *c) {
  size_t n = (size_t)M->rows + 2;
  int32_t *root = SC_TAKE(arena, int32_t, n), *number = SC_TAKE(arena, int32_t, n);
  c->of = SC_TAKE(arena, int32_t, n);
  c->first = SC_TAKE(arena, int32_t, n);
  c->row = SC_TAKE(arena, int32_t, n);
  c->place = SC_TAKE(arena, int32_t, n);
  if (!root || !number || !c->of || !c->first || !c->row || !c->place) return false;
  for (int32_t r = 0; r < M->rows; r++) root[r] = r, number[r] = -1;
  for (int32_t r = 0; r < M->rows; r++)
    for (int64_t e = M->at[r]; e < M->at[r + 1]; e++)
      root[sc_sets_top(root, M->column[e])] = sc_sets_top(root, r);
  c->count = 0;
  for (int32_t r = 0; r < M->rows; r++) {
    int32_t t = sc_sets_top(root, r);
    if (number[t] < 0) number[t] = c->count++;
    c->of[r] = number[t];
  }
  memset(c->first, 0, ((size_t)c->count + 1) * sizeof *c->first);
  for (int32_t r = 0; r < M->rows; r++) c->first[c->of[r] + 1]++;
  for (int32_t b = 0; b < c->count; b++) c->first[b + 1] += c->first[b];
  memset(number, 0, n * sizeof *number);
  for (int32_t r = 0; r < M->rows; r++) {
    c->place[r] = number[c->of[r]]++;
    c->row[c->first[c->of[r]] + c->place[r]] = r;
  }
  return true;
}

/* Computes the LU factors of block b of M into A, with the order of rows. Returns false if the block is
 * singular. */
static bool factor_block(const sc_fclib_sparse *M, const clusters *c, int32_t b, double *A, int *order) {
  int n = c->first[b + 1] - c->first[b];
  memset(A, 0, (size_t)(n * n) * sizeof *A);
  for (int k = 0; k < n; k++) {
    int32_t row = c->row[c->first[b] + k];
    for (int64_t e = M->at[row]; e < M->at[row + 1]; e++) A[k * n + c->place[M->column[e]]] += M->value[e];
  }
  return sc_lu_factor(n, A, order);
}

/* The columns of H that have entries in the rows of a block of M, and the products of the block's inverse
 * with them. */
typedef struct touched {
  int32_t count, *column; /* [count] columns of H */
  int32_t *place;         /* [columns of H] index in column[]; -1: no entry in the block */
  double *H, *solved;     /* [count][n] entries of these columns of H and of M^-1 H; n: rows of the block */
} touched;

static bool gather_columns(
    const sc_fclib_sparse *H, const clusters *c, int32_t b, sc_arena *arena, touched *t) {
  int n = c->first[b + 1] - c->first[b];
  t->count = 0;
  for (int k = 0; k < n; k++) {
    int32_t row = c->row[c->first[b] + k];
    for (int64_t e = H->at[row]; e < H->at[row + 1]; e++)
      if (t->place[H->column[e]] < 0) t->place[H->column[e]] = t->count, t->column[t->count++] = H->column[e];
  }
  size_t numbers = (size_t)t->count * (size_t)n + 1;
  t->H = SC_TAKE(arena, double, numbers);
  t->solved = SC_TAKE(arena, double, numbers);
  if (!t->H || !t->solved) return false;
  memset(t->H, 0, numbers * sizeof *t->H);
  for (int k = 0; k < n; k++) {
    int32_t row = c->row[c->first[b] + k];
    for (int64_t e = H->at[row]; e < H->at[row + 1]; e++) t->H[t->place[H->column[e]] * n + k] += H->value[e];
  }
  for (int32_t k = 0; k < t->count; k++) t->place[t->column[k]] = -1;
  return true;
}

/* Entries of W as triplets. Entries of equal row and column add up. */
typedef struct triplets {
  size_t count, capacity;
  struct entry {
    int32_t row, column;
    double value;
  } * entry;
} triplets;

static bool add_triplet(triplets *t, int32_t row, int32_t column, double value) {
  if (value == 0) return true;
  if (!SC_GROW(t->entry, t->capacity, t->count + 1)) return false;
  t->entry[t->count++] = (struct entry){row, column, value};
  return true;
}

static bool eliminate_block(const sc_fclib_global *g, const clusters *c, int32_t b, sc_arena *arena,
    touched *t, triplets *W, double *q) {
  int n = c->first[b + 1] - c->first[b];
  double *A = SC_TAKE(arena, double, n *n), *f = SC_TAKE(arena, double, n), *v = SC_TAKE(arena, double, n);
  int *order = SC_TAKE(arena, int, n);
  if (!A || !f || !v || !order || !gather_columns(&g->H, c, b, arena, t)) return false;
  if (!factor_block(&g->M, c, b, A, order)) {
    q[0] = NAN; // shows the caller that M is singular; false means no memory
    return true;
  }
  for (int k = 0; k < n; k++) f[k] = g->f[c->row[c->first[b] + k]];
  sc_lu_solve(n, A, order, f, v);
  for (int32_t i = 0; i < t->count; i++) {
    sc_lu_solve(n, A, order, t->H + i * n, t->solved + i * n);
    for (int k = 0; k < n; k++) q[t->column[i]] += t->H[i * n + k] * v[k];
  }
  for (int32_t i = 0; i < t->count; i++)
    for (int32_t j = 0; j < t->count; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += t->H[i * n + k] * t->solved[j * n + k];
      if (!add_triplet(W, t->column[i], t->column[j], sum)) return false;
    }
  return true;
}

static bool convert_to_rows(const triplets *t, int32_t rows, sc_arena *arena, sc_fclib_sparse *out) {
  int64_t *fill = SC_TAKE(arena, int64_t, rows + 1);
  *out = (sc_fclib_sparse){.rows = rows, .columns = rows, .at = SC_TAKE(arena, int64_t, rows + 2)};
  out->column = SC_TAKE(arena, int32_t, t->count + 1);
  out->value = SC_TAKE(arena, double, t->count + 1);
  if (!fill || !out->at || !out->column || !out->value) return false;
  memset(out->at, 0, ((size_t)rows + 2) * sizeof *out->at);
  for (size_t e = 0; e < t->count; e++) out->at[t->entry[e].row + 1]++;
  for (int32_t r = 0; r < rows; r++) out->at[r + 1] += out->at[r];
  memcpy(fill, out->at, (size_t)rows * sizeof *fill);
  for (size_t e = 0; e < t->count; e++) {
    int64_t at = fill[t->entry[e].row]++;
    out->column[at] = t->entry[e].column;
    out->value[at] = t->entry[e].value;
  }
  return true;
}

scree_status sc_fclib_eliminate(
    const sc_fclib_global *g, sc_arena *arena, sc_fclib *out, scree_error *error) {
  clusters c;
  touched t = {0};
  triplets W = {0};
  sc_fclib_sparse rows;
  size_t columns = (size_t)g->H.columns + 1;
  bool good = find_clusters(&g->M, arena, &c);
  t.column = SC_TAKE(arena, int32_t, columns);
  t.place = SC_TAKE(arena, int32_t, columns);
  out->q = SC_TAKE(arena, double, columns);
  if (!good || !t.column || !t.place || !out->q) return sc_fail(error, SCREE_E_MEMORY, "no memory for M");
  memset(t.place, -1, columns * sizeof *t.place);
  memcpy(out->q, g->w, (columns - 1) * sizeof *g->w);
  for (int32_t b = 0; b < c.count; b++)
    if (c.first[b + 1] - c.first[b] > WIDEST)
      return sc_fail(error, SCREE_E_FORMAT, "M has a block of more than %d rows", WIDEST);
  for (int32_t b = 0; b < c.count && good && out->q[0] == out->q[0]; b++) {
    sc_arena_mark mark = sc_arena_here(arena);
    good = eliminate_block(g, &c, b, arena, &t, &W, out->q);
    sc_arena_back(arena, mark);
  }
  bool singular = out->q[0] != out->q[0];
  good = good && convert_to_rows(&W, g->H.columns, arena, &rows);
  sc_free(W.entry);
  if (singular) return sc_fail(error, SCREE_E_FORMAT, "M is singular");
  return good ? sc_fclib_blocks(&rows, arena, out, error) : sc_fail(error, SCREE_E_MEMORY, "no memory for W");
}
