/* Tests blocks of an arena that are freed before the arena is reset: marks nest, memory is reused, and the
 * arena grows to the largest use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "base/base.h"

enum { BLOCK = 1000, ROUNDED = 1024 };

static unsigned char *filled(sc_arena *arena, int value) {
  unsigned char *block = sc_arena_take(arena, BLOCK);
  assert_non_null(block);
  memset(block, value, BLOCK);
  return block;
}

static void is_filled(const unsigned char *block, int value) {
  for (int k = 0; k < BLOCK; k++) assert_int_equal(block[k], value);
}

/* One round: at most three blocks are held at a time, although six are taken. */
static void round_of(sc_arena *arena) {
  sc_arena_reset(arena);
  unsigned char *first = filled(arena, 1);
  sc_arena_mark outer = sc_arena_here(arena);
  filled(arena, 2);
  sc_arena_mark inner = sc_arena_here(arena);
  filled(arena, 3);
  sc_arena_back(arena, inner);
  filled(arena, 4);
  sc_arena_back(arena, outer);
  filled(arena, 5);
  unsigned char *kept = sc_arena_back_but(arena, outer, filled(arena, 6), BLOCK);
  is_filled(first, 1);
  is_filled(kept, 6);
  unsigned char *last = filled(arena, 7);
  is_filled(kept, 6);
  is_filled(last, 7);
  assert_int_equal(arena->held, 3 * ROUNDED);
  assert_int_equal(arena->peak, 3 * ROUNDED);
}

static void memory_is_used_again(void **unused) {
  (void)unused;
  sc_arena arena = {0};
  round_of(&arena); /* every block on its own */
  sc_arena_reset(&arena);
  assert_true(arena.size >= 3 * ROUNDED && arena.size < 6 * ROUNDED);
  uint64_t calls = sc_alloc_count();
  for (int k = 0; k < 3; k++) round_of(&arena); /* all in one piece */
  assert_int_equal(sc_alloc_count(), calls);
  sc_arena_free(&arena);
}

/* A block that stays moves to the mark, even where it overlaps its old place. */
static void a_kept_block_moves(void **unused) {
  (void)unused;
  sc_arena arena = {.peak = 100 * ROUNDED};
  sc_arena_reset(&arena);
  sc_arena_mark mark = sc_arena_here(&arena);
  unsigned char *before = sc_arena_take(&arena, 64), *block = sc_arena_take(&arena, BLOCK);
  for (int k = 0; k < BLOCK; k++) block[k] = (unsigned char)(k * 7);
  unsigned char *now = sc_arena_back_but(&arena, mark, block, BLOCK);
  assert_ptr_equal(now, before);
  for (int k = 0; k < BLOCK; k++) assert_int_equal(now[k], (unsigned char)(k * 7));
  assert_int_equal(arena.used, ROUNDED);
  sc_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_is_used_again), cmocka_unit_test(a_kept_block_moves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
