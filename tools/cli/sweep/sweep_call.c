/* Calls `scree sweep` for commands that need many runs. */
#include "sweep/sweep_call.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int sweep_first_figure(const csv *results) {
  return csv_column(results, run_accuracy_columns[RUN_ACCURACY_COLUMNS - 1].name) + 1;
}

int sweep_call(const sweep_request *q) {
  char jobs[24], memory[24], seconds[32], log[RUN_PATH + 32];
  const char *argument[20] = {"scree", "sweep", q->experiment, "-o", q->directory, "--resume", "-j", jobs};
  const cli_sandbox *sandbox = q->sandbox;
  int count = 8, status = 0;
  snprintf(jobs, sizeof jobs, "%lld", (long long)(q->jobs > 0 ? q->jobs : 1));
  snprintf(memory, sizeof memory, "%lld", (long long)sandbox->memory);
  snprintf(seconds, sizeof seconds, "%.17g", sandbox->callback_time);
  snprintf(log, sizeof log, "%s/sweep.log", q->directory);
  if (q->only) argument[count++] = "--only", argument[count++] = q->only;
  if (sandbox->trust) argument[count++] = "--trust";
  if (sandbox->memory > 0) argument[count++] = "--memory", argument[count++] = memory;
  if (sandbox->callback_time > 0) argument[count++] = "--callback-time", argument[count++] = seconds;
  if (run_make_directory(q->directory))
    return cli_fail(CLI_IO, q->command, "cannot create %s: %s", q->directory, strerror(errno));
  const pid_t parent = getpid(), child = fork();
  if (child < 0) return cli_fail(CLI_FAILED, q->command, "cannot start a process: %s", strerror(errno));
  if (!child) {
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* if the caller is killed, the kernel ends its sweep, too */
    if (getppid() != parent) _exit(CLI_STOPPED);
    const int file = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file >= 0) dup2(file, STDOUT_FILENO);
    if (file >= 0 && q->is_silent) dup2(file, STDERR_FILENO);
    execv("/proc/self/exe", (char *const *)argument);
    _exit(CLI_FAILED);
  }
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return CLI_FAILED;
  return WIFEXITED(status) ? WEXITSTATUS(status) : CLI_STOPPED;
}
