/* Panels from results.csv of a sweep: means over repeats against a swept value, one curve for each
 * combination of the other swept values. Runs that are not completed are left out; the caption counts
 * them and grey points mark them. */
#include "bind/tables/yaml.h"
#include "plot/plot_fit.h"
#include "plot/plot_panels.h"
#include "run/run.h"
#include "student.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int plot_swept_range(const csv *t, int *first, int *end) {
  *first = csv_column(t, "state") + 1;
  *end = csv_column(t, "wall_seconds");
  return *first > 0 && *end >= *first;
}

/* Writes the label of the curve that a row belongs to. */
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

/* States of the runs that a plot does not draw, because their results are missing or wrong. */
static const char *const left_out[] = {"invalid", "failed", "stopped", "running", "waiting", "skipped"};
enum { LEFT_OUT = sizeof left_out / sizeof *left_out };

/* Numbers of runs of a sweep that are drawn and left out. */
typedef struct tally {
  int runs, points, fewest, most; /* drawn runs; points; smallest and largest number of runs of a point */
  double lowest;                  /* smallest mean of all points */
} tally;

/* Returns the index of the state of a row in left_out, or -1 if the row is drawn. */
static int find_left_out(const csv *t, int row) {
  const char *state = t->cell[(size_t)row * (size_t)t->columns + (size_t)csv_column(t, "state")];
  for (int k = 0; k < LEFT_OUT; k++)
    if (!strcmp(state, left_out[k])) return k;
  return -1;
}

/* A point of a curve. Points are sorted by x, so that lines run from left to right. */
typedef struct point {
  double x, y;
} point;
static int by_x(const void *a, const void *b) {
  double p = ((const point *)a)->x, q = ((const point *)b)->x;
  return (p > q) - (p < q);
}

/* A curve: means at each x, and half lengths of their 95 % intervals. */
typedef struct means {
  double *x, *mean, *low, *high, *half;
  int count, repeats;
} means;

/* shares: the intervals are those of probabilities (Wilson), not of means (Student). */
static void take_means(const point *points, int count, bool shares, means *m, tally *all) {
  for (int i = 0, n; i < count; i += n, m->count++) {
    double sum = 0, squares = 0;
    for (n = 0; i + n < count && points[i + n].x == points[i].x; n++) sum += points[i + n].y;
    double mean = sum / n;
    for (int k = 0; k < n; k++) squares += (points[i + k].y - mean) * (points[i + k].y - mean);
    double half = n > 1 ? cli_student(n) * sqrt(squares / (n - 1) / n) : 0;
    m->x[m->count] = points[i].x, m->mean[m->count] = mean, m->half[m->count] = half;
    m->low[m->count] = mean - half, m->high[m->count] = mean + half;
    if (shares) fit_wilson_interval(mean, n, m->low + m->count, m->high + m->count);
    m->repeats |= n > 1;
    all->fewest = all->points ? (n < all->fewest ? n : all->fewest) : n;
    all->most = n > all->most ? n : all->most;
    all->lowest = all->points ? fmin(all->lowest, mean) : mean;
    all->runs += n, all->points++;
  }
}

/* Finds the rows of a group, sorted by x. Returns their number. */
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

/* Adds the curve with its band, or with bars if it has only one x. Both have the n-th colour. fit: the
 * means are points without lines. */
static int put_means(plot_panel *p, const means *m, const char *group, int n, bool fit) {
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
      .style = fit ? SCREE_PLOT_POINTS : SCREE_PLOT_LINES_POINTS,
      .count = m->count,
      .x = m->x,
      .y = m->mean,
      .y2 = m->repeats && m->count == 1 ? m->half : NULL,
      .dashed = n % 2,
      .color = kept};
  p->panel.series = p->series;
  return CLI_OK;
}

/* Prints a warning if the shares of a group do not reach from below 0.2 to above 0.8. Median and spread are
 * then extrapolated. */
static void check_shares(const char *group, const means *m) {
  double lowest = INFINITY, highest = -INFINITY;
  for (int i = 0; i < m->count; i++) lowest = fmin(lowest, m->mean[i]), highest = fmax(highest, m->mean[i]);
  if (lowest < 0.2 && highest > 0.8) return;
  fprintf(stderr,
      "scree plot: warning: --fit: %s%sshares reach from %.2g to %.2g, not from below 0.2 to above 0.8, so "
      "the "
      "curve is uncertain: sweep %s x\n",
      group, *group ? ": " : "", lowest, highest,
      lowest < 0.2        ? "larger"
          : highest > 0.8 ? "smaller"
                          : "smaller and larger");
}

/* Adds the fragility curve of a group, from the lowest to the highest x of its points, and prints its
 * numbers. */
static int add_fit(plot_panel *p, const char *group, const point *points, int count) {
  enum { STEPS = 200 };
  double *data = plot_keep(p, malloc((2 * (size_t)count + 2 * STEPS + 2) * sizeof *data));
  fit_lognormal fit;
  char name[200];
  if (!data) return cli_fail(CLI_FAILED, "plot", "no memory");
  double *x = data + 2 * count, *y = x + STEPS;
  for (int i = 0; i < count; i++) data[i] = points[i].x, data[count + i] = points[i].y;
  const char *reason = fit_find_lognormal(data, data + count, count, &fit);
  if (reason) return cli_fail(CLI_FAILED, "plot", "--fit: %s%s%s", group, *group ? ": " : "", reason);
  for (int i = 0; i < STEPS; i++) {
    x[i] = points[0].x * pow(points[count - 1].x / points[0].x, i / (STEPS - 1.0));
    y[i] = fit_probability(&fit, x[i]);
  }
  snprintf(name, sizeof name, "median %.4g (%.3g to %.3g), spread %.3g", fit.median, fit.low, fit.high,
      fit.spread);
  printf("%s%s%s\n", group, *group ? ": " : "", name);
  if (p->panel.series_count == PLOT_SERIES) return cli_fail(CLI_USAGE, "plot", "too many curves in a panel");
  p->series[p->panel.series_count++] = (scree_plot_series){.name = plot_keep_text(p, name),
      .style = SCREE_PLOT_LINES,
      .count = STEPS,
      .x = x,
      .y = y,
      .color = "#262b33"};
  return CLI_OK;
}

