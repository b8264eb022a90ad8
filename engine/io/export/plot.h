/* Inside of the plot module: a growing text, the script writer, and the run of gnuplot. */
#ifndef SC_PLOT_H
#define SC_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include "base/base.h"
#include "scree/plot.h"

/* Text that grows; once an allocation fails it stays failed and further puts do nothing. */
typedef struct sc_text {
  char *data;
  size_t used, capacity;
  bool failed;
} sc_text;
void sc_text_put(sc_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A string in gnuplot's single quotes: quotes doubled, control characters turned into blanks. NULL is ''. */
void sc_text_quote(sc_text *text, const char *string);
void sc_text_free(sc_text *text);

typedef enum sc_plot_target { SC_PLOT_PNG, SC_PLOT_SVG, SC_PLOT_CHARACTERS } sc_plot_target;
/* Writes the whole gnuplot script. columns and rows count characters (per panel) for SC_PLOT_CHARACTERS. */
void sc_plot_script(const scree_plot *plot, sc_plot_target target, int columns, int rows, sc_text *script);

/* Writes a curve of more than SC_PLOT_THICK points with at most five points per column of the picture.
 * Returns false, and writes nothing, if the curve has fewer points, has points or error bars of its own,
 * or its x ever falls. */
bool sc_plot_put_thinned(sc_text *text, const scree_plot_panel *panel, const scree_plot_series *series);
enum { SC_PLOT_THICK = 20000 };

/* Runs gnuplot on the script; its output arrives in *output. */
scree_status sc_plot_run(const char *program, const sc_text *script, sc_text *output, scree_error *error);

#endif
