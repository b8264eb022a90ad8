/* Makes panels from tables. */
#include "plot/plot_panels.h"
#include "record.h"
#include "run/run.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 4096, MOST_CELLS = 1 << 24 };

/* ---- the path of the table ---- */

static int is_directory(const char *path) {
  struct stat info;
  return !stat(path, &info) && S_ISDIR(info.st_mode);
}

bool plot_is_place(const char *path) {
  static const char *const marks[] = {"run.json", "series.csv", "results.csv"};
  const char *dot = strrchr(path, '.');
  char inside[PATH];
  bool found = false;
  for (size_t i = 0; i < sizeof marks / sizeof *marks && !found; i++) {
    snprintf(inside, sizeof inside, "%.4000s/%s", path, marks[i]);
    found = !access(inside, F_OK);
  }
  return found || (dot && !strcmp(dot, ".csv") && !is_directory(path) && !access(path, F_OK));
}

/* Writes the path of the table that WHAT names. *columns: the columns in WHAT. */
static void find_table(const char *place, const char *what, char path[PATH], const char **columns) {
  const char *colon = strchr(what, ':');
  *columns = colon ? colon + 1 : what;
  if (!is_directory(place)) snprintf(path, PATH, "%.4000s", place);
  else if (colon)
    snprintf(path, PATH, "%.2000s/%.*s.csv", place, (int)(colon - what < 1000 ? colon - what : 1000), what);
  else {
    snprintf(path, PATH, "%.2000s/results.csv", place);
    if (access(path, R_OK)) snprintf(path, PATH, "%.2000s/series.csv", place);
  }
}

/* ---- curves against one column ---- */

static int add_curve(plot_panel *p, int x, int y, const char *name, int style) {
  if (p->panel.series_count == PLOT_SERIES)
    return cli_fail(CLI_USAGE, "plot", "more than %d curves in a panel", PLOT_SERIES);
  scree_plot_series *s = p->series + p->panel.series_count++;
  *s = (scree_plot_series){.name = name,
      .style = style,
      .count = p->table->rows,
      .x = plot_keep(p, csv_numbers(p->table, x)),
      .y = plot_keep(p, csv_numbers(p->table, y))};
  p->panel.series = p->series;
  return s->x && s->y ? CLI_OK : cli_fail(CLI_FAILED, "plot", "no memory");
}

/* Returns the unit of a built-in column, or the unit at the end of the column's name, "height [mm]"; "":
 * none. */
static const char *unit_of(plot_panel *p, const char *column) {
  char unit[SL_UNIT];
  const char *open = strrchr(column, '[');
  for (int i = 0; i < SL_REPORT_COLUMNS; i++)
    if (!strcmp(sl_report_column(i)->name, column)) return sl_report_column(i)->unit;
  const size_t length = open ? strlen(open) : 0;
  if (length < 3 || length > sizeof unit || open == column || open[-1] != ' ' || open[length - 1] != ']')
    return "";
  snprintf(unit, sizeof unit, "%.*s", (int)length - 2, open + 1);
  return plot_keep_text(p, unit);
}

/* Returns "name [unit]", or the name alone. */
static const char *axis_label(plot_panel *p, const char *name) {
  char text[300];
  const char *unit = unit_of(p, name);
  const bool add = *unit && name[strlen(name) - 1] != ']';
  snprintf(text, sizeof text, add ? "%.200s [%s]" : "%.200s", name, unit);
  return plot_keep_text(p, text);
}

/* Names of the columns of a panel's curves, and what all curves share. */
typedef struct common {
  const char *name[PLOT_SERIES];
  int count;
  const char *column, *unit; /* column and unit of all curves; "": the curves differ */
} common;

static void note_curve(common *c, const char *column, const char *unit) {
  if (!c->count) c->column = column, c->unit = unit;
  if (strcmp(c->column, column)) c->column = "";
  if (strcmp(c->unit, unit)) c->unit = "";
  if (c->count < PLOT_SERIES) c->name[c->count++] = column;
}

