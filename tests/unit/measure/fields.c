/* Coarse-grained fields of grains and contacts whose sums are known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "base/base.h"
#include "scree/measure.h"

enum { MOST = 4000 };
static const double pi = 3.14159265358979323846;
static uint64_t id[MOST];
static int64_t group[MOST];
static uint8_t kind[MOST];
static double mass[MOST], position[3 * MOST], velocity[3 * MOST];
static scree_frame_contact contact;

typedef struct request {
  scree_measure_def head;
  double width;
  int kernel;
} request;

static scree_frame make_frame(int64_t bodies) {
  for (int64_t i = 0; i < bodies; i++) id[i] = (uint64_t)i + 1, kind[i] = SCREE_DYNAMIC, mass[i] = 2;
  return (scree_frame){.bodies = bodies,
      .id = id,
      .group = group,
      .kind = kind,
      .mass = mass,
      .position = position,
      .velocity = velocity};
}

static const scree_region box = {.type = SCREE_REGION_BOX, .min = {-1, -2, -3}, .max = {2, 1, 0}};
static const scree_measure_kind *fields;

static scree_status measure(const scree_frame *f, double width, int64_t cells, scree_measure_result *out) {
  request q;
  fields = scree_measure_find("fields", NULL);
  assert_int_equal(fields->size, sizeof q);
  scree_measure_defaults(fields, &q);
  q.head.region = &box, q.head.dt = 0.25, q.width = width;
  for (int k = 0; k < 3; k++) q.head.cells[k] = cells;
  return scree_measure_take(fields, f, &q.head, out, NULL);
}

static const scree_measure_value *list(const scree_measure_result *r, const char *name) {
  return scree_measure_get(fields, r, name);
}

/* Integral of a field over a grid with `cells` cells along the edges of 3. */
static double integral(const scree_measure_result *r, const char *name, int64_t cells) {
  const scree_measure_value *v = list(r, name);
  double sum = 0, edge = 3.0 / (double)cells;
  assert_int_equal(v->count, cells * cells * cells);
  for (int64_t i = 0; i < v->count; i++) sum += v->list[i];
  return sum * edge * edge * edge;
}

/* The Gaussian kernel: mass is kept, and values about a grain at the middle of a cell are as exp(-r^2 / (2
 * (width/3)^2)) wants them. */
static void gaussian(void **state) {
  (void)state;
  const double x[3] = {0.5, -0.5, -1.5};
  request q;
  scree_measure_result r;
  scree_frame f = make_frame(1);
  memcpy(position, x, sizeof x);
  fields = scree_measure_find("fields", NULL);
  scree_measure_defaults(fields, &q);
  q.head.region = &box, q.head.dt = 0.25, q.width = 0.9, q.kernel = 1;
  for (int k = 0; k < 3; k++) q.head.cells[k] = 15;
  assert_int_equal(scree_measure_take(fields, &f, &q.head, &r, NULL), SCREE_OK);
  assert_true(fabs(integral(&r, "density", 15) - 2) < 1e-14);
  const double *density = list(&r, "density")->list + 7 + 15 * (7 + 15 * 7);
  for (int i = 1; i < 4; i++) {
    const double s = 0.2 * i / 0.3;
    assert_true(fabs(density[i] / density[0] - exp(-s * s / 2)) < 1e-13);
  }
  assert_true(density[5] == 0);
  scree_measure_clear(&r);
}

/* Mass and momentum are kept to rounding on fine and coarse grids; the field is Lucy's kernel. */
static void one_grain(void **state) {
  (void)state;
  const double v[3] = {3, -5, 7}, x[3] = {0.41, -0.52, -1.37};
  const char *names[] = {"momentum_x", "momentum_y", "momentum_z"};
  scree_frame f = make_frame(1);
  memcpy(position, x, sizeof x);
  memcpy(velocity, v, sizeof v);
  for (int64_t cells = 4; cells <= 32; cells += 7) {
    scree_measure_result r;
    assert_int_equal(measure(&f, 0.8, cells, &r), SCREE_OK);
    assert_true(fabs(integral(&r, "density", cells) - 2) < 1e-14);
    for (int k = 0; k < 3; k++) assert_true(fabs(integral(&r, names[k], cells) - 2 * v[k]) < 1e-13);
    for (int64_t i = 0; i < cells * cells * cells; i++) {
      const double density = list(&r, "density")->list[i];
      assert_true(density > 0 ? fabs(list(&r, "velocity_y")->list[i] + 5) < 1e-14
                              : isnan(list(&r, "velocity_y")->list[i]));
      assert_true(
          density > 0 ? list(&r, "temperature")->list[i] < 1e-28 : isnan(list(&r, "temperature")->list[i]));
    }
    scree_measure_clear(&r);
  }
}

