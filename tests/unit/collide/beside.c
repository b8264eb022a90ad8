/* Tests rule 1 of the contact filter: contacts at edges or corners at which the shapes only pass each other
 * are dropped. At such a contact a shape never presses on the other shape, however far it moves along the
 * normal. If the shapes lie on each other by more than the slack, the contact stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>
#include "bed.h"
#include "collide/contacts/filter.h"

static const double slack = 1e-4, size = 0.5; /* the slack is 2e-4 of the size */
enum { TRIALS = 60000, MOVES = 8 };

static double overlap(const sc_placed *a, const sc_placed *b) {
  sc_touch touch[SC_MAX_TOUCHES];
  double deepest = 0;
  const int count = sc_narrow(a, b, 0, touch);
  for (int k = 0; k < count; k++) deepest = fmax(deepest, -touch[k].gap);
  return deepest;
}

/* Moves a along the normal into b and returns the largest ratio of the overlap to the overlap that is
 * allowed. Allowed are the slack, plus a tenth of the way, because the plane between the shapes may not be
 * quite perpendicular to the normal. */
static double most_overlap(const sc_placed *a, const sc_placed *b, const double n[3]) {
  sc_placed moved = *a;
  double most = 0;
  for (int k = 0; k <= MOVES; k++) {
    const double way = 0.2 * k / MOVES;
    sc_axpy(-way, n, a->position, moved.position);
    most = fmax(most, overlap(&moved, b) / (slack + 0.1 * way));
  }
  return most;
}

/* Applies the filter to two bodies at rest, for which only the rule about shapes side by side drops
 * touches. */
static int drop_side_by_side(const sc_placed placed[2], sc_touch *touch, int count) {
  bed b;
  bed_init(&b, 1);
  for (int k = 0; k < 2; k++) bed_add(&b, SCREE_DYNAMIC, placed[k].position, *placed[k].shape);
  const sc_filter filter = {placed, placed + 1, &b.bodies, 0, 1, NULL, size, 1};
  const int left = sc_filter_touches(&filter, touch, count);
  bed_free(&b);
  return left;
}

/* Returns the normal of a touch in `before` that is not in `touch`; NULL if there is none. */
static const double *dropped_normal(const sc_touch *before, int count, const sc_touch *touch, int left) {
  for (int k = 0; k < count; k++) {
    bool there = false;
    for (int c = 0; c < left; c++) there = there || !memcmp(before + k, touch + c, sizeof *touch);
    if (!there) return before[k].normal;
  }
  return NULL;
}

static sc_shape random_shape(bed *b, int type) {
  sc_shape shape = bed_shape(type);
  shape.radius = bed_between(b, 0.1, 0.3), shape.half = bed_between(b, 0.1, 0.3);
  for (int k = 0; k < 3; k++) shape.extent[k] = bed_between(b, 0.1, 0.3);
  if (type == SCREE_CYLINDER) sc_set3(shape.radius, shape.radius, shape.half, shape.extent);
  shape.bound = sc_shape_bound(&shape);
  return shape;
}

/* Places two shapes in one grid that is turned at random. Across two axes their boxes lie beside each other,
 * up to a few slacks. beyond[k]: returns the gap across axis k, negative: the overlap. */
static void put_in_grid(bed *b, const sc_shape shape[2], sc_placed placed[2], double beyond[3]) {
  const int along = (int)bed_between(b, 0, 2.999);
  double at[3], turn[4], world[3];
  const double origin[3] = {0, 0, 0};
  for (int k = 0; k < 3; k++) {
    const double reach = shape[0].extent[k] + shape[1].extent[k];
    beyond[k] = k == along ? bed_between(b, -0.9, 0) * reach : bed_between(b, -3, 3) * slack;
    if (k == along && bed_between(b, 0, 1) < 0.2) beyond[k] = bed_between(b, -3, 3) * slack;
    at[k] = (bed_between(b, -1, 1) < 0 ? -1 : 1) * (reach + beyond[k]);
  }
  bed_random_turn(b, turn);
  sc_quat_rotate(turn, at, world);
  sc_place(shape, world, turn, placed);
  sc_place(shape + 1, origin, turn, placed + 1);
}

