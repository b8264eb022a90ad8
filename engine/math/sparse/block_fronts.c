/* Computes the fronts of a block-sparse matrix (block_sparse.h) from the order of elimination. Blocks whose
 * columns have equal patterns are eliminated together, in one front. A small front is merged into its parent
 * if the merged front stores few zeros. */
#include "math/sparse/block_fronts.h"

#include <stdlib.h>
#include <string.h>

/* number of pivot rows of a merged front up to which additional zeros cost less than a separate front */
enum { SMALL = 32 };

/* ---- groups of blocks ---- */

typedef struct group {
  int32_t top; /* block of the group that is eliminated last; it stands for the group */
  int32_t pivot_rows, border_rows;
  int64_t zeros;
  int32_t blocks;
} group;

typedef struct fronts {
  const sc_block_order *order;
  sc_block_sparse *out;
  /* [blocks] parent in the elimination tree: of the later blocks in the block's column, the block that is
   * eliminated first; -1: none */
  int32_t *parent;
  int32_t *turn; /* [blocks] position of the block in the elimination order */
  /* [blocks] union-find: link towards the top of the block's group; initially the block itself */
  int32_t *of;
  group *of_top; /* [blocks] the group of a block that is the top of its group */
  /* [blocks] lists of the children of groups, by the top of the group; -1: end */
  int32_t *first_child, *sibling;
} fronts;

static int32_t find_top(fronts *f, int32_t b) {
  while (f->of[b] != b) b = f->of[b] = f->of[f->of[b]];
  return b;
}

/* Returns true if the group `below` should be merged into the group p of its parent block, because the merged
 * front would store few zeros. */
static bool worth_joining(const group *below, const group *p) {
  int64_t zeros = (int64_t)below->pivot_rows * (p->pivot_rows + p->border_rows - below->border_rows),
          all = below->zeros + p->zeros + zeros;
  if (zeros == 0) return true;
  int64_t rows = below->pivot_rows + p->pivot_rows, entries = rows * (rows + 2 * (int64_t)p->border_rows);
  return rows <= SMALL ? 4 * all <= entries : 32 * all <= entries;
}

static void join_groups(fronts *f, int32_t below, int32_t p) {
  group *a = f->of_top + below, *b = f->of_top + p;
  b->zeros += a->zeros + (int64_t)a->pivot_rows * (b->pivot_rows + b->border_rows - a->border_rows);
  b->pivot_rows += a->pivot_rows;
  b->blocks += a->blocks;
  f->of[below] = p;
  // children of the lower group become children of the merged group
  for (int32_t c = f->first_child[below], next; c >= 0; c = next) {
    next = f->sibling[c];
    f->sibling[c] = f->first_child[p];
    f->first_child[p] = c;
  }
}

static void form_groups(fronts *f) {
  const sc_block_order *order = f->order;
  const int32_t *size = f->out->size;
  for (int32_t k = 0; k < f->out->blocks; k++) {
    int32_t p = order->order[k], children = f->first_child[p];
    group *own = f->of_top + p;
    *own = (group){.top = p, .pivot_rows = size[p], .blocks = 1};
    for (int32_t m = 0; m < order->degree[p]; m++) own->border_rows += size[order->column[p][m]];
    f->of[p] = p;
    f->first_child[p] = -1;
    for (int32_t c = children, next; c >= 0; c = next) {
      next = f->sibling[c];
      if (worth_joining(f->of_top + c, own)) {
        join_groups(f, c, p);
      } else {
        f->sibling[c] = f->first_child[p];
        f->first_child[p] = c;
      }
    }
    f->parent[p] = -1;
    for (int32_t m = 0; m < order->degree[p]; m++) {
      int32_t j = order->column[p][m];
      if (f->parent[p] < 0 || f->turn[j] < f->turn[f->parent[p]]) f->parent[p] = j;
    }
    if (f->parent[p] < 0) continue;
    f->sibling[p] = f->first_child[f->parent[p]];
    f->first_child[f->parent[p]] = p;
  }
}

/* ---- numbering ---- */

/* Numbers the fronts in postorder of the tree of groups. of_top: [blocks] receives the index of the front of
 * each block that is the top of a group. Returns false if out of memory. */
static bool number_fronts(fronts *f, int32_t *of_top, sc_arena *arena) {
  sc_block_sparse *s = f->out;
  int32_t *stack = SC_TAKE(arena, int32_t, s->blocks + 1), depth = 0;
  if (!stack) return false;
  s->fronts = 0;
  for (int32_t k = 0; k < s->blocks; k++) {
    int32_t root = f->order->order[k];
    if (f->of[root] != root || f->parent[root] >= 0) continue;
    stack[depth++] = root;
    while (depth) {
      int32_t top = stack[depth - 1], child = f->first_child[top];
      if (child >= 0) {
        f->first_child[top] = f->sibling[child];
        stack[depth++] = child;
      } else {
        of_top[top] = s->fronts++;
        depth--;
      }
    }
  }
  return true;
}

