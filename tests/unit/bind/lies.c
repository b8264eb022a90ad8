/* Wrong values in checkpoints. The words of all sections, of worlds that together have all features
 * (support/worlds), are replaced one at a time by senseless values; sections are truncated, extended and
 * left out. If a world accepts such a checkpoint, it must still be able to step and save, or report an
 * error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scree/checkpoint.h"
#include "support/worlds/worlds.h"

enum { WORDS_MOST = 220, SECTIONS_MOST = 200, ANEW = 20 };

typedef struct tally {
  long lies, refused, stepped;
} tally;

static void positions_are_finite(scree_world *w, const char *section, size_t at) {
  void *data;
  int64_t rows;
  int columns = scree_world_view(w, SCREE_VIEW_POSITION, &data, &rows);
  for (int64_t k = 0; k < rows * columns; k++)
    if (!isfinite(((double *)data)[k])) fail_msg("%s, byte %zu: a position is not finite", section, at);
}

/* Subject of a test: all worlds, the chosen one, and its correct checkpoint. */
typedef struct subject {
  worlds *all;
  const char *name;
  const scree_checkpoint *whole;
} subject;

/* Returns a world of the subject without effects of earlier wrong values: the world on the stack, restored
 * from the correct checkpoint, or a new one (after errors that left it without its hulls, and at
 * intervals). */
static scree_world *sound_world(const subject *on) {
  static scree_world *w;
  static long loads;
  scree_error error = {SCREE_OK, ""};
  lua_State *L = on->all->L;
  const bool there = lua_isuserdata(L, -1) && loads++ % ANEW;
  if (there && scree_world_load(w, on->whole, &error) == SCREE_OK) return w;
  lua_settop(L, 1);
  return w = worlds_make(on->all, on->name);
}

/* Loads the checkpoint. If the world accepts it, steps and saves the world. */
static void try_it(
    const subject *on, const scree_checkpoint *lie, const char *section, size_t at, tally *sum) {
  scree_error error = {SCREE_OK, ""};
  scree_world *w = sound_world(on);
  sum->lies++;
  if (scree_world_load(w, lie, &error)) {
    if (!*error.text) fail_msg("%s, byte %zu: refused without a word", section, at);
    sum->refused++;
  } else if (scree_world_step(w, 1, &error) == SCREE_OK) {
    positions_are_finite(w, section, at);
    scree_checkpoint *again = scree_checkpoint_create();
    scree_world_save(w, again, &error);
    scree_checkpoint_destroy(again);
    sum->stepped++;
  }
}

/* Returns a copy of a checkpoint in which one section has other bytes; size SIZE_MAX: is missing. */
static scree_checkpoint *with(
    const scree_checkpoint *whole, const char *section, const unsigned char *bytes, size_t size) {
  scree_checkpoint *out = scree_checkpoint_create();
  scree_error error;
  const char *name;
  size_t length;
  for (int64_t k = 0; (name = scree_checkpoint_section(whole, k, &length)); k++) {
    const bool other = !strcmp(name, section);
    const void *was = scree_checkpoint_get(whole, name, &length, &error);
    if (other && size == SIZE_MAX) continue;
    assert_int_equal(scree_checkpoint_put(out, name, other ? bytes : was, other ? size : length, &error), 0);
  }
  return out;
}

static void lie(
    const subject *on, const char *section, const unsigned char *bytes, size_t size, size_t at, tally *sum) {
  scree_checkpoint *c = with(on->whole, section, bytes, size);
  try_it(on, c, section, at, sum);
  scree_checkpoint_destroy(c);
}

/* Replaces the words of eight bytes, or of four bytes, of a section one after the other. */
static void lie_in(const subject *on, const char *section, tally *sum) {
  static const uint64_t wide[] = {
      0x7ff8000000000000, 0x7ff0000000000000, 0xbff0000000000000, 0x7fefffffffffffff, 0};
  static const uint32_t narrow[] = {0xffffffff, 0x7fffffff};
  scree_error error;
  size_t size;
  const unsigned char *was = scree_checkpoint_get(on->whole, section, &size, &error);
  unsigned char *bytes = malloc(size + 1);
  for (size_t at = 0; at + 4 <= size && at / 8 < WORDS_MOST; at += 4) {
    memcpy(bytes, was, size);
    for (size_t k = 0; k < 5 && at % 8 == 0 && at + 8 <= size; k++) {
      memcpy(bytes + at, wide + k, 8);
      lie(on, section, bytes, size, at, sum);
    }
    memcpy(bytes, was, size);
    memcpy(bytes + at, narrow + at / 4 % 2, 4);
    lie(on, section, bytes, size, at, sum);
  }
  memcpy(bytes, was, size);
  bytes[size] = 0;
  lie(on, section, bytes, size ? size - 1 : 0, size, sum);
  lie(on, section, bytes, size + 1, size, sum);
  lie(on, section, bytes, SIZE_MAX, size, sum);
  free(bytes);
}

/* Returns whether a section with this name has been tested already; empty sections do not count. Pairs
 * with states and pairs with images are tested separately. */
