/* scree converge: how far the figures of a scene depend on its numerical settings.
 *
 * The scene runs as it is, and with one setting changed at a time: half the step, four times the sweeps,
 * and softer or stiffer contacts. All runs use the same seeds. The differences are therefore paired: D
 * is the mean over the seeds of (figure with the change - figure without it), and its standard error
 * comes from the scatter of these differences. */
#include "files.h"
#include "csv.h"
#include "run/run.h"
#include "sweep/sweep_call.h"
#include "student.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
  run_options run;
  int64_t jobs, seeds;
  double bound;
  int json;
} options;
static const cli_option table[] = {
    {"output", 'o', CLI_TEXT, "DIR", offsetof(options, run.directory),
        "where to write; a folder of the same runs is continued (runs/converge)"},
    {"jobs", 'j', CLI_CORES, "N", offsetof(options, jobs), "runs at the same time, 0: one a core (1)"},
    {"seeds", 0, CLI_COUNT, "N", offsetof(options, seeds), "seeds for each setting, at least 3 (3)"},
    {"bound", 0, CLI_ABOVE, "SHARE", offsetof(options, bound),
        "change of a figure that counts, as a share of it (0.01)"},
    {"json", 0, CLI_FLAG, NULL, offsetof(options, json), "prints JSON"},
    CLI_SANDBOX_OPTIONS(options, run.sandbox),
};
static const char more[] =
    "Runs the scene with its own settings, half the step, 4 times the sweeps and other softness of contacts, "
    "each with\n"
    "the same seeds. Prints for every figure its statistical error, its change by each setting, and a "
    "verdict.\n"
    "Exit code 1 if a figure has not converged or a run failed. docs/converge.md explains the table.";

/* ---- settings ---- */

enum { SETTINGS_MAX = 5, SEEDS_MAX = 64, SWEEPS = 2 /* setting with more sweeps */ };

/* A setting of the runs: the scene's own, or with one change. */
typedef struct setting {
  const char *name, *advice; /* name of the change; advice if results depend on it */
  double dt;                 /* time step [s] */
  int64_t iterations;
  double softness, cost; /* cost: estimated run time, divided by that of the scene's own settings */
} setting;

/* The settings to compare, and the scene or experiment that they change. */
typedef struct plan {
  setting setting[SETTINGS_MAX];
  int count;
  uint64_t seed; /* seed of the first run */
  char *base;    /* text of the user's experiment, in SI units; NULL: a scene */
} plan;

/* Lists the settings that the convergence test runs for a world: first the world's own, then one for each
 * change. Returns the number of settings. */
static int list_changes(const scree_world_def *def, setting out[SETTINGS_MAX]) {
  const setting own = {"own", "", def->dt, def->solver.iterations, def->solver.softness, 1};
  const bool can_soften = def->stepper == SCREE_STEPPER_SEMI_IMPLICIT;
  int count = 0;
  out[count++] = own;
  out[count] = own, out[count].name = "dt/2", out[count].advice = "a smaller dt";
  out[count].dt /= 2, out[count++].cost = 2;
  out[count] = own, out[count].name = "sweeps x4", out[count].advice = "more iterations of the solver";
  out[count].iterations *= 4, out[count++].cost = 4;
  if (can_soften && own.softness > 0) {
    out[count] = own, out[count].name = "stiffness x4", out[count].advice = "a smaller solver.softness";
    out[count++].softness /= 4;
    out[count] = own, out[count].name = "stiffness /4", out[count].advice = "a smaller solver.softness";
    out[count++].softness *= 4;
  } else if (can_soften) {
    out[count] = own, out[count].name = "softness 0.01",
    out[count].advice = "solver.softness, with which forces are unique";
    out[count++].softness = 0.01;
  }
  return count;
}

/* ---- the experiment ---- */

/* Writes text as a YAML scalar: numbers and booleans as they are, other texts in quotes. */
static void put_scalar(FILE *out, const char *text) {
  char *end;
  strtod(text, &end);
  const bool plain = (*text && !*end) || !strcmp(text, "true") || !strcmp(text, "false");
  if (plain) fputs(text, out);
  else cli_json_text(out, text);
}

static void put_list(FILE *out, const char *path, const setting *s, int count, int what) {
  fprintf(out, "    %s: [", path);
  for (int i = 0; i < count; i++) {
    if (i) fputs(", ", out);
    if (what == 0) fprintf(out, "%.17g", s[i].dt);
    else if (what == 1) fprintf(out, "%lld", (long long)s[i].iterations);
    else fprintf(out, "%.17g", s[i].softness);
  }
  fputs("]\n", out);
}

