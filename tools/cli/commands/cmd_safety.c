/* scree safety: the factor of safety of a scene, by reduction of its strength.
 *
 * A trial runs the scene with the friction coefficients, or the cohesion, of all pairs divided by F. The
 * factor of safety is the F at which trials begin to fail. The search starts at F = 1, doubles or halves F
 * until one trial stands and one fails, and then bisects the logarithm of F (Zienkiewicz, Humpheson & Lewis
 * 1975). A trial fails if a body leaves the domain, moves further than a share of its radius, or moves ever
 * faster: further in the second half of the time than in the first half, by a factor. */
#include "bind/sandbox/sha256.h"
#include "commands/safety_trial.h"
#include "files.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
  run_options run;
  char *file; /* absolute path of the scene or experiment */
  const char *reduce;
  safety_criteria judge;
  double accuracy;
  int json;
  char *description; /* description of the search, a result of describe_search */
} options;
static const cli_option table[] = {
    {"reduce", 0, CLI_TEXT, "WHAT", offsetof(options, reduce), "friction, cohesion or both (friction)"},
    {"output", 'o', CLI_TEXT, "DIR", offsetof(options, run.directory),
        "where to write; a search in this folder is continued (runs/safety)"},
    {"time", 't', CLI_ABOVE, "SECONDS", offsetof(options, run.time),
        "simulated time of a trial, instead of the scene's"},
    {"settle", 0, CLI_NUMBER, "SECONDS", offsetof(options, judge.settle),
        "simulated time before positions are compared (0)"},
    {"displacement", 0, CLI_ABOVE, "SHARE", offsetof(options, judge.displacement),
        "a trial fails if a body moves by more than this share of its radius (0.5)"},
    {"growth", 0, CLI_NUMBER, "FACTOR", offsetof(options, judge.growth),
        "a trial fails if a body moves so many times further in the second half of the time, 0: off (1.5)"},
    {"accuracy", 0, CLI_ABOVE, "SHARE", offsetof(options, accuracy),
        "width of the final interval, as a share of the factor (0.002)"},
    {"ground", 0, CLI_TEXT, "NAME", offsetof(options, judge.ground),
        "compares positions in the axes of this body, for ground that moves"},
    {"late", 0, CLI_FLAG, NULL, offsetof(options, judge.late),
        "judges bodies that are added later, by --displacement from where they are first seen"},
    {"threads", 'j', CLI_CORES, "N", offsetof(options, run.threads), "threads of the engine, 0: all cores"},
    {"json", 0, CLI_FLAG, NULL, offsetof(options, json), "prints JSON"},
    {"quiet", 'q', CLI_FLAG, NULL, offsetof(options, run.quiet), "no line for each trial"},
    CLI_SANDBOX_OPTIONS(options, run.sandbox),
};
static const char more[] =
    "Divides the strength of all pairs by F, runs the scene, and searches the F at which the scene begins to "
    "fail.\n"
    "safety.csv in the folder lists all trials. docs/safety.md says how failure is judged.\n"
    "Exit code 1 if the scene stands, or fails, for all F between 1/1024 and 1024.";

/* Largest F, and inverse of the smallest, that the search tries. */
static const double FARTHEST = 1024;

enum { TRIALS_MAX = 128 };

static const char *const criterion[SAFETY_VERDICTS] = {"", "a body is lost", "motion grows", "displacement"};

typedef struct search {
  safety_trial trial[TRIALS_MAX];
  int count;
  double low, high; /* largest F that stands, smallest that fails; 0, INFINITY: none */
  int has_ended;    /* all trials have run, with or without a factor */
} search;

/* ---- modules that trials load ---- */

/* Writes to `path` the path of the list of modules that trials loaded after the scene was built. Each line of
 * the list has the SHA-256 sum and the path of a module, relative to the folder of the scene. */
static void find_list(const options *o, char path[RUN_PATH + 32]) {
  snprintf(path, RUN_PATH + 32, "%s/modules.txt", o->run.directory);
}

/* Appends modules to the list if neither the list nor the description of the search has them. Returns an exit
 * code. */
static int note_modules(const options *o, const run *r) {
  char path[RUN_PATH + 32], line[RUN_PATH + 80];
  find_list(o, path);
  const sl_source *source;
  for (int i = 0; (source = sl_runtime_source(r->runtime, i)); i++) {
    const char *name = run_path_in_scene_folder(o->run.scene, source->path);
    if (!name) continue;
    snprintf(line, sizeof line, "%s %s\n", source->sha256, name);
    size_t size;
    char *list = cli_read(path, &size);
    const bool is_known = strstr(o->description, line) || (list && strstr(list, line));
    free(list);
    FILE *file = is_known ? NULL : fopen(path, "a");
    if (file) fputs(line, file);
    if (!is_known && (!file || fclose(file)))
      return cli_fail(CLI_IO, "safety", "cannot write %s: %s", path, strerror(errno));
  }
  return CLI_OK;
}

