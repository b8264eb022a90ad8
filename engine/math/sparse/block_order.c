/* Computes the order of elimination by approximate minimum degree (block_order.h).
 *
 * An eliminated block becomes an element: the set of blocks that its elimination connects. A block that is
 * not yet eliminated has two lists: its elements, and those of its original neighbours that no element
 * covers. Its degree is approximated by an upper bound: the size of the newest element, plus the sizes of
 * those parts of its other elements that are outside the newest element. One pass over the newest element's
 * blocks computes the sizes of these parts. */
#include "math/sparse/block_order.h"

#include <string.h>

typedef struct graph {
  int32_t n;
  const int32_t *size;
  int32_t *at; /* [n + 1] start of each block's lists in `near` and `within` */
  /* near: original neighbours of each block that no element covers; nears: [n] their number */
  int32_t *near, *nears;
  /* within: elements that contain each block; inside: [n] their number, at most the number of original
   * neighbours that the block has lost */
  int32_t *within, *inside;
  /* [elements] number of rows of the element's blocks; 0: another element has absorbed this element */
  int64_t *weight;
  int64_t *outside; /* [elements] number of rows of the element that are outside the newest element */
  /* stamps with the number of the step. seen: elements that count_outside has visited; marked: blocks in the
   * newest element. */
  int32_t *seen, *marked;
  bool *gone;
  /* degree: degree of each block [rows]. head, next, before: doubly linked list of the blocks of each degree,
   * -1: end. least: lower bound of the smallest degree. */
  int64_t *degree, least;
  int32_t *head, *next, *before;
} graph;

static void unlink_block(graph *g, int32_t i) {
  if (g->next[i] >= 0) g->before[g->next[i]] = g->before[i];
  if (g->before[i] >= 0) g->next[g->before[i]] = g->next[i];
  else g->head[g->degree[i]] = g->next[i];
}

static void link_block(graph *g, int32_t i, int64_t degree) {
  int32_t first = g->head[degree];
  g->degree[i] = degree;
  g->before[i] = -1;
  g->next[i] = first;
  if (first >= 0) g->before[first] = i;
  g->head[degree] = i;
  if (degree < g->least) g->least = degree;
}

/* Sets at, near and nears: the neighbours of each block, each listed once. */
static void collect_neighbours(graph *g, int64_t edges, const int32_t (*edge)[2]) {
  memset(g->at, 0, ((size_t)g->n + 1) * sizeof *g->at);
  for (int64_t e = 0; e < edges; e++)
    if (edge[e][0] != edge[e][1]) g->at[edge[e][0] + 1]++, g->at[edge[e][1] + 1]++;
  for (int32_t i = 0; i < g->n; i++) g->at[i + 1] += g->at[i], g->nears[i] = 0;
  for (int64_t e = 0; e < edges; e++) {
    int32_t a = edge[e][0], b = edge[e][1];
    if (a == b) continue;
    g->near[g->at[a] + g->nears[a]++] = b;
    g->near[g->at[b] + g->nears[b]++] = a;
  }
  for (int32_t i = 0; i < g->n; i++) {
    int32_t *list = g->near + g->at[i], kept = 0;
    for (int32_t k = 0; k < g->nears[i]; k++) {
      if (g->marked[list[k]] == i + 1) continue;
      g->marked[list[k]] = i + 1;
      list[kept++] = list[k];
    }
    g->nears[i] = kept;
  }
  memset(g->marked, 0, (size_t)g->n * sizeof *g->marked);
}

static bool alloc_graph(graph *g, int64_t edges, int64_t rows, sc_arena *arena) {
  size_t n = (size_t)g->n;
  int32_t **list[] = {&g->nears, &g->inside, &g->seen, &g->marked, &g->next, &g->before};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    *list[i] = SC_TAKE(arena, int32_t, n + 1);
    if (!*list[i]) return false;
    memset(*list[i], 0, (n + 1) * sizeof **list[i]);
  }
  g->at = SC_TAKE(arena, int32_t, n + 1);
  g->near = SC_TAKE(arena, int32_t, 2 * edges + 1);
  g->within = SC_TAKE(arena, int32_t, 2 * edges + 1);
  g->weight = SC_TAKE(arena, int64_t, n);
  g->outside = SC_TAKE(arena, int64_t, n);
  g->degree = SC_TAKE(arena, int64_t, n);
  g->gone = SC_TAKE(arena, bool, n);
  g->head = SC_TAKE(arena, int32_t, rows + 1);
  return g->at && g->near && g->within && g->weight && g->outside && g->degree && g->gone && g->head;
}

static void add_to_column(graph *g, int32_t i, int32_t stamp, int32_t *column, int32_t *count) {
  if (g->gone[i] || g->marked[i] == stamp) return;
  g->marked[i] = stamp;
  column[(*count)++] = i;
}

