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
static char *cut(char **at, int *last) {
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

/* Reports that there is no memory for a table, and frees the table. */
static csv *give_up(csv *t, const char *path) {
  cli_fail(CLI_IO, "plot", "cannot read %s: %s", path, strerror(ENOMEM));
  csv_close(t);
  return NULL;
}

/* Makes room for one more row of `each` elements. Returns false if there is no memory. */
static int add_row(csv *t, int *capacity, char ***list, int each) {
  if (t->rows < *capacity) return 1;
  const int more = *capacity ? 2 * *capacity : 1024;
  char **larger = realloc(*list, (size_t)more * (size_t)each * sizeof *larger);
  if (larger) *list = larger, *capacity = more;
  return larger != NULL;
}

/* Cuts all rows from `at` on into cells. Returns false if there is no memory. */
static int cut_cells(csv *t, char *at) {
  int capacity = 0;
  for (t->rows = 0; *at; t->rows++) {
    if (!add_row(t, &capacity, &t->cell, t->columns)) return 0;
    char **row = t->cell + (size_t)t->rows * (size_t)t->columns;
    for (int c = 0; c < t->columns; c++) row[c] = t->empty;
    int last = 0;
    for (int c = 0; *at && !last; c++) {
      char *cell = cut(&at, &last);
      if (c < t->columns) row[c] = cell;
    }
  }
  return 1;
}

/* Finds where each line starts, from `at` to `end`. Returns false if there is no memory. */
static int find_lines(csv *t, char *at, const char *end) {
  int capacity = 0;
  for (t->rows = 0; at < end; t->rows++) {
    if (!add_row(t, &capacity, &t->line, 1)) return 0;
    t->line[t->rows] = at;
    char *stop = memchr(at, '\n', (size_t)(end - at));
    at = stop ? stop + 1 : t->text + (end - t->text);
  }
  return 1;
}

csv *csv_open(const char *path) {
  size_t size;
  csv *t = calloc(1, sizeof *t);
  if (!t || !(t->text = cli_read(path, &size))) {
    cli_fail(CLI_IO, "plot", "cannot read %s: %s", path, strerror(errno));
    free(t);
    return NULL;
  }
  char *at = t->text, *end = t->text + strlen(t->text);
  int last = 0;
  while (*at && !last) {
    const char *name = cut(&at, &last);
    if (t->columns < CSV_COLUMNS) t->name[t->columns++] = name;
  }
  const int quoted = memchr(at, '"', (size_t)(end - at)) != NULL;
  return (quoted ? cut_cells(t, at) : find_lines(t, at, end)) ? t : give_up(t, path);
}

void csv_close(csv *t) {
  if (!t) return;
  free(t->cell);
  free(t->line);
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

int csv_cut_cells(csv *t) { return t->cell || !t->rows || cut_cells(t, t->line[0]); }

/* Returns the number in the text from `cell` to `end`; NaN if the text is not a number. */
static double read_number(const char *cell, const char *end) {
  char *stop;
  const double value = strtod(cell, &stop);
  return stop == end && end > cell ? value : NAN;
}

/* Returns the number in a column of a line without quotes. */
static double number_in_line(const char *at, int column) {
  for (; column > 0; column--) {
    at += strcspn(at, ",\r\n");
    if (*at != ',') return NAN;
    at++;
  }
  return read_number(at, at + strcspn(at, ",\r\n"));
}

double *csv_numbers(const csv *t, int column) {
  double *out = malloc(((size_t)t->rows + 1) * sizeof *out);
  for (int r = 0; out && r < t->rows; r++) {
    const char *cell = t->cell ? t->cell[(size_t)r * (size_t)t->columns + (size_t)column] : NULL;
    out[r] = cell ? read_number(cell, cell + strlen(cell)) : number_in_line(t->line[r], column);
  }
  return out;
}
