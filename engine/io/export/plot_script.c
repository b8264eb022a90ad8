/* Writes a figure as a gnuplot script.
 *
 * This is the only file that knows gnuplot's language and scree's style. The script has all data in named
 * blocks ($p1s2 is series 2 of panel 1), then one block of settings and one plot command per panel. Texts are
 * in single quotes, because gnuplot substitutes nothing there. Panels stand row by row; a row is as high as
 * its highest panel. If x and y share a scale, the height follows from the data, because a fixed height would
 * leave much paper empty. Colour maps are perceptually uniform (viridis, magma) or symmetric. */
#include "io/export/plot.h"

#include <math.h>
#include <string.h>

enum { COLORS = 8, TITLE_PIXELS = 44 };

/* Colours that colour-blind readers can tell apart (Okabe & Ito 2008, reordered for white paper). */
static const char *const cycle[COLORS] = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#444444", "#a6761d"};

typedef struct palette {
  const char *name, *stops;
} palette;
static const palette palettes[] = {
    {"viridis",
        "0 '#440154', 1 '#472c7a', 2 '#3b518b', 3 '#2c718e', 4 '#21908d', 5 '#27ad81', 6 '#5cc863', 7 "
        "'#aadc32', 8 '#fde725'"},
    {"magma",
        "0 '#000004', 1 '#1c1044', 2 '#4f127b', 3 '#812581', 4 '#b5367a', 5 '#e55964', 6 '#fb8761', 7 "
        "'#fec287', 8 '#fbfdbf'"},
    {"grey", "0 '#202020', 1 '#f4f4f4'"},
    {"diverging", "0 '#3b4cc0', 1 '#8db0fe', 2 '#dddddd', 3 '#f4987a', 4 '#b40426'"},
};

/* ---- extent and layout ---- */

static void widen_range(double out[4], bool *any, double x, double y, double reach) {
  if (!isfinite(x) || !isfinite(y)) return;
  if (!*any) out[0] = out[1] = x, out[2] = out[3] = y;
  *any = true;
  out[0] = fmin(out[0], x - reach);
  out[1] = fmax(out[1], x + reach);
  out[2] = fmin(out[2], y - reach);
  out[3] = fmax(out[3], y + reach);
}

/* Computes the range of a panel: that of its data, or its limits if they are set. out = xmin, xmax, ymin,
 * ymax. Returns false if there are neither data nor limits. */
static bool extent_of(const scree_plot_panel *p, double out[4]) {
  SC_ASSERT(p && out);
  bool any = false;
  if (p->image.nx)
    widen_range(out, &any, p->image.xmin, p->image.ymin, 0),
        widen_range(out, &any, p->image.xmax, p->image.ymax, 0);
  for (int k = 0; k < p->series_count; k++) {
    const scree_plot_series *s = p->series + k;
    for (int64_t i = 0; i < s->count; i++) {
      widen_range(out, &any, s->x[i], s->y[i],
          s->style == SCREE_PLOT_DISCS && isfinite(s->radius[i]) ? s->radius[i] : 0);
      if (s->style == SCREE_PLOT_BAND) widen_range(out, &any, s->x[i], s->y2[i], 0);
    }
  }
  for (int k = 0; k < p->shapes_count; k++)
    for (int64_t i = 0; i < p->shapes[k].count; i++)
      widen_range(
          out, &any, p->shapes[k].x[i], p->shapes[k].y[i], p->shapes[k].count == 1 ? p->shapes[k].radius : 0);
  for (int k = 0; k < p->arrows_count; k++)
    for (int64_t i = 0; i < p->arrows[k].count; i++)
      widen_range(out, &any, p->arrows[k].x[i], p->arrows[k].y[i], 0);
  if (p->xmin < p->xmax) out[0] = p->xmin, out[1] = p->xmax;
  if (p->ymin < p->ymax) out[2] = p->ymin, out[3] = p->ymax;
  return any || (p->xmin < p->xmax && p->ymin < p->ymax);
}

static bool has_colors(const scree_plot_panel *p) {
  for (int i = 0; i < p->series_count; i++)
    if (p->series[i].value && p->series[i].count) return true;
  return p->image.nx > 0;
}

