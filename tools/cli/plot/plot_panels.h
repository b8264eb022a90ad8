/* Panels of `scree plot`, made from tables and trajectories. */
#ifndef CLI_PLOT_PANELS_H
#define CLI_PLOT_PANELS_H

#include <stdio.h>
#include "cli.h"
#include "csv.h"
#include "picture/picture.h"
#include "scree/scree.h"

enum { PLOT_PANELS = 24, PLOT_SERIES = 64 };

typedef struct plot_options {
  const char *file, *x, *title, *log, *view;
  int64_t columns, frame;
  int list;
  const picture_options *picture; /* colours of snapshots */
} plot_options;

/* A panel and what it points to. */
typedef struct plot_panel {
  scree_plot_panel panel;
  scree_plot_series series[PLOT_SERIES];
  double *data[4 * PLOT_SERIES];
  char *text[4 * PLOT_SERIES];
  int data_count, text_count, lost; /* lost: a text for which there was no memory */
  csv *table;
  scree_reader *reader;
} plot_panel;

/* Exit code; the panel must be freed in any case. place: a directory or a file. */
int plot_make_panel(const plot_options *options, const char *place, const char *what, plot_panel *out);
void plot_free_panel(plot_panel *panel);
/* Prints tables and columns of a directory. */
int plot_list(const char *place);

/* plot_snapshot.c */
int plot_snapshot(const plot_options *options, const char *path, int chains, plot_panel *out);
/* Whether a text names a view: two axes ("xy", "-xz") or AZIMUTH,ELEVATION in degrees. */
int plot_view_fine(const char *text);
double *plot_keep(plot_panel *panel, double *data);
const char *plot_keep_text(plot_panel *panel, const char *text);

#endif
