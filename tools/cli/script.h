/* What commands that run Lua have in common: options of the sandbox, exit codes, messages. */
#ifndef CLI_SCRIPT_H
#define CLI_SCRIPT_H

#include <stdbool.h>

#include "bind/sandbox/runtime.h"
#include "cli.h"

typedef struct cli_sandbox {
  int trust;
  int64_t memory;
  double callback_time;
  bool is_own; /* the user's own script: no cap on its time unless callback_time is given */
} cli_sandbox;
/* Without --trust 1.2 s (no cap if is_own), 512 MiB for Lua and half of the machine's memory with the
 * engine's; 0 means not given. */
#define CLI_SANDBOX_OPTIONS(type, member) \
  {"trust", 0, CLI_FLAG, NULL, offsetof(type, member.trust), \
      "opens io and os to the script and lifts the caps"}, \
      {"memory", 0, CLI_COUNT, "MIB", offsetof(type, member.memory), \
          "most memory of the script and its worlds (half of the machine's)"}, \
  { \
    "callback-time", 0, CLI_ABOVE, "SECONDS", offsetof(type, member.callback_time), \
        "most CPU time of one call of the script (1.2 s; in scree lua no cap)" \
  }

/* The options as a user types them, each followed by a space: they hold for one command. */
const char *cli_sandbox_words(const cli_sandbox *sandbox, char out[128]);
/* Opens a runtime for a script; NULL after a message. */
sl_runtime *cli_open_runtime(
    const char *command, const char *path, const cli_sandbox *sandbox, uint64_t seed);
/* What is said, with the cap, where a script over its time or a step does not come back and the process
 * ends. */
#define CLI_STUCK "the script used more than %g s of CPU time in one call and does not come back"
#define CLI_STUCK_STEP \
  "a step used more than 50 times %g s of CPU time and 20 ms for each body, and does not end"
/* What is called before, in a signal handler; NULL: nothing. */
void cli_before_end(void (*words)(bool in_step));
/* Prints the trouble of the last call on stderr and returns the exit code: 2 for refused values while
 * `starting`, 3 for script errors, 1 for a world that diverged, 4 for files. */
int cli_report_trouble(sl_runtime *runtime, sl_trouble trouble, const char *doing, int starting);

enum { CLI_NAMES = 1024 };
/* Sorts the names of the table on top of the stack, which owns them. Returns their number, CLI_NAMES at
 * most. */
int cli_sort_names(lua_State *L, const char *name[CLI_NAMES]);

#endif
