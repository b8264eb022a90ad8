/* scree sweep: many runs from one experiment. Reads the command line, prepares the runs and starts them. */
#include "run/lock.h"
#include "sweep/sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct options {
  run_options run;
  int64_t jobs;
  int dry_run, resume;
  const char *only;
} options;
static const cli_option table[] = {
    {"jobs", 'j', CLI_CORES, "N", offsetof(options, jobs),
        "runs at the same time, 0: one a core (sweep.jobs of the experiment, or 1)"},
    {"dry-run", 'n', CLI_FLAG, NULL, offsetof(options, dry_run), "prints the table of runs and does nothing"},
    {"only", 0, CLI_TEXT, "LIST", offsetof(options, only), "numbers of runs such as 3-7,9"},
    {"resume", 'r', CLI_FLAG, NULL, offsetof(options, resume),
        "keeps finished runs, goes on with stopped ones, runs the rest; takes the experiment or DIR"},
    {"set", 's', CLI_LIST, "PATH=VALUE", offsetof(options, run.sets),
        "changes an entry of the experiment; may be repeated"},
    {"output", 'o', CLI_TEXT, "DIR", offsetof(options, run.directory),
        "where to write (output.dir of the experiment)"},
    {"force", 'f', CLI_FLAG, NULL, offsetof(options, run.force), "overwrites runs in that directory"},
    CLI_SANDBOX_OPTIONS(options, run.sandbox),
};

static const char file_name[] = "sweep.yaml";
static const char more[] = "Every run lies in DIR/NUMBER, what it said in DIR/NUMBER.log; DIR/results.csv "
                           "has one row for each run with the swept values\n"
                           "and the key figures. Exit code 1 if a run failed, 5 if one is invalid, 75 if "
                           "the sweep was stopped.";

/* Reads a list of run numbers such as 3-7,9 and marks all other runs as skipped. Returns an exit code. */
static int select_runs(sweep *s, const char *only) {
  for (int i = 0; i < s->count; i++) {
    s->run[i].is_wanted = !only;
    if (only) s->run[i].state = SWEEP_SKIPPED;
  }
  if (!only) return CLI_OK;
  for (const char *at = only; *at;) {
    char *end;
    long first = strtol(at, &end, 10), last = first;
    if (end == at) return cli_fail(CLI_USAGE, "sweep", "--only takes numbers such as 3-7,9, not '%s'", only);
    if (*end == '-') at = end + 1, last = strtol(at, &end, 10);
    if (first < 1 || last > s->count || first > last || end == at)
      return cli_fail(CLI_USAGE, "sweep", "--only %s: runs are numbered 1 to %d", only, s->count);
    for (long k = first; k <= last; k++) s->run[k - 1].state = SWEEP_WAITING, s->run[k - 1].is_wanted = true;
    at = end + (*end == ',');
  }
  return CLI_OK;
}

/* Loads the scene once, so that wrong parameters stop the sweep before it starts. */
static int try_scene(sweep *s) {
  run *r = calloc(1, sizeof *r);
  sl_yaml_node *root = s->experiment->yaml.root, **trees = calloc((size_t)s->count + 1, sizeof *trees);
  if (!r || !trees) return free(r), free(trees), cli_fail(CLI_FAILED, "sweep", "no memory");
  for (int i = 0; i < s->count; i++) trees[i] = s->run[i].tree;
  s->experiment->yaml.root = s->run[0].tree;
  s->experiment->points = trees, s->experiment->points_count = s->count;
  int code = run_open(r, s->options);
  s->experiment->yaml.root = root;
  s->experiment->points = NULL, s->experiment->points_count = 0;
  if (r->runtime) run_close(r);
  free(r);
  free(trees);
  return code;
}

static int lay_out(sweep *s, const options *o) {
  sl_experiment *e = s->experiment;
  sl_sweep_make(e, &s->points);
  s->count = s->points.count;
  s->run = calloc((size_t)s->count + 1, sizeof *s->run);
  if (!s->run) return cli_fail(CLI_FAILED, "sweep", "no memory");
  for (int i = 0; i < s->count && sl_experiment_fine(e); i++)
    s->run[i] = (sweep_run){
        .point = s->points.point + i, .number = i + 1, .tree = sl_sweep_tree(e, s->points.point + i)};
  if (!sl_experiment_fine(e)) return run_print_problems(e);
  s->jobs = o->jobs ? (int)o->jobs : (int)sl_experiment_number(e, "sweep.jobs", 1);
  s->resume = o->resume;
  if (s->jobs < 1 || s->jobs > 1024)
    return cli_fail(CLI_USAGE, "sweep", "--jobs must lie in [1, 1024], not %d", s->jobs);
  int code = select_runs(s, o->only);
  return code ? code : try_scene(s);
}

