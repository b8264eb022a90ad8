/* Contact problems in the format of FCLib (Acary, Bremond, Koziara & Perignon 2014), a collection for the
 * comparison of solvers: HDF5 files with a group fclib_local (W, q, mu) or fclib_global (M, H, f, w, mu).
 *
 *     u = W r + q,   r in the product of cones |r_t| <= mu r_n,
 *     u + mu |u_t| e_n in the dual cone,   r . (u + mu |u_t| e_n) = 0
 *
 * u, r: relative velocities and impulses of the contacts, three rows each: normal n, then two tangents t.
 * W: Delassus matrix, q: u without impulses, mu: coefficients of friction, e_n: unit vector of the normal
 * row.
 * Global problems have M v = H r + f and u = H' v + w with the velocities v of bodies. Loading eliminates v:
 * W = H' M^-1 H and q = H' M^-1 f + w. If W in a file is slightly unsymmetric, loading does not change it.
 * Without the HDF5 library, loading and saving fail with SCREE_E_MISSING. */
#ifndef SC_FCLIB_H
#define SC_FCLIB_H

#include "problem/operator/matrix.h"

typedef struct sc_fclib {
  int32_t contacts;
  double *q, *mu;   /* [3 contacts] velocity without impulses; [contacts] coefficient of friction */
  sc_matrix matrix; /* W in blocks of 3 x 3 */
} sc_fclib;

/* Returns whether a file begins with the signature of HDF5 files. */
bool sc_fclib_is(const char *path);
/* Reads a problem into the arena. Checks every size and index. */
scree_status sc_fclib_load(const char *path, sc_arena *arena, sc_fclib *out, scree_error *error);
/* Converts `fclib` to a problem for scree's solvers: general contacts with law coulomb, without bodies. If
 * fclib.matrix.judge is sc_fclib_error, solvers use FCLib's error as their residual. */
scree_status sc_fclib_problem(
    const sc_fclib *fclib, sc_arena *arena, sc_problem *problem, scree_error *error);
/* Returns the error of impulses r: |r - P_K(r - (u + mu |u_t| e_n))| / |q|, with Euclidean norms over all
 * contacts. P_K projects onto the product K of the cones. Returns the numerator if q is 0. fclib: an
 * sc_fclib. */
double sc_fclib_error(const void *fclib, const double *r);
/* Writes a problem to a file with the group fclib_local. The problem must have only contacts of 3 rows with
 * Coulomb's law, and its velocities must contain the effect of its impulses. Fails with SCREE_E_ARGUMENT for
 * other problems. */
scree_status sc_fclib_save(const sc_problem *problem, const char *path, scree_error *error);

/* ---- private ---- */

/* A sparse matrix by rows: the entries of row i are at[i] to at[i + 1] - 1, with their columns and values. */
typedef struct sc_fclib_sparse {
  int32_t rows, columns;
  int64_t *at; /* [rows + 1] index of the first entry of each row */
  int32_t *column;
  double *value;
} sc_fclib_sparse;

/* Builds out->matrix from the sparse matrix W (io/fclib/fclib_problem.c). out->contacts must be set. */
scree_status sc_fclib_blocks(const sc_fclib_sparse *W, sc_arena *arena, sc_fclib *out, scree_error *error);
/* A global problem M v = H r + f, u = H' v + w. */
typedef struct sc_fclib_global {
  sc_fclib_sparse M, H;
  double *f, *w;
} sc_fclib_global;
/* Eliminates the velocities of a global problem: sets out->q and out->matrix (io/fclib/fclib_global.c).
 * Fails if M is singular or has a connected block of more than 600 rows. */
scree_status sc_fclib_eliminate(
    const sc_fclib_global *global, sc_arena *arena, sc_fclib *out, scree_error *error);

#endif
