/* Figures: every kind of mark, in every target; bad descriptions; a missing program; texts that look
 * like commands. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "io/export/plot.h"

enum { N = 60, NX = 30, NY = 13 };
static double xs[N], ys[N], half[N], radii[N], speed[N], field[NX * NY], ax[N], ay[N], au[N], av[N];
static const double box_x[] = {0.4, 0.5, 0.5, 0.4}, box_y[] = {0.3, 0.3, 0.5, 0.5};
static const double corner_x[] = {0, 0.2, 0.1, 0, NAN, 0.5, 0.7, 0.7, 0.5, NAN},
                    corner_y[] = {0, 0, 0.2, 0, NAN, 0, 0, 0.3, 0, NAN};

static void make_data(void) {
  for (int i = 0; i < N; i++) {
    xs[i] = i / (double)N, ys[i] = exp(-3 * xs[i]) * cos(12 * xs[i]), half[i] = 0.05 + 0.1 * xs[i];
    radii[i] = 0.01 + 0.01 * (i % 3), speed[i] = xs[i] * xs[i];
    ax[i] = (i % 10) / 10.0 + 0.05, ay[i] = (i / 10) / 14.0 + 0.03, au[i] = 1 - ay[i],
    av[i] = 0.3 * sin(7 * ax[i]);
  }
  for (int j = 0; j < NY; j++)
    for (int i = 0; i < NX; i++)
      field[j * NX + i] = hypot(i - 13.0, j - 6.0) < 2.5 ? NAN : hypot(i - 15.0, j - 6.0);
}

/* Four panels that use everything. */
static scree_plot rich(scree_plot_panel panels[4], scree_plot_series *s, scree_plot_arrows *a,
    scree_plot_shape *h, scree_plot_note *note) {
  make_data();
  *a = (scree_plot_arrows){.count = N, .x = ax, .y = ay, .u = au, .v = av};
  *h = (scree_plot_shape){.count = 4, .x = box_x, .y = box_y, .fill = "#bbbbbb", .line = "#222222"};
  *note = (scree_plot_note){0.5, 0.2, "note with 'quotes' and `backticks` $(id) max_dissipation", NULL, 0};
  s[0] = (scree_plot_series){.name = "law_a", .style = SCREE_PLOT_LINES, .count = N, .x = xs, .y = ys};
  s[1] = (scree_plot_series){
      .name = "measured", .style = SCREE_PLOT_POINTS, .count = N / 4, .x = xs, .y = half, .y2 = half};
  s[2] = (scree_plot_series){
      .name = "spread", .style = SCREE_PLOT_BAND, .count = N, .x = xs, .y = ys, .y2 = half};
  s[3] = (scree_plot_series){.name = "count", .style = SCREE_PLOT_BARS, .count = N, .x = xs, .y = speed};
  s[4] = (scree_plot_series){
      .name = "steps", .style = SCREE_PLOT_STEPS, .count = N, .x = xs, .y = half, .dashed = 1};
  s[5] = (scree_plot_series){
      .style = SCREE_PLOT_DISCS, .count = N, .x = xs, .y = ys, .radius = radii, .value = speed};
  s[6] = (scree_plot_series){
      .style = SCREE_PLOT_POLYGONS, .count = 10, .x = corner_x, .y = corner_y, .value = speed};
  panels[0] = (scree_plot_panel){.title = "field",
      .xlabel = "x [m]",
      .ylabel = "y [m]",
      .color_label = "speed [m/s]",
      .equal = 1,
      .image = {NX, NY, field, 0, 1, 0, 0.43},
      .arrows = a,
      .arrows_count = 1,
      .shapes = h,
      .shapes_count = 1,
      .notes = note,
      .notes_count = 1};
  panels[1] = (scree_plot_panel){.title = "curves",
      .xlabel = "time [s]",
      .ylabel = "u",
      .series = s,
      .series_count = 3,
      .ymax = 1,
      .ymin = -1};
  panels[2] = (scree_plot_panel){
      .title = "log", .xlabel = "μ", .ylog = 1, .legend = "top left", .series = s + 3, .series_count = 2};
  panels[3] = (scree_plot_panel){
      .title = "grains", .equal = 1, .series = s + 5, .series_count = 2, .palette = "magma"};
  return (scree_plot){
      .title = "Everything at once: 50 % 'quoted'", .panels = panels, .panels_count = 4, .columns = 2};
}

