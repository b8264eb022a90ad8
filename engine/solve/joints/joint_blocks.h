/* Direct solution of mechanisms: blocks of connected joint rows. */
#ifndef SC_JOINT_BLOCKS_H
#define SC_JOINT_BLOCKS_H

#include "math/sparse/skyline.h"
#include "solve/joints/joint_lists.h"

/* One block: locked rows first, then boxed rows. The Delassus matrix of the locked rows has a dense or a
 * skyline factor. */
typedef struct sc_joint_block {
  int32_t held, boxed; /* numbers of locked and of boxed rows */
  int32_t rank;        /* number of independent locked rows */
  int32_t *row;        /* [held + boxed] indices into problem.joint_row */
  double *factor;      /* [held * held] dense factor; unused if skyline.n > 0 */
  int *order;          /* [held] pivot order of the dense factor */
  sc_skyline skyline;  /* skyline factor; n = 0: the factor is dense */
  double *answer;      /* [held * boxed] W_EE^+ W_EC: response of locked rows to impulses on boxed rows */
  double *reduced;     /* [boxed * boxed] W_CC - W_CE W_EE^+ W_EC, without the softness of the boxed rows */
  double *u, *dx;      /* [held + boxed] scratch: velocities and impulse changes */
  double *scratch;     /* [2 * (held + boxed)] further scratch */
} sc_joint_block;

typedef struct sc_joint_blocks {
  int32_t count;
  sc_joint_block *block;
} sc_joint_blocks;

/* Builds and factorises all blocks of a problem. Returns false if out of memory. */
bool sc_joint_blocks_build(const sc_problem *problem, sc_arena *arena, sc_joint_blocks *blocks);
/* Builds and factorises blocks of the rows that are left in the lists, and removes the rows from the lists.
 * Returns false if out of memory. */
bool sc_joint_blocks_rest(
    const sc_problem *problem, sc_joint_lists *lists, sc_arena *arena, sc_joint_blocks *blocks);
/* Solves one block with all other impulses fixed. Returns the square of the largest velocity change of a
 * row. */
double sc_joint_block_relax(const sc_problem *problem, const sc_joint_block *block);
/* Solves all blocks, one after the other. Returns the square of the largest velocity change of a row. */
double sc_joint_blocks_relax(const sc_problem *problem, const sc_joint_blocks *blocks);

#endif
