/* Checkpoints of runs: when they are due, what they hold beside the scene's state, and going on from
 * one.
 *
 * DIR/checkpoint.scree holds the state, how far trajectory and series had come, and how the run was
 * started; DIR/checkpoint.scree.previous is the one before. To resume, the scene is loaded and its setup
 * run as at the start, then the state is put over it. */
#define _GNU_SOURCE
#include "run/run.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bind/objects/restore.h"
#include "bind/sandbox/sha256.h"
#include "run/lock.h"
#include "run/run_kept.h"

static const char file_name[] = "checkpoint.scree";

/* ---- signals: only flags are set; the loop looks at them after each step ---- */

static volatile sig_atomic_t stop_asked, checkpoint_asked, writing, stopped_by;
/* the file that a checkpoint is written to before it gets its name */
static char unfinished[RUN_PATH + 64];

static void on_signal(int number, siginfo_t *info, void *context) {
  (void)context;
  if (number == SIGUSR1) {
    checkpoint_asked = 1;
  } else if (number == SIGXCPU || number == SIGHUP) {
    if (!stop_asked) stop_asked = 1; /* they come again by themselves */
  } else if (!stop_asked) {
    stop_asked = 1, stopped_by = info->si_pid;
  } else {
    if (writing) unlink(unfinished);
    _exit(CLI_ABORTED);
  }
}

void run_watch_signals(run *r) {
  stop_asked = checkpoint_asked = writing = stopped_by = 0;
  run_path(r, "checkpoint.scree.tmp", unfinished, sizeof unfinished);
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGXCPU, &action, NULL);
  /* nohup has it ignored: then it stays so */
  struct sigaction before;
  if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, NULL);
}

pid_t run_stopped_by(void) { return stopped_by; }

/* ---- what is kept ---- */

static scree_status fail(scree_error *error, scree_status status, const char *text) {
  error->status = status;
  snprintf(error->text, sizeof error->text, "%s", text);
  return status;
}

static scree_status fail_errno(scree_error *error, const char *text) {
  snprintf(error->text, sizeof error->text, "%s: %s", text, strerror(errno));
  return error->status = SCREE_E_IO;
}

/* How far the files have come; all of it is with the kernel afterwards. */
static scree_status note_files(run *r, scree_checkpoint *c, scree_error *error) {
  kept_files f = {.last_frame = r->last_frame,
      .last_row = r->last_row,
      .precision = r->precision,
      .columns_count = r->columns_count};
  memcpy(f.columns, r->columns, sizeof f.columns);
  if (r->trajectory) {
    scree_status status = scree_writer_flush(r->trajectory, 1, error);
    if (status) return status;
    f.frames = scree_writer_frames(r->trajectory);
  }
  /* as the frames: on the disk before the checkpoint that counts on them */
  if (r->series &&
      (fflush(r->series) || (f.series = ftell(r->series)) < 0 ||
          (fsync(fileno(r->series)) && errno != EINVAL))) {
    snprintf(error->text, sizeof error->text, "cannot write series.csv: %s", strerror(errno));
    return error->status = SCREE_E_IO;
  }
  const kept_stop s = {r->scene.stop_when.since, r->scene.stop_when.met};
  scree_status status = scree_checkpoint_put(c, "run.stop_when", &s, sizeof s, error);
  return status ? status : scree_checkpoint_put(c, "run.files", &f, sizeof f, error);
}

static void hash_source(const run *r, char out[SL_SHA256_HEX]) {
  const char *text = sl_scene_text(&r->scene);
  sl_sha256(text, strlen(text), out);
}

/* Hashes of the files loaded so far, in the order of loading. */
static scree_status note_sources(const run *r, scree_checkpoint *c, scree_error *error) {
  int count = 0;
  while (sl_runtime_source(r->runtime, count)) count++;
  char(*hash)[SL_SHA256_HEX] = calloc((size_t)count + 1, sizeof *hash);
  if (!hash) return fail(error, SCREE_E_MEMORY, "no memory for a checkpoint");
  for (int i = 0; i < count; i++) memcpy(hash[i], sl_runtime_source(r->runtime, i)->sha256, sizeof *hash);
  scree_status status = scree_checkpoint_put(c, "run.sources", hash, (size_t)count * sizeof *hash, error);
  free(hash);
  return status;
}

