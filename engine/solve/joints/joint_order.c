/* Breadth-first order of the rows of a mechanism (Cuthill & McKee 1969). Bodies are numbered from one end of
 * the mechanism. Rows are sorted by their body with the higher number. The band of a chain is then as wide as
 * two joints, the band of a loop twice as wide. The cost is proportional to the rows of the mechanism. */
#include "solve/joints/joint_order.h"

#include <string.h>

/* Linked lists of the rows at each body. Row k has one link for each of its possible three bodies: 3 k .. 3 k
 * + 2. */
typedef sc_joint_walk walk;
enum { SIDES = 3 };

bool sc_joint_walk_take(const sc_problem *problem, sc_arena *arena, sc_joint_walk *w) {
  size_t bodies = (size_t)problem->bodies, rows = (size_t)problem->joint_rows;
  *w = (walk){.problem = problem};
  w->head = SC_TAKE(arena, int32_t, 3 * bodies);
  w->queue = SC_TAKE(arena, int32_t, bodies);
  w->begin = SC_TAKE(arena, int32_t, bodies + 2);
  w->next = SC_TAKE(arena, int32_t, SIDES * rows);
  w->key = SC_TAKE(arena, int32_t, rows);
  w->sorted = SC_TAKE(arena, int32_t, rows);
  if (!w->head || !w->queue || !w->begin || !w->next || !w->key || !w->sorted) return false;
  memset(w->head, 0xff, 3 * bodies * sizeof *w->head);
  w->place = w->head + bodies;
  w->first = w->place + bodies;
  return true;
}

static const sc_joint_row *row_at(const walk *w, int32_t k) { return w->problem->joint_row + w->row[k]; }

static int bodies_at(const walk *w, int32_t k, int32_t body[SIDES]) {
  return sc_problem_row_bodies(w->problem, row_at(w, k), body);
}

static void add_link(walk *w, int32_t link, int32_t body) {
  w->next[link] = w->head[body];
  w->head[body] = link;
}

/* Numbers the movable bodies connected to `start`, beginning with `count`. Returns the number of numbered
 * bodies. */
static int32_t number_from(walk *w, int32_t start, int32_t count) {
  int32_t at = count;
  w->place[start] = count;
  for (w->queue[count++] = start; at < count; at++)
    for (int32_t link = w->head[w->queue[at]]; link >= 0; link = w->next[link]) {
      int32_t body[SIDES];
      const int sides = bodies_at(w, link / SIDES, body);
      for (int side = 0; side < sides; side++) {
        const int32_t other = body[side];
        if (side == link % SIDES || !sc_problem_moves(w->problem, other) || w->place[other] >= 0) continue;
        w->place[other] = count;
        w->queue[count++] = other;
      }
    }
  return count;
}

/* Numbers all movable bodies of the rows, beginning with the bodies connected to `start`. Returns their
 * number. *pieces: number of unconnected parts. */
static int32_t number_bodies_of_rows(walk *w, int32_t rows, int32_t start, int32_t *pieces) {
  int32_t count = number_from(w, start, 0);
  *pieces = 1;
  for (int32_t k = 0; k < rows; k++) {
    const sc_joint_row *row = row_at(w, k);
    int32_t body = sc_problem_moves(w->problem, row->i) ? row->i : row->j;
    if (w->place[body] < 0) count = number_from(w, body, count), ++*pieces;
  }
  return count;
}

static void forget_places(walk *w, int32_t count) {
  for (int32_t k = 0; k < count; k++) w->place[w->queue[k]] = -1;
}

/* Sorts the rows by the highest number of their bodies (counting sort). bodies: numbered bodies. */
static void sort_rows(const walk *w, int32_t count, int32_t bodies, int32_t *row) {
  memset(w->begin, 0, ((size_t)bodies + 1) * sizeof *w->begin);
  for (int32_t k = 0; k < count; k++) {
    int32_t body[SIDES];
    const int sides = bodies_at(w, k, body);
    w->key[k] = -1;
    for (int side = 0; side < sides; side++)
      if (sc_problem_moves(w->problem, body[side]) && w->place[body[side]] > w->key[k])
        w->key[k] = w->place[body[side]];
    w->begin[w->key[k] + 1]++;
  }
  for (int32_t b = 0; b < bodies; b++) w->begin[b + 1] += w->begin[b];
  for (int32_t k = 0; k < count; k++) w->sorted[w->begin[w->key[k]]++] = row[k];
  memcpy(row, w->sorted, (size_t)count * sizeof *row);
}

/* Returns whether the joints form a tree, judged by the number of joints, bodies and unconnected pieces. Rows
 * with a third body close a loop. */
static bool is_tree_of_joints(const walk *w, int32_t count, int32_t bodies, int32_t pieces) {
  int32_t between = 0, grounded = 0;
  for (int32_t k = 0; k < count; k++) {
    const sc_joint_row *r = row_at(w, k);
    if (r->third) return false;
    if (k > 0 && row_at(w, k - 1)->joint == r->joint) continue;
    if (sc_problem_moves(w->problem, r->i) && sc_problem_moves(w->problem, r->j)) between++;
    else grounded++;
  }
  return between == bodies - pieces && grounded <= 1;
}

bool sc_joint_order(walk *w, int32_t count, int32_t *row) {
  int32_t pieces;
  w->row = row;
  for (int32_t k = 0; k < count; k++) {
    int32_t body[SIDES];
    const int sides = bodies_at(w, k, body);
    for (int side = 0; side < sides; side++) add_link(w, SIDES * k + side, body[side]);
  }
  // searches from any body, then again from the last body found, because this body is an end of the mechanism
  const sc_joint_row *any = row_at(w, 0);
  int32_t bodies = number_bodies_of_rows(
              w, count, sc_problem_moves(w->problem, any->i) ? any->i : any->j, &pieces),
          last = w->queue[bodies - 1];
  forget_places(w, bodies);
  number_bodies_of_rows(w, count, last, &pieces);
  bool is_tree = is_tree_of_joints(w, count, bodies, pieces);
  for (int32_t k = 0; k < count; k++) {
    int32_t body[SIDES];
    const int sides = bodies_at(w, k, body);
    for (int side = 0; side < sides; side++) w->head[body[side]] = -1;
  }
  sort_rows(w, count, bodies, row);
  forget_places(w, bodies);
  return is_tree;
}
