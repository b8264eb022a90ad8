/* The linear complementarity problem of Stewart & Trinkle (1996), Eqs. (17), (29) and (32), built from a
 * problem.
 *
 *     w = M z + q >= 0,   z >= 0,   w'z = 0
 *
 * Per contact, with k directions d_i in the tangent plane:   beta_1..beta_k, c_n, lambda
 *     [ D'WD  D'Wn  e ]        W: Delassus operator of all rows, after elimination of the
 *     [ n'WD  n'Wn  0 ]        joints' free rows
 *     [ -e'   mu    0 ]
 * A contact without friction has c_n alone. A boxed joint row lo <= x <= hi is one unknown x - lo (or hi
 * - x), with a second one for the other bound if that is finite: the friction without a normal force of
 * section 3.5 is such a row. Free joint rows are eliminated by a Schur complement that survives
 * redundant rows. All unknowns are scaled so that diagonals are 1. */
#ifndef SC_LCP_H
#define SC_LCP_H

#include "problem/problem.h"
#include "problem/operator/rows.h"

typedef enum sc_lcp_kind { SC_LCP_CONTACT, SC_LCP_BOXED, SC_LCP_FREE } sc_lcp_kind;

/* A contact (3 rows) or a joint row (1 row) as the builder sees it. */
typedef struct sc_lcp_item {
  int kind;           /* sc_lcp_kind */
  int32_t source;     /* ball c: c; general c: balls + c; joint row: its index */
  int32_t base;       /* first of its rows */
  int32_t z;          /* first of its unknowns; -1 for free rows */
  int32_t directions; /* of a contact, 0 without friction */
  double mu;
  /* d_i in (t,o); general vectors: lengths other than 1 make friction anisotropic */
  const double (*direction)[2];
  double scale; /* of its impulses: x = scale z */
  int sign;     /* boxed: x = lo + scale z (+1) or hi - scale z (-1) */
} sc_lcp_item;

typedef struct sc_lcp {
  int n;         /* unknowns */
  double *M, *q; /* n x n row-major, n */
  int items;
  sc_lcp_item *item;
  int rows;
  sc_row *row; /* base rows: n,t,o of contacts, one of joint rows */
  /* rows x rows, rows: Delassus matrix and velocities without impulses (bias included) */
  double *W, *free;
  int frees;
  int32_t *free_row; /* base rows of free joint rows */
  double *factor;
  int *order;
  int rank; /* of W on the free rows */
} sc_lcp;

/* Returns why lemke cannot take contacts of a law with these parameters, or NULL (sc_solver.misfit). */
const char *sc_lcp_misfit(const sc_law *law, const double *par);
/* Builds the problem; everything lives in the arena. directions: k for contacts whose law does not say
 * (>= 2). Errors: a law that lemke cannot take, lack of memory. */
scree_status sc_lcp_build(
    const sc_problem *problem, int directions, sc_arena *arena, sc_lcp *lcp, scree_error *error);
/* Puts a solution back: impulses into the problem, their change into its bodies. */
scree_status sc_lcp_finish(
    const sc_lcp *lcp, const double *z, const sc_problem *problem, sc_arena *arena, scree_error *error);

#endif
