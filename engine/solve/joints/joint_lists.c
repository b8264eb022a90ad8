/* Groups joint rows by mechanism. Union-find connects movable bodies; the root body is the key of a list. */
#include "solve/joints/joint_lists.h"

#include <string.h>

static int32_t find_mechanism_root(int32_t *parent, int32_t body) {
  while (parent[body] != body) body = parent[body] = parent[parent[body]];
  return body;
}

static int32_t block_key(const sc_problem *problem, int32_t *parent, const sc_joint_row *row) {
  return find_mechanism_root(parent, sc_problem_moves(problem, row->i) ? row->i : row->j);
}

/* Returns whether row r belongs to the joint and bodies of the row before, and has no third body. */
static bool has_same_joint(const sc_joint_row *row, int32_t r) {
  return r > 0 && row[r].joint == row[r - 1].joint && row[r].i == row[r - 1].i && row[r].j == row[r - 1].j &&
      !row[r].third;
}

static void join_pair(const sc_problem *problem, int32_t *parent, int32_t i, int32_t j) {
  if (sc_problem_moves(problem, i) && sc_problem_moves(problem, j))
    parent[find_mechanism_root(parent, j)] = find_mechanism_root(parent, i);
}

static int32_t *join_bodies(const sc_problem *problem, sc_arena *arena) {
  int32_t *parent = SC_TAKE(arena, int32_t, problem->bodies);
  for (int32_t b = 0; parent && b < problem->bodies; b++) parent[b] = b;
  for (int32_t r = 0; parent && r < problem->joint_rows; r++) {
    const sc_joint_row *row = problem->joint_row + r;
    if (has_same_joint(problem->joint_row, r)) continue;
    join_pair(problem, parent, row->i, row->j);
    if (!row->third) continue;
    join_pair(problem, parent, row->i, sc_problem_third(problem, row)->body);
    join_pair(problem, parent, row->j, sc_problem_third(problem, row)->body);
  }
  return parent;
}

/* Returns whether bounds prescribe the impulse of a row and the row has it already. Such a row needs no
 * solution. */
static bool has_prescribed_impulse(const sc_joint_row *row) {
  return row->lo == row->hi && row->x == row->lo;
}

bool sc_joint_lists_make(const sc_problem *problem, sc_arena *arena, sc_joint_lists *l) {
  int32_t *parent = join_bodies(problem, arena), rows = problem->joint_rows, sum = 0, key = -1;
  l->key = SC_TAKE(arena, int32_t, rows);
  l->row = SC_TAKE(arena, int32_t, rows);
  l->begin = SC_TAKE(arena, int32_t, problem->bodies);
  l->end = SC_TAKE(arena, int32_t, problem->bodies);
  if (!parent || !l->key || !l->row || !l->begin || !l->end) return false;
  memset(l->end, 0, (size_t)problem->bodies * sizeof *l->end);
  for (int32_t r = 0; r < rows; r++) {
    const sc_joint_row *row = problem->joint_row + r;
    if (!has_same_joint(problem->joint_row, r)) key = block_key(problem, parent, row);
    l->key[r] = has_prescribed_impulse(row) ? -1 : key;
    if (l->key[r] >= 0) l->end[l->key[r]]++;
  }
  for (int32_t b = 0; b < problem->bodies; b++) {
    l->begin[b] = sum;
    sum += l->end[b];
    l->end[b] = l->begin[b];
  }
  for (int32_t r = 0; r < rows; r++)
    if (l->key[r] >= 0) l->row[l->end[l->key[r]]++] = r;
  return true;
}
