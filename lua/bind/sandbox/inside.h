/* The inside of a runtime: for the files that make it up (runtime, guard, sandbox, reader). */
#ifndef SL_INSIDE_H
#define SL_INSIDE_H

#include <signal.h>
#include <time.h>
#include "bind/sandbox/runtime.h"

enum { SL_TEXT = 2048, SL_TRACE = 8192, SL_SOURCES = 256 };

/* Kinds of code that work while the timer ticks. A script may work up to the cap. Verbs of the engine may
 * together work SL_ENGINE_CAPS caps and 0.5 ms for each body of the world, within one call of the script. A
 * step may work SL_ENGINE_CAPS caps and a tick of 20 ms for each body. */
enum {
  SL_SELF = 0,
  SL_VERB = 1,
  SL_STEP = 2,
  SL_BODIES_PER_TICK = 40,
  SL_ENGINE_CAPS = 50,
  SL_WORLDS_MOST = 64,
  SL_FIGURES_MOST = 64,
  SL_HULL_MOST = 10000
};

struct sl_runtime {
  lua_State *L;
  sl_runtime_def def;
  size_t used;         /* bytes of Lua's heap */
  size_t refusing_cap; /* the cap that refused memory last, 0 where it was the machine */
  uint64_t seed, random[4];
  void *experiment; /* sl_experiment that scenes are run by; NULL: as they are */
  double end_time;  /* of the run, instead of the scene's; 0: none */
  int64_t end_steps;
  /* the guard (guard.c) */
  lua_State *running;           /* the coroutine at work */
  volatile sig_atomic_t calls;  /* depth of sl_call: 0 means no script is at work */
  volatile sig_atomic_t engine; /* who is at work: SL_SELF, SL_VERB, SL_STEP */
  /* of the timer within this call while a verb of the engine was at work */
  volatile sig_atomic_t engine_ticks;
  volatile sig_atomic_t most_engine_ticks; /* largest number of ticks of engine verbs within one call */
  volatile sig_atomic_t is_engine_late;    /* the time of engine verbs ran out, not the time of the script */
  volatile sig_atomic_t ticks;             /* ticks of the timer within this call, outside the engine */
  volatile sig_atomic_t dead;              /* over budget: every further instruction of the script raises */
  volatile sig_atomic_t overdue;           /* ticks since then, weighted */
  volatile sig_atomic_t step_ticks;        /* ticks left to the present steps */
  sig_atomic_t most_ticks;                 /* 0: no cap */
  timer_t timer;
  bool has_timer;
  /* a scene, not a plain script: stepping does not start the time anew */
  bool is_scene;
  int warned_worlds;   /* number of worlds whose walls had a warning */
  int64_t most_bodies; /* of all worlds of an untrusted script together */
  int64_t added;       /* bodies one by one, so far */
  int worlds;          /* alive */
  int figures;         /* drawn so far */
  bool silent;         /* another process writes the script's files */
  bool in_hook;        /* a callback of a scene is at work: it must not step */
  /* errors */
  scree_status fault; /* status behind fault_text */
  char fault_text[SL_TEXT], message[SL_TEXT], traceback[SL_TRACE];
  char hint[128];
  const char *located, *located_path;
  char *directory; /* path of the run's directory; NULL: none. sl_directory brings it up to date */
  int folder;      /* the run's directory, opened by the program; -1: not */
  /* files loaded */
  size_t printed; /* bytes by print */
  sl_source sources[SL_SOURCES];
  int sources_count;
};

/* guard.c: the timer of a runtime, and the functions that cannot be fooled by it. */
scree_status sl_guard_start(sl_runtime *runtime, scree_error *error);
void sl_guard_stop(sl_runtime *runtime);
/* Raises the budget error when the runtime is over budget: for loops inside C functions. */
void sl_guard_poll(lua_State *L);

/* Sets the time that verbs of the engine may use in this call, for a world of so many bodies. */
void sl_guard_credit(sl_runtime *runtime, int64_t bodies);
/* So many steps of such a world begin; returns who was at work. */
int sl_guard_step(sl_runtime *runtime, int64_t bodies, int64_t steps);

/* sandbox.c: pushes nothing; the state's globals are in place afterwards. Raises on lack of memory. */
void sl_open_sandbox(lua_State *L);
/* require.c */
int sl_require(lua_State *L);
/* Reads a whole text file of at most 16 MiB into a string on the stack and notes it as a source; false
 * with a message on the stack. */
bool sl_read_source(lua_State *L, const char *path);

/* random.c: xoshiro256** (Blackman & Vigna 2018) seeded by splitmix64. */
void sl_random_seed(uint64_t state[4], uint64_t seed);
uint64_t sl_random_next(uint64_t state[4]);
double sl_random_unit(uint64_t state[4]);

/* objects/files/output.c: returns the path of the run's directory, NULL if there is none. The path follows
 * a directory that was moved. */
const char *sl_directory(sl_runtime *runtime);

#endif