static scree_status note_how(const run *r, scree_checkpoint *c, scree_error *error) {
  const run_options *o = r->options;
  char *scene = realpath(o->scene, NULL), text[CLI_LIST_MOST * 600];
  size_t used = 0;
  kept_how h = {.time = fabs(o->time),
      .first_time = fabs(o->resumed ? o->first_time : o->time),
      .steps = o->steps,
      .first_steps = o->resumed ? o->first_steps : o->steps,
      .threads = o->threads,
      .trust = o->sandbox.trust,
      .experiment = o->experiment != NULL,
      .overrides = o->overrides_count};
  hash_source(r, h.source);
  for (int i = 0; i < o->overrides_count; i++) {
    size_t key = strlen(o->overrides[i].key) + 1, value = strlen(o->overrides[i].value) + 1;
    if (used + key + value > sizeof text)
      return free(scene), fail(error, SCREE_E_ARGUMENT, "the parameters are too long to be saved");
    memcpy(text + used, o->overrides[i].key, key);
    memcpy(text + used + key, o->overrides[i].value, value);
    used += key + value;
  }
  scree_status status = scene ? scree_checkpoint_put(c, "run.how", &h, sizeof h, error)
                              : fail_errno(error, "the scene file cannot be named");
  if (!status) status = scree_checkpoint_put(c, "run.scene", scene, strlen(scene) + 1, error);
  if (!status) status = scree_checkpoint_put(c, "run.overrides", text, used, error);
  free(scene);
  return status;
}

/* ---- writing ---- */

static int write_checkpoint(run *r) {
  int keep = r->options->checkpoint_keep > 0 ? (int)r->options->checkpoint_keep : 2;
  char path[RUN_PATH + 64];
  scree_error error = {SCREE_OK, ""};
  double before = run_clock();
  scree_checkpoint *c = scree_checkpoint_create();
  scree_status status = c ? sl_scene_save(&r->scene, c, &error)
                          : fail(&error, SCREE_E_MEMORY, "no memory for a checkpoint");
  if (!status) status = note_files(r, c, &error);
  if (!status) status = note_how(r, c, &error);
  if (!status) status = note_sources(r, c, &error);
  if (!status && run_writes(r)) {
    writing = 1;
    status = scree_checkpoint_write(c, run_path(r, file_name, path, sizeof path), keep, &error);
    writing = 0;
  }
  scree_checkpoint_destroy(c);
  r->last_checkpoint = run_clock();
  r->output_seconds += r->last_checkpoint - before;
  if (!status) return CLI_OK;
  run_progress_end(r);
  snprintf(r->trouble, sizeof r->trouble, "%.1000s", error.text);
  return cli_fail(status == SCREE_E_ARGUMENT ? CLI_SCRIPT : CLI_IO, "run", "checkpoint: %s", error.text);
}

/* Whether the present moment asks for a checkpoint by simulated or wall time. */
static int due(run *r) {
  const run_options *o = r->options;
  int now = checkpoint_asked;
  checkpoint_asked = 0;
  sl_clock clock = {.time = o->checkpoint_every, .done = r->checkpoints_due};
  if (o->checkpoint_every > 0 && sl_clock_due(&clock, r->scene.world->world)) now = 1;
  r->checkpoints_due = clock.done;
  return now || (o->checkpoint_wall > 0 && run_clock() - r->last_checkpoint >= o->checkpoint_wall);
}

int run_checkpoint(run *r) {
  double wall = r->options->wall;
  double flags[2] = {stop_asked || (wall > 0 && run_clock() - r->started >= wall), due(r)};
  run_agree(r, flags, 2);
  int stop = flags[0] > 0;
  if (!stop && (r->no_checkpoints || !(flags[1] > 0))) return CLI_OK;
  int code = write_checkpoint(r);
  if (code == CLI_SCRIPT && !stop) {
    /* a state that cannot be saved is no reason to end a run that nobody stops */
    fprintf(stderr, "scree: the run goes on without checkpoints\n");
    r->no_checkpoints = 1;
    r->trouble[0] = 0;
    return CLI_OK;
  }
  if (code || !stop) return code;
  run_progress_end(r);
  snprintf(r->trouble, sizeof r->trouble, stop_asked ? "stopped by a signal" : "the wall limit is reached");
  char caps[128];
  fprintf(stderr, "scree: %s at %g s; go on with: scree resume %s%s\n", r->trouble,
      scree_world_time(r->scene.world->world), cli_sandbox_words(&r->options->sandbox, caps), r->directory);
  return CLI_STOPPED;
}

