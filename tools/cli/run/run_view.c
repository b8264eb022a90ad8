/* `scree run --view`: a separate process shows the run in the browser. It reads the trajectory like any
 * other reader, so it does not affect the run. */
#include "run/run.h"

#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int run_view_check(const run_options *options, int variants) {
  if (!options->view) return CLI_OK;
  if (variants) return cli_fail(CLI_USAGE, "run", "--view shows one run, and this scene has variants");
  return CLI_OK;
}

int run_view_start(run *r) {
  if (!r->options->view || !run_writes(r)) return CLI_OK;
  if (!r->trajectory)
    return cli_fail(CLI_USAGE, "run", "--view shows the trajectory, and this run writes none");
  char *arguments[] = {"scree", "view", "--child", "--", r->directory, NULL, NULL};
  if (r->options->no_open)
    memmove(arguments + 4, arguments + 3, 2 * sizeof *arguments), arguments[3] = "--no-open";
  int reason = posix_spawn(&r->viewer, "/proc/self/exe", NULL, NULL, arguments, environ);
  return reason ? cli_fail(CLI_FAILED, "run", "the viewer does not start: %s", strerror(reason)) : CLI_OK;
}

/* Waits until the viewer ends or a signal arrives. */
static void wait_for_end(pid_t viewer) {
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGINT), sigaddset(&awaited, SIGTERM), sigaddset(&awaited, SIGHUP);
  sigaddset(&awaited, SIGCHLD);
  sigprocmask(SIG_BLOCK, &awaited, NULL);
  while (waitpid(viewer, NULL, WNOHANG) == 0) {
    int number;
    if (sigwait(&awaited, &number) || number == SIGCHLD) continue;
    kill(viewer, SIGTERM);
    waitpid(viewer, NULL, 0);
    return;
  }
}

void run_view_end(run *r, int code) {
  if (!r->viewer) return;
  int stays = run_is_finished(code) || (code == CLI_STOPPED && run_stopped_by() == r->viewer);
  if (!stays) kill(r->viewer, SIGTERM);
  else if (waitpid(r->viewer, NULL, WNOHANG)) stays = 0;
  else fputs("scree: the page stays open; Ctrl-C ends it\n", stderr);
  fflush(stdout);
  wait_for_end(r->viewer);
  r->viewer = 0;
}
