/* Compares functions of cells with searches over all images: wrapped points, images near a box, the nearest
 * image, and the reduction of skew cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include "base/base.h"
#include "model/cell.h"

static sc_rng rng;

static double draw(double low, double high) { return low + (high - low) * sc_rng_unit(&rng); }

static void near_to(double value, double wanted, double within) {
  if (!(fabs(value - wanted) <= within)) print_error("%.17g instead of %.17g\n", value, wanted);
  assert_true(fabs(value - wanted) <= within);
}

/* Returns a cell with random edges, more or less skew. Bit k of `edges`: edge k is periodic. */
static sc_cell make_cell(int edges, double skew) {
  sc_cell cell = {.periodic = {edges & 1, edges >> 1 & 1, edges >> 2 & 1}};
  double H[9], L[9];
  for (int k = 0; k < 9; k++) H[k] = (k % 4 ? draw(-skew, skew) : draw(1, 3)), L[k] = draw(-1, 1);
  for (int k = 0; k < 3; k++) cell.origin[k] = draw(-2, 2);
  assert_true(sc_cell_set(&cell, H));
  sc_cell_set_gradient(&cell, L);
  return cell;
}

static double determinant(const double H[9]) {
  return H[0] * (H[4] * H[8] - H[5] * H[7]) - H[1] * (H[3] * H[8] - H[5] * H[6]) +
      H[2] * (H[3] * H[7] - H[4] * H[6]);
}

static void edge_of(const sc_cell *cell, int k, double out[3]) {
  sc_set3(cell->matrix[k], cell->matrix[3 + k], cell->matrix[6 + k], out);
}

static void matrices(void **unused) {
  (void)unused;
  sc_rng_seed(&rng, 51);
  for (int trial = 0; trial < 100; trial++) {
    sc_cell cell = make_cell(7, 0.8);
    double product[9], width[3], unit[3];
    sc_mat_mul(cell.matrix, cell.inverse, product);
    for (int k = 0; k < 9; k++) near_to(product[k], k % 4 == 0, 1e-13);
    near_to(sc_cell_volume(&cell), fabs(determinant(cell.matrix)), 1e-12);
    sc_cell_widths(&cell, width);
    for (int k = 0; k < 3; k++) { /* volume over the area of a face */
      double a[3], b[3], n[3];
      edge_of(&cell, (k + 1) % 3, a), edge_of(&cell, (k + 2) % 3, b);
      sc_cross(a, b, n);
      near_to(width[k], sc_cell_volume(&cell) / sc_norm(n), 1e-12);
      const double place[3] = {draw(-2, 2), draw(-2, 2), draw(-2, 2)};
      double x[3];
      sc_mat_vec(cell.matrix, place, x);
      sc_add(x, cell.origin, x);
      sc_cell_place(&cell, x, unit);
      for (int i = 0; i < 3; i++) near_to(unit[i], place[i], 1e-12);
    }
    /* H' = (1 + dt L) H, and the velocities of images and of the flow */
    const sc_cell before = cell;
    const double dt = draw(0.001, 0.1), x[3] = {draw(-2, 2), draw(-2, 2), draw(-2, 2)};
    const sc_image image = {{(int32_t)draw(-4, 5), (int32_t)draw(-4, 5), (int32_t)draw(-4, 5)}};
    double shift[3], drift[3], later[3], flow[3];
    sc_cell_shift(&cell, &image, shift), sc_cell_drift(&cell, &image, drift), sc_cell_flow(&cell, x, flow);
    assert_true(sc_cell_move(&cell, dt));
    sc_cell_shift(&cell, &image, later);
    for (int i = 0; i < 3; i++) {
      double n = 0, v = 0;
      for (int k = 0; k < 3; k++) {
        n += before.matrix[3 * i + k] * image.n[k];
        v += before.gradient[3 * i + k] * (x[k] - before.origin[k]);
      }
      near_to(shift[i], n, 1e-13);
      near_to(flow[i], v, 1e-13);
      near_to(later[i], shift[i] + dt * drift[i], 1e-12);
    }
    assert_true(before.moves);
  }
  /* a cell that does not move, and one that is driven */
  sc_cell still = make_cell(7, 0.1);
  const sc_cell before = still;
  sc_cell_set_gradient(&still, (const double[9]){0});
  assert_false(still.moves);
  assert_true(sc_cell_move(&still, 1));
  assert_memory_equal(still.matrix, before.matrix, sizeof before.matrix);
  for (int k = 0; k < 9; k++) {
    double L[9] = {0};
    L[k] = 1e-9;
    sc_cell_set_gradient(&still, L);
    assert_true(still.moves);
  }
  still.is_driven = true;
  sc_cell_set_gradient(&still, (const double[9]){0});
  assert_true(still.moves);
  /* singular matrices change nothing */
  static const double bad[][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 0}, {1, 1, 0, 1, 1, 0, 0, 0, 1},
      {1, 0, 0, 0, 1, 0, 0, 0, NAN}, {1, 0, 0, 0, 1, 0, 0, 0, INFINITY}, {1, 0, 0, 0, 1, 0, 0, 0, 9e-10},
      {0}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_false(sc_cell_set(&still, bad[k]));
    assert_memory_equal(still.matrix, before.matrix, sizeof before.matrix);
    scree_cell frame = {.volume = 7};
    assert_false(scree_cell_set(&frame, bad[k]));
    assert_true(frame.volume == 0);
  }
  assert_true(sc_cell_set(&still, (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 2e-9}));
}

