/* Shared by the files of `scree sweep`. */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include <sys/types.h>
#include "run/run.h"

/* State of a run. SWEEP_KEPT: an earlier call of the sweep has completed the run. SWEEP_SKIPPED: --only does
 * not name the run. */
typedef enum sweep_state {
  SWEEP_WAITING,
  SWEEP_RUNNING,
  SWEEP_DONE,
  SWEEP_KEPT,
  SWEEP_FAILED,
  SWEEP_STOPPED,
  SWEEP_SKIPPED,
  SWEEP_INVALID
} sweep_state;

/* A figure that a run reported, as text. figure: index into sweep.figure. */
typedef struct sweep_value {
  int figure;
  char *text;
} sweep_value;

/* One run of a sweep. */
typedef struct sweep_run {
  const sl_sweep_point *point;
  sl_yaml_node *tree;
  sweep_state state;
  int number, code;  /* number from 1; exit code of the process */
  bool is_wanted;    /* --only names the run, or there is no --only: its state counts for the exit code */
  bool has_softened; /* its run.json says that rigid contacts became springs */
  bool has_changed;  /* a source of the scene is not the one that the directory's record names */
  pid_t process;
  double started, seconds; /* wall clock at the start; wall seconds of this process */
  double recorded;         /* wall seconds of all processes of the run, from its run.json; 0: no run.json */
  char *cells; /* cells of its row in results.csv for time, hash and accuracy; NULL: no record was read */
  sweep_value *value;
  int values;
} sweep_run;

enum { SWEEP_FIGURES = 512, SWEEP_NAME = 128 };

/* A figure that runs report. */
typedef struct sweep_figure {
  char name[SWEEP_NAME];
  /* unit of the first run with a value; unit of a run that differs */
  char unit[SL_UNIT], other_unit[SL_UNIT];
  bool has_unit, is_mixed; /* unit and other_unit are known; "" is a pure number */
} sweep_figure;

typedef struct sweep {
  sl_experiment *experiment;
  sl_sweep points;
  run_options *options;
  char directory[RUN_PATH];
  sweep_run *run;
  int count, jobs, resume, started, ended;
  int folder, lock;                   /* open directory and its lock; -1: none */
  double written, cost;               /* results.csv: wall clock and duration of the last write [s] */
  sweep_figure figure[SWEEP_FIGURES]; /* [figures] in the order in which runs report them */
  int figures;
} sweep;

/* Returns the name of a state, as printed. */
const char *sweep_state_name(sweep_state state);
/* Writes the path of a file in the directory of a run; file "": path of the directory itself. */
void sweep_path(const sweep *s, const sweep_run *r, const char *file, char *out, size_t size);
/* Returns whether a run failed or is invalid: its results are missing. */
static inline bool sweep_is_missing(const sweep_run *r) {
  return r->state == SWEEP_FAILED || r->state == SWEEP_INVALID;
}
/* Writes why a run failed or is invalid: the last message in its log, or the first fault. Returns false if
 * there is neither. */
int sweep_find_reason(const sweep *s, const sweep_run *r, char *out, size_t size);
/* Runs all waiting runs, several at a time. Returns the exit code. */
int sweep_carry_out(sweep *s);
/* Prints the table of runs with the swept values on stdout. */
void sweep_print(const sweep *s);
/* Reads the data for results.csv from a run's run.json. Returns the exit code. */
int sweep_read_record(sweep *s, sweep_run *r);
/* Frees the data of sweep_read_record. */
void sweep_forget_record(sweep_run *r);
/* Writes results.csv in the sweep's directory from the records that were read. Returns the exit code. */
int sweep_write_results(sweep *s);
/* Opens a run's run.json. Returns whether it is there and well-formed; sl_yaml_free closes it in any case. */
bool sweep_open_record(const sweep *s, const sweep_run *r, sl_yaml *json);
/* Returns the state of a run that ended with an equal experiment: SWEEP_KEPT or SWEEP_INVALID. Returns
 * SWEEP_WAITING if there is no such run. */
sweep_state sweep_find_finished(const sweep *s, sweep_run *r);

/* ---- sweep_changes.c ---- */
/* Returns whether two texts in YAML have the same entries, however their numbers are written. */
bool sweep_is_same_experiment(const char *a, const char *b);
/* Prints which entries of the experiment differ from those of the sweep.yaml in the directory to stderr.
 * Returns their number; 0 without a sweep.yaml, -1 if it cannot be read. */
int sweep_print_changes(const sweep *s);
/* Compares the scene and the modules of its folder with the SHA-256 sums in the run.json of each run. Prints
 * each changed file once to stderr and sets has_changed of the runs. Returns the number of changed files. */
int sweep_print_changed_sources(sweep *s);

#endif
