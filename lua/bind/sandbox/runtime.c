/* Loads files into a runtime and calls functions within its limits. */
#include "bind/sandbox/inside.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include "bind/sandbox/place.h"
#include "bind/sandbox/sha256.h"

/* Userdata of the engine's objects are small, so Lua's collector does not see how much memory they own. */
void sl_make_room(lua_State *L) {
  if (scree_memory_left() < sl_runtime_of(L)->def.total / 4) lua_gc(L, LUA_GCCOLLECT);
}

const char *sl_memory_words(sl_runtime *runtime) {
  if (!scree_memory_refused()) return "";
  snprintf(runtime->hint, sizeof runtime->hint,
      ": the script and its worlds need more than %zu MiB of memory (--memory raises the cap)",
      runtime->def.total >> 20);
  return runtime->hint;
}

sl_runtime *sl_runtime_of(lua_State *L) { return *(sl_runtime **)lua_getextraspace(L); }
lua_State *sl_runtime_lua(sl_runtime *runtime) { return runtime->L; }
double sl_runtime_seconds(const sl_runtime *runtime) { return runtime->def.seconds; }
uint64_t sl_runtime_get_seed(const sl_runtime *runtime) { return runtime->seed; }
uint64_t *sl_runtime_random(sl_runtime *runtime) { return runtime->random; }
const char *sl_message(const sl_runtime *runtime) { return runtime->message; }
const char *sl_traceback(const sl_runtime *runtime) { return runtime->traceback; }

void sl_runtime_set_end(sl_runtime *runtime, double time, int64_t steps) {
  runtime->end_time = time;
  runtime->end_steps = steps;
}

const sl_source *sl_runtime_source(const sl_runtime *runtime, int index) {
  return index >= 0 && index < runtime->sources_count ? runtime->sources + index : NULL;
}

/* ---- files ---- */

static void note_source(sl_runtime *runtime, const char *path, const char *text, size_t bytes) {
  if (runtime->sources_count == SL_SOURCES) return;
  sl_source *source = runtime->sources + runtime->sources_count;
  if (!(source->path = strdup(path))) return;
  source->bytes = bytes;
  sl_sha256(text, bytes, source->sha256);
  runtime->sources_count++;
}

enum { SOURCE_MOST = 16 << 20 };

static int close_source(lua_State *L) {
  FILE **file = lua_touserdata(L, 1);
  if (*file) fclose(*file);
  return *file = NULL, 0;
}

bool sl_read_source(lua_State *L, const char *path) {
  FILE **owner = sl_push_owner(L, sizeof *owner, close_source), *file = *owner = sl_open_regular(path);
  if (!file) return lua_pushfstring(L, "cannot open %s: %s", path, sl_open_reason()), false;
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  size_t got, total = 0;
  do {
    char *room = luaL_prepbuffsize(&text, 65536);
    got = fread(room, 1, 65536, file);
    luaL_addsize(&text, got);
    total += got;
  } while (got && total <= SOURCE_MOST);
  bool broken = ferror(file);
  int reason = errno;
  fclose(file);
  *owner = NULL;
  luaL_pushresult(&text);
  lua_remove(L, -2);
  if (broken) return lua_pushfstring(L, "cannot read %s: %s", path, strerror(reason)), false;
  if (total > SOURCE_MOST) return lua_pushfstring(L, "%s is larger than 16 MiB", path), false;
  note_source(sl_runtime_of(L), path, lua_tostring(L, -1), total);
  return true;
}

static int load_file(lua_State *L) {
  const char *path = lua_touserdata(L, 1);
  if (!sl_read_source(L, path)) {
    sl_runtime_of(L)->fault = SCREE_E_IO;
    snprintf(sl_runtime_of(L)->fault_text, SL_TEXT, "%s", lua_tostring(L, -1));
    return lua_error(L);
  }
  lua_pushvalue(L, -1);
  lua_setfield(L, LUA_REGISTRYINDEX, "scree.script");
  lua_pushfstring(L, "@%s", path);
  size_t size;
  const char *text = lua_tolstring(L, -2, &size);
  // skip a first line that starts with #, which is for the shell
  const char *start = text;
  if (size && *start == '#') start += strcspn(start, "\n");
  if (luaL_loadbufferx(L, start, size - (size_t)(start - text), lua_tostring(L, -1), "t") != LUA_OK)
    return lua_error(L);
  return 1;
}

