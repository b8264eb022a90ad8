/* The stages of a run. */
#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Stores why the run ends early. Returns code. */
static int store_trouble(run *r, int code, const char *text) {
  snprintf(r->trouble, sizeof r->trouble, "%s", text);
  return code;
}

static int script_trouble(run *r, sl_trouble trouble, const char *doing, int starting) {
  run_progress_end(r);
  int code = cli_report_trouble(r->runtime, trouble, doing, starting);
  return store_trouble(r, code, sl_message(r->runtime));
}

int run_open(run *r, const run_options *options) {
  memset(r, 0, sizeof *r);
  r->options = options;
  r->status = "running";
  r->last_frame = r->last_row = -1;
  r->folder = r->lock = -1;
  r->loop = (sl_loop){.scene = &r->scene, .context = r};
  r->started = run_clock();
  time_t now = time(NULL);
  strftime(r->started_at, sizeof r->started_at, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  r->runtime = cli_open_runtime("run", options->scene, &options->sandbox, 1);
  if (!r->runtime) return CLI_FAILED;
  sl_experiment_use(sl_runtime_lua(r->runtime), options->experiment);
  if (options->resumed) sl_runtime_set_end(r->runtime, options->first_time, options->first_steps);
  else sl_runtime_set_end(r->runtime, options->time, options->steps);
  sl_trouble trouble = sl_scene_load(
      &r->scene, r->runtime, options->scene, options->overrides, options->overrides_count);
  if (trouble && options->experiment && !sl_experiment_fine(options->experiment))
    return run_print_problems(options->experiment);
  return trouble ? script_trouble(r, trouble, options->scene, 1) : run_keep_params(r);
}

/* Refuses an end that no step reaches: a stop time before the end of the first step. */
static int check_end(run *r) {
  const double dt = scree_world_get_def(r->scene.world->world)->dt, end = r->scene.stop_time;
  if (!(end < dt * (1 - 1e-9))) return CLI_OK;
  return run_fail(r, CLI_USAGE,
      "the stop time of %.10g s is shorter than the step of %.10g s: the run would make no whole step", end,
      dt);
}

int run_build(run *r) {
  sl_trouble trouble = sl_scene_build(&r->scene, r->options->threads);
  if (trouble) return script_trouble(r, trouble, r->scene.world ? "setup" : "world", 1);
  if (run_writes(r)) cli_say_former(scree_world_get_def(r->scene.world->world)->solver.name);
  if (r->options->time > 0) r->scene.stop_time = r->options->time;
  if (r->options->steps > 0) r->scene.stop_steps = r->options->steps;
  const int code = check_end(r);
  return code ? code : run_try_condition(r, 0);
}

/* Creates the files and writes the first frame and row. */
static int start_output(run *r) {
  /* uses all bodies, so it is computed before they are distributed over ranks */
  r->precision = run_precision(r);
  if (r->precision < 0) return cli_fail(CLI_FAILED, "run", "no memory");
  int code = run_spread(r);
  if (!code) code = run_create_files(r);
  if (!code) run_watch_signals(r);
  if (!code) code = run_write_provenance(r);
  if (!code) code = run_write(r, 1);
  if (!code) run_progress_start(r);
  return code;
}

/* ---- warnings ---- */

/* Warns once if the step is too large for the springs of the penalty stepper. */
static void warn_of_step(run *r, double bound, const char *what) {
  double dt = scree_world_get_def(r->scene.world->world)->dt /
      (double)scree_world_get_def(r->scene.world->world)->substeps;
  if (r->warned || !(dt > bound)) return;
  r->warned = 1;
  run_progress_end(r);
  fprintf(stderr, "scree: warning: the step %.3g s is larger than %s, %.3g s\n", dt, what, bound);
}

/* Prints a line to stderr below the line of progress. */
static void print_warning(run *r, const char *text) {
  run_progress_end(r);
  fprintf(stderr, "scree: warning: %s\n", text);
}

/* Warns once, at the start, of gears whose housing is doubtful and of fast bodies in joints. */
static void warn_of_joints(run *r) {
  const scree_world *world = r->scene.world->world;
  char text[1024];
  if (run_tell_gears(world, text, sizeof text)) print_warning(r, text);
  if (run_tell_joined(world, text, sizeof text)) print_warning(r, text);
}

/* Warns of pairs of materials in use that were never defined. Called before the first step, while all bodies
 * are on each rank. */
static void warn_of_pairs(run *r) {
  char text[1024];
  if (run_writes(r) && run_tell_pairs(r->scene.world->world, text, sizeof text)) print_warning(r, text);
}

/* Warns of deep overlaps at the start, and notes others, once the first step has found its contacts. */
static void warn_of_overlaps(run *r) {
  const scree_world *world = r->scene.world->world;
  char text[400];
  scree_report report;
  if (scree_world_steps(world) != 1) return;
  scree_world_report(world, &report);
  const int64_t overlaps = run_count_overlaps(world, &report);
  if (!run_writes(r)) return;
  if (run_tell_overlaps(&report, overlaps, text, sizeof text)) print_warning(r, text);
  else if (report.overlap > RUN_NOTED_OVERLAP) {
    run_progress_end(r);
    fprintf(stderr,
        "scree: note: bodies overlap at the start in %lld %s, at most by %.3g m, in the mean by %.3g m\n",
        (long long)overlaps, overlaps == 1 ? "place" : "places", report.penetration,
        run_mean_overlap(&report, overlaps));
  }
}

/* Warns before the first step of bodies inside solid walls or between two walls, and of turned triangles. */
static void warn_of_walls(run *r) {
  const scree_world *world = r->scene.world->world;
  if (scree_world_steps(world) || !run_writes(r)) return;
  char text[RUN_START_LINES][RUN_START_TEXT];
  int misplaced;
  const int lines = run_find_start_notes(world, text, &misplaced);
  if (lines && misplaced >= 0) memcpy(r->misplaced, text[misplaced], sizeof r->misplaced);
  for (int k = 0; k < lines; k++) print_warning(r, text[k]);
}

/* ---- the loop ---- */

/* Prints why the step failed. Returns the exit code. */
static int report_step(run *r) {
  scree_error error = r->loop.error;
  run_progress_end(r);
  const char *limit = error.status == SCREE_E_MEMORY ? sl_memory_words(r->runtime) : "";
  size_t size = strlen(error.text);
  snprintf(error.text + size, sizeof error.text - size, "%s", limit);
  fprintf(stderr, "scree: step %lld: %s\n", (long long)r->loop.step, error.text);
  if (error.status == SCREE_E_LAW && *sl_traceback(r->runtime))
    fprintf(stderr, "%s\n", sl_traceback(r->runtime));
  return store_trouble(r, error.status == SCREE_E_LAW || *limit ? CLI_SCRIPT : CLI_FAILED, error.text);
}

/* Prints why the loop ended. Returns the exit code: of the failure, or the listener's. */
static int explain_end(run *r, int code) {
  if (code == SL_CALL_FAILED) return script_trouble(r, r->loop.trouble, r->loop.doing, 0);
  return code == SL_STEP_FAILED ? report_step(r) : code;
}

/* Listener of run_try_steps and run_until: notes the accuracy of a step and writes what is due. */
static int write_event(void *context, sl_event event) {
  run *r = context;
  if (event == SL_CALLED) return run_write(r, 0);
  warn_of_step(r, scree_world_stable_dt(r->scene.world->world), "the largest stable one for these springs");
  run_note_accuracy(r);
  return CLI_OK;
}

/* Listener of run_loop: the output of a step, its checkpoint, warnings and progress. */
static int show_event(void *context, sl_event event) {
  run *r = context;
  int code = write_event(r, event);
  if (code || event == SL_STEPPED) return code;
  if ((code = run_judge_step(r)) || (code = run_checkpoint(r))) return code;
  warn_of_overlaps(r);
  run_progress_update(r);
  return CLI_OK;
}

int run_loop(run *r) {
  run_prepare_last_words(r);
  r->last_checkpoint = run_clock();
  warn_of_step(r, 5 * scree_world_advised_dt(r->scene.world->world),
      "half the shortest collision (stiffness and mass ask for a tenth)");
  warn_of_joints(r);
  warn_of_walls(r);
  r->loop.listen = show_event;
  return explain_end(r, sl_loop_run(&r->loop));
}

int run_try_steps(run *r) {
  r->loop.listen = write_event;
  int code = explain_end(r, sl_loop_run(&r->loop));
  const sl_trouble trouble = code ? SL_FINE : sl_scene_call_undue(&r->scene);
  if (trouble) return script_trouble(r, trouble, "every", 0);
  if (!code) code = run_write(r, 1);
  if (!code) code = run_flush(r);
  return code ? code : run_report(r);
}

int run_until(run *r, int64_t last) {
  bool over;
  int code;
  const scree_world *world = r->scene.world->world;
  r->loop.listen = write_event;
  while (!(code = sl_loop_check_end(&r->loop, &over)) && !over) {
    if ((code = sl_loop_prepare(&r->loop)) || scree_world_steps(world) + 1 >= last) break;
    if ((code = sl_loop_advance(&r->loop))) break;
  }
  if (code || !over) return explain_end(r, code);
  return cli_fail(CLI_USAGE, "dump", "%s ends with step %lld, before step %lld", r->directory,
      (long long)scree_world_steps(world), (long long)last);
}

/* ---- the end ---- */

/* Closes the files of a run that failed and writes run.json. On several ranks, ends all ranks. */
static int run_give_up(run *r, int code) {
  scree_dist_tell();     /* first, so that other ranks stay silent while files are closed */
  scree_memory_limit(0); /* no limit while the state is saved */
  if (code == CLI_IO && r->started_files && run_writes(r)) run_rescue_state(r);
  run_close_files(r);
  r->status = "failed";
  if (run_writes(r) && r->started_files) run_write_provenance(r);
  run_ranks_fail(r->options, code);
  return code;
}

int run_finish(run *r, int code) {
  run_follow_folder(r);
  if (code != CLI_OK && code != CLI_STOPPED) return run_give_up(r, code);
  if (code == CLI_OK && r->options->checkpoint_final) code = run_final_checkpoint(r);
  if (code == CLI_OK) code = run_write(r, 1);
  run_progress_end(r);
  /* the report may read the trajectory, so every frame must be in the file */
  if (code == CLI_OK) code = run_flush(r);
  if (code == CLI_OK) code = run_report(r);
  int closed = run_close_files(r);
  if (code == CLI_OK) code = closed;
  if (code == CLI_OK) code = run_find_faults(r);
  if (!run_is_finished(code) && code != CLI_STOPPED) return run_give_up(r, code);
  r->status = code == CLI_OK ? "completed" : code == CLI_INVALID ? "invalid" : "stopped";
  if (run_is_finished(code) && !r->options->checkpoint_final) run_forget_checkpoint(r);
  int written = run_write_provenance(r);
  return run_is_finished(code) && written ? written : code;
}

void run_close(run *r) {
  run_close_files(r);
  scree_frame_buffer_destroy(r->frame);
  scree_packer_destroy(r->packer);
  sl_runtime_close(r->runtime);
  run_forget_last_words();
  run_leave_folder(r);
  free(r->params);
  r->runtime = NULL, r->params = NULL;
}

int run_carry_out(run *r) {
  int code = run_build(r);
  if (code) return code;
  warn_of_pairs(r);
  code = start_output(r);
  if (!code) code = run_view_start(r);
  if (!code) code = run_loop(r);
  code = run_finish(r, code);
  if (r->options->profile) run_print_profile(r);
  return code;
}

int run_once(run *r, const run_options *options) {
  int code = run_open(r, options);
  if (!code) code = run_choose_directory(r);
  if (!code) code = run_carry_out(r);
  if (run_is_finished(code)) run_print_accuracy(r, r->directory);
  if (r->runtime) run_close(r);
  return code;
}
