/* A problem that consists of a Delassus matrix: contacts without bodies.
 *
 * The contacts are the problem's general contacts. Contact c has the rows x .. x + dim - 1 of impulses and
 * velocities:
 *     u = A x + b,   A with blocks A_ck. Nonzero blocks are stored, and their pattern is symmetric.
 * A is symmetric, or nearly symmetric in files of other programs.
 * The present velocities are stored, like those of bodies in other problems. A solver that changes an impulse
 * must update the velocities with sc_problem_general_apply. Solvers that use the functions of delassus.h for
 * velocities, effects and blocks solve such a problem without changes. Biases are added to b. */
#ifndef SC_MATRIX_H
#define SC_MATRIX_H

#include "problem/problem.h"

struct sc_matrix {
  const int64_t *first;  /* [contacts + 1] index of the first block of each contact */
  const int32_t *column; /* [blocks] index of the other contact k, ascending within a contact; the diagonal
                            block is included */
  const int64_t *at;     /* [blocks] index into value of the dim_c x dim_k entries, row-major */
  const double *value;   /* entries of the blocks: velocity per impulse [1/kg] */
  double *velocity;      /* [rows] velocity, with the effect of all applied impulses [m/s] */
  /* returns the residual of impulses x, in place of sc_problem_residual; NULL: sc_problem_residual applies */
  double (*judge)(const void *context, const double *x);
  const void *context;
};

/* Sets up the problem of a matrix. matrix->velocity must be b, because no impulse is applied yet. general:
 * [contacts] with law, dim, par and x set; frames, arms and bodies are not used. Copies the diagonal blocks
 * to the arena and makes them symmetric, because laws require this. Fails if out of memory, or if a contact
 * has no diagonal block. */
scree_status sc_matrix_problem(const sc_matrix *matrix, int32_t contacts, sc_general_contact *general,
    sc_arena *arena, sc_problem *problem, scree_error *error);

/* Returns the block between contacts c and k (dim_c x dim_k, row-major); NULL if the block is not stored and
 * thus 0. */
const double *sc_matrix_block(const sc_matrix *matrix, int32_t c, int32_t k);
/* Adds the effect of impulses x[dim] of a contact to the velocities of all contacts. */
void sc_matrix_apply(const sc_problem *problem, const sc_general_contact *contact, const double *x);

#endif
