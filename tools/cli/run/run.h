/* One run of a scene, in the order of its life: open (load and check), build (world and setup), start
 * (files), loop, finish. Nothing is written before start, so bad input leaves no trace. */
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

/* What the command line, an experiment or a sweep asks for. */
typedef struct run_options {
  const char *scene;     /* path of the file */
  const char *directory; /* NULL: runs/SCENE-TIME */
  const char *command;   /* as typed, for provenance */
  const char *progress;  /* auto | fancy | plain | none */
  int force, quiet, profile;
  int view, no_open; /* a page shows the run as it goes */
  int rank, ranks;   /* of the process group; 0 and 1 without one */
  const char *grid;  /* AxBxC ranks, NULL: chosen */
  double imbalance;  /* > 0: planes between ranks move beyond it */
  double time;       /* > 0: instead of the scene's stop time */
  int64_t steps;     /* > 0: likewise in steps */
  int resumed;       /* intervals of output are those of the run's first end, which follows */
  double first_time;
  int64_t first_steps;
  int64_t threads; /* > 0: instead of the scene's */
  double wall;     /* > 0: wall seconds after which the run stops with a checkpoint */
  double checkpoint_every, checkpoint_wall; /* > 0: simulated and wall seconds between checkpoints */
  int64_t checkpoint_keep;                  /* generations of checkpoints; 0: two */
  int checkpoint_final;                     /* a completed run keeps its last state */
  const char *checkpoint_dir;  /* folder for checkpoints that the run's own cannot take, or NULL */
  const char *from;            /* checkpoint to resume from; NULL: the folder's own */
  sl_experiment *experiment;   /* NULL: a plain scene */
  const sl_sweep_point *point; /* of the sweep that the run belongs to, or NULL */
  cli_list sets;               /* path=value for an experiment */
  int64_t dump_step;
  const char *dump_path; /* for run_dump */
  cli_sandbox sandbox;
  sl_override overrides[CLI_LIST_MOST];
  int overrides_count;
} run_options;

enum { RUN_PATH = 2048 };

/* Lines on walls before the first step, and bytes of a line. */
enum { RUN_START_LINES = 6, RUN_START_TEXT = 400 };

/* How far solvers came, over the steps of this process; residuals in shares of the velocity that
 * solver.tolerance refers to. */
typedef struct run_accuracy {
  int64_t steps, unmet;
  double sum, most;
} run_accuracy;

typedef struct run_progress {
  int fancy, silent, shown;
  double started, last; /* wall clock at the start and at the last line */
  /* simulated time and step at the start: a resumed run has some behind it */
  double first_time;
  int64_t first_step;
  int64_t last_step;
} run_progress;

/* What writes track.scree (run_track.c). */
typedef struct run_track {
  scree_writer *writer; /* NULL: no track, or another rank writes it */
  scree_frame_buffer *frame;
  scree_id *id;     /* room for the chosen ids */
  double precision; /* [m]; 0: exact doubles */
  double last;      /* time of the last frame, -1 before the first */
  bool failed;      /* the frame after the last step was not written */
} run_track;

