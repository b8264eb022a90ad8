/* Numeric part of the multifrontal factorisation (block_sparse.h).
 *
 * A front has two stored matrices: `upper`, its pivot rows (pivot rows x all rows), and `lower`, the rest of
 * its pivot columns (border rows x pivot rows). The elimination of the front and of its descendants also
 * changes the square of border rows and border columns. This change, the update, is stored on a stack until
 * the parent front adds it. */
#include "math/sparse/block_sparse.h"

#include <math.h>
#include <string.h>
#include "math/sparse/block_fronts.h"
#include "math/sparse/block_kernel.h"

enum {
  STRIP = 8, /* number of pivots eliminated together */
  /* number of rows computed together: in one row, each division must wait for the preceding division */
  ABREAST = 4
};
/* smallest absolute value of a pivot, divided by the largest diagonal entry of its front */
static const double LEAST = 1e-14;

/* ---- analysis ---- */

static int64_t square_of_border(const sc_block_front *f) {
  int64_t border = f->rows - f->pivot_rows;
  return border * border;
}

/* Returns the index of the child of front i that precedes its child c; for c = i, the last child; -1:
 * none. */
static int32_t child_before(const sc_block_sparse *s, int32_t i, int32_t c) {
  int32_t next = c == i ? i - 1 : s->front[c].leaf - 1;
  return next >= s->front[i].leaf ? next : -1;
}

/* Sets leaf, upper and lower of each front, and the members values, flops and room (largest height of the
 * stack of updates) of the matrix. */
static void measure_fronts(sc_block_sparse *s) {
  int64_t height = 0;
  for (int32_t i = 0; i < s->fronts; i++) s->front[i].leaf = i;
  for (int32_t i = 0; i < s->fronts; i++) {
    sc_block_front *f = s->front + i, *up = f->parent < 0 ? NULL : s->front + f->parent;
    if (up && f->leaf < up->leaf) up->leaf = f->leaf;
    int64_t pivots = f->pivot_rows;
    f->upper = s->values;
    f->lower = f->upper + pivots * f->rows;
    s->values = f->lower + (f->rows - pivots) * pivots;
    for (double n = f->rows, k = f->pivot_rows; k > 0; k--, n--) s->flops += n * n;
    height += square_of_border(f);
    if (height > s->room) s->room = height;
    for (int32_t c = child_before(s, i, i); c >= 0; c = child_before(s, i, c))
      height -= square_of_border(s->front + c);
  }
}

bool sc_block_sparse_analyse(int32_t blocks, const int32_t *size, int64_t edges, const int32_t (*edge)[2],
    sc_arena *arena, sc_block_sparse *s) {
  sc_block_order order;
  *s = (sc_block_sparse){.blocks = blocks, .size = size};
  s->start = SC_TAKE(arena, int32_t, blocks + 1);
  if (!s->start) return false;
  for (int32_t b = 0; b < blocks; b++) {
    s->start[b] = s->rows;
    s->rows += size[b];
  }
  if (!sc_block_order_find(blocks, size, edges, edge, arena, &order)) return false;
  if (!sc_block_fronts_find(&order, s, arena)) return false;
  measure_fronts(s);
  return true;
}

bool sc_block_sparse_take(sc_block_sparse *s, sc_arena *arena) {
  s->value = SC_TAKE(arena, double, s->values + 1);
  s->stack = SC_TAKE(arena, double, s->room + 1);
  s->work = SC_TAKE(arena, double, s->rows + 1);
  return s->value && s->stack && s->work;
}

sc_block_place sc_block_sparse_place(const sc_block_sparse *s, int32_t i, int32_t j) {
  bool by_row = s->place[i] <= s->place[j];
  const sc_block_front *f = s->front + s->of[by_row ? i : j];
  int64_t row = sc_block_front_row(s, f, i), column = sc_block_front_row(s, f, j);
  if (row < f->pivot_rows) return (sc_block_place){f->upper + row * f->rows + column, f->rows};
  return (sc_block_place){f->lower + (row - f->pivot_rows) * f->pivot_rows + column, f->pivot_rows};
}

void sc_block_sparse_clear(sc_block_sparse *s) { memset(s->value, 0, (size_t)s->values * sizeof *s->value); }

/* ---- one front ---- */

typedef struct dense {
  int pivots, rows, border;
  double *upper, *lower, *square;
  double least; /* smallest absolute value of a pivot */
  int64_t doubtful;
  sc_product_take *take;
} dense;

/* Returns the stored part of row r of the front. Pivot rows come first. */
static double *row_of(const dense *d, int r) {
  return r < d->pivots ? d->upper + (int64_t)r * d->rows : d->lower + (int64_t)(r - d->pivots) * d->pivots;
}

