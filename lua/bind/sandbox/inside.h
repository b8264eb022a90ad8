/* The members of a runtime, for the files that implement it. */
#ifndef SL_INSIDE_H
#define SL_INSIDE_H

#include <signal.h>
#include <time.h>
#include "bind/sandbox/runtime.h"

enum {
  SL_TEXT = 2048,  /* size of the longest error message [bytes] */
  SL_TRACE = 8192, /* size of the longest traceback [bytes] */
  SL_SOURCES = 256 /* maximum number of source files that are recorded */
};

/* Kinds of work that the timer measures, and limits. The cap is the CPU time of one call into the script
 * (def.seconds). A verb is a function that makes the engine work. Within one call of the script, all verbs
 * together may use SL_ENGINE_CAPS times the cap and, in addition, 0.5 ms per body of the world. A step may
 * use SL_ENGINE_CAPS times the cap and a tick of 20 ms per body. */
enum {
  SL_SELF = 0,             /* kind of work: the script */
  SL_VERB = 1,             /* kind of work: a verb, a function that makes the engine work */
  SL_STEP = 2,             /* kind of work: a step */
  SL_BODIES_PER_TICK = 40, /* number of bodies for which verbs may use one more tick */
  SL_ENGINE_CAPS = 50,     /* ratio of the time limit of verbs and steps to the cap of the script */
  SL_WORLDS_MOST = 64,     /* maximum number of worlds of an untrusted script */
  SL_FIGURES_MOST = 64,    /* maximum number of figures of an untrusted script */
  SL_HULL_MOST = 10000     /* maximum number of points of a hull of an untrusted script */
};

struct sl_runtime {
  lua_State *L;
  sl_runtime_def def;
  size_t used;         /* size of Lua's heap [bytes] */
  size_t refusing_cap; /* cap that refused the last allocation [bytes]; 0: the system refused it */
  uint64_t seed, random[4];
  void *experiment;  /* sl_experiment that changes the scenes; NULL: none */
  double end_time;   /* end of the run [s], which replaces the scene's; 0: none */
  int64_t end_steps; /* end of the run in steps, which replaces the scene's; 0: none */
  /* the guard (guard.c) */
  lua_State *running;           /* the coroutine that is running */
  volatile sig_atomic_t calls;  /* depth of sl_call; 0: no script is running */
  volatile sig_atomic_t engine; /* kind of work: SL_SELF, SL_VERB, SL_STEP */
  /* ticks of the timer during functions that make the engine work, in the present call of the script */
  volatile sig_atomic_t engine_ticks;
  volatile sig_atomic_t most_engine_ticks; /* limit of engine_ticks */
  volatile sig_atomic_t is_engine_late;    /* 1: engine_ticks exceeded their limit, not the script's ticks */
  volatile sig_atomic_t ticks;   /* ticks of the timer during the script's own work within the present call */
  volatile sig_atomic_t dead;    /* over budget: every further instruction of the script raises an error */
  volatile sig_atomic_t overdue; /* weighted ticks since dead was set; GRACE in guard.c is the limit */
  volatile sig_atomic_t step_ticks; /* ticks left for the present steps */
  sig_atomic_t most_ticks;          /* cap of the script in ticks; 0: none */
  timer_t timer;
  bool has_timer;
  /* a scene, not a plain script: steps do not reset the time of the script */
  bool is_scene;
  int warned_worlds;   /* number of worlds with a warning about walls */
  int64_t most_bodies; /* cap on the bodies of all worlds of an untrusted script */
  int64_t added;       /* number of bodies added one by one; every 4096th addition checks most_bodies */
  int worlds;          /* number of existing worlds */
  int figures;         /* number of figures drawn so far */
  bool silent;         /* another process writes the script's files */
  bool in_hook;        /* a callback of a scene is running, which must not step its world */
  /* the last error */
  scree_status fault; /* status that belongs to fault_text */
  char fault_text[SL_TEXT], message[SL_TEXT], traceback[SL_TRACE];
  char hint[128];
  const char *located, *located_path;
  char *directory; /* path of the run's directory, updated by sl_directory; NULL: none */
  int folder;      /* descriptor of the run's directory; -1: none */
  size_t printed;  /* number of bytes that the script printed */
  /* source files that were loaded */
  sl_source sources[SL_SOURCES];
  int sources_count;
};

/* Starts the timer of the runtime (guard.c). */
scree_status sl_guard_start(sl_runtime *runtime, scree_error *error);
/* Deletes the timer. */
void sl_guard_stop(sl_runtime *runtime);
/* Raises the budget error if the runtime is over budget. Loops inside C functions call it. */
void sl_guard_poll(lua_State *L);

/* Sets the time limit of all functions that make the engine work, within the present call of the script
 * (most_engine_ticks). bodies: number of bodies of the world; the limit is higher for more bodies. */
void sl_guard_credit(sl_runtime *runtime, int64_t bodies);
/* Starts the work of `steps` steps of a world with `bodies` bodies. Returns the previous kind of work, for
 * sl_engine_leave. */
int sl_guard_step(sl_runtime *runtime, int64_t bodies, int64_t steps);

/* Sets up the globals of the state (sandbox.c). Pushes nothing. Raises an error if memory runs out. */
void sl_open_sandbox(lua_State *L);
/* Lua function require (require.c). */
int sl_require(lua_State *L);
/* Lua function error(message [, level]). If a module of the bundled library calls error, the message names
 * the innermost line of the script, whatever the level. Such an error has the status SCREE_E_ARGUMENT
 * (errors.c). */
int sl_error(lua_State *L);
/* Reads a text file of at most 16 MiB, pushes its text and records it as a source. On failure pushes a
 * message and returns false. */
bool sl_read_source(lua_State *L, const char *path);

/* Sets the state of the generator xoshiro256** (Blackman & Vigna 2018) from a seed, by splitmix64
 * (random.c). */
void sl_random_seed(uint64_t state[4], uint64_t seed);
/* Returns the next random number of 64 bits. */
uint64_t sl_random_next(uint64_t state[4]);
/* Returns a random number in [0, 1). */
double sl_random_unit(uint64_t state[4]);

/* Returns the path of the run's directory, NULL if there is none (objects/files/output.c). The path is
 * updated if the directory was moved. */
const char *sl_directory(sl_runtime *runtime);

#endif
