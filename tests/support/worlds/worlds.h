/* Worlds for tests, which worlds.lua makes. Together they use all features of a world. */
#ifndef TEST_WORLDS_H
#define TEST_WORLDS_H

#include <stdio.h>
#include <stdlib.h>

#include <lauxlib.h>
#include "bind/object.h"
#include "bind/sandbox/runtime.h"

typedef struct worlds {
  sl_runtime *runtime;
  lua_State *L;
} worlds;

/* Opens a Lua runtime. The table of functions that make worlds is at stack index 1. Returns false after an
 * error; *all needs no closing then. */
static inline bool worlds_open_quietly(worlds *all) {
  scree_error error = {SCREE_OK, ""};
  sl_runtime_def def = sl_runtime_defaults();
  def.seconds = 0, def.library = SCREE_TESTS_DIR "/../lua";
  all->runtime = sl_runtime_open(&def, &error);
  if (!all->runtime) return false;
  all->L = sl_runtime_lua(all->runtime);
  if (!sl_load_file(all->runtime, SCREE_TESTS_DIR "/support/worlds/worlds.lua") &&
      !sl_call(all->runtime, 0, 1))
    return true;
  sl_runtime_close(all->runtime);
  return false;
}
static inline worlds worlds_open(void) {
  worlds all = {NULL, NULL};
  if (!worlds_open_quietly(&all)) fprintf(stderr, "the worlds cannot be made\n"), abort();
  return all;
}

/* Makes the world with this name and pushes it onto the Lua stack. The world exists as long as it is on the
 * stack. Returns NULL after an error. */
static inline scree_world *worlds_try(worlds *all, const char *name) {
  lua_getfield(all->L, 1, name);
  return sl_call(all->runtime, 0, 1) ? NULL : ((sl_world *)lua_touserdata(all->L, -1))->world;
}
static inline scree_world *worlds_make(worlds *all, const char *name) {
  scree_world *w = worlds_try(all, name);
  if (!w) fprintf(stderr, "%s: %s\n", name, sl_message(all->runtime)), abort();
  return w;
}

static inline void worlds_close(worlds *all) { sl_runtime_close(all->runtime); }

#endif