static void the_kernel_is_lucys(void **state) {
  (void)state;
  enum { CELLS = 48 };
  const double x[3] = {0.41, -0.52, -1.37}, w = 0.8;
  scree_frame f = make_frame(1);
  memcpy(position, x, sizeof x);
  scree_measure_result r;
  assert_int_equal(measure(&f, w, CELLS, &r), SCREE_OK);
  const double *at[3] = {list(&r, "x")->list, list(&r, "y")->list, list(&r, "z")->list};
  const double top = 2 * 105 / (16 * pi * w * w * w);
  for (int i = 0; i < CELLS * CELLS * CELLS; i++) {
    const double d[3] = {at[0][i] - x[0], at[1][i] - x[1], at[2][i] - x[2]},
                 q = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / w;
    const double expected = q < 1 ? top * (1 + 3 * q) * pow(1 - q, 3) : 0;
    assert_true(fabs(list(&r, "density")->list[i] - expected) < 1e-4 * top);
  }
  scree_measure_clear(&r);
}

/* The contact stress of a pair adds up to f (x) l; with a body that is no grain the branch is cut at the
 * contact. */
static void a_pair_in_contact(void **state) {
  (void)state;
  const double x[6] = {0.3, -0.6, -1.2, 0.7, -0.3, -1.7};
  const char *names[9] = {"contact_xx", "contact_xy", "contact_xz", "contact_yx", "contact_yy", "contact_yz",
      "contact_zx", "contact_zy", "contact_zz"};
  scree_frame f = make_frame(2);
  memcpy(position, x, sizeof x);
  contact = (scree_frame_contact){
      .body1 = 1, .body2 = 2, .point = {0.45, -0.5, -1.4}, .impulse = {-0.5, 0.25, 1.5}};
  f.contacts = 1, f.contact = &contact;
  for (int fixed = 0; fixed < 2; fixed++) {
    scree_measure_result r;
    if (fixed) kind[1] = SCREE_FIXED;
    assert_int_equal(measure(&f, 0.6, 13, &r), SCREE_OK);
    for (int i = 0; i < 9; i++) {
      const double branch = x[i % 3] - (fixed ? contact.point[i % 3] : x[3 + i % 3]);
      assert_true(fabs(integral(&r, names[i], 13) - 4 * contact.impulse[i / 3] * branch) < 1e-14);
    }
    assert_true(fabs(integral(&r, "density", 13) - (fixed ? 2 : 4)) < 1e-14);
    scree_measure_clear(&r);
  }
}

/* The rule along the branch against the kernel's mean over many points of it. */
static void the_rule_along_the_branch(void **state) {
  (void)state;
  enum { CELLS = 24, POINTS = 2000 };
  const double x[6] = {0.3, -0.6, -1.2, 0.7, -0.3, -1.7}, w = 0.7071;
  scree_frame f = make_frame(2);
  memcpy(position, x, sizeof x);
  contact = (scree_frame_contact){.body1 = 1, .body2 = 2, .impulse = {0.25, 0, 0}};
  f.contacts = 1, f.contact = &contact;
  scree_measure_result r;
  assert_int_equal(measure(&f, w, CELLS, &r), SCREE_OK);
  double worst = 0, top = 105 / (16 * pi * w * w * w);
  for (int i = 0; i < CELLS * CELLS * CELLS; i += 7) {
    double mean = 0;
    for (int p = 0; p < POINTS; p++) {
      const double s = (p + 0.5) / POINTS;
      double square = 0;
      for (int k = 0; k < 3; k++) {
        const double d = r.value[k].list[i] - x[3 + k] - s * (x[k] - x[3 + k]);
        square += d * d;
      }
      const double q = sqrt(square) / w;
      mean += q < 1 ? top * (1 + 3 * q) * pow(1 - q, 3) / POINTS : 0;
    }
    worst = fmax(worst, fabs(list(&r, "contact_xx")->list[i] / (x[0] - x[3]) - mean));
  }
  print_message("largest error %g of the kernel's top\n", worst / top);
  assert_true(worst < 2e-3 * top);
  scree_measure_clear(&r);
}

/* Grains with random velocities about a mean, all supports within the grid: the kinetic stress and the
 * fields' own momentum share out all of sum m v (x) v, to rounding, and the temperature is the variance, to
 * three deviations of the mean of 400 grains. */
