/* Functions of commands that run Lua: options of the sandbox, exit codes, messages. */
#ifndef CLI_SCRIPT_H
#define CLI_SCRIPT_H

#include <stdbool.h>

#include "bind/sandbox/runtime.h"
#include "cli.h"

/* Options of the sandbox; 0: not given. */
typedef struct cli_sandbox {
  int trust;
  int64_t memory;       /* cap on memory [MiB] */
  double callback_time; /* cap on CPU time of one call [s] */
  bool is_own;          /* the user's own script: no cap on its time unless callback_time is given */
} cli_sandbox;
/* Options of the sandbox. Defaults without --trust: 1.2 s per call (no cap if is_own), 512 MiB for Lua,
 * and half of the machine's memory for Lua and the engine together. */
#define CLI_SANDBOX_OPTIONS(type, member) \
  {"trust", 0, CLI_FLAG, NULL, offsetof(type, member.trust), \
      "opens io and os to the script and lifts the caps"}, \
      {"memory", 0, CLI_COUNT, "MIB", offsetof(type, member.memory), \
          "most memory of the script and its worlds (half of the machine's)"}, \
  { \
    "callback-time", 0, CLI_ABOVE, "SECONDS", offsetof(type, member.callback_time), \
        "most CPU time of one call of the script (1.2 s; in scree lua no cap)" \
  }

/* Writes the given options as a user types them, each followed by a space. Returns out. */
const char *cli_sandbox_words(const cli_sandbox *sandbox, char out[128]);
/* Opens a runtime for a script. Returns NULL after a message. */
sl_runtime *cli_open_runtime(
    const char *command, const char *path, const cli_sandbox *sandbox, uint64_t seed);
/* Formats of the messages when the process ends because a call or a step does not return; %g: the cap [s]. */
#define CLI_STUCK "the script used more than %g s of CPU time in one call and does not come back"
#define CLI_STUCK_STEP \
  "a step used more than 50 times %g s of CPU time and 20 ms for each body, and does not end"
/* Sets a function that is called, in a signal handler, before the process ends in this way; NULL: none. */
void cli_before_end(void (*words)(bool in_step));
/* Prints the failure of the last call on stderr and returns the exit code: 2 for refused values while
 * `starting`, 3 for script errors, 1 for a world that diverged, 4 for files. */
int cli_report_trouble(sl_runtime *runtime, sl_trouble trouble, const char *doing, int starting);

enum { CLI_NAMES = 1024 }; /* maximum number of names; further names are ignored */
/* Lists the names of the table on top of the stack in order; the table owns them. Returns their number. */
int cli_sort_names(lua_State *L, const char *name[CLI_NAMES]);

#endif