static bool seen(const char *world, const char *section, size_t size) {
  const bool other = !strcmp(world, "tired") || !strcmp(world, "wet_cell");
  static char known[SECTIONS_MOST][64];
  static int count;
  for (int k = 0; k < count; k++)
    if (!strcmp(known[k], section)) return !other || strcmp(section, "world.collide");
  if (size) snprintf(known[count++], sizeof *known, "%s", section);
  return false;
}

static const char *const names[] = {
    "of_all_kinds", "of_joints", "of_bonds", "of_springs", "pressed", "wet_cell", "tired", "bounced"};
enum { NAMES = sizeof names / sizeof *names };

static scree_checkpoint *checkpoint_of(worlds *all, const char *name) {
  scree_checkpoint *c = scree_checkpoint_create();
  scree_error error = {SCREE_OK, ""};
  if (scree_world_save(worlds_make(all, name), c, &error)) fail_msg("%s: %s", name, error.text);
  lua_settop(all->L, 1);
  return c;
}

static void one_word_at_a_time(void **state) {
  (void)state;
  tally sum = {0, 0, 0};
  worlds all = worlds_open();
  for (size_t k = 0; k < NAMES; k++) {
    scree_checkpoint *whole = checkpoint_of(&all, names[k]);
    const char *section;
    size_t size;
    for (int64_t s = 0; (section = scree_checkpoint_section(whole, s, &size)); s++)
      if (!seen(names[k], section, size)) lie_in(&(subject){&all, names[k], whole}, section, &sum);
    scree_checkpoint_destroy(whole);
    lua_settop(all.L, 1);
  }
  worlds_close(&all);
  print_message("%ld lies: %ld refused, %ld stepped\n", sum.lies, sum.refused, sum.stepped);
  assert_true(sum.refused > sum.lies / 4 && sum.stepped > 0);
}

/* Replaces every row of a section by these bytes. */
static void fill(scree_checkpoint *c, const char *section, const void *row, size_t bytes) {
  scree_error error;
  size_t size;
  unsigned char *at = (unsigned char *)(uintptr_t)scree_checkpoint_get(c, section, &size, &error);
  assert_non_null(at);
  for (size_t k = 0; k + bytes <= size; k += bytes) memcpy(at + k, row, bytes);
}

static void is_refused(worlds *all, const char *name, const scree_checkpoint *c, const char *why) {
  scree_error error = {SCREE_OK, ""};
  assert_int_equal(scree_world_load(worlds_make(all, name), c, &error), SCREE_E_FORMAT);
  assert_non_null(strstr(error.text, why));
  lua_settop(all->L, 1);
}

/* Rows in which a single word or number makes no sense. */
static void rows_of_nonsense(void **state) {
  (void)state;
  static const struct {
    const char *section, *why;
    unsigned char byte;
  } cases[] = {{"world.points", "named points", 'x'}, {"world.names", "names", 'x'},
      {"world.blows", "impacts", 0xff}, {"world.shapes", "shapes", 0xff}};
  worlds all = worlds_open();
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    scree_checkpoint *c = checkpoint_of(&all, "bounced");
    fill(c, cases[k].section, &cases[k].byte, 1);
    is_refused(&all, "bounced", c, cases[k].why);
    scree_checkpoint_destroy(c);
  }
  worlds_close(&all);
}

/* Checkpoints of other worlds are accepted, or refused with a message; a world that accepts one can step. */
static void of_other_worlds(void **state) {
  (void)state;
  worlds all = worlds_open();
  tally sum = {0, 0, 0};
  for (int from = 0; from < NAMES; from++) {
    scree_checkpoint *c = checkpoint_of(&all, names[from]);
    for (int to = 0; to < NAMES; to++) {
      scree_checkpoint *whole = checkpoint_of(&all, names[to]);
      try_it(&(subject){&all, names[to], whole}, c, names[from], 0, &sum);
      scree_checkpoint_destroy(whole);
      lua_settop(all.L, 1);
    }
    scree_checkpoint_destroy(c);
  }
  worlds_close(&all);
  assert_true(sum.refused > NAMES && sum.stepped >= NAMES);
}

/* Joints and bonds of fixed bodies only, and negative masses: solvers assume that one body is dynamic. */
static void what_nothing_moves(void **state) {
  (void)state;
  static const struct {
    const char *name, *why;
  } cases[] = {{"pressed", "joints"}, {"of_joints", "joints"}, {"of_bonds", "bonds"}};
  const double none = 0, less = -1;
  worlds all = worlds_open();
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    scree_checkpoint *c = checkpoint_of(&all, cases[k].name);
    scree_error error;
    size_t rows, size;
    scree_checkpoint_get(c, "world.inv_mass", &rows, &error);
    scree_checkpoint_get(c, "world.kind", &size, &error);
    const uint32_t fixed = SCREE_FIXED;
    const size_t wide = size / (rows / sizeof none);
    fill(c, "world.inv_mass", &less, sizeof less);
    is_refused(&all, cases[k].name, c, "bodies are damaged");
    fill(c, "world.inv_mass", &none, sizeof none);
    fill(c, "world.kind", &fixed, wide);
    is_refused(&all, cases[k].name, c, cases[k].why);
    scree_checkpoint_destroy(c);
  }
  worlds_close(&all);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_word_at_a_time), cmocka_unit_test(rows_of_nonsense),
      cmocka_unit_test(of_other_worlds), cmocka_unit_test(what_nothing_moves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
