/* Inverses of small dense matrices, stored row-major in plain arrays. */
#ifndef SC_SMALL_H
#define SC_SMALL_H

enum { SC_SMALL_MOST = 6 };

/* Sets out to the inverse of the n x n matrix A, n <= SC_SMALL_MOST. Rows are not exchanged, so all leading
 * minors of A must be nonzero. */
void sc_small_invert(int n, const double *A, double *out);
/* Sets out to the inverse of the symmetric positive definite n x n matrix A, n <= SC_SMALL_MOST. The result
 * is exactly symmetric. */
void sc_small_invert_symmetric(int n, const double *A, double *out);

#endif
