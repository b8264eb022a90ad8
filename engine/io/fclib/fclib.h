/* Contact problems in the format of FCLib (Acary, Bremond, Koziara & Perignon 2014), which others use to
 * compare solvers: HDF5 files with a group fclib_local (W, q, mu) or fclib_global (M, H, f, w, mu).
 *
 *     u = W r + q,   r in the product of cones |r_t| <= mu r_n,   u + mu |u_t| e_n in the dual cone,
 *     r . (u + mu |u_t| e_n) = 0
 * Rows of a contact are normal, tangent, tangent. Global problems have M v = H r + f and u = H' v + w; v is
 * eliminated, W = H' M^-1 H and q = H' M^-1 f + w. W may be slightly unsymmetric, as its program wrote it.
 * Without the HDF5 library all functions that touch a file answer SCREE_E_MISSING. */
#ifndef SC_FCLIB_H
#define SC_FCLIB_H

#include "problem/operator/matrix.h"

typedef struct sc_fclib {
  int32_t contacts;
  double *q, *mu;   /* 3 a contact, 1 a contact */
  sc_matrix matrix; /* blocks 3 x 3 */
} sc_fclib;

/* Whether a file begins as HDF5 files do. */
bool sc_fclib_is(const char *path);
/* Reads a problem into the arena. Every size and index is checked. */
scree_status sc_fclib_load(const char *path, sc_arena *arena, sc_fclib *out, scree_error *error);
/* The same as a problem for scree's solvers: general contacts of law coulomb without bodies, judged by the
 * field's error where fclib.matrix.judge is set to sc_fclib_error. */
scree_status sc_fclib_problem(
    const sc_fclib *fclib, sc_arena *arena, sc_problem *problem, scree_error *error);
/* How far impulses r are from the answer: |r - P_K(r - (u + mu |u_t| e_n))| over |q|, both in the norm of
 * squares over all contacts. */
double sc_fclib_error(const void *fclib, const double *r);
/* Writes the problem of contacts of 3 rows with Coulomb's law and no joints as a local one; velocities
 * must contain the impulses. Other problems: SCREE_E_ARGUMENT. */
scree_status sc_fclib_save(const sc_problem *problem, const char *path, scree_error *error);

/* ---- inside ---- */

/* A sparse matrix as files hold it, by triplets or compressed, here by rows. */
typedef struct sc_fclib_sparse {
  int32_t rows, columns;
  int64_t *at; /* rows + 1 */
  int32_t *column;
  double *value;
} sc_fclib_sparse;

/* Makes the blocks of a problem from the sparse matrix W (io/fclib/fclib_problem.c). */
scree_status sc_fclib_blocks(const sc_fclib_sparse *W, sc_arena *arena, sc_fclib *out, scree_error *error);
typedef struct sc_fclib_global {
  sc_fclib_sparse M, H;
  double *f, *w;
} sc_fclib_global;
scree_status sc_fclib_eliminate(
    const sc_fclib_global *global, sc_arena *arena, sc_fclib *out, scree_error *error);

#endif
