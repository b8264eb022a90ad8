/* Measurements on handmade frames with known results. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "scree/measure.h"

enum { MOST = 20000 };
typedef struct bed {
  scree_frame frame;
  uint64_t id[MOST];
  int64_t group[MOST];
  uint8_t kind[MOST];
  double radius[MOST], mass[MOST], position[3 * MOST], orientation[4 * MOST], velocity[3 * MOST],
      spin[3 * MOST];
  scree_shape_info shape[MOST];
} bed;

static bed *make_bed(int64_t count, double radius) {
  bed *b = calloc(1, sizeof *b);
  for (int64_t i = 0; i < count; i++) {
    b->id[i] = (uint64_t)(10 + 2 * i), b->kind[i] = SCREE_DYNAMIC, b->radius[i] = radius, b->mass[i] = 2,
    b->orientation[4 * i] = 1;
    b->shape[i] = (scree_shape_info){
        .body = b->id[i], .type = SCREE_SPHERE, .radius = radius, .orientation = {1, 0, 0, 0}};
  }
  b->frame = (scree_frame){.bodies = count,
      .id = b->id,
      .group = b->group,
      .kind = b->kind,
      .radius = b->radius,
      .mass = b->mass,
      .position = b->position,
      .orientation = b->orientation,
      .velocity = b->velocity,
      .spin = b->spin,
      .shapes = count,
      .shape = b->shape};
  return b;
}

static scree_region box(double x, double y, double z) {
  return (scree_region){.type = SCREE_REGION_BOX, .max = {x, y, z}};
}

static void profile_means_and_volume(void **state) {
  (void)state;
  bed *b = make_bed(3, 0.1);
  double place[9] = {0.5, 0.5, 0.5, 0.6, 0.5, 0.5, 1.0, 0.5, 0.5};
  memcpy(b->position, place, sizeof place);
  for (int i = 0; i < 3; i++) b->velocity[3 * i] = i, b->spin[3 * i + 2] = 3 * i;
  scree_grid grid = {{0, 0, 0}, {2, 1, 1}, {2, 1, 1}};
  scree_error error = {0};
  scree_profile *p = scree_profile_create(&grid, &error);
  assert_int_equal(scree_profile_add(p, &b->frame, -1, &error), SCREE_OK);
  assert_int_equal(scree_profile_add(p, &b->frame, -1, &error), SCREE_OK);
  double out[6], volume = 4.0 / 3 * 3.14159265358979323846 * 1e-3;
  assert_int_equal(scree_profile_get(p, SCREE_PROFILE_COUNT, out), 1);
  assert_true(out[0] == 2 && out[1] == 1);
  assert_int_equal(scree_profile_get(p, SCREE_PROFILE_VELOCITY, out), 3);
  assert_true(out[0] == 0.5 && out[1] == 0 && out[3] == 2);
  assert_int_equal(scree_profile_get(p, SCREE_PROFILE_SPIN, out), 3);
  assert_true(out[2] == 1.5 && out[5] == 6);
  assert_int_equal(scree_profile_get(p, SCREE_PROFILE_TEMPERATURE, out), 1);
  assert_true(fabs(out[0] - 0.25 / 3) < 1e-15 && out[1] == 0);
  /* the third grain lies across the border of the cells: the volume is shared, none is lost */
  scree_profile_get(p, SCREE_PROFILE_SOLID, out);
  assert_true(fabs(out[0] + out[1] - 3 * volume) < 1e-14);
  assert_true(out[0] > 2.3 * volume && out[0] < 2.7 * volume);
  scree_profile_destroy(p);
  free(b);
}

/* A body other than a sphere counts whole in the cell of its centre, whatever it reaches into. */
static void profile_takes_other_shapes_whole(void **state) {
  (void)state;
  bed *b = make_bed(2, 0.3);
  b->position[0] = 0.9, b->position[1] = b->position[2] = 0.5;
  b->position[3] = 1.5, b->position[4] = b->position[5] = 0.5;
  b->shape[0].type = SCREE_CAPSULE, b->shape[0].length = 0.6;
  b->shape[1].type = SCREE_ELLIPSOID, b->shape[1].size[0] = b->shape[1].size[1] = b->shape[1].size[2] = 0.2;
  scree_grid grid = {{0, 0, 0}, {2, 1, 1}, {2, 1, 1}};
  scree_profile *p = scree_profile_create(&grid, NULL);
  assert_int_equal(scree_profile_add(p, &b->frame, -1, NULL), SCREE_OK);
  const double pi = 3.14159265358979323846;
  double out[2];
  scree_profile_get(p, SCREE_PROFILE_SOLID, out);
  assert_true(fabs(out[0] - pi * (0.09 * 0.6 + 4 * 0.027 / 3)) < 1e-14);
  assert_true(fabs(out[1] - scree_shape_volume(b->shape + 1)) < 1e-14 && out[1] > 0);
  scree_profile_destroy(p);
  free(b);
}