static void file_starts_with(const char *path, const char *start, size_t count) {
  char head[8] = {0};
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fread(head, 1, count, file), count);
  fclose(file);
  assert_memory_equal(head, start, count);
}

static void draws_png_svg_and_text(void **state) {
  (void)state;
  scree_plot_panel panels[4];
  scree_plot_series s[7];
  scree_plot_arrows a;
  scree_plot_shape h;
  scree_plot_note note;
  scree_plot plot = rich(panels, s, &a, &h, &note);
  scree_error error = {0};
  char folder[] = "/tmp/scree_plot_XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  const char *keep = getenv("SCREE_KEEP_FIGURES");
  snprintf(path, sizeof path, "%s/a.png", folder);
  assert_int_equal(scree_plot_write(&plot, path, &error), SCREE_OK);
  file_starts_with(path, "\x89PNG", 4);
  if (!keep) unlink(path);
  snprintf(path, sizeof path, "%s/a.svg", folder);
  assert_int_equal(scree_plot_write(&plot, path, &error), SCREE_OK);
  file_starts_with(path, "<?xml", 5);
  if (!keep) unlink(path);
  if (!keep) rmdir(folder);
  else print_message("figures in %s\n", folder);
  char *text;
  assert_int_equal(scree_plot_text(&plot, 90, 24, &text, &error), SCREE_OK);
  assert_non_null(strstr(text, "law_a"));
  if (keep) print_message("%s", text);
  scree_plot_text_free(text);
}

static void refuses_bad_descriptions(void **state) {
  (void)state;
  scree_plot_panel panels[4];
  scree_plot_series s[7];
  scree_plot_arrows a;
  scree_plot_shape h;
  scree_plot_note note;
  scree_plot plot = rich(panels, s, &a, &h, &note);
  scree_error error;
  assert_int_equal(scree_plot_write(&plot, "/tmp/scree.pdf", &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, ".png, .svg, .txt"));
  s[0].color = "blue";
  assert_int_equal(scree_plot_write(&plot, "/tmp/scree.png", &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "panels[2].series[1].color"));
  s[0].color = NULL, panels[1].palette = "jet";
  assert_int_equal(scree_plot_write(&plot, "/tmp/scree.png", &error), SCREE_E_ARGUMENT);
  panels[1].palette = NULL, s[2].y2 = NULL;
  assert_int_equal(scree_plot_write(&plot, "/tmp/scree.png", &error), SCREE_E_ARGUMENT);
  s[2].y2 = half, plot.panels_count = 0;
  assert_int_equal(scree_plot_write(&plot, "/tmp/scree.png", &error), SCREE_E_ARGUMENT);
  plot.panels_count = 4;
  assert_int_equal(scree_plot_write(&plot, "/nowhere/at/all.png", &error), SCREE_E_IO);
}

static void says_when_gnuplot_is_missing(void **state) {
  (void)state;
  sc_text script = {0}, picture = {0};
  scree_error error;
  sc_text_put(&script, "print 1\n");
  assert_int_equal(sc_plot_run("no-such-gnuplot", &script, &picture, &error), SCREE_E_MISSING);
  assert_non_null(strstr(error.text, "gnuplot-nox"));
  sc_text_free(&script);
  sc_text_free(&picture);
}

