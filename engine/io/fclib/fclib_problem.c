/* Converts FCLib problems to scree's, and computes their error. Reads and writes no file. */
#include "io/fclib/fclib.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "law/law_parts.h"

/* ---- blocks of W ---- */

/* Pattern of the 3x3 blocks of W: contact c has blocks with the contacts column[first[c]] to column[first[c +
 * 1] - 1]. */
typedef struct pattern {
  int64_t *first;
  int32_t *column;
} pattern;

static int compare_indices(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* Sets p to the pattern of W. It lists for each contact, in ascending order, the contact itself and all
 * contacts that W couples with it. Returns false if out of memory. */
static bool find_pattern(const sc_fclib_sparse *W, int32_t contacts, sc_arena *arena, pattern *p) {
  int64_t *count = SC_TAKE(arena, int64_t, contacts + 2);
  p->first = SC_TAKE(arena, int64_t, contacts + 1);
  if (!count || !p->first) return false;
  memset(count, 0, ((size_t)contacts + 2) * sizeof *count);
  for (int32_t c = 0; c < contacts; c++) count[c + 1] += 1;
  for (int32_t r = 0; r < W->rows; r++)
    for (int64_t e = W->at[r]; e < W->at[r + 1]; e++) count[r / 3 + 1]++, count[W->column[e] / 3 + 1]++;
  for (int32_t c = 0; c < contacts; c++) count[c + 1] += count[c];
  int32_t *all = SC_TAKE(arena, int32_t, count[contacts] + 1);
  p->column = SC_TAKE(arena, int32_t, count[contacts] + 1);
  int64_t *fill = SC_TAKE(arena, int64_t, contacts + 1);
  if (!all || !p->column || !fill) return false;
  memcpy(fill, count, (size_t)contacts * sizeof *fill);
  for (int32_t c = 0; c < contacts; c++) all[fill[c]++] = c;
  for (int32_t r = 0; r < W->rows; r++)
    for (int64_t e = W->at[r]; e < W->at[r + 1]; e++) {
      all[fill[r / 3]++] = W->column[e] / 3;
      all[fill[W->column[e] / 3]++] = r / 3;
    }
  int64_t kept = 0;
  for (int32_t c = 0; c < contacts; c++) {
    p->first[c] = kept;
    qsort(all + count[c], (size_t)(count[c + 1] - count[c]), sizeof *all, compare_indices);
    for (int64_t e = count[c]; e < count[c + 1]; e++)
      if (e == count[c] || all[e] != all[e - 1]) p->column[kept++] = all[e];
  }
  p->first[contacts] = kept;
  return true;
}

scree_status sc_fclib_blocks(const sc_fclib_sparse *W, sc_arena *arena, sc_fclib *out, scree_error *error) {
  pattern p;
  int32_t contacts = out->contacts;
  if (!find_pattern(W, contacts, arena, &p)) return sc_fail(error, SCREE_E_MEMORY, "no memory for W");
  int64_t blocks = p.first[contacts], *at = SC_TAKE(arena, int64_t, blocks + 1);
  double *value = SC_TAKE(arena, double, 9 * blocks + 1),
         *u = SC_TAKE(arena, double, 3 * (int64_t)contacts + 1);
  if (!at || !value || !u) return sc_fail(error, SCREE_E_MEMORY, "no memory for W");
  memset(value, 0, (size_t)(9 * blocks) * sizeof *value);
  for (int64_t b = 0; b < blocks; b++) at[b] = 9 * b;
  out->matrix = (sc_matrix){p.first, p.column, at, value, u, NULL, NULL};
  for (int32_t r = 0; r < W->rows; r++)
    for (int64_t e = W->at[r]; e < W->at[r + 1]; e++) {
      const double *block = sc_matrix_block(&out->matrix, r / 3, W->column[e] / 3);
      value[block - value + 3 * (r % 3) + W->column[e] % 3] += W->value[e];
    }
  return SCREE_OK;
}

/* ---- problem and error ---- */

scree_status sc_fclib_problem(const sc_fclib *f, sc_arena *arena, sc_problem *problem, scree_error *error) {
  sc_general_contact *general = SC_TAKE(arena, sc_general_contact, f->contacts + 1);
  const sc_law **law = SC_TAKE(arena, const sc_law *, 1);
  double *par = SC_TAKE(arena, double, (int64_t)SCREE_LAW_MAX_PARAMS * f->contacts + 1);
  *problem = (sc_problem){.laws = 1, .law = law, .par = par, .dt = 1};
  if (!general || !law || !par)
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", f->contacts);
  law[0] = sc_law_find("coulomb");
  memset(general, 0, (size_t)f->contacts * sizeof *general);
  for (int32_t c = 0; c < f->contacts; c++) {
    double *own = par + (int64_t)SCREE_LAW_MAX_PARAMS * c;
    scree_param_defaults(law[0]->params, law[0]->params_count, own);
    own[SC_PAR_MU] = f->mu[c];
    general[c].dim = 3;
    general[c].par = SCREE_LAW_MAX_PARAMS * c;
    general[c].x = 3 * c;
    general[c].contact = c;
    general[c].scale1 = general[c].scale2 = 1;
  }
  memcpy(f->matrix.velocity, f->q, (size_t)(3 * f->contacts) * sizeof *f->q);
  return sc_matrix_problem(&f->matrix, f->contacts, general, arena, problem, error);
}

/* Computes the relative velocity u of a contact under impulses r. */
static void compute_velocity(const sc_fclib *f, int32_t c, const double *r, double u[3]) {
  for (int k = 0; k < 3; k++) u[k] = f->q[3 * c + k];
  for (int64_t b = f->matrix.first[c]; b < f->matrix.first[c + 1]; b++) {
    const double *A = f->matrix.value + f->matrix.at[b], *x = r + 3 * (int64_t)f->matrix.column[b];
    for (int k = 0; k < 3; k++) u[k] += A[3 * k] * x[0] + A[3 * k + 1] * x[1] + A[3 * k + 2] * x[2];
  }
}

double sc_fclib_error(const void *fclib, const double *r) {
  const sc_fclib *f = fclib;
  const sc_law *law = sc_law_find("coulomb");
  double sum = 0, size = 0, par[SCREE_LAW_MAX_PARAMS];
  scree_param_defaults(law->params, law->params_count, par);
  for (int32_t c = 0; c < f->contacts; c++) {
    double u[3], z[3];
    compute_velocity(f, c, r, u);
    par[SC_PAR_MU] = f->mu[c];
    for (int k = 0; k < 3; k++) z[k] = r[3 * c + k] - u[k], size += f->q[3 * c + k] * f->q[3 * c + k];
    z[0] -= f->mu[c] * sqrt(u[1] * u[1] + u[2] * u[2]);
    law->project(par, 3, z);
    for (int k = 0; k < 3; k++) sum += (r[3 * c + k] - z[k]) * (r[3 * c + k] - z[k]);
  }
  return size > 0 ? sqrt(sum / size) : sqrt(sum);
}
