/* Products with the members' directions, the tangent operator, and preconditioned conjugate gradients.
 *
 * The tangent M + shift + B'DB is never formed. D of each pushing member is split into rank-one parts g g',
 * which are stored in a list of rows. A product visits this list. The preconditioner is the exact inverse of
 * each body's diagonal block. */
#include "solve/truss/truss_system.h"

#include <math.h>
#include <stddef.h>
#include "math/vec.h"

/* Returns the relative displacement of a member along one of its directions: row `row` of B times u. */
static double relative_displacement(const sc_truss_system *s, const sc_member *m, int row, const double *u) {
  const double *ui = u + (ptrdiff_t)m->i * s->dofs, *uj = u + (ptrdiff_t)m->j * s->dofs, *axis = m->axis[row];
  double sum = axis[0] * (ui[0] - uj[0]) + axis[1] * (ui[1] - uj[1]) + axis[2] * (ui[2] - uj[2]);
  if (m->lever) sum += sc_dot(m->arm1[row], ui + 3) - sc_dot(m->arm2[row], uj + 3);
  if (!sc_truss_crosses(s, m)) return sum;
  for (int l = 0; l < 3; l++) sum -= m->shift[l] * sc_dot(axis, u + (ptrdiff_t)(s->cell_at + l) * s->dofs);
  return sum;
}

void sc_truss_compress(sc_truss_system *s, const double *u, int with_offset, size_t member_offset) {
  for (int32_t k = 0; k < s->members; k++) {
    sc_member *m = s->member + k;
    double *out = (double *)((char *)m + member_offset);
    for (int row = 0; row < m->rows; row++) out[row] = -relative_displacement(s, m, row, u);
    if (with_offset) out[0] -= m->offset;
  }
}

void sc_truss_forces(sc_truss_system *s) {
  for (int32_t k = 0; k < s->members; k++)
    sc_member_force(s->member + k, s->exponent, s->smooth, s->member[k].c, s->member[k].f, NULL);
}

/* Subtracts from out the effect of a member across the cell on the cell: scale * axis, at the image of body
 * j. */
static void spread_cell(
    const sc_truss_system *s, const double shift[3], const double axis[3], double scale, double *out) {
  for (int l = 0; l < 3; l++) {
    double *to = out + (ptrdiff_t)(s->cell_at + l) * s->dofs;
    sc_axpy(-scale * shift[l], axis, to, to);
  }
}

/* Adds scale times the transposed row `row` of B of a member to out. */
static void spread_row(const sc_truss_system *s, const sc_member *m, int row, double scale, double *out) {
  double *oi = out + (ptrdiff_t)m->i * s->dofs, *oj = out + (ptrdiff_t)m->j * s->dofs;
  sc_axpy(scale, m->axis[row], oi, oi);
  sc_axpy(-scale, m->axis[row], oj, oj);
  if (sc_truss_crosses(s, m)) spread_cell(s, m->shift, m->axis[row], scale, out);
  if (!m->lever) return;
  sc_axpy(scale, m->arm1[row], oi + 3, oi + 3);
  sc_axpy(-scale, m->arm2[row], oj + 3, oj + 3);
}

static void clear_held(const sc_truss_system *s, double *x) {
  for (int32_t b = 0; b < s->bodies; b++)
    if (s->held[b]) memset(x + (ptrdiff_t)b * s->dofs, 0, (size_t)s->dofs * sizeof *x);
  for (int l = 0; l < 3 && s->cell; l++)
    for (int k = 0; k < 3; k++)
      if (!s->cell->moves[l][k]) x[(ptrdiff_t)(s->cell_at + l) * s->dofs + k] = 0;
}

