/* One run of a scene. Its stages in order: open (load and check), build (world and setup), start (create
 * files), loop, finish. Nothing is written before start, so wrong input leaves no files. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include <stdio.h>
#include <sys/types.h>
#include <time.h>
#include "bind/experiment/experiment.h"
#include "bind/scene/columns.h"
#include "bind/scene/figures.h"
#include "bind/scene/loop.h"
#include "bind/scene/scene.h"
#include "scree/checkpoint.h"
#include "script.h"
#include "verdict.h"

/* Options of a run from the command line, an experiment or a sweep. */
typedef struct run_options {
  const char *scene;     /* path of the scene or experiment file */
  const char *directory; /* folder of the run; NULL: runs/SCENE-TIME */
  const char *command;   /* command line as typed, for run.json */
  const char *progress;  /* auto | fancy | plain | none */
  int force, quiet, profile;
  int view, no_open; /* view: a web page shows the run; no_open: do not open it in a browser */
  int rank, ranks;   /* rank of this process and number of ranks; 0 and 1 without MPI */
  const char *grid;  /* ranks along x, y and z, such as 2x2x1; NULL: chosen */
  double imbalance;  /* > 0: load imbalance above which the planes between ranks move */
  double time;       /* > 0: replaces the scene's stop time [s] */
  int64_t steps;     /* > 0: replaces the scene's number of steps */
  /* 1: a resumed run; first_time and first_steps are its original end, which sets the intervals of output */
  int resumed;
  double first_time;
  int64_t first_steps;
  int64_t threads; /* > 0: replaces the scene's number of threads */
  double wall;     /* > 0: wall seconds after which the run stops with a checkpoint */
  double checkpoint_every, checkpoint_wall; /* > 0: simulated and wall seconds between checkpoints */
  int64_t checkpoint_keep;                  /* number of checkpoints to keep; 0: two */
  int checkpoint_final;                     /* 1: a completed run keeps a checkpoint of its last state */
  const char *checkpoint_dir; /* second folder, for checkpoints that the run's folder cannot store; or NULL */
  const char *from;           /* checkpoint to resume from; NULL: that in the run's folder */
  sl_experiment *experiment;  /* experiment that the run belongs to; NULL: a plain scene */
  const sl_sweep_point *point; /* point of the sweep that the run belongs to, or NULL */
  cli_list sets;               /* changes path=value of an experiment */
  int64_t dump_step;           /* run_dump: step whose problem is written */
  const char *dump_path;       /* run_dump: path of the file to write */
  cli_sandbox sandbox;
  sl_override overrides[CLI_LIST_MOST];
  int overrides_count;
} run_options;

enum { RUN_PATH = 2048 };

/* Number and size of the messages about walls before the first step. */
enum { RUN_START_LINES = 6, RUN_START_TEXT = 400 };

/* Residuals of the steps of this process, relative to the velocity scale of solver.tolerance. unmet:
 * number of steps above the tolerance. */
typedef struct run_accuracy {
  int64_t steps, unmet;
  double sum, most;
} run_accuracy;

/* State of the progress line. */
typedef struct run_progress {
  int fancy, silent, shown;
  double started, last; /* wall clock at the start and at the last line [s] */
  /* simulated time and step at the start of this process; a resumed run does not begin at 0 */
  double first_time;
  int64_t first_step;
  int64_t last_step;
} run_progress;

/* State of the file track.scree (run_track.c). */
typedef struct run_track {
  scree_writer *writer; /* NULL: no track, or another rank writes it */
  scree_frame_buffer *frame;
  scree_id *id;     /* scratch for the chosen ids */
  double precision; /* precision of positions [m]; 0: exact doubles */
  double last;      /* time of the last frame [s]; -1: none yet */
  bool failed;      /* the frame after the last step was not written */
} run_track;

