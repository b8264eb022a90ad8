/* The Delassus operator of a problem: what impulses do to the velocities that their laws look at, in one
 * form for every kind of contact, with or without bodies.
 *
 *     u = A x + b
 *
 * A contact or a joint's row is a block of rows with a law of its own. Block k is ball contact k, then
 * come the general contacts, then the rows of joints. A contact's rows are n, t, o of its frame, then
 * torsion, rolling about t, rolling about o; b holds the bias. With bodies A = J M^-1 J', matrix-free;
 * a problem without bodies (matrix.h) brings its entries. The operator is a view: solvers that work on
 * whole vectors use it and store their answer at the end; those that go from contact to contact use the
 * functions of problem.h. */
#ifndef SC_OPERATOR_H
#define SC_OPERATOR_H

#include "problem/problem.h"
#include "problem/operator/rows.h"

typedef struct sc_operator_block {
  int64_t row;       /* first of its rows */
  int32_t dim;       /* 1 for a joint's row, 3..6 for a contact */
  int32_t i, j;      /* bodies */
  const sc_law *law; /* of a contact, with its parameters; NULL: lo <= x <= hi */
  const double *par;
  double lo, hi;
  double soft[3]; /* compliance of the first rows (a joint's softness, a contact's spring), part of A */
  double length;  /* rows past the third are spins: times this they are velocities [m] */
} sc_operator_block;

typedef struct sc_operator {
  const sc_problem *problem;
  int32_t blocks;
  sc_operator_block *block;
  int64_t rows;
  double *b;   /* velocities without impulses, bias included [m/s] */
  double *x;   /* the problem's impulses as the operator was built [N s] */
  sc_row *row; /* directions of all rows; NULL without bodies */
  double (*body)[6];
  sc_solver_body *free; /* [problem->bodies] bodies with their free velocities, before any impulse */
} sc_operator;

/* Builds the operator of a problem whose velocities contain its impulses. Ball contacts must lie in rows
 * and have no moments. Everything lives in the arena. Error: lack of memory. */
scree_status sc_operator_build(
    const sc_problem *problem, sc_arena *arena, sc_operator *out, scree_error *error);
/* u = A x, over all rows. Uses room of the operator: one call at a time. */
void sc_operator_apply(const sc_operator *operator, const double * x, double *u);
/* Entries between blocks c and k, dim_c x dim_k, row-major; zero where they share no movable body. The
 * entries of (k, c) are the same bits. */
void sc_operator_entries(const sc_operator *operator, int32_t c, int32_t k, double *A);
/* Blocks that are coupled with block c: block[first[c]..first[c + 1]), ascending, c itself among them.
 * False without memory. */
typedef struct sc_operator_graph {
  int64_t *first;
  int32_t *block;
} sc_operator_graph;
bool sc_operator_couplings(const sc_operator *operator, sc_arena * arena, sc_operator_graph *graph);
/* Stores impulses x in the problem. The velocity of a body becomes its free velocity plus the effect of x,
 * because updates of earlier impulses would accumulate rounding errors. */
void sc_operator_store(const sc_operator *operator, const double * x, const sc_problem *problem);

#endif
