/* Small dense matrices on plain arrays, row-major. */
#ifndef SC_SMALL_H
#define SC_SMALL_H

enum { SC_SMALL_MOST = 6 };

/* Inverse of a symmetric positive definite n x n matrix, n <= SC_SMALL_MOST. */
void sc_small_invert(int n, const double *A, double *out);

#endif
