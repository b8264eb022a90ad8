/* Panels of `scree plot`, from tables and trajectories. */
#ifndef CLI_PLOT_PANELS_H
#define CLI_PLOT_PANELS_H

#include <stdbool.h>
#include <stdio.h>
#include "cli.h"
#include "csv.h"
#include "picture/picture.h"
#include "scree/scree.h"

enum { PLOT_PANELS = 24, PLOT_SERIES = 64, PLOT_RUNS = 16 };

typedef struct plot_options {
  const char *file, *x, *title, *log, *view;
  const char *fit; /* "lognormal"; NULL: no fit */
  int64_t columns, frame;
  double tolerance; /* of cracks [m]; 0: the default of each face */
  int list;
  const picture_options *picture; /* options for the colours of snapshots */
} plot_options;

/* Source of a plot: the folder of a run or of a sweep, a table, or several runs in one panel. */
typedef struct plot_places {
  const char *place[PLOT_RUNS];
  int count;
} plot_places;

/* A panel and the memory that it owns. */
typedef struct plot_panel {
  scree_plot_panel panel;
  scree_plot_series series[PLOT_SERIES];
  double *data[4 * PLOT_SERIES];
  char *text[4 * PLOT_SERIES];
  int data_count, text_count, lost; /* lost: 1 if a text was dropped because memory ran out */
  csv *table;                       /* the table whose columns are drawn next */
  csv *tables[PLOT_RUNS];           /* [places] all tables; NULL: not opened */
  scree_reader *reader;
} plot_panel;

/* Makes a panel. Returns the exit code. The panel must be freed in any case. */
int plot_make_panel(
    const plot_options *options, const plot_places *places, const char *what, plot_panel *out);
/* Returns whether a path is that of a run, a sweep or a table: a folder with run.json, series.csv or
 * results.csv, or a file that ends in .csv. */
bool plot_is_place(const char *path);
/* Frees a panel with all that it owns. */
void plot_free_panel(plot_panel *panel);
/* Prints the tables and columns of a directory. Returns an exit code. */
int plot_list(const char *place);

/* Returns the index of a column. If there is no such column, prints a message with the nearest name and
 * returns -1. is_what: the message also suggests values of WHAT that are not columns, such as `cracks`. */
int plot_find_column(const csv *table, const char *name, bool is_what);

/* ---- plot_sweep.c ---- */
/* Sets the range of the swept columns, which lie between state and wall_seconds. Returns false if the table
 * is not of a sweep. */
int plot_swept_range(const csv *table, int *first, int *end);
/* Returns the index of the first swept column that contains numbers. Returns the seed's column only if no
 * other column does. */
int plot_first_number(const csv *table, int first, int end);
/* Adds curves of the means of `columns` of panel->table against the column x, with the 95 % intervals of
 * the means. The swept columns are first..end - 1. place: the folder of the sweep or its results.csv, from
 * which the units are read. fit: adds fragility curves, with the intervals of probabilities. Returns the
 * exit code. */
int plot_sweep_curves(
    plot_panel *panel, const char *place, const char *columns, int x, int first, int end, bool fit);

/* ---- plot_snapshot.c, plot_panel.c ---- */
/* Contents of a panel with a frame: bodies coloured by a field, bodies of one colour with force chains, or
 * bodies of one colour with cracks. */
typedef enum plot_layer { PLOT_BODIES, PLOT_CHAINS, PLOT_CRACKS } plot_layer;
/* Makes a panel with the bodies of a frame. Returns an exit code. */
int plot_snapshot(const plot_options *options, const char *place, plot_layer layer, plot_panel *out);
/* Returns whether a text names a view: two axes ("xy", "-xz") or AZIMUTH,ELEVATION in degrees. */
int plot_view_fine(const char *text);
/* Transfers an array to the panel, which frees it later. Returns the array. Ignores NULL. */
double *plot_keep(plot_panel *panel, double *data);
/* Returns a copy of a text that the panel owns; NULL if out of memory. */
const char *plot_keep_text(plot_panel *panel, const char *text);

#endif