/* Returns the height that a panel needs at a given width [pixels]. */
static int panel_height(const scree_plot_panel *p, int width) {
  double e[4];
  if (p->aspect > 0) return (int)(p->aspect * width);
  if (!p->equal || !extent_of(p, e) || !(e[1] > e[0])) return (int)(0.62 * width);
  double area = width - (has_colors(p) ? 210 : 120);
  double height = area * (e[3] - e[2]) / (e[1] - e[0]) + (p->title ? 120 : 90);
  return (int)fmin(fmax(height, 0.25 * width), 1.6 * width);
}

static int columns_of(const scree_plot *plot) { return plot->columns > 0 ? plot->columns : 1; }

static int row_height(const scree_plot *plot, int row, int width) {
  int columns = columns_of(plot), height = 0;
  for (int c = 0; c < columns && row * columns + c < plot->panels_count; c++) {
    int h = panel_height(plot->panels + row * columns + c, width / columns);
    if (h > height) height = h;
  }
  return height;
}

/* Returns the height of the picture at a given width [pixels]. */
static int height_of(const scree_plot *plot, int width) {
  int columns = columns_of(plot), height = plot->title ? TITLE_PIXELS : 0;
  for (int row = 0; row * columns < plot->panels_count; row++) height += row_height(plot, row, width);
  return height;
}

/* ---- data blocks ---- */

static void put_columns(sc_text *t, int64_t count, int columns, const double *const *column) {
  for (int64_t i = 0; i < count; i++) {
    for (int c = 0; c < columns; c++) {
      if (isfinite(column[c][i])) sc_text_put(t, "%.9g%c", column[c][i], c + 1 < columns ? ' ' : '\n');
      else sc_text_put(t, "NaN%c", c + 1 < columns ? ' ' : '\n');
    }
  }
}

/* Writes the polygons of a series. A point that is not finite ends a polygon and becomes an empty line. */
static void put_polygons(sc_text *t, const scree_plot_series *s) {
  for (int64_t i = 0; i < s->count; i++) {
    const double *at[3] = {s->x + i, s->y + i, s->value ? s->value + i : NULL};
    if (isfinite(s->x[i]) && isfinite(s->y[i])) put_columns(t, 1, s->value ? 3 : 2, at);
    else sc_text_put(t, "\n");
  }
}

static void series_data(
    sc_text *t, int panel, int index, const scree_plot_panel *p, const scree_plot_series *s) {
  const double *column[5] = {s->x, s->y};
  int columns = 2;
  if (s->radius && s->style == SCREE_PLOT_DISCS) column[columns++] = s->radius;
  if (s->y2 && s->style != SCREE_PLOT_DISCS) column[columns++] = s->y2;
  if (s->value) column[columns++] = s->value;
  sc_text_put(t, "$p%ds%d << EOD\n", panel, index);
  if (s->style == SCREE_PLOT_POLYGONS) put_polygons(t, s);
  else if (!sc_plot_put_thinned(t, p, s)) put_columns(t, s->count, columns, column);
  sc_text_put(t, "EOD\n");
}

static void image_data(sc_text *t, int panel, const scree_plot_image *image) {
  sc_text_put(t, "$p%dimage << EOD\n", panel);
  for (int64_t j = 0; j < image->ny; j++)
    for (int64_t i = 0; i < image->nx; i++) {
      double v = image->value[j * image->nx + i];
      if (isfinite(v)) sc_text_put(t, "%.6g%c", v, i + 1 < image->nx ? ' ' : '\n');
      else sc_text_put(t, "NaN%c", i + 1 < image->nx ? ' ' : '\n');
    }
  sc_text_put(t, "EOD\n");
}

/* Returns the drawn length of an arrow per unit of its vector: a->scale if set. Otherwise the longest arrow
 * gets 1.6 times the mean spacing of the arrows' origins. */
static double arrow_scale(const scree_plot_arrows *a) {
  double longest = 0, e[4] = {0};
  bool any = false;
  if (a->scale > 0) return a->scale;
  for (int64_t i = 0; i < a->count; i++) {
    double length = hypot(a->u[i], a->v[i]);
    widen_range(e, &any, a->x[i], a->y[i], 0);
    if (isfinite(length)) longest = fmax(longest, length);
  }
  double area = (e[1] - e[0]) * (e[3] - e[2]),
         spacing = area > 0 ? sqrt(area / (double)a->count) : fmax(e[1] - e[0], e[3] - e[2]);
  return longest > 0 && spacing > 0 ? 1.6 * spacing / longest : 1;
}