/* Creates the directory. A directory with results is used only with --force or --resume. */
static int take_directory(sweep *s) {
  char path[RUN_PATH + 32];
  struct stat info;
  snprintf(s->directory, sizeof s->directory, "%s", s->options->directory);
  snprintf(path, sizeof path, "%s/results.csv", s->directory);
  if (!s->resume && !s->options->force && !stat(path, &info))
    return cli_fail(CLI_USAGE, "sweep", "%s exists already; --resume goes on, --force overwrites", path);
  if (run_make_directory(s->directory))
    return cli_fail(CLI_IO, "sweep", "cannot create %s: %s", s->directory, strerror(errno));
  s->folder = open(s->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (s->folder < 0) return cli_fail(CLI_IO, "sweep", "cannot open %s: %s", s->directory, strerror(errno));
  return lock_take(s->folder, s->directory, "sweep", &s->lock);
}

/* Checks that all runs of the sweep have the same scene. With --force, runs of another scene are repeated. */
static int check_sources(sweep *s) {
  const int changes = s->resume ? sweep_print_changed_sources(s) : 0;
  if (changes < 0) return cli_fail(CLI_FAILED, "sweep", "no memory");
  if (!changes || s->options->force) return CLI_OK;
  return cli_fail(CLI_USAGE, "sweep",
      "%s has runs of another scene; --force repeats them with the present one", s->directory);
}

/* Checks that a sweep is resumed with the experiment of its start; --force accepts the present experiment. */
static int check_changes(sweep *s) {
  const int changes = s->resume ? sweep_print_changes(s) : 0;
  if (changes < 0) return cli_fail(CLI_IO, "sweep", "cannot read %s/%s", s->directory, file_name);
  if (!changes || s->options->force) return check_sources(s);
  return cli_fail(CLI_USAGE, "sweep",
      "%s was started with another experiment; --force goes on with this one, --resume %s with that one",
      s->directory, s->directory);
}

/* Checks that no run is at work: runs of a sweep that was killed may continue in their directories. */
static int check_runs(const sweep *s) {
  char path[RUN_PATH + 32];
  int code = CLI_OK;
  for (int i = 0; i < s->count && !code; i++) {
    sweep_path(s, s->run + i, "", path, sizeof path);
    if (s->run[i].is_wanted) code = lock_check(path, "sweep");
  }
  return code;
}

/* Writes the experiment into the directory of the sweep; --resume DIR reads it. */
static int keep_experiment(sweep *s) {
  char *text = sl_experiment_write(s->experiment, true);
  FILE *file = text ? run_create_at(s->folder, file_name) : NULL;
  int good = file && fputs(text, file) >= 0;
  if (file) good = !fclose(file) && good;
  free(text);
  return good ? CLI_OK
              : cli_fail(CLI_IO, "sweep", "cannot write %s/%s: %s", s->directory, file_name, strerror(errno));
}

static void free_sweep(sweep *s) {
  for (int i = 0; s->run && i < s->count; i++) sweep_forget_record(s->run + i);
  free(s->run);
}

static int sweep_all(options *o, sl_experiment *e) {
  static sweep s;
  s = (sweep){.experiment = e, .options = &o->run, .folder = -1, .lock = -1};
  char directory[RUN_PATH];
  int code = run_open_experiment(e, &o->run, "sweep");
  if (!e->yaml.root || !*e->scene) return run_print_problems(e);
  if (o->resume && !o->run.directory) {
    run_find_directory(e, directory, sizeof directory);
    o->run.directory = directory;
  }
  run_take_experiment(e, &o->run);
  code = lay_out(&s, o);
  if (!code && !o->dry_run) code = take_directory(&s);
  if (!code && !o->dry_run) code = check_runs(&s);
  if (!code && !o->dry_run) code = check_changes(&s);
  if (!code && !o->dry_run) code = keep_experiment(&s);
  if (!code && !o->dry_run) code = sweep_carry_out(&s);
  if (s.run && (!code || s.started)) sweep_print(&s);
  lock_drop(s.folder, s.lock);
  if (s.folder >= 0) close(s.folder);
  free_sweep(&s);
  return code;
}

/* Returns the path of the experiment to read. For --resume with the directory of a sweep, this is the
 * experiment stored in the directory. */
static const char *kept_in(options *o, const char *operand, char path[RUN_PATH + 32]) {
  struct stat info;
  if (!o->resume || o->run.directory || stat(operand, &info) || !S_ISDIR(info.st_mode)) return operand;
  o->run.directory = operand;
  snprintf(path, RUN_PATH + 32, "%.2000s/%s", operand, file_name);
  return path;
}

int cmd_sweep(int argc, char **argv) {
  char path[RUN_PATH + 32];
  options o = {.run = {.progress = "none", .quiet = 1, .command = "scree sweep"}};
  int operands = CLI_PARSE("sweep", more, table, &o);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands != 1)
    return cli_fail(CLI_USAGE, "sweep", "%s usage: scree sweep EXP.yaml, or scree sweep --resume DIR",
        operands ? "one experiment at a time;" : "which experiment?");
  o.run.scene = kept_in(&o, argv[1], path);
  if (!run_is_experiment(o.run.scene))
    return cli_fail(CLI_USAGE, "sweep",
        "%s is no experiment: its name must end in .yaml or .yml (docs/experiments.md)", argv[1]);
  sl_experiment *e = calloc(1, sizeof *e);
  if (!e) return cli_fail(CLI_FAILED, "sweep", "no memory");
  int code = sweep_all(&o, e);
  sl_experiment_close(e);
  free(e);
  return code;
}
