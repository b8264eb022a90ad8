/* What the files of `scree sweep` share. */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include <sys/types.h>
#include "run/run.h"

typedef enum sweep_state {
  SWEEP_WAITING,
  SWEEP_RUNNING,
  SWEEP_DONE,
  SWEEP_KEPT,
  SWEEP_FAILED,
  SWEEP_STOPPED,
  SWEEP_SKIPPED
} sweep_state;

/* One run of a sweep. */
typedef struct sweep_run {
  const sl_sweep_point *point;
  sl_yaml_node *tree;
  sweep_state state;
  int number, code; /* from 1; exit code of the process */
  pid_t process;
  double started, seconds; /* all parts of the run together */
} sweep_run;

typedef struct sweep {
  sl_experiment *experiment;
  sl_sweep points;
  run_options *options;
  char directory[RUN_PATH];
  sweep_run *run;
  int count, jobs, resume, started, ended;
  int folder, lock;     /* the directory, opened, and its lock; -1: not */
  double written, cost; /* results.csv: when it was written last, and how long that took */
} sweep;

const char *sweep_state_name(sweep_state state);
/* Directory of a run. */
void sweep_path(const sweep *s, const sweep_run *r, const char *file, char *out, size_t size);
/* Creates a file in the sweep's directory, in place of what has the name; NULL and errno. */
FILE *sweep_create(const sweep *s, const char *name);
/* Runs all that are waiting, several at a time. The exit code. */
int sweep_carry_out(sweep *s);
/* The table of runs with the swept values, on stdout. */
void sweep_print(const sweep *s);
/* results.csv in the sweep's directory. */
int sweep_write_results(sweep *s);
/* Wall seconds of all parts of a run, as its own record tells; 0 without one. */
double sweep_seconds(const sweep *s, const sweep_run *r);
/* Whether a run's directory holds a completed run of the same experiment. */
int sweep_is_done(const sweep *s, sweep_run *r);

#endif
