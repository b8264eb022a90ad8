/* The hash of a world: it covers every bit of the bodies, does not cancel between bodies, and does not depend
 * on the order of rows. */
#include "support/scene.h"
#include "world/world.h"

#include <stdlib.h>

enum { BALLS = 3, NUMBERS = 13, BITS = 64, CHANGES = 5 };

static const scree_view views[] = {
    SCREE_VIEW_POSITION, SCREE_VIEW_ORIENTATION, SCREE_VIEW_VELOCITY, SCREE_VIEW_SPIN};

/* Returns the address of number k of a row's state: position, orientation, velocity, spin. */
static double *number_at(scree_world *world, int64_t row, int k) {
  for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
    void *data;
    int64_t rows;
    const int columns = scree_world_view(world, views[i], &data, &rows);
    assert_true(row < rows);
    if (k < columns) return (double *)data + row * columns + k;
    k -= columns;
  }
  fail_msg("a state has fewer numbers");
  return NULL;
}

static void flip_bit(double *number, int bit) {
  uint64_t bits;
  memcpy(&bits, number, sizeof bits);
  bits ^= 1ull << bit;
  memcpy(number, &bits, sizeof bits);
}

static scree_world *make_balls(void) {
  scree_world *world = make_world(1e-3, 0);
  for (int i = 0; i < BALLS; i++) add_sphere(world, 0.1, 1, 2, 3);
  return world;
}

static int compare_hashes(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* All hashes differ if one bit of one body changes, or the same bit in two bodies whose states are equal. */
static void every_bit_counts(void **unused) {
  (void)unused;
  static uint64_t hash[1 + CHANGES * NUMBERS * BITS];
  static const int changed[CHANGES][2] = {{0, 0}, {1, 1}, {0, 1}, {0, 2}, {1, 2}};
  scree_world *world = make_balls();
  int count = 0;
  hash[count++] = scree_world_hash(world);
  for (int k = 0; k < NUMBERS; k++)
    for (int bit = 0; bit < BITS; bit++)
      for (int c = 0; c < CHANGES; c++) {
        const int one = changed[c][0], other = changed[c][1];
        flip_bit(number_at(world, one, k), bit);
        if (other != one) flip_bit(number_at(world, other, k), bit);
        hash[count++] = scree_world_hash(world);
        flip_bit(number_at(world, one, k), bit);
        if (other != one) flip_bit(number_at(world, other, k), bit);
      }
  assert_true(scree_world_hash(world) == hash[0]);
  qsort(hash, (size_t)count, sizeof *hash, compare_hashes);
  for (int i = 1; i < count; i++) assert_true(hash[i] != hash[i - 1]);
  scree_world_destroy(world);
}

/* The hash changes if one body gains a number that another body loses, and if two bodies exchange states. */
static void changes_do_not_cancel(void **unused) {
  (void)unused;
  for (int k = 0; k < NUMBERS; k++) {
    scree_world *world = make_balls();
    double *one = number_at(world, 0, k), *other = number_at(world, 2, k);
    const uint64_t before = scree_world_hash(world);
    const double value = *one;
    *one = value + 1, *other = value - 1;
    const uint64_t moved = scree_world_hash(world);
    *one = value - 1, *other = value + 1;
    const uint64_t exchanged = scree_world_hash(world);
    assert_true(moved != before && exchanged != before && moved != exchanged);
    scree_world_destroy(world);
  }
}

/* The hash does not depend on the order of rows. Both worlds contain the same bodies; removals in different
 * order leave them in different rows, because the last row moves to the place of the removed one. */
static void order_does_not_count(void **unused) {
  (void)unused;
  static const int removed[2][2] = {{0, 1}, {1, 0}};
  uint64_t hash[2];
  scree_id first[2];
  for (int w = 0; w < 2; w++) {
    scree_world *world = make_world(1e-3, 0);
    scree_id ball[5];
    for (int i = 0; i < 5; i++) ball[i] = add_sphere(world, 0.1, i, 0, 0);
    for (int i = 0; i < 2; i++) scree_world_remove(world, ball[removed[w][i]], NULL);
    hash[w] = scree_world_hash(world);
    first[w] = sc_bodies_id(&world->bodies, 0);
    scree_world_destroy(world);
  }
  assert_true(first[0] != first[1]);
  assert_true(hash[0] == hash[1]);
}

/* The hash depends on ids of bodies, on the step count and on the time, even if all states are equal. */
static void ids_and_time_count(void **unused) {
  (void)unused;
  scree_world *world = make_balls(), *other = make_balls();
  assert_true(scree_world_hash(world) == scree_world_hash(other));
  scree_world_remove(other, sc_bodies_id(&other->bodies, 2), NULL);
  add_sphere(other, 0.1, 1, 2, 3);
  assert_true(scree_world_hash(world) != scree_world_hash(other));
  const uint64_t before = scree_world_hash(world);
  world->step++;
  const uint64_t later = scree_world_hash(world);
  world->step--, world->time += 1e-3;
  assert_true(later != before && scree_world_hash(world) != before && scree_world_hash(world) != later);
  scree_world_destroy(world);
  scree_world_destroy(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_bit_counts),
      cmocka_unit_test(changes_do_not_cancel), cmocka_unit_test(order_does_not_count),
      cmocka_unit_test(ids_and_time_count)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