/* Checks that the modules of the list have not changed. Returns an exit code. */
static int compare_modules(const options *o) {
  enum { SUM = SL_SHA256_HEX - 1 };
  char path[RUN_PATH + 32], line[RUN_PATH + 80], now[SL_SHA256_HEX];
  find_list(o, path);
  FILE *list = fopen(path, "r");
  const char *slash = strrchr(o->run.scene, '/');
  const int folder = slash ? (int)(slash - o->run.scene) + 1 : 0;
  int code = CLI_OK;
  while (list && !code && fgets(line, sizeof line, list)) {
    char file[2 * RUN_PATH + 96];
    size_t size;
    line[strcspn(line, "\n")] = 0;
    if (strlen(line) < SUM + 2) continue; /* skips a line that was cut off */
    const char *name = line + SUM + 1;
    snprintf(file, sizeof file, "%.*s%s", folder, o->run.scene, name);
    char *text = cli_read(file, &size);
    if (text) sl_sha256(text, size, now);
    if (!text || strncmp(line, now, SUM))
      code = cli_fail(CLI_USAGE, "safety",
          "%s holds a search with another version of %s; give another folder with -o", o->run.directory,
          name);
    free(text);
  }
  if (list) fclose(list);
  return code;
}

/* ---- one trial ---- */

/* Divides the strength of a scene by `factor`: friction, cohesion or both, as --reduce says. */
static void weaken_scene(const options *o, double factor, sl_scene *scene) {
  if (strcmp(o->reduce, "cohesion") != 0) scene->friction_factor = 1 / factor;
  if (strcmp(o->reduce, "friction") != 0) scene->cohesion_factor = 1 / factor;
}

static int carry_trial(const options *o, const char *folder, safety_trial *t) {
  run *r = calloc(1, sizeof *r);
  int code = r ? run_open(r, &o->run) : cli_fail(CLI_FAILED, "safety", "no memory");
  if (!code) {
    weaken_scene(o, t->factor, &r->scene);
    code = run_build(r);
  }
  if (!code) snprintf(r->directory, sizeof r->directory, "%s", folder);
  if (!code) code = run_create_files(r);
  if (!code) code = safety_step_trial(&o->judge, r, t);
  if (!code) code = note_modules(o, r);
  if (r && r->runtime) run_close(r);
  free(r);
  return code;
}

/* Runs the scene with its strength divided by t->factor, in a temporary folder. Returns an exit code. */
static int run_trial(const options *o, safety_trial *t) {
  char folder[RUN_PATH];
  int code = run_make_scratch("safety", folder);
  if (code) return code;
  code = carry_trial(o, folder, t);
  run_remove_scratch(folder);
  return code;
}

/* ---- the folder ---- */

/* Returns a text that identifies the trials of a search; two searches with equal texts can share trials. The
 * text has the settings, the parameters, the experiment, and the SHA-256 sums of the scene and its loaded
 * modules. The caller frees the text; NULL if out of memory. */
static char *describe_search(const options *o, const run *r) {
  char *text = NULL, *experiment = o->run.experiment ? sl_experiment_write(o->run.experiment, true) : NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) return free(experiment), NULL;
  fprintf(out, "%s %s %.17g %.17g %.17g %.17g", o->file, o->reduce, o->run.time, o->judge.settle,
      o->judge.displacement, o->judge.growth);
  if (o->judge.ground) fprintf(out, " --ground %s", o->judge.ground);
  if (o->judge.late) fprintf(out, " --late");
  for (int i = 0; i < o->run.overrides_count; i++)
    fprintf(out, " %s=%s", o->run.overrides[i].key, o->run.overrides[i].value);
  fputc('\n', out);
  const sl_source *source;
  for (int i = 0; (source = sl_runtime_source(r->runtime, i)); i++) {
    const char *path = run_path_in_scene_folder(o->run.scene, source->path);
    if (path) fprintf(out, "%s %s\n", source->sha256, path);
  }
  if (experiment) fputs(experiment, out);
  const bool good = !fclose(out) && (experiment || !o->run.experiment);
  free(experiment);
  return good ? text : (free(text), NULL);
}

/* Builds the scene once, checks the simulated time of a trial, and sets o->description. Returns an exit
 * code. */
