/* Figures: checks the description, runs gnuplot on a script, and writes the picture. */
#include "io/export/plot.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/container/file.h"

#define AT(type, member) offsetof(type, member)
const scree_param scree_plot_params[] = {
    SCREE_ROW_STRING("title", AT(scree_plot, title), "above all panels"),
    SCREE_ROW_VALUE("columns", "", "panels in a row"),
    SCREE_ROW_VALUE("width", "", "of the picture in pixels; characters without a file"),
    SCREE_ROW_VALUE("height", "", "rows of characters for each panel, without a file"),
    SCREE_ROW_VALUE(
        "file", "", "name ending in .png, .svg or .txt; without it the figure is returned as text"),
    SCREE_ROW_NEEDED("panels", "", "list of panels"),
};
const int scree_plot_params_count = sizeof scree_plot_params / sizeof *scree_plot_params;

#define P(member) AT(scree_plot_panel, member)
const scree_param scree_plot_panel_params[] = {
    SCREE_ROW_STRING("title", P(title), ""),
    SCREE_ROW_STRING("xlabel", P(xlabel), ""),
    SCREE_ROW_STRING("ylabel", P(ylabel), ""),
    SCREE_ROW_STRING("color_label", P(color_label), ""),
    SCREE_ROW_BOOLEAN("xlog", P(xlog), "logarithmic"),
    SCREE_ROW_BOOLEAN("ylog", P(ylog), "logarithmic"),
    SCREE_ROW_BOOLEAN("equal", P(equal), "one unit of x is as long as one of y"),
    SCREE_ROW_STRING("palette", P(palette), "viridis, magma, grey, diverging"),
    SCREE_ROW_STRING("legend", P(legend), "top right, top left, bottom right, bottom left, outside, none"),
    SCREE_ROW_POSITIVE("aspect", P(aspect), "", 0, "height over width"),
    SCREE_ROW_VALUE("xrange", "", "{from, to}"),
    SCREE_ROW_VALUE("yrange", "", "{from, to}"),
    SCREE_ROW_VALUE("color_range", "", "{from, to}"),
    SCREE_ROW_VALUE("image", "", "grid of values"),
    SCREE_ROW_VALUE("series", "", "list of curves"),
    SCREE_ROW_VALUE("arrows", "", "list of vector fields"),
    SCREE_ROW_VALUE("shapes", "", "list of outlines"),
    SCREE_ROW_VALUE("notes", "", "list of texts"),
};
const int scree_plot_panel_params_count = sizeof scree_plot_panel_params / sizeof *scree_plot_panel_params;

#define S(member) AT(scree_plot_series, member)
const scree_param scree_plot_series_params[] = {
    SCREE_ROW_STRING("name", S(name), "for the legend"),
    SCREE_ROW_CHOICE("style", S(style), 0, "lines|points|lines_points|steps|bars|band|discs|polygons", ""),
    SCREE_ROW_STRING("color", S(color), "#rrggbb"),
    SCREE_ROW_POSITIVE("width", S(width), "", 0, "of lines and points, relative"),
    SCREE_ROW_BOOLEAN("dashed", S(dashed), ""),
    SCREE_ROW_NEEDED("x", "", ""),
    SCREE_ROW_NEEDED("y", "", ""),
    SCREE_ROW_VALUE("y2", "", "other edge of a band"),
    SCREE_ROW_VALUE("error", "", "half lengths of error bars"),
    SCREE_ROW_VALUE("radius", "", "of discs"),
    SCREE_ROW_VALUE("value", "", "colours points, discs and polygons"),
};
const int scree_plot_series_params_count = sizeof scree_plot_series_params / sizeof *scree_plot_series_params;

