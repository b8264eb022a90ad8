/* Tests the script for gnuplot, option by option: data, ranges, sizes, tics, legends, colours and the plot
 * command. The expected text follows gnuplot's manual. Also tests every error in a description. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "io/export/plot.h"

static sc_text script;

static void write_script(const scree_plot *plot, sc_plot_target target) {
  sc_text_free(&script);
  sc_plot_script(plot, target, 80, 24, &script);
  assert_false(script.failed);
}
static void write_panel(const scree_plot_panel *panel, sc_plot_target target) {
  write_script(&(scree_plot){.panels = panel, .panels_count = 1, .width = 1000}, target);
}

__attribute__((format(printf, 1, 2))) static void has(const char *format, ...) {
  char text[2000];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (!strstr(script.data, text)) print_error("no '%s' in:\n%s\n", text, script.data);
  assert_non_null(strstr(script.data, text));
}
static void lacks(const char *text) {
  if (strstr(script.data, text)) print_error("'%s' in:\n%s\n", text, script.data);
  assert_null(strstr(script.data, text));
}

static const double x3[3] = {1, 2.5, -4}, y3[3] = {10, NAN, 30}, z3[3] = {0.125, 7, INFINITY};

/* ---- data ---- */

static void data_of_series(void **state) {
  (void)state;
  scree_plot_series s = {.count = 3, .x = x3, .y = y3};
  const scree_plot_panel p = {.series = &s, .series_count = 1};
  write_panel(&p, SC_PLOT_PNG);
  has("$p1s0 << EOD\n1 10\n2.5 NaN\n-4 30\nEOD\n");
  s.y2 = z3;
  for (s.style = SCREE_PLOT_LINES; s.style <= SCREE_PLOT_BAND; s.style++) {
    write_panel(&p, SC_PLOT_PNG);
    has("$p1s0 << EOD\n1 10 0.125\n2.5 NaN 7\n-4 30 NaN\nEOD\n");
  }
  s.style = SCREE_PLOT_POINTS, s.value = x3;
  write_panel(&p, SC_PLOT_PNG);
  has("$p1s0 << EOD\n1 10 0.125 1\n2.5 NaN 7 2.5\n-4 30 NaN -4\nEOD\n");
  s.style = SCREE_PLOT_DISCS, s.radius = z3;
  write_panel(&p, SC_PLOT_PNG);
  has("$p1s0 << EOD\n1 10 0.125 1\n2.5 NaN 7 2.5\n-4 30 NaN -4\nEOD\n");
  s.value = NULL;
  write_panel(&p, SC_PLOT_PNG);
  has("$p1s0 << EOD\n1 10 0.125\n2.5 NaN 7\n-4 30 NaN\nEOD\n");
  s.style = SCREE_PLOT_POLYGONS, s.radius = NULL, s.y2 = NULL;
  write_panel(&p, SC_PLOT_PNG);
  has("$p1s0 << EOD\n1 10\n\n-4 30\nEOD\n");
  s.value = x3;
  write_panel(&p, SC_PLOT_PNG);
  has("$p1s0 << EOD\n1 10 1\n\n-4 30 -4\nEOD\n");
  /* several panels and series have names of their own */
  const scree_plot_series two[2] = {{.count = 1, .x = x3, .y = y3}, {.count = 1, .x = z3, .y = y3}};
  const scree_plot_panel panels[2] = {
      {.series = two, .series_count = 2}, {.series = two + 1, .series_count = 1}};
  write_script(&(scree_plot){.panels = panels, .panels_count = 2}, SC_PLOT_SVG);
  has("$p1s0 << EOD\n1 10\nEOD\n$p1s1 << EOD\n0.125 10\nEOD\n$p2s0 << EOD\n0.125 10\nEOD\n");
}

