/* A Lua state in a sandbox, with limits of memory and time.
 *
 * One runtime serves one scene or script. The allocator caps the memory. A timer, which costs nothing
 * until the cap is reached, caps the CPU time of one call into the script. Random numbers depend on the
 * seed only. docs/sandbox.md lists what a script may do. */
#ifndef SL_RUNTIME_H
#define SL_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <lua.h>
#include "scree/status.h"

typedef struct sl_runtime sl_runtime;
struct scree_world;

typedef struct sl_runtime_def {
  bool trust;          /* io and os are open to the script */
  const char *script;  /* path of the script; require searches its folder first; may be NULL */
  const char *library; /* the bundled lua/ folder; may be NULL */
  uint64_t seed;       /* seed of math.random and of every fill */
  size_t memory;       /* cap on Lua's heap [bytes]; 0: none */
  size_t total;        /* cap on Lua's heap and the engine's memory together [bytes]; 0: none */
  double seconds;      /* cap on the script's own CPU time in one call, without the engine [s]; 0: none */
  /* Called from a signal handler if a step does not return, or a script does not return after its time is
   * used up. The function should end the process. NULL: none. */
  void (*stuck)(bool in_step);
  /* Called with each world that has made a step, before the world is freed. It is not called for a world with
   * laws that the script defined. NULL: none. */
  void (*world_ends)(const struct scree_world *world);
  /* Receives each warning, a line without its end; NULL: warnings go to stderr. */
  void (*warn)(void *context, const char *text);
  void *warn_context;
} sl_runtime_def;

/* Returns the defaults: trust false, memory 512 MiB, total half of the machine's memory, seconds 1.2, seed
 * 1. */
sl_runtime_def sl_runtime_defaults(void);
/* Opens a runtime, which the caller closes. Returns NULL on failure. */
sl_runtime *sl_runtime_open(const sl_runtime_def *def, scree_error *error);
/* Closes a runtime and frees its memory. */
void sl_runtime_close(sl_runtime *runtime);
/* Returns the Lua state of a runtime. */
lua_State *sl_runtime_lua(sl_runtime *runtime);
/* Returns the runtime of a Lua state or coroutine. */
sl_runtime *sl_runtime_of(lua_State *L);
/* Restarts the random numbers of the runtime with a seed. */
void sl_runtime_seed(sl_runtime *runtime, uint64_t seed);
/* Returns the seed of the runtime. */
uint64_t sl_runtime_get_seed(const sl_runtime *runtime);
/* Returns the cap on the time of a call [s]. */
double sl_runtime_seconds(const sl_runtime *runtime);
/* Sets the end of the run that the command line gives: `time` [s] and `steps`; 0: not given. Each replaces
 * the value of a scene's `stop`. */
void sl_runtime_set_end(sl_runtime *runtime, double time, int64_t steps);
/* Returns the four words of the random generator's state, for checkpoints. */
uint64_t *sl_runtime_random(sl_runtime *runtime);

/* Kind of failure of a call. sl_message returns the text and sl_traceback the lines of the script. */
typedef enum sl_trouble {
  SL_FINE = 0,
  SL_CONFIG,  /* the engine or a table reader refused a value */
  SL_SCRIPT,  /* an error in the script itself */
  SL_LAW,     /* a friction law of the script failed */
  SL_LIMIT,   /* memory or time ran out */
  SL_NUMERIC, /* the world stopped being finite */
  SL_IO       /* a file could not be read or written */
} sl_trouble;
/* Returns the scree_status of a kind of failure. */
scree_status sl_trouble_status(sl_trouble trouble);

/* Sets the directory of the run, where files made by the script go. The path is copied; NULL: none. folder:
 * descriptor of the open directory, borrowed from the caller. If the directory is moved, files go to its new
 * place. -1: the path is fixed. */
void sl_runtime_set_directory(sl_runtime *runtime, const char *directory, int folder);

/* Returns a text to append to an error message. The text is "" unless, since the last call, an allocation
 * failed because of the cap on memory. */
const char *sl_memory_words(sl_runtime *runtime);

/* Discards files made by the script from now on, because another process that runs the same script writes
 * them. */
void sl_runtime_silence(sl_runtime *runtime);
/* Returns whether files made by the script are discarded. */
bool sl_runtime_silent(const sl_runtime *runtime);

/* Loads a text file as a chunk and pushes its function. Byte code is an error. */
sl_trouble sl_load_file(sl_runtime *runtime, const char *path);
/* Calls the function below `arguments` values on the stack, within the limits. After a failure there are
 * no results on the stack, and sl_message and sl_traceback describe the failure. */
sl_trouble sl_call(sl_runtime *runtime, int arguments, int results);
/* Returns the text of the last failure, with file and line. */
const char *sl_message(const sl_runtime *runtime);
/* Returns the traceback of the last failure; "" without one. */
const char *sl_traceback(const sl_runtime *runtime);

/* A file loaded by the script, for provenance. */
typedef struct sl_source {
  const char *path;
  size_t bytes;
  char sha256[65];
} sl_source;
/* Returns a loaded file: the scene first, then the modules that it required. NULL beyond the last. */
const sl_source *sl_runtime_source(const sl_runtime *runtime, int index);

#endif