/* Adds the rows of a group as a curve of means over repeats, with the 95 % interval of each mean. fit: adds a
 * fragility curve. */
static int add_group(
    plot_panel *p, const char *group, int x, int y, int first, int end, int n, bool fit, tally *all) {
  size_t rows = (size_t)p->table->rows + 1;
  point *points = malloc(rows * sizeof *points);
  double *data = plot_keep(p, malloc(5 * rows * sizeof *data));
  means m = {data, data + rows, data + 2 * rows, data + 3 * rows, data + 4 * rows, 0, 0};
  int code = points && data ? CLI_OK : cli_fail(CLI_FAILED, "plot", "no memory");
  if (!code) {
    const int count = gather_points(p->table, group, x, y, first, end, points);
    take_means(points, count, fit, &m, all);
    code = put_means(p, &m, group, n, fit);
    if (!code && fit) code = add_fit(p, group, points, count);
    if (!code && fit) check_shares(group, &m);
  }
  free(points);
  return code;
}

/* Returns the number of runs in the plot in which rigid contacts became springs. */
static int count_springs(const csv *t) {
  const int column = csv_column(t, "softened");
  int count = 0;
  for (int r = 0; column >= 0 && r < t->rows; r++)
    count += find_left_out(t, r) < 0 && atof(t->cell[(size_t)r * (size_t)t->columns + (size_t)column]) > 0;
  return count;
}

/* Writes the caption of a sweep: "n = 7 of 9 runs, 2 to 3 a point; left out: 1 invalid, 1 failed". */
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
  if (count_springs(t))
    used += snprintf(
        text + used, sizeof text - (size_t)used, ", %d with contacts that became springs", count_springs(t));
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

/* Adds grey points at the lower edge, at the x of the runs that are left out. */
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

/* Copies the unit of a figure from run.json of a run. Returns false if the run has no such figure. */
static bool read_figure_unit(const char *path, const char *figure, char *unit, size_t size) {
  sl_yaml json;
  sl_yaml_open(&json, path);
  const sl_yaml_node *list = json.root && !json.problems ? sl_yaml_get(json.root, "figures") : NULL;
  bool found = false;
  for (size_t i = 0; list && i < list->count && !found; i++) {
    const sl_yaml_node *name = sl_yaml_get(list->item[i], "name"), *own = sl_yaml_get(list->item[i], "unit");
    found = name && name->text && !strcmp(name->text, figure);
    if (found) snprintf(unit, size, "%s", own && own->text ? own->text : "");
  }
  sl_yaml_free(&json);
  return found;
}

/* Returns "figure [unit]" with the unit in the first run of the sweep that has the figure, or the name
 * alone. place: the folder of the sweep or its results.csv. */
static const char *label_figure(plot_panel *p, const char *place, const char *figure) {
  const csv *t = p->table;
  const char *slash = strrchr(place, '/'), *dot = strrchr(place, '.');
  const bool is_file = dot && !strcmp(dot, ".csv"), is_here = is_file && !slash;
  const char *folder = is_here ? "." : place;
  const int length = (int)(is_file && slash ? (size_t)(slash - place) : strlen(folder));
  const int numbers = csv_column(t, "run");
  char unit[SL_UNIT] = "", text[300];
  for (int r = 0; numbers >= 0 && r < t->rows; r++) {
    char path[4200];
    const int number = atoi(t->cell[(size_t)r * (size_t)t->columns + (size_t)numbers]);
    snprintf(path, sizeof path, "%.*s/%04d/run.json", length < 4000 ? length : 4000, folder, number);
    if (find_left_out(t, r) < 0 && read_figure_unit(path, figure, unit, sizeof unit)) break;
  }
  snprintf(text, sizeof text, *unit ? "%.200s [%s]" : "%.200s", figure, unit);
  return plot_keep_text(p, text);
}

int plot_sweep_curves(
    plot_panel *p, const char *place, const char *columns, int x, int first, int end, bool fit) {
  const csv *t = p->table;
  int y = plot_find_column(t, columns, true), groups = 0;
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
    int code = seen ? CLI_OK : add_group(p, group, x, y, first, end, groups++, fit, &all);
    if (code) return code;
  }
  if (fit && all.runs < t->rows)
    fprintf(stderr,
        "scree plot: warning: --fit: %d of %d runs failed or have no value of '%s' and are left out; if they "
        "collapsed, the curve is wrong\n",
        t->rows - all.runs, t->rows, t->name[y]);
  p->panel.title = describe_runs(p, &all);
  p->panel.xlabel = t->name[x];
  p->panel.ylabel = label_figure(p, place, t->name[y]);
  return mark_left_out(p, x, &all);
}

int plot_first_number(const csv *t, int first, int end) {
  int seed = csv_column(t, "seed");
  for (int c = first; c < end; c++) {
    char *stop;
    const char *cell = t->rows ? t->cell[c] : "";
    strtod(cell, &stop);
    if (c != seed && stop != cell && !*stop) return c;
  }
  return seed >= first && seed < end ? seed : first;
}
