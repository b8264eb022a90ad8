/* Cholesky factors of sparse symmetric positive semi-definite matrices in skyline (envelope) storage: of row
 * i, the columns first[i] to i are stored. Rows are not exchanged, so the factor fits into the storage of the
 * matrix. */
#ifndef SC_SKYLINE_H
#define SC_SKYLINE_H

#include <stdint.h>

typedef struct sc_skyline {
  int32_t n;
  int32_t *first; /* [n] first stored column of a row, first[i] <= i */
  int64_t *at;    /* [n + 1] index in `entry` of column first[i] of row i */
  double *entry;  /* stored entries of the lower triangle: of the matrix, after the factorisation of L */
} sc_skyline;

/* Returns a pointer to the entry in column j of row i, first[i] <= j <= i. */
static inline double *sc_skyline_entry(const sc_skyline *s, int32_t i, int32_t j) {
  return s->entry + s->at[i] + (j - s->first[i]);
}
/* Factorises in place as L L'. A row whose pivot is at most `tolerance` times its own diagonal entry depends
 * on rows before it and gets a zero pivot. Returns the rank: the number of rows with a nonzero pivot. */
int32_t sc_skyline_factor(sc_skyline *s, double tolerance);
/* Solves A x = b with the factor from sc_skyline_factor. Only independent rows are solved; x is 0 for
 * dependent rows. b and x may alias. */
void sc_skyline_solve(const sc_skyline *s, const double *b, double *x);

#endif