static void data_of_images_shapes_and_arrows(void **state) {
  (void)state;
  const double value[6] = {1, 2, NAN, 4, -5.5, 6}, u[4] = {3, 0, 0, 1}, v[4] = {4, 0, NAN, 0},
               ax[4] = {0, 1, 4, 2}, ay[4] = {0, 9, 4, 9};
  scree_plot_shape shapes[3] = {{.count = 3, .x = x3, .y = z3, .fill = "#112233"},
      {.count = 1, .x = x3, .y = y3, .radius = 0.5, .line = "#445566"}, {.count = 0, .fill = "#112233"}};
  scree_plot_arrows arrows[2] = {{.count = 4, .x = ax, .y = ay, .u = u, .v = v},
      {.count = 2, .x = ax, .y = ay, .u = u, .v = v, .scale = 0.25, .color = "#abcdef"}};
  scree_plot_panel p = {.image = {3, 2, value, -1, 2, 10, 30},
      .shapes = shapes,
      .shapes_count = 3,
      .arrows = arrows,
      .arrows_count = 2};
  write_panel(&p, SC_PLOT_PNG);
  has("$p1image << EOD\n1 2 NaN\n4 -5.5 6\nEOD\n$p1h0 << EOD\n1 0.125\n2.5 7\n-4 NaN\n1 0.125\nEOD\n$p1h1 << "
      "EOD\n1 10 0.5\nEOD\n$p1h2 << EOD\nEOD\n");
  /* the longest arrow, of length 5, is 1.6 times the mean distance of 4 arrows in 4 x 9 */
  const double scale = 1.6 * sqrt(4.0 * 9 / 4) / 5;
  has("$p1a0 << EOD\n0 0 %.9g %.9g\n2 9 %.9g 0\nEOD\n$p1a1 << EOD\n0 0 0.75 1\nEOD\n", 3 * scale, 4 * scale,
      scale);
  has("plot $p1image using (-1+1*($1+0.5)):(10+10*($2+0.5)):3 matrix with image notitle, \\\n"
      "  $p1h0 with filledcurves closed fillstyle solid 1 noborder fillcolor rgb '#112233' notitle, \\\n"
      "  $p1h1 with circles fillstyle empty border linewidth 1.4 linecolor rgb '#445566' notitle, \\\n"
      "  $p1a0 with vectors head filled size screen 0.006,18 linewidth 1 linecolor rgb '#222222' notitle, "
      "\\\n"
      "  $p1a1 with vectors head filled size screen 0.006,18 linewidth 1 linecolor rgb '#abcdef' notitle\n");
  shapes[0].line = "#000001", shapes[1].fill = "#000002", p.shapes_count = 2, p.arrows_count = 0;
  write_panel(&p, SC_PLOT_SVG);
  has("matrix with image pixels notitle, \\\n  $p1h0 with filledcurves closed fillstyle solid 1 noborder "
      "fillcolor rgb '#112233' notitle, \\\n"
      "  $p1h0 with lines linewidth 1.4 linecolor rgb '#000001' notitle, \\\n  $p1h1 with circles fillstyle "
      "solid 1 noborder fillcolor rgb '#000002' notitle, \\\n  $p1h1 with circles fillstyle empty");
  write_panel(&p, SC_PLOT_CHARACTERS); /* characters show no colours */
  lacks("with image");
  has("plot $p1h0 with filledcurves");
  /* arrows in a line, and a single one */
  scree_plot_arrows line = {.count = 2, .x = ax + 2, .y = ax + 2, .u = u, .v = ax};
  for (int n = 1; n <= 2; n++) {
    const double along[2] = {0, 6}, same[2] = {5, 5}, w[2] = {2, -4}, none[2] = {0, 0};
    line = (scree_plot_arrows){.count = n, .x = along, .y = same, .u = none, .v = w};
    write_panel(&(scree_plot_panel){.arrows = &line, .arrows_count = 1}, SC_PLOT_PNG);
    if (n == 2) has("EOD\n0 5 0 %.9g\n6 5 0 %.9g\nEOD", 2 * 1.6 * 6 / 4, -4 * 1.6 * 6 / 4);
    else has("EOD\n0 5 0 2\nEOD");
  }
}

/* ---- the plot command ---- */