sl_trouble sl_load_file(sl_runtime *runtime, const char *path) {
  lua_pushcfunction(runtime->L, load_file);
  lua_pushlightuserdata(runtime->L, (void *)path);
  return sl_call(runtime, 1, 1);
}

/* ---- calls ---- */

/* Message handler: stores the traceback and converts error objects to texts. */
static int keep_traceback(lua_State *L) {
  sl_runtime *runtime = sl_runtime_of(L);
  // an address would differ from run to run
  bool speaks = lua_isstring(L, 1) || (luaL_getmetafield(L, 1, "__tostring") != LUA_TNIL);
  const char *text = speaks ? luaL_tolstring(L, 1, NULL)
                            : lua_pushfstring(L, "the error is a %s, not a text", luaL_typename(L, 1));
  luaL_traceback(L, L, NULL, 1);
  snprintf(runtime->traceback, sizeof runtime->traceback, "%s", lua_tostring(L, -1));
  lua_pushstring(L, text);
  return 1;
}

static sl_trouble kind_of_fault(scree_status status) {
  switch (status) {
  case SCREE_E_LAW: return SL_LAW;
  case SCREE_E_NUMERIC: return SL_NUMERIC;
  case SCREE_E_IO: return SL_IO;
  case SCREE_E_MEMORY: return SL_LIMIT;
  default: return SL_CONFIG;
  }
}

scree_status sl_trouble_status(sl_trouble trouble) {
  switch (trouble) {
  case SL_FINE: return SCREE_OK;
  case SL_LAW: return SCREE_E_LAW;
  case SL_LIMIT: return SCREE_E_MEMORY;
  case SL_NUMERIC: return SCREE_E_NUMERIC;
  case SL_IO: return SCREE_E_IO;
  default: return SCREE_E_ARGUMENT;
  }
}

/* Stores the text of the error on top of the stack of the coroutine L. Returns the kind of the error. */
static sl_trouble judge_status(sl_runtime *runtime, lua_State *L, int status) {
  if (status == LUA_ERRMEM) {
    if (runtime->refusing_cap)
      snprintf(runtime->message, sizeof runtime->message,
          "the script needs more than %zu MiB of memory (--memory raises the cap)",
          runtime->refusing_cap >> 20);
    else snprintf(runtime->message, sizeof runtime->message, "no memory for the script");
    return SL_LIMIT;
  }
  const char *text = lua_tostring(L, -1);
  snprintf(runtime->message, sizeof runtime->message, "%s", text ? text : "an error without a text");
  if (runtime->dead) return SL_LIMIT;
  if (runtime->fault != SCREE_OK && !strcmp(runtime->message, runtime->fault_text))
    return kind_of_fault(runtime->fault);
  return SL_SCRIPT;
}

sl_trouble sl_call(sl_runtime *runtime, int arguments, int results) {
  lua_State *L = runtime->running;
  int base = lua_gettop(L) - arguments, engine = runtime->engine;
  lua_pushcfunction(L, keep_traceback);
  lua_insert(L, base);
  runtime->traceback[0] = runtime->message[0] = 0;
  runtime->fault = SCREE_OK;
  if (!runtime->calls || engine == SL_STEP) runtime->ticks = runtime->engine_ticks = 0;
  runtime->engine = 0;
  runtime->calls++;
  int status = lua_pcall(L, arguments, results, base);
  runtime->calls--;
  runtime->engine = engine;
  sl_trouble trouble = status == LUA_OK ? SL_FINE : judge_status(runtime, L, status);
  if (trouble) lua_pop(L, 1);
  lua_remove(L, base);
  return trouble;
}
