/* The table of a sweep on the terminal, and results.csv with the key figures of every run. */
#include "sweep/sweep.h"
#include "bind/sandbox/place.h"
#include "csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE = 64 }; /* bytes of a value as text */

/* Writes a value as text: numbers, words, lists in brackets. */
static void write_cell_value(const sl_yaml_node *n, char out[VALUE]) {
  if (n->kind < SL_YAML_LIST) {
    snprintf(out, VALUE, "%s", n->kind == SL_YAML_NULL ? "" : n->text ? n->text : "");
    return;
  }
  char *text = sl_yaml_write(n);
  snprintf(out, VALUE, "%.*s", (int)strcspn(text ? text : "", "\n"), text ? text : "");
  free(text);
}

/* Returns a swept value as the run receives it, in SI units. */
static const sl_yaml_node *find_swept_value(const sweep_run *r, int v) {
  const sl_yaml_node *found = r->tree ? sl_yaml_find(r->tree, r->point->value[v].path) : NULL;
  return found ? found : r->point->value[v].value;
}

int sweep_find_reason(const sweep *s, const sweep_run *r, char *out, size_t size) {
  static const char invalid[] = "scree: error: the run is invalid: ";
  char log[RUN_PATH + 32], line[1024];
  sweep_path(s, r, ".log", log, sizeof log);
  FILE *file = fopen(log, "r");
  for (*out = 0; file && fgets(line, sizeof line, file);) {
    const char *words = !strncmp(line, "scree", 5) ? strstr(line, ": ") : NULL;
    if (r->state == SWEEP_INVALID)
      words = strncmp(line, invalid, sizeof invalid - 1) ? NULL : line + sizeof invalid - 3;
    if (r->state == SWEEP_INVALID && *out) break; /* only the first fault is shown */
    if (words) snprintf(out, size, "%.*s", (int)strcspn(words + 2, "\n"), words + 2);
  }
  if (file) fclose(file);
  return *out != 0;
}

/* Prints how many runs means and plots leave out, and why. */
static void print_missing(const sweep *s) {
  int failed = 0, invalid = 0;
  char reason[1024];
  for (int i = 0; i < s->count; i++)
    failed += s->run[i].state == SWEEP_FAILED, invalid += s->run[i].state == SWEEP_INVALID;
  if (!failed && !invalid) return;
  printf("%d of %d runs %s left out of means and plots: %d failed, %d invalid\n", failed + invalid, s->count,
      failed + invalid == 1 ? "is" : "are", failed, invalid);
  for (int i = 0; i < s->count; i++) {
    const sweep_run *r = s->run + i;
    if (!sweep_is_missing(r)) continue;
    printf("  %04d %s (exit code %d)", r->number, sweep_state_name(r->state),
        r->state == SWEEP_INVALID ? CLI_INVALID : r->code);
    if (sweep_find_reason(s, r, reason, sizeof reason)) printf(": %s", reason);
    putchar('\n');
  }
}

/* Prints in how many runs rigid contacts became springs. These runs differ from the other runs in their
 * contacts. */
static void print_softened(const sweep *s) {
  int count = 0;
  for (int i = 0; i < s->count; i++) count += s->run[i].has_softened;
  if (count)
    printf("in %d of %d runs rigid contacts became springs (solver.soften): see the column softened of "
           "results.csv\n",
        count, s->count);
}

static void warn_of_units(const sweep *s) {
  for (const sweep_figure *f = s->figure; f < s->figure + s->figures; f++)
    if (f->is_mixed)
      fprintf(stderr,
          "scree: warning: the figure '%s' is in %s in some runs and in %s in others; its column has no "
          "unit\n",
          f->name, *f->unit ? f->unit : "pure numbers", *f->other_unit ? f->other_unit : "pure numbers");
}

void sweep_print(const sweep *s) {
  printf("%-6s %-10s %8s", "run", "state", "seconds");
  const sl_sweep_point *first = s->points.point;
  for (int v = 0; s->count && v < first->count; v++) printf("  %-14s", first->value[v].path);
  putchar('\n');
  for (int i = 0; i < s->count; i++) {
    const sweep_run *r = s->run + i;
    printf("%04d   %-10s %8.1f", r->number, sweep_state_name(r->state), r->seconds);
    for (int v = 0; v < r->point->count; v++) {
      char text[VALUE];
      write_cell_value(find_swept_value(r, v), text);
      printf("  %-14s", text);
    }
    putchar('\n');
  }
  print_missing(s);
  print_softened(s);
  warn_of_units(s);
  double seconds = 0;
  for (int i = 0; i < s->count; i++) seconds += s->run[i].seconds;
  if (*s->directory) printf("%.1f s of wall time in all runs; written to %s\n", seconds, s->directory);
}