static void commands_of_styles(void **state) {
  (void)state;
  static const char *const plain[SCREE_PLOT_STYLES] = {"lines linewidth 2 dashtype 1 linecolor rgb '#0072b2'",
      "points linewidth 1.2 dashtype 1 pointtype 7 pointsize 0.8 linecolor rgb '#0072b2'",
      "linespoints linewidth 2 dashtype 1 pointtype 7 pointsize 0.8 linecolor rgb '#0072b2'",
      "steps linewidth 2 dashtype 1 linecolor rgb '#0072b2'",
      "boxes fillstyle solid 0.8 noborder linecolor rgb '#0072b2'",
      "filledcurves fillstyle transparent solid 0.22 noborder fillcolor rgb '#0072b2'",
      "circles fillstyle solid 1 border rgb '#ffffff' linewidth 0.5 linecolor rgb '#0072b2'",
      "polygons fillstyle solid 1 noborder linecolor rgb '#0072b2'"};
  static const char *const barred[SCREE_PLOT_STYLES] = {"yerrorlines", "yerrorbars", "yerrorlines",
      "yerrorbars", "boxerrorbars", "filledcurves", "circles", "polygons"};
  static const char *const edges =
      ", \\\n  $p1s0 using 1:2 with lines linewidth %s linecolor rgb '%s' notitle";
  for (int style = 0; style < SCREE_PLOT_STYLES; style++) {
    scree_plot_series s = {.style = style, .count = 3, .x = x3, .y = y3, .radius = z3};
    const scree_plot_panel p = {.series = &s, .series_count = 1};
    const bool area = style == SCREE_PLOT_DISCS || style == SCREE_PLOT_POLYGONS,
               fills = style == SCREE_PLOT_POLYGONS;
    char tail[200] = "";
    if (style == SCREE_PLOT_BAND) s.y2 = z3;
    if (fills) snprintf(tail, sizeof tail, edges, "0.8", "#a8a8a8");
    write_panel(&p, SC_PLOT_PNG);
    has("plot $p1s0 with %s notitle%s\n", plain[style], tail);
    s.name = "it's", s.color = "#123456", s.width = 2.5, s.dashed = 1;
    write_panel(&p, SC_PLOT_PNG);
    has("#123456' title 'it''s'%s\n", tail);
    if (style < SCREE_PLOT_BARS) has(" linewidth %s dashtype 2 ", style == SCREE_PLOT_POINTS ? "1.2" : "5");
    if (style == SCREE_PLOT_POINTS || style == SCREE_PLOT_LINES_POINTS) has(" pointtype 7 pointsize 2 ");
    s.y2 = z3;
    write_panel(&p, SC_PLOT_PNG);
    has("plot $p1s0 with %s ", barred[style]);
    s.value = x3;
    write_panel(&p, SC_PLOT_PNG);
    if (fills) snprintf(tail, sizeof tail, edges, "0.5", "#ffffff");
    if (area || style == SCREE_PLOT_POINTS) has(" linecolor palette title 'it''s'%s\n", tail);
    else has("#123456' title 'it''s'\n");
    if (style == SCREE_PLOT_POINTS) has("plot $p1s0 with points ");
    s.count = 0;
    write_panel(&p, SC_PLOT_PNG);
    has("plot NaN notitle\n");
    assert_string_equal(scree_plot_style_name(style),
        ((const char *[]){
            "lines", "points", "lines_points", "steps", "bars", "band", "discs", "polygons"})[style]);
  }
  assert_null(scree_plot_style_name(-1));
  assert_null(scree_plot_style_name(SCREE_PLOT_STYLES));
}

/* Bands lie below all shapes and curves; colours and symbols follow the number of the series, and
 * repeat. */
static void order_and_cycle(void **state) {
  (void)state;
  static const char *const colors[8] = {
      "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#444444", "#a6761d"};
  static const int symbols[8] = {7, 5, 9, 13, 11, 6, 4, 8};
  scree_plot_series s[10];
  const scree_plot_shape shape = {.count = 3, .x = x3, .y = z3, .fill = "#ffffff"};
  for (int i = 0; i < 10; i++)
    s[i] = (scree_plot_series){.style = i == 7 ? SCREE_PLOT_BAND : SCREE_PLOT_POINTS,
        .count = 1,
        .x = x3,
        .y = y3,
        .y2 = i == 7 ? y3 : NULL};
  write_panel(
      &(scree_plot_panel){.series = s, .series_count = 10, .shapes = &shape, .shapes_count = 1}, SC_PLOT_SVG);
  has("plot $p1s7 with filledcurves");
  has("fillcolor rgb '%s' notitle, \\\n  $p1h0 with filledcurves", colors[7]);
  has("notitle, \\\n  $p1s0 with points");
  for (int i = 0; i < 10; i++)
    if (i != 7)
      has("$p1s%d with points linewidth 1.2 dashtype 1 pointtype %d pointsize 0.8 linecolor rgb '%s'", i,
          symbols[i % 8], colors[i % 8]);
}

