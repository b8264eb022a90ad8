/* scree resume: goes on with a run from its last checkpoint. */
#include "run.h"

#include <stddef.h>
#include <string.h>

static const cli_option table[] = {
  {"until", 'u', CLI_NUMBER, "SECONDS", offsetof(run_options, time), "simulated time to stop at, instead of the run's own end"},
  {"threads", 'j', CLI_WHOLE, "N", offsetof(run_options, threads), "threads of the engine; the result is the same for any number"},
  {"wall", 0, CLI_NUMBER, "SECONDS", offsetof(run_options, wall), "wall time after which the run stops again with a checkpoint"},
  {"checkpoint", 0, CLI_NUMBER, "SECONDS", offsetof(run_options, checkpoint_wall), "wall time between checkpoints (600)"},
  {"quiet", 'q', CLI_FLAG, NULL, offsetof(run_options, quiet), "no progress"},
};

int cmd_resume(int argc, char **argv) {
  run_options options = {.progress = "auto", .command = "scree resume", .checkpoint_wall = 600};
  int operands = cli_parse("resume", "DIR is the directory of a run that was stopped or killed.", table, sizeof table / sizeof *table, &options, argc, argv);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands != 1) return cli_fail(CLI_USAGE, "resume", "which run? usage: scree resume DIR");
  if (options.threads < 0 || options.threads > 1024) return cli_fail(CLI_USAGE, "resume", "--threads must lie in [1, 1024], not %lld", (long long)options.threads);
  return run_resume(argv[1], &options);
}