static void arrows_data(sc_text *t, int panel, int index, const scree_plot_arrows *a) {
  double scale = arrow_scale(a);
  sc_text_put(t, "$p%da%d << EOD\n", panel, index);
  for (int64_t i = 0; i < a->count; i++)
    if (isfinite(a->x[i]) && isfinite(a->y[i]) && isfinite(a->u[i]) && isfinite(a->v[i]) &&
        (a->u[i] != 0 || a->v[i] != 0))
      sc_text_put(t, "%.9g %.9g %.9g %.9g\n", a->x[i], a->y[i], scale * a->u[i], scale * a->v[i]);
  sc_text_put(t, "EOD\n");
}

static void shape_data(sc_text *t, int panel, int index, const scree_plot_shape *s) {
  const double *column[2] = {s->x, s->y};
  sc_text_put(t, "$p%dh%d << EOD\n", panel, index);
  if (s->count == 1) sc_text_put(t, "%.9g %.9g %.9g\n", s->x[0], s->y[0], s->radius);
  else put_columns(t, s->count, 2, column);
  if (s->count > 1) put_columns(t, 1, 2, column);
  sc_text_put(t, "EOD\n");
}

static void panel_data(sc_text *t, int panel, const scree_plot_panel *p) {
  if (p->image.nx) image_data(t, panel, &p->image);
  for (int i = 0; i < p->shapes_count; i++) shape_data(t, panel, i, p->shapes + i);
  for (int i = 0; i < p->series_count; i++) series_data(t, panel, i, p, p->series + i);
  for (int i = 0; i < p->arrows_count; i++) arrows_data(t, panel, i, p->arrows + i);
}

/* ---- settings ---- */

/* Returns the distance of axis tics: the smallest 1, 2 or 5 times a power of ten with at most `most` tics in
 * a range. range: its length. */
static double mark_step(double range, double most) {
  double rough = range / most, unit = pow(10, floor(log10(rough)));
  return unit * (rough <= unit ? 1 : rough <= 2 * unit ? 2 : rough <= 5 * unit ? 5 : 10);
}

/* Sets the distances of tics if x and y share a scale. One side of the panel may then be so short that
 * gnuplot's own tics, or those of the colour scale, would overlap. */
static void put_marks(sc_text *t, const scree_plot_panel *p, double width, double height) {
  double e[4];
  if (!p->equal || !extent_of(p, e)) return;
  double left = width - (has_colors(p) ? 210 : 120), down = height - (p->title ? 120 : 90),
         wide = e[1] - e[0], high = e[3] - e[2];
  if (!(wide > 0) || !(high > 0) || !(left > 0)) return;
  double scale = fmin(left / wide, fmax(down, 20) / high);
  sc_text_put(t, "set ytics %.9g\nset xtics %.9g\n", mark_step(high, fmax(1, fmin(8, scale * high / 34))),
      mark_step(wide, fmax(1, fmin(10, scale * wide / 70))));
  if (has_colors(p) && p->color_min < p->color_max && scale * high < 220)
    sc_text_put(t, "set cbtics %.9g\n", mark_step(p->color_max - p->color_min, fmax(1, scale * high / 40)));
}

static void put_range(sc_text *t, const char *axis, double low, double high) {
  if (low < high) sc_text_put(t, "set %srange [%.9g:%.9g]\n", axis, low, high);
}

static void put_ranges(sc_text *t, const scree_plot_panel *p) {
  double e[4] = {0, 1, 0, 1};
  bool any = extent_of(p, e);
  if ((p->equal || p->image.nx) && any) {
    double pad = p->image.nx ? 0 : 0.02 * fmax(e[1] - e[0], e[3] - e[2]);
    if (e[1] == e[0] && e[3] == e[2]) pad = 1;
    put_range(t, "x", e[0] - (p->xmin < p->xmax ? 0 : pad), e[1] + (p->xmin < p->xmax ? 0 : pad));
    put_range(t, "y", e[2] - (p->ymin < p->ymax ? 0 : pad), e[3] + (p->ymin < p->ymax ? 0 : pad));
    return;
  }
  put_range(t, "x", any ? p->xmin : 0, any ? p->xmax : 1);
  put_range(t, "y", any ? p->ymin : 0, any ? p->ymax : 1);
}

