/* scree dump: writes the contact problem of one step of a run to a file for `scree solve`. */
#include "run/run.h"

#include <stddef.h>
#include <unistd.h>

static const cli_option table[] = {
    {"step", 'n', CLI_WHOLE, "N", offsetof(run_options, dump_step), "which step; 1 is the first"},
    {"output", 'o', CLI_TEXT, "FILE", offsetof(run_options, dump_path), "where to write (DIR/step-N.prob)"},
    CLI_SANDBOX_OPTIONS(run_options, sandbox)};

static const char more[] = "DIR is the directory of a run, finished or not. The step is reached again from "
                           "the nearest checkpoint before it, or from the start;\n"
                           "the problem has the bits it had in the run. Nothing of the run is changed.";

int cmd_dump(int argc, char **argv) {
  run_options o = {.progress = "none", .command = "scree dump", .quiet = 1, .dump_step = -1};
  char path[RUN_PATH + 64];
  int operands = CLI_PARSE("dump", more, table, &o);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands != 1) return cli_fail(CLI_USAGE, "dump", "which run? usage: scree dump DIR --step N");
  if (o.dump_step < 1) return cli_fail(CLI_USAGE, "dump", "--step must be given, 1 for the first");
  if (access(argv[1], R_OK)) return cli_fail(CLI_IO, "dump", "there is no directory %s", argv[1]);
  snprintf(path, sizeof path, "%.1900s/step-%lld.prob", argv[1], (long long)o.dump_step);
  if (!o.dump_path) o.dump_path = path;
  int code = run_dump(argv[1], &o);
  if (!code) printf("written to %s\n", o.dump_path);
  return code;
}
