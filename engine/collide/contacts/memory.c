/* Contact cache: rows, law state and geometry of contacts in parallel arrays. */
#include <string.h>
#include "collide/state.h"

/* Moves a cache from the arena to the heap. Returns false without memory. */
static bool leave_scratch(sc_memory *memory, size_t count) {
  sc_memory own = {.stride = memory->stride, .touches = memory->touches};
  if (!sc_memory_reserve(&own, count)) {
    sc_memory_free(&own);
    return false;
  }
  sc_memory_put(memory, 0, (size_t)memory->count, &own, 0);
  own.count = memory->count;
  *memory = own;
  return true;
}

bool sc_memory_reserve(sc_memory *memory, size_t count) {
  if (memory->lent) return leave_scratch(memory, count);
  return SC_GROW_LEAN(memory->row, memory->capacity, count) &&
      (!memory->stride ||
          SC_GROW_LEAN(memory->state, memory->state_capacity, count * (size_t)memory->stride)) &&
      (!memory->touches || SC_GROW_LEAN(memory->touch, memory->touch_capacity, count));
}

bool sc_memory_lend(const sc_memory *like, size_t count, sc_arena *arena, sc_memory *out) {
  *out = (sc_memory){.lent = true, .touches = like->touches, .stride = like->stride, .capacity = count};
  out->row = SC_TAKE(arena, sc_kept, count);
  if (like->stride) out->state = SC_TAKE(arena, double, out->state_capacity = count * (size_t)like->stride);
  if (like->touches) out->touch = SC_TAKE(arena, sc_touch, out->touch_capacity = count);
  return out->row && (!like->stride || out->state) && (!like->touches || out->touch);
}

void sc_memory_put(const sc_memory *from, size_t first, size_t count, sc_memory *to, size_t at) {
  size_t stride = (size_t)from->stride;
  SC_ASSERT(from->stride == to->stride && from->touches == to->touches);
  if (!count) return;
  memcpy(to->row + at, from->row + first, count * sizeof *to->row);
  if (stride)
    memcpy(to->state + at * stride, from->state + first * stride, count * stride * sizeof *to->state);
  if (from->touches) memcpy(to->touch + at, from->touch + first, count * sizeof *to->touch);
}

typedef struct copying {
  const sc_memory *from;
  sc_memory *to;
} copying;

static void copy_range(void *context, int64_t first, int64_t end) {
  const copying *c = context;
  sc_memory_put(c->from, (size_t)first, (size_t)(end - first), c->to, (size_t)first);
}

bool sc_memory_copy(const sc_memory *memory, sc_pool *pool, sc_arena *arena, sc_memory *copy) {
  if (!sc_memory_lend(memory, (size_t)memory->count, arena, copy)) return false;
  sc_pool_ranges(pool, memory->count, SC_SHORT_RANGE, copy_range, &(copying){memory, copy});
  copy->count = memory->count;
  return true;
}

void sc_memory_move(const sc_memory *from, int32_t row, sc_memory *to, int32_t at, int32_t pair) {
  SC_ASSERT(row >= 0 && at >= 0 && (size_t)at < to->capacity && from->stride == to->stride);
  to->row[at] = from->row[row];
  to->row[at].pair = pair;
  if (from->stride)
    memmove(sc_memory_state(to, at), sc_memory_state(from, row), (size_t)from->stride * sizeof *to->state);
  if (from->touches) to->touch[at] = from->touch[row];
}

int32_t sc_memory_first(const sc_memory *memory, int32_t pair) {
  int32_t low = 0, high = memory->count;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (memory->row[middle].pair < pair) low = middle + 1;
    else high = middle;
  }
  return low;
}

bool sc_memory_shape(sc_memory *memory, int32_t stride, bool touches) {
  size_t count = (size_t)memory->count;
  bool other = stride != memory->stride;
  memory->stride = stride;
  if (!touches && memory->touch) {
    sc_free(memory->touch);
    memory->touch = NULL, memory->touch_capacity = 0;
  }
  memory->touches = touches;
  if (!sc_memory_reserve(memory, count)) {
    memory->count = 0;
    return false;
  }
  if (other && stride && count) memset(memory->state, 0, count * (size_t)stride * sizeof *memory->state);
  return true;
}

void sc_memory_free(sc_memory *memory) {
  if (memory->lent) return;
  sc_free(memory->row);
  sc_free(memory->state);
  sc_free(memory->touch);
}

size_t sc_memory_bytes(const sc_memory *memory) {
  if (memory->lent) return 0;
  return memory->capacity * sizeof *memory->row + memory->state_capacity * sizeof *memory->state +
      memory->touch_capacity * sizeof *memory->touch;
}