/* Returns pivot k. If its absolute value is at most d->least, first replaces it by d->least with the pivot's
 * sign and counts it in d->doubtful. */
static double pivot_of(dense *d, int k) {
  double *pivot = d->upper + (int64_t)k * d->rows + k;
  if (!(fabs(*pivot) <= d->least)) return *pivot;
  d->doubtful++;
  return *pivot = *pivot < 0 ? -d->least : d->least;
}

/* Eliminates the pivot rows first .. end - 1 of a strip among themselves, in all columns. */
static void eliminate_strip(dense *d, int first, int end) {
  for (int k = first; k < end; k++) {
    const double *from = row_of(d, k);
    double pivot = pivot_of(d, k);
    for (int r = k + 1; r < end; r++) {
      double *row = row_of(d, r), factor = row[k] / pivot;
      row[k] = factor;
      for (int c = k + 1; c < d->rows; c++) row[c] -= factor * from[c];
    }
  }
}

/* Computes the factors (entries of L) of `count` rows from row r on, in the pivot columns first .. end - 1 of
 * a strip. The rows are computed together, because a division takes long and the next division in the same
 * row depends on it. */
static void factors_of_rows(const dense *d, int r, int count, int first, int end) {
  double *row[ABREAST];
  for (int j = 0; j < count; j++) row[j] = row_of(d, r + j);
  for (int k = first; k < end; k++) {
    const double *from = row_of(d, k);
    for (int j = 0; j < count; j++) {
      double factor = row[j][k] / from[k];
      row[j][k] = factor;
      for (int c = k + 1; c < end; c++) row[j][c] -= factor * from[c];
    }
  }
}

static void subtract_product(const dense *d, int m, int n, int k, const double *A, int a_stride,
    const double *B, double *C, int c_stride) {
  if (m <= 0 || n <= 0) return;
  const sc_product p = {m, n, k, A, B, C, a_stride, d->rows, c_stride};
  d->take(&p);
}

static void eliminate_front(dense *d) {
  int n = d->pivots;
  for (int k = 0; k < n; k++) d->least = fmax(d->least, LEAST * fabs(d->upper[(int64_t)k * d->rows + k]));
  for (int first = 0; first < n; first += STRIP) {
    int end = first + STRIP < n ? first + STRIP : n, wide = end - first;
    eliminate_strip(d, first, end);
    for (int r = end; r < d->rows; r += ABREAST)
      factors_of_rows(d, r, d->rows - r < ABREAST ? d->rows - r : ABREAST, first, end);
    const double *strip = row_of(d, first);
    if (end < n) {
      subtract_product(d, n - end, d->rows - end, wide, row_of(d, end) + first, d->rows, strip + end,
          row_of(d, end) + end, d->rows);
      subtract_product(
          d, d->border, n - end, wide, d->lower + first, d->pivots, strip + end, d->lower + end, d->pivots);
    }
    subtract_product(
        d, d->border, d->border, wide, d->lower + first, d->pivots, strip + n, d->square, d->border);
  }
}

/* Adds the update of a child front (`square`: its border rows x border rows) to the matrices of the parent
 * front d. In each row, the columns of a block are adjacent. */
static void add_update(
    const sc_block_sparse *s, const sc_block_front *child, const double *square, dense *d) {
  int border = child->rows - child->pivot_rows, row = 0;
  for (int32_t a = 0; a < child->border; a++) {
    int high = s->size[child->list[child->pivots + a]];
    for (int r = 0; r < high; r++, row++) {
      int to = child->into[a] + r, at = 0;
      double *target = row_of(d, to), *corner = NULL;
      if (to >= d->pivots) corner = d->square + (int64_t)(to - d->pivots) * d->border - d->pivots;
      const double *from = square + (int64_t)row * border;
      for (int32_t b = 0; b < child->border; b++) {
        int wide = s->size[child->list[child->pivots + b]], column = child->into[b];
        double *out = (corner && column >= d->pivots ? corner : target) + column;
        for (int c = 0; c < wide; c++) out[c] += from[at + c];
        at += wide;
      }
    }
  }
}

/* Factorises front i. top: end of the stack of updates, which ends with the updates of the children of i.
 * Replaces these updates by the update of i and returns the new end of the stack. */