/* ---- settings ---- */

static void words_of_panels(void **state) {
  (void)state;
  static const char *const places[] = {"top right", "top left", "bottom right", "bottom left"};
  scree_plot_series s = {.count = 1, .x = x3, .y = y3, .name = "a"};
  scree_plot_note notes[3] = {
      {1.5, -2, "left\tnote", NULL, -1}, {0, 1e-9, "mid", "#00ff00", 0}, {3, 4, "right", NULL, 1}};
  scree_plot_panel p = {.title = "ti'tle",
      .xlabel = "x [m]",
      .ylabel = "y [%]",
      .series = &s,
      .series_count = 1,
      .notes = notes,
      .notes_count = 3};
  write_panel(&p, SC_PLOT_PNG);
  has("set title 'ti''tle' textcolor rgb '#111111'\nset xlabel 'x [m]' textcolor rgb '#333333'\nset ylabel "
      "'y [%%]' textcolor rgb '#333333'\n");
  has("set label 'left note' at 1.5,-2 left front textcolor rgb '#111111'\nset label 'mid' at 0,1e-09 center "
      "front textcolor rgb '#00ff00'\nset label 'right' at 3,4 right front");
  has("set key top right Left reverse samplen 1.6 spacing 1.15 opaque fillcolor rgb '#f8ffffff' textcolor "
      "rgb '#333333'\n");
  lacks("logscale"), lacks("size ratio"), lacks("cblabel");
  has("set border 3 linewidth 0.8 linecolor rgb '#888888'\nset tics scale 0.5 textcolor rgb '#333333'\nset "
      "grid linecolor rgb '#e4e4e4' linewidth 0.8 linetype 1\n");
  for (int k = 0; k < 4; k++) {
    p.legend = places[k];
    write_panel(&p, SC_PLOT_PNG);
    has("set key %s Left reverse", places[k]);
  }
  p.legend = "outside";
  write_panel(&p, SC_PLOT_PNG);
  has("set key outside right top Left reverse samplen 1.6 spacing 1.15 textcolor rgb '#333333'\n");
  p.legend = "none";
  write_panel(&p, SC_PLOT_PNG);
  has("unset key\n"), lacks("\nset key");
  p.legend = NULL, s.name = NULL, p.xlog = 1;
  write_panel(&p, SC_PLOT_PNG);
  has("unset key\n"), has("set logscale x\n"), lacks("logscale y");
  p.xlog = 0, p.ylog = 1, p.equal = 1;
  write_panel(&p, SC_PLOT_PNG);
  has("set logscale y\nset size ratio -1\n"), lacks("logscale x");
  write_panel(&p, SC_PLOT_CHARACTERS);
  lacks("size ratio"), lacks("set border"), lacks("set grid"), lacks("multiplot");
  has("set terminal dumb noenhanced size 80,24\n");
}