static void profile_survives_saving(void **state) {
  (void)state;
  bed *b = make_bed(50, 0.1);
  sc_rng rng;
  sc_rng_seed(&rng, 4);
  for (int i = 0; i < 150; i++) b->position[i] = sc_rng_unit(&rng), b->velocity[i] = sc_rng_unit(&rng);
  scree_grid grid = {{0, 0, 0}, {1, 1, 1}, {4, 3, 2}};
  scree_error error;
  scree_profile *p = scree_profile_create(&grid, &error), *q = scree_profile_create(&grid, &error);
  scree_profile_add(p, &b->frame, -1, &error);
  void *bytes;
  size_t count;
  assert_int_equal(scree_profile_save(p, &bytes, &count, &error), SCREE_OK);
  assert_int_equal(scree_profile_load(q, bytes, count, &error), SCREE_OK);
  assert_int_equal(scree_profile_load(q, bytes, count - 1, &error), SCREE_E_FORMAT);
  double x[72], y[72];
  scree_profile_get(p, SCREE_PROFILE_VELOCITY, x);
  scree_profile_get(q, SCREE_PROFILE_VELOCITY, y);
  assert_memory_equal(x, y, sizeof x);
  scree_measure_free(bytes);
  scree_profile_destroy(p);
  scree_profile_destroy(q);
  free(b);
}

static void profile_refuses_bad_grids(void **state) {
  (void)state;
  scree_error error;
  scree_grid none = {{0, 0, 0}, {1, 1, 1}, {1, 0, 1}}, empty = {{0, 0, 0}, {1, 0, 1}, {1, 1, 1}};
  scree_grid infinite = {{0, 0, 0}, {INFINITY, 1, 1}, {1, 1, 1}},
             large = {{0, 0, 0}, {1, 1, 1}, {10000, 10000, 10000}};
  assert_null(scree_profile_create(&none, &error));
  assert_null(scree_profile_create(&empty, &error));
  assert_null(scree_profile_create(&infinite, &error));
  assert_null(scree_profile_create(&large, &error));
}

/* Uniform points: g is 1 within the noise once the edges are corrected, and falls below 1 without. */
static void rdf_of_uniform_points_is_one(void **state) {
  (void)state;
  bed *b = make_bed(8000, 0.01);
  sc_rng rng;
  sc_rng_seed(&rng, 7);
  for (int i = 0; i < 8000; i++)
    for (int k = 0; k < 3; k++) b->position[3 * i + k] = sc_rng_unit(&rng) * (k + 1);
  scree_region region = box(1, 2, 3);
  double g[10], plain[10];
  scree_rdf_result result;
  scree_error error = {0};
  scree_rdf_def def = {&region, 0.5, 10, 0, 1, -1};
  assert_int_equal(scree_rdf(&b->frame, &def, g, &result, &error), SCREE_OK);
  assert_int_equal(result.grains, 8000);
  def.edges = 0;
  scree_rdf(&b->frame, &def, plain, &result, &error);
  for (int i = 2; i < 10; i++) assert_true(fabs(g[i] - 1) < 0.02);
  assert_true(plain[9] < 0.75 && plain[9] > 0.5);
  def.edges = 1, def.reach = 1.5;
  assert_int_equal(scree_rdf(&b->frame, &def, g, &result, &error), SCREE_E_ARGUMENT);
  free(b);
}