/* Eliminates block p, which becomes the newest element: writes the blocks that the elimination connects to
 * `column`, and absorbs the elements that contain p. Returns the number of these blocks. */
static int32_t form_element(graph *g, int32_t p, int32_t stamp, const sc_block_order *out, int32_t *column) {
  int32_t count = 0;
  g->gone[p] = true;
  for (int32_t k = 0; k < g->nears[p]; k++) add_to_column(g, g->near[g->at[p] + k], stamp, column, &count);
  for (int32_t k = 0; k < g->inside[p]; k++) {
    int32_t e = g->within[g->at[p] + k];
    for (int32_t m = 0; m < out->degree[e]; m++) add_to_column(g, out->column[e][m], stamp, column, &count);
    g->weight[e] = 0;
  }
  g->weight[p] = 0;
  for (int32_t k = 0; k < count; k++) g->weight[p] += g->size[column[k]];
  return count;
}

/* Sets g->outside of all older elements that contain a block of the newest element: the number of their rows
 * outside the newest element. column: [count] blocks of the newest element. */
static void count_outside(graph *g, const int32_t *column, int32_t count, int32_t stamp) {
  for (int32_t k = 0; k < count; k++) {
    int32_t i = column[k], kept = 0, *within = g->within + g->at[i];
    for (int32_t m = 0; m < g->inside[i]; m++) {
      int32_t e = within[m];
      if (!g->weight[e]) continue;
      within[kept++] = e;
      if (g->seen[e] != stamp) g->seen[e] = stamp, g->outside[e] = g->weight[e];
      g->outside[e] -= g->size[i];
    }
    g->inside[i] = kept;
  }
}

/* Updates the lists of block i, which is in the newest element p: drops neighbours and elements that p
 * covers. Returns the new degree of the block. */
static int64_t update_block(graph *g, int32_t i, int32_t p, int32_t stamp) {
  int32_t kept = 0, *near = g->near + g->at[i], *within = g->within + g->at[i];
  int64_t degree = g->weight[p] - g->size[i];
  for (int32_t k = 0; k < g->nears[i]; k++) {
    int32_t j = near[k];
    if (g->gone[j] || g->marked[j] == stamp) continue;
    near[kept++] = j;
    degree += g->size[j];
  }
  g->nears[i] = kept;
  kept = 0;
  for (int32_t k = 0; k < g->inside[i]; k++) {
    int32_t e = within[k];
    if (g->outside[e] <= 0) continue; // the newest element contains element e
    within[kept++] = e;
    degree += g->outside[e];
  }
  within[kept++] = p;
  g->inside[i] = kept;
  return degree;
}

bool sc_block_order_find(int32_t blocks, const int32_t *size, int64_t edges, const int32_t (*edge)[2],
    sc_arena *arena, sc_block_order *out) {
  graph g = {.n = blocks, .size = size};
  int64_t rows = 0, left;
  for (int32_t i = 0; i < blocks; i++) rows += size[i];
  out->order = SC_TAKE(arena, int32_t, blocks);
  out->degree = SC_TAKE(arena, int32_t, blocks);
  out->column = SC_TAKE(arena, int32_t *, blocks);
  int32_t *column = SC_TAKE(arena, int32_t, blocks);
  if (!out->order || !out->degree || !out->column || !column || !alloc_graph(&g, edges, rows, arena))
    return false;
  collect_neighbours(&g, edges, edge);
  memset(g.gone, 0, (size_t)blocks * sizeof *g.gone);
  for (int64_t d = 0; d <= rows; d++) g.head[d] = -1;
  for (int32_t i = blocks - 1; i >= 0; i--) {
    int64_t degree = 0;
    for (int32_t k = 0; k < g.nears[i]; k++) degree += size[g.near[g.at[i] + k]];
    link_block(&g, i, degree);
  }
  left = rows;
  for (int32_t step = 0; step < blocks; step++) {
    while (g.head[g.least] < 0) g.least++;
    int32_t p = g.head[g.least], stamp = step + 1;
    unlink_block(&g, p);
    left -= size[p];
    int32_t count = form_element(&g, p, stamp, out, column);
    out->order[step] = p;
    out->degree[p] = count;
    out->column[p] = SC_TAKE(arena, int32_t, count);
    if (!out->column[p]) return false;
    if (count) memcpy(out->column[p], column, (size_t)count * sizeof *column);
    count_outside(&g, column, count, stamp);
    for (int32_t k = 0; k < count; k++) {
      int32_t i = column[k];
      int64_t degree = update_block(&g, i, p, stamp), most = left - size[i];
      unlink_block(&g, i);
      link_block(&g, i, degree < most ? degree : most);
    }
  }
  return true;
}
