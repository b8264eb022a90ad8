/* Lacey's index of mixtures whose variance is known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "base/base.h"
#include "scree/measure.h"

enum { SIDE = 20, GRAINS = SIDE * SIDE * SIDE };
static uint64_t id[GRAINS];
static int64_t group[GRAINS];
static uint8_t kind[GRAINS];
static double position[3 * GRAINS];
static const scree_region box = {.type = SCREE_REGION_BOX, .max = {SIDE, SIDE, SIDE}};

typedef struct request {
  scree_measure_def head;
  int64_t tracer, least;
} request;

/* One grain in every unit cube. */
static scree_frame make_frame(void) {
  for (int i = 0; i < GRAINS; i++) {
    const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
    id[i] = (uint64_t)i + 1, group[i] = 0, kind[i] = SCREE_DYNAMIC;
    for (int k = 0; k < 3; k++) position[3 * i + k] = at[k] + 0.5;
  }
  return (scree_frame){.bodies = GRAINS, .id = id, .group = group, .kind = kind, .position = position};
}

static scree_status measure(
    const scree_frame *frame, int64_t cells, int64_t least, scree_measure_result *out) {
  const scree_measure_kind *mixing = scree_measure_find("mixing", NULL);
  request q;
  assert_int_equal(mixing->size, sizeof q);
  scree_measure_defaults(mixing, &q);
  q.head.region = &box, q.tracer = 7, q.least = least;
  for (int k = 0; k < 3; k++) q.head.cells[k] = cells;
  return scree_measure_take(mixing, frame, &q.head, out, NULL);
}

static double figure(const scree_frame *frame, int64_t cells, const char *name) {
  scree_measure_result result;
  assert_int_equal(measure(frame, cells, 1, &result), SCREE_OK);
  double value = scree_measure_get(scree_measure_find("mixing", NULL), &result, name)->figure;
  scree_measure_clear(&result);
  return value;
}

static void halves_are_apart(void **state) {
  (void)state;
  scree_frame frame = make_frame();
  for (int i = 0; i < GRAINS; i++) group[i] = position[3 * i] < SIDE / 2 ? 7 : i % 3;
  assert_true(figure(&frame, 4, "index") == 0 && figure(&frame, 4, "share") == 0.5);
  assert_true(figure(&frame, 4, "grains") == GRAINS && figure(&frame, 4, "cells") == 64);
  assert_true(figure(&frame, 4, "variance") == 0.25);
}

/* A chessboard is better mixed than chance would: every cell has the same share. */
static void a_pattern_is_mixed_beyond_chance(void **state) {
  (void)state;
  scree_frame frame = make_frame();
  for (int i = 0; i < GRAINS; i++) group[i] = (i + i / SIDE + i / SIDE / SIDE) % 2 ? 7 : 0;
  double n = GRAINS / 1000.0;
  assert_true(fabs(figure(&frame, 10, "index") - 1 / (1 - 1 / n)) < 1e-14);
}

static void chance_gives_one(void **state) {
  (void)state;
  scree_frame frame = make_frame();
  sc_rng rng;
  sc_rng_seed(&rng, 3);
  double sum = 0;
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < GRAINS; i++) group[i] = sc_rng_unit(&rng) < 0.3 ? 7 : 1;
    sum += figure(&frame, 5, "index") / 20;
  }
  assert_true(fabs(sum - 1) < 2e-3);
}

/* Half of the cells exchanged for chance: half of the way. */
static void half_mixed_is_half_way(void **state) {
  (void)state;
  scree_frame frame = make_frame();
  sc_rng rng;
  sc_rng_seed(&rng, 9);
  double sum = 0;
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < GRAINS; i++) {
      const double x = position[3 * i], y = position[3 * i + 1];
      group[i] = y < SIDE / 2 ? (x < SIDE / 2 ? 7 : 0) : sc_rng_unit(&rng) < 0.5 ? 7 : 0;
    }
    sum += figure(&frame, 4, "index") / 20;
  }
  assert_true(fabs(sum - 0.5) < 5e-3);
}

static void mistakes_and_empty_cells(void **state) {
  (void)state;
  scree_measure_result result;
  scree_frame frame = make_frame();
  assert_int_equal(measure(&frame, 0, 1, &result), SCREE_E_ARGUMENT);
  assert_int_equal(measure(&frame, 1000, 1, &result), SCREE_E_ARGUMENT);
  assert_int_equal(measure(&frame, 20, 2, &result), SCREE_OK);
  assert_true(isnan(result.value[0].figure) && result.value[3].figure == 0);
  scree_measure_clear(&result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(halves_are_apart),
      cmocka_unit_test(a_pattern_is_mixed_beyond_chance),
      cmocka_unit_test(chance_gives_one),
      cmocka_unit_test(half_mixed_is_half_way),
      cmocka_unit_test(mistakes_and_empty_cells),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