static void in_a_grid(void **unused) {
  (void)unused;
  int dropped = 0, kept = 0;
  for (int trial = 0; trial < TRIALS; trial++) {
    bed b;
    sc_touch touch[SC_MAX_TOUCHES], before[SC_MAX_TOUCHES];
    sc_placed placed[2];
    double beyond[3];
    bed_init(&b, 1 + (uint64_t)trial);
    const sc_shape shape[2] = {random_shape(&b, SCREE_BOX), random_shape(&b, SCREE_BOX)};
    put_in_grid(&b, shape, placed, beyond);
    const int count = sc_narrow(placed, placed + 1, 4 * slack, touch);
    memcpy(before, touch, sizeof touch);
    const int left = drop_side_by_side(placed, touch, count);
    int across = 0,
        apart = 0; /* across: number of axes across which the boxes overlap by less than the slack; apart:
                      number of axes with a gap */
    for (int k = 0; k < 3; k++) across += beyond[k] > -slack * (1 - 1e-9), apart += beyond[k] > 0;
    if (count && across >= 2 && apart <= 1) assert_int_equal(left, 0);
    if (across <= 1) assert_int_equal(left, count);
    assert_memory_equal(before, touch, (size_t)left * sizeof *touch);
    dropped += left<count, kept += left> 0;
    bed_free(&b);
  }
  print_message("in a grid: %d dropped, %d kept\n", dropped, kept);
  assert_true(dropped > TRIALS / 10 && kept > TRIALS / 10);
}

/* Places two shapes near enough to touch, at any turn or perpendicular to each other. */
static void put_anywhere(bed *b, const sc_shape shape[2], sc_placed placed[2]) {
  static const double half = 0.70710678118654752;
  const double quarters[4][4] = {{1, 0, 0, 0}, {half, half, 0, 0}, {half, 0, half, 0}, {half, 0, 0, half}};
  double at[3], turn[4], other[4];
  const double origin[3] = {0, 0, 0};
  bed_random_turn(b, turn);
  if (bed_between(b, 0, 1) < 0.5) bed_random_turn(b, other);
  else sc_quat_mul(turn, quarters[(int)bed_between(b, 0, 3.999)], other);
  for (int k = 0; k < 3; k++) at[k] = bed_between(b, -0.6, 0.6);
  sc_place(shape, at, turn, placed);
  sc_place(shape + 1, origin, other, placed + 1);
}

static void what_is_dropped_presses_nowhere(void **unused) {
  (void)unused;
  static const int types[] = {SCREE_BOX, SCREE_CYLINDER, SCREE_CONE};
  int dropped = 0, touching = 0;
  double worst = 0;
  for (int trial = 0; trial < TRIALS; trial++) {
    bed b;
    sc_touch touch[SC_MAX_TOUCHES], before[SC_MAX_TOUCHES];
    sc_placed placed[2];
    double beyond[3];
    bed_init(&b, 100000 + (uint64_t)trial);
    sc_shape shape[2];
    for (int k = 0; k < 2; k++) shape[k] = random_shape(&b, types[(int)bed_between(&b, 0, 2.999)]);
    const bool cones = shape[0].type == SCREE_CONE || shape[1].type == SCREE_CONE;
    if (trial % 2 || cones) put_anywhere(&b, shape, placed);
    else put_in_grid(&b, shape, placed, beyond);
    const int count = sc_narrow(placed, placed + 1, 4 * slack, touch);
    memcpy(before, touch, sizeof touch);
    const int left = drop_side_by_side(placed, touch, count);
    touching += count > 0;
    if (left < count) {
      dropped++;
      worst = fmax(worst, most_overlap(placed, placed + 1, dropped_normal(before, count, touch, left)));
    }
    bed_free(&b);
  }
  print_message(
      "anywhere: %d touch, %d dropped, worst overlap %g of what it may be\n", touching, dropped, worst);
  assert_true(dropped > TRIALS / 100 && touching > 4 * dropped);
  assert_true(worst <= 1 + 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_a_grid), cmocka_unit_test(what_is_dropped_presses_nowhere)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
