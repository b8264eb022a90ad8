/* Contacts found in two goes against those found in one, for a rank that holds a part of many bodies:
 * what ghosts are told late, what is removed in between, several pieces, threads, restarts of the
 * search. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>
#include "bed.h"

enum { COUNT = 3000, STEPS = 30 };
static const double dt = 0.01;

/* A bed of which every fourth body is a ghost, with a wall that turns. Spheres alone need no geometry
 * kept. */
static void part_of_many(bed *b, uint64_t seed, bool spheres) {
  bed_init(b, seed);
  for (int i = 0; i < COUNT; i++) {
    double x[3] = {bed_between(b, 0, 16), bed_between(b, 0, 16), bed_between(b, 0, 16)};
    sc_shape shape = bed_shape(spheres || i % 5 ? SCREE_SPHERE : SCREE_CAPSULE);
    shape.radius = spheres || i % 5 ? 0.6 : 0.3, shape.half = shape.type == SCREE_CAPSULE ? 0.3 : 0;
    int32_t row = bed_add(b, SCREE_DYNAMIC, x, shape);
    for (int k = 0; k < 3; k++)
      b->bodies.velocity[row][k] = bed_between(b, -1, 1), b->bodies.spin[row][k] = bed_between(b, -1, 1);
  }
  int32_t wall = bed_add(b, SCREE_KINEMATIC, (double[3]){0, 0, 0.3}, bed_shape(SCREE_HALFSPACE));
  b->bodies.spin[wall][0] = 0.5;
  assert_true(sc_bodies_hold_owners(&b->bodies) && sc_bodies_scatter(&b->bodies, 0));
  for (int32_t row = 0; row < COUNT; row++) b->bodies.owner[row] = row % 4 == 3;
  b->bodies.replicated[wall] = 1;
}

/* Own bodies move; ghosts only when others tell. */
static void move(bed *b, bool ghosts) {
  for (int32_t row = 0; row < b->bodies.count; row++)
    if (sc_bodies_own(&b->bodies, row) != ghosts)
      sc_axpy(dt, b->bodies.velocity[row], b->bodies.position[row], b->bodies.position[row]);
}

static void drop(sc_collide *collide, bed *b, int32_t row) {
  int32_t shape = b->bodies.first_shape[row], last = sc_shapes_detach(&b->shapes, &b->bodies, shape);
  sc_collide_removed(collide, shape, last);
  sc_bodies_remove(&b->bodies, row);
  if (row < b->bodies.count) sc_shapes_body_moved(&b->shapes, &b->bodies, row);
}

static void build_if_stale(sc_collide *collide, const bed *b) {
  scree_error error = {0};
  if (sc_collide_stale(collide, &b->bodies, &b->shapes, dt))
    assert_int_equal(sc_collide_build(collide, &b->bodies, &b->shapes, NULL, dt, &error), SCREE_OK);
}

/* The same contacts with the same memory in the same order. */
static void same(sc_collide *const collide[2], const bed b[2], int stride) {
  int32_t count[2];
  double *state[2];
  scree_error error = {0};
  for (int k = 0; k < 2; k++)
    assert_int_equal(
        sc_collide_contacts(collide[k], &b[k].bodies, &b[k].shapes, stride, dt, count + k, state + k, &error),
        SCREE_OK);
  assert_int_equal(count[0], count[1]);
  assert_true(count[0] > 1000);
  assert_memory_equal(state[0], state[1], (size_t)count[0] * (size_t)stride * sizeof **state);
  assert_true(sc_collide_deepest(collide[0]) == sc_collide_deepest(collide[1]));
  for (int32_t c = 0; c < count[0]; c++) {
    sc_contact x, y;
    sc_collide_contact(collide[0], &b[0].shapes, c, &x);
    sc_collide_contact(collide[1], &b[1].shapes, c, &y);
    assert_true(x.body1 == y.body1 && x.body2 == y.body2 && x.gap == y.gap && x.feature == y.feature);
    assert_memory_equal(x.point, y.point, sizeof x.point);
    assert_memory_equal(x.impulse, y.impulse, sizeof x.impulse);
    for (int k = 0; k < 2; k++) {
      sc_collide_keep(collide[k], c, (double[3]){c, x.gap, 1}, 0);
      state[k][(size_t)stride * (size_t)c] += 1 + x.gap;
    }
  }
}

/* One bed searched at once, its twin ahead. */
static void twins(bool spheres, int threads, bool removals) {
  bed b[2];
  sc_collide *collide[2];
  sc_pool *pool = threads > 1 ? sc_pool_create(threads) : NULL;
  scree_error error = {0};
  int64_t ahead = 0;
  for (int k = 0; k < 2; k++) {
    part_of_many(b + k, 7, spheres);
    collide[k] = sc_collide_create(&(sc_collide_def){.margin = 0.02, .skin = 0.3, .threads = threads});
    assert_non_null(collide[k]);
    if (pool) assert_int_equal(sc_collide_set_pool(collide[k], pool), SCREE_OK);
  }
  for (int step = 0; step < STEPS; step++) {
    for (int k = 0; k < 2; k++) build_if_stale(collide[k], b + k);
    /* pieces of a search that is begun twice; in some steps all of them, in some none */
    for (int again = 0; again < 2; again++) {
      assert_int_equal(sc_collide_ahead(collide[1], &b[1].bodies, &b[1].shapes, 2, dt, &error), SCREE_OK);
      for (int piece = 0;
           piece < step % 5 * 4 && sc_collide_ahead_some(collide[1], &b[1].bodies, &b[1].shapes, dt); piece++)
        ahead++;
    }
    for (int k = 0; k < 2; k++) {
      move(b + k, true);
      if (removals && step % 3 == 1) drop(collide[k], b + k, 3 + 4 * step);
    }
    same(collide, b, 2);
    for (int k = 0; k < 2; k++) move(b + k, false);
  }
  assert_true(ahead > STEPS);
  assert_true(sc_collide_rebuilds(collide[1]) > 1 && sc_collide_rebuilds(collide[1]) < STEPS);
  for (int k = 0; k < 2; k++) sc_collide_destroy(collide[k]), bed_free(b + k);
  sc_pool_destroy(pool);
}

static void spheres_are_found_ahead(void **unused) {
  (void)unused;
  twins(true, 1, false);
}
static void any_shapes_are_found_ahead(void **unused) {
  (void)unused;
  twins(false, 1, false);
}
static void threads_find_ahead(void **unused) {
  (void)unused;
  twins(true, 3, false), twins(false, 3, false);
}
static void a_removal_starts_anew(void **unused) {
  (void)unused;
  twins(true, 1, true), twins(false, 2, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(spheres_are_found_ahead),
      cmocka_unit_test(any_shapes_are_found_ahead), cmocka_unit_test(threads_find_ahead),
      cmocka_unit_test(a_removal_starts_anew)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
