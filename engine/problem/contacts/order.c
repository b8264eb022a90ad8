/* Blocks, colours and the order of the visit: see order.h. */
#include "problem/contacts/order.h"

#include <math.h>
#include <string.h>

/* Integer coordinates of a block, from -MAX_CELL to MAX_CELL - 1. Coordinates beyond this range are
 * clamped, so that adjacent blocks stay adjacent or coincide. */
typedef struct {
  int32_t x, y, z;
} cell;
enum { MAX_CELL = 1 << 20 };
/* Entry of the hash table. block: number of the block, < 0 if the entry is free. */
typedef struct {
  uint64_t key;
  int32_t block;
} slot;
/* Hash table of blocks by their keys. size is a power of 2. */
typedef struct {
  slot *slot;
  int32_t size, used;
} table;

enum { CHUNK = 1024 }; /* number of contacts per chunk */
/* Arguments of the loops over bodies and contacts. Each chunk of contacts numbers its own blocks. The chunk's
 * list of blocks lies at the front of the chunk's range of `block` and `size`. */
typedef struct survey {
  const sc_problem *problem;
  const int32_t *first, *second;
  size_t stride;
  double edge; /* width of a block [m] */
  cell *of;    /* [bodies] cell: integer coordinates of the block in which the body lies */
  /* entry of a chunk's list, in three stages: the key of the block, the number of the block, the index of the
   * next visit in the block */
  uint64_t *block;
  uint16_t *size;  /* entry of a chunk's list: number of the chunk's contacts in the block of this entry */
  uint16_t *local; /* [contacts] index of the contact's block in the list of its chunk */
  int32_t *met;    /* [chunks] length of the chunk's list */
  double (*length)[3]; /* [contacts / SC_RANGE] sum, number and maximum of the lengths of contacts [m] */
  sc_order *order;
} survey;

static int32_t first_of(const survey *s, int64_t c) { return s->first[(size_t)c * s->stride]; }
static int32_t second_of(const survey *s, int64_t c) { return s->second[(size_t)c * s->stride]; }

enum { BODIES_AHEAD = 12 }; /* prefetch distance of bodies, in contacts */

SC_FETCH fetch_positions(const survey *s, int32_t body) {
  __builtin_prefetch(s->problem->body + body);
  __builtin_prefetch(s->problem->position + body);
}

static void measure_lengths(void *context, int64_t begin, int64_t end) {
  const survey *s = context;
  double sum = 0, pairs = 0, longest = 0;
  for (int64_t c = begin; c < end; c++) {
    if (c + BODIES_AHEAD < end)
      fetch_positions(s, first_of(s, c + BODIES_AHEAD)), fetch_positions(s, second_of(s, c + BODIES_AHEAD));
    int32_t i = first_of(s, c), j = second_of(s, c);
    if (!sc_problem_moves(s->problem, i) || !sc_problem_moves(s->problem, j)) continue;
    const double *a = s->problem->position[i], *b = s->problem->position[j];
    double dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2], length = sqrt(dx * dx + dy * dy + dz * dz);
    sum += length;
    pairs++;
    if (length > longest) longest = length;
  }
  double *out = s->length[begin / SC_RANGE];
  out[0] = sum, out[1] = pairs, out[2] = longest;
}

/* Returns the width of a block [m]: `lengths` times the mean length of a contact, or the length of the
 * longest contact if that is larger. length: distance of the two bodies. */
static double block_edge(const survey *s, int lengths, int32_t count) {
  double sum = 0, longest = 0, pairs = 0;
  for (int32_t k = 0; k < (count + SC_RANGE - 1) / SC_RANGE; k++) {
    sum += s->length[k][0];
    pairs += s->length[k][1];
    if (s->length[k][2] > longest) longest = s->length[k][2];
  }
  double edge = pairs > 0 ? lengths * sum / pairs : 0;
  edge = edge > longest ? edge : longest;
  return edge > 0 ? edge * (1 + 1e-9) : 1;
}

static int32_t cell_coordinate(double x, double edge) {
  double k = floor(x / edge);
  if (!(k >= -MAX_CELL)) return -MAX_CELL; /* also for NaN, which the step reports later */
  return k < MAX_CELL ? (int32_t)k : MAX_CELL - 1;
}

