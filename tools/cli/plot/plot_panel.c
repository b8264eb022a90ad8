/* A panel and the memory that it owns. */
#include "plot/plot_panels.h"

#include <stdlib.h>
#include <string.h>

double *plot_keep(plot_panel *p, double *data) {
  if (data && p->data_count < 4 * PLOT_SERIES) p->data[p->data_count++] = data;
  return data;
}

const char *plot_keep_text(plot_panel *p, const char *text) {
  char *copy = p->text_count < 4 * PLOT_SERIES ? strdup(text) : NULL;
  if (copy) p->text[p->text_count++] = copy;
  else p->lost = 1;
  return copy ? copy : "";
}

void plot_free_panel(plot_panel *p) {
  for (int i = 0; i < p->data_count; i++) free(p->data[i]);
  for (int i = 0; i < p->text_count; i++) free(p->text[i]);
  for (int i = 0; i < PLOT_RUNS; i++) csv_close(p->tables[i]);
  if (p->reader) scree_reader_close(p->reader);
}

/* Values of WHAT that are not columns. */
static const char *const pictures[] = {"energy", "snapshot", "chains", "cracks", "scene"};
enum { PICTURES = sizeof pictures / sizeof *pictures };

/* Returns a column of the table, or a picture after the last column. */
static const char *name_what(const void *context, int i) {
  const csv *t = context;
  return i < t->columns ? t->name[i] : pictures[i - t->columns];
}

int plot_find_column(const csv *t, const char *name, bool is_what) {
  int column = csv_column(t, name);
  if (column >= 0) return column;
  const char *near = scree_nearest_name(name, t->columns + (is_what ? PICTURES : 0), name_what, t);
  cli_fail(CLI_USAGE, "plot", "there is no column '%s'%s%s%s", name, near ? "; did you mean '" : "",
      near ? near : "", near ? "'?" : "");
  return -1;
}