/* ---- fronts ---- */

typedef struct by_place {
  int32_t place, block;
} by_place;

static int compare_places(const void *a, const void *b) {
  int32_t x = ((const by_place *)a)->place, y = ((const by_place *)b)->place;
  return (x > y) - (x < y);
}

static void sort_border(const sc_block_sparse *s, int32_t count, int32_t *list, by_place *room) {
  for (int32_t k = 0; k < count; k++) room[k] = (by_place){s->place[list[k]], list[k]};
  qsort(room, (size_t)count, sizeof *room, compare_places);
  for (int32_t k = 0; k < count; k++) list[k] = room[k].block;
}

/* Fills the fronts: lists their pivots in the order of elimination, allocates lists of borders, and sets the
 * positions of all blocks. Returns false if out of memory. */
static bool list_pivots(fronts *f, const int32_t *of_top, sc_arena *arena) {
  sc_block_sparse *s = f->out;
  int32_t place = 0;
  for (int32_t k = 0; k < s->blocks; k++) {
    int32_t b = f->order->order[k], top = find_top(f, b);
    sc_block_front *front = s->front + of_top[top];
    s->of[b] = of_top[top];
    if (!front->list) {
      const group *g = f->of_top + top;
      front->border = f->order->degree[top];
      front->pivot_rows = g->pivot_rows;
      front->rows = g->pivot_rows + g->border_rows;
      front->parent = f->parent[top];
      front->list = SC_TAKE(arena, int32_t, g->blocks + front->border);
      front->into = SC_TAKE(arena, int32_t, front->border);
      if (!front->list || !front->into) return false;
      memcpy(front->list + g->blocks, f->order->column[top], (size_t)front->border * sizeof *front->list);
    }
    front->list[front->pivots++] = b;
  }
  for (int32_t i = 0; i < s->fronts; i++) {
    sc_block_front *front = s->front + i;
    int32_t row = 0;
    front->first = place;
    front->parent = front->parent < 0 ? -1 : s->of[front->parent];
    for (int32_t k = 0; k < front->pivots; k++) {
      s->place[front->list[k]] = place++;
      s->offset[front->list[k]] = row;
      row += s->size[front->list[k]];
    }
  }
  return true;
}

int32_t sc_block_front_row(const sc_block_sparse *s, const sc_block_front *front, int32_t block) {
  int32_t row = front->pivot_rows, place = s->place[block];
  if (place < front->first + front->pivots) return s->offset[block];
  for (int32_t k = front->pivots; k < front->pivots + front->border; k++) {
    if (front->list[k] == block) return row;
    row += s->size[front->list[k]];
  }
  return -1;
}

/* Sorts the border of each front in the order of elimination. Sets front->into: finds each border block in
 * the parent's list by one pass over both sorted lists. Returns false if out of memory. */
static bool link_fronts(sc_block_sparse *s, sc_arena *arena) {
  sc_arena_mark mark = sc_arena_here(arena);
  by_place *room = SC_TAKE(arena, by_place, s->blocks);
  if (!room) return false;
  for (int32_t i = 0; i < s->fronts; i++)
    sort_border(s, s->front[i].border, s->front[i].list + s->front[i].pivots, room);
  for (int32_t i = 0; i < s->fronts; i++) {
    sc_block_front *front = s->front + i;
    if (front->parent < 0) continue;
    const sc_block_front *up = s->front + front->parent;
    int32_t at = 0, row = 0;
    for (int32_t k = 0; k < front->border; k++) {
      while (up->list[at] != front->list[front->pivots + k]) row += s->size[up->list[at++]];
      front->into[k] = row;
    }
  }
  sc_arena_back(arena, mark);
  return true;
}

bool sc_block_fronts_find(const sc_block_order *order, sc_block_sparse *s, sc_arena *arena) {
  size_t n = (size_t)s->blocks;
  fronts f = {.order = order, .out = s};
  int32_t **list[] = {&f.parent, &f.turn, &f.of, &f.first_child, &f.sibling, &s->place, &s->offset, &s->of};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (!(*list[i] = SC_TAKE(arena, int32_t, n + 1))) return false;
  int32_t *of_top = SC_TAKE(arena, int32_t, n + 1);
  f.of_top = SC_TAKE(arena, group, n + 1);
  if (!f.of_top || !of_top) return false;
  for (int32_t k = 0; k < s->blocks; k++) f.turn[order->order[k]] = k, f.first_child[k] = -1;
  form_groups(&f);
  if (!number_fronts(&f, of_top, arena)) return false;
  s->front = SC_TAKE(arena, sc_block_front, s->fronts);
  if (!s->front) return false;
  memset(s->front, 0, (size_t)s->fronts * sizeof *s->front);
  return list_pivots(&f, of_top, arena) && link_fronts(s, arena);
}
