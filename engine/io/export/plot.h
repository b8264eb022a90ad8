/* Private header of the plot module: a growing text, the script writer, and the run of gnuplot. */
#ifndef SC_PLOT_H
#define SC_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include "base/base.h"
#include "scree/plot.h"

/* Text that grows. A zeroed sc_text is empty. If an allocation fails, `failed` is set and later calls append
 * nothing. */
typedef struct sc_text {
  char *data;
  size_t used, capacity;
  bool failed;
} sc_text;
/* Appends formatted text. */
void sc_text_put(sc_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends a string in gnuplot's single quotes: quotes doubled, control characters replaced by blanks. NULL
 * becomes ''. */
void sc_text_quote(sc_text *text, const char *string);
/* Frees the text and makes it empty. */
void sc_text_free(sc_text *text);

typedef enum sc_plot_target { SC_PLOT_PNG, SC_PLOT_SVG, SC_PLOT_CHARACTERS } sc_plot_target;
/* Appends the gnuplot script of a figure to `script`. columns, rows: size of a panel in characters for
 * SC_PLOT_CHARACTERS. */
void sc_plot_script(const scree_plot *plot, sc_plot_target target, int columns, int rows, sc_text *script);

/* Appends the points of a curve with more than SC_PLOT_THICK points, at most five per column of the picture.
 * Returns false and appends nothing if the curve has fewer points, draws points or error bars, or its x
 * ever decreases. */
bool sc_plot_put_thinned(sc_text *text, const scree_plot_panel *panel, const scree_plot_series *series);
enum { SC_PLOT_THICK = 20000 };

/* Runs `program` (gnuplot) on the script and appends the picture to *output. Fails with SCREE_E_MISSING if it
 * is not installed. */
scree_status sc_plot_run(const char *program, const sc_text *script, sc_text *output, scree_error *error);

#endif
