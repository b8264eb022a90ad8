/* An order of joint rows in which rows that share a body lie close together. */
#ifndef SC_JOINT_ORDER_H
#define SC_JOINT_ORDER_H

#include "problem/problem.h"

/* Room for the orders of all blocks of a problem. Between blocks head, place and first are -1. */
typedef struct sc_joint_walk {
  const sc_problem *problem;
  const int32_t *row;                            /* of the block */
  int32_t *head, *place, *first, *queue, *begin; /* per body */
  int32_t *next, *key, *sorted;                  /* per row; links of the rows at each body */
} sc_joint_walk;

/* False without memory. */
bool sc_joint_walk_take(const sc_problem *problem, sc_arena *arena, sc_joint_walk *walk);

/* Sorts `count` indices into problem->joint_row, rows of a joint side by side, by the breadth-first place
 * of their farther body, seen from an end of the mechanism. count > 0; each row has a movable body. True
 * for a tree: no joint closes a loop, and the ground holds it at most once. */
bool sc_joint_order(sc_joint_walk *walk, int32_t count, int32_t *row);

#endif