static int plan_search(options *o) {
  run *r = calloc(1, sizeof *r);
  int code = r ? run_open(r, &o->run) : cli_fail(CLI_FAILED, "safety", "no memory");
  if (!code) code = run_build(r);
  if (!code) code = safety_check_scene(&o->judge, r);
  if (!code && !(o->description = describe_search(o, r))) code = cli_fail(CLI_FAILED, "safety", "no memory");
  if (r && r->runtime) run_close(r);
  free(r);
  return code;
}

/* Prepares the folder of a search: writes the description `own` into it, or refuses the folder if it has the
 * description of another search. Returns an exit code. */
static int open_folder(const char *directory, const char *own) {
  char path[RUN_PATH + 32];
  if (run_make_directory(directory))
    return cli_fail(CLI_IO, "safety", "cannot create %s: %s", directory, strerror(errno));
  snprintf(path, sizeof path, "%s/safety.txt", directory);
  const int code = cli_keep_text("safety", path, own);
  if (code != CLI_USAGE) return code;
  return cli_fail(code, "safety",
      "%s holds a search with other settings or of another version of the scene; give another folder with -o",
      directory);
}

/* Reads the trials that earlier calls have finished. */
static void read_trials(const char *path, search *s) {
  FILE *file = fopen(path, "r");
  char line[512], why[64];
  if (!file) return;
  while (s->count < TRIALS_MAX && fgets(line, sizeof line, file)) {
    safety_trial t = {0};
    *why = 0;
    if (!strchr(line, '\n') ||
        sscanf(line, "%lf,%*d,%lf,%lf,%63[^\n]", &t.factor, &t.moved, &t.growth, why) < 3)
      continue;
    while (t.verdict < SAFETY_VERDICTS && strcmp(why, criterion[t.verdict])) t.verdict++;
    if (t.verdict < SAFETY_VERDICTS) s->trial[s->count++] = t;
  }
  fclose(file);
}

static int write_trial(const char *path, const safety_trial *t, int first) {
  FILE *file = fopen(path, first ? "w" : "a");
  if (file && first) fputs("factor,failed,displacement,growth,criterion\n", file);
  if (file)
    fprintf(file, "%.17g,%d,%.6g,%.6g,%s\n", t->factor, t->verdict != SAFETY_STANDS, t->moved, t->growth,
        criterion[t->verdict]);
  return file && !fclose(file) ? CLI_OK
                               : cli_fail(CLI_IO, "safety", "cannot write %s: %s", path, strerror(errno));
}

/* Reads the trials of earlier calls, and writes them again without a line that was cut off. */
static int recall_trials(const char *path, search *s) {
  int code = CLI_OK;
  read_trials(path, s);
  for (int k = 0; !code && k < s->count; k++) code = write_trial(path, s->trial + k, k == 0);
  return code;
}

/* ---- the search ---- */

/* Finds the trial at a factor, or runs it. Returns an exit code. */
static int try_factor(const options *o, const char *path, double factor, search *s) {
  safety_trial *t = NULL;
  for (int k = 0; k < s->count && !t; k++)
    if (fabs(s->trial[k].factor / factor - 1) < 1e-12) t = s->trial + k;
  if (!t) {
    if (s->count == TRIALS_MAX) return cli_fail(CLI_FAILED, "safety", "the search needs too many trials");
    t = s->trial + s->count;
    *t = (safety_trial){.factor = factor};
    int code = run_trial(o, t);
    if (!code) code = write_trial(path, t, s->count == 0);
    if (code) return code;
    s->count++;
  }
  if (t->verdict) s->high = factor;
  else s->low = factor;
  if (!o->run.quiet)
    fprintf(stderr, "scree safety: F = %.5g %s%s (moved by %.3g radii)\n", factor,
        t->verdict ? "fails: " : "stands", criterion[t->verdict], t->moved);
  return CLI_OK;
}

/* Searches the factor of safety by doubling or halving, then by bisection. At the end the scene stands at
 * s->low and fails at s->high. Returns an exit code. */
static int search_factor(const options *o, const char *path, search *s) {
  s->low = 0, s->high = INFINITY;
  int code = try_factor(o, path, 1, s);
  for (double f = 2; !code && !(s->high < INFINITY) && f <= FARTHEST; f *= 2)
    code = try_factor(o, path, f, s);
  for (double f = 0.5; !code && !(s->low > 0) && f >= 1 / FARTHEST; f /= 2) code = try_factor(o, path, f, s);
  if (code) return code;
  s->has_ended = 1;
  if (!(s->high < INFINITY))
    return cli_fail(CLI_FAILED, "safety", "the scene stands for all F up to %g: nothing fails by less %s",
        FARTHEST, o->reduce);
  if (!(s->low > 0))
    return cli_fail(CLI_FAILED, "safety",
        "the scene fails for all F down to %g: more %s does not hold it, or its bodies settle; try --settle",
        1 / FARTHEST, o->reduce);
  while (!code && s->high / s->low > 1 + o->accuracy) code = try_factor(o, path, sqrt(s->low * s->high), s);
  s->has_ended = !code;
  return code;
}

