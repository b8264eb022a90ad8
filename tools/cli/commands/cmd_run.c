/* scree run: reads the command line, then runs the scene. */
#include "run/run.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const cli_option table[] = {
    {"set", 's', CLI_LIST, "PATH=VALUE", offsetof(run_options, sets),
        "changes an entry of an experiment, e.g. params.mu=0.3; may be repeated"},
    {"output", 'o', CLI_TEXT, "DIR", offsetof(run_options, directory), "where to write (runs/SCENE-TIME)"},
    {"force", 'f', CLI_FLAG, NULL, offsetof(run_options, force), "overwrites a run in that directory"},
    {"time", 't', CLI_ABOVE, "SECONDS", offsetof(run_options, time),
        "simulated time to stop at, instead of the scene's"},
    {"steps", 0, CLI_COUNT, "N", offsetof(run_options, steps),
        "number of steps to stop at, instead of the scene's"},
    {"threads", 'j', CLI_CORES, "N", offsetof(run_options, threads),
        "threads of the engine, 0: all cores; the result is the same for any number"},
    {"wall", 0, CLI_ABOVE, "SECONDS", offsetof(run_options, wall),
        "wall time after which the run stops with a checkpoint (exit code 75)"},
    {"checkpoint", 0, CLI_NUMBER, "SECONDS", offsetof(run_options, checkpoint_wall),
        "wall time between checkpoints (600); 0: only when stopped"},
    {"keep", 0, CLI_COUNT, "N", offsetof(run_options, checkpoint_keep), "generations of checkpoints (2)"},
    {"checkpoint-dir", 0, CLI_TEXT, "DIR", offsetof(run_options, checkpoint_dir),
        "second folder, for checkpoints that the run's own cannot take"},
    {"final-checkpoint", 0, CLI_FLAG, NULL, offsetof(run_options, checkpoint_final),
        "keeps the last state, so that the completed run can be resumed with --until"},
    {"grid", 'g', CLI_TEXT, "AxBxC", offsetof(run_options, grid),
        "under mpirun: ranks along x, y and z (as the box of the bodies suggests)"},
    {"imbalance", 0, CLI_NUMBER, "X", offsetof(run_options, imbalance),
        "under mpirun: planes between ranks move when one holds X times the mean (1.1)"},
    {"quiet", 'q', CLI_FLAG, NULL, offsetof(run_options, quiet), "no progress"},
    {"progress", 0, CLI_TEXT, "HOW", offsetof(run_options, progress), "auto, fancy, plain or none"},
    {"view", 0, CLI_FLAG, NULL, offsetof(run_options, view), "shows the run in the browser as it goes"},
    {"no-open", 0, CLI_FLAG, NULL, offsetof(run_options, no_open),
        "with --view: only prints the page's address"},
    {"profile", 0, CLI_FLAG, NULL, offsetof(run_options, profile), "prints the seconds each stage took"},
    CLI_SANDBOX_OPTIONS(run_options, sandbox),
};

static const char more[] =
    "An experiment (EXP.yaml) names its scene and what to do with it; see docs/experiments.md.\n"
    "key=value sets a parameter of the scene (its table `params`). The scene runs in a sandbox unless "
    "--trust is given.\n"
    "The directory receives trajectory.scree, series.csv, run.json and what the scene's report writes.";

static int check_options(const run_options *options, double time_given) {
  int code = run_progress_check(options, "run");
  if (code) return code;
  if (time_given != 0 && !(options->time > 0 && options->time < 1e300))
    return cli_fail(CLI_USAGE, "run", "--time must be greater than 0, not %g", options->time);
  if (options->checkpoint_keep > 100)
    return cli_fail(
        CLI_USAGE, "run", "--keep must lie in [1, 100], not %lld", (long long)options->checkpoint_keep);
  if (options->directory && !*options->directory)
    return cli_fail(CLI_USAGE, "run", "--output is empty: it must name a directory");
  if (!(options->checkpoint_wall >= 0))
    return cli_fail(CLI_USAGE, "run", "--checkpoint must be at least 0, not %g", options->checkpoint_wall);
  return CLI_OK;
}

/* Returns the command line as typed, for run.json; the caller frees it. */
static char *join_arguments(int argc, char **argv) {
  size_t size = 8;
  for (int i = 0; i < argc; i++) size += strlen(argv[i]) + 1;
  char *text = malloc(size);
  if (!text) return NULL;
  strcpy(text, "scree");
  for (int i = 0; i < argc; i++) strcat(strcat(text, " "), argv[i]);
  return text;
}

/* Prints the scene's parameters after the options for `scree run SCENE --help`. */
static int help_of_scene(const run_options *options, int argc, char **argv) {
  int asked = 0;
  const char *scene = NULL;
  for (int i = 1; i < argc; i++) {
    const char *dot = strrchr(argv[i], '.');
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) asked = 1;
    else if (!scene && *argv[i] != '-' && dot && (!strcmp(dot, ".lua") || run_is_experiment(argv[i])))
      scene = argv[i];
  }
  run_options own = *options;
  own.scene = scene;
  return asked && scene ? run_print_params(&own) : CLI_OK;
}

static int run_operands(run_options *options, int argc, char **argv) {
  int code = CLI_OK,
      operands = cli_parse("run", more, table, sizeof table / sizeof *table, options, argc, argv);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands == 0)
    return cli_fail(CLI_USAGE, "run", "which scene? usage: scree run SCENE.lua [key=value ...]");
  if ((code = run_read_overrides(options, operands, argv, "run")) ||
      (code = check_options(options, options->time)) || (code = run_ranks_check(options)))
    return code;
  options->scene = argv[1];
  if (options->sets.count && !run_is_experiment(argv[1]))
    return cli_fail(CLI_USAGE, "run", "--set is for experiments; a scene takes its parameters as key=value");
  return run_is_experiment(argv[1]) ? run_experiment(options) : run_scene(options);
}

int cmd_run(int argc, char **argv) {
  run_options options = {.progress = "auto", .checkpoint_wall = 600};
  char *command = join_arguments(argc, argv);
  options.command = command ? command : "scree run";
  options.time = -0.0;
  int code = help_of_scene(&options, argc, argv);
  if (!code) code = run_ranks_start(&options);
  if (!code) code = run_operands(&options, argc, argv);
  free(command);
  return run_ranks_end(&options, code);
}
