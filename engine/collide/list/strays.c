/* Strays: shapes that have used up their slack while the rest of the list is still good.
 *
 * In a flow a few grains in a hundred thousand are hit and leave the way that their anchors drift.
 * Instead of building the whole list anew for them they get new anchors where they are, and the list the
 * pairs that these bring: with every shape that is within
 *
 *   r_1 + r_2 + margin min(r_1, r_2) + slack_1 + 2 slack_2 + time |u_1 - u_2|
 *
 * of the stray now; twice the other's slack, as it may be on one side of its anchor and go to the other;
 * u: drifts, time: what is left of the list's span and a step. Strays lie in a hashed grid, each in its
 * cell and the 26 about it, wide enough that every other shape needs to look into its own cell alone;
 * large shapes and half-spaces are tried against all strays. What is found is sorted by ranks and merged
 * into the list, and the contacts that are remembered are told of the new rows of their pairs.
 *
 * All mending since the list was built may cost as much as building it did; then it is built. */
#include <stdlib.h>
#include <string.h>
#include "collide/list/list.h"
#include "math/vec.h"

/* reach: radius, its share of the margin, slack */
typedef struct stray {
  double x[3], reach;
  int32_t row;
} stray;
typedef struct ranked {
  uint64_t key;
  sc_pair pair;
} ranked;

typedef struct mend {
  sc_collide *collide;
  const sc_bodies *bodies;
  const sc_shapes *shapes;
  /* width of a cell; extent from which a shape is tried against all strays */
  double dt, time, width, large;
  int32_t strays, found, room;
  stray *stray;
  ranked *pair;            /* found */
  uint32_t mask;           /* buckets - 1 */
  int32_t *start, *member; /* strays of bucket b: member[start[b] .. start[b + 1]) */
  int64_t tried;
} mend;

enum {
  PAIRS_EACH = 96,
  PAIRS_FREE = 4096,
  BUCKETS_EACH = 64,
  ABOUT = 27,
  FEW_STRAYS = 8,
  STRAYS_SHARE = 32,
  LARGE = 4
};
/* of its slack, from which a shape is taken for a stray when others are */
static const double stray_share = 0.8;
static const double per_found = 40; /* work in pairs walked of a pair found */

/* In a part of many others may rely on where a shape is. */
static bool may_mend(const mend *m, int32_t row) {
  const sc_anchor *anchor = m->collide->anchor + row;
  return sc_collide_inner(
      m->collide, m->bodies, m->shapes->row[row].body, anchor->position, (double)anchor->slack, m->dt);
}

/* Rows of the shapes that have used most of their slacks; false where there are too many or mending
 * costs too much. */
static bool collect(mend *m) {
  int32_t most = m->shapes->count / STRAYS_SHARE + FEW_STRAYS;
  const sc_collide *collide = m->collide;
  if (!collide->drifts && !m->bodies->distributed) return false;
  m->collide->mended += sc_collide_mending(collide, m->shapes->count);
  if (collide->mended > collide->work) return false;
  m->stray = SC_TAKE(collide->scratch, stray, most);
  if (!m->stray) return false;
  for (int32_t row = 0; row < m->shapes->count; row++) {
    double used = sc_collide_used(collide, m->bodies, m->shapes, m->dt, row);
    if (used <= stray_share) continue;
    if (m->bodies->distributed && !may_mend(m, row)) {
      if (used > 1) return false;
      continue;
    }
    if (m->strays == most || !(m->shapes->row[row].bound <= LARGE * collide->typical)) return false;
    m->stray[m->strays++].row = row;
  }
  return true;
}

/* A stray's anchor is where it would drift from to where it is. */
static void drop_anchor(const mend *m, int32_t row) {
  sc_collide *collide = m->collide;
  int32_t body = m->shapes->row[row].body, form = m->shapes->row[row].form;
  sc_anchor *anchor = collide->anchor + row;
  sc_axpy(-collide->elapsed, sc_drift(collide, row), m->bodies->position[body], anchor->position);
  if (form >= 0)
    memcpy(collide->turned[form].orientation, m->bodies->orientation[body],
        sizeof collide->turned[form].orientation);
  anchor->slack = sc_collide_slack_of(collide, m->bodies, m->shapes, m->dt, row,
      form < 0 ? 0 : collide->turned[form].lever, collide->typical);
}