typedef struct run {
  const run_options *options;
  sl_runtime *runtime;
  sl_scene scene;
  sl_loop loop;
  char directory[RUN_PATH];
  int folder, lock;         /* open directory and its lock (run_files.c); -1: none */
  scree_writer *trajectory; /* NULL: none, or another rank writes it */
  scree_frame_buffer *frame;
  scree_packer *packer; /* packs this rank's part of frames; NULL on one rank */
  run_track track;
  int64_t frame_number; /* number of the next frame that several ranks write in parts */
  uint32_t geometries;  /* number of hulls and meshes that the packer knows */
  FILE *series;
  sl_columns columns;          /* columns of the scene's own values in the series */
  double last_frame, last_row; /* simulated times of the last frame and row [s]; -1: none yet */
  double spent;                /* wall seconds that earlier processes of a resumed run used */
  double started, output_seconds;
  char started_at[32];
  char *params; /* parameters as JSON, for run.json */
  run_progress progress;
  sl_figures figures;
  double precision;              /* precision of positions in the trajectory [m] */
  bool frame_failed, row_failed; /* the frame, the row after the last step could not be written */
  double last_checkpoint;        /* wall clock of the last checkpoint [s] */
  int no_checkpoints;            /* 1: the state cannot be saved */
  int64_t checkpoints_due;       /* number of checkpoints due by simulated time so far */
  int warned;                    /* 1: the warning about a step too large for the springs was printed */
  run_accuracy accuracy;
  scree_report last; /* report at the end of the run, over all ranks */
  cli_verdict verdict;
  char misplaced[RUN_START_TEXT]; /* warning before the first step on bodies inside walls; "": none */
  pid_t viewer;                   /* process of the viewer; 0: none */
  int started_files;
  const char *status; /* status for run.json: "running", "completed", "invalid", "stopped", "failed" */
  char trouble[1024]; /* reason why the run stopped early; "": none */
} run;

/* ---- run_names.c: texts of run and check about bodies and joints ---- */
enum { RUN_LABEL = 96 };
/* Writes the name of a body in quotes, or its id. */
void run_label_body(const scree_world *world, scree_id id, char label[RUN_LABEL]);
/* Writes the warning about gears without a housing, or with a housing that carries no wheel. Returns false if
 * there is none. */
bool run_tell_gears(const scree_world *world, char *text, size_t size);
/* Writes the warning about fast bodies in joints. Returns false if there is none. */
bool run_tell_joined(const scree_world *world, char *text, size_t size);

/* ---- run_start.c ---- */
/* Writes the warnings about the walls of a world before its first step. Returns the number of lines.
 * *misplaced: receives the first line on bodies that lie inside or between walls, -1: none; may be NULL. */
int run_find_start_notes(
    const scree_world *world, char text[RUN_START_LINES][RUN_START_TEXT], int *misplaced);
/* Returns the friction coefficient of a pair of materials and sets *law to the law in force. Returns NAN if
 * the law has no coefficient mu. */
double run_find_mu(const scree_world *world, const int pair[2], const char **law);
/* Writes to text the pairs of materials that are in use and were never defined, with the values used. Leaves
 * out the pair of "default" with itself, which scenes without materials have. Returns false if there are
 * none. */
bool run_tell_pairs(const scree_world *world, char *text, size_t size);
/* Largest initial overlap without a warning, over half the least width of the smaller shape. */
static const double RUN_OVERLAP = 0.1;
/* Largest initial overlap without a note, over half the least width of the smaller shape. */
static const double RUN_NOTED_OVERLAP = 0.01;
/* Returns the number of contacts of the last step whose bodies overlap and are not tied by a joint. report:
 * the present report. Collective. */
int64_t run_count_overlaps(const scree_world *world, const scree_report *report);
/* Returns the mean overlap [m] of `overlaps` contacts, from the sum in the report. */
double run_mean_overlap(const scree_report *report, int64_t overlaps);
/* Writes to text how deep bodies overlap. first: the report of the first step, whose contacts are those of
 * the initial poses. overlaps: their number. Returns false if no overlap is above RUN_OVERLAP. */
bool run_tell_overlaps(const scree_report *first, int64_t overlaps, char *text, size_t size);

/* Carries out a run, or all variants of the scene, and prints the key figures. Returns the exit code. */
int run_scene(const run_options *options);
/* Carries out the run of an experiment, like run_scene. */
int run_experiment(run_options *options);
/* Carries out the run of a variant, and prints its accuracy, warnings and faults. Does not print its figures,
 * which stay in r. */
int run_once(run *r, const run_options *options);

/* ---- run_experiment.c: runs of experiments ---- */
/* Returns whether a file is an experiment, by its ending. */
int run_is_experiment(const char *path);
/* Opens options->scene as an experiment with the changes options->sets. Returns CLI_OK. Returns CLI_USAGE
 * if the experiment has problems, which run_print_problems prints, or after a message in the name of the
 * command. */
int run_open_experiment(sl_experiment *experiment, run_options *options, const char *command);
/* Opens options->scene as an experiment of one run, for commands that make many runs of it. Returns CLI_OK,
 * or CLI_USAGE after a message: the experiment has problems or a sweep. */
