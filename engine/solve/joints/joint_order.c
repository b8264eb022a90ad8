/* Rows of a large mechanism in breadth-first order (Cuthill & McKee 1969): bodies are numbered from one
 * end of the mechanism on, rows follow their farther body. A chain then has a band as wide as two
 * joints, a loop of twice that. */
#include "solve/joints/joint_order.h"

#include <string.h>

typedef struct walk { /* rows at each body as linked lists: link 2 k and 2 k + 1 belong to row k */
  const sc_problem *problem;
  const int32_t *row;
  int32_t *head, *next, *place, *queue;
} walk;

static bool movable(const sc_problem *problem, int32_t body) { return problem->body[body].inv_mass > 0; }

static void hang(walk *w, int32_t link, int32_t body) {
  w->next[link] = w->head[body];
  w->head[body] = link;
}

/* Numbers the movable bodies that hang on `start` from `count` on; returns how many are numbered then. */
static int32_t number_from(walk *w, int32_t start, int32_t count) {
  int32_t at = count;
  w->place[start] = count;
  for (w->queue[count++] = start; at < count; at++)
    for (int32_t link = w->head[w->queue[at]]; link >= 0; link = w->next[link]) {
      const sc_joint_row *row = w->problem->joint_row + w->row[link / 2];
      int32_t other = link % 2 ? row->i : row->j;
      if (!movable(w->problem, other) || w->place[other] >= 0) continue;
      w->place[other] = count;
      w->queue[count++] = other;
    }
  return count;
}

/* Numbers all movable bodies of the rows, those on `start` first; returns the last one. */
static int32_t number(walk *w, int32_t rows, int32_t start) {
  memset(w->place, 0xff, (size_t)w->problem->bodies * sizeof *w->place);
  int32_t count = number_from(w, start, 0);
  for (int32_t k = 0; k < rows; k++) {
    const sc_joint_row *row = w->problem->joint_row + w->row[k];
    int32_t body = movable(w->problem, row->i) ? row->i : row->j;
    if (w->place[body] < 0) count = number_from(w, body, count);
  }
  return w->queue[count - 1];
}

/* Counting sort of the rows by the place of their farther body. */
static bool sort(const walk *w, sc_arena *arena, int32_t count, int32_t *row) {
  int32_t bodies = w->problem->bodies;
  int32_t *begin = SC_TAKE(arena, int32_t, (size_t)bodies + 1), *key = SC_TAKE(arena, int32_t, count),
          *sorted = SC_TAKE(arena, int32_t, count);
  if (!begin || !key || !sorted) return false;
  memset(begin, 0, ((size_t)bodies + 1) * sizeof *begin);
  for (int32_t k = 0; k < count; k++) {
    const sc_joint_row *r = w->problem->joint_row + row[k];
    int32_t i = movable(w->problem, r->i) ? w->place[r->i] : -1,
            j = movable(w->problem, r->j) ? w->place[r->j] : -1;
    key[k] = i > j ? i : j;
    begin[key[k] + 1]++;
  }
  for (int32_t b = 0; b < bodies; b++) begin[b + 1] += begin[b];
  for (int32_t k = 0; k < count; k++) sorted[begin[key[k]]++] = row[k];
  memcpy(row, sorted, (size_t)count * sizeof *row);
  return true;
}

bool sc_joint_order(const sc_problem *problem, sc_arena *arena, int32_t count, int32_t *row) {
  size_t bodies = (size_t)problem->bodies;
  walk w = {problem, row, SC_TAKE(arena, int32_t, bodies), SC_TAKE(arena, int32_t, 2 * (size_t)count),
      SC_TAKE(arena, int32_t, bodies), SC_TAKE(arena, int32_t, bodies)};
  if (!w.head || !w.next || !w.place || !w.queue) return false;
  memset(w.head, 0xff, bodies * sizeof *w.head);
  for (int32_t k = 0; k < count; k++) {
    hang(&w, 2 * k, problem->joint_row[row[k]].i);
    hang(&w, 2 * k + 1, problem->joint_row[row[k]].j);
  }
  // from any body to the farthest, and from there on
  const sc_joint_row *any = problem->joint_row + row[0];
  number(&w, count, number(&w, count, movable(problem, any->i) ? any->i : any->j));
  return sort(&w, arena, count, row);
}
