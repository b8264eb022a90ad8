/* Small dense matrices, row-major: LU with row exchanges and Cholesky with complete pivoting. */
#ifndef SC_DENSE_H
#define SC_DENSE_H

#include <stdbool.h>

/* Factorises A (n x n) in place as P A = L U (P: a permutation of rows). Returns false if a column has no
 * nonzero pivot. row[k]: original index of the row that the factorisation moved to k. */
bool sc_lu_factor(int n, double *A, int *row);
/* Solves A x = b with the factors and rows of sc_lu_factor. b and x must not alias. */
void sc_lu_solve(int n, const double *A, const int *row, const double *b, double *x);

/* Factorises a symmetric positive semi-definite A (n x n, only the lower triangle is read) in place as P A P'
 * = L L' (P: a permutation). The next pivot is the diagonal entry with the largest ratio to its initial
 * value. Stops when all these ratios are at most `tolerance`; the remaining rows depend on the rows before
 * them. Returns the rank. order[k]: original index of the row that the factorisation moved to k. scratch: n
 * doubles. */
int sc_cholesky_factor(int n, double *A, int *order, double tolerance, double *scratch);
/* Solves A x = b with rank, L and order from sc_cholesky_factor. Only independent rows are solved; x is 0 for
 * dependent rows. scratch: n doubles. b and x may alias. */
void sc_cholesky_solve(
    int n, int rank, const double *L, const int *order, const double *b, double *x, double *scratch);

#endif
