/* Tests rule 5 of the contact filter: shapes that pass each other have no contact, and shapes that collide
 * have a contact, for any normal of the gap. The reference moves the shapes by small parts of a step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>
#include "bed.h"
#include "collide/contacts/filter.h"

enum { PARTS = 64 };

static void put(bed *b, sc_placed *placed, int32_t row, double time) {
  sc_shape shape;
  double at[3], turn[4], q[4];
  const double *w = b->bodies.spin[row];
  sc_shapes_get(&b->shapes, row, &shape);
  sc_axpy(time, b->bodies.velocity[row], b->bodies.position[row], at);
  const double dq[4] = {1, 0.5 * time * w[0], 0.5 * time * w[1], 0.5 * time * w[2]};
  sc_quat_mul(dq, b->bodies.orientation[row], turn);
  sc_quat_normalise(turn, q);
  static sc_shape kept[2];
  kept[row] = shape;
  sc_place(kept + row, at, q, placed);
}

/* Returns the depth by which the two shapes overlap after a time. */
static double overlap(bed *b, double time) {
  sc_placed placed[2];
  sc_touch touch[SC_MAX_TOUCHES];
  double deepest = 0;
  put(b, placed, 0, time), put(b, placed + 1, 1, time);
  const int count = sc_narrow(placed, placed + 1, 0, touch);
  for (int k = 0; k < count; k++) deepest = fmax(deepest, -touch[k].gap);
  return deepest;
}

static sc_shape random_shape(bed *b) {
  static const int types[] = {SCREE_BOX, SCREE_CAPSULE, SCREE_CYLINDER, SCREE_ELLIPSOID, SCREE_CONE};
  sc_shape shape = bed_shape(types[(int)bed_between(b, 0, 4.999)]);
  shape.radius = bed_between(b, 0.1, 0.3), shape.half = bed_between(b, 0.1, 0.3);
  for (int k = 0; k < 3; k++) shape.extent[k] = bed_between(b, 0.1, 0.3);
  return shape;
}

/* Chooses a pair with velocities of up to a fifth of a length per step. */
static void random_pair(bed *b) {
  for (int row = 0; row < 2; row++) {
    double at[3] = {row * bed_between(b, 0.6, 1.4), 0, 0};
    bed_add(b, SCREE_DYNAMIC, at, random_shape(b));
    bed_random_turn(b, b->bodies.orientation[row]);
    for (int k = 0; k < 3; k++) {
      b->bodies.velocity[row][k] = bed_between(b, -0.2, 0.2);
      b->bodies.spin[row][k] = bed_between(b, -0.3, 0.3);
    }
  }
}

static double most_overlap(bed *b) {
  double most = 0;
  for (int k = 1; k <= PARTS; k++) most = fmax(most, overlap(b, (double)k / PARTS));
  return most;
}

/* Pairs that pass each other overlap at no time of the step. */
static void what_passes_does_not_overlap(void **unused) {
  (void)unused;
  int passing = 0, meeting = 0;
  double worst = 0;
  for (int trial = 0; trial < 40000; trial++) {
    bed b;
    sc_placed placed[2];
    sc_touch touch[SC_MAX_TOUCHES], before[SC_MAX_TOUCHES];
    bed_init(&b, 100 + (uint64_t)trial);
    random_pair(&b);
    put(&b, placed, 0, 0), put(&b, placed + 1, 1, 0);
    const double size = fmin(b.bodies.radius[0], b.bodies.radius[1]);
    const int count = sc_narrow(placed, placed + 1, 0.5, touch);
    memcpy(before, touch, sizeof touch);
    const sc_filter filter = {placed, placed + 1, &b.bodies, 0, 1, NULL, size, 1};
    const int kept = sc_filter_touches(&filter, touch, count);
    if (kept < count) {
      passing++;
      worst = fmax(worst, most_overlap(&b) / size);
    } else {
      assert_memory_equal(before, touch, (size_t)count * sizeof *touch);
      meeting += count > 0 && before[0].gap > 0 && most_overlap(&b) > 0.02 * size;
    }
    bed_free(&b);
  }
  print_message("%d pass, %d meet, worst %g\n", passing, meeting, worst);
  assert_true(passing > 500 && meeting > 500);
  assert_true(worst <= 0.02);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_passes_does_not_overlap)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