static void put_palette(sc_text *t, const scree_plot_panel *p) {
  const palette *chosen = palettes;
  for (size_t i = 0; i < sizeof palettes / sizeof *palettes; i++)
    if (p->palette && !strcmp(palettes[i].name, p->palette)) chosen = palettes + i;
  sc_text_put(t, "set palette defined (%s)\n", chosen->stops);
  if (!has_colors(p)) {
    sc_text_put(t, "unset colorbox\n");
    return;
  }
  sc_text_put(t, "set colorbox noborder\nset cbtics scale 0.4 textcolor rgb '#333333'\n");
  put_range(t, "cb", p->color_min, p->color_max);
  if (p->color_label)
    sc_text_put(t, "set cblabel "), sc_text_quote(t, p->color_label),
        sc_text_put(t, " textcolor rgb '#333333'\n");
}

static void put_key(sc_text *t, const scree_plot_panel *p) {
  const char *place = p->legend ? p->legend : "top right";
  bool named = false;
  for (int i = 0; i < p->series_count; i++) named |= p->series[i].name != NULL;
  if (!named || !strcmp(place, "none")) sc_text_put(t, "unset key\n");
  else if (!strcmp(place, "outside"))
    sc_text_put(
        t, "set key outside right top Left reverse samplen 1.6 spacing 1.15 textcolor rgb '#333333'\n");
  else
    sc_text_put(t,
        "set key %s Left reverse samplen 1.6 spacing 1.15 opaque fillcolor rgb '#f8ffffff' textcolor rgb "
        "'#333333'\n",
        place);
}

static void put_label(sc_text *t, const char *what, const char *text) {
  if (!text) return;
  sc_text_put(t, "set %s ", what);
  sc_text_quote(t, text);
  sc_text_put(t, strcmp(what, "title") ? " textcolor rgb '#333333'\n" : " textcolor rgb '#111111'\n");
}

static void put_notes(sc_text *t, const scree_plot_panel *p) {
  for (int i = 0; i < p->notes_count; i++) {
    const scree_plot_note *n = p->notes + i;
    sc_text_put(t, "set label ");
    sc_text_quote(t, n->text);
    sc_text_put(t, " at %.9g,%.9g %s front textcolor rgb '%s'\n", n->x, n->y,
        n->align < 0       ? "left"
            : n->align > 0 ? "right"
                           : "center",
        n->color ? n->color : "#111111");
  }
}

static void put_settings(sc_text *t, const scree_plot_panel *p, sc_plot_target target) {
  bool paper = target != SC_PLOT_CHARACTERS;
  sc_text_put(t,
      "reset\nset encoding utf8\nset tics nomirror\nset style fill solid 1 noborder\nset boxwidth 0.9 "
      "relative\n");
  if (paper) {
    sc_text_put(t,
        "set border %d linewidth 0.8 linecolor rgb '#888888'\nset tics scale 0.5 textcolor rgb '#333333'\n",
        p->image.nx ? 15 : 3);
    if (!p->image.nx) sc_text_put(t, "set grid linecolor rgb '#e4e4e4' linewidth 0.8 linetype 1\n");
  }
  if (p->xlog) sc_text_put(t, "set logscale x\n");
  if (p->ylog) sc_text_put(t, "set logscale y\n");
  if (p->equal && paper) sc_text_put(t, "set size ratio -1\n");
  put_label(t, "title", p->title);
  put_label(t, "xlabel", p->xlabel);
  put_label(t, "ylabel", p->ylabel);
  put_ranges(t, p);
  put_palette(t, p);
  put_key(t, p);
  put_notes(t, p);
}

/* ---- the plot command ---- */

/* Starts an element of a plot command: writes "plot" before the first element, and a comma before each later
 * one. */
static void put_separator(sc_text *t, int *elements) { sc_text_put(t, (*elements)++ ? ", \\\n  " : "plot "); }

