/* Reading tables: cells may be quoted, doubled quotes inside. */
#include "csv.h"
#include "cli.h"
#include "files.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cuts one cell off; *at moves behind it. last: the cell ended its line. */
static const char *cut(char **at, int *last) {
  char *start = *at, *to = start, *from = start;
  int quoted = *from == '"';
  if (quoted) from++;
  while (*from && (quoted || (*from != ',' && *from != '\n' && *from != '\r'))) {
    if (quoted && *from == '"') {
      if (from[1] != '"') {
        quoted = 0;
        from++;
        continue;
      }
      from++;
    }
    *to++ = *from++;
  }
  *last = *from != ',';
  if (*from == '\r') from++;
  *at = *from ? from + 1 : from;
  *to = 0;
  return start;
}

/* Without memory for all of its rows a table is none. */
static csv *give_up(csv *t, const char *path) {
  cli_fail(CLI_IO, "plot", "cannot read %s: %s", path, strerror(ENOMEM));
  csv_close(t);
  return NULL;
}

csv *csv_open(const char *path) {
  size_t size;
  csv *t = calloc(1, sizeof *t);
  if (!t || !(t->text = cli_read(path, &size))) {
    cli_fail(CLI_IO, "plot", "cannot read %s: %s", path, strerror(errno));
    free(t);
    return NULL;
  }
  char *at = t->text;
  int last = 0, capacity = 0;
  while (*at && !last) {
    const char *name = cut(&at, &last);
    if (t->columns < CSV_COLUMNS) t->name[t->columns++] = name;
  }
  while (*at) {
    if (t->rows == capacity) {
      capacity = capacity ? 2 * capacity : 1024;
      const char **more = realloc(t->cell, (size_t)capacity * (size_t)t->columns * sizeof *more);
      if (!more) return give_up(t, path);
      t->cell = more;
    }
    const char **row = t->cell + (size_t)t->rows * (size_t)t->columns;
    for (int c = 0; c < t->columns; c++) row[c] = "";
    last = 0;
    for (int c = 0; *at && !last; c++) {
      const char *cell = cut(&at, &last);
      if (c < t->columns) row[c] = cell;
    }
    t->rows++;
  }
  return t;
}

void csv_close(csv *t) {
  if (!t) return;
  free(t->cell);
  free(t->text);
  free(t);
}

int csv_column(const csv *t, const char *name) {
  for (int c = 0; c < t->columns; c++)
    if (!strcmp(t->name[c], name)) return c;
  const size_t length = strlen(name);
  for (int c = 0; c < t->columns; c++) {
    const char *own = t->name[c];
    if (!strncmp(own, name, length) && !strncmp(own + length, " [", 2) && own[strlen(own) - 1] == ']')
      return c;
  }
  return -1;
}

double *csv_numbers(const csv *t, int column) {
  double *out = malloc(((size_t)t->rows + 1) * sizeof *out);
  for (int r = 0; out && r < t->rows; r++) {
    const char *cell = t->cell[(size_t)r * (size_t)t->columns + (size_t)column];
    char *end;
    out[r] = strtod(cell, &end);
    if (end == cell || *end) out[r] = NAN;
  }
  return out;
}