/* The font is a 56th of a panel's width, but at least 9 and at most 24 points. */
static void fonts_grow_with_panels(void **state) {
  (void)state;
  static const struct {
    int width, panels;
    const char *font;
  } cases[] = {{280, 1, "'DejaVu Sans,9'"}, {1120, 1, "'DejaVu Sans,20'"}, {1120, 2, "'DejaVu Sans,10'"},
      {2800, 1, "'DejaVu Sans,24'"}};
  scree_plot_panel panels[2] = {{0}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const scree_plot plot = {.panels = panels,
        .panels_count = cases[k].panels,
        .columns = cases[k].panels,
        .width = cases[k].width};
    sc_text script = {0};
    sc_plot_script(&plot, SC_PLOT_SVG, 80, 24, &script);
    assert_non_null(strstr(script.data, cases[k].font));
    sc_text_free(&script);
  }
}

static void quotes_texts(void **state) {
  (void)state;
  sc_text t = {0};
  sc_text_quote(&t, "a'b\n`x` \"y\"");
  assert_string_equal(t.data, "'a''b `x` \"y\"'");
  sc_text_free(&t);
}

static void draws_empty_and_constant_data(void **state) {
  (void)state;
  double x[2] = {1, 1}, y[2] = {2, 2}, nan[2] = {NAN, NAN};
  scree_plot_series s[3] = {{.style = SCREE_PLOT_LINES},
      {.style = SCREE_PLOT_POINTS, .count = 2, .x = x, .y = y},
      {.style = SCREE_PLOT_LINES, .count = 2, .x = x, .y = nan}};
  scree_plot_panel panels[3] = {{.series = s, .series_count = 1},
      {.series = s + 1, .series_count = 1, .equal = 1}, {.series = s + 1, .series_count = 2}};
  scree_plot plot = {.panels = panels, .panels_count = 3};
  scree_error error = {0};
  char *text;
  if (scree_plot_text(&plot, 60, 12, &text, &error)) fail_msg("%s", error.text);
  scree_plot_text_free(text);
}

/* Numbers of the first block of data of a script, two columns. */
static int read_block(const sc_text *script, double (*out)[2], int most) {
  int count = 0, used;
  const char *at = strchr(script->data, '\n') + 1;
  while (count < most && sscanf(at, "%lf %lf%n", out[count], out[count] + 1, &used) == 2)
    at += used + 1, count++;
  return count;
}

/* A curve of 10^5 points is thinned, and its peaks, its ends and its long gap stay. */
static void thins_long_curves(void **state) {
  (void)state;
  enum { LONG = 100000, MOST = 20000 };
  static double x[LONG], y[LONG], out[MOST][2];
  for (int i = 0; i < LONG; i++) x[i] = i, y[i] = i % 7;
  y[54321] = 100, y[777] = -50;
  for (int i = 70001; i < 80001; i++) y[i] = NAN;
  scree_plot_series s = {.style = SCREE_PLOT_LINES, .count = LONG, .x = x, .y = y};
  scree_plot_panel panel = {.series = &s, .series_count = 1};
  scree_plot plot = {.panels = &panel, .panels_count = 1};
  sc_text script = {0};
  sc_plot_script(&plot, SC_PLOT_PNG, 80, 24, &script);
  const int count = read_block(&script, out, MOST);
  assert_true(count > 5000 && count < 12600);
  int peaks = 0, gaps = 0;
  for (int i = 0; i < count; i++) {
    peaks += out[i][0] == 54321 && out[i][1] == 100;
    peaks += out[i][0] == 777 && out[i][1] == -50;
    gaps += i > 0 && isnan(out[i][1]) && out[i - 1][0] == 70000 && out[i + 1][0] == 80001;
    assert_true(isnan(out[i][1]) || y[(int)out[i][0]] == out[i][1]);
  }
  assert_true(peaks == 2 && gaps == 1 && out[0][0] == 0 && out[count - 1][0] == LONG - 1);
  sc_text_free(&script);
  x[500] = 0, script = (sc_text){0}; // x falls: all points stay
  sc_plot_script(&plot, SC_PLOT_PNG, 80, 24, &script);
  assert_int_equal(read_block(&script, out, MOST), MOST);
  sc_text_free(&script);
}

/* A thinned curve has of each of 2500 columns the first, lowest, highest and last point, and the last
 * gap, on linear and logarithmic axes, with and without limits. */
