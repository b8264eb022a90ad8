/* Compares letters, rectangles, colours and rows of PNG files with closed forms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>
#include "base/base.h"
#include "scree/draw.h"

static sc_rng rng;

static double draw(double low, double high) { return low + (high - low) * sc_rng_unit(&rng); }

static void near_to(double value, double wanted, double within) {
  if (!(fabs(value - wanted) <= within)) print_error("%.17g instead of %.17g\n", value, wanted);
  assert_true(fabs(value - wanted) <= within);
}

/* ---- letters, rectangles, colours ---- */

typedef struct letter {
  const char *text;
  int width, segments;
  double segment[12][4]; /* in ninths of a capital, from the base line upwards */
} letter;

static double distance_to(const double s[4], double x, double y) {
  const double ux = s[2] - s[0], uy = s[3] - s[1], length = ux * ux + uy * uy;
  const double t = length > 0 ? fmin(1, fmax(0, ((x - s[0]) * ux + (y - s[1]) * uy) / length)) : 0;
  return hypot(x - s[0] - t * ux, y - s[1] - t * uy);
}

static void strokes_of_letters(void **state) {
  (void)state;
  static const letter letters[] = {{"I", 1, 1, {{0, 0, 0, 9}}}, {"-", 4, 1, {{0, 4, 4, 4}}},
      {"T", 6, 2, {{0, 9, 6, 9}, {3, 9, 3, 0}}}, {"X", 6, 2, {{0, 0, 6, 9}, {0, 9, 6, 0}}},
      {".", 1, 1, {{0, 0, 0, 0}}}, {"\xe2\x80\x93", 6, 1, {{0, 4, 6, 4}}},
      {"\xc3\x97", 5, 2, {{0, 1, 5, 6}, {0, 6, 5, 1}}},
      {"\xf0\x9f\x98\x80", 5, 4, {{0, 0, 0, 9}, {0, 9, 5, 9}, {5, 9, 5, 0}, {5, 0, 0, 0}}},
      {"IT", 9, 3, {{0, 0, 0, 9}, {3, 9, 9, 9}, {6, 9, 6, 0}}},
      {"\xffI", 8, 5, {{0, 0, 0, 9}, {0, 9, 5, 9}, {5, 9, 5, 0}, {5, 0, 0, 0}, {7, 0, 7, 9}}},
      {"\xc2I", 8, 5, {{0, 0, 0, 9}, {0, 9, 5, 9}, {5, 9, 5, 0}, {5, 0, 0, 0}, {7, 0, 7, 9}}}};
  const unsigned char color[3] = {200, 20, 90};
  for (size_t n = 0; n < sizeof letters / sizeof *letters; n++)
    for (int align = -1; align <= 1; align++)
      for (int small = 0; small < 2; small++) {
        const letter *l = letters + n;
        const double height = small ? 9 : 22.5, unit = height / 9, half = fmax(0.55, 0.058 * height);
        scree_image m = {0};
        assert_int_equal(scree_image_create(70, 50, &m, NULL), SCREE_OK);
        near_to(scree_image_text_width(height, l->text), l->width * unit, 1e-12);
        scree_image_text(&m, 30.25, 40.5, height, align, color, l->text);
        const double left = 30.25 - (align + 1) / 2.0 * l->width * unit;
        for (int y = 0; y < 50; y++)
          for (int x = 0; x < 70; x++) {
            double nearest = INFINITY, share;
            for (int i = 0; i < l->segments; i++) {
              const double *s = l->segment[i],
                           at[4] = {left + unit * s[0], 40.5 - unit * s[1], left + unit * s[2],
                               40.5 - unit * s[3]};
              nearest = fmin(nearest, distance_to(at, x + 0.5, y + 0.5));
            }
            share = fmax(0, fmin(1, half + 0.5 - nearest));
            for (int k = 0; k < 3; k++) /* letters of a text blend one after the other */
              near_to(m.rgb[3 * (70 * y + x) + k], 255 + share * (color[k] - 255), l->width > 6 ? 60 : 0.51);
          }
        scree_image_free(&m);
      }
}