void sc_truss_mass_times(const sc_truss_system *s, const double *x, double *out) {
  memset(out, 0, s->size * sizeof *out);
  if (!s->mass) return;
  for (int32_t b = 0; b < s->bodies; b++) {
    const double *packed = s->mass + 21 * (ptrdiff_t)b, *xb = x + (ptrdiff_t)b * s->dofs;
    double *ob = out + (ptrdiff_t)b * s->dofs;
    for (int i = 0; i < s->dofs; i++)
      for (int j = 0; j <= i; j++, packed++) {
        ob[i] += *packed * xb[j];
        if (i != j) ob[j] += *packed * xb[i];
      }
  }
}

void sc_truss_gradient(const sc_truss_system *s, const double *u, double *g) {
  sc_truss_mass_times(s, u, g);
  for (size_t k = 0; k < s->size; k++) g[k] += s->load[k];
  for (int32_t k = 0; k < s->members; k++)
    for (int row = 0; row < s->member[k].rows; row++)
      spread_row(s, s->member + k, row, -s->member[k].f[row], g);
  clear_held(s, g);
}

/* ---- tangent ---- */

/* Adds the direction d = sum_row weight[row] * (row of B) to the tangent as a rank-one part d d'. */
static void add_row(sc_truss_system *s, const sc_member *m, const double weight[3]) {
  if (!m->lever) {
    sc_short_row *out = s->short_row + s->shorts++;
    out->i = m->i, out->j = m->j, out->member = (int32_t)(m - s->member);
    for (int x = 0; x < 3; x++) out->g[x] = weight[0] * m->axis[0][x];
    return;
  }
  sc_long_row *out = s->long_row + s->longs++;
  out->i = m->i, out->j = m->j, out->member = (int32_t)(m - s->member);
  for (int x = 0; x < 3; x++) {
    out->g[x] = out->a1[x] = out->a2[x] = 0;
    for (int row = 0; row < m->rows; row++) {
      out->g[x] += weight[row] * m->axis[row][x];
      out->a1[x] += weight[row] * m->arm1[row][x];
      out->a2[x] += weight[row] * m->arm2[row][x];
    }
  }
}

/* Adds a member to the tangent: one row (sc_short_row, sc_long_row) per column of L, with D = L L' the
 * tangent of the member's forces. Columns with a vanishing pivot are omitted. */
static void add_member(sc_truss_system *s, const sc_member *m) {
  double D[6], f[3];
  sc_member_force(m, s->exponent, s->smooth, m->c, f, D);
  if (m->rows == 1) {
    if (D[0] > 0) add_row(s, m, (double[3]){sqrt(D[0]), 0, 0});
    return;
  }
  if (!(D[0] > 0) && !m->bounded) return;
  double l0 = sqrt(D[0]), l1 = l0 > 0 ? D[1] / l0 : 0, l2 = l0 > 0 ? D[2] / l0 : 0;
  if (l0 > 0) add_row(s, m, (double[3]){l0, l1, l2});
  double tt = D[3] - l1 * l1, to = D[4] - l1 * l2, oo = D[5] - l2 * l2, tiny = 1e-14 * (D[3] + D[5]);
  if (tt > tiny) {
    double root = sqrt(tt);
    add_row(s, m, (double[3]){0, root, to / root});
    oo -= to * to / tt;
  }
  if (oo > tiny) add_row(s, m, (double[3]){0, 0, sqrt(oo)});
}

static void add_outer(double *block, int dofs, const double *lin, const double *turn, double sign) {
  double g[6] = {lin[0], lin[1], lin[2]};
  if (turn)
    for (int x = 0; x < 3; x++) g[3 + x] = sign * turn[x];
  for (int x = 0; x < dofs; x++)
    for (int y = 0; y <= x; y++) block[x * dofs + y] += g[x] * g[y];
}

/* Adds g g' of a member across the cell to the cell's diagonal blocks. Components of the displacement
 * gradient that are not free are omitted. */