/* Adds an image to the plot command. PNG: its cells are drawn as one picture, because the smoothed edges of
 * adjacent rectangles would show as a grid. SVG: cells are rectangles with crisp edges, because a picture
 * would be blurred. */
static void put_image(
    sc_text *t, int panel, const scree_plot_image *m, sc_plot_target target, int *elements) {
  double dx = (m->xmax - m->xmin) / (double)m->nx, dy = (m->ymax - m->ymin) / (double)m->ny;
  put_separator(t, elements);
  sc_text_put(t,
      "$p%dimage using (%.17g+%.17g*($1+0.5)):(%.17g+%.17g*($2+0.5)):3 matrix with image%s notitle", panel,
      m->xmin, dx, m->ymin, dy, target == SC_PLOT_SVG ? " pixels" : "");
}

static void put_shape(sc_text *t, int panel, int index, const scree_plot_shape *s, int *elements) {
  if (!s->count) return;
  if (s->fill) {
    put_separator(t, elements);
    sc_text_put(t, "$p%dh%d with %s fillstyle solid 1 noborder fillcolor rgb '%s' notitle", panel, index,
        s->count == 1 ? "circles" : "filledcurves closed", s->fill);
  }
  if (s->line) {
    put_separator(t, elements);
    sc_text_put(t, "$p%dh%d with %s linewidth 1.4 linecolor rgb '%s' notitle", panel, index,
        s->count == 1 ? "circles fillstyle empty border" : "lines", s->line);
  }
}

/* Point symbols in the order of the colour cycle, so that series differ not only in colour. */
static const int symbols[COLORS] = {7, 5, 9, 13, 11, 6, 4, 8};

static void put_series(sc_text *t, int panel, int index, const scree_plot_series *s, int *elements) {
  static const char *const plain[] = {
      "lines", "points", "linespoints", "steps", "boxes", "filledcurves", "circles", "polygons"};
  static const char *const barred[] = {"yerrorlines", "yerrorbars", "yerrorlines", "yerrorbars",
      "boxerrorbars", "filledcurves", "circles", "polygons"};
  bool area = s->style == SCREE_PLOT_DISCS || s->style == SCREE_PLOT_POLYGONS;
  bool drawn = s->style != SCREE_PLOT_BARS && s->style != SCREE_PLOT_BAND && !area;
  bool mapped = s->value && (s->style == SCREE_PLOT_POINTS || area);
  double width = s->width > 0 ? s->width : 1;
  if (!s->count) return;
  put_separator(t, elements);
  sc_text_put(t, "$p%ds%d with %s", panel, index, s->y2 && !mapped ? barred[s->style] : plain[s->style]);
  if (s->style == SCREE_PLOT_BARS) sc_text_put(t, " fillstyle solid 0.8 noborder");
  if (s->style == SCREE_PLOT_BAND) sc_text_put(t, " fillstyle transparent solid 0.22 noborder");
  if (s->style == SCREE_PLOT_DISCS) sc_text_put(t, " fillstyle solid 1 border rgb '#ffffff' linewidth 0.5");
  if (s->style == SCREE_PLOT_POLYGONS) sc_text_put(t, " fillstyle solid 1 noborder");
  if (drawn)
    sc_text_put(
        t, " linewidth %.4g dashtype %d", s->style == SCREE_PLOT_POINTS ? 1.2 : 2 * width, s->dashed ? 2 : 1);
  if (drawn && s->style != SCREE_PLOT_LINES && s->style != SCREE_PLOT_STEPS)
    sc_text_put(t, " pointtype %d pointsize %.4g", symbols[index % COLORS], 0.8 * width);
  if (mapped) sc_text_put(t, " linecolor palette");
  else
    sc_text_put(t, " %s rgb '%s'", s->style == SCREE_PLOT_BAND ? "fillcolor" : "linecolor",
        s->color ? s->color : cycle[index % COLORS]);
  if (!s->name) sc_text_put(t, " notitle");
  else sc_text_put(t, " title "), sc_text_quote(t, s->name);
  /* gnuplot draws the edges of polygons last and in colours of its own. Therefore edges are separate curves.
   * They are grey if the polygons have no colours of their own, because a polygon seen edge-on is visible
   * only by its edge. */
  if (s->style == SCREE_PLOT_POLYGONS) {
    put_separator(t, elements);
    sc_text_put(t, "$p%ds%d using 1:2 with lines linewidth %.4g linecolor rgb '%s' notitle", panel, index,
        mapped ? 0.5 : 0.8, mapped ? "#ffffff" : "#a8a8a8");
  }
}