int run_final_checkpoint(run *r) {
  int code = r->no_checkpoints ? CLI_OK : write_checkpoint(r);
  if (code == CLI_SCRIPT) r->trouble[0] = 0;
  return code == CLI_SCRIPT ? CLI_OK : code;
}

void run_forget_checkpoint(const run *r) {
  char path[RUN_PATH + 64], name[64];
  if (!run_writes(r)) return;
  unlink(run_path(r, file_name, path, sizeof path));
  unlink(run_path(r, "checkpoint.scree.tmp", path, sizeof path)); /* of a run that was killed before */
  unlink(run_path(r, "checkpoint.scree.previous", path, sizeof path));
  for (int k = 2; k < 1000; k++) {
    snprintf(name, sizeof name, "checkpoint.scree.previous.%d", k);
    if (unlink(run_path(r, name, path, sizeof path))) return;
  }
}

/* ---- going on ---- */

int run_can_resume(const char *directory) {
  char path[RUN_PATH + 64];
  snprintf(path, sizeof path, "%.1900s/%s", directory, file_name);
  if (!access(path, R_OK)) return 1;
  snprintf(path, sizeof path, "%.1900s/%s.previous", directory, file_name);
  return !access(path, R_OK);
}

scree_status run_recall(const scree_checkpoint *c, run_options *o, scree_error *error) {
  kept_how was;
  scree_status status = kept_read_how(c, &was, error);
  if (status) return status;
  o->resumed = 1, o->first_time = was.first_time, o->first_steps = was.first_steps;
  if (!(o->time > 0)) o->time = was.time, o->steps = was.steps;
  if (!o->threads) o->threads = was.threads;
  /* the file may come from anyone: only the user gives trust */
  if (was.trust && !o->sandbox.trust)
    return fail(error, SCREE_E_ARGUMENT,
        "the run was started with --trust, which opens io and os to its scene; resume it with --trust, too");
  if (!(o->scene = kept_read_scene(c, error))) return error->status;
  o->overrides_count = was.overrides;
  return kept_read_overrides(c, &was, o->overrides, error);
}

/* Nor may what the scene has required from its own folder have changed; older checkpoints tell nothing
 * of it. Files are loaded in the same order again. */
static scree_status check_modules(const run *r, const scree_checkpoint *c, scree_error *error) {
  const char *scene = r->options->scene, *end = strrchr(scene, '/');
  size_t count, folder = end ? (size_t)(end - scene) + 1 : 0;
  const char(*was)[SL_SHA256_HEX];
  const sl_source *source;
  scree_status status = kept_read_sources(c, &was, &count, error);
  if (status) return status;
  for (int i = 0; folder && (size_t)i < count && (source = sl_runtime_source(r->runtime, i)); i++) {
    if (strncmp(source->path, scene, folder) || !memcmp(was[i], source->sha256, sizeof *was)) continue;
    snprintf(
        error->text, sizeof error->text, "%.400s has changed since the checkpoint was written", source->path);
    return error->status = SCREE_E_ARGUMENT;
  }
  return SCREE_OK;
}

/* The scene must be the one that was run. */
static scree_status check_source(const run *r, const scree_checkpoint *c, scree_error *error) {
  char now[SL_SHA256_HEX];
  kept_how was;
  scree_status status = kept_read_how(c, &was, error);
  if (status) return status;
  hash_source(r, now);
  if (!strcmp(now, was.source)) return check_modules(r, c, error);
  return fail(error, SCREE_E_ARGUMENT, "the scene file has changed since the checkpoint was written");
}

/* How far the condition that ends the run had come. */
static scree_status recall_stopping(run *r, const scree_checkpoint *c, scree_error *error) {
  kept_stop s;
  scree_status status = kept_read_stop(c, &s, error);
  r->scene.stop_when.since = s.since, r->scene.stop_when.met = s.met != 0;
  return status;
}

static scree_status reopen_series(run *r, int64_t size, scree_error *error) {
  if ((r->series = run_extend(r, "series.csv", size))) return SCREE_OK;
  if (errno == ENODATA)
    return fail(error, SCREE_E_FORMAT, "series.csv has lost rows that the checkpoint counts on");
  return fail_errno(error, "cannot go on with series.csv");
}