typedef struct run {
  const run_options *options;
  sl_runtime *runtime;
  sl_scene scene;
  sl_loop loop;
  char directory[RUN_PATH];
  int folder, lock;         /* the directory opened, and its lock (run_files.c); -1: not */
  scree_writer *trajectory; /* NULL: none, or another rank writes it */
  scree_frame_buffer *frame;
  scree_packer *packer; /* of this rank's part of frames; NULL on one rank */
  run_track track;
  int64_t frame_number; /* of the next frame in parts */
  uint32_t geometries;  /* hulls and meshes that the packer knows */
  FILE *series;
  sl_columns columns;          /* of the scene's own values in the series */
  double last_frame, last_row; /* times of what was written last, -1 before the first */
  double spent;                /* wall seconds before it was resumed */
  double started, output_seconds;
  char started_at[32];
  char *params; /* JSON, for run.json */
  run_progress progress;
  sl_figures figures;
  double precision;              /* of the trajectory [m] */
  bool frame_failed, row_failed; /* the output after the last step that was not written */
  double last_checkpoint;        /* wall clock */
  int no_checkpoints;            /* the state cannot be saved */
  int64_t checkpoints_due;       /* by simulated time, so far */
  int warned;                    /* of a step too large for the springs */
  run_accuracy accuracy;
  scree_report last; /* as the run ended, over all ranks */
  cli_verdict verdict;
  char misplaced[RUN_START_TEXT]; /* warning before the first step on bodies inside walls, "": none */
  pid_t viewer;                   /* the process that shows it; 0: none */
  int started_files;
  const char *status; /* for run.json: "running", "completed", "invalid", "stopped", "failed" */
  char trouble[1024]; /* why it stopped early, "" if it did not */
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
/* Returns the number of contacts of the last step whose bodies overlap and are not tied by a joint. report:
 * the present report. Collective. */
int64_t run_count_overlaps(const scree_world *world, const scree_report *report);
/* Writes to text how deep bodies overlap. first: the report of the first step, whose contacts are those of
 * the initial poses. overlaps: their number. Returns false if no overlap is above RUN_OVERLAP. */
bool run_tell_overlaps(const scree_report *first, int64_t overlaps, char *text, size_t size);

/* The whole life, with the scene's variants where it has some; prints the key figures. The exit code. */
int run_scene(const run_options *options);
/* The same for an experiment. */
int run_experiment(run_options *options);
/* One run without variants and without printing figures; the figures stay in r. */
int run_once(run *r, const run_options *options);

/* ---- run_experiment.c: scenes as an experiment says ---- */
/* Whether a file is an experiment, by its ending. */
int run_is_experiment(const char *path);
/* Opens options->scene as an experiment with options->sets and fills the options from it. Messages and
 * CLI_USAGE where something is wrong; `command` names who asks. */
int run_open_experiment(sl_experiment *experiment, run_options *options, const char *command);
/* The directory that the experiment was last run in, or would be first. */
void run_find_directory(const sl_experiment *experiment, char *out, size_t size);
/* Fills the options from the experiment's present tree: scene, end, threads, directory. */
void run_take_experiment(sl_experiment *experiment, run_options *options);
/* All that is wrong, on stderr; CLI_USAGE. */
int run_print_problems(const sl_experiment *experiment);
/* experiment.yaml in the run's directory. */
int run_write_experiment(const run *r);

/* ---- stages; each returns an exit code, CLI_OK to go on ---- */
/* Ends the line of progress, notes the text as the trouble of the run and prints it. Returns code. */
int run_fail(run *r, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
int run_open(run *r, const run_options *options);
int run_build(run *r);
int run_start(run *r);
int run_loop(run *r);
/* The steps and the report of run_try. */
int run_try_steps(run *r);
/* As run_loop up to the start of a step: its before_step has been called, the step not taken. CLI_USAGE
 * where the run ends before. */
int run_until(run *r, int64_t step);
int run_finish(run *r, int code);
/* From build to finish; files exist only once the scene is built. */
int run_carry_out(run *r);
void run_close(run *r);

/* ---- run_files.c: files of the run, opened without following links ---- */
/* Path of a file in the run's directory. */
const char *run_path(const run *r, const char *name, char *out, size_t size);
/* Opens r->directory and locks it; again does nothing. CLI_OK or the code after a message. */
int run_take_folder(run *r, const char *command);
void run_leave_folder(run *r);
/* Brings r->directory up to date if the run's directory was moved since it was opened, so that files which
 * are opened by path and messages follow it. */
void run_follow_folder(run *r);
/* Creates a file in place of what has the name in an open folder. Returns NULL and sets errno on failure. */
FILE *run_create_at(int folder, const char *name);
/* Creates an empty folder for output that nobody keeps. Returns the exit code after a message. */
int run_make_scratch(const char *command, char out[RUN_PATH]);
/* Deletes such a folder and all that is in it. */
void run_remove_scratch(const char *folder);
/* A file to go on with behind its first `size` bytes, the rest is cut; NULL and errno, ENODATA where it is
 * shorter. */
FILE *run_extend(const run *r, const char *name, int64_t size);
int run_rename(const run *r, const char *from, const char *to);

/* ---- run_output.c: the directory and what is in it ---- */
/* Chooses the directory and refuses one that holds a run, unless forced. */
int run_choose_directory(run *r);
int run_create_files(run *r);
/* Returns whether an output has an interval. */
static inline bool run_wants(const sl_clock *clock) { return clock->time > 0 || clock->steps > 0; }
/* Length to which the trajectory keeps positions [m]; 0: exactly, negative without memory. */
double run_precision(const run *r);
/* Tells scene and world where their files go. */
void run_enter_directory(run *r);
/* Creates a directory with those above it; nonzero and errno on failure. */
int run_make_directory(const char *path);
/* Writes what is due now; `last` writes the final state whether due or not. */
int run_write(run *r, int last);
int run_close_files(run *r);
/* Waits until every frame of the trajectory is in the file. */
int run_flush(run *r);

/* Goes on with the trajectory after its first `frames` frames. */
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
/* Closes the file and frees what the track holds. Returns an exit code after a message. */
int run_track_close(run *r);
/* Writes to a checkpoint how far the track has come. rescues: frames count that a kill leaves readable. */
scree_status run_track_note(run *r, bool rescues, scree_checkpoint *c, scree_error *error);
/* Goes on with the file where the checkpoint left it. */
scree_status run_track_reopen(run *r, const scree_checkpoint *c, scree_error *error);

/* ---- run_ranks.c: several ranks under mpirun ---- */
/* Starts MPI where mpirun has started more than one rank; fills rank and ranks. Ranks but 0 fall silent. */
int run_ranks_start(run_options *options);
/* --grid against the number of ranks. */
int run_ranks_check(const run_options *options);
/* Ends MPI; with a failure all ranks at once. The code. */
int run_ranks_end(const run_options *options, int code);
/* Ends all ranks because this one failed; returns on one rank. */
void run_ranks_fail(const run_options *options, int code);
/* Spreads the scene's world over the ranks, after setup or a restore. */
int run_spread(run *r);
/* Each flag becomes the largest over all ranks; whether any is set. Collective. */
int run_agree(const run *r, double *flags, int count);
static inline int run_writes(const run *r) { return r->options->rank == 0; }

/* Wall seconds. */
static inline double run_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- run_columns.c ---- */
/* A column of accuracy in results.csv of a sweep, and the member of the report in run.json that it holds. */
typedef struct run_accuracy_column {
  const char *name, *member;
} run_accuracy_column;
enum { RUN_ACCURACY_COLUMNS = 5 };
extern const run_accuracy_column run_accuracy_columns[RUN_ACCURACY_COLUMNS];
/* Prints what is wrong with the scene's own values of the series. Returns the exit code. */
int run_values_trouble(run *r, const char *text);

/* ---- run_stop.c: the condition that ends a run ---- */
/* Looks at the condition with a row of the series; own: the scene's own values lie on top of the stack
 * as a table. */
int run_judge(run *r, const scree_report *report, int own);
/* Before the run: whether the condition's columns are there and its units fit; where the scene has
 * values of its own, only if it may be asked for them. The exit code. */
int run_try_condition(run *r, int ask);
/* The same after a step, where no series is kept. */
int run_judge_step(run *r);

/* ---- run_checkpoint.c ---- */
#define RUN_CHECKPOINT "checkpoint.scree"
/* SIGINT and SIGTERM stop the run with a checkpoint after the step at work, a second one at once; SIGHUP
 * and SIGXCPU stop it so, too; SIGUSR1 asks for a checkpoint. */
void run_watch_signals(run *r);
struct sigaction;
/* Catches the signals that ask a run or a sweep to stop; SIGHUP only if it is not ignored. */
void run_catch_stops(const struct sigaction *action);
/* After each step: writes a checkpoint where one is due; CLI_STOPPED where the run shall end here. */
int run_checkpoint(run *r);
/* The state at the end of a run, before what is written last whether due or not. */
int run_final_checkpoint(run *r);
/* Saves the state of a run whose files could not be written, in the run's folder or in the second folder for
 * checkpoints. Says where it lies, or why it is lost. */
void run_rescue_state(run *r);
/* A completed run keeps none unless it is asked to. */
void run_forget_checkpoint(const run *r);
/* The process whose signal stopped the run; 0: none did. */
pid_t run_stopped_by(void);

/* ---- run_resume.c ---- */
int run_can_resume(const char *directory);
/* Goes on from the directory's checkpoint; options say what changes. The exit code. */
int run_resume(const char *directory, run_options *options);
/* The parts of that, for others. Options as the run had them, from the checkpoint; texts point into it. */
scree_status run_recall(const scree_checkpoint *c, run_options *options, scree_error *error);
/* Opens the scene or experiment of a directory anew, calls body and closes. */
int run_reopen(run *r, const scree_checkpoint *c, const char *directory, run_options *options,
    int (*body)(run *r, const scree_checkpoint *c));
/* Builds the scene and puts the checkpoint's state over it. */
int run_restore(run *r, const scree_checkpoint *c, const char *command);

/* ---- run_view.c: `--view` ---- */
int run_view_check(const run_options *options, int variants);
/* Starts the viewer once the files are there. The exit code. */
int run_view_start(run *r);
/* Waits for Ctrl-C while the page of a run that ended well stays open; ends the page of another one. */
void run_view_end(run *r, int code);

/* ---- run_try.c ---- */
/* Runs options->steps steps with all callbacks, series and frames into a folder that is deleted afterwards,
 * then the report; functions of `every` that were not due are called once. *figures: number of figures of the
 * report. Returns the exit code; `trouble` receives the reason. */
int run_try(const run_options *options, int *figures, char trouble[1024]);

/* ---- run_dump.c ---- */
/* Writes the contact problem of step options->dump_step (from 1) of the run in `directory` to
 * options->dump_path. The exit code. */
int run_dump(const char *directory, const run_options *options);

/* ---- run_params.c: `scree run SCENE --help` ---- */
/* Loads options->scene (an experiment's too) and prints its parameters with defaults, units, bounds and
 * docs. The exit code. */
int run_print_params(run_options *options);
/* Operands after the first are key=value: parameters of the scene. */
int run_read_overrides(run_options *options, int operands, char **argv, const char *command);

/* ---- run_provenance.c ---- */
/* The JSON of run.json, allocated. */
char *run_provenance(const run *r);
int run_write_provenance(const run *r);
/* Prepares what run.json shall say should the script never come back and the process end. */
void run_prepare_last_words(run *r);
void run_forget_last_words(void);
/* Notes the parameters as JSON while the script is in good health. The exit code. */
int run_keep_params(run *r);

/* ---- run_report.c: the scene's report function, its key figures ---- */
int run_report(run *r);
/* Notes how far the solver came in the last step. */
void run_note_accuracy(run *r);
/* Prints the figures of accuracy of a finished run, its warnings, and the faults of an invalid run. Only the
 * figures are left out if the run is quiet. */
void run_print_accuracy(const run *r);
/* Judges a finished run: sets r->last and r->verdict. Returns CLI_OK or CLI_INVALID, or the code after a
 * message. */
int run_find_faults(run *r);
/* Returns whether a run with this exit code came to its end, valid or not. */
static inline int run_is_finished(int code) { return code == CLI_OK || code == CLI_INVALID; }
/* A table of figures on stdout: one column for each run. */
void run_print_figures(run *const *runs, int count);

/* ---- run_variants.c: several runs from one scene ---- */
enum { RUN_VARIANTS = 16, RUN_CHANGES = 16 };
typedef struct run_variant {
  char key[RUN_CHANGES][64], value[RUN_CHANGES][256];
  int changes;
} run_variant;
typedef struct run_variants {
  run_variant variant[RUN_VARIANTS];
  int count;
} run_variants;
/* Asks the scene; count 0 where it has none. */
int run_find_variants(run *r, run_variants *out);
/* Runs each in a directory of its own below `directory`, prints the figures side by side. */
int run_all_variants(const run_options *options, const char *directory, const run_variants *variants);

/* ---- run_progress.c: lines on stderr ---- */
/* Fails with CLI_USAGE in the name of the verb unless options->progress is auto, fancy, plain or none. */
int run_progress_check(const run_options *options, const char *verb);
void run_progress_start(run *r);
void run_progress_update(run *r);
void run_progress_end(run *r);
void run_print_profile(const run *r);
/* Prints the last line of a run: where its files are. Says how long output took if that was much. */
void run_print_place(const run *r, int code);

#endif
