/* Joint rows by the mechanism that they belong to. */
#ifndef SC_JOINT_LISTS_H
#define SC_JOINT_LISTS_H

#include "problem/problem.h"

/* Rows of every key, one list behind the other; those from begin on wait for somebody who solves them. */
typedef struct sc_joint_lists {
  int32_t *key; /* per row: -1 for one whose impulse is given and there already */
  int32_t *row, *begin, *end;
} sc_joint_lists;

/* False without memory. */
bool sc_joint_lists_make(const sc_problem *problem, sc_arena *arena, sc_joint_lists *lists);
/* Whether the list of row r begins with it: then it is the first of its mechanism to be solved. */
static inline bool sc_joint_lists_first(const sc_joint_lists *l, int32_t r) {
  const int32_t key = l->key[r];
  return key >= 0 && l->begin[key] < l->end[key] && l->row[l->begin[key]] == r;
}

#endif