static void colours_of_panels(void **state) {
  (void)state;
  static const char *const palettes[][2] = {
      {"viridis",
          "0 '#440154', 1 '#472c7a', 2 '#3b518b', 3 '#2c718e', 4 '#21908d', 5 '#27ad81', 6 '#5cc863', 7 "
          "'#aadc32', 8 '#fde725'"},
      {"magma",
          "0 '#000004', 1 '#1c1044', 2 '#4f127b', 3 '#812581', 4 '#b5367a', 5 '#e55964', 6 '#fb8761', 7 "
          "'#fec287', 8 '#fbfdbf'"},
      {"grey", "0 '#202020', 1 '#f4f4f4'"},
      {"diverging", "0 '#3b4cc0', 1 '#8db0fe', 2 '#dddddd', 3 '#f4987a', 4 '#b40426'"}};
  scree_plot_series s = {.style = SCREE_PLOT_POINTS, .count = 3, .x = x3, .y = y3};
  scree_plot_panel p = {
      .series = &s, .series_count = 1, .color_min = 2, .color_max = 5, .color_label = "speed"};
  for (int k = 0; k < 4; k++) {
    p.palette = palettes[k][0];
    write_panel(&p, SC_PLOT_PNG);
    has("set palette defined (%s)\nunset colorbox\n", palettes[k][1]);
    lacks("cbrange"), lacks("cblabel");
  }
  p.palette = NULL, s.value = z3;
  write_panel(&p, SC_PLOT_PNG);
  has("set palette defined (%s)\nset colorbox noborder\nset cbtics scale 0.4 textcolor rgb '#333333'\nset "
      "cbrange [2:5]\nset cblabel 'speed' textcolor rgb '#333333'\n",
      palettes[0][1]);
  p.color_max = 2, p.color_label = NULL;
  write_panel(&p, SC_PLOT_PNG);
  lacks("cbrange"), lacks("cblabel");
  s.count = 0;
  write_panel(&p, SC_PLOT_PNG);
  has("unset colorbox\n");
  const double value[2] = {1, 2};
  write_panel(&(scree_plot_panel){.image = {2, 1, value, 0, 2, 0, 1}}, SC_PLOT_PNG);
  has("set colorbox noborder\n"), has("set border 15 "), lacks("set grid");
}

/* Tests ranges: the caller's ranges count. With one scale for both axes the ranges are those of all data plus
 * 2 % of the longer side. */
static void ranges(void **state) {
  (void)state;
  static const double sx[2] = {1, 5}, sy[2] = {2, 4}, low[2] = {-3, NAN}, r[2] = {0.5, 2}, hx[1] = {9},
                      hy[1] = {3}, tri[3] = {0, 8, 4};
  scree_plot_series s = {.count = 2, .x = sx, .y = sy, .y2 = low, .radius = r};
  scree_plot_shape shape = {.count = 1, .x = hx, .y = hy, .radius = 1.5},
                   triangle = {.count = 3, .x = tri, .y = tri, .radius = 50};
  scree_plot_arrows arrows = {.count = 1, .x = hx, .y = low, .u = hx, .v = hx};
  const struct {
    scree_plot_panel p;
    int style;
    double want[4];
  } rows[] = {{{.series = &s, .series_count = 1}, SCREE_PLOT_LINES, {1, 5, 2, 4}},
      {{.series = &s, .series_count = 1}, SCREE_PLOT_BAND, {1, 5, -3, 4}},
      {{.series = &s, .series_count = 1}, SCREE_PLOT_DISCS, {0.5, 7, 1.5, 6}},
      {{.series = &s, .series_count = 1, .shapes = &shape, .shapes_count = 1}, 0, {1, 10.5, 1.5, 4.5}},
      {{.shapes = &triangle, .shapes_count = 1}, 0, {0, 8, 0, 8}},
      {{.series = &s, .series_count = 1, .arrows = &arrows, .arrows_count = 1}, 0, {1, 9, -3, 4}}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    scree_plot_panel p = rows[k].p;
    const double *e = rows[k].want, pad = 0.02 * fmax(e[1] - e[0], e[3] - e[2]);
    s.style = rows[k].style;
    write_panel(&p, SC_PLOT_PNG);
    lacks("set xrange"), lacks("set yrange");
    p.equal = 1;
    write_panel(&p, SC_PLOT_PNG);
    has("set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", e[0] - pad, e[1] + pad, e[2] - pad, e[3] + pad);
    p.xmin = -7, p.xmax = 7;
    write_panel(&p, SC_PLOT_PNG);
    const double wide = 0.02 * fmax(14, e[3] - e[2]);
    has("set xrange [-7:7]\nset yrange [%.9g:%.9g]\n", e[2] - wide, e[3] + wide);
    p.equal = 0, p.ymin = 0.5, p.ymax = 1;
    write_panel(&p, SC_PLOT_PNG);
    has("set xrange [-7:7]\nset yrange [0.5:1]\n");
  }
  s.style = 0;
  /* an image fills its panel; a point gets a margin of 1; nothing gets 0 to 1 */
  const double value[2] = {1, 2};
  scree_plot_panel image = {.image = {2, 1, value, -2, 6, 3, 7}, .series = &s, .series_count = 1};
  write_panel(&image, SC_PLOT_PNG);
  has("set xrange [-2:6]\nset yrange [2:7]\n");
  s.count = 1;
  scree_plot_panel point = {.series = &s, .series_count = 1, .equal = 1};
  write_panel(&point, SC_PLOT_PNG);
  has("set xrange [0:2]\nset yrange [1:3]\n");
  s.count = 0;
  write_panel(&point, SC_PLOT_PNG);
  has("set xrange [0:1]\nset yrange [0:1]\n");
  point.equal = 0, point.xmin = 3, point.xmax = 4;
  write_panel(&point, SC_PLOT_PNG);
  has("set xrange [0:1]\nset yrange [0:1]\n");
}