/* A smooth stroke is a quadratic spline: U runs straight down, around and up. */
static void smooth_strokes(void **state) {
  (void)state;
  static const double control[6][2] = {{0, 9}, {0, 3}, {0, 0}, {6, 0}, {6, 3}, {6, 9}};
  const unsigned char black[3] = {0};
  scree_image m = {0};
  double curve[400][2];
  int count = 0;
  assert_int_equal(scree_image_create(60, 60, &m, NULL), SCREE_OK);
  scree_image_text(&m, 10, 50, 45, -1, black, "U");
  for (int i = 1; i < 5; i++)
    for (int n = 0; n <= 99; n++, count++)
      for (int k = 0; k < 2; k++) {
        const double a = i == 1 ? control[0][k] : (control[i - 1][k] + control[i][k]) / 2, b = control[i][k],
                     c = i == 4 ? control[5][k] : (control[i][k] + control[i + 1][k]) / 2, t = n / 99.0;
        curve[count][k] = (1 - t) * (1 - t) * a + 2 * t * (1 - t) * b + t * t * c;
      }
  for (int y = 0; y < 60; y++)
    for (int x = 0; x < 60; x++) {
      double nearest = INFINITY;
      for (int i = 0; i < count; i++)
        nearest = fmin(nearest, hypot(10 + 5 * curve[i][0] - x - 0.5, 50 - 5 * curve[i][1] - y - 0.5));
      near_to(m.rgb[3 * (60 * y + x)], 255 * (1 - fmax(0, fmin(1, 0.058 * 45 + 0.5 - nearest))), 40);
    }
  scree_image_free(&m);
}

static void rectangles(void **state) {
  (void)state;
  const unsigned char color[3] = {10, 200, 60};
  static const int rows[][4] = {
      {2, 3, 8, 5}, {-4, -4, 3, 2}, {5, 5, 99, 99}, {0, 0, 0, 9}, {9, 2, 3, 8}, {-9, -9, -1, -1}};
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
    for (int part = 0; part < 3; part++) {
      scree_image m = {0};
      assert_int_equal(scree_image_create(10, 8, &m, NULL), SCREE_OK);
      scree_image_rectangle(&m, rows[n][0], rows[n][1], rows[n][2], rows[n][3], color, part / 2.0);
      for (int y = 0; y < 8; y++)
        for (int x = 0; x < 10; x++)
          for (int k = 0; k < 3; k++) {
            const bool in = x >= rows[n][0] && x < rows[n][2] && y >= rows[n][1] && y < rows[n][3];
            near_to(m.rgb[3 * (10 * y + x) + k], in ? 255 + part / 2.0 * (color[k] - 255) : 255, 0.51);
          }
      scree_image_free(&m);
    }
}

static void palettes(void **state) {
  (void)state;
  /* ends and middles, as published: viridis, magma, cividis of matplotlib; grey; diverging of Moreland */
  static const struct {
    const char *name;
    int stops, low[3], middle[3], high[3];
  } rows[] = {{"viridis", 9, {68, 1, 84}, {33, 144, 141}, {253, 231, 37}},
      {"magma", 9, {0, 0, 4}, {181, 54, 122}, {251, 253, 191}},
      {"cividis", 9, {0, 34, 78}, {112, 113, 115}, {254, 232, 56}},
      {"grey", 2, {32, 32, 32}, {138, 138, 138}, {244, 244, 244}},
      {"diverging", 5, {59, 76, 192}, {221, 221, 221}, {180, 4, 38}}};
  for (int p = 0; p < 5; p++) {
    unsigned char low[3], middle[3], high[3], under[3], over[3], nan[3], a[3], b[3], c[3];
    assert_string_equal(scree_palette_name(p), rows[p].name);
    scree_palette_color(p, 0, low), scree_palette_color(p, 0.5, middle), scree_palette_color(p, 1, high);
    scree_palette_color(p, -3, under), scree_palette_color(p, 7, over), scree_palette_color(p, NAN, nan);
    for (int k = 0; k < 3; k++) {
      assert_true(low[k] == rows[p].low[k] && middle[k] == rows[p].middle[k] && high[k] == rows[p].high[k]);
      assert_true(under[k] == low[k] && over[k] == high[k] && nan[k] == low[k]);
    }
    /* linear between two stops */
    for (int i = 0; i + 1 < rows[p].stops; i++) {
      const double step = 1.0 / (rows[p].stops - 1);
      scree_palette_color(p, i * step, a), scree_palette_color(p, (i + 1) * step, b),
          scree_palette_color(p, (i + 0.25) * step, c);
      for (int k = 0; k < 3; k++) near_to(c[k], a[k] + 0.25 * (b[k] - a[k]), 0.51);
    }
    scree_palette_color(9, 0.5, a), scree_palette_color(-1, 0.5, b);
    for (int k = 0; k < 3; k++) assert_true(a[k] == rows[0].middle[k] && b[k] == rows[0].middle[k]);
  }
  assert_null(scree_palette_name(5));
  assert_null(scree_palette_name(-1));
  for (int n = 0; n < 8; n++) {
    unsigned char own[3], again[3], other[3];
    scree_palette_group(n, own), scree_palette_group(n + 16, again);
    assert_memory_equal(own, again, 3);
    for (int k = 0; k < n; k++) scree_palette_group(k, other), assert_memory_not_equal(own, other, 3);
  }
  unsigned char blue[3];
  scree_palette_group(0, blue);
  assert_true(blue[0] == 0x3f && blue[1] == 0x8f && blue[2] == 0xc5);
}