static void place_strays(mend *m) {
  double most = 0;
  for (int32_t s = 0; s < m->strays; s++) {
    stray *one = m->stray + s;
    drop_anchor(m, one->row);
    const sc_shape_cache *cache = m->collide->cache + one->row;
    sc_copy3(cache->centre, one->x);
    one->reach = cache->radius * (1 + m->collide->def.margin) + (double)m->collide->anchor[one->row].slack;
    most = fmax(most, one->reach);
  }
  m->large = LARGE * m->collide->typical;
  m->width = (most + m->large + m->time * m->collide->difference) * (1 + 1e-9);
}

static uint32_t bucket_of(const mend *m, const int64_t cell[3]) {
  uint64_t h = (uint64_t)cell[0] * 0x9e3779b97f4a7c15u ^ (uint64_t)cell[1] * 0xc2b2ae3d27d4eb4fu ^
      (uint64_t)cell[2] * 0x165667b19e3779f9u;
  return (uint32_t)(h >> 32 ^ h) & m->mask;
}

/* Buckets of the cells about a point. */
static void buckets_about(const mend *m, const double x[3], uint32_t out[ABOUT]) {
  for (int n = 0; n < ABOUT; n++) {
    int64_t cell[3] = {sc_cell_of(x[0] / m->width) + n % 3 - 1, sc_cell_of(x[1] / m->width) + n / 3 % 3 - 1,
        sc_cell_of(x[2] / m->width) + n / 9 - 1};
    out[n] = bucket_of(m, cell);
  }
}

static bool fill_buckets(mend *m) {
  uint32_t buckets = 64, about[ABOUT];
  while (buckets < (uint32_t)m->strays * BUCKETS_EACH) buckets *= 2;
  m->mask = buckets - 1;
  m->start = SC_TAKE(m->collide->scratch, int32_t, (size_t)buckets + 2);
  m->member = SC_TAKE(m->collide->scratch, int32_t, (size_t)m->strays * ABOUT);
  if (!m->start || !m->member) return false;
  memset(m->start, 0, ((size_t)buckets + 2) * sizeof *m->start);
  for (int32_t s = 0; s < m->strays; s++) {
    buckets_about(m, m->stray[s].x, about);
    for (int n = 0; n < ABOUT; n++) m->start[about[n] + 2]++;
  }
  for (uint32_t b = 0; b < buckets; b++) m->start[b + 2] += m->start[b + 1];
  for (int32_t s = 0; s < m->strays; s++) {
    buckets_about(m, m->stray[s].x, about);
    for (int n = 0; n < ABOUT; n++) m->member[m->start[about[n] + 1]++] = s;
  }
  return true;
}

