/* Friction laws: the single-contact problem.
 *
 * In the contact frame (n,t,o), with the normal n pointing from body 2 to body 1:
 *   A  3x3 symmetric positive definite Delassus block [1/kg], row-major
 *   b  minus the free relative velocity of body 1 against body 2 [m/s], b_n reduced by gap/dt
 *   x  impulse on body 1 [N s];  v = A x - b is the end-of-step relative velocity (plus gap/dt in n)
 * A law answers with the x that fulfils it. Source of the notation: Preclik, Eibl & Ruede (2017),
 * sections 2 and 3. */
#ifndef SCREE_LAW_H
#define SCREE_LAW_H

#include <stdint.h>
#include "scree/param.h"
#include "scree/status.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_contact_state {
  SCREE_SEPARATING = 0,
  SCREE_STICKING = 1,
  SCREE_SLIDING = 2
} scree_contact_state;

enum {
  SCREE_LAW_MAX_PARAMS = 24, /* parameters of one law, refinements included */
  SCREE_LAW_MAX_STATE = 8,   /* doubles of state per contact */
  SCREE_LAW_MAX_DIM = 6,     /* rows of the largest contact: n, t, o, torsion, rolling t, rolling o */
  SCREE_LAW_MAX_SOLUTIONS = 8
};

/* Result of scree_law_solve. */
typedef struct scree_law_result {
  double x[SCREE_LAW_MAX_DIM]; /* impulse [N s] (rows past 3: angular impulse [N m s]) */
  double v[SCREE_LAW_MAX_DIM]; /* A x - b [m/s] */
  double energy;               /* x'Ax/2 - x'b [J] */
  scree_contact_state state;
  int iterations; /* of the inner root finder, 0 for closed forms */
} scree_law_result;

/* Returns the number of registered laws. Laws defined in scripts belong to their world and are not
 * counted. */
int scree_law_count(void);
/* Returns the name of a registered law, in alphabetical order; NULL past the last. */
const char *scree_law_name(int index);

/* Returns the parameter table of a law (static) and its length in *count; NULL and 0 for an unknown law.
 * Offsets are indices in the parameter vector times sizeof(double): parameter i is params[i]. */
const scree_param *scree_law_params(const char *law, int *count);

/* Solves one contact. dim: scree_law_dim. A is dim x dim row-major, b has dim entries, params has as many
 * entries as the table. Errors: unknown law (nearest name in the text), A not symmetric (1e-9 relative) or
 * not positive definite (SCREE_E_NUMERIC), input that is not finite, a parameter out of bounds. */
scree_status scree_law_solve(const char *law, int dim, const double *A, const double *b, const double *params,
    scree_law_result *result, scree_error *error);

/* Computes all solutions of the single-contact problem in ascending order of energy. *count: their number, at
 * most SCREE_LAW_MAX_SOLUTIONS. Laws with a unique solution return one. */
scree_status scree_law_solutions(const char *law, int dim, const double *A, const double *b,
    const double *params, scree_law_result *results, int *count, scree_error *error);

/* Returns the number of rows of a contact with these parameters: 3, or up to 6 with torsional and rolling
 * friction; -1: unknown law. */
int scree_law_dim(const char *law, const double *params);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