/* ---- PNG ---- */

static int paeth(int a, int b, int c) {
  const int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* Each row of a PNG file has the differences of one of the filters 1, 2 and 4: the filter with the smallest
 * sum of differences. */
static void rows_of_png(void **state) {
  (void)state;
  enum { WIDTH = 23, HEIGHT = 17, BYTES = 3 * WIDTH };
  static const int kinds[3] = {1, 2, 4};
  static unsigned char file[9000], rows[(BYTES + 1) * HEIGHT];
  int used[5] = {0};
  sc_rng_seed(&rng, 67);
  scree_image m = {0};
  assert_int_equal(scree_image_create(WIDTH, HEIGHT, &m, NULL), SCREE_OK);
  for (int i = 0; i < BYTES * HEIGHT; i++) {
    const int y = i / BYTES, x = i % BYTES;
    const double smooth = 90 + 60 * (x / 3 > 8) + 60 * (y > 14) + draw(0, 2);
    m.rgb[i] = (unsigned char)(y < 5 ? x * 2 : y < 9 ? draw(0, 256) : y < 12 ? m.rgb[i - BYTES] : smooth);
  }
  char path[] = "/tmp/scree-details-XXXXXX";
  close(mkstemp(path));
  assert_int_equal(scree_image_write(&m, path, NULL), SCREE_OK);
  FILE *f = fopen(path, "rb");
  const size_t size = fread(file, 1, sizeof file, f);
  fclose(f);
  unlink(path);
  assert_memory_equal(file + 8, "\0\0\0\15IHDR\0\0\0\27\0\0\0\21\10\2\0\0\0", 21);
  uLongf room = sizeof rows;
  assert_int_equal(uncompress(rows, &room, file + 41, size - 57), Z_OK);
  assert_memory_equal(file + size - 12, "\0\0\0\0IEND\xae\x42\x60\x82", 12);
  for (int y = 0; y < HEIGHT; y++) {
    long least = LONG_MAX;
    int best = 0;
    for (int k = 0; k < 3; k++) {
      long sum = 0;
      for (int i = 0; i < BYTES; i++) {
        const unsigned char *at = m.rgb + y * BYTES + i;
        const int a = i >= 3 ? at[-3] : 0, b = y ? at[-BYTES] : 0, c = i >= 3 && y ? at[-BYTES - 3] : 0;
        sum += abs((signed char)(*at - (k == 0 ? a : k == 1 ? b : paeth(a, b, c))));
      }
      if (sum < least) least = sum, best = kinds[k];
    }
    const unsigned char *row = rows + y * (BYTES + 1);
    assert_int_equal(row[0], best);
    used[best]++;
    for (int i = 0; i < BYTES; i++) {
      const unsigned char *at = m.rgb + y * BYTES + i;
      const int a = i >= 3 ? at[-3] : 0, b = y ? at[-BYTES] : 0, c = i >= 3 && y ? at[-BYTES - 3] : 0;
      assert_int_equal(row[1 + i], (unsigned char)(*at - (best == 1 ? a : best == 2 ? b : paeth(a, b, c))));
    }
  }
  assert_true(used[1] && used[2] && used[4]);
  scree_image_free(&m);
  assert_true(!m.rgb && !m.width && !m.height);
  assert_int_equal(scree_image_create(1, 1, &m, NULL), SCREE_OK);
  assert_true(m.rgb[0] == 255 && m.rgb[1] == 255 && m.rgb[2] == 255);
  scree_image_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(strokes_of_letters), cmocka_unit_test(smooth_strokes),
      cmocka_unit_test(rectangles), cmocka_unit_test(palettes), cmocka_unit_test(rows_of_png)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
