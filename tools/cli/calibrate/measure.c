/* Runs the simulations of a calibration. Writes the points in parameter space as a sweep, runs it, and reads
 * the outcomes from its results.csv. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/calibrate.h"
#include "csv.h"
#include "files.h"
#include "sweep/sweep_call.h"

/* Returns the text of the experiment of a batch; the caller frees it. Returns NULL if out of memory. */
static char *write_batch(const calibration *c, const search_place *place, int count) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  fprintf(out, "%ssweep:\n  grid:\n    seed: [", c->base);
  for (int k = 0; k < c->plan.seeds; k++)
    fprintf(out, "%s%llu", k ? ", " : "", (unsigned long long)c->seed + k);
  fputs("]\n  zip:\n", out);
  for (int i = 0; i < c->plan.parameters; i++) {
    fputs("    ", out);
    cli_json_text(out, c->plan.parameter[i].path);
    for (int k = 0; k < count; k++)
      fprintf(out, "%s%.17g", k ? ", " : ": [", calibrate_value(c, i, place[k][i]));
    fputs("]\n", out);
  }
  return fclose(out) ? free(text), NULL : text;
}

/* Writes the experiment of a batch (the places of one sweep) to the file `path`, unless an earlier call of
 * scree calibrate has written it. Returns an exit code. */
static int keep_batch(const calibration *c, const char *path, const char *text) {
  const int code = cli_keep_text("calibrate", path, text);
  if (code != CLI_USAGE) return code;
  return cli_fail(code, "calibrate",
      "%s has runs of another calibration; choose another folder with -o, or remove it", c->directory);
}

/* Prints the message for a figure that the runs do not report. */
static void tell_missing(const csv *results, const char *figure) {
  const int first = sweep_first_figure(results);
  fprintf(stderr, "scree calibrate: the runs report no figure '%s'; the figures are:", figure);
  for (int k = first; k < results->columns; k++)
    fprintf(stderr, "%s %s", k > first ? "," : "", results->name[k]);
  fputs(results->columns > first ? "\n" : " none\n", stderr);
}

/* Returns the column of a target's figure; -1 after a message. */
static int find_target(const csv *results, const sl_target *target) {
  const int column = csv_column(results, target->figure);
  if (column >= sweep_first_figure(results)) return column;
  tell_missing(results, target->figure);
  return -1;
}

/* Sets mean and spread of a figure from its values [seed][place] for each place. */
static void take_figure(const calibration *c, const double *value, int count, int target, outcome *out) {
  const int seeds = c->plan.seeds;
  for (int k = 0; k < count; k++) {
    double mean = 0, spread = 0;
    for (int s = 0; s < seeds; s++) {
      out[k].value[target * seeds + s] = value[s * count + k];
      mean += value[s * count + k] / seeds;
    }
    for (int s = 0; s < seeds; s++) spread += pow(value[s * count + k] - mean, 2);
    out[k].mean[target] = mean;
    out[k].spread[target] = seeds > 1 ? sqrt(spread / (seeds - 1)) : 0;
  }
}

/* Reads results.csv of a batch into outcomes. Returns an exit code. */
static int read_batch(calibration *c, const char *directory, int count, outcome *out) {
  char path[RUN_PATH + 64];
  snprintf(path, sizeof path, "%s/results.csv", directory);
  csv *results = csv_open("calibrate", path);
  if (!results) return CLI_IO;
  int code = results->rows == count * c->plan.seeds
      ? CLI_OK
      : cli_fail(
            CLI_FAILED, "calibrate", "%s has %d rows, not %d", path, results->rows, count * c->plan.seeds);
  for (int t = 0; !code && t < c->plan.targets; t++) {
    const int column = find_target(results, c->plan.target + t);
    double *value = column < 0 ? NULL : csv_numbers(results, column);
    if (value) take_figure(c, value, count, t, out);
    else code = column < 0 ? CLI_USAGE : cli_fail(CLI_FAILED, "calibrate", "no memory");
    for (int r = 0; value && !t && r < results->rows; r++) c->failed += !isfinite(value[r]);
    free(value);
  }
  const int softened = csv_column(results, "softened");
  double *step = code || softened < 0 ? NULL : csv_numbers(results, softened);
  for (int r = 0; step && r < results->rows; r++) c->softened += step[r] > 0;
  free(step);
  csv_close(results);
  return code;
}

