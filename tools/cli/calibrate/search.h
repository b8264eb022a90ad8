/* Minimisers of an error over the unit cube. They request the errors of several places in one call, so that
 * the caller can compute these errors in parallel. They are deterministic: equal errors lead to equal
 * places. */
#ifndef CLI_SEARCH_H
#define CLI_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

enum {
  SEARCH_MOST = 16, /* maximum number of parameters */
  SEARCH_BATCH = 32 /* maximum number of places in one call */
};

typedef double search_place[SEARCH_MOST];

typedef struct search {
  int count; /* number of parameters */
  /* > 0: the search ends when its places lie within this share of the range of each parameter */
  double tolerance;
  int64_t budget; /* number of evaluated places at which the search ends */
  int64_t used;   /* out: number of evaluated places */
  bool converged; /* out: the search ended because it converged, not because of the budget */
  /* Computes the errors of places within the unit cube; INFINITY: a place has no error. Returns 0, or another
   * number that ends the search. */
  int (*measure)(void *context, const search_place *place, int count, double *error);
  void *context;
} search;

/* Moves x from the start to the minimum found by the simplex of Nelder and Mead (1965). Evaluates all four
 * moves of a round in one call. Returns 0 or the result of s->measure. */
int search_simplex(search *s, double *x);
/* Moves x from the start to the minimum found by CMA-ES with a Cholesky factor of the covariance (Hansen, The
 * CMA evolution strategy: a tutorial, 2016; Krause, Arbones and Igel, NIPS 2016). Returns 0 or the result of
 * s->measure. */
int search_cma(search *s, double *x);

/* Replaces the lower triangle of a symmetric matrix by its Cholesky factor. Returns false if the matrix is
 * not positive definite to rounding. */
bool search_factor(double matrix[SEARCH_MOST][SEARCH_MOST], int count);

#endif
