/* The fabric tensor of contacts whose directions are known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "base/base.h"
#include "scree/measure.h"

enum { MOST = 20000 };
static const uint64_t id[] = {1, 2, 3};
static const int64_t group[] = {0, 7, 0};
static const uint8_t kind[] = {SCREE_DYNAMIC, SCREE_DYNAMIC, SCREE_FIXED};
static const double position[9] = {0};
static scree_frame_contact contact[MOST];

static double figure(const scree_frame *f, int64_t only, const scree_region *region, const char *name) {
  const scree_measure_kind *fabric = scree_measure_find("fabric", NULL);
  scree_measure_def def;
  scree_measure_result r;
  assert_int_equal(fabric->size, sizeof def);
  scree_measure_defaults(fabric, &def);
  def.group = only, def.region = region;
  assert_int_equal(scree_measure_take(fabric, f, &def, &r, NULL), SCREE_OK);
  double value = scree_measure_get(fabric, &r, name)->figure;
  scree_measure_clear(&r);
  return value;
}

static scree_frame make_frame(int64_t contacts) {
  return (scree_frame){.bodies = 3,
      .id = id,
      .group = group,
      .kind = kind,
      .position = position,
      .contacts = contacts,
      .contact = contact};
}

/* Directions of a sphere: F = 1/3; those within a cone about z: zz = (1 + c + c^2)/3, c its cosine. */
static void a_cone(void **state) {
  (void)state;
  sc_rng rng;
  for (int half = 0; half < 2; half++) {
    const double least = half ? 0.5 : 0;
    sc_rng_seed(&rng, 3);
    for (int i = 0; i < MOST; i++) {
      const double z = least + (1 - least) * (i + 0.5) / MOST, a = 6.283185307179586 * sc_rng_unit(&rng),
                   s = sqrt(1 - z * z);
      contact[i] = (scree_frame_contact){
          .body1 = 1, .body2 = 2, .normal = {s * cos(a), s * sin(a), i % 2 ? z : -z}, .impulse = {1}};
    }
    const scree_frame f = make_frame(MOST);
    const double zz = half ? (1 + 0.5 + 0.25) / 3 : 1.0 / 3;
    assert_true(fabs(figure(&f, -1, NULL, "zz") - zz) < 1e-6);
    assert_true(fabs(figure(&f, -1, NULL, "xx") + figure(&f, -1, NULL, "yy") + zz - 1) < 1e-6);
    assert_true(
        fabs(figure(&f, -1, NULL, "xx") - (1 - zz) / 2) < 0.01 && fabs(figure(&f, -1, NULL, "xy")) < 0.01);
    assert_true(fabs(figure(&f, -1, NULL, "anisotropy") - 1.5 * (zz - 1.0 / 3)) < 0.02);
  }
}

/* Contacts count if they are loaded and belong to the region and the group; without contacts the result is
 * NaN. */
static void which_count(void **state) {
  (void)state;
  const scree_region box = {.type = SCREE_REGION_BOX, .min = {0, 0, 0}, .max = {1, 1, 1}};
  contact[0] = (scree_frame_contact){
      .body1 = 1, .body2 = 2, .normal = {1, 0, 0}, .impulse = {1}, .point = {2, 0, 0}};
  contact[1] = (scree_frame_contact){
      .body1 = 1, .body2 = 3, .normal = {0, 1, 0}, .impulse = {1}, .point = {0.5, 0.5, 0.5}};
  contact[2] = (scree_frame_contact){.body1 = 1, .body2 = 2, .normal = {0, 0, 1}, .point = {0.5, 0.5, 0.5}};
  const scree_frame f = make_frame(3);
  assert_true(figure(&f, -1, NULL, "contacts") == 2 && figure(&f, -1, NULL, "xx") == 0.5);
  assert_true(figure(&f, -1, &box, "contacts") == 1 && figure(&f, -1, &box, "anisotropy") == 1);
  assert_true(figure(&f, 7, NULL, "contacts") == 1 && figure(&f, 7, NULL, "xx") == 1);
  assert_true(figure(&f, 9, NULL, "contacts") == 0 && isnan(figure(&f, 9, NULL, "zz")));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_cone), cmocka_unit_test(which_count)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
