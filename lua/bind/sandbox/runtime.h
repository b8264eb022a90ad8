/* A Lua state for scree: opened with a sandbox around it, run under limits, closed.
 *
 * One runtime serves one scene or script. Memory is capped by the allocator; the CPU time of one call
 * into the script is capped by a timer that costs nothing until it strikes; randomness comes from the
 * seed alone. docs/sandbox.md lists what a script may do. */
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
  const char *script;  /* path of the script: require looks in its folder first; may be NULL */
  const char *library; /* the bundled lua/ folder; may be NULL */
  uint64_t seed;       /* of math.random and every fill */
  size_t memory;       /* most bytes of Lua's heap; 0: no cap */
  size_t total;        /* most bytes of that and of all that the engine holds for the script; 0: no cap */
  /* most CPU seconds of one call into the script, engine time not counted; 0: no cap */
  double seconds;
  /* Called from a signal handler where a script over its time, or a step, does not come back: to end the
   * process. NULL: nothing is done. */
  void (*stuck)(bool in_step);
  /* Called with each world that took a step, before it is freed; not if laws of the script act in it. NULL:
   * nothing is done. */
  void (*world_ends)(const struct scree_world *world);
  /* Receives each warning, a line without its end; NULL: warnings go to stderr. */
  void (*warn)(void *context, const char *text);
  void *warn_context;
} sl_runtime_def;

/* trust off, 512 MiB for Lua, half of the machine's memory in all, 1.2 s, seed 1. */
sl_runtime_def sl_runtime_defaults(void);
/* NULL with a text on error. */
sl_runtime *sl_runtime_open(const sl_runtime_def *def, scree_error *error);
void sl_runtime_close(sl_runtime *runtime);
lua_State *sl_runtime_lua(sl_runtime *runtime);
/* The runtime a state (or one of its coroutines) belongs to. */
sl_runtime *sl_runtime_of(lua_State *L);
/* Starts the random numbers of the runtime anew. */
void sl_runtime_seed(sl_runtime *runtime, uint64_t seed);
uint64_t sl_runtime_get_seed(const sl_runtime *runtime);
/* The cap on the time of a call. */
double sl_runtime_seconds(const sl_runtime *runtime);
/* The end that the command line asks for: a scene without `stop` takes it. 0: none. */
void sl_runtime_set_end(sl_runtime *runtime, double time, int64_t steps);
/* The four words of the generator: part of a checkpoint. */
uint64_t *sl_runtime_random(sl_runtime *runtime);

/* What went wrong in a call: the kind, the text with file:line, and a traceback with the script's lines. */
typedef enum sl_trouble {
  SL_FINE = 0,
  SL_CONFIG,  /* the engine or a table reader refused a value */
  SL_SCRIPT,  /* an error in the script itself */
  SL_LAW,     /* a friction law of the script failed */
  SL_LIMIT,   /* memory or time ran out */
  SL_NUMERIC, /* the world stopped being finite */
  SL_IO       /* a file could not be read or written */
} sl_trouble;

/* Sets the directory of the run, where files made by the script go. The path is copied; NULL: none. folder
 * is the directory as the caller has opened it and is borrowed: files follow it if it is moved. -1: the
 * path is fixed. */
void sl_runtime_set_directory(sl_runtime *runtime, const char *directory, int folder);

/* "", or what a message adds where an allocation failed for the cap on memory since the last call. */
const char *sl_memory_words(sl_runtime *runtime);

/* Files made by the script go nowhere from now on: another process, running the same script, writes them. */
void sl_runtime_silence(sl_runtime *runtime);
bool sl_runtime_silent(const sl_runtime *runtime);

/* Loads a text file as a chunk and leaves the function on the stack. Byte code is refused. */
sl_trouble sl_load_file(sl_runtime *runtime, const char *path);
/* Calls the function under `arguments` values on the stack, within the limits. On trouble the results
 * are missing from the stack and sl_message and sl_traceback tell why. */
sl_trouble sl_call(sl_runtime *runtime, int arguments, int results);
/* The text of the last trouble, and the stack at that time ("" without one). */
const char *sl_message(const sl_runtime *runtime);
const char *sl_traceback(const sl_runtime *runtime);

/* Files loaded so far (the scene first, then what it required), for provenance. NULL past the last. */
typedef struct sl_source {
  const char *path;
  size_t bytes;
  char sha256[65];
} sl_source;
const sl_source *sl_runtime_source(const sl_runtime *runtime, int index);

#endif
