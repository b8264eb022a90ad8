/* Panels from tables. */
#include "plot/plot_panels.h"
#include "run/run.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 4096, MOST_CELLS = 1 << 24 };

/* ---- where the table is ---- */

static int is_directory(const char *path) {
  struct stat info;
  return !stat(path, &info) && S_ISDIR(info.st_mode);
}

/* Path of the table that WHAT names; the columns begin at *columns. */
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

static const char *name_of(const void *context, int i) { return ((const csv *)context)->name[i]; }

static int column_of(const csv *t, const char *name) {
  int column = csv_column(t, name);
  if (column >= 0) return column;
  const char *near = scree_nearest_name(name, t->columns, name_of, t);
  cli_fail(CLI_USAGE, "plot", "there is no column '%s'%s%s%s", name, near ? "; did you mean '" : "",
      near ? near : "", near ? "'?" : "");
  return -1;
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

/* Unit of a column that every series has; "" for others and for numbers. */
static const char *unit_of(const char *column) {
  for (int i = 0; i < RUN_REPORT_COLUMNS; i++)
    if (!strcmp(run_report_column(i)->name, column)) return run_report_column(i)->unit;
  return "";
}

/* "name [unit]", or the name alone. */
static const char *axis_label(plot_panel *p, const char *name) {
  char text[300];
  snprintf(text, sizeof text, *unit_of(name) ? "%.200s [%s]" : "%.200s", name, unit_of(name));
  return plot_keep_text(p, text);
}

/* The unit that all curves have in common, as a label. */
static const char *common_unit(plot_panel *p) {
  const char *unit = unit_of(p->series[0].name);
  char text[40];
  for (int i = 1; i < p->panel.series_count; i++)
    if (strcmp(unit, unit_of(p->series[i].name))) return NULL;
  snprintf(text, sizeof text, "[%s]", unit);
  return *unit ? plot_keep_text(p, text) : NULL;
}

static int plain_curves(plot_panel *p, const char *columns, int x) {
  char name[256];
  for (const char *at = columns; *at;) {
    size_t length = strcspn(at, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    int y = column_of(p->table, name);
    if (y < 0) return CLI_USAGE;
    int code = add_curve(p, x, y, plot_keep_text(p, name), SCREE_PLOT_LINES);
    if (code) return code;
    at += length + (at[length] == ',');
  }
  if (!p->panel.series_count) return cli_fail(CLI_USAGE, "plot", "no column is named");
  p->panel.xlabel = axis_label(p, p->table->name[x]);
  p->panel.ylabel = p->panel.series_count == 1 ? axis_label(p, p->series[0].name) : common_unit(p);
  if (p->panel.series_count == 1) p->series[0].name = NULL;
  return CLI_OK;
}

/* ---- results of sweeps: one curve for each combination of the other swept values ---- */

/* Swept columns lie between state and wall_seconds. */
static int swept_range(const csv *t, int *first, int *end) {
  *first = csv_column(t, "state") + 1;
  *end = csv_column(t, "wall_seconds");
  return *first > 0 && *end >= *first;
}

/* The words of a row that name its curve. */
static void group_of(const csv *t, int row, int x, int first, int end, char *out, size_t size) {
  size_t used = 0;
  out[0] = 0;
  for (int c = first; c < end && used + 1 < size; c++) {
    if (c == x || !strcmp(t->name[c], "seed")) continue;
    const char *dot = strrchr(t->name[c], '.');
    used += (size_t)snprintf(out + used, size - used, "%s%s = %s", used ? ", " : "",
        dot ? dot + 1 : t->name[c], t->cell[(size_t)row * (size_t)t->columns + (size_t)c]);
  }
}

/* States of runs whose figures are left out. */
static const char *const left_out[] = {"invalid", "failed", "stopped", "running", "waiting", "skipped"};
enum { LEFT_OUT = sizeof left_out / sizeof *left_out };

/* What is drawn of a sweep, and what is left out. */
typedef struct tally {
  int runs, points, fewest, most; /* runs that are drawn, points, and least and most runs of a point */
  double lowest;                  /* least mean */
} tally;

/* Index of the state of a row in left_out, or -1: the row is drawn. */
static int find_left_out(const csv *t, int row) {
  const char *state = t->cell[(size_t)row * (size_t)t->columns + (size_t)csv_column(t, "state")];
  for (int k = 0; k < LEFT_OUT; k++)
    if (!strcmp(state, left_out[k])) return k;
  return -1;
}

/* Sorts points by x, so that lines run from left to right. */
typedef struct point {
  double x, y;
} point;
static int by_x(const void *a, const void *b) {
  double p = ((const point *)a)->x, q = ((const point *)b)->x;
  return (p > q) - (p < q);
}

/* Half length of the 95 % interval of a mean of n values, in standard errors: the 97.5th percentile of
 * Student's distribution with n - 1 degrees of freedom. */
static double student(int n) {
  static const double table[] = {0, 0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
      2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060,
      2.056, 2.052, 2.048, 2.045};
  enum { LAST = sizeof table / sizeof *table };
  double z = 1.959964, f = n - 1.0;
  return n < LAST ? table[n] : z + (z * z * z + z) / (4 * f);
}

/* A curve in the making: means at each x, and half lengths of their 95 % intervals. */
typedef struct means {
  double *x, *mean, *low, *high, *half;
  int count, repeats;
} means;

static void take_means(const point *points, int count, means *m, tally *all) {
  for (int i = 0, n; i < count; i += n, m->count++) {
    double sum = 0, squares = 0;
    for (n = 0; i + n < count && points[i + n].x == points[i].x; n++) sum += points[i + n].y;
    double mean = sum / n;
    for (int k = 0; k < n; k++) squares += (points[i + k].y - mean) * (points[i + k].y - mean);
    double half = n > 1 ? student(n) * sqrt(squares / (n - 1) / n) : 0;
    m->x[m->count] = points[i].x, m->mean[m->count] = mean, m->half[m->count] = half;
    m->low[m->count] = mean - half, m->high[m->count] = mean + half;
    m->repeats |= n > 1;
    all->fewest = all->points ? (n < all->fewest ? n : all->fewest) : n;
    all->most = n > all->most ? n : all->most;
    all->lowest = all->points ? fmin(all->lowest, mean) : mean;
    all->runs += n, all->points++;
  }
}

/* The rows of a group, by x. Their number. */
static int gather_points(const csv *t, const char *group, int x, int y, int first, int end, point *out) {
  double *all_x = csv_numbers(t, x), *all_y = csv_numbers(t, y);
  char own[512];
  int count = 0;
  for (int r = 0; all_x && all_y && r < t->rows; r++) {
    group_of(t, r, x, first, end, own, sizeof own);
    if (find_left_out(t, r) < 0 && !strcmp(own, group) && isfinite(all_x[r]) && isfinite(all_y[r]))
      out[count++] = (point){all_x[r], all_y[r]};
  }
  if (count) qsort(out, (size_t)count, sizeof *out, by_x);
  free(all_x);
  free(all_y);
  return count;
}

/* The curve with its band, or with bars where there is one x alone; both of the n-th colour. */
static int put_means(plot_panel *p, const means *m, const char *group, int n) {
  unsigned char rgb[3];
  char color[8];
  if (p->panel.series_count + 2 > PLOT_SERIES)
    return cli_fail(CLI_USAGE, "plot", "more than %d curves in a panel", PLOT_SERIES / 2);
  scree_palette_group(n, rgb);
  snprintf(color, sizeof color, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
  const char *kept = plot_keep_text(p, color);
  if (m->repeats && m->count > 1)
    p->series[p->panel.series_count++] = (scree_plot_series){
        .style = SCREE_PLOT_BAND, .count = m->count, .x = m->x, .y = m->low, .y2 = m->high, .color = kept};
  p->series[p->panel.series_count++] = (scree_plot_series){.name = *group ? plot_keep_text(p, group) : NULL,
      .style = SCREE_PLOT_LINES_POINTS,
      .count = m->count,
      .x = m->x,
      .y = m->mean,
      .y2 = m->repeats && m->count == 1 ? m->half : NULL,
      .dashed = n % 2,
      .color = kept};
  p->panel.series = p->series;
  return CLI_OK;
}

/* The rows of one group as a curve of means over repeats with the 95 % interval of each. */
static int add_group(plot_panel *p, const char *group, int x, int y, int first, int end, int n, tally *all) {
  size_t rows = (size_t)p->table->rows + 1;
  point *points = malloc(rows * sizeof *points);
  double *data = plot_keep(p, malloc(5 * rows * sizeof *data));
  means m = {data, data + rows, data + 2 * rows, data + 3 * rows, data + 4 * rows, 0, 0};
  if (points && data) take_means(points, gather_points(p->table, group, x, y, first, end, points), &m, all);
  free(points);
  return data ? put_means(p, &m, group, n) : cli_fail(CLI_FAILED, "plot", "no memory");
}

/* The caption of a sweep: "n = 7 of 9 runs, 2 to 3 a point; left out: 1 invalid, 1 failed". */
static const char *describe_runs(plot_panel *p, const tally *all) {
  const csv *t = p->table;
  int count[LEFT_OUT] = {0}, left = 0;
  char text[300];
  for (int r = 0; r < t->rows; r++) {
    const int k = find_left_out(t, r);
    if (k >= 0) count[k]++, left++;
  }
  int used = snprintf(text, sizeof text, "n = %d of %d runs", all->runs, t->rows);
  if (all->most > 1 && all->fewest < all->most)
    used += snprintf(text + used, sizeof text - (size_t)used, ", %d to %d a point", all->fewest, all->most);
  else if (all->most > 1)
    used += snprintf(text + used, sizeof text - (size_t)used, ", %d a point", all->most);
  const char *mark = "; left out: ";
  for (int k = 0; k < LEFT_OUT; k++) {
    if (count[k])
      used += snprintf(text + used, sizeof text - (size_t)used, "%s%d %s", mark, count[k], left_out[k]);
    if (count[k]) mark = ", ";
  }
  const int without = t->rows - left - all->runs;
  if (without > 0) snprintf(text + used, sizeof text - (size_t)used, "%s%d without a value", mark, without);
  return plot_keep_text(p, text);
}

/* Grey points at the lower edge, at the x of runs that are left out. */
static int mark_left_out(plot_panel *p, int x, const tally *all) {
  const csv *t = p->table;
  double *at = plot_keep(p, csv_numbers(t, x)), *y = plot_keep(p, malloc(((size_t)t->rows + 1) * sizeof *y));
  int count = 0;
  if (!at || !y) return cli_fail(CLI_FAILED, "plot", "no memory");
  for (int r = 0; r < t->rows; r++)
    if (find_left_out(t, r) >= 0 && isfinite(at[r])) at[count] = at[r], y[count++] = all->lowest;
  if (!count || !all->points || p->panel.series_count == PLOT_SERIES) return CLI_OK;
  p->series[p->panel.series_count++] = (scree_plot_series){
      .name = "left out", .style = SCREE_PLOT_POINTS, .count = count, .x = at, .y = y, .color = "#888888"};
  return CLI_OK;
}

static int sweep_curves(plot_panel *p, const char *columns, int x, int first, int end) {
  const csv *t = p->table;
  int y = column_of(t, columns), groups = 0;
  tally all = {0};
  if (y < 0) return CLI_USAGE;
  for (int r = 0; r < t->rows; r++) {
    char group[512], other[512];
    int seen = 0;
    group_of(t, r, x, first, end, group, sizeof group);
    for (int q = 0; q < r && !seen; q++) {
      group_of(t, q, x, first, end, other, sizeof other);
      seen = !strcmp(group, other);
    }
    int code = seen ? CLI_OK : add_group(p, group, x, y, first, end, groups++, &all);
    if (code) return code;
  }
  p->panel.title = describe_runs(p, &all);
  p->panel.xlabel = t->name[x];
  p->panel.ylabel = t->name[y];
  return mark_left_out(p, x, &all);
}

/* ---- images: rows on a regular grid of x and y, averaged over z ---- */

static int distinct(const double *value, int rows, double *out) {
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

static int image(plot_panel *p, const char *columns, int cx, int cy) {
  const csv *t = p->table;
  int column = column_of(t, columns);
  if (column < 0) return CLI_USAGE;
  double *x = plot_keep(p, csv_numbers(t, cx)), *y = plot_keep(p, csv_numbers(t, cy)),
         *v = plot_keep(p, csv_numbers(t, column));
  double *dx = plot_keep(p, malloc(((size_t)t->rows + 1) * sizeof *dx)),
         *dy = plot_keep(p, malloc(((size_t)t->rows + 1) * sizeof *dy));
  if (!x || !y || !v || !dx || !dy) return cli_fail(CLI_FAILED, "plot", "no memory");
  int nx = distinct(x, t->rows, dx), ny = distinct(y, t->rows, dy);
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

/* ---- the choice ---- */

/* The first swept column that holds numbers, other than the seed where there is another. */
static int first_number(const csv *t, int first, int end) {
  int seed = csv_column(t, "seed");
  for (int c = first; c < end; c++) {
    char *stop;
    const char *cell = t->rows ? t->cell[c] : "";
    strtod(cell, &stop);
    if (c != seed && stop != cell && !*stop) return c;
  }
  return seed >= first && seed < end ? seed : first;
}

static int from_table(const plot_options *o, plot_panel *p, const char *columns) {
  const csv *t = p->table;
  int first, end, sweep = swept_range(t, &first, &end), cx = csv_column(t, "x"), cy = csv_column(t, "y");
  int x = o->x ? column_of(t, o->x) : sweep && end > first ? first_number(t, first, end) : 0;
  if (x < 0) return CLI_USAGE;
  if (!strcmp(columns, "energy")) columns = "kinetic,potential,dissipated";
  if (sweep && end > first) return sweep_curves(p, columns, x, first, end);
  if (!o->x && cx == 0 && cy == 1) return image(p, columns, cx, cy);
  return plain_curves(p, columns, x);
}

static int nothing_lost(const plot_panel *p) {
  return p->lost ? cli_fail(CLI_FAILED, "plot", "no memory") : CLI_OK;
}

int plot_make_panel(const plot_options *o, const char *place, const char *what, plot_panel *p) {
  char path[PATH];
  const char *columns;
  int chains = !strcmp(what, "chains");
  if (chains || !strcmp(what, "snapshot")) {
    snprintf(path, sizeof path, is_directory(place) ? "%.4000s/trajectory.scree" : "%.4000s", place);
    int code = plot_snapshot(o, path, chains, p);
    return code ? code : nothing_lost(p);
  }
  find_table(place, what, path, &columns);
  if (!(p->table = csv_open(path))) return CLI_IO;
  if (!p->table->columns) return cli_fail(CLI_USAGE, "plot", "%s is empty", path);
  int code = from_table(o, p, columns);
  p->panel.xlog = strchr(o->log, 'x') != NULL;
  p->panel.ylog = strchr(o->log, 'y') != NULL;
  return code ? code : nothing_lost(p);
}

static int list_table(const char *path, const char *name) {
  csv *t = csv_open(path);
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