static void thinned_curves(void **state) {
  (void)state;
  enum { LONG = 30000, COLUMNS = 2500 };
  static double x[LONG], y[LONG];
  for (int log_x = 0; log_x < 2; log_x++)
    for (int limits = 0; limits < 2; limits++) {
      sc_text text = {0}, wanted = {0};
      for (int i = 0; i < LONG; i++) {
        x[i] = log_x ? pow(10, -2 + 5.0 * i / LONG) : 3 + 0.5 * i + 0.2 * (i % 3);
        y[i] = i % 997 == 5 ? NAN : sin(0.01 * i) * (i % 31);
      }
      const scree_plot_series s = {.count = LONG, .x = x, .y = y};
      const scree_plot_panel p = {.xlog = log_x, .xmin = limits ? x[2000] : 0, .xmax = limits ? x[25000] : 0};
      assert_true(sc_plot_put_thinned(&text, &p, &s));
      const double low = limits ? x[2000] : x[0], high = limits ? x[25000] : x[LONG - 1];
      for (int begin = 0, end; begin < LONG; begin = end) {
        int own = -2, keep[5], count = 0, least = -1, most = -1, first = -1, last = -1, gap = -1;
        for (end = begin; end < LONG; end++) {
          if (isnan(y[end])) {
            gap = end; /* belongs to the column before it */
            continue;
          }
          const double at = log_x ? (log(x[end]) - log(low)) / (log(high) - log(low))
                                  : (x[end] - low) / (high - low);
          const int column = at < 0 ? -1 : at > 1 ? COLUMNS : at == 1 ? COLUMNS - 1 : (int)(at * COLUMNS);
          if (own == -2) own = column;
          if (column != own) break;
          if (first < 0) first = least = most = end;
          if (y[end] < y[least]) least = end;
          if (y[end] > y[most]) most = end;
          last = end;
        }
        const int list[5] = {first, least, most, last, gap};
        for (int i = begin; i < end; i++)
          for (int k = 0; k < 5; k++)
            if (list[k] == i && (!count || keep[count - 1] != i)) keep[count++] = i;
        for (int k = 0; k < count; k++)
          if (isnan(y[keep[k]])) sc_text_put(&wanted, "NaN NaN\n");
          else sc_text_put(&wanted, "%.9g %.9g\n", x[keep[k]], y[keep[k]]);
      }
      assert_string_equal(text.data, wanted.data);
      sc_text_free(&text), sc_text_free(&wanted);
    }
  /* what is not thinned */
  scree_plot_series s = {.count = SC_PLOT_THICK, .x = x, .y = y};
  scree_plot_panel p = {.xlog = 1};
  sc_text text = {0};
  assert_false(sc_plot_put_thinned(&text, &p, &s));
  s.count++;
  for (int k = 0; k < 8; k++) {
    scree_plot_series own = s;
    if (k == 0) own.y2 = y;
    if (k == 1) own.value = y;
    if (k == 2) own.radius = y;
    if (k == 3) own.style = SCREE_PLOT_POINTS;
    if (k == 4) own.style = SCREE_PLOT_LINES_POINTS;
    if (k == 5) own.style = SCREE_PLOT_BARS;
    if (k == 6) own.y = own.x, p.ylog = 1, x[0] = -1; /* not drawable: left out */
    if (k == 7) x[5000] = x[4999] * 0.999;
    assert_int_equal(sc_plot_put_thinned(&text, &p, &own), k == 6);
    p.ylog = 0;
  }
  x[5000] = x[4999];
  s.style = SCREE_PLOT_STEPS;
  assert_true(sc_plot_put_thinned(&text, &p, &s));
  sc_text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(draws_png_svg_and_text),
      cmocka_unit_test(refuses_bad_descriptions),
      cmocka_unit_test(says_when_gnuplot_is_missing),
      cmocka_unit_test(fonts_grow_with_panels),
      cmocka_unit_test(quotes_texts),
      cmocka_unit_test(draws_empty_and_constant_data),
      cmocka_unit_test(thins_long_curves),
      cmocka_unit_test(thinned_curves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