/* ---- sizes ---- */

static void heights(void **state) {
  (void)state;
  static const double wx[2] = {0, 4}, wy[2] = {0, 1}, flat[2] = {0, 1e-3}, tall[2] = {0, 99};
  scree_plot_series s = {.count = 2, .x = wx, .y = wy};
  scree_plot_panel p = {.series = &s, .series_count = 1};
  write_panel(&p, SC_PLOT_PNG);
  has("set terminal pngcairo noenhanced size 1000,620 background rgb '#ffffff' font 'DejaVu Sans,%.3g' "
      "linewidth 1.2\nset multiplot\n",
      0.75 * 1000 / 56.0);
  p.aspect = 0.31;
  write_panel(&p, SC_PLOT_SVG);
  has("set terminal svg noenhanced size 1000,310 background rgb '#ffffff' font 'DejaVu Sans,%.3g' linewidth "
      "1.2\n",
      1000 / 56.0);
  p.aspect = 0, p.equal = 1;
  write_panel(&p, SC_PLOT_PNG);
  has("size 1000,310 "); /* 880 / 4 + 90 */
  p.title = "t";
  write_panel(&p, SC_PLOT_PNG);
  has("size 1000,340 "); /* 880 / 4 + 120 */
  s.value = wy;
  write_panel(&p, SC_PLOT_PNG);
  has("size 1000,317 "); /* 790 / 4 + 120 */
  s.y = flat;
  write_panel(&p, SC_PLOT_PNG);
  has("size 1000,250 ");
  s.y = tall;
  write_panel(&p, SC_PLOT_PNG);
  has("size 1000,1600 ");
  s.x = wy, s.count = 1;
  write_panel(&p, SC_PLOT_PNG);
  has("size 1000,620 ");
  /* rows are as high as their highest panel; a title needs 44 pixels more; origins count from below */
  const scree_plot_panel many[5] = {
      {.aspect = 0.5}, {.aspect = 1}, {.aspect = 0.25}, {.aspect = 0.75}, {.aspect = 2}};
  scree_plot plot = {.panels = many, .panels_count = 5, .columns = 2, .width = 800, .title = "all"};
  write_script(&plot, SC_PLOT_PNG);
  const double rows[3] = {400, 300, 800}, whole = 1500 + 44;
  has("size 800,1544 "), has("set multiplot title 'all' font ',%.3g'\n", 0.95 * 9);
  for (int k = 0; k < 5; k++) {
    const int row = k / 2;
    const double own = fmin(1.25 * (int)(many[k].aspect * 400), rows[row]);
    double top = whole - 44;
    for (int i = 0; i <= row; i++) top -= rows[i];
    has("set origin %.9g,%.9g\nset size 0.5,%.9g\n", k % 2 / 2.0, (top + 0.5 * (rows[row] - own)) / whole,
        own / whole);
  }
  plot.width = 0, plot.title = NULL;
  write_script(&plot, SC_PLOT_SVG);
  has("size 1800,"), has("set multiplot\n"), has("unset multiplot\n");
  plot.columns = 0;
  write_script(&plot, SC_PLOT_SVG);
  has("size 900,4050 ");
}

/* Tests distances of tics with one scale for both axes: 1, 2 or 5 times a power of ten, at least 70 pixels
 * along x and 34 pixels along y. There are at most 10 tics along x and 8 tics along y. */