/* ---- results.csv ---- */

static sweep_state read_state(const sweep *s, const sweep_run *r) {
  sl_yaml json;
  const sl_yaml_node *status = sweep_open_record(s, r, &json) ? sl_yaml_get(json.root, "status") : NULL;
  const char *text = status && status->kind == SL_YAML_TEXT ? status->text : "";
  const sweep_state state = !strcmp(text, "completed") ? SWEEP_KEPT
      : !strcmp(text, "invalid")                       ? SWEEP_INVALID
                                                       : SWEEP_WAITING;
  sl_yaml_free(&json);
  return state;
}

sweep_state sweep_find_finished(const sweep *s, sweep_run *r) {
  const sweep_state state = read_state(s, r);
  if (state == SWEEP_WAITING || r->has_changed) return SWEEP_WAITING;
  /* compares the experiment of the earlier run with the experiment of this run */
  char path[RUN_PATH + 32], have[65536];
  sweep_path(s, r, "/experiment.yaml", path, sizeof path);
  FILE *file = sl_open_regular(path);
  size_t size = file ? fread(have, 1, sizeof have - 1, file) : 0;
  if (file) fclose(file);
  have[size] = 0;
  sl_yaml_node *root = s->experiment->yaml.root;
  s->experiment->yaml.root = r->tree;
  char *want = sl_experiment_write(s->experiment, false);
  s->experiment->yaml.root = root;
  const bool same = want && (!strcmp(want, have) || sweep_is_same_experiment(want, have));
  free(want);
  return same ? state : SWEEP_WAITING;
}

/* Returns the index of a figure in the table, added if it is new; -1 if the table is full. */
static int find_figure(sweep *s, const char *name) {
  int k = 0;
  while (k < s->figures && strncmp(s->figure[k].name, name, SWEEP_NAME - 1)) k++;
  if (k == SWEEP_FIGURES) return -1;
  if (k == s->figures) snprintf(s->figure[s->figures++].name, SWEEP_NAME, "%s", name);
  return k;
}

/* Records the unit of a figure, and whether two runs have different units. */
static void note_unit(sweep_figure *f, const char *unit) {
  if (!f->has_unit) {
    f->has_unit = true;
    snprintf(f->unit, sizeof f->unit, "%s", unit);
  } else if (!f->is_mixed && strncmp(f->unit, unit, sizeof f->unit - 1) != 0) {
    f->is_mixed = true;
    snprintf(f->other_unit, sizeof f->other_unit, "%s", unit);
  }
}

/* Writes the cells of accuracy; report NULL: empty cells. Writes 0 if an older report lacks bodies_lost or
 * softened. */
static void put_accuracy(FILE *out, const sl_yaml_node *report) {
  for (int i = 0; i < RUN_ACCURACY_COLUMNS; i++) {
    const char *name = run_accuracy_columns[i].name;
    const sl_yaml_node *value = report ? sl_yaml_find(report, run_accuracy_columns[i].path) : NULL;
    const bool none = report && !value && (!strcmp(name, "bodies_lost") || !strcmp(name, "softened"));
    const bool known = value && value->kind == SL_YAML_NUMBER;
    fprintf(out, ",%s", known ? value->text : none ? "0" : "");
  }
}

/* Returns the cells between the swept values and the figures; NULL if out of memory. json NULL: no record. */
static char *write_cells(const sl_yaml_node *json) {
  const sl_yaml_node *hash = json ? sl_yaml_get(json, "hash") : NULL,
                     *wall = json ? sl_yaml_get(json, "wall_seconds") : NULL;
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  fprintf(out, ",%s,%s", wall ? wall->text : "", hash ? hash->text : "");
  put_accuracy(out, json ? sl_yaml_get(json, "report") : NULL);
  return fclose(out) ? free(text), NULL : text;
}