/* Writes the entries of the experiment other than its sweep. base: text of the user's experiment; NULL:
 * a scene. */
static void put_base(FILE *out, const options *o, const char *base, const char *scene) {
  if (base) {
    fputs(base, out);
    return;
  }
  fputs("scree: 1\nscene: ", out);
  cli_json_text(out, scene);
  if (o->run.overrides_count) fputs("\nparams:", out);
  for (int i = 0; i < o->run.overrides_count; i++) {
    fprintf(out, "\n  %s: ", o->run.overrides[i].key);
    put_scalar(out, o->run.overrides[i].value);
  }
  fputc('\n', out);
}

/* Writes the experiment of all runs. Returns an exit code. */
static int write_experiment(const options *o, const plan *p, const char *scene, const char *path) {
  FILE *out = fopen(path, "w");
  if (!out) return cli_fail(CLI_IO, "converge", "cannot write %s: %s", path, strerror(errno));
  put_base(out, o, p->base, scene);
  fputs("sweep:\n  grid:\n    seed: [", out);
  for (int64_t k = 0; k < o->seeds; k++)
    fprintf(out, "%s%llu", k ? ", " : "", (unsigned long long)(p->seed + (uint64_t)k));
  fputs("]\n  zip:\n", out);
  put_list(out, "run.dt", p->setting, p->count, 0);
  put_list(out, "solver.iterations", p->setting, p->count, 1);
  put_list(out, "solver.softness", p->setting, p->count, 2);
  return fclose(out) ? cli_fail(CLI_IO, "converge", "cannot write %s: %s", path, strerror(errno)) : CLI_OK;
}

/* Runs `scree sweep` over the experiment. only: numbers of runs, or NULL. Returns its exit code. */
static int run_sweep(const options *o, const char *experiment, const char *directory, const char *only) {
  const sweep_request request = {.command = "converge",
      .experiment = experiment,
      .directory = directory,
      .only = only,
      .sandbox = &o->run.sandbox,
      .jobs = o->jobs};
  return sweep_call(&request);
}

/* ---- figures ---- */

typedef struct moments {
  double mean, error; /* standard error of the mean */
} moments;

static moments measure_values(const double *value, int64_t count) {
  moments m = {0, 0};
  for (int64_t i = 0; i < count; i++) m.mean += value[i] / (double)count;
  for (int64_t i = 0; i < count; i++) m.error += (value[i] - m.mean) * (value[i] - m.mean);
  m.error = sqrt(m.error / (double)(count - 1) / (double)count);
  return m;
}

enum { VERDICT_TEXT = 96 };

typedef struct figure {
  const char *name;
  moments own, change[SETTINGS_MAX];
  double limit; /* smallest change of the figure that counts as significant */
  int worst;    /* index of the setting whose change exceeds limit and error most; 0: converged */
  double sure;  /* upper bound of all changes, from the scatter over the seeds */
} figure;

/* Largest unbalanced force, as a fraction of the load, that counts as converged. */
static const double BALANCE = 0.01;

/* column of results.csv that is also judged as a figure */
static const char BALANCE_COLUMN[] = "unbalanced_mean";

static bool is_balance(const figure *f) { return !strcmp(f->name, BALANCE_COLUMN); }

/* Judges a figure from its values [seed][setting]. For the balance of forces the ideal value is 0. Therefore
 * only changes that lower it count, and a balance above BALANCE has not converged. */
static void judge_figure(figure *f, const double *value, int settings, int64_t seeds, double bound) {
  double list[SEEDS_MAX], worst = 1;
  const double t = cli_student(seeds);
  for (int64_t k = 0; k < seeds; k++) list[k] = value[k * settings];
  f->own = measure_values(list, seeds);
  f->limit = is_balance(f) ? BALANCE : bound * fabs(f->own.mean);
  for (int v = 1; v < settings; v++) {
    for (int64_t k = 0; k < seeds; k++) list[k] = value[k * settings + v] - value[k * settings];
    f->change[v] = measure_values(list, seeds);
    const double noise = t * f->change[v].error, change = f->change[v].mean,
                 excess = (is_balance(f) ? -change : fabs(change)) / fmax(noise, f->limit);
    f->sure = fmax(f->sure, fabs(change) + noise);
    if (excess > worst) worst = excess, f->worst = v;
  }
  if (is_balance(f) && f->own.mean > BALANCE && !f->worst) f->worst = SWEEPS;
}

