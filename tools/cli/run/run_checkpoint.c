/* Checkpoints of runs: when they are due, and which data they have in addition to the scene's state.
 *
 * DIR/checkpoint.scree has the state, the progress of trajectory and series, and how the run was started.
 * DIR/checkpoint.scree.previous is the previous checkpoint. */
#define _GNU_SOURCE
#include "run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bind/objects/files/restore.h"
#include "bind/sandbox/sha256.h"
#include "run/run_kept.h"

/* ---- signals: handlers only set flags; the loop reads them after each step ---- */

static volatile sig_atomic_t stop_asked, checkpoint_asked, writing, stopped_by;
/* name and folder of the temporary file of a checkpoint that is being written */
static const char unfinished[] = RUN_CHECKPOINT ".tmp";
static int unfinished_in = -1;

static void on_signal(int number, siginfo_t *info, void *context) {
  (void)context;
  if (number == SIGUSR1) {
    checkpoint_asked = 1;
  } else if (number == SIGXCPU || number == SIGHUP) {
    if (!stop_asked) stop_asked = 1; /* the system may send these signals repeatedly */
  } else if (!stop_asked) {
    stop_asked = 1, stopped_by = info->si_pid;
  } else {
    if (writing) unlinkat(unfinished_in, unfinished, 0);
    _exit(CLI_ABORTED);
  }
}

/* Lets a long step end early (scree_world_set_stop). */
static bool asked_to_stop(void *context) {
  (void)context;
  return stop_asked;
}

void run_catch_stops(const struct sigaction *action) {
  struct sigaction before;
  sigaction(SIGINT, action, NULL);
  sigaction(SIGTERM, action, NULL);
  sigaction(SIGXCPU, action, NULL);
  /* nohup ignores SIGHUP: then it stays ignored */
  if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN) sigaction(SIGHUP, action, NULL);
}

void run_watch_signals(run *r) {
  stop_asked = checkpoint_asked = writing = stopped_by = 0;
  scree_world_set_stop(r->scene.world->world, asked_to_stop, NULL);
  unfinished_in = r->folder;
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO};
  sigaction(SIGUSR1, &action, NULL);
  run_catch_stops(&action);
}

pid_t run_stopped_by(void) { return stopped_by; }

/* ---- data of a checkpoint ---- */

/* Writes all frames and rows to the disk before the checkpoint that refers to them. */
static scree_status flush_files(run *r, kept_files *f, scree_error *error) {
  if (r->trajectory) {
    scree_status status = scree_writer_flush(r->trajectory, 1, error);
    if (status) return status;
    f->frames = scree_writer_frames(r->trajectory);
  }
  if (!r->series) return SCREE_OK;
  if (!fflush(r->series) && (f->series = ftell(r->series)) >= 0 &&
      (!fsync(fileno(r->series)) || errno == EINVAL))
    return SCREE_OK;
  snprintf(error->text, sizeof error->text, "cannot write series.csv: %s", strerror(errno));
  return error->status = SCREE_E_IO;
}

