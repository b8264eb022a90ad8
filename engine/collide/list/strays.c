/* Strays: finds the additional pairs of a few shapes that get new anchors while the rest of the list is
 * valid.
 *
 * In a flow a few grains in a hundred thousand are hit and leave the path of their drifting anchors. Such a
 * stray needs pairs with every shape whose present centre is within
 *
 *   r_1 + r_2 + margin min(r_1, r_2) + slack_1 + 2 slack_2 + time |u_1 - u_2|
 *
 * of its own. The other slack counts twice because the shape may be on one side of its anchor and move to the
 * other. u: drifts, time: the rest of the list's span and a step. Strays are stored in a hashed grid, each in
 * its cell and the 26 cells about it. Cells are so wide that every other shape searches only its own cell.
 * Large shapes and half-spaces are tested against all strays. All threads share the search. The result is
 * sorted by rank, and pairs that are on the list already are dropped. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "collide/state.h"
#include "math/vec.h"

typedef struct stray {
  double x[3];  /* present position of the centre [m] */
  double reach; /* radius + margin + slack [m] */
  int32_t row;
} stray;

/* A search for the pairs of strays. */
typedef struct stray_search {
  sc_collide *collide;
  const sc_bodies *bodies;
  double time;              /* time for which the pairs must be valid [s] */
  double width, large;      /* cell width; shapes with a larger extent are tested against all strays [m] */
  int32_t strays, capacity; /* number of strays; capacity of `pair` */
  stray *stray;             /* [strays] strays of this search */
  sc_found *pair;           /* [found] pairs found so far, in any order */
  uint32_t mask;            /* number of buckets - 1 */
  int32_t *start, *member;  /* strays of bucket b: member[start[b]] .. member[start[b + 1] - 1] */
  atomic_int found;         /* pairs found by all threads; if > capacity, there are too many */
  atomic_llong tried;       /* number of pairs tested by all threads */
} stray_search;

enum {
  PAIRS_EACH = 96,   /* capacity of `pair` per stray */
  PAIRS_FREE = 4096, /* additional capacity for pairs, independent of the number of strays */
  BUCKETS_EACH = 64, /* smallest number of buckets per stray */
  ABOUT = 27,        /* number of cells about a stray, including its own cell */
  LARGE = 4,         /* smallest extent of large shapes, in mean radii */
  TRIED_EACH = 64    /* largest number of tested pairs per shape; with more, a new list is cheaper */
};

static void place_strays(stray_search *m, const int32_t *row) {
  const sc_list *list = &m->collide->list;
  double max = 0;
  for (int32_t s = 0; s < m->strays; s++) {
    stray *one = m->stray + s;
    const sc_shape_cache *cache = m->collide->poses.cache + row[s];
    one->row = row[s];
    sc_copy3(cache->centre, one->x);
    one->reach = cache->radius + sc_reach(m->collide, cache->radius) + (double)list->anchor[row[s]].slack;
    max = fmax(max, one->reach);
  }
  m->large = LARGE * list->typical;
  m->width = (max + m->large + m->time * list->difference) * (1 + 1e-9);
}

static uint32_t bucket_of(const stray_search *m, const int64_t cell[3]) {
  uint64_t h = (uint64_t)cell[0] * 0x9e3779b97f4a7c15u ^ (uint64_t)cell[1] * 0xc2b2ae3d27d4eb4fu ^
      (uint64_t)cell[2] * 0x165667b19e3779f9u;
  return (uint32_t)(h >> 32 ^ h) & m->mask;
}

/* Computes the buckets of the 27 cells about a point. */
static void buckets_about(const stray_search *m, const double x[3], uint32_t out[ABOUT]) {
  for (int n = 0; n < ABOUT; n++) {
    int64_t cell[3] = {sc_cell_of(x[0] / m->width) + n % 3 - 1, sc_cell_of(x[1] / m->width) + n / 3 % 3 - 1,
        sc_cell_of(x[2] / m->width) + n / 9 - 1};
    out[n] = bucket_of(m, cell);
  }
}

static bool fill_buckets(stray_search *m) {
  uint32_t buckets = 64, near[ABOUT];
  while (buckets < (uint32_t)m->strays * BUCKETS_EACH) buckets *= 2;
  m->mask = buckets - 1;
  m->start = SC_TAKE(m->collide->scratch, int32_t, (size_t)buckets + 2);
  m->member = SC_TAKE(m->collide->scratch, int32_t, (size_t)m->strays * ABOUT);
  if (!m->start || !m->member) return false;
  memset(m->start, 0, ((size_t)buckets + 2) * sizeof *m->start);
  for (int32_t s = 0; s < m->strays; s++) {
    buckets_about(m, m->stray[s].x, near);
    for (int n = 0; n < ABOUT; n++) m->start[near[n] + 2]++;
  }
  for (uint32_t b = 0; b < buckets; b++) m->start[b + 2] += m->start[b + 1];
  for (int32_t s = 0; s < m->strays; s++) {
    buckets_about(m, m->stray[s].x, near);
    for (int n = 0; n < ABOUT; n++) m->member[m->start[near[n] + 1]++] = s;
  }
  return true;
}