/* A wrapped point lies in the cell along periodic edges, a whole number of edges from the original point. */
static void wrapping(void **unused) {
  (void)unused;
  sc_rng_seed(&rng, 52);
  for (int trial = 0; trial < 800; trial++) {
    const sc_cell cell = make_cell(trial % 8, 0.7);
    double x[3], wrapped[3], place[3], at[3], shift[3], again[3];
    for (int k = 0; k < 3; k++) x[k] = draw(-20, 20);
    if (trial % 3 == 0) sc_copy3(cell.origin, x);
    const sc_image image = sc_cell_wrap(&cell, x, wrapped);
    sc_cell_place(&cell, wrapped, place), sc_cell_place(&cell, x, at);
    sc_cell_shift(&cell, &image, shift);
    for (int k = 0; k < 3; k++) {
      near_to(wrapped[k] + shift[k], x[k], 1e-12);
      if (cell.periodic[k]) assert_true(place[k] >= -1e-12 && place[k] < 1 + 1e-12);
      else assert_int_equal(image.n[k], 0);
      if (cell.periodic[k] && fabs(at[k] - round(at[k])) > 1e-9)
        assert_int_equal(image.n[k], (int)floor(at[k]));
    }
    assert_int_equal(sc_image_is_body(&image), !image.n[0] && !image.n[1] && !image.n[2]);
    scree_cell frame = {.volume = 0};
    assert_true(scree_cell_set(&frame, cell.matrix));
    near_to(frame.volume, sc_cell_volume(&cell), 1e-12);
    for (int k = 0; k < 3; k++) frame.origin[k] = cell.origin[k], frame.periodic[k] = cell.periodic[k];
    int32_t n[3];
    scree_cell_wrap(&frame, x, again, n);
    for (int k = 0; k < 3; k++) assert_true(again[k] == wrapped[k] && n[k] == image.n[k]);
  }
  const sc_cell cell = make_cell(7, 0);
  double wrapped[3];
  const sc_image far = sc_cell_wrap(&cell, (const double[3]){1e30, -1e30, 0}, wrapped);
  assert_true(far.n[0] == SC_CELL_FAR && far.n[1] == -SC_CELL_FAR);
}

static void nearest_images(void **unused) {
  (void)unused;
  sc_rng_seed(&rng, 53);
  for (int trial = 0; trial < 400; trial++) {
    const sc_cell cell = make_cell(trial % 8, trial % 2 ? 0.9 : 0.3);
    double least = INFINITY;
    enum { FAR = 5 };
    for (int n = 0; n < (2 * FAR + 1) * (2 * FAR + 1) * (2 * FAR + 1); n++) {
      const sc_image image = {{n % 11 - FAR, n / 11 % 11 - FAR, n / 121 - FAR}};
      double d[3];
      bool is_image = !sc_image_is_body(&image);
      for (int k = 0; k < 3; k++) is_image = is_image && (cell.periodic[k] || !image.n[k]);
      sc_cell_shift(&cell, &image, d);
      if (is_image) least = fmin(least, sc_norm(d));
    }
    if (trial % 8) near_to(sc_cell_shortest(&cell), least, 1e-12);
    assert_int_equal(isinf(sc_cell_shortest(&cell)), trial % 8 == 0);
  }
}

