/* Tests body and shape tables: ids remain valid when rows move, and stale ids are errors. Optional data of
 * bodies and shapes (inertia tensors, loads, seats of shapes) move with their rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "base/base.h"
#include "model/bodies.h"
#include "model/shapes.h"
#include "scree/geometry.h"

enum { COUNT = 300 };

static void ids_follow_rows(void **unused) {
  (void)unused;
  sc_bodies bodies = {0};
  scree_id id[COUNT];
  for (int i = 0; i < COUNT; i++) {
    int32_t row = sc_bodies_add(&bodies);
    assert_true(sc_bodies_set_group(&bodies, row, i));
    id[i] = sc_bodies_id(&bodies, row);
    assert_true(id[i] != 0);
  }
  for (int i = 0; i < COUNT; i += 3) sc_bodies_remove(&bodies, sc_bodies_row(&bodies, id[i]));
  for (int i = 0; i < COUNT; i++) {
    int32_t row = sc_bodies_row(&bodies, id[i]);
    if (i % 3 == 0) assert_int_equal(row, -1);
    else assert_int_equal(sc_bodies_group(&bodies, row), i);
  }
  /* reverse the order of all rows */
  int32_t order[COUNT];
  void *scratch = malloc(sc_bodies_scratch(&bodies));
  for (int32_t row = 0; row < bodies.count; row++) order[row] = bodies.count - 1 - row;
  sc_bodies_permute(&bodies, order, scratch);
  free(scratch);
  for (int i = 0; i < COUNT; i++)
    if (i % 3) assert_int_equal(sc_bodies_group(&bodies, sc_bodies_row(&bodies, id[i])), i);
  /* slots are reused under new ids */
  scree_id fresh = sc_bodies_id(&bodies, sc_bodies_add(&bodies));
  for (int i = 0; i < COUNT; i++) assert_true(fresh != id[i]);
  assert_int_equal(sc_bodies_row(&bodies, 0), -1);
  assert_int_equal(sc_bodies_row(&bodies, (scree_id)-1), -1);
  sc_bodies_free(&bodies);
}

/* ---- optional data ---- */

/* Adds body number n. One body in three is a ball, one has a full inertia tensor, and one has no inertia.
 * Every seventh body has a load. A body has 0, 1 or 2 shapes. */
static int32_t make(sc_bodies *bodies, sc_shapes *shapes, int n) {
  int32_t row = sc_bodies_add(bodies);
  double I[6] = {n + 1, 0, 0, n + 1, 0, n + 1}, inverse[6] = {-n - 1, 0, 0, -n - 1, 0, -n - 1};
  if (n % 3 == 1) I[1] = n, inverse[5] = n;
  if (n % 3 == 2) memset(I, 0, sizeof I), memset(inverse, 0, sizeof inverse);
  bodies->radius[row] = n + 0.5;
  assert_true(sc_bodies_set_inertia(bodies, row, n % 3 == 0, I, inverse));
  assert_true(sc_bodies_set_group(bodies, row, n));
  if (n % 7 == 0)
    assert_true(sc_bodies_add_load(bodies, row, (double[3]){n + 1, 0, 0}, (double[3]){0, 0, -n}));
  sc_shape shape = {
      .type = SCREE_SPHERE, .material = n, .radius = n + 1, .bound = n + 1, .orientation = {1, 0, 0, 0}};
  assert_true(sc_shapes_reserve(shapes, 2, 2));
  for (int k = 0; k < n % 4 - 1; k++) {
    if (k || n % 5 == 0) shape.type = SCREE_CAPSULE, shape.half = n, shape.serial = (uint32_t)k;
    sc_shapes_attach(shapes, bodies, row, &shape);
  }
  return row;
}