static void a_gas(void **state) {
  (void)state;
  enum { CELLS = 9, MIDDLE = 4 + CELLS * (4 + CELLS * 4) };
  scree_frame f = make_frame(MOST);
  sc_rng rng;
  sc_rng_seed(&rng, 5);
  double total[2] = {0}, sum[2], volume = 1.0 / 27;
  for (int i = 0; i < 3 * MOST; i++) {
    position[i] = box.min[i % 3] + 0.75 + 1.5 * sc_rng_unit(&rng);
    velocity[i] = (i % 3 == 0 ? 10 : 0) + 2 * sc_rng_unit(&rng) - 1; /* variance 1/3 */
  }
  for (int i = 0; i < MOST; i++)
    total[0] += mass[i] * velocity[3 * i] * velocity[3 * i],
        total[1] += mass[i] * velocity[3 * i] * velocity[3 * i + 1];
  scree_measure_result r;
  assert_int_equal(measure(&f, 0.74, CELLS, &r), SCREE_OK);
  const double *density = list(&r, "density")->list, *px = list(&r, "momentum_x")->list,
               *py = list(&r, "momentum_y")->list;
  sum[0] = integral(&r, "kinetic_xx", CELLS), sum[1] = integral(&r, "kinetic_xy", CELLS);
  for (int i = 0; i < CELLS * CELLS * CELLS; i++)
    if (density[i] > 0)
      sum[0] += volume * px[i] * px[i] / density[i], sum[1] += volume * px[i] * py[i] / density[i];
  assert_true(fabs(sum[0] - total[0]) < 1e-12 * total[0] && fabs(sum[1] - total[1]) < 1e-12 * total[0]);
  assert_true(fabs(list(&r, "temperature")->list[MIDDLE] - 1.0 / 3) < 0.026);
  assert_true(fabs(list(&r, "velocity_x")->list[MIDDLE] - 10) < 0.09);
  assert_true(fabs(list(&r, "kinetic_yy")->list[MIDDLE] / density[MIDDLE] - 1.0 / 3) < 0.045);
  scree_measure_clear(&r);
}

/* Half of a grain on the border of the grid lies outside, all of one far off. */
static void borders_and_mistakes(void **state) {
  (void)state;
  scree_frame f = make_frame(2);
  memcpy(position, (double[6]){2, -0.5, -1.5, 1e300, 0, 0}, 6 * sizeof(double));
  scree_measure_result r;
  assert_int_equal(measure(&f, 0.5, 12, &r), SCREE_OK);
  assert_true(fabs(integral(&r, "density", 12) - 1) < 1e-14);
  scree_measure_clear(&r);
  assert_int_equal(measure(&f, 0.2, 12, &r), SCREE_E_ARGUMENT);
  assert_int_equal(measure(&f, 1, 0, &r), SCREE_E_ARGUMENT);
  assert_int_equal(measure(&f, 1, 1000, &r), SCREE_E_ARGUMENT);
  assert_int_equal(measure(&f, 1e300, 10, &r), SCREE_E_ARGUMENT);
}

enum { GAS = 60, TOUCHES = 90, GRID = 6 };
static scree_frame_contact touches[TOUCHES];

/* Moves body i by whole edges; contacts go on with other names of images. */
static void rename_body(const scree_frame *f, int64_t i, const int n[3]) {
  const double *H = f->cell.matrix, *L = f->cell.gradient;
  double d[3], v[3];
  for (int k = 0; k < 3; k++) d[k] = H[3 * k] * n[0] + H[3 * k + 1] * n[1] + H[3 * k + 2] * n[2];
  for (int k = 0; k < 3; k++) v[k] = L[3 * k] * d[0] + L[3 * k + 1] * d[1] + L[3 * k + 2] * d[2];
  for (int k = 0; k < 3; k++) position[3 * i + k] += d[k], velocity[3 * i + k] += v[k];
  for (int c = 0; c < TOUCHES; c++)
    for (int k = 0; k < 3; k++) {
      if (touches[c].body1 == id[i]) touches[c].point[k] += d[k], touches[c].image[k] += n[k];
      if (touches[c].body2 == id[i]) touches[c].image[k] -= n[k];
    }
}

/* A gas in a skew cell that is sheared. */
static scree_frame make_gas(void) {
  static double unturned[4 * GAS];
  uint64_t seed = 5;
  scree_frame f = make_frame(GAS);
  f.orientation = unturned, f.has_cell = f.images = 1, f.contacts = TOUCHES, f.contact = touches;
  f.cell = (scree_cell){
      .periodic = {1, 1, 1}, .origin = {-0.3, 0.2, 5}, .gradient = {0, 2, 0, 0, 0, 0, 0, 0, 0}};
  assert_true(scree_cell_set(&f.cell, (double[9]){3, 1.4, 0.2, 0, 2.5, -0.7, 0, 0, 2}));
#define DRAW() \
  (seed = seed * 6364136223846793005u + 1442695040888963407u, (double)(seed >> 11) / 9007199254740992.0)
  for (int i = 0; i < 3 * GAS; i++) position[i] = 4 * DRAW() - 1, velocity[i] = DRAW() - 0.5;
  for (int c = 0; c < TOUCHES; c++) {
    const int one = c % GAS, two = (7 * c + 11) % GAS;
    touches[c] = (scree_frame_contact){.body1 = id[one], .body2 = id[two]};
    for (int k = 0; k < 3; k++) {
      touches[c].point[k] = position[3 * one + k] + 0.2 * DRAW();
      touches[c].impulse[k] = DRAW(), touches[c].image[k] = (c + k) % 3 - 1;
    }
  }
#undef DRAW
  return f;
}

