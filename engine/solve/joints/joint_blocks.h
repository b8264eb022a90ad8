/* Mechanisms solved at once: blocks of joint rows that hang together. */
#ifndef SC_JOINT_BLOCKS_H
#define SC_JOINT_BLOCKS_H

#include "math/sparse/skyline.h"
#include "solve/joints/joint_lists.h"

/* Rows of one block: held ones first, then boxed ones. */
typedef struct sc_joint_block {
  int32_t held, boxed, rank; /* rank: held rows that do not depend on others */
  int32_t *row;              /* held + boxed indices into problem.joint_row */
  double *factor;
  int *order;               /* of the held rows' Delassus matrix, or */
  sc_skyline skyline;       /* the same of many rows, n > 0 */
  double *answer;           /* held x boxed: W_EE^+ W_EC */
  double *reduced;          /* boxed x boxed: W_CC - W_CE W_EE^+ W_EC, without the boxed rows' softness */
  double *u, *dx, *scratch; /* held + boxed each */
} sc_joint_block;

typedef struct sc_joint_blocks {
  int32_t count;
  sc_joint_block *block;
} sc_joint_blocks;

/* Factorises all blocks of a problem. False without memory. */
bool sc_joint_blocks_build(const sc_problem *problem, sc_arena *arena, sc_joint_blocks *blocks);
/* The same of the rows that wait in lists. */
bool sc_joint_blocks_rest(
    const sc_problem *problem, sc_joint_lists *lists, sc_arena *arena, sc_joint_blocks *blocks);
/* Solves one block, or every one, with all else held; returns the square of the largest change of a row's
 * velocity. */
double sc_joint_block_relax(const sc_problem *problem, const sc_joint_block *block);
double sc_joint_blocks_relax(const sc_problem *problem, const sc_joint_blocks *blocks);

#endif