/* Appends empty outcomes to the list of places and returns the first. Returns NULL if out of memory. */
static outcome *extend_places(calibration *c, int count) {
  if (c->places + count > c->capacity) {
    const int capacity = 2 * c->capacity + count;
    outcome *place = realloc(c->place, (size_t)capacity * sizeof *place);
    if (!place) return NULL;
    c->place = place, c->capacity = capacity;
  }
  outcome *first = c->place + c->places;
  memset(first, 0, (size_t)count * sizeof *first);
  for (int k = 0; k < count; k++, c->places++)
    if (!(first[k].value = calloc((size_t)(c->plan.targets * c->plan.seeds), sizeof(double)))) return NULL;
  return first;
}

void calibrate_free(calibration *c) {
  for (int k = 0; k < c->places; k++) free(c->place[k].value);
  free(c->place);
  free(c->base);
}

/* Prints the messages of a sweep from its log, and why its first run failed. */
static void tell_log(const char *directory) {
  char path[RUN_PATH + 64], line[1024];
  snprintf(path, sizeof path, "%s/sweep.log", directory);
  FILE *file = fopen(path, "r");
  for (bool told = false; file && fgets(line, sizeof line, file);) {
    const bool is_failure = !strncmp(line, "run ", 4) && strstr(line, " failed after ");
    if (!strncmp(line, "scree", 5) || (is_failure && !told)) fputs(line, stderr);
    told |= is_failure;
  }
  if (file) fclose(file);
}

/* Computes the error of each outcome: the sum of ((mean - target)/sigma)^2 over the targets. */
static void judge_outcomes(const calibration *c, outcome *out, int count) {
  for (int k = 0; k < count; k++) {
    out[k].error = 0;
    for (int t = 0; t < c->plan.targets; t++)
      out[k].error += pow((out[k].mean[t] - c->plan.target[t].value) / c->plan.target[t].sigma, 2);
    if (!isfinite(out[k].error)) out[k].error = INFINITY;
  }
}

/* Runs the sweep of a batch. Returns an exit code; CLI_OK also if runs failed. */
static int run_batch(const calibration *c, const char *file, const char *directory) {
  const sweep_request request = {.command = "calibrate",
      .experiment = file,
      .directory = directory,
      .sandbox = &c->options->sandbox,
      .jobs = c->plan.jobs,
      .is_silent = true};
  const int code = sweep_call(&request);
  if (code == CLI_STOPPED) return cli_fail(code, "calibrate", "stopped; the same command goes on");
  if (code != CLI_USAGE && code != CLI_IO) return CLI_OK;
  tell_log(directory);
  return cli_fail(code, "calibrate", "the runs of %s cannot go on", file);
}

int calibrate_measure(calibration *c, const search_place *place, int count, double *error) {
  char file[RUN_PATH + 32], directory[RUN_PATH + 32];
  const int number = ++c->batches;
  double least = INFINITY;
  snprintf(file, sizeof file, "%s/%04d.yaml", c->directory, number);
  snprintf(directory, sizeof directory, "%s/%04d", c->directory, number);
  char *text = write_batch(c, place, count);
  int code = text ? keep_batch(c, file, text) : cli_fail(CLI_FAILED, "calibrate", "no memory");
  free(text);
  if (!code) code = run_batch(c, file, directory);
  if (code) return code;
  outcome *out = extend_places(c, count);
  if (!out) return cli_fail(CLI_FAILED, "calibrate", "no memory");
  if ((code = read_batch(c, directory, count, out))) return tell_log(directory), code;
  judge_outcomes(c, out, count);
  for (int k = 0; k < count; k++) {
    memcpy(out[k].x, place[k], sizeof out[k].x);
    out[k].batch = number;
    if (error) error[k] = out[k].error;
  }
  for (int k = 0; k < c->places; k++) least = fmin(least, c->place[k].error);
  if (!isfinite(least)) {
    tell_log(directory);
    return cli_fail(CLI_FAILED, "calibrate", "no run of the first places has the figures; see %s", directory);
  }
  if (!c->options->quiet) fprintf(stderr, "scree calibrate: %d places, least error %.4g\n", c->places, least);
  return CLI_OK;
}
