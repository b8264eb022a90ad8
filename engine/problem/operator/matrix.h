/* A Delassus matrix given as such: contacts without bodies.
 *
 * Contacts are the problem's general ones; contact c has the rows x .. x + dim - 1 of the problem's
 * impulses, and velocities lie alike:
 *     u = A x + b,   A of blocks A_ck that are stored where they are not zero, on a symmetric pattern.
 * A is symmetric, or nearly so where others wrote it down.
 * The present velocities stand beside the impulses, as those of bodies do in other problems: who changes
 * an impulse carries the change over (sc_problem_general_apply). Solvers that ask the problem for
 * velocities, effects and blocks (problem.h) solve it like any other; what a contact asks for beside its
 * law is in b, and biases add to it as always. */
#ifndef SC_MATRIX_H
#define SC_MATRIX_H

#include "problem/problem.h"

struct sc_matrix {
  const int64_t *first;  /* contacts + 1: where the blocks of a contact's rows begin */
  const int32_t *column; /* per block: the other contact, ascending; the contact itself is among them */
  const int64_t *at;     /* per block: where its dim_c x dim_k entries begin in value, row-major */
  const double *value;   /* velocity per impulse [1/kg] */
  double *velocity;      /* per row: with the impulses that have been applied [m/s] */
  /* how far impulses are from the answer, in place of the common residual; NULL: that */
  double (*judge)(const void *context, const double *x);
  const void *context;
};

/* The problem of a matrix, impulses not yet applied: velocity holds b. general: laws, dim, par and x are
 * set; frames, arms and bodies are not. Blocks of the diagonal are copied into the arena, symmetric,
 * as laws take them (an answer with all others held is one of the whole matrix all the same). Error: lack of
 * memory, a contact without a block of its own. */
scree_status sc_matrix_problem(const sc_matrix *matrix, int32_t contacts, sc_general_contact *general,
    sc_arena *arena, sc_problem *problem, scree_error *error);

/* Entries between contacts c and k (dim_c x dim_k, row-major); NULL where they are zero. */
const double *sc_matrix_block(const sc_matrix *matrix, int32_t c, int32_t k);
/* velocity += A x over the rows of contact c. */
void sc_matrix_apply(const sc_problem *problem, const sc_general_contact *contact, const double *x);

#endif
