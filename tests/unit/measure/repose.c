/* The angle of repose of heaps with a known slope. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "base/base.h"
#include "scree/cell.h"
#include "scree/measure.h"

enum { MOST = 40000 };
static uint64_t id[MOST];
static int64_t group[MOST];
static uint8_t kind[MOST];
static double mass[MOST], radius[MOST], position[3 * MOST];

/* Grains anywhere in a cone of height 1 about (3, -2), with a round top and a thin foot. */
static scree_frame make_heap(double slope) {
  const double reach = 1 / slope;
  sc_rng rng;
  sc_rng_seed(&rng, 11);
  for (int64_t i = 0; i < MOST; i++) {
    double x, y, r, top;
    do {
      x = 2 * sc_rng_unit(&rng) - 1, y = 2 * sc_rng_unit(&rng) - 1, r = sqrt(x * x + y * y);
      top = r < 0.1 ? 0.9 : r > 0.9 ? 0.1 * (1.2 - r) / 0.3 : 1 - r;
    } while (r > 1.2);
    id[i] = (uint64_t)i + 1, mass[i] = 1, radius[i] = 0.001 + 0.002 * sc_rng_unit(&rng);
    position[3 * i] = 3 + reach * x, position[3 * i + 1] = -2 + reach * y;
    position[3 * i + 2] = (i % 4 ? sc_rng_unit(&rng) : 1) * top - radius[i];
  }
  return (scree_frame){.bodies = MOST,
      .id = id,
      .group = group,
      .kind = kind,
      .mass = mass,
      .radius = radius,
      .position = position};
}

typedef struct request {
  scree_measure_def head;
  double from, to;
  int64_t bins;
} request;

static scree_status measure(const scree_frame *f, double from, double to, scree_measure_result *r) {
  const scree_measure_kind *repose = scree_measure_find("repose", NULL);
  request q;
  assert_int_equal(repose->size, sizeof q);
  scree_measure_defaults(repose, &q);
  q.from = from, q.to = to;
  return scree_measure_take(repose, f, &q.head, r, NULL);
}

static double figure(const scree_measure_result *r, const char *name) {
  return scree_measure_get(scree_measure_find("repose", NULL), r, name)->figure;
}

static void cones(void **state) {
  (void)state;
  scree_measure_result r;
  for (double slope = 0.2; slope < 1.1; slope += 0.4) {
    scree_frame f = make_heap(slope);
    assert_int_equal(measure(&f, 0.2, 0.8, &r), SCREE_OK);
    assert_true(fabs(tan(figure(&r, "angle")) / slope - 1) < 0.02);
    assert_true(fabs(figure(&r, "height") - 0.9) < 0.02 && figure(&r, "deviation") < 0.01);
    scree_measure_clear(&r);
    for (int64_t i = 0; i < MOST; i++) group[i] = i % 2;
    f.kind = kind, kind[0] = SCREE_FIXED, position[2] = 100; /* no grain: does not count */
    assert_int_equal(measure(&f, 0.2, 0.8, &r), SCREE_OK);
    assert_true(fabs(tan(figure(&r, "angle")) / slope - 1) < 0.02);
    scree_measure_clear(&r);
    kind[0] = SCREE_DYNAMIC;
  }
}

/* Grains that have left a cell through its sides are measured where they are shown. */
static void in_a_cell(void **state) {
  (void)state;
  const double edge = 6;
  scree_measure_result here, there;
  scree_frame f = make_heap(0.6);
  assert_int_equal(measure(&f, 0.2, 0.8, &here), SCREE_OK);
  f.has_cell = 1;
  f.cell = (scree_cell){.periodic = {1, 1, 0}, .origin = {0, -5, 0}};
  assert_true(scree_cell_set(&f.cell, (double[9]){edge, 0, 0, 0, edge, 0, 0, 0, 2}));
  for (int64_t i = 0; i < MOST; i++)
    for (int k = 0; k < 2; k++) position[3 * i + k] += edge * (double)(i % 5 - 2);
  assert_int_equal(measure(&f, 0.2, 0.8, &there), SCREE_OK);
  assert_true(fabs(figure(&here, "angle") - figure(&there, "angle")) < 1e-9);
  assert_true(fabs(figure(&here, "deviation") - figure(&there, "deviation")) < 1e-9);
  scree_measure_clear(&here), scree_measure_clear(&there);
}

static void mistakes(void **state) {
  (void)state;
  scree_measure_result r;
  scree_frame f = make_heap(1);
  assert_int_equal(measure(&f, 0.8, 0.2, &r), SCREE_E_ARGUMENT);
  scree_measure_clear(&r);
  f.bodies = 0;
  assert_int_equal(measure(&f, 0.2, 0.8, &r), SCREE_OK);
  assert_true(r.empty && isnan(figure(&r, "angle")));
  scree_measure_clear(&r);
  f.bodies = 1;
  assert_int_equal(measure(&f, 0.2, 0.8, &r), SCREE_OK);
  assert_true(r.empty);
  scree_measure_clear(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cones), cmocka_unit_test(in_a_cell), cmocka_unit_test(mistakes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
