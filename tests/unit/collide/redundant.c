/* Tests redundant contacts: the corners of a plane patch imply its other points, unless a point lies deeper
 * than the corners imply or has another normal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "base/base.h"
#include "collide/narrow/convex/convex.h"

enum { SIDE = 9 };

/* Makes a patch of points with a gap that is affine on the patch. The patch is tilted against the axes of
 * space. */
static int patch(sc_touch *touch) {
  double n[3] = {0.36, 0.48, 0.8}, t[3], o[3];
  int count = 0;
  sc_frame(n, t, o);
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      sc_touch *p = touch + count++;
      *p = (sc_touch){.gap = 1e-3 * i - 2e-3 * j + 0.01, .feature = (uint32_t)(SIDE * i + j)};
      sc_copy3(n, p->normal);
      sc_set3(5, 6, 7, p->point);
      sc_axpy(0.1 * i, t, p->point, p->point);
      sc_axpy(0.1 * j, o, p->point, p->point);
    }
  return count;
}

static void corners_are_left(void **unused) {
  (void)unused;
  sc_touch touch[SIDE * SIDE];
  int count = sc_drop_redundant(touch, patch(touch), 1);
  assert_int_equal(count, 4);
  const uint32_t corner[] = {0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1};
  for (int k = 0; k < 4; k++) assert_int_equal(touch[k].feature, corner[k]);
}

static void what_says_more_stays(void **unused) {
  (void)unused;
  sc_touch touch[SIDE * SIDE];
  int count = patch(touch);
  touch[3 * SIDE + 4].gap -= 1e-5;                  /* deeper than its neighbours imply: stays */
  touch[5 * SIDE + 2].gap += 1e-5;                  /* less deep: is dropped */
  sc_set3(0, 0.6, 0.8, touch[6 * SIDE + 6].normal); /* another normal: stays */
  count = sc_drop_redundant(touch, count, 1);
  assert_int_equal(count, 6);
  assert_int_equal(touch[2].feature, 3 * SIDE + 4);
  assert_int_equal(touch[3].feature, 6 * SIDE + 6);
}

/* Every touch that is dropped lies in the convex hull of the touches that stay. No corner of a random patch
 * is dropped. */
static void random_patches_keep_their_outline(void **unused) {
  (void)unused;
  sc_rng rng;
  sc_rng_seed(&rng, 1);
  for (int n = 0; n < 500; n++) {
    sc_touch touch[40], kept[40];
    for (int k = 0; k < 40; k++) {
      double x = sc_rng_unit(&rng), y = sc_rng_unit(&rng);
      touch[k] = kept[k] = (sc_touch){.point = {x, y, 0}, .normal = {0, 0, 1}, .gap = 0.1 * x - 0.2 * y};
    }
    int count = sc_drop_redundant(kept, 40, 1);
    assert_true(count >= 3 && count < 25);
    for (int way = 0; way < 64; way++) {
      double c = cos(0.1 * way), s = sin(0.1 * way), all = -INFINITY, left = -INFINITY;
      for (int k = 0; k < 40; k++) all = fmax(all, c * touch[k].point[0] + s * touch[k].point[1]);
      for (int k = 0; k < count; k++) left = fmax(left, c * kept[k].point[0] + s * kept[k].point[1]);
      assert_true(fabs(all - left) < 1e-8);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(corners_are_left),
      cmocka_unit_test(what_says_more_stays), cmocka_unit_test(random_patches_keep_their_outline)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
