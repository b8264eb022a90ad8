/* Writes a run as one HTML page that works without a server. */
#ifndef VIEW_HTML_H
#define VIEW_HTML_H

#include <stdint.h>

/* The run and the frames to export. */
typedef struct view_html_def {
  const char *run;            /* folder of the run, or a trajectory */
  const char *file;           /* path of the file to write */
  int64_t first, last, every; /* frames; negative ones count from the end */
  double precision;           /* precision of positions [m]; 0: a fiftieth of the mean radius of the bodies */
  int fields;                 /* bits SCREE_FIELD_... of the fields to export */
} view_html_def;

/* Writes the page. *bytes receives its size. Returns an exit code after a message. */
int view_html_write(const view_html_def *def, int64_t *bytes);

#endif