typedef struct outcome {
  figure *figure;
  int count, settings, failed, open; /* failed: runs without results; open: figures that have not converged */
  int softened[SETTINGS_MAX];        /* [settings] number of seeds with which rigid contacts became springs */
  /* [settings] number of seeds with which contacts became springs either in the run with this setting or in
   * the run with the scene's own settings, but not in both */
  int differ[SETTINGS_MAX];
  int64_t seeds;
} outcome;

static bool are_finite(const double *value, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (!isfinite(value[i])) return false;
  return true;
}

/* Counts the runs in which rigid contacts became springs. Returns an exit code. */
static int count_softened(csv *results, outcome *out) {
  const int column = csv_column(results, "softened");
  if (column < 0) return cli_fail(CLI_FAILED, "converge", "results.csv has no column softened");
  double *step = csv_numbers(results, column);
  if (!step) return cli_fail(CLI_FAILED, "converge", "no memory");
  for (int64_t i = 0; i < results->rows; i++) {
    const int64_t v = i % out->settings;
    out->softened[v] += step[i] > 0;
    out->differ[v] += (step[i] > 0) != (step[i - v] > 0);
  }
  free(step);
  return CLI_OK;
}

static int read_results(const char *directory, const options *o, int settings, csv **kept, outcome *out) {
  char path[RUN_PATH + 32];
  snprintf(path, sizeof path, "%s/results.csv", directory);
  csv *results = *kept = csv_open("converge", path);
  const int64_t runs = o->seeds * settings;
  if (!results) return CLI_IO;
  const int first = sweep_first_figure(results);
  out->figure = calloc(CSV_COLUMNS, sizeof *out->figure);
  if (!out->figure) return cli_fail(CLI_FAILED, "converge", "no memory");
  out->settings = settings, out->seeds = o->seeds;
  out->failed = (int)(runs - results->rows);
  if (results->rows == runs && count_softened(results, out)) return CLI_FAILED;
  for (int c = 0; c < results->columns && results->rows == runs; c++) {
    if (c < first && strcmp(results->name[c], BALANCE_COLUMN) != 0) continue;
    double *value = csv_numbers(results, c);
    if (!value) return cli_fail(CLI_FAILED, "converge", "no memory");
    if (are_finite(value, runs)) {
      figure *f = out->figure + out->count++;
      *f = (figure){.name = results->name[c]};
      judge_figure(f, value, settings, o->seeds, o->bound);
      out->open += f->worst > 0;
    }
    free(value);
  }
  return CLI_OK;
}

/* ---- output ---- */

/* Writes the verdict on a figure: "converged to 2 %", or what to change. */
static void write_verdict(const figure *f, const setting *s, char *out, size_t size) {
  const double share = f->own.mean != 0 ? 100 * f->sure / fabs(f->own.mean) : 0;
  if (f->worst) snprintf(out, size, "not converged: %s", s[f->worst].advice);
  else if (!(f->sure > 0) || is_balance(f)) snprintf(out, size, "converged");
  else if (share > 0) snprintf(out, size, "converged to %.2g %%", share);
  else snprintf(out, size, "converged to %.2g", f->sure);
}

static void write_csv(const char *directory, const outcome *out, const setting *s) {
  char path[RUN_PATH + 32], verdict[VERDICT_TEXT];
  snprintf(path, sizeof path, "%s/converge.csv", directory);
  FILE *file = fopen(path, "w");
  if (!file) return;
  fputs("figure,value,error", file);
  for (int v = 1; v < out->settings; v++) fprintf(file, ",change by %s,its error", s[v].name);
  fputs(",change not excluded,verdict\n", file);
  for (const figure *f = out->figure; f < out->figure + out->count; f++) {
    csv_put_cell(file, f->name);
    fprintf(file, ",%.9g,%.3g", f->own.mean, f->own.error);
    for (int v = 1; v < out->settings; v++)
      fprintf(file, ",%.6g,%.3g", f->change[v].mean, f->change[v].error);
    write_verdict(f, s, verdict, sizeof verdict);
    fprintf(file, ",%.3g,", f->sure);
    csv_put_cell(file, verdict);
    fputc('\n', file);
  }
  fclose(file);
}