static void add_cell(sc_truss_system *s, int32_t member, const double g[3]) {
  const sc_member *m = s->member + member;
  if (!sc_truss_crosses(s, m)) return;
  for (int l = 0; l < 3; l++) {
    double moved[3];
    for (int k = 0; k < 3; k++) moved[k] = s->cell->moves[l][k] ? m->shift[l] * g[k] : 0;
    add_outer(s->block + (ptrdiff_t)(s->cell_at + l) * s->dofs * s->dofs, s->dofs, moved, NULL, 1);
  }
}

static void sum_blocks(sc_truss_system *s) {
  ptrdiff_t n = s->dofs, nn = n * n;
  memset(s->block, 0, (size_t)(s->bodies * nn) * sizeof *s->block);
  for (int32_t k = 0; k < s->shorts; k++) {
    add_outer(s->block + s->short_row[k].i * nn, s->dofs, s->short_row[k].g, NULL, 1);
    add_outer(s->block + s->short_row[k].j * nn, s->dofs, s->short_row[k].g, NULL, 1);
    add_cell(s, s->short_row[k].member, s->short_row[k].g);
  }
  for (int32_t k = 0; k < s->longs; k++) {
    const sc_long_row *row = s->long_row + k;
    add_outer(s->block + row->i * nn, s->dofs, row->g, row->a1, 1);
    add_outer(s->block + row->j * nn, s->dofs, row->g, row->a2, 1);
    add_cell(s, row->member, row->g);
  }
  if (!s->mass) return;
  for (int32_t b = 0; b < s->bodies; b++)
    for (int x = 0; x < n; x++)
      for (int y = 0; y <= x; y++)
        s->block[b * nn + x * n + y] += s->mass[21 * (ptrdiff_t)b + x * (x + 1) / 2 + y];
}

/* Computes the lower Cholesky factor in place. Pivots are positive because of the shift. */
static void factor_block(double *block, int n) {
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      double sum = block[i * n + j];
      for (int k = 0; k < j; k++) sum -= block[i * n + k] * block[j * n + k];
      block[i * n + j] = i == j ? sqrt(fmax(sum, 1e-300)) : sum / block[j * n + j];
    }
}

/* Returns the mean of the positive diagonal entries of the tangent; 1 without members. */
static double mean_diagonal(const sc_truss_system *s) {
  double sum = 0;
  int64_t count = 0;
  for (size_t k = 0; k < s->size; k++) {
    double entry = s->block[(k / (size_t)s->dofs) * (size_t)(s->dofs * s->dofs) +
        (k % (size_t)s->dofs) * (size_t)(s->dofs + 1)];
    if (entry > 0) sum += entry, count++;
  }
  return count ? sum / (double)count : 1;
}

void sc_truss_tangent(sc_truss_system *s, double shift) {
  s->shorts = s->longs = 0;
  for (int32_t k = 0; k < s->members; k++) add_member(s, s->member + k);
  sum_blocks(s);
  s->mean_diagonal = mean_diagonal(s);
  s->shift = shift * s->mean_diagonal;
  int nn = s->dofs * s->dofs;
  for (int32_t b = 0; b < s->bodies; b++) {
    for (int d = 0; d < s->dofs; d++) s->block[(ptrdiff_t)b * nn + d * (s->dofs + 1)] += s->shift;
    factor_block(s->block + (ptrdiff_t)b * nn, s->dofs);
  }
}

/* ---- conjugate gradients ---- */

/* Returns the contribution of the cell's motion to a row with the direction g. */
static double cell_part(const sc_truss_system *s, const sc_member *m, const double g[3], const double *x) {
  double sum = 0;
  for (int l = 0; l < 3; l++) sum -= m->shift[l] * sc_dot(g, x + (ptrdiff_t)(s->cell_at + l) * s->dofs);
  return sum;
}