/* The list of images of a point near a box has each image within reach once, in ascending order of digits. */
static void images_near_boxes(void **unused) {
  (void)unused;
  sc_rng_seed(&rng, 54);
  for (int trial = 0; trial < 200; trial++) {
    const sc_cell cell = make_cell(trial % 8, 0.5);
    double corner[3], edges[9], x[3];
    for (int k = 0; k < 3; k++) corner[k] = draw(-4, 4), x[k] = draw(-6, 6);
    for (int k = 0; k < 9; k++) edges[k] = k % 4 ? (trial % 2 ? draw(-0.5, 0.5) : 0) : draw(0, 3);
    const double reach = draw(0, 1);
    const sc_cell_range range = sc_cell_around(&cell, corner, edges, reach);
    const sc_images images = sc_cell_images(&cell, &range, x);
    uint8_t seen[9 * 9 * 9] = {0};
    int32_t last = INT32_MIN;
    sc_image image = sc_images_begin(&images);
    while (sc_images_next(&images, &image)) {
      const int32_t number = image.n[0] + 9 * image.n[1] + 81 * image.n[2] + 4 * 91;
      double place[3], d[3];
      sc_cell_place(&cell, x, place);
      for (int k = 0; k < 3; k++) {
        assert_true(cell.periodic[k] || image.n[k] == 0);
        if (cell.periodic[k])
          assert_true(place[k] + image.n[k] >= range.from[k] && place[k] + image.n[k] <= range.to[k]);
        if (image.n[k] < -4 || image.n[k] > 4) goto next_trial;
      }
      assert_true(number > last);
      last = number;
      assert_int_equal(seen[number]++, 0);
      sc_cell_shift(&cell, &image, d);
    }
    for (int n = 0; n < 729; n++) {
      const sc_image other = {{n % 9 - 4, n / 9 % 9 - 4, n / 81 - 4}};
      double d[3], y[3], near[3], least = INFINITY;
      bool is_image = true;
      for (int k = 0; k < 3; k++) is_image = is_image && (cell.periodic[k] || !other.n[k]);
      if (!is_image) continue;
      sc_cell_shift(&cell, &other, d);
      sc_add(x, d, y);
      for (int i = 0; i < 8;
           i++) { /* a corner of the box, or its middle, within reach: the image is listed */
        sc_mat_vec(edges, (const double[3]){i & 1, i >> 1 & 1, i >> 2}, near);
        sc_add(near, corner, near);
        sc_sub(near, y, near);
        least = fmin(least, sc_norm(near));
      }
      if (least < reach) assert_int_equal(seen[n], 1);
    }
next_trial:;
  }
  /* a point too far away has no images */
  const sc_cell cell = make_cell(7, 0);
  const sc_cell_range range = sc_cell_around(
      &cell, (const double[3]){1e30, 0, 0}, (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 0);
  const sc_images none = sc_cell_images(&cell, &range, cell.origin);
  sc_image image = sc_images_begin(&none);
  assert_false(sc_images_next(&none, &image));
}

/* A cell whose skew grows is replaced by a less skew cell with the same set of images. */
static void skew_cells(void **unused) {
  (void)unused;
  sc_rng_seed(&rng, 55);
  int replaced = 0;
  for (int trial = 0; trial < 600; trial++) {
    sc_cell cell = make_cell(trial % 8, 0);
    const int a = trial % 3, b = (a + 1 + trial / 3 % 2) % 3;
    const double tilt = draw(-2.4, 2.4), rate = trial % 5 ? 1 : -1;
    double H[9], L[9] = {0}, u[3], v[3];
    memcpy(H, cell.matrix, sizeof H);
    for (int i = 0; i < 3; i++) H[3 * i + b] += tilt * H[3 * i + a];
    assert_true(sc_cell_set(&cell, H));
    L[3 * a + b] = tilt > 0 ? rate : -rate;
    sc_cell_set_gradient(&cell, L);
    const sc_cell before = cell;
    int32_t M[9];
    const bool turned = sc_cell_remap(&cell, M),
               must = fabs(tilt) > 0.5 && rate > 0 && cell.periodic[a] && cell.periodic[b];
    assert_int_equal(turned, must);
    replaced += must;
    /* H' M = H: the image n becomes the image M n */
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (int m = 0; m < 3; m++) sum += cell.matrix[3 * i + m] * M[3 * m + k];
        near_to(sum, before.matrix[3 * i + k], 1e-12);
      }
    near_to(sc_cell_volume(&cell), sc_cell_volume(&before), 1e-12);
    edge_of(&cell, a, u), edge_of(&cell, b, v);
    if (must) assert_true(fabs(sc_dot(u, v) / sc_dot(u, u)) <= 0.5 + 1e-12);
  }
  assert_true(replaced > 50);
}

static void pairs_of_images(void **unused) {
  (void)unused;
  const sc_image a = {{1, -2, 3}}, same = {{1, -2, 3}}, zero = {{0, 0, 0}};
  assert_true(sc_image_same(a, same) && sc_image_compare(a, same) == 0);
  assert_true(sc_image_is_body(NULL) && sc_image_is_body(&zero));
  for (int k = 0; k < 3; k++) {
    sc_image more = a, one = zero;
    more.n[k]++, one.n[k]++;
    assert_false(sc_image_same(a, more) || sc_image_is_body(&one));
    assert_true(sc_image_compare(a, more) == -1 && sc_image_compare(more, a) == 1);
    const sc_image d = sc_image_sub(more, a);
    assert_true(sc_image_same(d, one));
  }
  sc_image early = a, late = a;
  early.n[0] = 0, early.n[2] = 9, late.n[1] = -1, late.n[2] = 0;
  assert_true(sc_image_compare(early, a) == -1 && sc_image_compare(late, a) == 1);
  double d[3] = {1, 1, 1};
  const sc_cell cell = {.matrix = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  sc_cell_shift(&cell, NULL, d);
  assert_true(d[0] == 0 && d[1] == 0 && d[2] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(matrices), cmocka_unit_test(wrapping),
      cmocka_unit_test(nearest_images), cmocka_unit_test(images_near_boxes), cmocka_unit_test(skew_cells),
      cmocka_unit_test(pairs_of_images)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
