/* What commands that run Lua have in common: options of the sandbox, exit codes, messages. */
#ifndef CLI_SCRIPT_H
#define CLI_SCRIPT_H

#include "bind/sandbox/runtime.h"
#include "cli.h"

typedef struct cli_sandbox {
  int trust;
  int64_t memory;
  double callback_time;
} cli_sandbox;
/* Without --trust 512 MiB and 1.2 s; 0 means not given. */
#define CLI_SANDBOX_OPTIONS(type, member) \
  {"trust", 0, CLI_FLAG, NULL, offsetof(type, member.trust), \
      "opens io and os to the script and lifts the caps"}, \
      {"memory", 0, CLI_COUNT, "MIB", offsetof(type, member.memory), "most memory of the script (512 MiB)"}, \
  { \
    "callback-time", 0, CLI_ABOVE, "SECONDS", offsetof(type, member.callback_time), \
        "most CPU time of one call of the script (1.2 s)" \
  }

/* Opens a runtime for a script; NULL after a message. */
sl_runtime *cli_open_runtime(
    const char *command, const char *path, const cli_sandbox *sandbox, uint64_t seed);
/* Prints the trouble of the last call on stderr and returns the exit code: 2 for refused values while
 * `starting`, 3 for script errors, 1 for a world that diverged, 4 for files. */
int cli_report_trouble(sl_runtime *runtime, sl_trouble trouble, const char *doing, int starting);

#endif
