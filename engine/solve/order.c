/* Blocks, colours and the order of the visit: see order.h. */
#include "solve/order.h"

#include <math.h>
#include <string.h>

typedef struct { int64_t x, y, z; } cell;
typedef struct { cell key; int32_t block; } slot; /* block < 0: free */
typedef struct { slot *slot; int32_t size, used; } table;

static bool movable(const sc_problem *problem, int32_t body) { return problem->body[body].inv_mass > 0; }

/* Edge of a block: eight mean contact lengths, and never less than the longest. */
static double block_edge(const sc_problem *problem, int32_t count, const int32_t *first, const int32_t *second, size_t stride) {
  double sum = 0, longest = 0;
  int64_t pairs = 0;
  for (int32_t c = 0; c < count; c++) {
    int32_t i = first[(size_t)c * stride], j = second[(size_t)c * stride];
    if (!movable(problem, i) || !movable(problem, j)) continue;
    const double *a = problem->position[i], *b = problem->position[j];
    double dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2], length = sqrt(dx * dx + dy * dy + dz * dz);
    sum += length;
    pairs++;
    if (length > longest) longest = length;
  }
  double edge = pairs ? 8 * sum / (double)pairs : 0;
  edge = edge > longest ? edge : longest;
  return edge > 0 ? edge * (1 + 1e-9) : 1;
}

static int64_t coordinate(double x, double edge) {
  const double most = 1ll << 40;
  double k = floor(x / edge);
  return (int64_t)(k < -most ? -most : k > most ? most : k);
}

static cell least(const sc_problem *problem, const cell *of, int32_t i, int32_t j) {
  if (!movable(problem, i)) return of[j];
  cell a = of[i];
  if (!movable(problem, j)) return a;
  cell b = of[j];
  return (cell){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

static uint64_t mix(cell key) {
  uint64_t h = (uint64_t)key.x * 0x9e3779b97f4a7c15ull ^ (uint64_t)key.y * 0xc2b2ae3d27d4eb4full ^ (uint64_t)key.z * 0x165667b19e3779f9ull;
  return h ^ (h >> 29);
}

static slot *find(table *t, cell key) {
  uint64_t at = mix(key);
  for (;; at++) {
    slot *s = t->slot + (at & (uint64_t)(t->size - 1));
    if (s->block < 0 || (s->key.x == key.x && s->key.y == key.y && s->key.z == key.z)) return s;
  }
}

static bool resize(table *t, int32_t size, sc_arena *arena) {
  table old = *t;
  t->slot = SC_TAKE(arena, slot, size);
  if (!t->slot) return false;
  t->size = size;
  for (int32_t s = 0; s < size; s++) t->slot[s].block = -1;
  for (int32_t s = 0; s < old.size; s++)
    if (old.slot[s].block >= 0) *find(t, old.slot[s].key) = old.slot[s];
  return true;
}

/* Number of the block with this key; blocks are numbered as they are met. -1 without memory. */
static int32_t number(table *t, cell key, sc_arena *arena) {
  slot *s = find(t, key);
  if (s->block >= 0) return s->block;
  if (2 * t->used >= t->size) {
    if (!resize(t, 2 * t->size, arena)) return -1;
    s = find(t, key);
  }
  *s = (slot){key, t->used++};
  return s->block;
}

static int colour(cell key) { return (int)((key.x & 1) | (key.y & 1) << 1 | (key.z & 1) << 2); }

/* Ranks blocks by colour, keeping the order in which they were met: rank[block]; fills colour_block. */
static void rank_blocks(const table *t, int32_t *rank, sc_order *order) {
  int32_t count[SC_COLOURS + 1] = {0};
  for (int32_t s = 0; s < t->size; s++)
    if (t->slot[s].block >= 0) rank[t->slot[s].block] = colour(t->slot[s].key);
  for (int32_t b = 0; b < t->used; b++) count[rank[b] + 1]++;
  for (int c = 0; c < SC_COLOURS; c++) count[c + 1] += count[c];
  memcpy(order->colour_block, count, sizeof count);
  for (int32_t b = 0; b < t->used; b++) rank[b] = count[rank[b]]++;
}

/* Counting sort of contacts by the rank of their block. */
static void sort_visits(const int32_t *block, const int32_t *rank, int32_t *next, sc_order *order) {
  memset(order->block_first, 0, ((size_t)order->blocks + 1) * sizeof *order->block_first);
  for (int32_t c = 0; c < order->count; c++) order->block_first[rank[block[c]] + 1]++;
  for (int32_t b = 0; b < order->blocks; b++) order->block_first[b + 1] += order->block_first[b];
  memcpy(next, order->block_first, (size_t)order->blocks * sizeof *next);
  for (int32_t c = 0; c < order->count; c++) order->visit[next[rank[block[c]]]++] = c;
}

bool sc_order_build(const sc_problem *problem, int32_t count, const int32_t *first, const int32_t *second, size_t stride, sc_arena *arena,
                    sc_order *order) {
  double edge = block_edge(problem, count, first, second, stride);
  cell *of = SC_TAKE(arena, cell, problem->bodies);
  int32_t *block = SC_TAKE(arena, int32_t, count);
  order->visit = SC_TAKE(arena, int32_t, count);
  order->count = count;
  table t = {NULL, 0, 0};
  if (!of || !block || !order->visit || !resize(&t, 256, arena)) return false;
  for (int32_t b = 0; b < problem->bodies; b++) {
    const double *p = problem->position[b];
    of[b] = movable(problem, b) ? (cell){coordinate(p[0], edge), coordinate(p[1], edge), coordinate(p[2], edge)} : (cell){0, 0, 0};
  }
  for (int32_t c = 0; c < count; c++) {
    block[c] = number(&t, least(problem, of, first[(size_t)c * stride], second[(size_t)c * stride]), arena);
    if (block[c] < 0) return false;
  }
  order->blocks = t.used;
  int32_t *rank = SC_TAKE(arena, int32_t, t.used), *next = SC_TAKE(arena, int32_t, t.used);
  order->block_first = SC_TAKE(arena, int32_t, t.used + 1);
  if (!rank || !next || !order->block_first) return false;
  rank_blocks(&t, rank, order);
  sort_visits(block, rank, next, order);
  return true;
}

/* First block of a colour whose visits start at or after the wanted share. */
static int32_t cut(const sc_order *order, int colour_index, int part, int parts) {
  int32_t first = order->colour_block[colour_index], end = order->colour_block[colour_index + 1];
  if (part == parts) return end;
  int64_t begin = order->block_first[first], total = order->block_first[end] - begin, wanted = begin + total * part / parts;
  int32_t b = first;
  while (b < end && order->block_first[b] < wanted) b++;
  return b;
}

void sc_order_share(const sc_order *order, int colour_index, int thread, int threads, int32_t *begin, int32_t *end) {
  *begin = order->block_first[cut(order, colour_index, thread, threads)];
  *end = order->block_first[cut(order, colour_index, thread + 1, threads)];
}
