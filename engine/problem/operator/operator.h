/* The Delassus operator A of a problem: the linear map from impulses x to relative velocities u at the
 * contacts and joint rows, in one form for all kinds of contacts.
 *
 *     u = A x + b
 *
 * Each contact and each joint row is a block of rows with its own law. The blocks are the ball contacts,
 * then the general contacts, then the joint rows. The rows of a contact are n, t, o of its frame, then
 * torsion, rolling about t, rolling about o; b includes the bias. With bodies A = J M^-1 J' is computed
 * without a matrix. A problem without bodies (matrix.h) has the entries of A. Solvers that compute with
 * whole vectors use the operator, and store their impulses with sc_operator_store at the end. Solvers that
 * visit contact after contact use delassus.h and local.h. */
#ifndef SC_OPERATOR_H
#define SC_OPERATOR_H

#include "problem/problem.h"
#include "problem/operator/rows.h"

typedef struct sc_operator_block {
  int64_t row;       /* first row of the block */
  int32_t dim;       /* number of rows: 1 for a joint row, 3..6 for a contact */
  int32_t i, j;      /* [bodies] bodies 1 and 2 */
  const sc_law *law; /* law of a contact with parameters par; NULL: a joint row with lo <= x <= hi */
  const double *par;
  double lo, hi;
  double soft[3]; /* compliance of the first rows (a joint's softness, a contact's spring), included in A */
  /* length by which rows past the third, which are spins, are multiplied to be velocities [m] */
  double length;
} sc_operator_block;

typedef struct sc_operator {
  const sc_problem *problem;
  int32_t blocks;
  sc_operator_block *block;
  int64_t rows;
  double *b;            /* [rows] velocities without impulses, plus bias [m/s] */
  double *x;            /* [rows] the problem's impulses when the operator was built [N s] */
  sc_row *row;          /* [rows] directions on the bodies; NULL without bodies */
  double (*body)[6];    /* [problem->bodies] scratch of sc_operator_apply */
  sc_solver_body *free; /* [problem->bodies] bodies with their free velocities, before any impulse */
} sc_operator;

/* Builds the operator of a problem whose velocities contain its impulses. Ball contacts must be in rows and
 * have no moments. All memory is from the arena. Returns SCREE_E_MEMORY if out of memory. */
scree_status sc_operator_build(
    const sc_problem *problem, sc_arena *arena, sc_operator *out, scree_error *error);
/* Computes u = A x over all rows. Uses scratch memory of the operator, so threads must not call it at the
 * same time. */
void sc_operator_apply(const sc_operator *operator, const double * x, double *u);
/* Computes the entries A[dim_c x dim_k] between blocks c and k, row-major. The entries are 0 if the blocks
 * share no movable body. The entries of (k, c) are exactly the transpose. */
void sc_operator_entries(const sc_operator *operator, int32_t c, int32_t k, double *A);
/* Graph of coupled blocks. The neighbours of block c, which include c, are block[first[c]] ..
 * block[first[c + 1] - 1] in ascending order. */
typedef struct sc_operator_graph {
  int64_t *first; /* [blocks + 1] index of the first neighbour in `block` */
  int32_t *block;
} sc_operator_graph;
/* Computes the graph of coupled blocks in the arena. Returns false if out of memory. */
bool sc_operator_couplings(const sc_operator *operator, sc_arena * arena, sc_operator_graph *graph);
/* Stores impulses x in the problem. The velocity of a body becomes its free velocity plus the effect of x,
 * because updates of earlier impulses would accumulate rounding errors. */
void sc_operator_store(const sc_operator *operator, const double * x, const sc_problem *problem);

#endif
