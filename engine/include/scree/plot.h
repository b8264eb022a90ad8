/* Figures: a plain description of panels, curves, images and shapes, which gnuplot draws as PNG, SVG or text.
 *
 * gnuplot is a separate program (Debian: gnuplot-nox). scree starts it without a shell, passes the
 * description with all data and reads the finished picture from its output. gnuplot does not open any file of
 * the user. Without gnuplot every call returns SCREE_E_MISSING. All texts are UTF-8 and are drawn unchanged.
 * docs/plot.md describes the functions in Lua. */
#ifndef SCREE_PLOT_H
#define SCREE_PLOT_H

#include <stdint.h>
#include "scree/param.h"
#include "scree/status.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_plot_style {
  SCREE_PLOT_LINES,
  SCREE_PLOT_POINTS,
  SCREE_PLOT_LINES_POINTS,
  SCREE_PLOT_STEPS,
  SCREE_PLOT_BARS,
  SCREE_PLOT_BAND,
  SCREE_PLOT_DISCS,
  SCREE_PLOT_POLYGONS,
  SCREE_PLOT_STYLES
} scree_plot_style;
/* Returns the name of a style: "lines", "points", "lines_points", "steps", "bars", "band", "discs",
 * "polygons"; NULL past the last. */
const char *scree_plot_style_name(int style);

/* A curve or a set of points. NaN in x or y makes a gap. Polygons are filled areas between gaps; the last
 * point of each polygon equals its first point. */
typedef struct scree_plot_series {
  const char *name; /* name in the legend; NULL: the legend does not contain the series */
  int style;        /* style of the series: a scree_plot_style */
  int64_t count;
  const double *x, *y;
  const double *y2;     /* BAND: y of the other edge; other styles: half lengths of error bars; NULL: none */
  const double *radius; /* DISCS: radii in units of x (required) */
  /* POINTS, DISCS, POLYGONS: values that the panel's colour map converts to colours; NULL: one colour */
  const double *value;
  const char *color; /* "#rrggbb"; NULL: next colour of the cycle */
  double width;      /* line width or point size, relative to the default; 0: 1 */
  int dashed;
} scree_plot_series;
/* Parameter table of the keys of a series. */
extern const scree_param scree_plot_series_params[];
extern const int scree_plot_series_params_count;

/* Values on a regular grid, drawn as colours. NaN is not drawn. */
typedef struct scree_plot_image {
  int64_t nx, ny;                /* numbers of values along x and y; 0: no image */
  const double *value;           /* ny rows of nx values; the first row is at ymin */
  double xmin, xmax, ymin, ymax; /* positions of the outer edges of the grid */
} scree_plot_image;
/* Parameter table of the keys of an image. */
extern const scree_param scree_plot_image_params[];
extern const int scree_plot_image_params_count;

/* Arrows from (x,y) to (x + s u, y + s v) with s = scale. scale 0: the longest arrow gets the mean distance
 * between arrows. */
typedef struct scree_plot_arrows {
  int64_t count;
  const double *x, *y, *u, *v;
  double scale;
  const char *color; /* "#rrggbb"; NULL: dark grey */
} scree_plot_arrows;
/* Parameter table of the keys of arrows. */
extern const scree_param scree_plot_arrows_params[];
extern const int scree_plot_arrows_params_count;

/* A closed outline through `count` points. count 1: a circle about the point with this radius. */
typedef struct scree_plot_shape {
  int64_t count;
  const double *x, *y;
  double radius;
  const char *fill; /* colour of the inside, "#rrggbb"; NULL: not filled */
  const char *line; /* colour of the outline, "#rrggbb"; NULL: no outline */
} scree_plot_shape;
/* Parameter table of the keys of a shape. */
extern const scree_param scree_plot_shape_params[];
extern const int scree_plot_shape_params_count;

typedef struct scree_plot_note {
  double x, y;
  const char *text, *color;
  int align; /* side or middle of the text at x: -1: left, 0: centre, 1: right */
} scree_plot_note;
/* Parameter table of the keys of a note. */
extern const scree_param scree_plot_note_params[];
extern const int scree_plot_note_params_count;

typedef struct scree_plot_panel {
  const char *title, *xlabel, *ylabel, *color_label; /* titles of panel, axes and colour map; NULL: none */
  /* ranges of the axes and of the colour map; min == max: chosen from the data */
  double xmin, xmax, ymin, ymax, color_min, color_max;
  int xlog, ylog;
  int equal;           /* nonzero: one unit of x is as long as one unit of y */
  const char *palette; /* palette of the colour map: "viridis" (default), "magma", "grey", "diverging" */
  /* position of the legend: "top right" (default), "top left", "bottom right", "bottom left", "outside",
   * "none" */
  const char *legend;
  /* height of the panel divided by its width; 0: chosen from the data if `equal`, else 0.62 */
  double aspect;
  scree_plot_image image;
  const scree_plot_series *series;
  int series_count;
  const scree_plot_arrows *arrows;
  int arrows_count;
  const scree_plot_shape *shapes;
  int shapes_count;
  const scree_plot_note *notes;
  int notes_count;
} scree_plot_panel;
/* Parameter table of the keys of a panel. */
extern const scree_param scree_plot_panel_params[];
extern const int scree_plot_panel_params_count;

typedef struct scree_plot {
  const char *title; /* title of the whole picture; NULL: none */
  const scree_plot_panel *panels;
  int panels_count; /* number of panels, >= 1, arranged row by row */
  int columns;      /* number of columns of panels; 0: 1 */
  int width;        /* width of the picture in pixels; 0: 900 per column */
} scree_plot;
/* Parameter table of the keys of a plot. */
extern const scree_param scree_plot_params[];
extern const int scree_plot_params_count;

/* Draws into a file. Its extension determines the format: .png, .svg, .txt (characters). The file is written
 * completely or not at all. Returns SCREE_E_MISSING without gnuplot, SCREE_E_ARGUMENT for an unknown
 * extension, wrong colour or wrong count, and SCREE_E_IO if the file cannot be written. */
scree_status scree_plot_write(const scree_plot *plot, const char *path, scree_error *error);

/* Draws with characters, columns x rows per panel. *text is terminated by 0; free it with
 * scree_plot_text_free. */
scree_status scree_plot_text(const scree_plot *plot, int columns, int rows, char **text, scree_error *error);
/* Frees a text from scree_plot_text. NULL is allowed. */
void scree_plot_text_free(char *text);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