static void measure_cell(const scree_frame *f, scree_measure_result *out) {
  request q;
  fields = scree_measure_find("fields", NULL);
  scree_measure_defaults(fields, &q);
  q.head.dt = 0.25, q.width = 0.9;
  for (int k = 0; k < 3; k++) q.head.cells[k] = GRID;
  assert_int_equal(scree_measure_take(fields, f, &q.head, out, NULL), SCREE_OK);
}

/* In a cell nothing is lost through its faces: a sample that is moved by cells of the grid, and other images
 * of its bodies, give the same fields in cells further on; and sums are those of all grains and contacts. */
static void in_a_cell(void **state) {
  (void)state;
  const char *names[] = {
      "density", "momentum_x", "momentum_z", "kinetic_xx", "kinetic_yz", "contact_xx", "contact_zy"};
  scree_measure_result r, moved;
  scree_stress_result whole;
  scree_frame f = make_gas();
  measure_cell(&f, &r);
  const double volume = f.cell.volume / (GRID * GRID * GRID);
  double sum[9] = {0}, all = 0;
  for (int64_t i = 0; i < GRID * GRID * GRID; i++) {
    all += volume * list(&r, "density")->list[i];
    sum[0] += list(&r, "contact_xx")->list[i], sum[7] += list(&r, "contact_zy")->list[i];
  }
  assert_true(fabs(all / (2 * GAS) - 1) < 1e-13);
  assert_int_equal(scree_stress(&f, NULL, 0.25, &whole, NULL), SCREE_OK);
  assert_true(whole.volume == f.cell.volume && whole.contacts == TOUCHES && whole.grains == GAS);
  for (int k = 0; k < 9; k += 7)
    assert_true(fabs(sum[k] / (GRID * GRID * GRID) - whole.contact[k]) < 1e-12 * fabs(whole.contact[k]));
  /* Shifts all grains and contacts by (2, -1, 3) grid cells. Velocities change by the mean flow of the cell
   * over this shift. */
  const int by[3] = {2, -1, 3};
  const double *H = f.cell.matrix;
  for (int k = 0; k < 3; k++) {
    double d[3];
    for (int m = 0; m < 3; m++)
      d[m] = (H[3 * m] * by[0] + H[3 * m + 1] * by[1] + H[3 * m + 2] * by[2]) / GRID;
    for (int i = 0; i < GAS; i++) position[3 * i + k] += d[k], velocity[3 * i + k] += k == 0 ? 2 * d[1] : 0;
    for (int c = 0; c < TOUCHES; c++) touches[c].point[k] += d[k];
  }
  for (int i = 0; i < GAS; i++) rename_body(&f, i, (const int[3]){i % 3 - 1, i % 5 - 2, i % 2});
  measure_cell(&f, &moved);
  for (size_t n = 0; n < sizeof names / sizeof *names; n++)
    for (int i = 0; i < GRID * GRID * GRID; i++) {
      const int x = i % GRID, y = i / GRID % GRID, z = i / GRID / GRID;
      if (x + 2 >= GRID || y < 1 || z + 3 >= GRID) continue; /* another image, with another velocity */
      const int to = x + 2 + GRID * (y - 1 + GRID * (z + 3));
      const double *a = list(&r, names[n])->list, *b = list(&moved, names[n])->list;
      const double flow = 2 * (H[4] * -1 + H[5] * 3) / GRID,
                   lift = n == 1 ? flow * list(&r, "density")->list[i] : 0;
      assert_true(fabs(a[i] + lift - b[to]) < 1e-11 * (1 + fabs(a[i])));
    }
  scree_measure_clear(&r);
  scree_measure_clear(&moved);
  f.images = 0;
  assert_int_equal(scree_stress(&f, NULL, 0.25, &whole, NULL), SCREE_E_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gaussian),
      cmocka_unit_test(one_grain),
      cmocka_unit_test(the_kernel_is_lucys),
      cmocka_unit_test(a_pair_in_contact),
      cmocka_unit_test(the_rule_along_the_branch),
      cmocka_unit_test(a_gas),
      cmocka_unit_test(borders_and_mistakes),
      cmocka_unit_test(in_a_cell),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
