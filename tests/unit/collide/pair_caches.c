/* Tests that the pair cache of hulls is carried from list to list, also if rows are sorted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "bed.h"
#include "collide/contacts/pair_caches.h"
#include "scree/geometry.h"

enum { BODIES = 300, ALL = BODIES * BODIES };

/* Makes hulls at random positions in a small room. */
static void crowd(bed *b, const scree_geometry *hull) {
  bed_init(b, 3);
  for (int i = 0; i < BODIES; i++) {
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = bed_between(b, 0, 8);
    sc_shape shape = bed_shape(SCREE_HULL);
    shape.geometry = hull;
    const int32_t row = bed_add(b, SCREE_DYNAMIC, x, shape);
    bed_random_turn(b, b->bodies.orientation[row]);
  }
}

/* Reads the cache entries by the numbers of their bodies. Entries of pairs that are not on the list are zero.
 * Returns the number of entries that are carried. */
static int32_t read_hints(const bed *b, const sc_collide *collide, sc_pair_cache *out) {
  int32_t known = 0;
  memset(out, 0, ALL * sizeof *out);
  assert_int_equal(collide->list.pair_caches, collide->list.pairs);
  for (int32_t p = 0; p < collide->list.pairs; p++) {
    const sc_pair pair = collide->list.pair[p];
    out[(int)bed_number(b, pair.one) * BODIES + (int)bed_number(b, pair.two)] = collide->list.pair_cache[p];
    known += sc_pair_cache_is_carried(collide->list.pair_cache + p);
  }
  return known;
}

static void find(sc_collide *collide, const bed *b) {
  int32_t count;
  double *state;
  assert_int_equal(
      sc_collide_contacts(collide, &b->bodies, &b->shapes, 0, -1, 0.01, &count, &state, NULL), SCREE_OK);
  assert_true(count > BODIES);
}

/* Returns the number of pairs with entries in both caches, and checks that these entries are equal. Pairs
 * whose shapes exchanged their order have no entry. */
static int32_t count_same(const sc_pair_cache *was, const sc_pair_cache *is) {
  int32_t same = 0;
  for (int k = 0; k < ALL; k++) {
    if (!sc_pair_cache_is_carried(was + k) || !sc_pair_cache_is_carried(is + k)) continue;
    assert_memory_equal(was + k, is + k, sizeof *was);
    same++;
  }
  return same;
}

static void hints_outlive_the_list(void **unused) {
  (void)unused;
  double points[20][3];
  bed b;
  bed_init(&b, 1);
  for (int i = 0; i < 20; i++)
    for (int k = 0; k < 3; k++) points[i][k] = bed_between(&b, -0.6, 0.6);
  scree_geometry *hull = scree_geometry_hull((const double(*)[3])points, 20, NULL);
  sc_pair_cache *was = malloc(2 * ALL * sizeof *was), *is = was + ALL;
  int32_t order[BODIES];
  crowd(&b, hull);
  sc_collide *collide = sc_collide_create(&(sc_collide_def){.margin = 0.1, .threads = 1});
  assert_int_equal(sc_collide_build(collide, &b.bodies, &b.shapes, NULL, 0.01, NULL), SCREE_OK);
  find(collide, &b);
  const int32_t known = read_hints(&b, collide, was);
  assert_true(known > 2 * BODIES);
  /* with the same rows all entries are carried, before any search */
  sc_collide_dirty(collide);
  assert_int_equal(sc_collide_build(collide, &b.bodies, &b.shapes, NULL, 0.01, NULL), SCREE_OK);
  assert_int_equal(read_hints(&b, collide, is), known);
  assert_int_equal(count_same(was, is), known);
  /* with other rows the entries of pairs whose shapes did not exchange their order are carried; removed
   * bodies have none */
  bed_remove(&b, 7, collide);
  bed_remove(&b, 100, collide);
  assert_int_equal(sc_collide_order(collide, &b.bodies, order, NULL), SCREE_OK);
  bed_permute(&b, order);
  assert_int_equal(sc_collide_build(collide, &b.bodies, &b.shapes, order, 0.01, NULL), SCREE_OK);
  const int32_t carried = read_hints(&b, collide, is);
  assert_int_equal(count_same(was, is), carried);
  assert_true(carried > known / 3 && carried < known);
  find(collide, &b);
  free(was);
  sc_collide_destroy(collide);
  bed_free(&b);
  scree_geometry_release(hull);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hints_outlive_the_list)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