/* Opens the files where the checkpoint left them; what came later is cut off. */
static scree_status reopen_files(run *r, const scree_checkpoint *c, scree_error *error) {
  kept_files f;
  scree_status status = kept_read_files(c, &f, error);
  if (status) return status;
  r->last_frame = f.last_frame, r->last_row = f.last_row, r->precision = f.precision,
  r->columns_count = f.columns_count;
  memcpy(r->columns, f.columns, sizeof f.columns);
  status = run_reopen_trajectory(r, f.frames, error);
  if (status || !run_writes(r) || !(r->scene.series.time > 0 || r->scene.series.steps > 0)) return status;
  return reopen_series(r, f.series, error);
}

int run_restore(run *r, const scree_checkpoint *c, const char *command) {
  scree_error error = {SCREE_OK, ""};
  int code = run_build(r);
  if (code) return code;
  scree_status status = check_source(r, c, &error);
  if (!status) status = sl_scene_restore(&r->scene, c, &error);
  return status ? cli_fail(status == SCREE_E_ARGUMENT ? CLI_USAGE : CLI_IO, command, "%s", error.text)
                : CLI_OK;
}

/* An end that the checkpoint is past would complete the run on the spot and forget the checkpoint. */
static int past_end(const run *r) {
  const scree_world *world = r->scene.world->world;
  double time = scree_world_time(world), end = r->options->time;
  if (!(end > 0) || !(time > end + scree_world_get_def(world)->dt)) return CLI_OK;
  return cli_fail(CLI_USAGE, "resume", "the checkpoint is of %g s, past the end at %g s", time, end);
}

static int go_on(run *r, const scree_checkpoint *c) {
  scree_error error = {SCREE_OK, ""};
  int code = run_restore(r, c, "resume");
  if (!code) code = past_end(r);
  if (code) return code;
  if ((code = run_take_folder(r, "resume")) || (code = run_spread(r))) return code;
  run_enter_directory(r);
  r->started_files = 1;
  scree_status status = recall_stopping(r, c, &error);
  if (!status) status = reopen_files(r, c, &error);
  if (status) return cli_fail(CLI_IO, "resume", "%s", error.text);
  run_progress_start(r);
  code = run_loop(r);
  code = run_finish(r, code);
  if (r->options->profile) run_print_profile(r);
  if (!code) run_print_figures(&r, 1), run_print_accuracy(r);
  printf("%s %s\n", code ? "what there is lies in" : "written to", r->directory);
  return code;
}

int run_reopen(run *r, const scree_checkpoint *c, const char *directory, run_options *o,
    int (*body)(run *r, const scree_checkpoint *c)) {
  char path[RUN_PATH + 64];
  sl_experiment *e = NULL;
  snprintf(path, sizeof path, "%.1900s/experiment.yaml", directory);
  if (!o->experiment && !access(path, R_OK)) {
    if (!(e = calloc(1, sizeof *e))) return cli_fail(CLI_FAILED, "resume", "no memory");
    sl_experiment_open(e, path, NULL, 0);
    o->directory = directory;
    run_take_experiment(e, o);
  }
  int code = e && !sl_experiment_fine(e) ? run_print_problems(e) : run_open(r, o);
  snprintf(r->directory, sizeof r->directory, "%s", directory);
  if (!code) code = body(r, c);
  if (r->runtime) run_close(r);
  if (e) sl_experiment_close(e);
  free(e);
  return code;
}

int run_resume(const char *directory, run_options *options) {
  char path[RUN_PATH + 64];
  scree_error error = {SCREE_OK, ""};
  int generation = 0;
  snprintf(path, sizeof path, "%.1900s/%s", directory, file_name);
  if (!run_can_resume(directory))
    return cli_fail(CLI_USAGE, "resume", "there is no checkpoint in %s", directory);
  int code = options->rank ? CLI_OK : lock_check(directory, "resume");
  if (code) return code;
  scree_checkpoint *c = scree_checkpoint_read(path, &generation, &error);
  if (!c) return cli_fail(CLI_IO, "resume", "%s", error.text);
  if (generation) fprintf(stderr, "scree: the newest checkpoint is damaged; going on from the one before\n");
  run *r = calloc(1, sizeof *r);
  if (!r) code = cli_fail(CLI_FAILED, "resume", "no memory");
  if (!code && run_recall(c, options, &error))
    code = cli_fail(
        error.status == SCREE_E_ARGUMENT ? CLI_USAGE : CLI_IO, "resume", "%s: %s", directory, error.text);
  if (!code) code = run_reopen(r, c, directory, options, go_on);
  free(r);
  scree_checkpoint_destroy(c);
  return code;
}