static void print_changes(const outcome *out, const setting *s, const options *o) {
  char verdict[VERDICT_TEXT];
  printf("%-28s %12s %9s", "figure", "value", "+-");
  for (int v = 1; v < out->settings; v++) printf(" %22s", s[v].name);
  puts("  verdict");
  for (const figure *f = out->figure; f < out->figure + out->count; f++) {
    write_verdict(f, s, verdict, sizeof verdict);
    printf("%-28.28s %12.6g %9.2g", f->name, f->own.mean, f->own.error);
    for (int v = 1; v < out->settings; v++) printf(" %+11.3g +-%8.2g", f->change[v].mean, f->change[v].error);
    printf("  %s\n", verdict);
  }
  printf("A change counts if it is above %g of the figure and above %.1f standard errors (%lld seeds).\n",
      o->bound, cli_student(out->seeds), (long long)out->seeds);
}

/* Prints with which settings rigid contacts became springs, and what this means for the table. Skips settings
 * with a softness of their own, because their contacts were springs from the start. */
static void print_springs(const outcome *out, const setting *s) {
  const char *lead = "Rigid contacts became springs (solver.soften): ";
  int differ = 0;
  for (int v = 1; v < out->settings; v++) differ += out->differ[v] > 0 && !(s[v].softness > 0);
  for (int v = 0; differ && v < out->settings; v++)
    if (!(s[v].softness > 0))
      printf("%s%s %d of %lld%s", v ? ", " : lead, s[v].name, out->softened[v], (long long)out->seeds,
          v ? "" : " seeds");
  if (differ) fputs(".\nThe change by ", stdout);
  for (int v = 1, listed = 0; v < out->settings; v++)
    if (out->differ[v] > 0 && !(s[v].softness > 0)) printf("%s%s", listed++ ? " and by " : "", s[v].name);
  if (differ)
    puts(" includes this difference between contacts.\n"
         "With solver = { softness = 0.01 }, or with soften = false, all runs have equal contacts.");
  if (out->softened[0])
    puts("In own runs contacts became springs. Therefore softness 0.01 changes only the first steps. To try "
         "stiffness x4 and /4, set solver = { softness = 0.01 }.");
}

/* Prints the member "softened" if rigid contacts became springs in any run: the share of seeds by setting. */
static void put_json_softened(const outcome *out, const setting *s) {
  int any = 0, listed = 0;
  for (int v = 0; v < out->settings; v++) any += out->softened[v];
  if (!any) return;
  fputs(", \"softened\": {", stdout);
  for (int v = 0; v < out->settings; v++) {
    if (s[v].softness > 0) continue;
    if (listed++) fputs(", ", stdout);
    cli_json_text(stdout, s[v].name);
    printf(": %.6g", out->softened[v] / (double)out->seeds);
  }
  putchar('}');
}

static void print_json(const outcome *out, const setting *s) {
  fputs("{\"figures\": [", stdout);
  for (int i = 0; i < out->count; i++) {
    const figure *f = out->figure + i;
    printf("%s{\"name\": ", i ? ", " : "");
    cli_json_text(stdout, f->name);
    cli_json_member(stdout, "value", f->own.mean);
    cli_json_member(stdout, "error", f->own.error);
    fputs(", \"changes\": {", stdout);
    for (int v = 1; v < out->settings; v++) {
      if (v > 1) fputs(", ", stdout);
      cli_json_text(stdout, s[v].name);
      printf(": {\"change\": %.9g, \"error\": %.3g}", f->change[v].mean, f->change[v].error);
    }
    printf("}, \"converged\": %s, \"advice\": ", f->worst ? "false" : "true");
    cli_json_text(stdout, f->worst ? s[f->worst].advice : "");
    putchar('}');
  }
  putchar(']');
  put_json_softened(out, s);
  printf(", \"seeds\": %lld, \"converged\": %s}\n", (long long)out->seeds, out->open ? "false" : "true");
}

/* ---- the whole ---- */

/* Opens the user's experiment and takes its text. Returns an exit code. */
static int read_experiment(sl_experiment *e, run_options *own, plan *p) {
  const int code = run_open_single(e, own, "converge");
  if (code) return code;
  p->base = sl_experiment_write(e, true);
  run_take_experiment(e, own);
  return p->base ? CLI_OK : cli_fail(CLI_FAILED, "converge", "no memory");
}

