/* Declarations shared by the files for contacts with more than three rows. */
#ifndef SC_MANY_ROWS_H
#define SC_MANY_ROWS_H

#include "law/law_parts.h"

enum { SC_MANY_FRICTION = SCREE_LAW_MAX_DIM - 1, SC_MANY_PARTS = 3 };

/* A contact whose friction rows are scaled to similar diagonal entries. Part k of the friction y has the rows
 * at[k] .. at[k] + size[k] - 1 and the bound |y_k| <= limit[k] x_n. */
typedef struct sc_many_rows {
  int rows, count; /* number of friction rows, and of parts */
  int at[SC_MANY_PARTS], size[SC_MANY_PARTS];
  double limit[SC_MANY_PARTS];
  double C[SC_MANY_FRICTION][SC_MANY_FRICTION], B[SC_MANY_FRICTION], a[SC_MANY_FRICTION], ann, bn;
  /* friction and multipliers of the last solve, with which the next solve starts */
  double y[SC_MANY_FRICTION], nu[SC_MANY_PARTS];
  /* only for solve_energy_impulse (many_rows.c), which replaces b by b - w A e_n. from: the problem with the
   * original b. xn: normal impulse of the solution for the new b */
  const struct sc_many_rows *from;
  double xn;
} sc_many_rows;

/* Computes the normal impulse *xn, and y and nu of p, by Newton's method on all unknowns together
 * (many_newton.c). Returns false if the result is not known to be the law's solution. Only y and nu of p
 * change. */
bool sc_many_newton(sc_law_rule rule, sc_many_rows *p, double *xn);

#endif
