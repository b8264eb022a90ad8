/* Problems given as a bare Delassus matrix: see matrix.h. */
#include "problem/operator/matrix.h"

#include <string.h>

/* Returns the index of the block between contacts c and k; -1 if the block is not stored. */
static int64_t find_stored_block(const sc_matrix *matrix, int32_t c, int32_t k) {
  int64_t low = matrix->first[c], high = matrix->first[c + 1];
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (matrix->column[middle] < k) low = middle + 1;
    else high = middle;
  }
  return low < matrix->first[c + 1] && matrix->column[low] == k ? low : -1;
}

const double *sc_matrix_block(const sc_matrix *matrix, int32_t c, int32_t k) {
  int64_t block = find_stored_block(matrix, c, k);
  return block < 0 ? NULL : matrix->value + matrix->at[block];
}

/* Multiplies the blocks of the contact's column. The blocks of its row may differ, because A may not be
 * exactly symmetric. */
void sc_matrix_apply(const sc_problem *problem, const sc_general_contact *contact, const double *x) {
  const sc_matrix *matrix = problem->matrix;
  int32_t c = (int32_t)(contact - problem->general);
  for (int64_t b = matrix->first[c]; b < matrix->first[c + 1]; b++) {
    const sc_general_contact *other = problem->general + matrix->column[b];
    const double *A = sc_matrix_block(matrix, matrix->column[b], c);
    double *u = matrix->velocity + other->x;
    if (!A) continue;
    for (int s = 0; s < other->dim; s++)
      for (int r = 0; r < contact->dim; r++) u[s] += A[s * contact->dim + r] * x[r];
  }
}

static bool allocate_problem(int32_t contacts, int32_t blocks, sc_arena *arena, sc_problem *problem) {
  problem->body = SC_TAKE(arena, sc_solver_body, 1);
  problem->block = SC_TAKE(arena, double, blocks);
  problem->x = SC_TAKE(arena, double, (size_t)contacts *SCREE_LAW_MAX_DIM);
  if (!problem->body || !problem->block || !problem->x) return false;
  memset(problem->body, 0, sizeof *problem->body);
  memset(problem->x, 0, (size_t)contacts * SCREE_LAW_MAX_DIM * sizeof *problem->x);
  return true;
}

scree_status sc_matrix_problem(const sc_matrix *matrix, int32_t contacts, sc_general_contact *general,
    sc_arena *arena, sc_problem *problem, scree_error *error) {
  int32_t blocks = 0;
  SC_ASSERT(contacts >= 0 && matrix->velocity);
  for (int32_t c = 0; c < contacts; c++) blocks += general[c].dim * general[c].dim;
  problem->matrix = matrix;
  problem->bodies = 1;
  problem->general = general;
  problem->generals = contacts;
  if (!allocate_problem(contacts, blocks, arena, problem))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", contacts);
  blocks = 0;
  for (int32_t c = 0; c < contacts; c++) {
    const double *own = sc_matrix_block(matrix, c, c);
    if (!own) return sc_fail(error, SCREE_E_FORMAT, "contact %d has no block on the diagonal", c + 1);
    general[c].i = general[c].j = 0;
    general[c].block = blocks;
    blocks += general[c].dim * general[c].dim;
    const int n = general[c].dim;
    double *block = problem->block + general[c].block;
    for (int r = 0; r < n; r++)
      for (int s = 0; s < n; s++) block[n * r + s] = (own[n * r + s] + own[n * s + r]) / 2;
  }
  return SCREE_OK;
}