/* Returns true if a stray and a shape must be a pair. extent: radius + twice the slack of the other shape
 * [m]. */
static bool may_meet(const stray_search *m, const stray *one, int32_t other, double extent) {
  const sc_collide *collide = m->collide;
  const sc_list *list = &collide->list;
  const sc_shape_cache *cache = collide->poses.cache + other;
  double d[3], w[3], slacks = (double)list->anchor[one->row].slack + 2 * (double)list->anchor[other].slack;
  if (other == one->row) return false;
  if (isfinite(extent)) {
    sc_sub(cache->centre, one->x, d);
    sc_sub(sc_drift(list, one->row), sc_drift(list, other), w);
    double reach = (one->reach + extent + m->time * sc_norm(w)) * (1 + 1e-9);
    if (!(sc_dot(d, d) <= reach * reach)) return false;
  }
  return sc_list_admits(collide, m->bodies, one->row, other, NULL, slacks, m->time);
}

static void try_pair(stray_search *m, const stray *one, int32_t other, double extent) {
  if (!may_meet(m, one, other, extent)) return;
  sc_pair pair = {one->row, other};
  sc_list_orient(m->collide, m->bodies, &pair);
  const int32_t at = atomic_fetch_add(&m->found, 1);
  if (at < m->capacity) m->pair[at] = (sc_found){sc_names_key(&m->collide->list, pair), pair};
}

/* Returns true if a new list is cheaper than the rest of the search for pairs of strays. */
static bool too_much(const stray_search *m) {
  return atomic_load(&m->found) > m->capacity ||
      atomic_load(&m->tried) > TRIED_EACH * (int64_t)m->collide->poses.count;
}

/* Tests a shape against the strays about it. Returns the number of tests. inverse: 1 / width of a cell. */
static int32_t search_around(stray_search *m, int32_t row, double inverse) {
  const sc_shape_cache *cache = m->collide->poses.cache + row;
  const double extent = cache->radius + 2 * (double)m->collide->list.anchor[row].slack;
  if (!(extent <= m->large)) {
    for (int32_t s = 0; s < m->strays; s++) try_pair(m, m->stray + s, row, extent);
    return m->strays;
  }
  int64_t cell[3];
  for (int k = 0; k < 3; k++) cell[k] = sc_cell_of(cache->centre[k] * inverse);
  const uint32_t b = bucket_of(m, cell);
  for (int32_t k = m->start[b]; k < m->start[b + 1]; k++) try_pair(m, m->stray + m->member[k], row, extent);
  return m->start[b + 1] - m->start[b];
}

/* Tests a range of shapes against all strays near each shape. */
static void search_range(void *context, int64_t first, int64_t end) {
  stray_search *m = context;
  const double inverse = 1 / m->width;
  int64_t tried = 0;
  if (too_much(m)) return;
  for (int64_t row = first; row < end; row++) tried += search_around(m, (int32_t)row, inverse);
  atomic_fetch_add(&m->tried, tried);
}

static int by_key(const void *a, const void *b) {
  uint64_t x = ((const sc_found *)a)->key, y = ((const sc_found *)b)->key;
  return (x > y) - (x < y);
}

/* Sorts the pairs found and drops duplicates and pairs on the list. Replaces keys by the row of the list
 * before which the pair is inserted. Returns the number of pairs left. */
static int32_t keep_new(stray_search *m) {
  const sc_list *list = &m->collide->list;
  const int32_t found = atomic_load(&m->found);
  int32_t kept = 0, at = 0;
  uint64_t last = UINT64_MAX;
  qsort(m->pair, (size_t)found, sizeof *m->pair, by_key);
  for (int32_t k = 0; k < found; k++) {
    uint64_t key = m->pair[k].key;
    if (key == last) continue;
    last = key;
    at = sc_names_place(list, key, at);
    if (at < list->pairs && sc_names_key(list, list->pair[at]) == key) continue;
    m->pair[kept++] = (sc_found){(uint64_t)at, m->pair[k].pair};
  }
  return kept;
}

bool sc_list_search_about(sc_collide *collide, const sc_bodies *bodies, const int32_t *row, int32_t count,
    double time, sc_found **found, int32_t *pairs) {
  stray_search m = {.collide = collide,
      .bodies = bodies,
      .time = time,
      .strays = count,
      .capacity = PAIRS_FREE + count * PAIRS_EACH,
      .stray = SC_TAKE(collide->scratch, stray, count)};
  m.pair = SC_TAKE(collide->scratch, sc_found, m.capacity);
  if (!m.stray || !m.pair) return false;
  place_strays(&m, row);
  if (!fill_buckets(&m)) return false;
  sc_pool_ranges(collide->pool, collide->poses.count, SC_SHORT_RANGE, search_range, &m);
  if (too_much(&m)) return false;
  *found = m.pair, *pairs = keep_new(&m);
  return true;
}