static bool take_figures(sweep *s, sweep_run *r, const sl_yaml_node *list) {
  if (!list || !list->count) return true;
  if (!(r->value = calloc(list->count, sizeof *r->value))) return false;
  for (size_t i = 0; i < list->count; i++) {
    const sl_yaml_node *name = sl_yaml_get(list->item[i], "name"),
                       *value = sl_yaml_get(list->item[i], "value"),
                       *unit = sl_yaml_get(list->item[i], "unit");
    const int figure = name && name->text ? find_figure(s, name->text) : -1;
    if (figure < 0 || !value || value->kind == SL_YAML_NULL) continue;
    note_unit(s->figure + figure, unit && unit->text ? unit->text : "");
    char *text = strdup(value->text);
    if (!text) return false;
    r->value[r->values++] = (sweep_value){figure, text};
  }
  return true;
}

void sweep_forget_record(sweep_run *r) {
  for (int i = 0; i < r->values; i++) free(r->value[i].text);
  free(r->value);
  free(r->cells);
  r->value = NULL, r->cells = NULL, r->values = 0, r->recorded = 0, r->has_softened = false;
}

int sweep_read_record(sweep *s, sweep_run *r) {
  sl_yaml json;
  sweep_forget_record(r);
  const sl_yaml_node *root = sweep_open_record(s, r, &json) ? json.root : NULL;
  const bool good = (r->cells = write_cells(root)) &&
      take_figures(s, r, root ? sl_yaml_get(root, "figures") : NULL);
  const sl_yaml_node *wall = root ? sl_yaml_get(root, "wall_seconds") : NULL;
  const sl_yaml_node *softened = root ? sl_yaml_find(root, "report.solver.softened") : NULL;
  r->has_softened = softened && softened->kind == SL_YAML_NUMBER && softened->number > 0;
  r->recorded = wall && wall->kind == SL_YAML_NUMBER ? wall->number : 0;
  sl_yaml_free(&json);
  return good ? CLI_OK : cli_fail(CLI_FAILED, "sweep", "no memory for the results of run %04d", r->number);
}

static void put_figure_cells(FILE *out, const sweep *s, const sweep_run *r) {
  for (int k = 0; k < s->figures; k++) {
    fputc(',', out);
    for (int i = 0; i < r->values; i++)
      if (r->value[i].figure == k) {
        csv_put_cell(out, r->value[i].text);
        break;
      }
  }
}

static void put_row(FILE *out, const sweep *s, const sweep_run *r) {
  fprintf(out, "%d,%s", r->number, sweep_state_name(r->state));
  for (int v = 0; v < r->point->count; v++) {
    char text[VALUE];
    write_cell_value(find_swept_value(r, v), text);
    fputc(',', out);
    csv_put_cell(out, text);
  }
  if (r->cells) fputs(r->cells, out);
  else fprintf(out, ",,"), put_accuracy(out, NULL);
  put_figure_cells(out, s, r);
  fputc('\n', out);
}

int sweep_write_results(sweep *s) {
  const double before = run_clock();
  static const char name[] = "results.csv", temporary[] = ".results.csv";
  sl_follow_folder(s->folder, s->directory, sizeof s->directory);
  FILE *out = run_create_at(s->folder, temporary);
  if (!out)
    return cli_fail(CLI_IO, "sweep", "cannot write %s/%s: %s", s->directory, temporary, strerror(errno));
  fputs("run,state", out);
  for (int v = 0; s->count && v < s->points.point->count; v++)
    fputc(',', out), csv_put_cell(out, s->points.point->value[v].path);
  fputs(",wall_seconds,hash", out);
  for (int k = 0; k < RUN_ACCURACY_COLUMNS; k++) fprintf(out, ",%s", run_accuracy_columns[k].name);
  for (int k = 0; k < s->figures; k++) fputc(',', out), csv_put_cell(out, s->figure[k].name);
  fputc('\n', out);
  for (int i = 0; i < s->count; i++) put_row(out, s, s->run + i);
  int failed = fclose(out) || renameat(s->folder, temporary, s->folder, name);
  s->written = run_clock(), s->cost = s->written - before;
  return failed ? cli_fail(CLI_IO, "sweep", "cannot write %s/%s: %s", s->directory, name, strerror(errno))
                : CLI_OK;
}

const char *sweep_state_name(sweep_state state) {
  static const char *const names[] = {
      "waiting", "running", "completed", "completed", "failed", "stopped", "skipped", "invalid"};
  return names[state];
}
