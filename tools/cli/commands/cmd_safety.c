/* scree safety: the factor of safety of a scene, by reduction of its strength.
 *
 * A trial runs the scene with the friction coefficients, or the cohesion, of all pairs divided by F. The
 * factor of safety is the F at which trials begin to fail. The search starts at F = 1, doubles or halves F
 * until one trial stands and one fails, and then bisects the logarithm of F (Zienkiewicz, Humpheson & Lewis
 * 1975). A trial fails if a body leaves the domain, moves further than a share of its radius, or moves ever
 * faster: further in the second half of the time than in the first half, by a factor. */
#include "files.h"
#include "run/run.h"
#include "vector.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
  run_options run;
  char *file; /* absolute path of the scene or experiment */
  const char *reduce;
  const char *ground;
  double growth, displacement, settle, accuracy;
  int json, late;
} options;
static const cli_option table[] = {
    {"reduce", 0, CLI_TEXT, "WHAT", offsetof(options, reduce), "friction, cohesion or both (friction)"},
    {"output", 'o', CLI_TEXT, "DIR", offsetof(options, run.directory),
        "where to write; a search in this folder is continued (runs/safety)"},
    {"time", 't', CLI_ABOVE, "SECONDS", offsetof(options, run.time),
        "simulated time of a trial, instead of the scene's"},
    {"settle", 0, CLI_NUMBER, "SECONDS", offsetof(options, settle),
        "simulated time before positions are compared (0)"},
    {"displacement", 0, CLI_ABOVE, "SHARE", offsetof(options, displacement),
        "a trial fails if a body moves by more than this share of its radius (0.5)"},
    {"growth", 0, CLI_NUMBER, "FACTOR", offsetof(options, growth),
        "a trial fails if a body moves so many times further in the second half of the time, 0: off (1.5)"},
    {"accuracy", 0, CLI_ABOVE, "SHARE", offsetof(options, accuracy),
        "width of the final interval, as a share of the factor (0.002)"},
    {"ground", 0, CLI_TEXT, "NAME", offsetof(options, ground),
        "compares positions in the axes of this body, for ground that moves"},
    {"late", 0, CLI_FLAG, NULL, offsetof(options, late),
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

/* A displacement below this fraction of a body's radius does not count as motion. Solver residuals and
 * elastic deformation cause such displacements. */
static const double STILL = 1e-4;
/* Largest F, and inverse of the smallest, that the search tries. */
static const double FARTHEST = 1024;

enum { TRIALS_MAX = 128 };

/* Results of a trial: it stands, or the criterion by which it fails. */
typedef enum verdict { STANDS, LOST, GROWS, MOVED, VERDICTS } verdict;
static const char *const criterion[VERDICTS] = {"", "a body is lost", "motion grows", "displacement"};

typedef struct trial {
  double factor;
  /* for the body that moved furthest. moved: displacement over its radius; growth: displacement in the second
   * half of the trial over displacement in the first half */
  double moved, growth;
  verdict verdict;
} trial;

typedef struct search {
  trial trial[TRIALS_MAX];
  int count;
  double low, high; /* largest F that stands, smallest that fails; 0, INFINITY: none */
  int has_ended;    /* all trials have run, with or without a factor */
} search;

/* ---- one trial ---- */

/* A body that was added during the comparison. */
typedef struct late_body {
  scree_id id;
  double place[3],
      radius; /* where it was first seen, in the axes of the comparison [m]; bounding radius [m] */
} late_body;

/* Frames of a trial: at its start, in the middle of its time, and now. */
enum { START, MIDDLE, NOW, FRAMES };
typedef struct watch {
  run *r;
  const options *o;
  trial *t;
  scree_frame_buffer *buffer[FRAMES];
  const scree_frame *frame[FRAMES];
  late_body *late; /* bodies that were added after the frame START */
  int64_t late_count;
  scree_id ground;        /* body in whose axes positions are compared, 0: none */
  double from, end, next; /* [s] start and end of the comparison; time of the next look */
} watch;

static int take_frame(watch *w, int which) {
  scree_error error = {SCREE_OK, ""};
  w->frame[which] = scree_frame_capture(w->buffer[which], w->r->scene.world->world, 0, &error);
  return w->frame[which] ? CLI_OK : run_fail(w->r, CLI_FAILED, "%s", error.text);
}

/* Sets x to the position of row i in the axes of the ground, or of the world. */
static void find_place(const watch *w, const scree_frame *f, int64_t i, double x[3]) {
  const int64_t ground = w->ground ? scree_frame_row(f, w->ground) : -1;
  for (int e = 0; e < 3; e++) x[e] = f->position[3 * i + e];
  if (ground < 0) return;
  add_scaled(x, -1, f->position + 3 * ground, x);
  rotate_back(f->orientation + 4 * ground, x, x);
}

static double find_distance(const double x[3], const double y[3]) {
  double way[3];
  add_scaled(x, -1, y, way);
  return vector_length(way);
}

static double distance_of_rows(
    const watch *w, const scree_frame *a, int64_t i, const scree_frame *b, int64_t j) {
  double x[3], y[3];
  find_place(w, a, i, x);
  find_place(w, b, j, y);
  return find_distance(x, y);
}

/* Judges the trial by the motion of one body between the frames START, middle and NOW. row: row of the body
 * in the frame START. */
static void judge_body(const watch *w, const scree_frame *middle, int64_t row) {
  const scree_frame *start = w->frame[START], *now = w->frame[NOW];
  const scree_id id = start->id[row];
  const int64_t at = scree_frame_row(now, id), half = middle ? scree_frame_row(middle, id) : -1;
  trial *t = w->t;
  if (at < 0) {
    t->verdict = LOST;
    return;
  }
  const double radius = start->radius[row], moved = distance_of_rows(w, start, row, now, at) / radius;
  double growth = NAN;
  if (half >= 0) {
    const double first = distance_of_rows(w, start, row, middle, half) / radius,
                 second = distance_of_rows(w, middle, half, now, at) / radius;
    growth = first > 0 ? second / first : second > 0 ? INFINITY : 0;
    const bool settles = w->from > 0; // a body may move already when the comparison begins
    const double least = settles ? 1 + (w->o->growth - 1) / 5 : w->o->growth;
    if (w->o->growth > 0 && second > (settles ? 10 : 1) * STILL && growth > least && !t->verdict)
      t->verdict = GROWS;
  }
  if (moved >= t->moved) t->moved = moved, t->growth = growth;
  if (moved > w->o->displacement && !t->verdict) t->verdict = MOVED;
}

/* Judges the trial by the motion of all dynamic bodies. middle: frame at half the time of the trial; NULL:
 * does not judge the growth of the motion. */
static void judge_frames(const watch *w, const scree_frame *middle) {
  const scree_frame *start = w->frame[START];
  for (int64_t row = 0; row < start->bodies; row++)
    if (start->kind[row] == SCREE_DYNAMIC) judge_body(w, middle, row);
}

static int64_t find_late(const watch *w, scree_id id) {
  int64_t k = 0;
  while (k < w->late_count && w->late[k].id != id) k++;
  return k;
}

/* Adds the dynamic bodies of the frame NOW that are new since the last look. Returns an exit code. */
static int note_late_bodies(watch *w) {
  const scree_frame *start = w->frame[START], *now = w->frame[NOW];
  for (int64_t row = 0; row < now->bodies; row++) {
    if (now->kind[row] != SCREE_DYNAMIC || scree_frame_row(start, now->id[row]) >= 0 ||
        find_late(w, now->id[row]) < w->late_count)
      continue;
    late_body *grown = realloc(w->late, (size_t)(w->late_count + 1) * sizeof *grown);
    if (!grown) return run_fail(w->r, CLI_FAILED, "no memory");
    w->late = grown;
    late_body *body = w->late + w->late_count++;
    *body = (late_body){.id = now->id[row], .radius = now->radius[row]};
    find_place(w, now, row, body->place);
  }
  return CLI_OK;
}

/* Judges the trial by the displacement of the bodies that were added during the comparison. */
static void judge_late_bodies(const watch *w) {
  trial *t = w->t;
  for (int64_t k = 0; k < w->late_count; k++) {
    const late_body *body = w->late + k;
    const int64_t row = scree_frame_row(w->frame[NOW], body->id);
    double place[3];
    if (row < 0) {
      t->verdict = LOST;
      return;
    }
    find_place(w, w->frame[NOW], row, place);
    const double moved = find_distance(body->place, place) / body->radius;
    if (moved > t->moved) t->moved = moved, t->growth = NAN;
    if (moved > w->o->displacement && !t->verdict) t->verdict = MOVED;
  }
}

enum { FAILED_EARLY = 1000 }; /* code of the listener: the trial has failed */

/* Listener of the loop. Compares the bodies 64 times in a trial, and ends the trial once it has failed. */
static int watch_event(void *context, sl_event event) {
  watch *w = context;
  if (event == SL_STEPPED) return CLI_OK;
  const int judged = run_judge_step(w->r);
  const double time = scree_world_time(w->r->scene.world->world), step = (w->end - w->from) / 64;
  if (judged || time < w->next * (1 - 1e-12)) return judged;
  w->next = fmax(w->next + step, time);
  if (!w->frame[START]) return take_frame(w, START);
  int code = take_frame(w, NOW);
  if (!code && !w->frame[MIDDLE] && time >= (w->from + w->end) / 2 * (1 - 1e-12))
    code = take_frame(w, MIDDLE);
  if (code) return code;
  judge_frames(w, NULL); /* growth is judged at the end */
  if (w->o->late && (code = note_late_bodies(w))) return code;
  judge_late_bodies(w);
  return w->t->verdict ? FAILED_EARLY : CLI_OK;
}

/* Returns the time at which a run ends; INFINITY if it has no fixed end [s]. */
static double end_time(const run *r) {
  const double dt = scree_world_get_def(r->scene.world->world)->dt;
  return fmin(
      r->scene.stop_time, r->scene.stop_steps == INT64_MAX ? INFINITY : (double)r->scene.stop_steps * dt);
}

/* Checks that the simulated time of a trial is fixed and longer than --settle. Returns an exit code. */
static int check_time(const options *o, const run *r) {
  const double end = end_time(r);
  if (!(end < INFINITY))
    return cli_fail(
        CLI_USAGE, "safety", "%s has no fixed end; give the time of a trial with --time", r->options->scene);
  if (!(o->settle < end))
    return cli_fail(
        CLI_USAGE, "safety", "--settle %g s is not below the time of a trial, %g s", o->settle, end);
  return CLI_OK;
}

/* Finds the body that --ground names. Returns an exit code. */
static int find_ground(const options *o, const run *r, scree_id *ground) {
  scree_error error = {SCREE_OK, ""};
  if (o->ground) *ground = scree_world_find(r->scene.world->world, o->ground, &error);
  return o->ground && !*ground ? cli_fail(CLI_USAGE, "safety", "--ground: %s", error.text) : CLI_OK;
}

/* Steps a built scene and judges it. Returns an exit code. */
static int step_trial(watch *w) {
  run *r = w->r;
  w->from = w->o->settle, w->end = end_time(r), w->next = w->from;
  for (int k = 0; k < FRAMES; k++)
    if (!(w->buffer[k] = scree_frame_buffer_create())) return cli_fail(CLI_FAILED, "safety", "no memory");
  int code = find_ground(w->o, r, &w->ground);
  if (!code && !(w->from > 0)) code = take_frame(w, START);
  r->loop.listen = watch_event, r->loop.context = w;
  if (!code) code = sl_loop_run(&r->loop);
  if (code == FAILED_EARLY) return CLI_OK;
  if (code == SL_STEP_FAILED)
    return run_fail(r, CLI_FAILED, "step %lld: %s", (long long)r->loop.step, r->loop.error.text);
  if (code == SL_CALL_FAILED) return cli_report_trouble(r->runtime, r->loop.trouble, r->loop.doing, 0);
  if (!code) code = take_frame(w, NOW);
  if (!code && w->frame[START]) {
    judge_frames(w, w->frame[MIDDLE]);
    judge_late_bodies(w);
  }
  return code;
}

/* Divides the strength of a scene by `factor`: friction, cohesion or both, as --reduce says. */
static void weaken_scene(const options *o, double factor, sl_scene *scene) {
  if (strcmp(o->reduce, "cohesion") != 0) scene->friction_factor = 1 / factor;
  if (strcmp(o->reduce, "friction") != 0) scene->cohesion_factor = 1 / factor;
}

static int carry_trial(const options *o, const char *folder, trial *t) {
  run *r = calloc(1, sizeof *r);
  watch w = {.r = r, .o = o, .t = t};
  int code = r ? run_open(r, &o->run) : cli_fail(CLI_FAILED, "safety", "no memory");
  if (!code) {
    weaken_scene(o, t->factor, &r->scene);
    code = run_build(r);
  }
  if (!code) snprintf(r->directory, sizeof r->directory, "%s", folder);
  if (!code) code = run_create_files(r);
  if (!code) code = step_trial(&w);
  for (int k = 0; k < FRAMES; k++) scree_frame_buffer_destroy(w.buffer[k]);
  free(w.late);
  if (r && r->runtime) run_close(r);
  free(r);
  return code;
}

/* Runs the scene with its strength divided by t->factor, in a temporary folder. Returns an exit code. */
static int run_trial(const options *o, trial *t) {
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
  fprintf(out, "%s %s %.17g %.17g %.17g %.17g", o->file, o->reduce, o->run.time, o->settle, o->displacement,
      o->growth);
  if (o->ground) fprintf(out, " --ground %s", o->ground);
  if (o->late) fprintf(out, " --late");
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

/* Builds the scene once and checks the simulated time of a trial. Sets *text to the result of
 * describe_search. Returns an exit code. */
static int plan_search(const options *o, char **text) {
  run *r = calloc(1, sizeof *r);
  int code = r ? run_open(r, &o->run) : cli_fail(CLI_FAILED, "safety", "no memory");
  if (!code) code = run_build(r);
  scree_id ground = 0;
  if (!code) code = check_time(o, r);
  if (!code) code = find_ground(o, r, &ground);
  if (!code && !(*text = describe_search(o, r))) code = cli_fail(CLI_FAILED, "safety", "no memory");
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
    trial t = {0};
    *why = 0;
    if (!strchr(line, '\n') ||
        sscanf(line, "%lf,%*d,%lf,%lf,%63[^\n]", &t.factor, &t.moved, &t.growth, why) < 3)
      continue;
    while (t.verdict < VERDICTS && strcmp(why, criterion[t.verdict])) t.verdict++;
    if (t.verdict < VERDICTS) s->trial[s->count++] = t;
  }
  fclose(file);
}

static int write_trial(const char *path, const trial *t, int first) {
  FILE *file = fopen(path, first ? "w" : "a");
  if (file && first) fputs("factor,failed,displacement,growth,criterion\n", file);
  if (file)
    fprintf(file, "%.17g,%d,%.6g,%.6g,%s\n", t->factor, t->verdict != STANDS, t->moved, t->growth,
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
  trial *t = NULL;
  for (int k = 0; k < s->count && !t; k++)
    if (fabs(s->trial[k].factor / factor - 1) < 1e-12) t = s->trial + k;
  if (!t) {
    if (s->count == TRIALS_MAX) return cli_fail(CLI_FAILED, "safety", "the search needs too many trials");
    t = s->trial + s->count;
    *t = (trial){.factor = factor};
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
    const trial *t = s->trial + k;
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
  if (!(o->settle >= 0))
    return cli_fail(CLI_USAGE, "safety", "--settle must be at least 0, not %g", o->settle);
  if (!(o->growth >= 0))
    return cli_fail(CLI_USAGE, "safety", "--growth must be at least 0, not %g", o->growth);
  if (!(o->accuracy >= 1e-9 && o->accuracy < 1))
    return cli_fail(CLI_USAGE, "safety", "--accuracy must lie in [1e-9, 1), not %g", o->accuracy);
  return CLI_OK;
}

/* Searches the factor of a scene and prints it. Returns an exit code. */
static int carry_search(const options *o) {
  char path[RUN_PATH + 32], *text = NULL;
  search *s = calloc(1, sizeof *s);
  int code = s ? plan_search(o, &text) : cli_fail(CLI_FAILED, "safety", "no memory");
  snprintf(path, sizeof path, "%s/safety.csv", o->run.directory);
  if (!code) code = open_folder(o->run.directory, text);
  if (!code) code = recall_trials(path, s);
  if (!code) code = search_factor(o, path, s);
  if (s && s->has_ended) print_factor(o, s);
  free(text);
  free(s);
  return code;
}

int cmd_safety(int argc, char **argv) {
  options o = {.run = {.progress = "none", .command = "scree safety", .directory = "runs/safety"},
      .reduce = "friction",
      .growth = 1.5,
      .displacement = 0.5,
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
