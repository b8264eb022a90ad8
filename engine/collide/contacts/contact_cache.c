/* Contact cache: rows, law state and geometry of contacts in parallel arrays. */
#include <string.h>
#include "collide/state.h"

/* Moves a cache from the arena to the heap. Returns false if out of memory. */
static bool leave_scratch(sc_contact_cache *cache, size_t count) {
  sc_contact_cache own = {.stride = cache->stride, .touches = cache->touches};
  if (!sc_contact_cache_reserve(&own, count)) {
    sc_contact_cache_free(&own);
    return false;
  }
  sc_contact_cache_copy_rows(cache, 0, (size_t)cache->count, &own, 0);
  own.count = cache->count;
  *cache = own;
  return true;
}

bool sc_contact_cache_reserve(sc_contact_cache *cache, size_t count) {
  if (cache->lent) return leave_scratch(cache, count);
  return SC_GROW_LEAN(cache->row, cache->capacity, count) &&
      (!cache->stride || SC_GROW_LEAN(cache->state, cache->state_capacity, count * (size_t)cache->stride)) &&
      (!cache->touches || SC_GROW_LEAN(cache->touch, cache->touch_capacity, count));
}

bool sc_contact_cache_borrow(
    const sc_contact_cache *like, size_t count, sc_arena *arena, sc_contact_cache *out) {
  *out = (sc_contact_cache){
      .lent = true, .touches = like->touches, .stride = like->stride, .capacity = count};
  out->row = SC_TAKE(arena, sc_cached_contact, count);
  if (like->stride) out->state = SC_TAKE(arena, double, out->state_capacity = count * (size_t)like->stride);
  if (like->touches) out->touch = SC_TAKE(arena, sc_touch, out->touch_capacity = count);
  return out->row && (!like->stride || out->state) && (!like->touches || out->touch);
}

void sc_contact_cache_copy_rows(
    const sc_contact_cache *from, size_t first, size_t count, sc_contact_cache *to, size_t at) {
  size_t stride = (size_t)from->stride;
  SC_ASSERT(from->stride == to->stride && from->touches == to->touches);
  if (!count) return;
  memcpy(to->row + at, from->row + first, count * sizeof *to->row);
  if (stride)
    memcpy(to->state + at * stride, from->state + first * stride, count * stride * sizeof *to->state);
  if (from->touches) memcpy(to->touch + at, from->touch + first, count * sizeof *to->touch);
}

typedef struct copying {
  const sc_contact_cache *from;
  sc_contact_cache *to;
} copying;

static void copy_range(void *context, int64_t first, int64_t end) {
  const copying *c = context;
  sc_contact_cache_copy_rows(c->from, (size_t)first, (size_t)(end - first), c->to, (size_t)first);
}

bool sc_contact_cache_copy(
    const sc_contact_cache *cache, sc_pool *pool, sc_arena *arena, sc_contact_cache *copy) {
  if (!sc_contact_cache_borrow(cache, (size_t)cache->count, arena, copy)) return false;
  sc_pool_ranges(pool, cache->count, SC_SHORT_RANGE, copy_range, &(copying){cache, copy});
  copy->count = cache->count;
  return true;
}

void sc_contact_cache_move_row(
    const sc_contact_cache *from, int32_t row, sc_contact_cache *to, int32_t at, int32_t pair) {
  SC_ASSERT(row >= 0 && at >= 0 && (size_t)at < to->capacity && from->stride == to->stride);
  to->row[at] = from->row[row];
  to->row[at].pair = pair;
  if (from->stride)
    memmove(sc_contact_cache_state(to, at), sc_contact_cache_state(from, row),
        (size_t)from->stride * sizeof *to->state);
  if (from->touches) to->touch[at] = from->touch[row];
}

int32_t sc_contact_cache_find(const sc_contact_cache *cache, int32_t pair) {
  int32_t low = 0, high = cache->count;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (cache->row[middle].pair < pair) low = middle + 1;
    else high = middle;
  }
  return low;
}

bool sc_contact_cache_set_layout(sc_contact_cache *cache, int32_t stride, bool touches) {
  size_t count = (size_t)cache->count;
  bool other = stride != cache->stride;
  cache->stride = stride;
  if (!touches && cache->touch) {
    sc_free(cache->touch);
    cache->touch = NULL, cache->touch_capacity = 0;
  }
  cache->touches = touches;
  if (!sc_contact_cache_reserve(cache, count)) {
    cache->count = 0;
    return false;
  }
  if (other && stride && count) memset(cache->state, 0, count * (size_t)stride * sizeof *cache->state);
  return true;
}

void sc_contact_cache_free(sc_contact_cache *cache) {
  if (cache->lent) return;
  sc_free(cache->row);
  sc_free(cache->state);
  sc_free(cache->touch);
}

size_t sc_contact_cache_bytes(const sc_contact_cache *cache) {
  if (cache->lent) return 0;
  return cache->capacity * sizeof *cache->row + cache->state_capacity * sizeof *cache->state +
      cache->touch_capacity * sizeof *cache->touch;
}
