/* Allocation: heap blocks, growing arrays and the arena. */
#include "base/base.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "scree/memory.h"

static atomic_uint_fast64_t calls;
static atomic_uint_fast64_t fail_call; /* number of the call that must fail, 0: none */
static atomic_bool fail_forever;

static bool must_fail(void) {
  uint64_t call = atomic_fetch_add(&calls, 1) + 1;
  uint64_t at = atomic_load_explicit(&fail_call, memory_order_relaxed);
  return at && (call == at || (call > at && atomic_load(&fail_forever)));
}

/* ---- limit and use of memory ---- */

/* held: bytes allocated by this file. beside: bytes that other code reports (scree_memory_beside). most:
 * limit of the sum of both [bytes], 0: no limit */
static atomic_size_t held, beside, most;
static atomic_bool refused;

void scree_memory_limit(size_t bytes) { atomic_store(&most, bytes); }
size_t scree_memory_used(void) { return atomic_load_explicit(&held, memory_order_relaxed); }
void scree_memory_beside(size_t bytes) { atomic_store_explicit(&beside, bytes, memory_order_relaxed); }
bool scree_memory_refused(void) { return atomic_exchange(&refused, false); }

size_t scree_memory_left(void) {
  size_t limit = atomic_load_explicit(&most, memory_order_relaxed),
         taken = scree_memory_used() + atomic_load_explicit(&beside, memory_order_relaxed);
  return !limit ? SIZE_MAX : limit > taken ? limit - taken : 0;
}

bool sc_alloc_affordable(size_t bytes) {
  if (bytes <= scree_memory_left()) return true;
  atomic_store(&refused, true);
  return false;
}

static void count_bytes(size_t before, const void *block) {
  size_t after = malloc_usable_size((void *)(uintptr_t)block);
  atomic_fetch_add_explicit(&held, after - before, memory_order_relaxed);
}

void *sc_alloc(size_t bytes) {
  if (must_fail() || !bytes || !sc_alloc_affordable(bytes)) return NULL;
  void *block = calloc(1, bytes);
  if (block) count_bytes(0, block);
  return block;
}

void *sc_realloc(void *block, size_t bytes) {
  size_t before = malloc_usable_size(block);
  if (must_fail() || !bytes || (bytes > before && !sc_alloc_affordable(bytes - before))) return NULL;
  void *moved = realloc(block, bytes);
  if (moved) count_bytes(before, moved);
  return moved;
}

void sc_free(void *block) {
  if (block) atomic_fetch_sub_explicit(&held, malloc_usable_size(block), memory_order_relaxed);
  free(block);
}

uint64_t sc_alloc_count(void) { return atomic_load(&calls); }

void sc_alloc_fail_at(uint64_t nth, bool on) {
  atomic_store(&fail_forever, on);
  atomic_store(&fail_call, nth ? atomic_load(&calls) + nth : 0);
}

enum {
  /* peak of an arena [bytes] up to which its base block is made larger than the peak by a half; above, by
   * 1/64 */
  SMALL = 1 << 18,
  /* size of an array [bytes] from which on it grows by an eighth and not by half. The allocator moves such
   * large arrays by remapping pages, without copying, so more frequent growth is cheap. */
  LARGE = 1 << 22
};

static bool resize_array(void **array, size_t *capacity, size_t wanted, size_t size) {
  if (wanted > SIZE_MAX / 2 / size) return false;
  void *grown = sc_realloc(*array, wanted * size);
  if (!grown) return false;
  *array = grown;
  *capacity = wanted;
  return true;
}

bool sc_grow(void **array, size_t *capacity, size_t need, size_t size) {
  SC_ASSERT(array && capacity && size > 0);
  if (need <= *capacity) return true;
  size_t wanted = *capacity + (*capacity < LARGE / size ? *capacity / 2 : *capacity / 8);
  if (wanted < need) wanted = need;
  if (wanted < 16) wanted = 16;
  return resize_array(array, capacity, wanted, size);
}

size_t sc_lean_capacity(size_t capacity, size_t need) {
  size_t more = capacity / 32 > 64 ? capacity / 32 : 64;
  return need > capacity + more ? need : capacity + more;
}

bool sc_grow_lean(void **array, size_t *capacity, size_t need, size_t size) {
  SC_ASSERT(array && capacity && size > 0);
  return need <= *capacity || resize_array(array, capacity, sc_lean_capacity(*capacity, need), size);
}

/* Header of a block that did not fit into the base block of an arena. The block is freed at the next reset,
 * or by sc_arena_back. */
struct sc_arena_extra {
  struct sc_arena_extra *next;
};
enum { ALIGN = 64 };

static size_t round_up(size_t bytes) { return (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1); }
static unsigned char *align_block(void *block) {
  return (unsigned char *)(((uintptr_t)block + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1));
}

/* Frees blocks of the list arena->extra, from the newest on, until `stay` is the first block of the list. */
static void free_extra(sc_arena *arena, const struct sc_arena_extra *stay) {
  while (arena->extra != stay) {
    struct sc_arena_extra *next = arena->extra->next;
    sc_free(arena->extra);
    arena->extra = next;
  }
}

void sc_arena_reset(sc_arena *arena) {
  free_extra(arena, NULL);
  if (arena->peak > arena->size) {
    size_t size = arena->peak + (arena->peak < SMALL ? arena->peak / 2 : arena->peak / 64);
    sc_free(arena->base);
    arena->base = sc_realloc(NULL, size + ALIGN);
    arena->size = arena->base ? size : 0;
  }
  arena->used = arena->held = arena->peak = 0;
}

sc_arena_mark sc_arena_here(const sc_arena *arena) {
  return (sc_arena_mark){arena->used, arena->held, arena->extra};
}

void sc_arena_back(sc_arena *arena, sc_arena_mark mark) {
  SC_ASSERT(mark.used <= arena->size);
  free_extra(arena, mark.extra);
  arena->used = mark.used, arena->held = mark.held;
}

void *sc_arena_back_but(sc_arena *arena, sc_arena_mark mark, void *block, size_t bytes) {
  struct sc_arena_extra *own = arena->extra;
  /* if the block is in the base block, the base block has space for it at the mark */
  if (own == mark.extra || align_block(own + 1) != block) {
    sc_arena_back(arena, mark);
    return memmove(sc_arena_take(arena, bytes), block, bytes);
  }
  arena->extra = own->next;
  sc_arena_back(arena, mark);
  own->next = arena->extra, arena->extra = own;
  arena->held += round_up(bytes ? bytes : 1);
  return block;
}

void *sc_arena_take(sc_arena *arena, size_t bytes) {
  SC_ASSERT(arena);
  if (bytes > SIZE_MAX / 4) return NULL;
  size_t need = round_up(bytes ? bytes : 1);
  arena->held += need;
  if (arena->held > arena->peak) arena->peak = arena->held;
  if (arena->base && arena->used + need <= arena->size) {
    void *block = align_block(arena->base) + arena->used;
    arena->used += need;
    return block;
  }
  struct sc_arena_extra *extra = sc_realloc(NULL, need + 2 * ALIGN);
  if (!extra) return NULL;
  extra->next = arena->extra;
  arena->extra = extra;
  return align_block(extra + 1);
}

void sc_arena_free(sc_arena *arena) {
  free_extra(arena, NULL);
  sc_free(arena->base);
  memset(arena, 0, sizeof *arena);
}
