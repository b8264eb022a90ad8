/* Opening and closing a Lua state. */
#include "bind/sandbox/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <lauxlib.h>
#include "scree/memory.h"

sl_runtime_def sl_runtime_defaults(void) {
  double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  return (sl_runtime_def){
      .seed = 1, .memory = (size_t)512 << 20, .total = (size_t)(machine / 2), .seconds = 1.2};
}

/* Returns whether Lua's heap may grow by `more` bytes within its cap and within the cap on all memory. If
 * not, stores the cap that refuses. */
static bool fits_caps(sl_runtime *runtime, size_t more) {
  const sl_runtime_def *def = &runtime->def;
  bool own = !def->memory || (more <= def->memory && runtime->used <= def->memory - more);
  bool all = !def->total || more <= scree_memory_left();
  if (!own || !all) runtime->refusing_cap = own ? def->total : def->memory;
  return own && all;
}

/* Allocator of the Lua state. It counts the bytes of the script and refuses blocks beyond the cap; Lua
 * then collects garbage, tries again, and raises its memory error. The count is also reported to the
 * engine's memory cap. */
static void *allocate_block(void *user, void *block, size_t old_size, size_t size) {
  sl_runtime *runtime = user;
  if (!block) old_size = 0;
  if (!size) {
    scree_memory_beside(runtime->used -= old_size);
    free(block);
    return NULL;
  }
  if (size > old_size && !fits_caps(runtime, size - old_size)) return NULL;
  void *grown = realloc(block, size);
  if (grown) scree_memory_beside(runtime->used += size - old_size);
  else runtime->refusing_cap = 0;
  return grown;
}

static int open_globals(lua_State *L) {
  sl_open_sandbox(L);
  return 0;
}

/* Called for an error outside a protected call, which cannot happen inside sl_call. Lua then aborts the
 * process, because the state is broken. */
static int handle_panic(lua_State *L) {
  fprintf(stderr, "scree: unprotected Lua error: %s\n", lua_tostring(L, -1));
  return 0;
}

sl_runtime *sl_runtime_open(const sl_runtime_def *def, scree_error *error) {
  sl_runtime *runtime = calloc(1, sizeof *runtime);
  if (!runtime)
    return error->status = SCREE_E_MEMORY,
           snprintf(error->text, sizeof error->text, "no memory for a Lua state"), NULL;
  runtime->def = *def;
  sl_runtime_seed(runtime, def->seed);
  lua_State *L = runtime->L = lua_newstate(allocate_block, runtime);
  if (!L)
    return error->status = SCREE_E_MEMORY,
           snprintf(error->text, sizeof error->text, "no memory for a Lua state"), free(runtime), NULL;
  *(sl_runtime **)lua_getextraspace(L) = runtime;
  runtime->running = L;
  scree_memory_limit(def->total);
  // one body per KiB of the machine's memory, because a sphere needs about 200 bytes at its creation and 450
  // bytes after the first step
  runtime->most_bodies = (int64_t)((double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 1024);
  lua_atpanic(L, handle_panic);
  // build the globals in a protected call, then start the timer
  lua_pushcfunction(L, open_globals);
  if (lua_pcall(L, 0, 0, 0) != LUA_OK) {
    error->status = SCREE_E_MEMORY;
    snprintf(error->text, sizeof error->text, "cannot set up Lua: %s", lua_tostring(L, -1));
  } else if (sl_guard_start(runtime, error) == SCREE_OK) {
    return runtime;
  }
  sl_runtime_close(runtime);
  return NULL;
}

void sl_runtime_close(sl_runtime *runtime) {
  if (!runtime) return;
  sl_guard_stop(runtime);
  lua_close(runtime->L);
  scree_memory_beside(0);
  scree_memory_limit(0);
  for (int i = 0; i < runtime->sources_count; i++) free((char *)runtime->sources[i].path);
  free(runtime->directory);
  free(runtime);
}
