/* What the files of contacts with more than three rows share. */
#ifndef SC_MANY_ROWS_H
#define SC_MANY_ROWS_H

#include "law/law_parts.h"

enum { SC_MANY_FRICTION = SCREE_LAW_MAX_DIM - 1, SC_MANY_PARTS = 3 };

/* A contact with its friction rows scaled to a like diagonal: part k of the friction y, rows at[k] ..
 * at[k] + size[k] - 1, is bounded by |y_k| <= limit[k] x_n. */
typedef struct sc_many_rows {
  int rows, count; /* friction rows, parts */
  int at[SC_MANY_PARTS], size[SC_MANY_PARTS];
  double limit[SC_MANY_PARTS];
  double C[SC_MANY_FRICTION][SC_MANY_FRICTION], B[SC_MANY_FRICTION], a[SC_MANY_FRICTION], ann, bn;
  double y[SC_MANY_FRICTION], nu[SC_MANY_PARTS]; /* last friction and multipliers; start of the next solve */
  /* the problem before the move and its normal impulse (many_rows.c) */
  const struct sc_many_rows *from;
  double xn;
} sc_many_rows;

/* The normal impulse, with y and nu, by Newton's method on all of it at once; false where that does not end
 * at an answer known to be the law's, and p is then as it was but for y and nu (many_newton.c). */
bool sc_many_newton(sc_law_rule rule, sc_many_rows *p, double *xn);

#endif
