/* Conversion between blocks of a problem's operator and rows of the second-order solver. */
#ifndef SC_NEWTON_BUILD_H
#define SC_NEWTON_BUILD_H

#include "problem/operator/operator.h"
#include "solve/newton/system.h"

/* A scaled row of a contact: limit * (share[0] * row[0] + share[1] * row[1]). */
typedef struct sc_newton_source {
  int8_t row[2];   /* indices of the two rows within the block */
  double share[2]; /* factors of row[0] and of row[1] */
  double limit;    /* friction coefficient of the row; 1 for normal and joint rows */
} sc_newton_source;

/* A system, and the data that relate its rows to the operator. */
typedef struct sc_newton_build {
  const sc_operator *operator;
  int32_t blocks; /* number of blocks of the operator in the system, equal to system.items */
  /* [blocks] index in operator.block of each contact or joint row of the system, ascending; item i of the
   * system belongs to block[i] */
  const int32_t *block;
  sc_newton_source *source; /* [system.rows] rows of the operator that each scaled row combines */
  double *cohesion;         /* [blocks] cohesion impulse, which is added to the normal impulse [N s] */
  sc_newton_system system;
} sc_newton_build;

/* Returns why the solver does not support a law with these parameters; NULL if it does (sc_solver.misfit). */
const char *sc_newton_misfit(const sc_law *law, const double *par);
/* Builds the system of some blocks, in ascending order. They must not be coupled with other blocks. Returns
 * false if out of memory, or if there are too many rows. */
bool sc_newton_build_from(const sc_operator *operator, int32_t blocks, const int32_t *block, sc_arena *arena,
    sc_newton_build *build);
/* Computes the scaled impulses X [system.rows] of the system's blocks from the operator's impulses x
 * [operator.rows]. */
void sc_newton_read(const sc_newton_build *build, const double *x, double *X);
/* Computes impulses x [operator.rows] of the system's blocks from scaled impulses X [system.rows]. */
void sc_newton_write(const sc_newton_build *build, const double *X, double *x);

#endif
