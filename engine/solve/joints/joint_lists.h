/* Joint rows grouped by mechanism. */
#ifndef SC_JOINT_LISTS_H
#define SC_JOINT_LISTS_H

#include "problem/problem.h"

/* Lists of joint rows, one list per key. A key is a body of the mechanism. */
typedef struct sc_joint_lists {
  int32_t *key; /* [joint_rows] key of the row's list; -1: impulse prescribed and already set */
  int32_t *row; /* [joint_rows] indices into problem.joint_row, list after list */
  /* [bodies] for each key, its range in `row`; rows before `begin` already belong to blocks */
  int32_t *begin, *end;
} sc_joint_lists;

/* Builds the lists. Memory comes from the arena. Returns false if out of memory. */
bool sc_joint_lists_make(const sc_problem *problem, sc_arena *arena, sc_joint_lists *lists);
/* Returns whether row r is the first row of its list that does not belong to a block yet. */
static inline bool sc_joint_lists_first(const sc_joint_lists *l, int32_t r) {
  const int32_t key = l->key[r];
  return key >= 0 && l->begin[key] < l->end[key] && l->row[l->begin[key]] == r;
}

#endif
