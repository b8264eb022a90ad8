/* An order of joint rows in which rows that share a body lie close together. */
#ifndef SC_JOINT_ORDER_H
#define SC_JOINT_ORDER_H

#include "problem/problem.h"

/* Scratch to order the rows of blocks, one block after the other. Between blocks head, place and first
 * are -1. */
typedef struct sc_joint_walk {
  const sc_problem *problem;
  const int32_t *row;     /* rows of the block: indices into problem->joint_row */
  int32_t *head;          /* [bodies] first link at a body; -1: none */
  int32_t *place;         /* [bodies] number of the body in breadth-first order; -1: none */
  int32_t *first;         /* [bodies] skyline index of the first row of a body; -1: none (joint_blocks.c) */
  int32_t *queue, *begin; /* [bodies] queue of the search; [bodies + 2] counts of the counting sort */
  int32_t *next;          /* [3 * joint_rows] next link at the same body; -1: none */
  int32_t *key, *sorted;  /* [joint_rows] sort key of a row; sorted rows */
} sc_joint_walk;

/* Allocates the scratch. Returns false if out of memory. */
bool sc_joint_walk_take(const sc_problem *problem, sc_arena *arena, sc_joint_walk *walk);

/* Sorts `count` indices into problem->joint_row in breadth-first order, beginning at an end of the mechanism.
 * Rows of a joint must be adjacent, count > 0, and each row must have a movable body. Returns true for a
 * tree: no joint closes a loop, and at most one joint connects to the ground. */
bool sc_joint_order(sc_joint_walk *walk, int32_t count, int32_t *row);

#endif