static void distances_of_tics(void **state) {
  (void)state;
  for (int k = 0; k < 60; k++) {
    const double high = pow(1.31, k - 30), wide = high * (0.3 + 0.1 * (k % 40)), ex[2] = {0, wide},
                 ey[2] = {0, high};
    scree_plot_series s = {.count = 2, .x = ex, .y = ey, .value = k % 2 ? ex : NULL};
    scree_plot_panel p = {.series = &s, .series_count = 1, .equal = 1, .color_max = k % 4 == 1 ? 3 : 0};
    char text[40], found[3][40] = {"", "", ""};
    double step[3] = {0};
    write_panel(&p, SC_PLOT_PNG);
    static const char *const names[3] = {"set xtics ", "set ytics ", "set cbtics "};
    for (int i = 0; i < 3; i++) {
      const char *at = script.data;
      while ((at = strstr(at, names[i])) && !(at[strlen(names[i])] >= '0' && at[strlen(names[i])] <= '9'))
        at++;
      if (at) sscanf(at + strlen(names[i]), "%39s", found[i]), step[i] = atof(found[i]);
      if (!at) continue;
      const double unit = pow(10, floor(log10(step[i]) + 1e-9)), digit = step[i] / unit;
      assert_true(fabs(digit - 1) < 1e-6 || fabs(digit - 2) < 1e-6 || fabs(digit - 5) < 1e-6);
    }
    const double left = 1000 - (s.value ? 210 : 120), rows = fmin(fmax(left * high / wide + 90, 250), 1600),
                 scale = fmin(left / wide, fmax((int)rows - 90, 20) / high), lengths[3] = {wide, high, 3},
                 most[3] = {fmax(1, fmin(10, scale * wide / 70)), fmax(1, fmin(8, scale * high / 34)),
                     fmax(1, scale * high / 40)};
    for (int i = 0; i < 3; i++) {
      const bool is_there = i < 2 || (s.value && p.color_max > 0 && scale * high < 220);
      assert_int_equal(*found[i] != 0, is_there);
      if (!is_there) continue;
      /* no finer step would do */
      assert_true(lengths[i] / step[i] <= most[i] * (1 + 1e-6));
      const double unit = pow(10, floor(log10(step[i]) + 1e-9)), digit = step[i] / unit,
                   finer = digit < 1.5 ? unit / 2
          : digit < 3                  ? unit
                                       : 2 * unit;
      assert_true(lengths[i] / finer > most[i] * (1 - 1e-6));
    }
    snprintf(text, sizeof text, "%.9g", step[0]);
    assert_string_equal(text, found[0]);
  }
  const double e[2] = {0, 1};
  const scree_plot_series s = {.count = 2, .x = e, .y = e};
  write_panel(&(scree_plot_panel){.series = &s, .series_count = 1}, SC_PLOT_PNG);
  lacks("set xtics"), lacks("set ytics");
}

/* ---- mistakes ---- */

