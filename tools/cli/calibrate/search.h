/* Minimisers of an error over the unit cube. They ask for the errors of several places at a time, so that
 * these can be computed side by side, and they are deterministic: the same errors lead to the same places. */
#ifndef CLI_SEARCH_H
#define CLI_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

enum { SEARCH_MOST = 16 /* parameters */, SEARCH_BATCH = 32 /* places of one call */ };

typedef double search_place[SEARCH_MOST];

typedef struct search {
  int count;        /* parameters */
  double tolerance; /* > 0: the search ends when its places lie within this share of the range */
  int64_t budget;   /* places to try */
  int64_t used;     /* out: places tried */
  bool converged;   /* out: it ended by the tolerance */
  /* Computes the errors of places within the unit cube; INFINITY: the place has none. Returns 0, or a
   * number that ends the search. */
  int (*measure)(void *context, const search_place *place, int count, double *error);
  void *context;
} search;

/* Moves x from the start to the minimum found by the simplex of Nelder and Mead (1965). All four moves of a
 * round are tried side by side. Returns 0 or what measure returned. */
int search_simplex(search *s, double *x);
/* Moves x from the start to the minimum found by CMA-ES with a Cholesky factor of the covariance (Hansen,
 * The CMA evolution strategy: a tutorial, 2016; Krause, Arbones and Igel, NIPS 2016). Returns 0 or what
 * measure returned. */
int search_cma(search *s, double *x);

/* Replaces the lower triangle of a symmetric matrix by its Cholesky factor. Returns false if the matrix is
 * not positive definite to rounding. */
bool search_factor(double matrix[SEARCH_MOST][SEARCH_MOST], int count);

#endif