/* Builds the scene once and lists the settings to compare in p. Returns an exit code. */
static int read_settings(const options *o, plan *p) {
  sl_experiment *e = run_is_experiment(o->run.scene) ? calloc(1, sizeof *e) : NULL;
  run *r = calloc(1, sizeof *r);
  run_options own = o->run;
  int code = r ? CLI_OK : cli_fail(CLI_FAILED, "converge", "no memory");
  if (!code && e) code = read_experiment(e, &own, p);
  if (!code) code = run_open(r, &own);
  if (!code) code = run_build(r);
  if (!code) {
    const scree_world_def *def = scree_world_get_def(r->scene.world->world);
    if (def->stepper == SCREE_STEPPER_PENALTY)
      code = cli_fail(CLI_USAGE, "converge", "the stepper \"penalty\" has no sweeps and no rigid contacts");
    p->count = list_changes(def, p->setting);
    p->seed = sl_runtime_get_seed(r->runtime);
  }
  if (r && r->runtime) run_close(r);
  if (e) sl_experiment_close(e);
  free(e);
  free(r);
  return code;
}

/* Runs the first run of the plan alone, and prints an estimate of the time of all runs. Then runs the other
 * runs. Returns an exit code. */
static int carry_out(
    const options *o, const char *experiment, const char *directory, const setting *s, int count) {
  const double start = run_clock();
  int code = run_sweep(o, experiment, directory, "1");
  const double one = run_clock() - start;
  double cost = 0;
  for (int v = 0; v < count; v++) cost += s[v].cost;
  if (code == CLI_OK || code == CLI_INVALID) {
    fprintf(stderr,
        "scree converge: %d settings with %lld seeds; the first run took %.2g s, all take at most about %.2g "
        "s\n",
        count, (long long)o->seeds, one, one * cost * (double)o->seeds / (double)(o->jobs > 0 ? o->jobs : 1));
    code = run_sweep(o, experiment, directory, NULL);
  }
  if (code == CLI_STOPPED) return cli_fail(code, "converge", "stopped; the same command goes on");
  if (code == CLI_USAGE || code == CLI_IO) return code;
  return CLI_OK; // the table reports runs that failed
}

/* Carries out the plan and prints the table. Returns an exit code. */
static int carry_plan(const options *o, const plan *p) {
  char directory[RUN_PATH], experiment[RUN_PATH + 32], scene[PATH_MAX];
  outcome out = {0};
  csv *results = NULL;
  const setting *s = p->setting;
  const int count = p->count;
  int code;
  if (!realpath(o->run.scene, scene))
    return cli_fail(CLI_IO, "converge", "%s: %s", o->run.scene, strerror(errno));
  snprintf(directory, sizeof directory, "%s", o->run.directory ? o->run.directory : "runs/converge");
  if (run_make_directory(directory))
    return cli_fail(CLI_IO, "converge", "cannot create %s: %s", directory, strerror(errno));
  snprintf(experiment, sizeof experiment, "%s/converge.yaml", directory);
  code = write_experiment(o, p, scene, experiment);
  if (!code) code = carry_out(o, experiment, directory, s, count);
  if (!code) code = read_results(directory, o, count, &results, &out);
  if (!code && out.failed > 0)
    code = cli_fail(CLI_FAILED, "converge", "%d of %lld runs have no results; %s/sweep.log tells why",
        out.failed, (long long)o->seeds * count, directory);
  if (!code && !out.count)
    code = cli_fail(CLI_USAGE, "converge", "the runs report no figures; give the scene a report");
  if (!code) {
    write_csv(directory, &out, s);
    if (o->json) print_json(&out, s);
    else print_changes(&out, s, o), print_springs(&out, s);
    code = out.open ? CLI_FAILED : CLI_OK;
  }
  if (results) csv_close(results);
  free(out.figure);
  return code;
}

int cmd_converge(int argc, char **argv) {
  options o = {
      .run = {.progress = "none", .quiet = 1, .command = "scree converge"}, .seeds = 3, .bound = 0.01};
  const int operands = CLI_PARSE("converge", more, table, &o);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands < 1)
    return cli_fail(
        CLI_USAGE, "converge", "which scene? usage: scree converge SCENE.lua|EXP.yaml [key=value ...]");
  if (o.seeds < 3 || o.seeds > SEEDS_MAX)
    return cli_fail(
        CLI_USAGE, "converge", "--seeds must lie in [3, %d], not %lld", SEEDS_MAX, (long long)o.seeds);
  o.run.scene = argv[1];
  const int code = run_read_overrides(&o.run, operands, argv, "converge");
  if (code) return code;
  plan p = {0};
  const int planned = read_settings(&o, &p), done = planned ? planned : carry_plan(&o, &p);
  free(p.base);
  return done;
}
