/* Experiments on the command line: opens and checks them, and converts them to options of a run. */
#include "run/run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int run_is_experiment(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml"));
}

int run_print_problems(const sl_experiment *e) {
  char *text = sl_yaml_problems(&e->yaml);
  fprintf(stderr, "%s", text ? text : "no memory\n");
  if (e->yaml.problems)
    fprintf(stderr, "scree: %d mistake%s in the experiment\n", e->yaml.problems,
        e->yaml.problems == 1 ? "" : "s");
  free(text);
  return CLI_USAGE;
}

/* Replaces {name} and {n} in output.dir. */
static void expand_pattern(const char *pattern, const char *name, int number, char *out, size_t size) {
  size_t used = 0;
  out[0] = 0;
  for (const char *at = pattern; *at && used + 1 < size;) {
    int n;
    if (!strncmp(at, "{name}", 6)) n = snprintf(out + used, size - used, "%s", name), at += 6;
    else if (!strncmp(at, "{n}", 3)) n = snprintf(out + used, size - used, "%04d", number), at += 3;
    else n = snprintf(out + used, size - used, "%c", *at++);
    used += (size_t)n;
  }
}

static void choose_next_directory(const sl_experiment *e, char *out, size_t size) {
  const char *pattern = sl_experiment_text(e, "output.dir", "runs/{name}-{n}");
  struct stat info;
  for (int number = 1; number < 100000; number++) {
    expand_pattern(pattern, e->name, number, out, size);
    if (!strstr(pattern, "{n}") || stat(out, &info)) return;
  }
}

void run_find_directory(const sl_experiment *e, char *out, size_t size) {
  const char *pattern = sl_experiment_text(e, "output.dir", "runs/{name}-{n}");
  struct stat info;
  char next[RUN_PATH];
  expand_pattern(pattern, e->name, 1, out, size);
  for (int number = 2; strstr(pattern, "{n}"); number++) {
    expand_pattern(pattern, e->name, number, next, sizeof next);
    if (stat(next, &info)) return;
    snprintf(out, size, "%s", next);
  }
}

void run_take_experiment(sl_experiment *e, run_options *options) {
  static char directory[RUN_PATH];
  options->experiment = e;
  options->scene = e->scene;
  if (!(options->time > 0)) options->time = sl_experiment_number(e, "run.until", 0);
  if (!(options->steps > 0)) options->steps = (int64_t)sl_experiment_number(e, "run.steps", 0);
  if (!options->threads) options->threads = (int64_t)sl_experiment_number(e, "run.threads", 0);
  if (!(options->wall > 0)) options->wall = sl_experiment_number(e, "run.wall", 0);
  options->checkpoint_every = sl_experiment_number(e, "output.checkpoint.every", options->checkpoint_every);
  options->checkpoint_wall = sl_experiment_number(e, "output.checkpoint.wall", options->checkpoint_wall);
  options->checkpoint_keep = (int64_t)sl_experiment_number(
      e, "output.checkpoint.keep", (double)options->checkpoint_keep);
  const sl_yaml_node *final = sl_yaml_find(e->yaml.root, "output.checkpoint.final");
  if (final && final->kind == SL_YAML_BOOL && final->truth) options->checkpoint_final = 1;
  if (options->directory) return;
  choose_next_directory(e, directory, sizeof directory);
  options->directory = directory;
}

int run_open_experiment(sl_experiment *e, run_options *options, const char *command) {
  const char *sets[2 * CLI_LIST_MOST];
  char buffer[CLI_LIST_MOST][512];
  int count = 0;
  for (int i = 0; i < options->sets.count; i++) sets[count++] = options->sets.item[i];
  for (int i = 0; i < options->overrides_count; i++) {
    if (snprintf(buffer[i], sizeof *buffer, "params.%s=%s", options->overrides[i].key,
            options->overrides[i].value) >= (int)sizeof *buffer)
      return cli_fail(CLI_USAGE, command, "the value of %s is too long", options->overrides[i].key);
    sets[count++] = buffer[i];
  }
  options->overrides_count = 0;
  sl_experiment_open(e, options->scene, sets, count, options->sandbox.trust);
  return sl_experiment_fine(e) ? CLI_OK : CLI_USAGE;
}

int run_open_single(sl_experiment *e, run_options *options, const char *command) {
  const int code = run_open_experiment(e, options, command);
  if (code) return e->yaml.problems ? run_print_problems(e) : code;
  if (!sl_yaml_find(e->yaml.root, "sweep")) return CLI_OK;
  return cli_fail(
      CLI_USAGE, command, "%s has a sweep; %s takes an experiment of one run", options->scene, command);
}

int run_write_experiment(const run *r) {
  char *text = sl_experiment_write(r->options->experiment, false);
  FILE *file = text ? run_create_at(r->folder, "experiment.yaml") : NULL;
  int good = file && fputs(text, file) >= 0;
  if (file) good = !fclose(file) && good;
  free(text);
  return good ? CLI_OK : CLI_IO;
}
