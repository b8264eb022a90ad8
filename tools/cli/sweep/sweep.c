/* Runs a sweep with one process per run, so that a run that fails or crashes does not affect the others. */
#include "bind/sandbox/place.h"
#include "sweep/sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;
static void note_interrupt(int number) { interrupted = number; }

/* ---- one process ---- */

/* Runs in the child process: carries out the run with its output in the log, and exits with its exit code. */
static void be_child(sweep *s, sweep_run *r) {
  char log[RUN_PATH + 32], path[RUN_PATH + 32];
  if (s->lock >= 0) close(s->lock); /* the lock of the sweep must end with the sweep, not with its last run */
  sweep_path(s, r, ".log", log, sizeof log);
  sweep_path(s, r, "", path, sizeof path);
  int file = open(log, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | (s->resume ? O_APPEND : O_TRUNC), 0666);
  if (file < 0 || dup2(file, 1) < 0 || dup2(file, 2) < 0) _exit(CLI_IO);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGXCPU, SIG_DFL);
  if (signal(SIGHUP, SIG_DFL) == SIG_IGN) signal(SIGHUP, SIG_IGN);
  s->experiment->yaml.root = r->tree;
  run_options own = *s->options;
  own.directory = path, own.point = r->point;
  own.time = 0, own.steps = 0, own.threads = s->options->threads;
  own.force |= s->resume;
  run_take_experiment(s->experiment, &own);
  int code = s->resume && !r->has_changed && run_can_resume(path) ? run_resume(path, &own) : run_scene(&own);
  fflush(NULL);
  _exit(code);
}

static int start_run(sweep *s, sweep_run *r) {
  fflush(NULL);
  sl_follow_folder(s->folder, s->directory, sizeof s->directory);
  r->started = run_clock();
  r->process = fork();
  if (r->process < 0) return cli_fail(CLI_FAILED, "sweep", "cannot start a process: %s", strerror(errno));
  if (!r->process) be_child(s, r);
  r->state = SWEEP_RUNNING;
  s->started++;
  return CLI_OK;
}

static void print_finished_run(const sweep *s, const sweep_run *r) {
  char log[RUN_PATH + 32], reason[1024];
  sweep_path(s, r, ".log", log, sizeof log);
  fprintf(stderr, "run %04d %s after %.1f s", r->number, sweep_state_name(r->state), r->seconds);
  if (sweep_is_missing(r) && sweep_find_reason(s, r, reason, sizeof reason))
    fprintf(stderr, ": %s (%s)\n", reason, log);
  else fputs(sweep_is_missing(r) ? "; see its log\n" : "\n", stderr);
}

static sweep_state state_of(int code) {
  switch (code) {
  case CLI_OK: return SWEEP_DONE;
  case CLI_STOPPED: return SWEEP_STOPPED;
  case CLI_INVALID: return SWEEP_INVALID;
  default: return SWEEP_FAILED;
  }
}

/* Records the end of a process. state: from waitpid. */
static void record_end(sweep *s, pid_t process, int state) {
  sl_follow_folder(s->folder, s->directory, sizeof s->directory);
  for (int i = 0; i < s->count; i++) {
    sweep_run *r = s->run + i;
    if (r->state != SWEEP_RUNNING || r->process != process) continue;
    r->code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    r->state = state_of(r->code);
    sweep_read_record(s, r);
    r->seconds = fmax(r->recorded, run_clock() - r->started);
    s->ended++;
    print_finished_run(s, r);
    /* written from time to time, so that a sweep that is killed leaves the results of completed runs */
    if (run_clock() - s->written > 20 * s->cost) sweep_write_results(s);
  }
}

/* ---- all of them ---- */

static sweep_run *find_waiting(sweep *s) {
  for (int i = 0; i < s->count; i++)
    if (s->run[i].state == SWEEP_WAITING) return s->run + i;
  return NULL;
}

static int count_running(const sweep *s) {
  int count = 0;
  for (int i = 0; i < s->count; i++) count += s->run[i].state == SWEEP_RUNNING;
  return count;
}

static void pass_on(const sweep *s) {
  for (int i = 0; i < s->count; i++)
    if (s->run[i].state == SWEEP_RUNNING) kill(s->run[i].process, SIGTERM);
}

static int exit_code(const sweep *s) {
  int failed = 0, stopped = 0, invalid = 0;
  for (int i = 0; i < s->count; i++) {
    if (!s->run[i].is_wanted) continue;
    const sweep_state state = s->run[i].state;
    failed += state == SWEEP_FAILED, stopped += state == SWEEP_STOPPED, invalid += state == SWEEP_INVALID;
  }
  return interrupted || stopped ? CLI_STOPPED : failed ? CLI_FAILED : invalid ? CLI_INVALID : CLI_OK;
}

/* Sets the state of a run that is finished, whether --only names it or not. */
static void take_finished(sweep *s, sweep_run *r) {
  const sweep_state found = s->resume ? sweep_find_finished(s, r) : SWEEP_WAITING;
  if (found != SWEEP_WAITING) r->state = found;
}

int sweep_carry_out(sweep *s) {
  struct sigaction action = {.sa_handler = note_interrupt};
  run_catch_stops(&action);
  int code = CLI_OK, passed = 0;
  for (int i = 0; !code && i < s->count; i++) {
    sweep_run *r = s->run + i;
    take_finished(s, r);
    if (r->state != SWEEP_WAITING) code = sweep_read_record(s, r);
    if (r->state == SWEEP_KEPT || r->state == SWEEP_INVALID) r->seconds = r->recorded;
  }
  for (;;) {
    while (!interrupted && !code && count_running(s) < s->jobs && find_waiting(s))
      code = start_run(s, find_waiting(s));
    if (!count_running(s)) break;
    if (interrupted && !passed++) pass_on(s);
    int state;
    pid_t process = waitpid(-1, &state, 0);
    if (process > 0) record_end(s, process, state);
  }
  int written = sweep_write_results(s);
  if (interrupted) fprintf(stderr, "stopped; go on with: scree sweep --resume %s\n", s->directory);
  return code ? code : written ? written : exit_code(s);
}