/* Computes out = (M + shift + B'DB) x, the tangent times x. */
static void apply_tangent(const sc_truss_system *s, const double *x, double *out) {
  sc_truss_mass_times(s, x, out);
  for (size_t k = 0; k < s->size; k++) out[k] += s->shift * x[k];
  ptrdiff_t n = s->dofs;
  for (int32_t k = 0; k < s->shorts; k++) {
    const sc_short_row *row = s->short_row + k;
    const double *xi = x + row->i * n, *xj = x + row->j * n;
    double *oi = out + row->i * n, *oj = out + row->j * n;
    const sc_member *m = s->member + row->member;
    const bool crosses = sc_truss_crosses(s, m);
    double y = row->g[0] * (xi[0] - xj[0]) + row->g[1] * (xi[1] - xj[1]) + row->g[2] * (xi[2] - xj[2]);
    if (crosses) y += cell_part(s, m, row->g, x), spread_cell(s, m->shift, row->g, y, out);
    for (int c = 0; c < 3; c++) oi[c] += y * row->g[c], oj[c] -= y * row->g[c];
  }
  for (int32_t k = 0; k < s->longs; k++) {
    const sc_long_row *row = s->long_row + k;
    const double *xi = x + row->i * n, *xj = x + row->j * n;
    double *oi = out + row->i * n, *oj = out + row->j * n, y = 0;
    for (int c = 0; c < 3; c++)
      y += row->g[c] * (xi[c] - xj[c]) + row->a1[c] * xi[3 + c] - row->a2[c] * xj[3 + c];
    const sc_member *m = s->member + row->member;
    if (sc_truss_crosses(s, m)) y += cell_part(s, m, row->g, x), spread_cell(s, m->shift, row->g, y, out);
    for (int c = 0; c < 3; c++) {
      oi[c] += y * row->g[c], oj[c] -= y * row->g[c];
      oi[3 + c] += y * row->a1[c], oj[3 + c] -= y * row->a2[c];
    }
  }
  clear_held(s, out);
}

/* Computes z = (inverse of the diagonal blocks) r. */
static void apply_preconditioner(const sc_truss_system *s, const double *r, double *z) {
  int n = s->dofs;
  for (int32_t b = 0; b < s->bodies; b++) {
    const double *L = s->block + (ptrdiff_t)b * n * n, *rb = r + (ptrdiff_t)b * n;
    double *zb = z + (ptrdiff_t)b * n;
    for (int i = 0; i < n; i++) {
      double sum = rb[i];
      for (int k = 0; k < i; k++) sum -= L[i * n + k] * zb[k];
      zb[i] = sum / L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
      double sum = zb[i];
      for (int k = i + 1; k < n; k++) sum -= L[k * n + i] * zb[k];
      zb[i] = sum / L[i * n + i];
    }
  }
}

static double dot_product(const double *a, const double *b, size_t n) {
  double sum = 0;
  for (size_t k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

int64_t sc_truss_cg(sc_truss_system *s, const double *g, double tolerance, int64_t limit, double *x) {
  size_t n = s->size;
  for (size_t k = 0; k < n; k++) x[k] = 0, s->r[k] = -g[k];
  apply_preconditioner(s, s->r, s->z);
  memcpy(s->p, s->z, n * sizeof *s->p);
  double rz = dot_product(s->r, s->z, n), stop = tolerance * tolerance * dot_product(g, g, n);
  int64_t iteration = 0;
  for (; iteration < limit && dot_product(s->r, s->r, n) > stop && !sc_truss_ends(s);
       iteration++, s->cg_left--) {
    apply_tangent(s, s->p, s->q);
    double curvature = dot_product(s->p, s->q, n);
    if (!(curvature > 0)) break;
    double alpha = rz / curvature;
    for (size_t k = 0; k < n; k++) x[k] += alpha * s->p[k], s->r[k] -= alpha * s->q[k];
    apply_preconditioner(s, s->r, s->z);
    double next = dot_product(s->r, s->z, n), beta = next / rz;
    rz = next;
    for (size_t k = 0; k < n; k++) s->p[k] = s->z[k] + beta * s->p[k];
  }
  return iteration;
}
