/* The linear complementarity problem of Stewart & Trinkle (1996), Eqs. (17), (29) and (32), built from a
 * problem.
 *
 *     w = M z + q >= 0,   z >= 0,   w'z = 0
 *
 * Per contact, with k directions d_i in the tangent plane:   beta_1..beta_k, c_n, lambda
 *     [ D'WD  D'Wn  e ]        W: Delassus operator of all rows, after elimination of the
 *     [ n'WD  n'Wn  0 ]        joints' free rows
 *     [ -e'   mu    0 ]        D: the directions as columns; n: the normal; e: a column of ones
 * A contact without friction has only c_n. A boxed joint row lo <= x <= hi has the unknown x - lo (or hi -
 * x), and a second unknown if the other bound is finite, too. The friction without a normal force of section
 * 3.5 is such a row. Free joint rows are eliminated by a Schur complement, which may have redundant rows. All
 * unknowns are scaled such that diagonals are 1. */
#ifndef SC_LCP_H
#define SC_LCP_H

#include "problem/problem.h"
#include "problem/operator/rows.h"

typedef enum sc_lcp_kind { SC_LCP_CONTACT, SC_LCP_BOXED, SC_LCP_FREE } sc_lcp_kind;

/* A contact (3 base rows) or a joint row (1 base row). */
typedef struct sc_lcp_item {
  int kind;           /* kind of the item, a sc_lcp_kind */
  int32_t source;     /* index of the source: c for ball contact c, balls + c for general contact c, the row
                         for a joint row */
  int32_t base;       /* index of the first base row */
  int32_t z;          /* index of the first unknown; -1 for free rows */
  int32_t directions; /* number of directions of a contact; 0: no friction */
  double mu;
  /* [directions] d_i as components (t,o); if their lengths differ, friction is anisotropic */
  const double (*direction)[2];
  double scale; /* unit of impulses: x = scale z */
  int sign;     /* boxed rows: 1: x = lo + scale z, -1: x = hi - scale z */
} sc_lcp_item;

typedef struct sc_lcp {
  int n;         /* number of unknowns z */
  double *M, *q; /* M: [n x n] row-major; q: [n] */
  int items;
  sc_lcp_item *item;
  int rows;          /* number of base rows */
  sc_row *row;       /* [rows] base rows: n, t, o of contacts, one per joint row */
  double *W, *free;  /* W: [rows x rows] Delassus matrix; free: [rows] velocities without impulses, plus
                        bias */
  int frees;         /* number of free joint rows */
  int32_t *free_row; /* [frees] index in `row` of each free joint row */
  double *factor;    /* [frees x frees] pivoted Cholesky factor of W on the free rows, and scratch */
  int *order;        /* [frees] order of the pivots of `factor` */
  int rank;          /* rank of W on the free rows */
} sc_lcp;

/* Returns the reason why lemke does not support a law with these parameters, NULL if lemke supports it
 * (sc_solver.misfit). */
const char *sc_lcp_misfit(const sc_law *law, const double *par);
/* Builds the complementarity problem in the arena. directions: number of friction directions (>= 2) of
 * contacts whose law does not define this number. Returns SCREE_E_ARGUMENT if lemke does not support a law,
 * and fails if out of memory. */
scree_status sc_lcp_build(
    const sc_problem *problem, int directions, sc_arena *arena, sc_lcp *lcp, scree_error *error);
/* Stores a solution z[n]: sets the impulses of the problem and adds the effect of their change to its
 * bodies. */
scree_status sc_lcp_finish(
    const sc_lcp *lcp, const double *z, const sc_problem *problem, sc_arena *arena, scree_error *error);

#endif