enum { NOWHERE = INT32_MIN }; /* coordinate x in place of a cell: the body is immovable */

static void place_bodies(void *context, int64_t begin, int64_t end) {
  const survey *s = context;
  for (int64_t b = begin; b < end; b++) {
    const double *p = s->problem->position[b];
    s->of[b] = (cell){NOWHERE, 0, 0};
    if (sc_problem_moves(s->problem, (int32_t)b))
      s->of[b] = (cell){
          cell_coordinate(p[0], s->edge), cell_coordinate(p[1], s->edge), cell_coordinate(p[2], s->edge)};
  }
}

/* Returns the cell of a contact's block: the componentwise minimum over its movable bodies. */
static cell min_cell(const survey *s, int32_t i, int32_t j) {
  cell a = s->of[i], b = s->of[j];
  if (a.x == NOWHERE) a = b;
  if (b.x == NOWHERE) b = a;
  if (a.x == NOWHERE) return (cell){0, 0, 0};
  return (cell){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

/* Returns the packed coordinates of a contact's block. */
static uint64_t key_of(const survey *s, int64_t c) {
  cell k = min_cell(s, first_of(s, c), second_of(s, c));
  return (uint64_t)(k.x + MAX_CELL) | (uint64_t)(k.y + MAX_CELL) << 21 | (uint64_t)(k.z + MAX_CELL) << 42;
}

static uint64_t hash_key(uint64_t key) {
  key *= 0x9e3779b97f4a7c15ull;
  return key ^ key >> 29;
}

enum { PLACES = 2 * CHUNK }; /* size of the hash table of a chunk, a power of 2 */
/* Returns the index of a block in a chunk's list. If the block is new, increments *length; the caller then
 * sets the new entry. place: hash table of indices + 1, 0: free. */
static uint16_t row_in(const uint64_t *list, int32_t *length, uint64_t key, uint16_t place[PLACES]) {
  for (uint64_t at = hash_key(key);; at++) {
    uint16_t *row = place + (at & (PLACES - 1));
    if (!*row) *row = (uint16_t)++ * length;
    else if (list[*row - 1] != key) continue;
    return (uint16_t)(*row - 1);
  }
}

/* Lists the blocks of a chunk. Successive contacts mostly have the same block, so the last block is compared
 * first. */
static void place_contacts(void *context, int64_t begin, int64_t end) {
  const survey *s = context;
  uint64_t *list = s->block + begin, last = UINT64_MAX;
  uint16_t *size = s->size + begin, place[PLACES], row = 0;
  int32_t length = 0;
  memset(place, 0, sizeof place);
  for (int64_t c = begin; c < end; c++) {
    if (c + BODIES_AHEAD < end) {
      __builtin_prefetch(s->of + first_of(s, c + BODIES_AHEAD));
      __builtin_prefetch(s->of + second_of(s, c + BODIES_AHEAD));
    }
    uint64_t key = key_of(s, c);
    if (key != last) {
      int32_t before = length;
      row = row_in(list, &length, key, place);
      if (length > before) list[row] = key, size[row] = 0;
    }
    last = key;
    size[row]++;
    s->local[c] = row;
  }
  s->met[begin / CHUNK] = length;
}

/* ---- blocks, numbered in the order of their first contacts ---- */

/* Returns the entry of a key, or the free entry where the key belongs. */
static slot *find_slot(table *t, uint64_t key) {
  for (uint64_t at = hash_key(key);; at++) {
    slot *s = t->slot + (at & (uint64_t)(t->size - 1));
    if (s->block < 0 || s->key == key) return s;
  }
}

static bool resize_table(table *t, int32_t size, sc_arena *arena) {
  table old = *t;
  t->slot = SC_TAKE(arena, slot, size);
  if (!t->slot) return false;
  t->size = size;
  for (int32_t s = 0; s < size; s++) t->slot[s].block = -1;
  for (int32_t s = 0; s < old.size; s++)
    if (old.slot[s].block >= 0) *find_slot(t, old.slot[s].key) = old.slot[s];
  return true;
}

/* Returns the number of the block with a key, and adds the block if it is new. Returns -1 if out of
 * memory. */
static int32_t number_block(table *t, uint64_t key, sc_arena *arena) {
  slot *s = find_slot(t, key);
  if (s->block >= 0) return s->block;
  if (2 * t->used >= t->size) {
    if (!resize_table(t, 2 * t->size, arena)) return -1;
    s = find_slot(t, key);
  }
  *s = (slot){key, t->used++};
  return s->block;
}

/* Returns the colour of a block: the parity of its three coordinates (MAX_CELL is even). */
static int colour_of(uint64_t key) { return (int)((key & 1) | (key >> 21 & 1) << 1 | (key >> 42 & 1) << 2); }

/* Ranks blocks by colour, and by their numbers within a colour. Sets rank[block] and colour_block. */
static void rank_blocks(const table *t, int32_t *rank, sc_order *order) {
  int32_t count[SC_COLOURS + 1] = {0};
  for (int32_t s = 0; s < t->size; s++)
    if (t->slot[s].block >= 0) rank[t->slot[s].block] = colour_of(t->slot[s].key);
  for (int32_t b = 0; b < t->used; b++) count[rank[b] + 1]++;
  for (int c = 0; c < SC_COLOURS; c++) count[c + 1] += count[c];
  memcpy(order->colour_block, count, sizeof count);
  for (int32_t b = 0; b < t->used; b++) rank[b] = count[rank[b]]++;
}

/* Replaces keys of blocks by their numbers in the lists of all chunks. Returns false if out of memory. */
static bool number_blocks(const survey *s, int32_t chunks, table *t, sc_arena *arena) {
  for (int32_t k = 0; k < chunks; k++) {
    uint64_t *list = s->block + (size_t)k * CHUNK;
    for (int32_t row = 0; row < s->met[k]; row++) {
      int32_t block = number_block(t, list[row], arena);
      if (block < 0) return false;
      list[row] = (uint64_t)block;
    }
  }
  return true;
}

/* Begins the counting sort of contacts by the rank of their block. Sets block_first. Sets the entries of each
 * chunk's list to the index in order.visit of the chunk's first contact in the block.
 * next: scratch [blocks]. */
static void begin_visits(const survey *s, int32_t chunks, const int32_t *rank, int32_t *next) {
  sc_order *order = s->order;
  memset(order->block_first, 0, ((size_t)order->blocks + 1) * sizeof *order->block_first);
  for (int32_t k = 0; k < chunks; k++)
    for (size_t at = (size_t)k * CHUNK, row = 0; row < (size_t)s->met[k]; row++)
      order->block_first[rank[s->block[at + row]] + 1] += s->size[at + row];
  for (int32_t b = 0; b < order->blocks; b++) order->block_first[b + 1] += order->block_first[b];
  memcpy(next, order->block_first, (size_t)order->blocks * sizeof *next);
  for (int32_t k = 0; k < chunks; k++)
    for (size_t at = (size_t)k * CHUNK, row = 0; row < (size_t)s->met[k]; row++) {
      int32_t *begin = next + rank[s->block[at + row]];
      s->block[at + row] = (uint64_t)*begin;
      *begin += s->size[at + row];
    }
}

static void put_visits(void *context, int64_t begin, int64_t end) {
  const survey *s = context;
  uint64_t *next = s->block + begin;
  for (int64_t c = begin; c < end; c++) s->order->visit[next[s->local[c]]++] = (int32_t)c;
}

static bool allocate_survey(survey *s, int32_t count, int32_t chunks, sc_arena *arena) {
  s->of = SC_TAKE(arena, cell, s->problem->bodies);
  s->block = SC_TAKE(arena, uint64_t, count);
  s->size = SC_TAKE(arena, uint16_t, count);
  s->local = SC_TAKE(arena, uint16_t, count);
  s->met = SC_TAKE(arena, int32_t, chunks);
  s->length = sc_arena_take(arena, (size_t)chunks * sizeof *s->length);
  return s->of && s->block && s->size && s->local && s->met && s->length;
}

bool sc_order_build(const sc_problem *problem, int lengths, int32_t count, const int32_t *first,
    const int32_t *second, size_t stride, sc_pool *pool, sc_arena *arena, sc_order *order) {
  survey s = {.problem = problem, .first = first, .second = second, .stride = stride, .order = order};
  int32_t chunks = (count + CHUNK - 1) / CHUNK;
  table t = {NULL, 0, 0};
  order->count = count;
  sc_arena_mark mark = sc_arena_here(arena);
  if (!allocate_survey(&s, count, chunks, arena) || !resize_table(&t, 256, arena)) return false;
  sc_pool_ranges(pool, count, SC_RANGE, measure_lengths, &s);
  s.edge = block_edge(&s, lengths, count);
  sc_pool_ranges(pool, problem->bodies, SC_SHORT_RANGE, place_bodies, &s);
  sc_pool_ranges(pool, count, CHUNK, place_contacts, &s);
  if (!number_blocks(&s, chunks, &t, arena)) return false;
  order->blocks = t.used;
  int32_t *rank = SC_TAKE(arena, int32_t, t.used), *next = SC_TAKE(arena, int32_t, t.used);
  size_t rows = (size_t)t.used + 1 + (size_t)count;
  order->block_first = SC_TAKE(arena, int32_t, rows);
  if (!rank || !next || !order->block_first) return false;
  order->visit = order->block_first + t.used + 1;
  rank_blocks(&t, rank, order);
  begin_visits(&s, chunks, rank, next);
  sc_pool_ranges(pool, count, CHUNK, put_visits, &s);
  /* free the memory of the survey, so that bundles can use it */
  order->block_first = sc_arena_back_but(arena, mark, order->block_first, rows * sizeof(int32_t));
  order->visit = order->block_first + t.used + 1;
  return true;
}

bool sc_order_split(const sc_order *whole, const uint8_t *marked, const int32_t *first, const int32_t *second,
    size_t stride, sc_arena *arena, sc_order part[2]) {
  for (int p = 0; p < 2; p++) {
    part[p] = *whole;
    part[p].count = 0;
    part[p].visit = SC_TAKE(arena, int32_t, whole->count);
    part[p].block_first = SC_TAKE(arena, int32_t, whole->blocks + 1);
    if (!part[p].visit || !part[p].block_first) return false;
    part[p].block_first[0] = 0;
  }
  for (int32_t b = 0; b < whole->blocks; b++) {
    for (int32_t k = whole->block_first[b]; k < whole->block_first[b + 1]; k++) {
      size_t c = (size_t)whole->visit[k] * stride;
      sc_order *to = part + !(marked[first[c]] || marked[second[c]]);
      to->visit[to->count++] = whole->visit[k];
    }
    for (int p = 0; p < 2; p++) part[p].block_first[b + 1] = part[p].count;
  }
  return true;
}

/* Returns the first visit of a block of the colour, or the end of its last block, whichever is nearest to
 * visit `wanted`. */
static int32_t nearest_boundary(const sc_order *order, int colour_index, int64_t wanted) {
  int32_t b = order->colour_block[colour_index], first = b, end = order->colour_block[colour_index + 1];
  const int32_t *at = order->block_first;
  while (b < end && at[b] < wanted) b++;
  return at[b > first && wanted - at[b - 1] < at[b] - wanted ? b - 1 : b];
}

void sc_order_share(const sc_order *order, int threads, int32_t *first) {
  first[SC_COLOURS * threads] = order->count;
  for (int c = 0; c < SC_COLOURS; c++) first[c * threads] = order->block_first[order->colour_block[c]];
  for (int t = 1; t < threads; t++) {
    int64_t ahead = 0; /* visits of the threads before t, minus their equal share, over the colours so far */
    for (int c = 0; c < SC_COLOURS; c++) {
      const int32_t begin = first[c * threads], end = order->block_first[order->colour_block[c + 1]];
      const int64_t share = (int64_t)(end - begin) * t / threads;
      const int32_t cut = nearest_boundary(order, c, begin + share - ahead),
                    min_cut = first[c * threads + t - 1];
      first[c * threads + t] = cut > min_cut ? cut : min_cut;
      ahead += first[c * threads + t] - begin - share;
    }
  }
}