static double *factor_front(sc_block_sparse *s, int32_t i, double *top, sc_product_take *take) {
  const sc_block_front *f = s->front + i;
  dense d = {.pivots = f->pivot_rows,
      .rows = f->rows,
      .border = f->rows - f->pivot_rows,
      .upper = s->value + f->upper,
      .lower = s->value + f->lower,
      .square = top,
      .take = take};
  size_t square = (size_t)square_of_border(f);
  if (square) memset(d.square, 0, square * sizeof *d.square);
  double *low = top;
  for (int32_t c = child_before(s, i, i); c >= 0; c = child_before(s, i, c)) {
    low -= square_of_border(s->front + c);
    add_update(s, s->front + c, low, &d);
  }
  eliminate_front(&d);
  s->doubtful += d.doubtful;
  if (square && low != top) memmove(low, top, square * sizeof *top);
  return low + square;
}

bool sc_block_sparse_factor(sc_block_sparse *s) {
  sc_product_take *take = sc_product_best();
  double *top = s->stack, sum = 0;
  s->doubtful = 0;
  for (int32_t i = 0; i < s->fronts; i++) top = factor_front(s, i, top, take);
  for (int32_t i = 0; i < s->fronts; i++)
    for (int k = 0; k < s->front[i].pivot_rows; k++)
      sum += 0 * s->value[s->front[i].upper + (int64_t)k * s->front[i].rows + k];
  return sum == 0;
}

/* ---- solving ---- */

/* Copies the entries of x in the rows of a front's blocks to a dense vector. */
static void gather_rows(const sc_block_sparse *s, const sc_block_front *f, const double *x, double *out) {
  for (int32_t k = 0, at = 0; k < f->pivots + f->border; k++)
    for (int r = 0; r < s->size[f->list[k]]; r++) out[at++] = x[s->start[f->list[k]] + r];
}
/* Copies a dense vector to the entries of x in the rows of a front's first `blocks` blocks. */
static void scatter_rows(
    const sc_block_sparse *s, const sc_block_front *f, int32_t blocks, const double *in, double *x) {
  for (int32_t k = 0, at = 0; k < blocks; k++)
    for (int r = 0; r < s->size[f->list[k]]; r++) x[s->start[f->list[k]] + r] = in[at++];
}

/* Subtracts the products row[k] y[k], k < columns, from the sums of ABREAST successive rows. stride: distance
 * of rows in memory [doubles]. */
static void subtract_products(const double *row, int64_t stride, int columns, const double *y, double *sum) {
  const double *a = row, *b = row + stride, *c = b + stride, *d = c + stride;
  double w = sum[0], x = sum[1], v = sum[2], z = sum[3];
  for (int k = 0; k < columns; k++) {
    w -= a[k] * y[k];
    x -= b[k] * y[k];
    v -= c[k] * y[k];
    z -= d[k] * y[k];
  }
  sum[0] = w, sum[1] = x, sum[2] = v, sum[3] = z;
}

/* Forward substitution in place: subtracts the products of row r of L with y from y[r], for the rows first ..
 * end - 1 of a front. row: start of row `first` of the stored matrix. Each row has at most `columns`
 * products. */
static void solve_rows(const double *row, int64_t stride, int first, int end, int columns, double *y) {
  for (int r = first; r < end; r += ABREAST) {
    const double *at = row + (int64_t)(r - first) * stride;
    int count = end - r < ABREAST ? end - r : ABREAST, done = 0;
    if (count == ABREAST) subtract_products(at, stride, done = r < columns ? r : columns, y, y + r);
    for (int j = 0; j < count; j++, at += stride)
      for (int k = done; k < (r + j < columns ? r + j : columns); k++) y[r + j] -= at[k] * y[k];
  }
}

static void solve_forward(const sc_block_sparse *s, const sc_block_front *f, double *y) {
  solve_rows(s->value + f->upper, f->rows, 0, f->pivot_rows, f->pivot_rows, y);
  solve_rows(s->value + f->lower, f->pivot_rows, f->pivot_rows, f->rows, f->pivot_rows, y);
}

static void solve_backward(const sc_block_sparse *s, const sc_block_front *f, double *y) {
  for (int r = f->pivot_rows - 1; r >= 0; r--) {
    const double *row = s->value + f->upper + (int64_t)r * f->rows;
    double sum = y[r];
    for (int k = r + 1; k < f->rows; k++) sum -= row[k] * y[k];
    y[r] = sum / row[r];
  }
}

void sc_block_sparse_solve(const sc_block_sparse *s, double *x) {
  for (int32_t i = 0; i < s->fronts; i++) {
    const sc_block_front *f = s->front + i;
    gather_rows(s, f, x, s->work);
    solve_forward(s, f, s->work);
    scatter_rows(s, f, f->pivots + f->border, s->work, x);
  }
  for (int32_t i = s->fronts - 1; i >= 0; i--) {
    const sc_block_front *f = s->front + i;
    gather_rows(s, f, x, s->work);
    solve_backward(s, f, s->work);
    scatter_rows(s, f, f->pivots, s->work, x);
  }
}
