/* Calls `scree sweep` for commands that need many runs. */
#ifndef CLI_SWEEP_CALL_H
#define CLI_SWEEP_CALL_H

#include "csv.h"
#include "run/run.h"

typedef struct sweep_request {
  const char *command; /* name of the calling command, for messages */
  const char *experiment, *directory;
  const char *only; /* numbers of the runs to execute, such as "3-7,9"; NULL: all */
  const cli_sandbox *sandbox;
  int64_t jobs;   /* number of runs at the same time; 0: one */
  bool is_silent; /* messages go to sweep.log, not to stderr */
} sweep_request;

/* Runs or continues the sweep of an experiment in another process. Its table goes to sweep.log in the
 * directory. The sweep stops if the calling process ends. Returns the exit code of the sweep. */
int sweep_call(const sweep_request *request);
/* Returns the index of the first column of figures in results.csv, which may be the number of columns. */
int sweep_first_figure(const csv *results);

#endif