int run_open_single(sl_experiment *experiment, run_options *options, const char *command);
/* Writes the directory of the experiment's last run, or of its first run if there is none. */
void run_find_directory(const sl_experiment *experiment, char *out, size_t size);
/* Sets the options from the experiment: scene, end, threads, checkpoints, directory. */
void run_take_experiment(sl_experiment *experiment, run_options *options);
/* Prints all problems of the experiment on stderr. Returns CLI_USAGE. */
int run_print_problems(const sl_experiment *experiment);
/* Writes experiment.yaml in the run's directory. Returns an exit code. */
int run_write_experiment(const run *r);

/* ---- stages; each returns CLI_OK or the exit code of a failure ---- */
/* Ends the line of progress, stores the text as the reason of the failure and prints it. Returns code. */
int run_fail(run *r, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Loads the scene. */
int run_open(run *r, const run_options *options);
/* Builds the world. */
int run_build(run *r);
/* Steps until the run ends. */
int run_loop(run *r);
/* Carries out the steps and the report of run_try. */
int run_try_steps(run *r);
/* Steps up to the start of step `step`: its before_step has been called, but the world has not been stepped.
 * Returns CLI_USAGE if the run ends before. */
int run_until(run *r, int64_t step);
/* Writes the last outputs and closes all files. code: exit code of run_loop. Returns the exit code of the
 * run. */
int run_finish(run *r, int code);
/* Carries out all stages from build to finish. Files exist only once the scene is built. */
int run_carry_out(run *r);
/* Frees what run_open and later stages have allocated, and unlocks the directory. */
void run_close(run *r);

/* ---- run_files.c: files of the run, opened without following links ---- */
/* Writes the path of a file in the run's directory. Returns out. */
const char *run_path(const run *r, const char *name, char *out, size_t size);
/* Opens r->directory and locks it, unless it is open already. Returns CLI_OK, or the exit code after a
 * message. */
int run_take_folder(run *r, const char *command);
/* Unlocks and closes the directory. */
void run_leave_folder(run *r);
/* Updates r->directory if the directory was moved since it was opened. Messages, and files that are
 * opened by path, then use the new path. */
void run_follow_folder(run *r);
/* Creates a file in an open folder and replaces one of this name. Returns NULL and sets errno on failure. */
FILE *run_create_at(int folder, const char *name);
/* Creates an empty folder for temporary output and writes its path to `out`. Returns CLI_OK, or prints a
 * message and returns an exit code. */
int run_make_scratch(const char *command, char out[RUN_PATH]);
/* Deletes a temporary folder with its contents. */
void run_remove_scratch(const char *folder);
/* Returns the path of a source of a run as seen from the folder of its scene; NULL for sources elsewhere,
 * such as modules of the library. */
const char *run_path_in_scene_folder(const char *scene, const char *source);
/* Opens a file to append after its first `size` bytes; cuts off the rest. Returns NULL and sets errno on
 * failure, ENODATA if the file is shorter. */
FILE *run_extend(const run *r, const char *name, int64_t size);
/* Renames a file within the run's directory. Returns 0, or -1 and errno. */
int run_rename(const run *r, const char *from, const char *to);

/* ---- run_output.c: the directory and its files ---- */
/* Chooses the directory. Fails if it contains a run, unless forced. Returns an exit code. */
int run_choose_directory(run *r);
/* Creates trajectory, series and track. Returns an exit code. */
int run_create_files(run *r);
/* Returns whether the scene wants an output: whether the output's clock has an interval in time or steps. */
static inline bool run_wants(const sl_clock *clock) { return clock->time > 0 || clock->steps > 0; }
/* Returns the precision of positions in the trajectory [m]; 0: exact; negative: no memory. */
double run_precision(const run *r);
/* Sets the run's directory as the place of the files that the scene and the world write. */
void run_enter_directory(run *r);
/* Creates a directory and its parents. Returns nonzero and errno on failure. */
int run_make_directory(const char *path);
/* Writes the outputs that are due; `last`: writes the final state even if it is not due. Returns an exit
 * code. */
int run_write(run *r, int last);
/* Closes trajectory, series and track. Returns an exit code. */
int run_close_files(run *r);
/* Waits until every frame of the trajectory is in the file. Returns an exit code. */
int run_flush(run *r);

/* Opens the trajectory to continue it after its first `frames` frames. */
scree_status run_reopen_trajectory(run *r, int64_t frames, scree_error *error);

/* ---- run_track.c: frames of chosen bodies, track.scree ----
 * Scenes without a track do nothing in these functions. */
/* Creates the file. meta: provenance as JSON. precision: of positions [m], 0: exact. Returns an exit code
 * after a message. Collective. */
int run_track_create(run *r, const char *meta, double precision);
/* Writes a frame if it is due; last: writes the final state even if it is not due. Returns an exit code after
 * a message. Collective. */
int run_track_write(run *r, int last);
/* Waits until every frame is in the file. Returns an exit code after a message. */
int run_track_flush(run *r);
/* Closes the file and frees the track. Returns an exit code after a message. */
int run_track_close(run *r);
/* Saves the state of the track in a checkpoint. rescues: a write has failed, so only the frames that are
 * complete in the file count. */
scree_status run_track_note(run *r, bool rescues, scree_checkpoint *c, scree_error *error);
/* Opens the track to continue it where the checkpoint left it. */
scree_status run_track_reopen(run *r, const scree_checkpoint *c, scree_error *error);

/* ---- run_ranks.c: several ranks under mpirun ---- */
/* Starts MPI if mpirun has started several ranks. Sets rank and ranks. Silences all ranks but 0. */
int run_ranks_start(run_options *options);
/* Checks --grid against the number of ranks. Returns an exit code. */
int run_ranks_check(const run_options *options);
/* Ends MPI; after a failure ends all ranks at once. Returns code. */
int run_ranks_end(const run_options *options, int code);
/* Ends all ranks because this rank failed; does nothing on one rank. */
void run_ranks_fail(const run_options *options, int code);
/* Distributes the scene's world over the ranks; call it after setup or a restore. Returns an exit code. */
int run_spread(run *r);
/* Sets each flag to its maximum over all ranks. Returns whether any flag is set. Collective. */
int run_agree(const run *r, double *flags, int count);
/* Returns whether this rank writes files and messages. */
static inline int run_writes(const run *r) { return r->options->rank == 0; }

/* Returns the monotonic wall clock [s]. */
static inline double run_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- run_columns.c ---- */
/* A column of accuracy in results.csv of a sweep, and the path of its value in the report of run.json. */
typedef struct run_accuracy_column {
  const char *name, *path;
} run_accuracy_column;
enum { RUN_ACCURACY_COLUMNS = 6 };
extern const run_accuracy_column run_accuracy_columns[RUN_ACCURACY_COLUMNS];
/* Prints why the scene's own values of the series are refused. Returns the exit code. */
int run_values_trouble(run *r, const char *text);

/* ---- run_stop.c: the condition that ends a run ---- */
/* Evaluates the condition with a row of the series. own: the table of the scene's own values is on top of the
 * stack. Returns an exit code. */
int run_judge(run *r, const scree_report *report, int own);
/* Checks, before the run, that the condition's columns exist and its units fit. ask: the scene's own values
 * may be computed for this check. If !ask, conditions of scenes with such values are not checked. Returns the
 * exit code. */
int run_try_condition(run *r, int ask);
/* Evaluates the condition after a step if no series is written. Returns an exit code. */
int run_judge_step(run *r);

/* ---- run_checkpoint.c ---- */
#define RUN_CHECKPOINT "checkpoint.scree"
/* Installs the handlers of signals. SIGINT, SIGTERM, SIGHUP and SIGXCPU stop the run with a checkpoint after
 * the present step. A second SIGINT or SIGTERM ends it at once. SIGUSR1 requests a checkpoint. */
void run_watch_signals(run *r);
struct sigaction;
/* Installs the action for the signals that stop a run or a sweep; for SIGHUP only if it is not ignored. */
void run_catch_stops(const struct sigaction *action);
/* Call after each step. Writes a checkpoint if one is due. Returns CLI_STOPPED if the run must end here. */
int run_checkpoint(run *r);
/* Saves the state at the end of a run. Call it before the final output. Returns an exit code. */
int run_final_checkpoint(run *r);
/* Saves the state of a run whose files could not be written, in the run's folder or in the second folder for
 * checkpoints. Prints the path, or why the state is lost. */
void run_rescue_state(run *r);
/* Removes the checkpoints of a completed run. */
void run_forget_checkpoint(const run *r);
/* Returns the process whose signal stopped the run; 0: none. */
pid_t run_stopped_by(void);

/* ---- run_resume.c ---- */
/* Returns whether a directory has a checkpoint of a run. */
int run_can_resume(const char *directory);
/* Resumes the run in a directory from its checkpoint, with the given changes. Returns the exit code. */
int run_resume(const char *directory, run_options *options);
/* Sets the options to those that the run had, from the checkpoint; texts point into the checkpoint. */
scree_status run_recall(const scree_checkpoint *c, run_options *options, scree_error *error);
/* Opens the scene or experiment of a directory again, calls body and closes it. Returns an exit code. */
int run_reopen(run *r, const scree_checkpoint *c, const char *directory, run_options *options,
    int (*body)(run *r, const scree_checkpoint *c));
/* Builds the scene and restores the state of the checkpoint. Returns an exit code. */
int run_restore(run *r, const scree_checkpoint *c, const char *command);

/* ---- run_view.c: `--view` ---- */
/* Checks that the options allow --view. Returns an exit code. */
int run_view_check(const run_options *options, int variants);
/* Starts the viewer; the files must exist. Returns the exit code. */
int run_view_start(run *r);
/* If the run finished or was stopped from its page, waits for Ctrl-C while the page stays open. Otherwise
 * closes the page at once. */
void run_view_end(run *r, int code);

/* ---- run_try.c ---- */
/* Runs options->steps steps with all callbacks, series and frames in a temporary folder, then the report.
 * Functions of `every` that were not due are called once. *figures: number of figures of the
 * report. Returns the exit code; `trouble` receives the reason. */
int run_try(const run_options *options, int *figures, char trouble[1024]);

/* ---- run_dump.c ---- */
/* Writes the contact problem of step options->dump_step (from 1) of the run in `directory` to
 * options->dump_path. Returns the exit code. */
int run_dump(const char *directory, const run_options *options);

/* ---- run_params.c: `scree run SCENE --help` ---- */
/* Loads options->scene, or an experiment's scene, and prints its parameters with defaults, units, bounds and
 * docs. Returns the exit code. */
int run_print_params(run_options *options);
/* Reads the operands after the first as key=value, parameters of the scene. Returns an exit code. */
int run_read_overrides(run_options *options, int operands, char **argv, const char *command);

/* ---- run_provenance.c ---- */
/* Returns the text of run.json; the caller frees it. Returns NULL if out of memory. */
char *run_provenance(const run *r);
/* Writes run.json. Returns an exit code. */
int run_write_provenance(const run *r);
/* Prepares the run.json that is written if a script does not return and the process ends. */
void run_prepare_last_words(run *r);
/* Frees what run_prepare_last_words has prepared. */
void run_forget_last_words(void);
/* Stores the parameters as JSON. Call it while the script still works. Returns the exit code. */
int run_keep_params(run *r);

/* ---- run_report.c: the scene's report function, its key figures ---- */
/* Calls the scene's report function and stores its figures. Returns an exit code. */
int run_report(run *r);
/* Adds the residual of the last step to r->accuracy. */
void run_note_accuracy(run *r);
/* Prints the figures of accuracy of a finished run, its warnings, and the faults of an invalid run. A
 * quiet run prints no figures. variant: directory of the variant, which the output then names; "": the run is
 * no variant. */
void run_print_accuracy(const run *r, const char *variant);
/* Judges a finished run: sets r->last and r->verdict. Returns CLI_OK or CLI_INVALID, or the code after a
 * message. */
int run_find_faults(run *r);
/* Returns whether a run with this exit code came to its end, valid or not. */
static inline int run_is_finished(int code) { return code == CLI_OK || code == CLI_INVALID; }
/* Prints the figures of several runs side by side on stdout. */
void run_print_figures(run *const *runs, int count);

/* ---- run_variants.c: several runs from one scene ---- */
/* One variant: changes of parameters. */
enum { RUN_VARIANTS = 16, RUN_CHANGES = 16 };
typedef struct run_variant {
  char key[RUN_CHANGES][64], value[RUN_CHANGES][256];
  int changes;
} run_variant;
typedef struct run_variants {
  run_variant variant[RUN_VARIANTS];
  int count;
} run_variants;
/* Reads the variants of the scene; count 0 if it has none. Returns an exit code. */
int run_find_variants(run *r, run_variants *out);
/* Runs each variant in its own directory below `directory` and prints the figures side by side. */
int run_all_variants(const run_options *options, const char *directory, const run_variants *variants);

/* ---- run_progress.c: lines on stderr ---- */
/* Returns CLI_USAGE after a message unless options->progress is auto, fancy, plain or none. */
int run_progress_check(const run_options *options, const char *verb);
/* Starts the line of progress. */
void run_progress_start(run *r);
/* Updates the line of progress if its time has come. */
void run_progress_update(run *r);
/* Ends the line of progress, so that other messages start on a new line. */
void run_progress_end(run *r);
/* Prints the time of each stage of a step. */
void run_print_profile(const run *r);
/* Prints where the files of a run are. Also prints the time of output if it was long. */
void run_print_place(const run *r, int code);

#endif
