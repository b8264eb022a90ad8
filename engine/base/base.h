/* Basic functions for all modules: errors, asserts, allocation, arena, selection, hash, random numbers, SIMD
 * width, clock. */
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

/* ---- asserts: only for errors of the program, never for data from outside; release builds check them, too
 * ---- */
#define SC_ASSERT(condition) \
  ((condition) ? (void)0 : sc_assert_failed(#condition, __FILE__, __LINE__, __func__))
/* Prints the failed condition and its place in the source to standard error, and aborts. */
_Noreturn void sc_assert_failed(const char *condition, const char *file, int line, const char *function);

/* Checks arguments at the start of a public function, for example required pointers and indices. If the
 * condition is false, writes SCREE_E_ARGUMENT and a text into error and returns `value` from the function.
 * For errors within the engine use SC_ASSERT. */
#define SC_DEMAND(condition, error, value) \
  do { \
    if (!(condition)) { \
      sc_fail(error, SCREE_E_ARGUMENT, "%s: wanted %s", __func__, #condition); \
      return value; \
    } \
  } while (0)

/* ---- allocation: all heap use of the engine, so that tests can count calls and make them fail ---- */
/* Returns a block of `bytes` zeroed bytes. Returns NULL on failure or if bytes is 0, which can result from an
 * overflow. */
void *sc_alloc(size_t bytes);
/* Changes the size of a block like realloc; new bytes are not cleared. Returns the block's new address.
 * Returns NULL on failure; the old block is then still valid. */
void *sc_realloc(void *block, size_t bytes);
/* Frees a block; NULL: does nothing. */
void sc_free(void *block);
/* Returns true if `bytes` further bytes are within the limit of memory (scree_memory_limit). Call it before
 * memory is allocated in many pieces. */
bool sc_alloc_affordable(size_t bytes);
/* Returns the number of calls of sc_alloc and sc_realloc in this process. */
uint64_t sc_alloc_count(void);
/* For tests: makes the nth call of sc_alloc or sc_realloc from now fail (1: the next call; 0: no call). on:
 * true to make all later calls fail, too. */
void sc_alloc_fail_at(uint64_t nth, bool on);

/* Enlarges *array to at least `need` elements of `size` bytes, if *capacity (its number of elements) is
 * smaller. Small arrays grow by half, large arrays by an eighth. Returns false on failure or overflow; *array
 * is then unchanged. */
bool sc_grow(void **array, size_t *capacity, size_t need, size_t size);
#define SC_GROW(array, capacity, need) sc_grow((void **)&(array), &(capacity), (need), sizeof *(array))
/* Enlarges an array like sc_grow, with less unused memory: by 1/32, or to exactly `need` elements if this is
 * more. For large tables, for example with a row per body. */
bool sc_grow_lean(void **array, size_t *capacity, size_t need, size_t size);
#define SC_GROW_LEAN(array, capacity, need) \
  sc_grow_lean((void **)&(array), &(capacity), (need), sizeof *(array))
/* Returns the capacity to which sc_grow_lean enlarges an array [elements]. */
size_t sc_lean_capacity(size_t capacity, size_t need);

/* ---- arena: scratch memory of one step, freed all at once; blocks are 64-byte aligned ---- */
/* An arena. base: the base block, a large block from which sc_arena_take allocates. size: bytes of the base
 * block. used: bytes of the base block that are in use. held: bytes of all blocks in use, including blocks
 * that did not fit into the base block. peak: largest value of held since the last reset. extra: list of the
 * blocks that did not fit into the base block. */
typedef struct sc_arena {
  unsigned char *base;
  size_t size, used, held, peak;
  struct sc_arena_extra *extra;
} sc_arena;
/* Frees all blocks. Enlarges the base block to at least the peak if some blocks did not fit into it since the
 * last reset. */
void sc_arena_reset(sc_arena *arena);
/* Returns a block of `bytes` bytes, which are not cleared; NULL on failure. */
void *sc_arena_take(sc_arena *arena, size_t bytes);
/* Frees an arena and zeroes the struct. */
void sc_arena_free(sc_arena *arena);
/* A mark: the state of an arena at some time. sc_arena_back frees all blocks that were allocated after the
 * mark. Marks can be nested. */
typedef struct sc_arena_mark {
  size_t used, held;
  struct sc_arena_extra *extra;
} sc_arena_mark;
/* Returns a mark that stands for the present state of an arena. */
sc_arena_mark sc_arena_here(const sc_arena *arena);
/* Frees all blocks allocated after the mark. */
void sc_arena_back(sc_arena *arena, sc_arena_mark mark);
/* Frees all blocks allocated after the mark except `block`. `block` must be the last allocated block; bytes:
 * its size. If `block` lies in the base block of the arena, the function moves it down to the first free
 * byte. Returns the new address of `block`. */
void *sc_arena_back_but(sc_arena *arena, sc_arena_mark mark, void *block, size_t bytes);
#define SC_TAKE(arena, type, count) ((type *)sc_arena_take((arena), (size_t)(count) * sizeof(type)))

/* Declares a function that only prefetches. Such functions must be inlined, because gcc removes calls of
 * functions without other effects. */
#define SC_FETCH static inline __attribute__((always_inline)) void

/* ---- selection by rank; a function of type sc_select_key returns the key of an item, which must be finite
 * ---- */
typedef double sc_select_key(const void *context, int32_t item);
/* Moves the item that would be at index `rank` (0 <= rank < count) of the array sorted by keys to item[rank].
 * Moves all items with smaller keys before it. Of two items with equal keys, the smaller item comes first.
 * context: argument of key. */
void sc_select_rank(int32_t *item, int32_t count, int32_t rank, sc_select_key *key, const void *context);

/* ---- hash: FNV-1a, 64 bits, over bytes; start with SC_HASH_START ---- */
#define SC_HASH_START 0xcbf29ce484222325ull
/* Returns a hash of `count` bytes. hash: SC_HASH_START, or the hash of preceding bytes, to hash several
 * pieces. */
uint64_t sc_hash(uint64_t hash, const void *bytes, size_t count);
/* Returns a hash of `count` words of 8 bytes. hash: SC_HASH_START, or the hash of preceding words. Each bit
 * of the result depends on all bits of the words, so that sums of hashes do not cancel. */
uint64_t sc_hash_words(uint64_t hash, const void *words, size_t count);

/* ---- random numbers: xoshiro256**, seeded by splitmix64; the state is plain data and part of checkpoints
 * ---- */
typedef struct sc_rng {
  uint64_t s[4];
} sc_rng;
/* Sets the state from a seed. */
void sc_rng_seed(sc_rng *rng, uint64_t seed);
/* Sets the state from a seed and a counter. Generators with the same seed and different counters are
 * independent. */
void sc_rng_seed_at(sc_rng *rng, uint64_t seed, uint64_t counter);
/* Returns the next 64 random bits. */
uint64_t sc_rng_next(sc_rng *rng);
/* Returns a number in [0,1) with 53 random bits. */
double sc_rng_unit(sc_rng *rng);

/* ---- SIMD: the widest vectors that this processor supports, or those of the environment variable SCREE_SIMD
 * (scalar, avx2, avx512) if supported; results do not depend on the width ---- */
typedef enum sc_simd { SC_SIMD_SCALAR, SC_SIMD_AVX2, SC_SIMD_AVX512 } sc_simd;
/* Returns the vector width that kernels must use. The result does not change during a process. */
sc_simd sc_simd_best(void);

/* ---- clock ---- */
/* Returns a monotonic wall time [s]. */
double sc_clock_wall(void);

#endif