/* Prints the factor, and in JSON also a search without a factor. */
static void print_factor(const options *o, const search *s) {
  const bool found = s->low > 0 && s->high < INFINITY;
  const double factor = found ? sqrt(s->low * s->high) : NAN;
  if (!o->json) {
    if (!found) return;
    printf("factor of safety %.4g (%s; stands at %.5g, fails at %.5g; %d trials)\n", factor, o->reduce,
        s->low, s->high, s->count);
    return;
  }
  fputs("{\"factor\": ", stdout);
  cli_json_number(stdout, factor);
  fputs(", \"stands\": ", stdout);
  cli_json_number(stdout, s->low > 0 ? s->low : NAN);
  fputs(", \"fails\": ", stdout);
  cli_json_number(stdout, s->high);
  printf(", \"reduce\": \"%s\", \"trials\": [", o->reduce);
  for (int k = 0; k < s->count; k++) {
    const safety_trial *t = s->trial + k;
    printf("%s{\"factor\": %.9g, \"failed\": %s", k ? ", " : "", t->factor, t->verdict ? "true" : "false");
    cli_json_member(stdout, "displacement", t->moved);
    cli_json_member(stdout, "growth", t->growth);
    fputs(", \"criterion\": ", stdout);
    cli_json_text(stdout, criterion[t->verdict]);
    putchar('}');
  }
  puts("]}");
}

static int check_safety(const options *o) {
  if (strcmp(o->reduce, "friction") != 0 && strcmp(o->reduce, "cohesion") != 0 &&
      strcmp(o->reduce, "both") != 0)
    return cli_fail(
        CLI_USAGE, "safety", "--reduce is \"%s\"; it must be friction, cohesion or both", o->reduce);
  if (!(o->judge.settle >= 0))
    return cli_fail(CLI_USAGE, "safety", "--settle must be at least 0, not %g", o->judge.settle);
  if (!(o->judge.growth >= 0))
    return cli_fail(CLI_USAGE, "safety", "--growth must be at least 0, not %g", o->judge.growth);
  if (!(o->accuracy >= 1e-9 && o->accuracy < 1))
    return cli_fail(CLI_USAGE, "safety", "--accuracy must lie in [1e-9, 1), not %g", o->accuracy);
  return CLI_OK;
}

/* Searches the factor of a scene and prints it. Returns an exit code. */
static int carry_search(options *o) {
  char path[RUN_PATH + 32];
  search *s = calloc(1, sizeof *s);
  int code = s ? plan_search(o) : cli_fail(CLI_FAILED, "safety", "no memory");
  snprintf(path, sizeof path, "%s/safety.csv", o->run.directory);
  if (!code) code = open_folder(o->run.directory, o->description);
  if (!code) code = compare_modules(o);
  if (!code) code = recall_trials(path, s);
  if (!code) code = search_factor(o, path, s);
  if (s && s->has_ended) print_factor(o, s);
  free(o->description);
  free(s);
  return code;
}

int cmd_safety(int argc, char **argv) {
  options o = {.run = {.progress = "none", .command = "scree safety", .directory = "runs/safety"},
      .reduce = "friction",
      .judge.growth = 1.5,
      .judge.displacement = 0.5,
      .accuracy = 0.002};
  const int operands = CLI_PARSE("safety", more, table, &o);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands < 1)
    return cli_fail(
        CLI_USAGE, "safety", "which scene? usage: scree safety SCENE.lua|EXP.yaml [key=value ...]");
  o.run.scene = argv[1];
  int code = run_read_overrides(&o.run, operands, argv, "safety");
  if (!code) code = check_safety(&o);
  if (!code && !(o.file = realpath(o.run.scene, NULL)))
    code = cli_fail(CLI_IO, "safety", "%s: %s", o.run.scene, strerror(errno));
  if (code) return code;
  sl_experiment *e = run_is_experiment(o.run.scene) ? calloc(1, sizeof *e) : NULL;
  if (e && !(code = run_open_single(e, &o.run, "safety"))) run_take_experiment(e, &o.run);
  if (!code) code = carry_search(&o);
  if (e) sl_experiment_close(e);
  free(e);
  free(o.file);
  return code;
}
