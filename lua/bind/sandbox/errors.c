/* Errors of the binding, and hints at the nearest name.
 *
 * Messages have the form FILE:LINE: PATH TEXT. While the table of a scene is read, there is no calling
 * line; then the line of the key is found in the text of the scene (tables/locate.c). */
#include "bind/sandbox/inside.h"
#include "bind/errors.h"
#include "bind/tables/locate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_bundled(const lua_Debug *at) { return !strncmp(at->source, "=scree/", 7); }

/* Pushes "FILE:LINE: " of the innermost line of the script outside the bundled library. */
static void push_where(lua_State *L) {
  lua_Debug at;
  for (int level = 0; lua_getstack(L, level, &at); level++) {
    lua_getinfo(L, "Sl", &at);
    if (at.currentline <= 0 || is_bundled(&at)) continue;
    lua_pushfstring(L, "%s:%d: ", at.short_src, at.currentline);
    return;
  }
  lua_pushliteral(L, "");
}

/* Pushes "FILE:LINE: " for a message. Its first word is the path of a key, as in "world.dt is NaN". */
static void push_place(lua_State *L, const char *text) {
  sl_runtime *runtime = sl_runtime_of(L);
  char path[256];
  if (!runtime->located) {
    push_where(L);
    return;
  }
  snprintf(path, sizeof path, "%.*s", (int)strcspn(text, " :"), text);
  lua_pushfstring(L, "%s:%d: ", runtime->located_path, sl_locate(runtime->located, path));
}

/* Stores the status of an error, for the caller of the script. */
static void note_fault(sl_runtime *runtime, scree_status status, const char *text) {
  runtime->fault = status;
  runtime->engine = 0;
  snprintf(runtime->fault_text, sizeof runtime->fault_text, "%s", text);
}

int sl_raise(lua_State *L, scree_status status, const char *format, ...) {
  scree_error error = {status, ""};
  va_list args;
  va_start(args, format);
  vsnprintf(error.text, sizeof error.text, format, args);
  va_end(args);
  return sl_raise_error(L, &error);
}

int sl_raise_error(lua_State *L, const scree_error *error) {
  sl_runtime *runtime = sl_runtime_of(L);
  push_place(L, error->text);
  lua_pushstring(L, error->text);
  lua_pushstring(L, error->status == SCREE_E_MEMORY ? sl_memory_words(runtime) : "");
  lua_concat(L, 3);
  note_fault(runtime, error->status, lua_tostring(L, -1));
  return lua_error(L);
}

int sl_error(lua_State *L) {
  sl_runtime *runtime = sl_runtime_of(L);
  const int level = (int)luaL_optinteger(L, 2, 1);
  lua_Debug caller;
  const bool bundled = lua_getstack(L, 1, &caller) && lua_getinfo(L, "S", &caller) && is_bundled(&caller);
  lua_settop(L, 1);
  if (lua_type(L, 1) != LUA_TSTRING) return lua_error(L);
  if (level > 0) {
    if (bundled) push_place(L, lua_tostring(L, 1));
    else luaL_where(L, level);
    lua_insert(L, 1);
    lua_concat(L, 2);
  }
  const char *text = lua_tostring(L, 1);
  /* a module may pass on an error of the engine, which has a status already */
  const bool passed_on = runtime->fault != SCREE_OK && !strcmp(text, runtime->fault_text);
  if (bundled && !passed_on) note_fault(runtime, SCREE_E_ARGUMENT, text);
  return lua_error(L);
}

void sl_locate_in(sl_runtime *runtime, const char *path, const char *text) {
  runtime->located = text;
  runtime->located_path = path;
}

const char *sl_hint(
    lua_State *L, const char *name, int count, const char *(*get)(const void *, int), const void *context) {
  sl_runtime *runtime = sl_runtime_of(L);
  const char *near = scree_nearest_name(name, count, get, context);
  if (near) snprintf(runtime->hint, sizeof runtime->hint, "; did you mean '%s'?", near);
  else runtime->hint[0] = 0;
  return runtime->hint;
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}
static const char *item_of(const void *context, int i) { return ((const char *const *)context)[i]; }

/* Returns the sorted string keys of a table. Pushes the userdata that owns the list. */
static const char **sorted_names(lua_State *L, int table, int *count) {
  *count = 0;
  table = lua_absindex(L, table);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) ++*count;
  const char **names = lua_newuserdatauv(L, ((size_t)*count + 1) * sizeof *names, 0);
  *count = 0;
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING) names[(*count)++] = lua_tostring(L, -2);
  qsort(names, (size_t)*count, sizeof *names, by_text);
  return names;
}

/* The keys are sorted, so that the result is unique if two names are equally near. */
const char *sl_hint_table(lua_State *L, const char *name, int table) {
  int count;
  const char **names = sorted_names(L, table, &count);
  return sl_hint(L, name, count, item_of, names);
}

const char *sl_names(lua_State *L, int count, const char *(*get)(const void *, int), const void *context) {
  luaL_Buffer all;
  luaL_buffinit(L, &all);
  for (int i = 0; i < count; i++) {
    luaL_addstring(&all, i ? ", " : "");
    luaL_addstring(&all, get(context, i));
  }
  luaL_pushresult(&all);
  return lua_tostring(L, -1);
}

const char *sl_hint_or_all(lua_State *L, const char *name, int table) {
  int count;
  const char **names = sorted_names(L, table, &count), *hint = sl_hint(L, name, count, item_of, names);
  if (*hint) return hint;
  return count ? lua_pushfstring(L, "; known are %s", sl_names(L, count, item_of, names)) : "; it has none";
}

void sl_take_none(lua_State *L, const luaL_Reg *methods) {
  lua_Debug call;
  char setter[64];
  if (lua_gettop(L) <= 1) return;
  if (!lua_getstack(L, 0, &call) || !lua_getinfo(L, "n", &call) || !call.name) call.name = "this method";
  snprintf(setter, sizeof setter, "set_%s", call.name);
  for (const luaL_Reg *method = methods; method->name; method++)
    if (!strcmp(method->name, setter))
      sl_refuse(L, "%s takes no argument; did you mean '%s'?", call.name, setter);
  sl_refuse(L, "%s takes no argument", call.name);
}