const scree_param scree_plot_image_params[] = {
    {"nx", SCREE_INTEGER, SCREE_REQUIRED, "", 0, 1, 1e5, AT(scree_plot_image, nx), NULL, ""},
    {"ny", SCREE_INTEGER, SCREE_REQUIRED, "", 0, 1, 1e5, AT(scree_plot_image, ny), NULL, ""},
    SCREE_ROW_NEEDED("values", "", "ny rows of nx, x fastest"),
    SCREE_ROW_NEEDED("x", "", "{from, to}"),
    SCREE_ROW_NEEDED("y", "", "{from, to}"),
};
const int scree_plot_image_params_count = sizeof scree_plot_image_params / sizeof *scree_plot_image_params;
const scree_param scree_plot_arrows_params[] = {
    SCREE_ROW_STRING("color", AT(scree_plot_arrows, color), "#rrggbb"),
    SCREE_ROW_POSITIVE("scale", AT(scree_plot_arrows, scale), "", 0, "length of a unit"),
    SCREE_ROW_NEEDED("x", "", ""),
    SCREE_ROW_NEEDED("y", "", ""),
    SCREE_ROW_NEEDED("u", "", ""),
    SCREE_ROW_NEEDED("v", "", ""),
};
const int scree_plot_arrows_params_count = sizeof scree_plot_arrows_params / sizeof *scree_plot_arrows_params;
const scree_param scree_plot_shape_params[] = {
    SCREE_ROW_POSITIVE("radius", AT(scree_plot_shape, radius), "", 0, "of a circle about one point"),
    SCREE_ROW_STRING("fill", AT(scree_plot_shape, fill), "#rrggbb"),
    SCREE_ROW_STRING("line", AT(scree_plot_shape, line), "#rrggbb"),
    SCREE_ROW_NEEDED("x", "", ""),
    SCREE_ROW_NEEDED("y", "", ""),
};
const int scree_plot_shape_params_count = sizeof scree_plot_shape_params / sizeof *scree_plot_shape_params;
const scree_param scree_plot_note_params[] = {
    {"x", SCREE_REAL, SCREE_REQUIRED, "", 0, 0, 0, AT(scree_plot_note, x), NULL, ""},
    {"y", SCREE_REAL, SCREE_REQUIRED, "", 0, 0, 0, AT(scree_plot_note, y), NULL, ""},
    {"text", SCREE_STRING, SCREE_REQUIRED, "", 0, 0, 0, AT(scree_plot_note, text), NULL, ""},
    SCREE_ROW_STRING("color", AT(scree_plot_note, color), "#rrggbb"),
    SCREE_ROW_VALUE("align", "", "left, center or right"),
};
const int scree_plot_note_params_count = sizeof scree_plot_note_params / sizeof *scree_plot_note_params;

static const char *const style_names[SCREE_PLOT_STYLES] = {
    "lines", "points", "lines_points", "steps", "bars", "band", "discs", "polygons"};

const char *scree_plot_style_name(int style) {
  return style >= 0 && style < SCREE_PLOT_STYLES ? style_names[style] : NULL;
}

/* ---- checks ---- */

static bool is_color(const char *color) {
  if (!color) return true;
  if (color[0] != '#' || strlen(color) != 7) return false;
  for (int i = 1; i < 7; i++)
    if (!isxdigit((unsigned char)color[i])) return false;
  return true;
}

static bool is_one_of(const char *word, const char *const *list) {
  if (!word) return true;
  for (; *list; list++)
    if (!strcmp(word, *list)) return true;
  return false;
}

static scree_status check_series(const scree_plot_series *s, int panel, int index, scree_error *error) {
  if (s->style < 0 || s->style >= SCREE_PLOT_STYLES)
    return sc_fail(error, SCREE_E_ARGUMENT, "panels[%d].series[%d] has no known style", panel, index);
  if (s->count < 0 || (s->count && (!s->x || !s->y)))
    return sc_fail(error, SCREE_E_ARGUMENT, "panels[%d].series[%d] needs x and y", panel, index);
  if (s->style == SCREE_PLOT_BAND && s->count && !s->y2)
    return sc_fail(error, SCREE_E_ARGUMENT, "panels[%d].series[%d]: a band needs y2", panel, index);
  if (s->style == SCREE_PLOT_DISCS && s->count && !s->radius)
    return sc_fail(error, SCREE_E_ARGUMENT, "panels[%d].series[%d]: discs need radius", panel, index);
  if (!is_color(s->color))
    return sc_fail(error, SCREE_E_ARGUMENT, "panels[%d].series[%d].color is '%.20s', not '#rrggbb'", panel,
        index, s->color);
  return SCREE_OK;
}

static scree_status check_colors(const scree_plot_panel *p, int panel, scree_error *error) {
  for (int i = 0; i < p->arrows_count; i++)
    if (!is_color(p->arrows[i].color))
      return sc_fail(error, SCREE_E_ARGUMENT, "panels[%d].arrows[%d].color is not '#rrggbb'", panel, i + 1);
  for (int i = 0; i < p->shapes_count; i++)
    if (!is_color(p->shapes[i].fill) || !is_color(p->shapes[i].line))
      return sc_fail(
          error, SCREE_E_ARGUMENT, "panels[%d].shapes[%d]: a colour is not '#rrggbb'", panel, i + 1);
  for (int i = 0; i < p->notes_count; i++)
    if (!is_color(p->notes[i].color))
      return sc_fail(error, SCREE_E_ARGUMENT, "panels[%d].notes[%d].color is not '#rrggbb'", panel, i + 1);
  return SCREE_OK;
}

