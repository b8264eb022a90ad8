/* Small dense matrices on plain arrays, row-major. */
#ifndef SC_SMALL_H
#define SC_SMALL_H

enum { SC_SMALL_MOST = 6 };

/* Inverts an n x n matrix whose leading minors are not 0, n <= SC_SMALL_MOST. */
void sc_small_invert(int n, const double *A, double *out);
/* Inverts a symmetric positive definite n x n matrix, n <= SC_SMALL_MOST. The inverse is exactly
 * symmetric. */
void sc_small_invert_symmetric(int n, const double *A, double *out);

#endif
