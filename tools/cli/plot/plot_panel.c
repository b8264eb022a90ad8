/* A panel and what it points to. */
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
  csv_close(p->table);
  if (p->reader) scree_reader_close(p->reader);
}