/* A pair's place in the order of the list: its lower rank, then its higher. */
static uint64_t key_of(const sc_collide *collide, sc_pair pair) {
  uint32_t a = (uint32_t)sc_names_rank(collide, pair.one), b = (uint32_t)sc_names_rank(collide, pair.two);
  return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* Tries a stray against a shape of so much radius and twice its slack. */
static bool try_pair(mend *m, const stray *one, int32_t other, double extent) {
  sc_collide *collide = m->collide;
  const sc_shape_cache *cache = collide->cache + other;
  double d[3], w[3],
      slacks = (double)collide->anchor[one->row].slack + 2 * (double)collide->anchor[other].slack;
  if (other == one->row) return true;
  if (isfinite(extent)) {
    sc_sub(cache->centre, one->x, d);
    sc_sub(sc_drift(collide, one->row), sc_drift(collide, other), w);
    double reach = (one->reach + extent + m->time * sc_norm(w)) * (1 + 1e-9);
    if (!(sc_dot(d, d) <= reach * reach)) return true;
  }
  if (!sc_collide_worth(collide, m->bodies, one->row, other, slacks, m->time)) return true;
  if (m->found == m->room) return false;
  sc_pair pair = {one->row, other};
  sc_collide_orient(collide, m->bodies, &pair);
  m->pair[m->found++] = (ranked){key_of(collide, pair), pair};
  return true;
}

static bool try_all(mend *m, int32_t other, double extent) {
  m->tried += m->strays;
  for (int32_t s = 0; s < m->strays; s++)
    if (!try_pair(m, m->stray + s, other, extent)) return false;
  return m->tried <= 64 * (int64_t)m->shapes->count;
}

/* Every shape looks for strays about it. */
static bool search(mend *m) {
  const sc_collide *collide = m->collide;
  double inverse = 1 / m->width;
  for (int32_t row = 0; row < m->shapes->count; row++) {
    const sc_shape_cache *cache = collide->cache + row;
    double extent = cache->radius + 2 * (double)collide->anchor[row].slack;
    if (!(extent <= m->large)) {
      if (!try_all(m, row, extent)) return false;
      continue;
    }
    int64_t cell[3];
    for (int k = 0; k < 3; k++) cell[k] = sc_cell_of(cache->centre[k] * inverse);
    uint32_t b = bucket_of(m, cell);
    m->tried += m->start[b + 1] - m->start[b];
    for (int32_t k = m->start[b]; k < m->start[b + 1]; k++)
      if (!try_pair(m, m->stray + m->member[k], row, extent)) return false;
  }
  return true;
}

/* Row of the first pair whose key is not less. */
static int32_t place_of(const sc_collide *collide, uint64_t key) {
  int32_t low = 0, high = collide->pairs;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (key_of(collide, collide->pair[middle]) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

static int by_key(const void *a, const void *b) {
  uint64_t x = ((const ranked *)a)->key, y = ((const ranked *)b)->key;
  return (x > y) - (x < y);
}

/* Leaves what was found once and is not on the list, in order; the key becomes the row that it goes
 * before. */
static void keep_new(mend *m) {
  int32_t kept = 0;
  uint64_t last = UINT64_MAX;
  qsort(m->pair, (size_t)m->found, sizeof *m->pair, by_key);
  for (int32_t k = 0; k < m->found; k++) {
    uint64_t key = m->pair[k].key;
    if (key == last) continue;
    last = key;
    int32_t at = place_of(m->collide, key);
    if (at < m->collide->pairs && key_of(m->collide, m->collide->pair[at]) == key) continue;
    m->pair[kept++] = (ranked){(uint64_t)at, m->pair[k].pair};
  }
  m->found = kept;
}

/* The new pairs' bytes among those of pairs that wait for others' states. */
static bool merge_late(mend *m) {
  sc_collide *collide = m->collide;
  const sc_shape_row *shape = m->shapes->row;
  if (!m->bodies->distributed) return true;
  if (!SC_GROW_LEAN(collide->late, collide->late_capacity, (size_t)collide->pairs + (size_t)m->found + 1))
    return false;
  int32_t end = collide->pairs;
  for (int32_t k = m->found - 1; k >= 0; k--) {
    int32_t at = (int32_t)m->pair[k].key;
    sc_pair pair = m->pair[k].pair;
    memmove(collide->late + at + k + 1, collide->late + at, (size_t)(end - at));
    collide->late[at + k] = sc_collide_waits_for(m->bodies, shape[pair.one].body) ||
        sc_collide_waits_for(m->bodies, shape[pair.two].body);
    end = at;
  }
  return true;
}

/* Puts the new pairs in their places, from the end, and tells the contacts. */
static bool merge(mend *m) {
  sc_collide *collide = m->collide;
  if ((size_t)collide->pairs + (size_t)m->found > INT32_MAX ||
      !SC_GROW_LEAN(collide->pair, collide->pair_capacity, (size_t)collide->pairs + (size_t)m->found) ||
      !merge_late(m))
    return false;
  int32_t end = collide->pairs;
  for (int32_t k = m->found - 1; k >= 0; k--) {
    int32_t at = (int32_t)m->pair[k].key;
    memmove(collide->pair + at + k + 1, collide->pair + at, (size_t)(end - at) * sizeof *collide->pair);
    collide->pair[at + k] = m->pair[k].pair;
    end = at;
  }
  collide->pairs += m->found;
  for (int32_t c = 0, k = 0; c < collide->now.count; c++) {
    sc_kept *row = collide->now.row + c;
    while (k < m->found && (int32_t)m->pair[k].key <= row->pair) k++;
    row->pair += k;
  }
  return true;
}

static bool mend_list(mend *m) {
  sc_collide *collide = m->collide;
  if (!collect(m) || sc_collide_settle(collide, NULL) != SCREE_OK ||
      sc_collide_refresh(collide, m->bodies, m->shapes, m->dt, NULL) != SCREE_OK)
    return false;
  place_strays(m);
  m->room = PAIRS_FREE + m->strays * PAIRS_EACH;
  m->pair = SC_TAKE(collide->scratch, ranked, m->room);
  if (!m->pair || !fill_buckets(m) || !search(m)) return false;
  keep_new(m);
  collide->mended += per_found * (double)m->found;
  collide->used = stray_share;
  return merge(m);
}

bool sc_collide_mend(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt) {
  mend m = {.collide = collide,
      .bodies = bodies,
      .shapes = shapes,
      .dt = dt,
      .time = collide->span - collide->elapsed + 2 * dt};
  sc_arena_mark mark = sc_collide_begin(collide);
  bool fine = mend_list(&m);
  sc_arena_back(collide->scratch, mark);
  return fine;
}
