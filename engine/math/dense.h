/* Small dense matrices, row-major: LU with row exchanges and Cholesky with complete pivoting. */
#ifndef SC_DENSE_H
#define SC_DENSE_H

#include <stdbool.h>

/* Factorises A (n x n) in place as P A = L U. False if a column has no pivot. row[k] is the row that
 * went to place k. */
bool sc_lu_factor(int n, double *A, int *row);
/* Solves A x = b with the factors; b and x must not alias. */
void sc_lu_solve(int n, const double *A, const int *row, const double *b, double *x);

/* Factorises a symmetric positive semi-definite A (n x n, lower triangle read) in place as P A P' = L
 * L', taking the largest diagonal entry first. Stops where every diagonal entry left has fallen below
 * tolerance times its own start value: the rows from the returned rank on depend on those before.
 * order[k] is the row that went to place k. scratch: n doubles. */
int sc_cholesky_factor(int n, double *A, int *order, double tolerance, double *scratch);
/* Solves A x = b on the independent rows; x is 0 on the dependent ones. scratch: n doubles; b and x may
 * alias. */
void sc_cholesky_solve(
    int n, int rank, const double *L, const int *order, const double *b, double *x, double *scratch);

#endif
