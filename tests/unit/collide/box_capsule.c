/* Tests that capsules on boxes have the contact points of the general search. The tested function uses the
 * distance along the capsule's segment. Capsules lie at random, flat on a face, nearly flat, and along an
 * edge. Also tests the cache entry of pairs without contact. SCREE_PAIRS sets the number of pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "bed.h"
#include "collide/narrow/convex/convex.h"
#include "collide/narrow/narrow.h"

enum { ANYWHERE, ON_A_FACE, ALONG_AN_EDGE };

typedef struct pair {
  sc_shape shape[2];
  sc_placed capsule, box;
} pair;

static int pairs_wanted(void) {
  const char *text = getenv("SCREE_PAIRS");
  return text ? atoi(text) : 20000;
}

static void draw_shapes(bed *b, pair *p) {
  p->shape[0] = bed_shape(SCREE_CAPSULE), p->shape[1] = bed_shape(SCREE_BOX);
  p->shape[0].radius = bed_between(b, 0.1, 0.5), p->shape[0].half = bed_between(b, 0.05, 1.5);
  for (int k = 0; k < 3; k++) p->shape[1].extent[k] = bed_between(b, 0.2, 1);
  for (int k = 0; k < 2; k++) p->shape[k].bound = sc_shape_bound(p->shape + k);
}

/* Chooses middle and axis of a capsule in a box's axes, with its surface near the surface of the box. */
static void draw_place(bed *b, const pair *p, int how, double slant, double x[3], double axis[3]) {
  const double *h = p->shape[1].extent, r = p->shape[0].radius;
  for (int k = 0; k < 3; k++) x[k] = bed_between(b, -1.4, 1.4) * h[k], axis[k] = bed_between(b, -1, 1);
  if (how == ANYWHERE) return;
  for (int k = 0; k < 3; k++) axis[k] *= k == 2 ? slant : k == 1 && how == ALONG_AN_EDGE ? slant : 1;
  x[2] = h[2] + r * bed_between(b, 0.7, 1.1);
  if (how == ALONG_AN_EDGE) x[2] = h[2] + 0.7 * r, x[1] = h[1] + 0.7 * r;
}

static void draw(bed *b, int how, double slant, pair *p) {
  double x[3], axis[3], q[4], at[3], turn[9];
  draw_shapes(b, p);
  draw_place(b, p, how, slant, x, axis);
  bed_random_turn(b, q);
  for (int k = 0; k < 3; k++) at[k] = bed_between(b, -3, 3);
  sc_place(p->shape + 1, at, q, &p->box);
  sc_place(p->shape, at, q, &p->capsule);
  sc_mat_vec(p->box.R, x, at);
  sc_add(p->box.position, at, p->capsule.position);
  sc_normalise(axis, axis);
  sc_frame(axis, x, at);
  for (int k = 0; k < 3; k++) turn[3 * k] = x[k], turn[3 * k + 1] = at[k], turn[3 * k + 2] = axis[k];
  sc_mat_mul(p->box.R, turn, p->capsule.R);
}

/* Returns whether a touch lies on the line from `first` to `last`, at most `near` beyond the ends. Normal and
 * gap must agree, too. first = last: the touch lies at this touch. */
static bool between(const sc_touch *touch, const sc_touch *first, const sc_touch *last, double near) {
  double way[3], d[3], turn[3];
  sc_sub(last->point, first->point, way);
  sc_sub(touch->point, first->point, d);
  const double length = sc_norm(way), along = length > 0 ? sc_dot(d, way) / length : 0,
               share = length > 0 ? along / length : 0;
  if (length > 0) sc_axpy(-along / length, way, d, d);
  sc_add(touch->normal, first->normal, turn); // the other way round
  return along > -near && along < length + near && sc_norm(d) < near && sc_norm(turn) < 1e-7 &&
      fabs(touch->gap - first->gap - share * (last->gap - first->gap)) < 1e-9;
}

/* Compares the touches of random pairs with those of the search. Returns the number of pairs that touch. */
static int check_pairs(bed *b, int pairs, int how, double slant) {
  int touching = 0;
  for (int n = 0; n < pairs; n++) {
    pair p;
    sc_touch mine[SC_MAX_TOUCHES], other[SC_MAX_TOUCHES];
    sc_pair_cache hint = {.axis = {0, 0, 0}};
    const double reach = bed_between(b, 0, 0.2);
    draw(b, how, slant, &p);
    const int count = sc_convex_touches(&p.capsule, &p.box, reach, &hint, mine),
              known = sc_convex_search(&p.box, &p.capsule, reach, NULL, other);
    const double near = 2e-3 * p.shape[0].half;
    assert_true(count <= 2 && (count > 0) == (known > 0));
    for (int k = 0; k < known; k++) assert_true(between(other + k, mine, mine + count - 1, near));
    /* along an edge, rounding may give the search a part of the line only */
    for (int k = 0; k < count && how != ALONG_AN_EDGE; k++)
      assert_true(between(mine + k, other, other + known - 1, near));
    touching += count > 0;
    if (!count) assert_true(sc_axis_separates(&p.capsule, &p.box, &hint, 0.9 * reach) || reach < 1e-6);
  }
  return touching;
}

static void touches_are_those_of_the_search(void **unused) {
  (void)unused;
  static const double slants[] = {0, 1e-12, 1e-6, 1e-3, 0.1};
  const int pairs = pairs_wanted();
  bed b;
  bed_init(&b, 3);
  assert_true(check_pairs(&b, pairs, ANYWHERE, 1) > pairs / 10);
  for (int how = ON_A_FACE; how <= ALONG_AN_EDGE; how++)
    for (size_t k = 0; k < sizeof slants / sizeof *slants; k++)
      assert_true(check_pairs(&b, pairs / 4, how, slants[k]) > pairs / 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(touches_are_those_of_the_search)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