/* Checks that all data of the body in a row are those that make() gives to its number. */
static void check(const sc_bodies *bodies, const sc_shapes *shapes, int32_t row) {
  int n = (int)sc_bodies_group(bodies, row);
  double I[6], inverse[6];
  sc_bodies_inertia(bodies, row, I);
  sc_bodies_inverse_inertia(bodies, row, inverse);
  double about = n % 3 == 2 ? 0 : n + 1;
  assert_true(I[0] == about && I[3] == about && I[5] == about && I[2] == 0 && I[1] == (n % 3 == 1 ? n : 0));
  assert_true(inverse[0] == -about && inverse[5] == (n % 3 == 1 ? n : -about));
  assert_true(sc_bodies_ball(bodies, row) == (n % 3 ? 0 : n + 0.5));
  const double *load = sc_bodies_load(bodies, row);
  assert_true(load[0] == (n % 7 ? 0 : n + 1) && load[5] == (n % 7 ? 0 : -n));
  assert_int_equal(sc_shapes_of(shapes, bodies, row), n % 4 > 1 ? n % 4 - 1 : 0);
  uint32_t serial = 0;
  for (int32_t s = bodies->first_shape[row]; s >= 0; s = shapes->row[s].next, serial++) {
    bool plain = !serial && n % 5;
    sc_shape shape;
    sc_shapes_get(shapes, s, &shape);
    assert_int_equal(shapes->row[s].body, row);
    assert_int_equal(shapes->row[s].slot < 0, plain);
    assert_true(
        shape.material == n && shape.radius == n + 1 && shape.serial == serial && shape.orientation[0] == 1);
    assert_true(shape.type == (plain ? SCREE_SPHERE : SCREE_CAPSULE) && shape.half == (plain ? 0 : n));
  }
}

static void take_out(sc_bodies *bodies, sc_shapes *shapes, int32_t row) {
  while (bodies->first_shape[row] >= 0) sc_shapes_detach(shapes, bodies, bodies->first_shape[row]);
  sc_bodies_remove(bodies, row);
  if (row < bodies->count) sc_shapes_body_moved(shapes, bodies, row);
}

static void shuffle(sc_bodies *bodies, sc_shapes *shapes, sc_rng *rng) {
  int32_t order[COUNT], map[2 * COUNT];
  for (int32_t row = 0; row < bodies->count; row++) order[row] = row;
  for (int32_t row = bodies->count - 1; row > 0; row--) {
    int32_t other = (int32_t)(sc_rng_unit(rng) * (row + 1)), swap = order[row];
    order[row] = order[other], order[other] = swap;
  }
  size_t of_bodies = sc_bodies_scratch(bodies), of_shapes = sc_shapes_scratch(shapes);
  void *scratch = malloc(of_bodies > of_shapes ? of_bodies : of_shapes);
  sc_bodies_permute(bodies, order, scratch);
  sc_shapes_permute(shapes, bodies, map, scratch);
  free(scratch);
}

static void side_rows_follow_rows(void **unused) {
  (void)unused;
  sc_bodies bodies = {0};
  sc_shapes shapes = {0};
  sc_rng rng;
  sc_rng_seed(&rng, 5);
  int made = 0;
  for (int round = 0; round < 40; round++) {
    while (bodies.count < COUNT - round) make(&bodies, &shapes, made++);
    for (int k = 0; k < 40; k++) take_out(&bodies, &shapes, (int32_t)(sc_rng_unit(&rng) * bodies.count));
    for (int k = 0; k < 15; k++) make(&bodies, &shapes, made++);
    if (round % 3 == 2) shuffle(&bodies, &shapes, &rng);
    for (int32_t row = 0; row < bodies.count; row++) check(&bodies, &shapes, row);
  }
  /* turn odd rows into balls and give even rows an inertia tensor */
  const double ball[6] = {2, 0, 0, 2, 0, 2}, bar[6] = {2, 0, 0, 3, 0, 4};
  for (int32_t row = 0; row < bodies.count; row++) {
    double I[6];
    assert_true(sc_bodies_set_inertia(&bodies, row, row % 2, row % 2 ? ball : bar, ball));
    sc_bodies_inertia(&bodies, row, I);
    assert_memory_equal(I, row % 2 ? ball : bar, sizeof I);
  }
  /* equal tensors share one row, and the permutation leaves no free rows in the table */
  shuffle(&bodies, &shapes, &rng);
  assert_int_equal(bodies.tensor.rows, 1);
  while (bodies.count) take_out(&bodies, &shapes, 0);
  assert_int_equal(shapes.count, 0);
  sc_bodies_free(&bodies);
  sc_shapes_free(&shapes);
}

