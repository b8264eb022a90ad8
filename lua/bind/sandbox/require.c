/* require loads Lua text from the script's folder, its subfolder lib, and the bundled library. There are
 * no C modules and no package table.
 *
 * `require "scree"` is the engine's module, `require "scree.inflow"` the file scree/inflow.lua of the
 * bundled library. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"
#include "bind/sandbox/inside.h"
#include "bind/sandbox/library.h"
#include "bind/sandbox/place.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Returns whether a module name consists of words joined by dots, so that it cannot leave the folder. */
static bool good_name(const char *name) {
  for (const char *at = name; *at; at++) {
    bool word = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') ||
        *at == '_' || *at == '-';
    if (!word && !(*at == '.' && at > name && at[1] && at[1] != '.')) return false;
  }
  return *name != 0;
}

/* Pushes folder/a/b.lua for the name a.b. */
static const char *push_module_path(lua_State *L, const char *folder, const char *name) {
  luaL_Buffer path;
  luaL_buffinit(L, &path);
  luaL_addstring(&path, folder);
  luaL_addchar(&path, '/');
  for (const char *at = name; *at; at++) luaL_addchar(&path, *at == '.' ? '/' : *at);
  luaL_addstring(&path, ".lua");
  luaL_pushresult(&path);
  return lua_tostring(L, -1);
}

/* Pushes the folder of the script, "." if it has none in its path. */
static const char *push_folder(lua_State *L, const char *script) {
  const char *slash = script ? strrchr(script, '/') : NULL;
  if (!slash) return lua_pushliteral(L, ".");
  return lua_pushlstring(L, script, slash == script ? 1 : (size_t)(slash - script));
}

/* Pushes the path and the chunk name of the file of the module. If there is none, pushes the list of tried
 * paths and returns false. */
static bool find_module(lua_State *L, const char *name) {
  const sl_runtime_def *def = &sl_runtime_of(L)->def;
  const char *folder = push_folder(L, def->script), *own = lua_pushfstring(L, "%s/lib", folder);
  const char *places[] = {folder, own, def->library};
  for (int i = 0; i < 3; i++) {
    if (!places[i]) continue;
    const char *path = push_module_path(L, places[i], name);
    if (access(path, R_OK)) continue;
    if (i < 2 && !def->trust && !sl_is_inside(folder, path))
      luaL_error(L, "module '%s': %s leads out of the folder of the script", name, path);
    if (i == 2) lua_pushfstring(L, "=%s", path + strlen(places[i]) + 1);
    else lua_pushfstring(L, "@%s", path);
    return true;
  }
  lua_pushfstring(L, "neither in %s, %s nor in the bundled library", folder, own);
  return false;
}

int sl_work(lua_State *L) {
  sl_runtime *runtime = sl_runtime_of(L);
  const int before = sl_engine_enter(runtime);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  sl_engine_leave(runtime, before);
  return lua_gettop(L);
}

/* Pushes the set of names of bundled modules, "scree" and "scree.NAME". */
static void push_bundled_names(lua_State *L) {
  const char *library = sl_runtime_of(L)->def.library;
  lua_newtable(L);
  lua_pushboolean(L, 1), lua_setfield(L, -2, "scree");
  DIR *folder = library ? opendir(lua_pushfstring(L, "%s/scree", library)) : NULL;
  if (library) lua_pop(L, 1);
  if (!folder) return;
  for (const struct dirent *file; (file = readdir(folder));) {
    const char *end = strrchr(file->d_name, '.');
    char name[64];
    if (!end || strcmp(end, ".lua")) continue;
    snprintf(name, sizeof name, "scree.%.*s", (int)(end - file->d_name), file->d_name);
    lua_pushboolean(L, 1), lua_setfield(L, -2, name);
  }
  closedir(folder);
}

/* Returns "; did you mean 'NAME'?" if the name of a bundled module is near, with or without "scree.", else
 * "". Leaves values on the stack. */
static const char *hint_module(lua_State *L, const char *name) {
  push_bundled_names(L);
  const int names = lua_gettop(L);
  const char *full = lua_pushfstring(L, "scree.%s", name);
  const bool exact = lua_getfield(L, names, full) != LUA_TNIL;
  const char *hint = sl_hint_table(L, exact ? full : name, names);
  return *hint ? hint : sl_hint_table(L, full, names);
}

/* Pushes the module's function. Returns true for a module of the bundled library. */
static bool load_module(lua_State *L, const char *name) {
  if (!find_module(L, name)) {
    const char *tried = lua_tostring(L, -1);
    luaL_error(L, "module '%s' not found: %s%s", name, tried, hint_module(L, name));
  }
  const char *path = lua_tostring(L, -2), *chunk = lua_tostring(L, -1);
  if (!sl_read_source(L, path)) luaL_error(L, "module '%s': %s", name, lua_tostring(L, -1));
  size_t size;
  const char *text = lua_tolstring(L, -1, &size);
  if (luaL_loadbufferx(L, text, size, chunk, "t") != LUA_OK) lua_error(L);
  return *chunk == '=';
}

/* Metamethod __close of the mark of a loading module (push_mark). Restores the list of loading modules to its
 * value before the module. */
static int end_loading(lua_State *L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, "scree.loaded");
  lua_getiuservalue(L, 1, 1);
  lua_setfield(L, -2, "[loading]");
  return 0;
}

/* Pushes a to-be-closed mark of a loading module. Lua closes the mark when the caller returns or an error
 * passes. */
static void push_mark(lua_State *L, int before) {
  lua_newuserdatauv(L, 0, 1);
  lua_pushvalue(L, before);
  lua_setiuservalue(L, -2, 1);
  lua_createtable(L, 0, 1);
  sl_set_function(L, "__close", end_loading);
  lua_setmetatable(L, -2);
  lua_toclose(L, -1);
}

/* Returns whether the value on top of the stack is the table of a module for users, scree.NAME. Returns false
 * for a module with the key __index, because its objects look up their fields in the module. */
static bool is_public(lua_State *L, const char *name) {
  if (!lua_istable(L, -1) || strchr(name, '.') != strrchr(name, '.')) return false;
  if (lua_getmetatable(L, -1)) return lua_pop(L, 1), false;
  return !sl_has_key(L, lua_gettop(L), "__index");
}

int sl_require(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  lua_settop(L, 1);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, "scree.loaded");
  if (lua_getfield(L, 2, name) != LUA_TNIL) return 1;
  lua_pop(L, 1);
  if (!good_name(name)) luaL_error(L, "'%s' is not a module name: words joined by dots", name);
  // a module that requires itself while it is loading is an error, not an endless loop
  lua_getfield(L, 2, "[loading]");
  const char *loading = lua_isstring(L, -1) ? lua_tostring(L, -1) : "";
  if (strstr(loading, lua_pushfstring(L, "(%s)", name)))
    luaL_error(L, "module '%s' requires itself, by way of %s", name, loading);
  lua_settop(L, 2);
  lua_getfield(L, 2, "[loading]");
  lua_pushfstring(L, "%s(%s)", lua_isstring(L, -1) ? lua_tostring(L, -1) : "", name);
  lua_setfield(L, 2, "[loading]");
  push_mark(L, 3);
  const bool bundled = load_module(L, name);
  lua_pushvalue(L, 1);
  if (bundled) lua_pushcfunction(L, sl_work);
  lua_call(L, bundled ? 2 : 1, 1);
  if (lua_isnil(L, -1)) lua_pushboolean(L, 1);
  if (bundled && is_public(L, name)) sl_make_strict(L, name);
  lua_pushvalue(L, -1);
  lua_setfield(L, 2, name);
  return 1;
}
