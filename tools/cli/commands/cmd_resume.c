/* scree resume: continues a run from its last checkpoint. */
#include "run/run.h"

#include <stddef.h>

static const cli_option table[] = {
    {"until", 'u', CLI_ABOVE, "SECONDS", offsetof(run_options, time),
        "simulated time to stop at, instead of the run's own end"},
    {"threads", 'j', CLI_CORES, "N", offsetof(run_options, threads),
        "threads of the engine, 0: all cores; the result is the same for any number"},
    {"wall", 0, CLI_ABOVE, "SECONDS", offsetof(run_options, wall),
        "wall time after which the run stops again with a checkpoint"},
    {"checkpoint", 0, CLI_NUMBER, "SECONDS", offsetof(run_options, checkpoint_wall),
        "wall time between checkpoints (600)"},
    {"checkpoint-dir", 0, CLI_TEXT, "DIR", offsetof(run_options, checkpoint_dir),
        "second folder, for checkpoints that the run's own cannot take"},
    {"from", 0, CLI_TEXT, "FILE", offsetof(run_options, from), "another checkpoint than the one in DIR"},
    {"grid", 'g', CLI_TEXT, "AxBxC", offsetof(run_options, grid),
        "under mpirun: ranks along x, y and z; any number of ranks goes on with any run"},
    {"imbalance", 0, CLI_NUMBER, "X", offsetof(run_options, imbalance),
        "under mpirun: planes between ranks move when one holds X times the mean (1.1)"},
    {"final-checkpoint", 0, CLI_FLAG, NULL, offsetof(run_options, checkpoint_final),
        "keeps the last state, so that the completed run can be resumed with --until"},
    {"quiet", 'q', CLI_FLAG, NULL, offsetof(run_options, quiet), "no progress"},
    {"progress", 0, CLI_TEXT, "HOW", offsetof(run_options, progress), "auto, fancy, plain or none"},
    {"profile", 0, CLI_FLAG, NULL, offsetof(run_options, profile), "prints the seconds each stage took"},
    CLI_SANDBOX_OPTIONS(run_options, sandbox),
};

static int resume_run(run_options *options, int argc, char **argv) {
  int operands = cli_parse("resume", "DIR is the directory of a run that was stopped or killed.", table,
      sizeof table / sizeof *table, options, argc, argv);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands != 1) return cli_fail(CLI_USAGE, "resume", "which run? usage: scree resume DIR");
  int code = run_progress_check(options, "resume");
  if (!code) code = run_ranks_check(options);
  return code ? code : run_resume(argv[1], options);
}

int cmd_resume(int argc, char **argv) {
  run_options options = {.progress = "auto", .command = "scree resume", .checkpoint_wall = 600};
  int code = run_ranks_start(&options);
  return run_ranks_end(&options, code ? code : resume_run(&options, argc, argv));
}
