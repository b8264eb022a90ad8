/* A run as one page that opens from disk. */
#ifndef VIEW_HTML_H
#define VIEW_HTML_H

#include <stdint.h>

typedef struct view_html_def {
  const char *run;            /* its folder, or a trajectory */
  const char *file;           /* to write */
  int64_t first, last, every; /* frames; negative ones count from the end */
  double precision;           /* of positions [m]; 0: a fiftieth of the bodies' usual radius */
  int fields;                 /* SCREE_FIELD_... */
} view_html_def;

/* An exit code, after a message. *bytes receives the size of the file. */
int view_html_write(const view_html_def *def, int64_t *bytes);

#endif
