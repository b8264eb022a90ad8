/* Mean squared displacements of known motions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "base/base.h"
#include "scree/measure.h"

enum { MOST = 4 };
static uint64_t id[MOST];
static int64_t group[MOST];
static uint8_t kind[MOST];
static double position[3 * MOST];
static const scree_measure_kind *displacement;

static scree_frame make_frame(double time) {
  for (int i = 0; i < MOST; i++) id[i] = (uint64_t)(3 * i + 2), kind[i] = SCREE_DYNAMIC;
  memset(position, 0, sizeof position);
  return (scree_frame){
      .time = time, .bodies = MOST, .id = id, .group = group, .kind = kind, .position = position};
}

static void *make_memory(const scree_region *region) {
  scree_measure_def def;
  displacement = scree_measure_find("displacement", NULL);
  assert_int_equal(displacement->size, sizeof def);
  scree_measure_defaults(displacement, &def);
  def.region = region;
  return displacement->create(&def, NULL);
}

static double figure(void *memory, const char *name) {
  scree_measure_result result = {0};
  assert_int_equal(displacement->get(memory, &result, NULL), SCREE_OK);
  double value = scree_measure_get(displacement, &result, name)->figure;
  scree_measure_clear(&result);
  return value;
}

/* Two of four grains stand in the region; one of them vanishes in the end, another comes in. */
static void those_of_the_first_look_count(void **state) {
  (void)state;
  const scree_region left = {.type = SCREE_REGION_BOX, .min = {-1, -1, -1}, .max = {1, 1, 1}};
  void *m = make_memory(&left);
  assert_true(isnan(figure(m, "msd")) && figure(m, "grains") == 0);
  scree_frame f = make_frame(2);
  position[3] = position[9] = 5;
  assert_int_equal(displacement->add(m, &f, NULL), SCREE_OK);
  assert_true(figure(m, "msd") == 0 && figure(m, "grains") == 2 && figure(m, "time") == 0);
  f.time = 2.5, position[0] = 3, position[1] = -4, position[6] = 1, position[3] = 0;
  assert_int_equal(displacement->add(m, &f, NULL), SCREE_OK);
  assert_true(figure(m, "msd") == 13 && figure(m, "xx") == 5 && figure(m, "yy") == 8);
  assert_true(figure(m, "zz") == 0 && figure(m, "drift_x") == 2 && figure(m, "drift_y") == -2);
  assert_true(figure(m, "time") == 0.5);
  id[2] = 9; /* the third grain has given way to another */
  assert_int_equal(displacement->add(m, &f, NULL), SCREE_OK);
  assert_true(figure(m, "msd") == 25 && figure(m, "grains") == 1);
  displacement->reset(m);
  assert_int_equal(displacement->add(m, &f, NULL), SCREE_OK);
  assert_true(figure(m, "msd") == 0 && figure(m, "grains") == 2);
  displacement->destroy(m);
}

static void saved_in_the_middle(void **state) {
  (void)state;
  void *m = make_memory(NULL), *copy = make_memory(NULL), *bytes;
  size_t count;
  scree_frame f = make_frame(0);
  displacement->add(m, &f, NULL);
  for (int i = 0; i < 3 * MOST; i++) position[i] = 0.1 * i;
  displacement->add(m, &f, NULL);
  assert_int_equal(displacement->save(m, &bytes, &count, NULL), SCREE_OK);
  assert_int_equal(displacement->load(copy, bytes, count - 1, NULL), SCREE_E_FORMAT);
  assert_int_equal(displacement->load(copy, bytes, count, NULL), SCREE_OK);
  assert_true(figure(copy, "msd") == figure(m, "msd") && figure(m, "msd") > 0);
  position[5] = -7;
  displacement->add(m, &f, NULL);
  displacement->add(copy, &f, NULL);
  assert_true(figure(copy, "msd") == figure(m, "msd") && figure(m, "zz") > 49.0 / MOST);
  scree_measure_free(bytes);
  displacement->destroy(m);
  displacement->destroy(copy);
}

/* A walk of unit steps along random axes: the mean square is the number of steps. */
static void a_random_walk(void **state) {
  (void)state;
  enum { STEPS = 64, WALKS = 2000 };
  sc_rng rng;
  sc_rng_seed(&rng, 11);
  double mean = 0;
  for (int walk = 0; walk < WALKS; walk++) {
    void *m = make_memory(NULL);
    scree_frame f = make_frame(0);
    displacement->add(m, &f, NULL);
    for (int step = 0; step < STEPS; step++)
      for (int i = 0; i < MOST; i++)
        position[3 * i + (int)(3 * sc_rng_unit(&rng))] += sc_rng_unit(&rng) < 0.5 ? -1 : 1;
    displacement->add(m, &f, NULL);
    mean += figure(m, "msd") / WALKS;
    displacement->destroy(m);
  }
  assert_true(fabs(mean / STEPS - 1) < 0.03); /* its deviation: 0.009 */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(those_of_the_first_look_count),
      cmocka_unit_test(saved_in_the_middle),
      cmocka_unit_test(a_random_walk),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
