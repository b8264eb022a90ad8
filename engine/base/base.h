/* What every module may use: error helper, checked allocation, arena, hash, random numbers, clock. */
#ifndef SC_BASE_H
#define SC_BASE_H

#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include "scree/status.h"

/* Writes a formatted text into error (which may be NULL) and returns status, so that callers can
 * `return sc_fail(error, SCREE_E_ARGUMENT, "...", ...)`. */
scree_status sc_fail(scree_error *error, scree_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- asserts: programmer errors only, never data from outside; they stay on in release builds ---- */
#define SC_ASSERT(condition) \
  ((condition) ? (void)0 : sc_assert_failed(#condition, __FILE__, __LINE__, __func__))
/* Says what was expected where on the standard error and aborts. */
_Noreturn void sc_assert_failed(const char *condition, const char *file, int line, const char *function);

/* Checks the arguments at the start of a public function, for example required pointers and indices. If the
 * condition does not hold, sets SCREE_E_ARGUMENT with a text and returns `value` from the function. Mistakes
 * within the engine are asserts. */
#define SC_DEMAND(condition, error, value) \
  do { \
    if (!(condition)) { \
      sc_fail(error, SCREE_E_ARGUMENT, "%s: wanted %s", __func__, #condition); \
      return value; \
    } \
  } while (0)

/* ---- allocation: all heap use of the engine goes through here, so that tests can count it and make it
 * fail ---- */
void *sc_alloc(size_t bytes); /* zeroed; NULL on failure or when bytes overflowed to 0 */
/* new bytes are not cleared; NULL on failure, block stays valid */
void *sc_realloc(void *block, size_t bytes);
void sc_free(void *block);
/* Whether so many more bytes stay within the limit of scree/memory.h: for what takes them in pieces. */
bool sc_alloc_affordable(size_t bytes);
/* calls of sc_alloc and sc_realloc so far in this thread's process */
uint64_t sc_alloc_count(void);
/* tests: the nth call from now fails (1 = next), and with `on` all later ones */
void sc_alloc_fail_at(uint64_t nth, bool on);

/* Makes room for at least `need` elements of `size` bytes in *array (capacity *capacity), growing by
 * half while small. False on failure or overflow, *array untouched. */
bool sc_grow(void **array, size_t *capacity, size_t need, size_t size);
#define SC_GROW(array, capacity, need) sc_grow((void **)&(array), &(capacity), (need), sizeof *(array))
/* The same for tables with a row per body: exactly what is asked for in one large piece (from nothing,
 * or a 32nd more than there is), else growing by a 32nd. */
bool sc_grow_lean(void **array, size_t *capacity, size_t need, size_t size);
#define SC_GROW_LEAN(array, capacity, need) \
  sc_grow_lean((void **)&(array), &(capacity), (need), sizeof *(array))
size_t sc_lean_capacity(size_t capacity, size_t need); /* the capacity it grows to */

/* ---- arena: memory of one step, released all at once; 64-byte aligned blocks ---- */
typedef struct sc_arena {
  unsigned char *base;
  size_t size, used, held, peak;
  struct sc_arena_extra *extra;
} sc_arena;
/* forget all blocks; grows the base block to the peak if the last round overflowed */
void sc_arena_reset(sc_arena *arena);
void *sc_arena_take(sc_arena *arena, size_t bytes); /* not cleared; NULL on failure */
void sc_arena_free(sc_arena *arena);
/* Blocks taken after a mark are given back at once by going back to it; marks nest. */
typedef struct sc_arena_mark {
  size_t used, held;
  struct sc_arena_extra *extra;
} sc_arena_mark;
sc_arena_mark sc_arena_here(const sc_arena *arena);
void sc_arena_back(sc_arena *arena, sc_arena_mark mark);
/* The same, but the block taken last, of that many bytes, stays: it moves to the mark. Returns where it
 * is now. */
void *sc_arena_back_but(sc_arena *arena, sc_arena_mark mark, void *block, size_t bytes);
#define SC_TAKE(arena, type, count) ((type *)sc_arena_take((arena), (size_t)(count) * sizeof(type)))

/* A function that only prefetches must be inlined: gcc takes a call of it for one without effect and
 * leaves it out. */
#define SC_FETCH static inline __attribute__((always_inline)) void

/* ---- selection: the item of rank 0 <= rank < count by its key goes to item[rank], smaller ones lie before
 * it; of equal keys the smaller item comes first. Keys are finite. ---- */
typedef double sc_select_key(const void *context, int32_t item);
void sc_select_rank(int32_t *item, int32_t count, int32_t rank, sc_select_key *key, const void *context);

/* ---- hash: FNV-1a, 64 bits, over bytes ---- */
#define SC_HASH_START 0xcbf29ce484222325ull
uint64_t sc_hash(uint64_t hash, const void *bytes, size_t count);

/* ---- random numbers: xoshiro256**, seeded by splitmix64; state is plain data and is saved in
 * checkpoints ---- */
typedef struct sc_rng {
  uint64_t s[4];
} sc_rng;
void sc_rng_seed(sc_rng *rng, uint64_t seed);
uint64_t sc_rng_next(sc_rng *rng);
double sc_rng_unit(sc_rng *rng); /* [0,1), 53 bits */

/* ---- SIMD: the widest vectors this processor runs, or those that the environment variable SCREE_SIMD names
 * (scalar, avx2, avx512) where it has them; results do not depend on it ---- */
typedef enum sc_simd { SC_SIMD_SCALAR, SC_SIMD_AVX2, SC_SIMD_AVX512 } sc_simd;
sc_simd sc_simd_best(void);

/* ---- clock ---- */
double sc_clock_wall(void); /* seconds, monotonic */

#endif