static scree_status check_panel(const scree_plot_panel *p, int panel, scree_error *error) {
  static const char *const palettes[] = {"viridis", "magma", "grey", "diverging", NULL};
  static const char *const places[] = {
      "top right", "top left", "bottom right", "bottom left", "outside", "none", NULL};
  if (!is_one_of(p->palette, palettes))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "panels[%d].palette is '%.40s'; known: viridis, magma, grey, diverging", panel, p->palette);
  if (!is_one_of(p->legend, places))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "panels[%d].legend is '%.40s'; known: top right, top left, bottom right, bottom left, outside, none",
        panel, p->legend);
  if (p->image.nx < 0 || p->image.ny < 0 || (p->image.nx && (!p->image.value || !p->image.ny)))
    return sc_fail(error, SCREE_E_ARGUMENT, "panels[%d].image needs nx, ny and values", panel);
  if ((p->xlog && p->xmin != p->xmax && !(p->xmin > 0)) || (p->ylog && p->ymin != p->ymax && !(p->ymin > 0)))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "panels[%d]: a logarithmic axis cannot start at 0 or below", panel);
  for (int i = 0; i < p->series_count; i++) {
    scree_status status = check_series(p->series + i, panel, i + 1, error);
    if (status) return status;
  }
  return check_colors(p, panel, error);
}

static scree_status check_plot(const scree_plot *plot, scree_error *error) {
  if (!plot->panels || plot->panels_count < 1)
    return sc_fail(error, SCREE_E_ARGUMENT, "a figure needs at least one panel");
  if (plot->columns < 0 || plot->columns > plot->panels_count)
    return sc_fail(error, SCREE_E_ARGUMENT, "a figure of %d panels cannot have %d columns",
        plot->panels_count, plot->columns);
  if (plot->width < 0 || plot->width > 20000)
    return sc_fail(error, SCREE_E_ARGUMENT, "width must lie in [0, 20000] pixels, not %d", plot->width);
  for (int i = 0; i < plot->panels_count; i++) {
    scree_status status = check_panel(plot->panels + i, i + 1, error);
    if (status) return status;
  }
  return SCREE_OK;
}

/* ---- drawing ---- */

static scree_status draw_plot(const scree_plot *plot, sc_plot_target target, int columns, int rows,
    sc_text *picture, scree_error *error) {
  scree_status status = check_plot(plot, error);
  if (status) return status;
  sc_text script = {0};
  sc_plot_script(plot, target, columns, rows, &script);
  status = script.failed ? sc_fail(error, SCREE_E_MEMORY, "no memory for the figure")
                         : sc_plot_run("gnuplot", &script, picture, error);
  sc_text_free(&script);
  return status;
}

/* Writes bytes to the file path.part and renames it to path. */
static scree_status put_file(const char *path, const sc_text *bytes, scree_error *error) {
  sc_text name = {0};
  if (sc_file_check_target(AT_FDCWD, path, error)) return SCREE_E_IO;
  sc_text_put(&name, "%s.part", path);
  if (name.failed) return sc_fail(error, SCREE_E_MEMORY, "no memory for a file name");
  FILE *file = fopen(name.data, "wb");
  bool fine = file && fwrite(bytes->data, 1, bytes->used, file) == bytes->used;
  if (file && fclose(file)) fine = false;
  if (fine && rename(name.data, path)) fine = false;
  scree_status status = fine ? SCREE_OK
                             : sc_fail(error, SCREE_E_IO, "cannot write %s: %s", path, strerror(errno));
  if (!fine && file) unlink(name.data);
  sc_text_free(&name);
  return status;
}

scree_status scree_plot_write(const scree_plot *plot, const char *path, scree_error *error) {
  SC_DEMAND(path, error, SCREE_E_ARGUMENT);
  const char *dot = strrchr(path, '.');
  sc_plot_target target;
  if (dot && !strcmp(dot, ".png")) target = SC_PLOT_PNG;
  else if (dot && !strcmp(dot, ".svg")) target = SC_PLOT_SVG;
  else if (dot && !strcmp(dot, ".txt")) target = SC_PLOT_CHARACTERS;
  else
    return sc_fail(error, SCREE_E_ARGUMENT,
        "cannot tell the kind of figure from '%s'; known ends: .png, .svg, .txt", path);
  sc_text picture = {0};
  scree_status status = draw_plot(plot, target, 100, 30, &picture, error);
  if (!status) status = put_file(path, &picture, error);
  sc_text_free(&picture);
  return status;
}

scree_status scree_plot_text(const scree_plot *plot, int columns, int rows, char **text, scree_error *error) {
  SC_DEMAND(text, error, SCREE_E_ARGUMENT);
  *text = NULL;
  if (columns < 20 || columns > 1000 || rows < 5 || rows > 500)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "a figure of characters has 20 to 1000 columns and 5 to 500 rows, not %d x %d", columns, rows);
  sc_text picture = {0};
  scree_status status = draw_plot(plot, SC_PLOT_CHARACTERS, columns, rows, &picture, error);
  if (status) sc_text_free(&picture);
  else *text = picture.data;
  return status;
}

void scree_plot_text_free(char *text) { sc_free(text); }
