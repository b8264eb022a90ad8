/* The tuned skin against given ones by counted work: builds, mending and pairs walked, of balls that
 * move as they are told to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>
#include "bed.h"
#include "collide/list/list.h"

enum { SIDE = 11, STEPS = 640, WARM = 256, AWAKE = 450 };

/* A lattice of balls that sway, about places of their own or without, in layers that slide over each
 * other. */
typedef struct swaying {
  bed b;
  double home[SIDE * SIDE * SIDE][3], sway, shear, back;
} swaying;

static void start(swaying *s, double sway, double shear, double back) {
  bed_init(&s->b, 5);
  s->sway = sway, s->shear = shear, s->back = back;
  sc_shape ball = bed_shape(SCREE_SPHERE);
  ball.radius = 1;
  for (int32_t i = 0; i < SIDE * SIDE * SIDE; i++) {
    double *x = s->home[i];
    sc_set3(2.2 * (i % SIDE), 2.2 * (i / SIDE % SIDE), 2.2 * (i / SIDE / SIDE), x);
    bed_add(&s->b, SCREE_DYNAMIC, x, ball);
  }
}

/* Goes on a step of one second; speeds wander, and lead back to the places. */
static void go_on(swaying *s, bool move) {
  for (int32_t i = 0; i < s->b.bodies.count; i++) {
    double *x = s->b.bodies.position[i], *v = s->b.bodies.velocity[i], drift = s->shear * s->home[i][2];
    if (move) sc_add(x, v, x), s->home[i][0] += drift;
    for (int k = 0; k < 3; k++) {
      double own = v[k] - (k ? 0 : drift);
      v[k] = 0.8 * own - s->back * (x[k] - s->home[i][k]) + s->sway * bed_between(&s->b, -1, 1) +
          (k ? 0 : drift);
    }
  }
}

/* A step of the collision stage; its counted work. */
static double collide_once(sc_collide *collide, const swaying *s) {
  double work = 0, *state;
  int32_t count;
  if (sc_collide_stale(collide, &s->b.bodies, &s->b.shapes, 1)) {
    work += collide->mended;
    assert_int_equal(sc_collide_build(collide, &s->b.bodies, &s->b.shapes, NULL, 1, NULL), SCREE_OK);
    work += collide->work;
  }
  assert_int_equal(
      sc_collide_contacts(collide, &s->b.bodies, &s->b.shapes, 0, 1, &count, &state, NULL), SCREE_OK);
  sc_collide_tick(collide);
  return work + collide->pairs;
}

static swaying scene; /* large */

/* Counted work of a step with so wide a skin, 0: tuned, and how wide it was at the end. */
static double work_of(double skin, double sway, double shear, double back, int threads, double *end) {
  sc_pool *pool = threads > 1 ? sc_pool_create(threads) : NULL;
  sc_collide *collide = sc_collide_create(
      &(sc_collide_def){.margin = 0.02, .skin = skin, .threads = threads});
  if (pool) assert_int_equal(sc_collide_set_pool(collide, pool), SCREE_OK);
  double work = 0;
  start(&scene, sway, shear, back);
  go_on(&scene, false);
  for (int step = 0; step < STEPS; step++) {
    double spent = collide_once(collide, &scene);
    if (step >= WARM) work += spent;
    go_on(&scene, true);
  }
  *end = sc_collide_skin(collide);
  sc_collide_destroy(collide);
  sc_pool_destroy(pool);
  bed_free(&scene.b);
  return work / (STEPS - WARM);
}

static void check_near_least(double sway, double shear, double back) {
  const double skin[] = {0.06, 0.1, 0.2, 0.4, 0.8, 1.6};
  double least = INFINITY, most = 0, best = 0, end;
  for (size_t k = 0; k < sizeof skin / sizeof *skin; k++) {
    double work = work_of(skin[k], sway, shear, back, 1, &end);
    if (work < least) least = work, best = skin[k];
    most = fmax(most, work);
  }
  double tuned = work_of(0, sway, shear, back, 1, &end);
  assert_true(most > 1.3 * least); /* else nothing is told */
  if (tuned > 1.12 * least) fail_msg("tuned to %g: work %g, with a skin of %g %g", end, tuned, best, least);
}

static void slow_swaying_is_tuned(void **unused) {
  (void)unused;
  check_near_least(2e-4, 0, 0.1);
}

static void fast_flows_are_tuned(void **unused) {
  (void)unused;
  check_near_least(5e-3, 1e-3, 0);
}

/* Every number of threads counts the same. */
static void threads_count_the_same(void **unused) {
  (void)unused;
  double end[2];
  assert_true(work_of(0, 5e-3, 1e-3, 0, 1, end) == work_of(0, 5e-3, 1e-3, 0, 3, end + 1));
  assert_true(end[0] == end[1]);
}

/* A bed that wakes up when its slacks have become small costs little more than with slacks that were
 * given. */
static void sleepers_wake_up(void **unused) {
  (void)unused;
  double work[2] = {0, 0}, asleep = 0;
  for (int given = 0; given < 2; given++) {
    sc_collide *collide = sc_collide_create(
        &(sc_collide_def){.margin = 0.02, .skin = given ? 0.4 : 0, .threads = 1});
    start(&scene, 2e-4, 0, 0.1);
    go_on(&scene, false);
    for (int step = 0; step < STEPS; step++) {
      if (step == AWAKE) scene.sway = 0.1, scene.back = 0.01;
      if (step == AWAKE && !given) asleep = sc_collide_skin(collide);
      double spent = collide_once(collide, &scene);
      if (step >= AWAKE) work[given] += spent;
      go_on(&scene, true);
    }
    if (!given) assert_true(asleep < 0.2);
    sc_collide_destroy(collide);
    bed_free(&scene.b);
  }
  if (work[0] > 1.12 * work[1]) fail_msg("tuned %g, given %g", work[0], work[1]);
}

/* What was saved in the midst of a list goes on as if it had not been. */
static void saved_counts_go_on(void **unused) {
  (void)unused;
  sc_collide_def def = {.margin = 0.02, .threads = 1};
  sc_collide *one = sc_collide_create(&def), *two = sc_collide_create(&def);
  start(&scene, 5e-3, 1e-3, 0);
  go_on(&scene, false);
  for (int step = 0; step < 130; step++) {
    double work = collide_once(one, &scene);
    if (step == 40) {
      void *bytes;
      size_t count;
      assert_int_equal(sc_collide_save(one, &scene.b.shapes, &bytes, &count), SCREE_OK);
      assert_int_equal(sc_collide_load(two, &scene.b.shapes, bytes, count, NULL), SCREE_OK);
      sc_free(bytes);
    }
    if (step > 40) assert_true(collide_once(two, &scene) == work);
    go_on(&scene, true);
  }
  assert_true(sc_collide_rebuilds(one) > 6 && sc_collide_rebuilds(one) == sc_collide_rebuilds(two));
  assert_true(sc_collide_skin(one) == sc_collide_skin(two) && sc_collide_skin(one) != 0.4);
  sc_collide_destroy(one);
  sc_collide_destroy(two);
  bed_free(&scene.b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(slow_swaying_is_tuned),
      cmocka_unit_test(fast_flows_are_tuned), cmocka_unit_test(threads_count_the_same),
      cmocka_unit_test(saved_counts_go_on), cmocka_unit_test(sleepers_wake_up)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