/* Returns the length of the complete rows in series.csv [bytes]; its last row may be incomplete. */
static int64_t find_whole_rows(const run *r) {
  struct stat info;
  char block[4096];
  int file = openat(r->folder, "series.csv", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  int64_t end = file >= 0 && !fstat(file, &info) ? info.st_size : 0;
  bool found = false;
  while (end > 0 && !found) {
    const int64_t start = end > (int64_t)sizeof block ? end - (int64_t)sizeof block : 0;
    const ssize_t count = pread(file, block, (size_t)(end - start), start);
    const char *last = count > 0 ? memrchr(block, '\n', (size_t)count) : NULL;
    found = last != NULL;
    end = found ? start + (last - block) + 1 : count < 0 ? 0 : start;
  }
  if (file >= 0) close(file);
  return end;
}

/* Saves the state of the files. rescues: a write has failed, so only complete frames and rows count. */
static scree_status note_files(run *r, bool rescues, scree_checkpoint *c, scree_error *error) {
  kept_files f = {.last_frame = r->last_frame,
      .last_row = r->last_row,
      .precision = r->precision,
      .columns_count = r->columns.count};
  memcpy(f.columns, r->columns.name, sizeof f.columns);
  scree_status flushed = rescues ? SCREE_OK : flush_files(r, &f, error);
  if (flushed) return flushed;
  if (rescues && r->trajectory) f.frames = scree_writer_durable(r->trajectory);
  if (rescues && r->series) f.series = find_whole_rows(r);
  const kept_stop s = {r->scene.stop_when.since, r->scene.stop_when.met};
  const double wall = r->spent + run_clock() - r->started;
  scree_status status = scree_checkpoint_put(c, "run.stop_when", &s, sizeof s, error);
  if (!status) status = scree_checkpoint_put(c, "run.wall", &wall, sizeof wall, error);
  if (!status) status = run_track_note(r, rescues, c, error);
  return status ? status : scree_checkpoint_put(c, "run.files", &f, sizeof f, error);
}

/* Saves the SHA-256 sums of the files loaded so far, in the order of loading. */
static scree_status note_sources(const run *r, scree_checkpoint *c, scree_error *error) {
  int count = 0;
  while (sl_runtime_source(r->runtime, count)) count++;
  char(*hash)[SL_SHA256_HEX] = calloc((size_t)count + 1, sizeof *hash);
  if (!hash) return kept_fail(error, SCREE_E_MEMORY, "no memory for a checkpoint");
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
  kept_hash_source(r, h.source);
  for (int i = 0; i < o->overrides_count; i++) {
    size_t key = strlen(o->overrides[i].key) + 1, value = strlen(o->overrides[i].value) + 1;
    if (used + key + value > sizeof text)
      return free(scene), kept_fail(error, SCREE_E_ARGUMENT, "the parameters are too long to be saved");
    memcpy(text + used, o->overrides[i].key, key);
    memcpy(text + used + key, o->overrides[i].value, value);
    used += key + value;
  }
  scree_status status = scene ? scree_checkpoint_put(c, "run.how", &h, sizeof h, error)
                              : kept_fail_errno(error, "the scene file cannot be named");
  if (!status) status = scree_checkpoint_put(c, "run.scene", scene, strlen(scene) + 1, error);
  if (!status) status = scree_checkpoint_put(c, "run.overrides", text, used, error);
  free(scene);
  return status;
}

/* ---- writing ---- */

/* Collects the data of a checkpoint. Returns NULL and the error on failure. */
static scree_checkpoint *gather_checkpoint(run *r, bool rescues, scree_error *error) {
  scree_checkpoint *c = scree_checkpoint_create();
  scree_status status = c ? sl_scene_save(&r->scene, c, error)
                          : kept_fail(error, SCREE_E_MEMORY, "no memory for a checkpoint");
  if (!status) status = note_files(r, rescues, c, error);
  if (!status) status = note_how(r, c, error);
  if (!status) status = note_sources(r, c, error);
  if (!status) return c;
  scree_checkpoint_destroy(c);
  return NULL;
}

static scree_status write_own(run *r, const scree_checkpoint *c, scree_error *error) {
  const int keep = r->options->checkpoint_keep > 0 ? (int)r->options->checkpoint_keep : 2;
  writing = 1;
  const scree_status status = scree_checkpoint_write_at(c, r->folder, RUN_CHECKPOINT, keep, error);
  writing = 0;
  return status;
}

/* Writes to `out` the path of the run's checkpoint in the second checkpoint folder (checkpoint_dir). The file
 * name is derived from the path of the run's folder. */
static void name_second(const run *r, char out[RUN_PATH]) {
  const char *name = r->directory;
  while (*name == '/' || !strncmp(name, "./", 2)) name += *name == '/' ? 1 : 2;
  const int folder = snprintf(out, RUN_PATH, "%.1000s/", r->options->checkpoint_dir);
  snprintf(out + folder, RUN_PATH - (size_t)folder, "%.900s.scree", name);
  for (char *at = out + folder; *at; at++)
    if (*at == '/') *at = '-';
}

/* Writes a checkpoint into the second folder and prints its path. Returns false if there is no such folder
 * or the write fails. */
static bool write_second(run *r, const scree_checkpoint *c) {
  char path[RUN_PATH];
  scree_error error = {SCREE_OK, ""};
  if (!r->options->checkpoint_dir) return false;
  name_second(r, path);
  if (scree_checkpoint_write(c, path, 1, &error)) {
    fprintf(stderr, "scree: checkpoint in %s: %s\n", r->options->checkpoint_dir, error.text);
    return false;
  }
  fprintf(stderr, "scree: the state at %g s lies in %s; go on with: scree resume --from %s %s\n",
      scree_world_time(r->scene.world->world), path, path, r->directory);
  return true;
}

/* Warns that a checkpoint could not be written. The run continues, and the last good checkpoint stays. */
static void warn_of_missing(run *r, const char *why) {
  run_progress_end(r);
  fprintf(stderr, "scree: warning: no checkpoint at %g s in %s: %s; the last good one stays\n",
      scree_world_time(r->scene.world->world), r->directory, why);
}

/* Writes a checkpoint. must: the run ends with it, so a failure to write it is an error. Returns an exit
 * code. */
static int write_checkpoint(run *r, bool must) {
  scree_error error = {SCREE_OK, ""};
  run_follow_folder(r);
  double before = run_clock();
  bool saved = true;
  scree_checkpoint *c = gather_checkpoint(r, false, &error);
  if (c && run_writes(r) && write_own(r, c, &error)) {
    warn_of_missing(r, error.text);
    saved = write_second(r, c) || !must;
  }
  if (!c) saved = false;
  scree_checkpoint_destroy(c);
  r->last_checkpoint = run_clock();
  r->output_seconds += r->last_checkpoint - before;
  if (saved) return CLI_OK;
  run_progress_end(r);
  snprintf(r->trouble, sizeof r->trouble, "%.1000s", error.text);
  return cli_fail(error.status == SCREE_E_ARGUMENT ? CLI_SCRIPT : CLI_IO, "run", "checkpoint in %s: %s",
      r->directory, error.text);
}

/* Writes the frames that wait in memory to the trajectory, and prints how many frames are lost. */
static void write_last_frames(run *r) {
  scree_error error = {SCREE_OK, ""};
  if (!r->trajectory) return;
  scree_writer_flush(r->trajectory, 1, &error);
  const int64_t whole = scree_writer_durable(r->trajectory);
  const int64_t lost = scree_writer_frames(r->trajectory) - whole;
  if (lost > 0)
    fprintf(stderr, "scree: frames in the trajectory: %lld; later frames that are lost: %lld\n",
        (long long)whole, (long long)lost);
}

void run_rescue_state(run *r) {
  scree_error error = {SCREE_OK, ""};
  const double time = scree_world_time(r->scene.world->world);
  if (r->no_checkpoints || !scree_world_steps(r->scene.world->world) || r->options->ranks > 1) return;
  if (r->frame_failed) r->scene.trajectory.done--; /* the resumed run writes this frame first */
  if (r->row_failed) fprintf(stderr, "scree: the row of series.csv at %g s is lost\n", time);
  write_last_frames(r);
  scree_checkpoint *c = gather_checkpoint(r, true, &error);
  if (c && !write_own(r, c, &error))
    fprintf(stderr, "scree: the state at %g s is saved; once there is room, go on with: scree resume %s\n",
        time, r->directory);
  else if (!c || !write_second(r, c))
    fprintf(stderr, "scree: the state at %g s is lost: %s%s\n", time, error.text,
        r->options->checkpoint_dir ? "" : "; --checkpoint-dir DIR names a second place for it");
  scree_checkpoint_destroy(c);
}

/* Returns whether a checkpoint is due by a signal, by simulated time or by wall time. */
static int is_checkpoint_due(run *r) {
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
  double flags[2] = {stop_asked || (wall > 0 && run_clock() - r->started >= wall), is_checkpoint_due(r)};
  run_agree(r, flags, 2);
  int stop = flags[0] > 0;
  if (!stop && (r->no_checkpoints || !(flags[1] > 0))) return CLI_OK;
  int code = write_checkpoint(r, stop);
  if (code == CLI_SCRIPT && !stop) {
    /* a state that cannot be saved ends a run only if the run must stop now */
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
  int code = r->no_checkpoints ? CLI_OK : write_checkpoint(r, true);
  if (code == CLI_SCRIPT) r->trouble[0] = 0;
  return code == CLI_SCRIPT ? CLI_OK : code;
}

void run_forget_checkpoint(const run *r) {
  char name[64];
  if (!run_writes(r)) return;
  unlinkat(r->folder, RUN_CHECKPOINT, 0);
  unlinkat(r->folder, unfinished, 0); /* left by a run that was killed */
  unlinkat(r->folder, RUN_CHECKPOINT ".previous", 0);
  for (int k = 2; k < 1000; k++) {
    snprintf(name, sizeof name, "checkpoint.scree.previous.%d", k);
    if (unlinkat(r->folder, name, 0)) return;
  }
}