/* Adds a curve for each column of p->table. owner: name of the run in the legend; NULL: one run. */
static int add_columns(plot_panel *p, const char *columns, int x, const char *owner, common *c) {
  char name[256], legend[600];
  const bool one = !strchr(columns, ',');
  for (const char *at = columns; *at;) {
    size_t length = strcspn(at, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    int y = plot_find_column(p->table, name, true);
    if (y < 0) return CLI_USAGE;
    const char *column = p->table->name[y];
    snprintf(legend, sizeof legend, "%.300s%s%.255s", owner ? owner : "", owner && !one ? ": " : "",
        owner && one ? "" : column);
    note_curve(c, column, unit_of(p, column));
    int code = add_curve(p, x, y, plot_keep_text(p, legend), SCREE_PLOT_LINES);
    if (code) return code;
    at += length + (at[length] == ',');
  }
  return p->panel.series_count ? CLI_OK : cli_fail(CLI_USAGE, "plot", "no column is named");
}

static void put_labels(plot_panel *p, int x, const common *c) {
  char text[40];
  snprintf(text, sizeof text, "[%s]", c->unit);
  p->panel.xlabel = axis_label(p, p->table->name[x]);
  p->panel.ylabel = *c->column ? axis_label(p, c->column) : *c->unit ? plot_keep_text(p, text) : NULL;
  if (p->panel.series_count == 1) p->series[0].name = NULL;
}

static int plain_curves(plot_panel *p, const char *columns, int x) {
  common c = {.count = 0};
  int code = add_columns(p, columns, x, NULL, &c);
  if (!code) put_labels(p, x, &c);
  return code;
}

/* ---- images: rows on a regular grid of x and y, averaged over z ---- */

static int list_distinct(const double *value, int rows, double *out) {
  int count = 0;
  for (int r = 0; r < rows; r++) {
    int k = 0;
    while (k < count && out[k] != value[r]) k++;
    if (k == count) out[count++] = value[r];
  }
  return count;
}

static int place_of(const double *list, int count, double value) {
  for (int k = 0; k < count; k++)
    if (list[k] == value) return k;
  return 0;
}

static int make_image(plot_panel *p, const char *columns, int cx, int cy) {
  const csv *t = p->table;
  int column = plot_find_column(t, columns, true);
  if (column < 0) return CLI_USAGE;
  double *x = plot_keep(p, csv_numbers(t, cx)), *y = plot_keep(p, csv_numbers(t, cy)),
         *v = plot_keep(p, csv_numbers(t, column));
  double *dx = plot_keep(p, malloc(((size_t)t->rows + 1) * sizeof *dx)),
         *dy = plot_keep(p, malloc(((size_t)t->rows + 1) * sizeof *dy));
  if (!x || !y || !v || !dx || !dy) return cli_fail(CLI_FAILED, "plot", "no memory");
  int nx = list_distinct(x, t->rows, dx), ny = list_distinct(y, t->rows, dy);
  if ((double)nx * ny > MOST_CELLS) return cli_fail(CLI_FAILED, "plot", "the table has no grid");
  double *sum = plot_keep(p, calloc((size_t)nx * (size_t)ny + 1, sizeof *sum)),
         *count = plot_keep(p, calloc((size_t)nx * (size_t)ny + 1, sizeof *count));
  if (!sum || !count || nx < 1 || ny < 1) return cli_fail(CLI_FAILED, "plot", "the table has no grid");
  for (int r = 0; r < t->rows; r++) {
    int k = place_of(dx, nx, x[r]) + nx * place_of(dy, ny, y[r]);
    if (isfinite(v[r])) sum[k] += v[r], count[k] += 1;
  }
  for (int k = 0; k < nx * ny; k++) sum[k] = count[k] > 0 ? sum[k] / count[k] : NAN;
  double sx = nx > 1 ? (dx[nx - 1] - dx[0]) / (nx - 1) : 1, sy = ny > 1 ? (dy[ny - 1] - dy[0]) / (ny - 1) : 1;
  p->panel.image = (scree_plot_image){
      nx, ny, sum, dx[0] - sx / 2, dx[nx - 1] + sx / 2, dy[0] - sy / 2, dy[ny - 1] + sy / 2};
  p->panel.equal = 1;
  p->panel.xlabel = "x [m]", p->panel.ylabel = "y [m]";
  p->panel.color_label = t->name[column];
  return CLI_OK;
}

/* ---- the caption ---- */

/* Names runs that are invalid or failed above their curves: "a is invalid, b failed". */
static void mark_runs(const plot_places *places, plot_panel *p) {
  char text[600] = "";
  for (int i = 0; i < places->count; i++) {
    cli_record record;
    const size_t used = strlen(text);
    if (cli_read_record(places->place[i], &record) != CLI_RECORD) continue;
    const bool failed = !strcmp(record.status, "failed");
    if (!failed && strcmp(record.status, "invalid") != 0) continue;
    snprintf(text + used, sizeof text - used, "%s%.100s %s", used ? ", " : "",
        places->count > 1 ? places->place[i] : "the run", failed ? "failed" : "is invalid");
    if (places->count == 1 && *record.reason)
      snprintf(text + strlen(text), sizeof text - strlen(text), ": %.300s", record.reason);
  }
  if (*text) p->panel.title = plot_keep_text(p, text);
}

/* ---- the choice ---- */

static int from_table(const plot_options *o, const char *place, plot_panel *p, const char *columns) {
  csv *t = p->table;
  int first, end, sweep = plot_swept_range(t, &first, &end), cx = csv_column(t, "x"), cy = csv_column(t, "y");
  if (sweep && !csv_cut_cells(t)) return cli_fail(CLI_FAILED, "plot", "no memory");
  int x = o->x               ? plot_find_column(t, o->x, false)
      : sweep && end > first ? plot_first_number(t, first, end)
                             : 0;
  if (x < 0) return CLI_USAGE;
  if (!strcmp(columns, "energy")) columns = "kinetic,potential,dissipated";
  if (o->fit && !(sweep && end > first))
    return cli_fail(CLI_USAGE, "plot", "--fit needs the results of a sweep");
  if (sweep && end > first) return plot_sweep_curves(p, place, columns, x, first, end, o->fit != NULL);
  if (!o->x && cx == 0 && cy == 1) return make_image(p, columns, cx, cy);
  return plain_curves(p, columns, x);
}

/* Fails if columns of the last run have other units than those of the first. */
static int compare_units(const plot_places *places, int last, const common *c) {
  const int columns = c->count / (last + 1);
  for (int i = 0; i < columns; i++) {
    const char *first = c->name[i], *other = c->name[last * columns + i];
    if (strcmp(first, other))
      return cli_fail(CLI_USAGE, "plot", "%s has '%s' and %s has '%s': they fit no common axis",
          places->place[0], first, places->place[last], other);
  }
  return CLI_OK;
}

/* Adds curves of several runs to one panel, each against the column x of its own table. */
static int overlay_runs(const plot_options *o, const plot_places *places, const char *what, plot_panel *p) {
  common c = {.count = 0};
  int first, end, x = 0;
  for (int i = 0; i < places->count; i++) {
    char path[PATH], owner[256];
    const char *columns;
    find_table(places->place[i], what, path, &columns);
    if (!(p->table = p->tables[i] = csv_open("plot", path))) return CLI_IO;
    if (!p->table->columns) return cli_fail(CLI_USAGE, "plot", "%s is empty", path);
    if (plot_swept_range(p->table, &first, &end) ||
        (csv_column(p->table, "x") == 0 && csv_column(p->table, "y") == 1))
      return cli_fail(CLI_USAGE, "plot",
          "several runs in one panel have curves of their series; %s is the table of a %s", path,
          csv_column(p->table, "x") == 0 ? "grid" : "sweep");
    if (!strcmp(columns, "energy")) columns = "kinetic,potential,dissipated";
    x = o->x ? plot_find_column(p->table, o->x, false) : 0;
    snprintf(owner, sizeof owner, "%.255s", places->place[i]);
    for (size_t n = strlen(owner); n > 1 && owner[n - 1] == '/';) owner[--n] = 0;
    int code = x < 0 ? CLI_USAGE : add_columns(p, columns, x, owner, &c);
    if (!code) code = compare_units(places, i, &c);
    if (code) return code;
  }
  put_labels(p, x, &c);
  return CLI_OK;
}

static int nothing_lost(const plot_panel *p) {
  return p->lost ? cli_fail(CLI_FAILED, "plot", "no memory") : CLI_OK;
}

static int one_place(const plot_options *o, const char *place, const char *what, plot_panel *p) {
  char path[PATH];
  const char *columns;
  find_table(place, what, path, &columns);
  if (!(p->table = p->tables[0] = csv_open("plot", path))) return CLI_IO;
  return p->table->columns ? from_table(o, place, p, columns)
                           : cli_fail(CLI_USAGE, "plot", "%s is empty", path);
}

int plot_make_panel(const plot_options *o, const plot_places *places, const char *what, plot_panel *p) {
  const plot_layer layer = !strcmp(what, "chains") ? PLOT_CHAINS
      : !strcmp(what, "cracks")                    ? PLOT_CRACKS
                                                   : PLOT_BODIES;
  const bool frame = layer != PLOT_BODIES || !strcmp(what, "snapshot");
  if (frame && places->count > 1)
    return cli_fail(CLI_USAGE, "plot", "%s shows one run, not %d", what, places->count);
  if (o->fit && (frame || places->count > 1))
    return cli_fail(CLI_USAGE, "plot", "--fit needs the results of one sweep");
  int code = frame         ? plot_snapshot(o, places->place[0], layer, p)
      : places->count == 1 ? one_place(o, places->place[0], what, p)
                           : overlay_runs(o, places, what, p);
  if (!frame) p->panel.xlog = strchr(o->log, 'x') != NULL, p->panel.ylog = strchr(o->log, 'y') != NULL;
  if (!code && !p->panel.title) mark_runs(places, p);
  return code ? code : nothing_lost(p);
}

static int list_table(const char *path, const char *name) {
  csv *t = csv_open("plot", path);
  if (!t) return CLI_IO;
  printf("%s (%d rows):", name, t->rows);
  for (int c = 0; c < t->columns; c++) printf(" %s", t->name[c]);
  putchar('\n');
  csv_close(t);
  return CLI_OK;
}

int plot_list(const char *place) {
  if (!is_directory(place)) return list_table(place, place);
  struct dirent **entry;
  int code = CLI_OK, count = scandir(place, &entry, NULL, alphasort);
  if (count < 0) return cli_fail(CLI_IO, "plot", "cannot read %s", place);
  for (int i = 0; i < count; i++) {
    char path[PATH], name[256];
    const char *dot = strrchr(entry[i]->d_name, '.');
    if (dot && !strcmp(dot, ".csv")) {
      snprintf(path, sizeof path, "%.3000s/%.255s", place, entry[i]->d_name);
      snprintf(name, sizeof name, "%.*s", (int)(dot - entry[i]->d_name), entry[i]->d_name);
      if (list_table(path, name)) code = CLI_IO;
    }
    free(entry[i]);
  }
  free(entry);
  return code;
}