/* ---- shared data ---- */

static void assert_inverse(const sc_bodies *bodies, int32_t row, const double expected[6]) {
  double inverse[6];
  sc_bodies_inverse_inertia(bodies, row, inverse);
  assert_memory_equal(inverse, expected, sizeof inverse);
}

/* Many bodies share one inertia. One of them becomes immovable and another is removed. The inertia of all
 * other bodies must not change. */
static void one_of_many_changes(void **unused) {
  (void)unused;
  sc_bodies bodies = {0};
  const double I[6] = {2, 0, 0, 3, 0, 4}, inverse[6] = {1. / 2, 0, 0, 1. / 3, 0, 1. / 4}, none[6] = {0};
  for (int k = 0; k < COUNT; k++)
    assert_true(sc_bodies_set_inertia(&bodies, sc_bodies_add(&bodies), false, I, inverse));
  assert_int_equal(bodies.tensor.rows, 1);
  assert_true(sc_bodies_set_inverse_inertia(&bodies, 7, none));
  for (int32_t row = 0; row < COUNT; row++) assert_inverse(&bodies, row, row == 7 ? none : inverse);
  sc_bodies_remove(&bodies, 3);
  for (int32_t row = 0; row < bodies.count; row++) assert_inverse(&bodies, row, row == 7 ? none : inverse);
  assert_true(sc_bodies_set_inverse_inertia(&bodies, 7, inverse));
  for (int32_t row = 0; row < bodies.count; row++) {
    assert_inverse(&bodies, row, inverse);
    assert_int_equal(bodies.tensor_row[row], bodies.tensor_row[0]);
  }
  sc_bodies_free(&bodies);
}

static const scree_geometry *a_hull(void) {
  const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const scree_geometry *hull = scree_geometry_hull(corner, 4, NULL);
  assert_non_null(hull);
  return hull;
}

/* Equal shapes share a form and its geometry. The form exists as long as one of these shapes does. A shape
 * that differs in any number has its own form. */
static void equal_shapes_share_a_form(void **unused) {
  (void)unused;
  sc_bodies bodies = {0};
  sc_shapes shapes = {0};
  sc_shape shape = {.type = SCREE_HULL, .bound = 2, .orientation = {1, 0, 0, 0}, .geometry = a_hull()};
  for (int k = 0; k < COUNT; k++) {
    shape.layers = k % 3 == 0;
    assert_true(sc_shapes_reserve(&shapes, 1, 1));
    sc_shapes_attach(&shapes, &bodies, sc_bodies_add(&bodies), &shape);
  }
  scree_geometry_release(shape.geometry);
  assert_int_equal(shapes.form.rows, 2);
  for (int32_t row = 0; row < COUNT; row++) {
    assert_true(sc_shapes_form(&shapes, row) == sc_shapes_form(&shapes, row % 3 == 0 ? 0 : 1));
    assert_int_equal(sc_shapes_form(&shapes, row)->layers, row % 3 == 0);
  }
  for (int32_t row = COUNT - 1; row >= 0; row--)
    if (row % 3) take_out(&bodies, &shapes, row);
  for (int32_t row = 0; row < bodies.count; row++)
    assert_true(sc_shapes_geometry(&shapes, row) == shape.geometry && sc_shapes_form(&shapes, row)->layers);
  while (bodies.count > 1) take_out(&bodies, &shapes, 0);
  const int32_t form = shapes.slot[shapes.row[0].slot];
  assert_int_equal(sc_alike_users(&shapes.form, form), 1);
  /* the last user of the hull: sanitizers detect a hull that is not freed here */
  take_out(&bodies, &shapes, 0);
  assert_int_equal(sc_alike_users(&shapes.form, form), 0);
  sc_bodies_free(&bodies);
  sc_shapes_free(&shapes);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ids_follow_rows),
      cmocka_unit_test(side_rows_follow_rows), cmocka_unit_test(equal_shapes_share_a_form),
      cmocka_unit_test(one_of_many_changes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