/* The cells must not lose a pair: against the plain double loop. */
static void rdf_counts_every_pair(void **state) {
  (void)state;
  bed *b = make_bed(400, 0.01);
  sc_rng rng;
  sc_rng_seed(&rng, 9);
  for (int i = 0; i < 1200; i++) b->position[i] = sc_rng_unit(&rng);
  scree_region region = box(1, 1, 0.8);
  double g[20], pairs[20] = {0}, width = 0.3 / 20, volume = 0.8;
  scree_rdf_result result;
  scree_rdf_def def = {&region, 0.3, 20, 0, 0, -1};
  assert_int_equal(scree_rdf(&b->frame, &def, g, &result, NULL), SCREE_OK);
  for (int i = 0; i < 400; i++)
    for (int j = 0; j < i; j++) {
      const double *p = b->position + 3 * i, *q = b->position + 3 * j;
      double r = sqrt(
          (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
      if (p[2] <= 0.8 && q[2] <= 0.8 && r < 0.3) pairs[(int)(r / 0.3 * 20)] += 1;
    }
  for (int i = 0; i < 20; i++) {
    double low = i * width, high = low + width,
           shell = 4.0 / 3 * 3.14159265358979323846 * (high * high * high - low * low * low);
    assert_true(fabs(g[i] * (double)result.grains * (double)result.grains / volume * shell / 2 - pairs[i]) <
        1e-9 * (1 + pairs[i]));
  }
  free(b);
}

/* Ordered pairs per grain in a bin of width `width`, from g. */
static double neighbours(const double *g, int64_t bin, double width, double density) {
  const double low = (double)bin * width, high = low + width;
  return g[bin] * density * 4.0 / 3 * 3.14159265358979323846 * (high * high * high - low * low * low);
}

/* A simple cubic crystal that fills a periodic cell has 6, 12, 8, 6, 24, 24, 12 neighbours at the roots of
 * 1, 2, 3, 4, 5, 6, 8, and none between, whatever images its positions are and however the cell is cut. */
static void rdf_of_a_periodic_crystal(void **state) {
  (void)state;
  enum { N = 3, BINS = 116 };
  const double tilts[] = {0, N};
  for (int round = 0; round < 2; round++) {
    bed *b = make_bed(N * N * N, 0.5);
    for (int i = 0; i < N * N * N; i++)
      memcpy(b->position + 3 * i,
          (double[3]){i % N + N * (i % 5 - 2), i / N % N, i / N / N - 2 * N * (i % 2)}, 3 * sizeof(double));
    b->frame.has_cell = 1;
    b->frame.cell = (scree_cell){.periodic = {1, 1, 1}, .origin = {0.25, -0.75, 0.1}};
    assert_true(scree_cell_set(&b->frame.cell, (double[9]){N, tilts[round], 0, 0, N, 0, 0, 0, N}));
    const double reach = round ? 2.1 : 2.9, width = reach / BINS, count[] = {6, 12, 8, 6, 24, 24, 0, 12};
    double g[BINS], expected[BINS] = {0};
    scree_rdf_result result;
    scree_rdf_def def = {NULL, reach, BINS, 0, 0, -1};
    assert_int_equal(scree_rdf(&b->frame, &def, g, &result, NULL), SCREE_OK);
    assert_true(result.grains == N * N * N && result.density == 1);
    for (int k = 1; k <= 8; k++)
      if (sqrt(k) < reach) expected[(int)(sqrt(k) / width)] += count[k - 1];
    for (int i = 0; i < BINS; i++)
      assert_true(fabs(neighbours(g, i, width, result.density) - expected[i]) < 1e-11);
    def.reach = 3.1;
    assert_int_equal(scree_rdf(&b->frame, &def, g, &result, NULL), SCREE_E_ARGUMENT);
    def.reach = 1, b->frame.cell.periodic[1] = 0;
    assert_int_equal(scree_rdf(&b->frame, &def, g, &result, NULL), SCREE_E_ARGUMENT);
    free(b);
  }
}

/* A cubic lattice under pressure p in each direction has the stress p times the unit matrix. */
static void stress_of_a_pressed_lattice(void **state) {
  (void)state;
  enum { N = 8 };
  bed *b = make_bed(N * N * N, 0.5);
  scree_frame_contact *c = calloc(3 * N * N * N, sizeof *c);
  int64_t contacts = 0;
  double dt = 0.25, force = 3;
  for (int i = 0; i < N * N * N; i++) {
    int at[3] = {i % N, i / N % N, i / N / N}, step[3] = {1, N, N * N};
    for (int k = 0; k < 3; k++) {
      b->position[3 * i + k] = at[k];
      if (at[k] == 0) continue;
      scree_frame_contact *x = c + contacts++;
      *x = (scree_frame_contact){.body1 = b->id[i], .body2 = b->id[i - step[k]]};
      for (int m = 0; m < 3; m++)
        x->point[m] = at[m] - (m == k ? 0.5 : 0), x->normal[m] = m == k,
        x->impulse[m] = m == k ? force * dt : 0;
    }
  }
  b->frame.contacts = contacts, b->frame.contact = c;
  scree_region region = {.type = SCREE_REGION_BOX, .min = {0.75, 0.75, 0.75}, .max = {4.75, 4.75, 4.75}};
  scree_stress_result r;
  assert_int_equal(scree_stress(&b->frame, &region, dt, &r, NULL), SCREE_OK);
  for (int k = 0; k < 9; k++)
    assert_true(fabs(r.contact[k] - (k % 4 ? 0 : force)) < 1e-12 && r.kinetic[k] == 0);
  assert_true(fabs(r.pressure - force) < 1e-12 && r.grains == 64);
  /* the force on a grain in the middle cancels, on a corner it does not */
  double f[3], torque[3];
  assert_int_equal(scree_forces_on(&b->frame, b->id[4 + N * 4 + N * N * 4], dt, f, torque), 6);
  assert_true(fabs(f[0]) + fabs(f[1]) + fabs(f[2]) < 1e-12);
  assert_int_equal(scree_forces_on(&b->frame, b->id[0], dt, f, torque), 3);
  assert_true(f[0] == -force && f[1] == -force && f[2] == -force && torque[0] == 0);
  scree_coordination_result z;
  assert_int_equal(scree_coordination(&b->frame, NULL, &z, NULL), SCREE_OK);
  assert_true(z.grains == N * N * N && z.carrying == contacts && z.histogram[6] == 216 &&
      z.histogram[3] == 8 && z.rattlers == 0);
  assert_true(fabs(z.mean - 2.0 * (double)contacts / (N * N * N)) < 1e-14);
  double density[10], mean;
  assert_int_equal(scree_force_density(&b->frame, NULL, dt, 0, 2, 10, density, &mean), contacts);
  assert_true(fabs(mean - force) < 1e-12 && fabs(density[5] * 0.2 + density[4] * 0.2 - 1) < 1e-12);
  free(c);
  free(b);
}

static void flow_through_a_plane(void **state) {
  (void)state;
  bed *b = make_bed(4, 0.1);
  scree_region region = {.type = SCREE_REGION_HALFSPACE, .point = {1, 0, 0}, .axis = {1, 0, 0}};
  double start[4] = {0.2, 0.9, 1.5, -3};
  scree_error error;
  scree_flow *flow = scree_flow_create(&region, -1, &error), *copy = scree_flow_create(&region, -1, &error);
  scree_flow_result r;
  for (int step = 0; step <= 10; step++) {
    /* body 2 comes back through the plane */
    for (int i = 0; i < 4; i++) b->position[3 * i] = start[i] + (i == 2 ? -0.1 : 0.1) * step;
    b->frame.time = step;
    b->frame.bodies = step == 10 ? 3 : 4; /* the last one vanishes inside */
    assert_int_equal(scree_flow_add(flow, &b->frame, &error), SCREE_OK);
    if (step == 6) {
      void *bytes;
      size_t count;
      assert_int_equal(scree_flow_save(flow, &bytes, &count, &error), SCREE_OK);
      assert_int_equal(scree_flow_load(copy, bytes, count, &error), SCREE_OK);
      assert_int_equal(scree_flow_load(copy, bytes, 3, &error), SCREE_E_FORMAT);
      scree_measure_free(bytes);
    } else if (step > 6) scree_flow_add(copy, &b->frame, &error);
  }
  scree_flow_get(flow, &r);
  assert_true(r.left == 3 && r.vanished == 1 && r.entered == 1 && r.inside == 1 && r.mass_left == 6 &&
      r.mass_inside == 2);
  assert_true(fabs(r.rate_left - 0.6) < 1e-15 && r.stays == 0 && isnan(r.residence));
  scree_flow_result s;
  scree_flow_get(copy, &s);
  assert_true(s.left == r.left && s.entered == r.entered && s.rate_left == r.rate_left);
  scree_flow_destroy(flow);
  scree_flow_destroy(copy);
  free(b);
}

/* Rates over a window of 2 s, also of a loaded copy, while four grains pass a plane at 1, 2, 3 and 4 s. */
static void rates_of_a_window(void **state) {
  (void)state;
  bed *b = make_bed(4, 0.1);
  const scree_region region = {.type = SCREE_REGION_HALFSPACE, .axis = {1, 0, 0}};
  scree_error error;
  scree_flow *flow = scree_flow_create(&region, -1, &error), *copy = scree_flow_create(&region, -1, &error);
  scree_flow_set_window(flow, 2), scree_flow_set_window(copy, 2);
  const double passed[] = {0, 0, 1, 2, 3, 4, 4, 4, 4}; /* grains by the look at each second */
  for (int step = 0; step <= 8; step++) {
    for (int i = 0; i < 4; i++) b->position[3 * i] = step - (i + 1.5);
    b->frame.time = step;
    assert_int_equal(scree_flow_add(flow, &b->frame, &error), SCREE_OK);
    if (step > 3) assert_int_equal(scree_flow_add(copy, &b->frame, &error), SCREE_OK);
    if (step == 3) {
      void *bytes;
      size_t count;
      assert_int_equal(scree_flow_save(flow, &bytes, &count, &error), SCREE_OK);
      assert_int_equal(scree_flow_load(copy, bytes, count, &error), SCREE_OK);
      assert_int_equal(scree_flow_load(copy, bytes, count - 8, &error), SCREE_E_FORMAT);
      const int64_t looks = 4; /* with which version 1 began */
      memcpy(bytes, &looks, sizeof looks);
      assert_int_equal(scree_flow_load(copy, bytes, count, &error), SCREE_E_FORMAT);
      assert_non_null(strstr(error.text, "format version 1; this program reads version 3"));
      scree_measure_free(bytes);
    }
    scree_flow_result r, s;
    scree_flow_get(flow, &r);
    const double mass = b->mass[0], from = step > 2 ? passed[step - 2] : 0, span = step < 2 ? step : 2;
    assert_true(fabs(r.rate_left - (step ? mass * (passed[step] - from) / span : 0)) < 1e-12);
    if (step < 4) continue;
    scree_flow_get(copy, &s);
    assert_true(s.rate_left == r.rate_left && s.mass_left == r.mass_left);
  }
  scree_flow_destroy(flow);
  scree_flow_destroy(copy);
  free(b);
}

static void residence_time(void **state) {
  (void)state;
  bed *b = make_bed(2, 0.1);
  scree_region region = box(1, 1, 1);
  scree_flow *flow = scree_flow_create(&region, -1, NULL);
  for (int step = 0; step <= 12; step++) {
    b->frame.time = 0.5 * step;
    for (int i = 0; i < 2; i++) {
      b->position[3 * i] = -0.55 + (0.2 + 0.2 * i) * step;
      b->position[3 * i + 1] = b->position[3 * i + 2] = 0.5;
    }
    scree_flow_add(flow, &b->frame, NULL);
  }
  scree_flow_result r;
  scree_flow_get(flow, &r);
  assert_true(r.stays == 2 && r.entered == 2 && r.left == 2);
  assert_true(fabs(r.residence - 0.5 * (2.5 + 1.0)) < 0.26);
  scree_flow_destroy(flow);
  free(b);
}

static void volumes(void **state) {
  (void)state;
  scree_shape_info s = {.type = SCREE_CAPSULE, .radius = 1, .length = 3};
  const double pi = 3.14159265358979323846;
  assert_true(fabs(scree_shape_volume(&s) - (3 * pi + 4 * pi / 3)) < 1e-13);
  s = (scree_shape_info){.type = SCREE_ELLIPSOID, .size = {2, 2, 2}};
  assert_true(fabs(scree_shape_volume(&s) - 4 * pi / 3) < 1e-13);
  scree_region r = box(1, 2, 3);
  assert_true(scree_region_volume(&r) == 6);
  r.invert = 1;
  assert_true(isinf(scree_region_volume(&r)));
  double number[2], mass[2];
  bed *b = make_bed(5, 0.3);
  b->radius[4] = 0.8;
  scree_size_density(&b->frame, NULL, 0, 1, 2, number, mass);
  assert_true(number[0] == 4 && number[1] == 1 && mass[0] == 8);
  free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(profile_means_and_volume),
      cmocka_unit_test(profile_takes_other_shapes_whole),
      cmocka_unit_test(profile_survives_saving),
      cmocka_unit_test(profile_refuses_bad_grids),
      cmocka_unit_test(rdf_of_uniform_points_is_one),
      cmocka_unit_test(rdf_counts_every_pair),
      cmocka_unit_test(rdf_of_a_periodic_crystal),
      cmocka_unit_test(stress_of_a_pressed_lattice),
      cmocka_unit_test(flow_through_a_plane),
      cmocka_unit_test(rates_of_a_window),
      cmocka_unit_test(residence_time),
      cmocka_unit_test(volumes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