static void put_arrows(sc_text *t, int panel, int index, const scree_plot_arrows *a, int *elements) {
  if (!a->count) return;
  put_separator(t, elements);
  sc_text_put(t,
      "$p%da%d with vectors head filled size screen 0.006,18 linewidth 1 linecolor rgb '%s' notitle", panel,
      index, a->color ? a->color : "#222222");
}

static void put_plot(sc_text *t, int panel, const scree_plot_panel *p, sc_plot_target target) {
  int elements = 0;
  if (p->image.nx && target != SC_PLOT_CHARACTERS) put_image(t, panel, &p->image, target, &elements);
  for (int i = 0; i < p->series_count; i++)
    if (p->series[i].style == SCREE_PLOT_BAND) put_series(t, panel, i, p->series + i, &elements);
  for (int i = 0; i < p->shapes_count; i++) put_shape(t, panel, i, p->shapes + i, &elements);
  for (int i = 0; i < p->series_count; i++)
    if (p->series[i].style != SCREE_PLOT_BAND) put_series(t, panel, i, p->series + i, &elements);
  for (int i = 0; i < p->arrows_count; i++) put_arrows(t, panel, i, p->arrows + i, &elements);
  if (!elements) sc_text_put(t, "plot NaN notitle");
  sc_text_put(t, "\n");
}

/* ---- the whole ---- */

static void put_panels(sc_text *t, const scree_plot *plot, sc_plot_target target, int width, int height) {
  int columns = columns_of(plot), top = height - (plot->title ? TITLE_PIXELS : 0);
  for (int row = 0; row * columns < plot->panels_count; row++) {
    int high = row_height(plot, row, width);
    top -= high;
    for (int c = 0; c < columns && row * columns + c < plot->panels_count; c++) {
      int panel = row * columns + c;
      double own = fmin(1.25 * panel_height(plot->panels + panel, width / columns), high);
      put_settings(t, plot->panels + panel, target);
      put_marks(t, plot->panels + panel, (double)width / columns, own);
      sc_text_put(t, "set origin %.9g,%.9g\nset size %.9g,%.9g\n", (double)c / columns,
          (top + 0.5 * (high - own)) / height, 1.0 / columns, own / height);
      put_plot(t, panel + 1, plot->panels + panel, target);
    }
  }
}

void sc_plot_script(const scree_plot *plot, sc_plot_target target, int columns, int rows, sc_text *t) {
  SC_ASSERT(plot && t && columns > 0 && rows > 0);
  for (int i = 0; i < plot->panels_count; i++) panel_data(t, i + 1, plot->panels + i);
  if (target == SC_PLOT_CHARACTERS) {
    sc_text_put(t, "set terminal dumb noenhanced size %d,%d\n", columns, rows);
    for (int i = 0; i < plot->panels_count; i++) {
      put_settings(t, plot->panels + i, target);
      put_plot(t, i + 1, plot->panels + i, target);
    }
    return;
  }
  int width = plot->width > 0 ? plot->width : 900 * columns_of(plot), height = height_of(plot, width);
  double font = fmin(fmax((double)width / columns_of(plot) / 56, 9), 24);
  sc_text_put(t,
      "set encoding utf8\nset terminal %s noenhanced size %d,%d background rgb '#ffffff' font 'DejaVu "
      "Sans,%.3g' linewidth 1.2\n",
      target == SC_PLOT_PNG ? "pngcairo" : "svg", width, height, target == SC_PLOT_PNG ? font * 0.75 : font);
  sc_text_put(t, "set multiplot");
  if (plot->title)
    sc_text_put(t, " title "), sc_text_quote(t, plot->title),
        sc_text_put(t, " font ',%.3g'", font * (target == SC_PLOT_PNG ? 0.95 : 1.25));
  sc_text_put(t, "\n");
  put_panels(t, plot, target, width, height);
  sc_text_put(t, "unset multiplot\n");
}
