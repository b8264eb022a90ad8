/* Resumes a run from a checkpoint. The scene is loaded and its setup called as at the start; then the
 * state is restored. */
#include "run/run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bind/objects/files/restore.h"
#include "run/lock.h"
#include "run/run_kept.h"

int run_can_resume(const char *directory) {
  char path[RUN_PATH + 64];
  snprintf(path, sizeof path, "%.1900s/%s", directory, RUN_CHECKPOINT);
  if (!access(path, R_OK)) return 1;
  snprintf(path, sizeof path, "%.1900s/%s.previous", directory, RUN_CHECKPOINT);
  return !access(path, R_OK);
}

scree_status run_recall(const scree_checkpoint *c, run_options *o, scree_error *error) {
  kept_how was;
  scree_status status = kept_read_how(c, &was, error);
  if (status) return status;
  o->resumed = 1, o->first_time = was.first_time, o->first_steps = was.first_steps;
  if (o->time > 0) o->steps = INT64_MAX; /* a new end in time replaces an end in steps */
  else o->time = was.time, o->steps = was.steps;
  if (!o->threads) o->threads = was.threads;
  /* the checkpoint may come from anyone, so only the user grants trust */
  if (was.trust && !o->sandbox.trust)
    return kept_fail(error, SCREE_E_ARGUMENT,
        "the run was started with --trust, which opens io and os to its scene; resume it with --trust, too");
  if (!(o->scene = kept_read_scene(c, error))) return error->status;
  o->overrides_count = was.overrides;
  return kept_read_overrides(c, &was, o->overrides, error);
}

/* Checks that modules from the scene's folder are unchanged. Older checkpoints have no sums of them. Files
 * are loaded in the order of the first run. */
static scree_status check_modules(const run *r, const scree_checkpoint *c, scree_error *error) {
  const char *scene = r->options->scene;
  size_t count;
  const char(*was)[SL_SHA256_HEX];
  const sl_source *source;
  scree_status status = kept_read_sources(c, &was, &count, error);
  if (status) return status;
  for (int i = 0; (size_t)i < count && (source = sl_runtime_source(r->runtime, i)); i++) {
    if (!run_path_in_scene_folder(scene, source->path) || !memcmp(was[i], source->sha256, sizeof *was))
      continue;
    snprintf(
        error->text, sizeof error->text, "%.400s has changed since the checkpoint was written", source->path);
    return error->status = SCREE_E_ARGUMENT;
  }
  return SCREE_OK;
}

/* Checks that the scene and its modules are those that were run. */
static scree_status check_source(const run *r, const scree_checkpoint *c, scree_error *error) {
  char now[SL_SHA256_HEX];
  kept_how was;
  scree_status status = kept_read_how(c, &was, error);
  if (status) return status;
  kept_hash_source(r, now);
  if (!strcmp(now, was.source)) return check_modules(r, c, error);
  return kept_fail(error, SCREE_E_ARGUMENT, "the scene file has changed since the checkpoint was written");
}

/* Restores the state of the condition that ends the run. */
static scree_status recall_stopping(run *r, const scree_checkpoint *c, scree_error *error) {
  kept_stop s;
  scree_status status = kept_read_stop(c, &s, error);
  r->scene.stop_when.since = s.since, r->scene.stop_when.met = s.met != 0;
  return status;
}

static scree_status reopen_series(run *r, int64_t size, scree_error *error) {
  if ((r->series = run_extend(r, "series.csv", size))) return SCREE_OK;
  if (errno == ENODATA)
    return kept_fail(error, SCREE_E_FORMAT, "series.csv has lost rows that the checkpoint counts on");
  return kept_fail_errno(error, "cannot go on with series.csv");
}

/* Opens the files where the checkpoint left them; later data is cut off. */
static scree_status reopen_files(run *r, const scree_checkpoint *c, scree_error *error) {
  kept_files f;
  scree_status status = kept_read_files(c, &f, error);
  if (status) return status;
  r->last_frame = f.last_frame, r->last_row = f.last_row, r->precision = f.precision,
  r->columns.count = f.columns_count;
  memcpy(r->columns.name, f.columns, sizeof f.columns);
  status = run_reopen_trajectory(r, f.frames, error);
  if (!status) status = run_track_reopen(r, c, error);
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

/* Fails if the checkpoint lies past the end: the run would end at once and remove the checkpoint. */
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
  if (!status) status = kept_read_wall(c, &r->spent, &error);
  if (!status) status = reopen_files(r, c, &error);
  if (status) return cli_fail(CLI_IO, "resume", "%s", error.text);
  run_watch_signals(r);
  run_progress_start(r);
  code = run_write(r, 0); /* due only if the last write before the checkpoint failed */
  if (!code) code = run_loop(r);
  code = run_finish(r, code);
  if (r->options->profile) run_print_profile(r);
  if (run_is_finished(code)) run_print_figures(&r, 1), run_print_accuracy(r, "");
  run_print_place(r, code);
  return code;
}

int run_reopen(run *r, const scree_checkpoint *c, const char *directory, run_options *o,
    int (*body)(run *r, const scree_checkpoint *c)) {
  char path[RUN_PATH + 64];
  sl_experiment *e = NULL;
  snprintf(path, sizeof path, "%.1900s/experiment.yaml", directory);
  if (!o->experiment && !access(path, R_OK)) {
    if (!(e = calloc(1, sizeof *e))) return cli_fail(CLI_FAILED, "resume", "no memory");
    sl_experiment_open(e, path, NULL, 0, o->sandbox.trust);
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
  snprintf(path, sizeof path, "%.1900s/%s", directory, RUN_CHECKPOINT);
  if (options->from) snprintf(path, sizeof path, "%.2000s", options->from);
  else if (!run_can_resume(directory))
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
  if (!code && isinf(options->time))
    code = cli_fail(CLI_USAGE, "resume",
        "%s: the checkpoint has an infinite end; give a finite end with --until SECONDS", directory);
  if (!code) code = run_reopen(r, c, directory, options, go_on);
  free(r);
  scree_checkpoint_destroy(c);
  return code;
}