static void mistakes(void **state) {
  (void)state;
  static const double value[1] = {1};
  for (int n = 0; n < 26; n++) {
    scree_plot_series s[2] = {{.count = 3, .x = x3, .y = y3}, {.count = 3, .x = x3, .y = y3}};
    scree_plot_arrows a[2] = {{.color = "#00aaFF"}, {0}};
    scree_plot_shape h[2] = {{.fill = "#000000"}, {0}};
    scree_plot_note note[2] = {{.text = ""}, {.text = ""}};
    scree_plot_panel p[2] = {{0},
        {.series = s,
            .series_count = 2,
            .arrows = a,
            .arrows_count = 2,
            .shapes = h,
            .shapes_count = 2,
            .notes = note,
            .notes_count = 2}};
    scree_plot plot = {.panels = p, .panels_count = 2};
    scree_error error = {SCREE_OK, ""};
    const char *reason = "";
    char *text;
    if (n == 0) plot.panels_count = 0, reason = "a figure needs at least one panel";
    if (n == 1) plot.panels = NULL, reason = "a figure needs at least one panel";
    if (n == 2) plot.columns = 3, reason = "a figure of 2 panels cannot have 3 columns";
    if (n == 3) plot.columns = -1, reason = "cannot have -1 columns";
    if (n == 4) plot.width = 20001, reason = "width must lie in [0, 20000] pixels, not 20001";
    if (n == 5) plot.width = -1, reason = "not -1";
    if (n == 6)
      p[1].palette = "jet", reason = "panels[2].palette is 'jet'; known: viridis, magma, grey, diverging";
    if (n == 7) p[1].legend = "above", reason = "panels[2].legend is 'above'; known: top right, top left";
    if (n == 8)
      p[1].image = (scree_plot_image){.nx = 1, .value = value},
      reason = "panels[2].image needs nx, ny and values";
    if (n == 9)
      p[1].image = (scree_plot_image){.nx = 1, .ny = 1}, reason = "panels[2].image needs nx, ny and values";
    if (n == 10)
      p[1].image = (scree_plot_image){.nx = -1, .ny = 1, .value = value}, reason = "panels[2].image needs";
    if (n == 11)
      p[1].image = (scree_plot_image){.nx = 1, .ny = -1, .value = value}, reason = "panels[2].image needs";
    if (n == 12)
      p[1].xlog = 1, p[1].xmax = 1, reason = "panels[2]: a logarithmic axis cannot start at 0 or below";
    if (n == 13)
      p[1].ylog = 1, p[1].ymin = -1, p[1].ymax = 1,
      reason = "panels[2]: a logarithmic axis cannot start at 0 or below";
    if (n == 14) s[1].style = SCREE_PLOT_STYLES, reason = "panels[2].series[2] has no known style";
    if (n == 15) s[1].style = -1, reason = "panels[2].series[2] has no known style";
    if (n == 16) s[1].count = -1, reason = "panels[2].series[2] needs x and y";
    if (n == 17) s[0].x = NULL, reason = "panels[2].series[1] needs x and y";
    if (n == 18) s[1].y = NULL, reason = "panels[2].series[2] needs x and y";
    if (n == 19) s[1].style = SCREE_PLOT_BAND, reason = "panels[2].series[2]: a band needs y2";
    if (n == 20) s[1].style = SCREE_PLOT_DISCS, reason = "panels[2].series[2]: discs need radius";
    if (n == 21) s[1].color = "#12345", reason = "panels[2].series[2].color is '#12345', not '#rrggbb'";
    if (n == 22) a[1].color = "#12345g", reason = "panels[2].arrows[2].color is not '#rrggbb'";
    if (n == 23) h[1].line = "123456", reason = "panels[2].shapes[2]: a colour is not '#rrggbb'";
    if (n == 24) h[1].fill = "#1234567", reason = "panels[2].shapes[2]: a colour is not '#rrggbb'";
    if (n == 25) note[1].color = "0123456", reason = "panels[2].notes[2].color is not '#rrggbb'";
    assert_int_equal(scree_plot_text(&plot, 80, 24, &text, &error), SCREE_E_ARGUMENT);
    assert_null(text);
    if (!strstr(error.text, reason)) print_error("%d: %s\n", n, error.text);
    assert_non_null(strstr(error.text, reason));
    error = (scree_error){SCREE_OK, ""};
    if (n < 4) continue;
    assert_int_equal(scree_plot_write(&plot, "/tmp/scree-never-written.png", &error), SCREE_E_ARGUMENT);
  }
  static const int sizes[][2] = {{19, 24}, {1001, 24}, {80, 4}, {80, 501}};
  for (int k = 0; k < 4; k++) {
    const scree_plot_panel p = {0};
    char *text, wanted[60];
    scree_error error = {SCREE_OK, ""};
    assert_int_equal(scree_plot_text(&(scree_plot){.panels = &p, .panels_count = 1}, sizes[k][0], sizes[k][1],
                         &text, &error),
        SCREE_E_ARGUMENT);
    snprintf(
        wanted, sizeof wanted, "20 to 1000 columns and 5 to 500 rows, not %d x %d", sizes[k][0], sizes[k][1]);
    assert_non_null(strstr(error.text, wanted));
  }
}

static int clear(void **state) {
  (void)state;
  sc_text_free(&script);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(data_of_series),
      cmocka_unit_test(data_of_images_shapes_and_arrows), cmocka_unit_test(commands_of_styles),
      cmocka_unit_test(order_and_cycle), cmocka_unit_test(words_of_panels),
      cmocka_unit_test(colours_of_panels), cmocka_unit_test(ranges), cmocka_unit_test(heights),
      cmocka_unit_test(distances_of_tics), cmocka_unit_test(mistakes)};
  return cmocka_run_group_tests(tests, NULL, clear);
}
