/* From blocks of a problem's operator to the rows of the second-order solver, and back: the one place
 * that knows both. */
#ifndef SC_NEWTON_BUILD_H
#define SC_NEWTON_BUILD_H

#include "problem/operator/operator.h"
#include "solve/newton/system.h"

/* A scaled row of a contact: limit times the sum of two of its rows. */
typedef struct sc_newton_source {
  int8_t row[2]; /* within the block */
  double share[2], limit;
} sc_newton_source;

typedef struct sc_newton_build {
  const sc_operator *operator;
  int32_t blocks;
  const int32_t *block;     /* of the operator, one per item */
  sc_newton_source *source; /* per scaled row */
  double *cohesion;         /* per item: impulse taken off the normal one */
  sc_newton_system system;
} sc_newton_build;

/* Returns why the solver cannot take a law with these parameters, or NULL if it can (sc_solver.misfit). */
const char *sc_newton_misfit(const sc_law *law, const double *par);
/* The system of some blocks (ascending): those that are coupled with each other and with no others. False
 * without memory, or where there are too many rows. */
bool sc_newton_build_from(const sc_operator *operator, int32_t blocks, const int32_t *block, sc_arena *arena,
    sc_newton_build *build);
/* Impulses of the operator's rows (x: all of them) to scaled ones, and back. */
void sc_newton_read(const sc_newton_build *build, const double *x, double *X);
void sc_newton_write(const sc_newton_build *build, const double *X, double *x);

#endif
