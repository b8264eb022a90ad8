/* The globals of a script: allowed names, read-only libraries, and an error for undefined globals.
 *
 *   _ENV of the script   an empty table for the globals of the script
 *     __index            the table of built-in names; its own __index raises an error, so that a misspelt
 *                        global is an error
 *     __newindex         raises an error for built-in names
 *
 * Lua's libraries are opened, reduced to the lists below, and hidden behind read-only proxies. Names that
 * are not listed do not exist: no debug, package, dofile or collectgarbage; io and os only for trusted
 * scripts. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/sandbox/inside.h"
#include "bind/sandbox/library.h"

#include <lualib.h>
#include <string.h>

static const char *const base_names[] = {"assert", "getmetatable", "ipairs", "rawequal", "rawget", "rawlen",
    "select", "tonumber", "type", "_VERSION", NULL};
static const char *const coroutine_names[] = {"create", "isyieldable", "running", "status", "yield", NULL};
static const char *const string_names[] = {
    "byte", "char", "len", "lower", "pack", "packsize", "reverse", "sub", "unpack", "upper", NULL};
static const char *const table_names[] = {"pack", "unpack", NULL};
static const char *const utf8_names[] = {"char", "charpattern", "codepoint", "codes", "len", "offset", NULL};
static const char *const math_names[] = {"abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor",
    "fmod", "huge", "log", "max", "maxinteger", "min", "mininteger", "modf", "pi", "rad", "sin", "sqrt",
    "tan", "tointeger", "type", "ult", NULL};

extern const lua_CFunction sl_string_format;

/* Pushes a new table with the listed members of the table at index. */
static void push_subset(lua_State *L, int index, const char *const *names) {
  lua_newtable(L);
  for (; *names; names++) {
    lua_getfield(L, index, *names);
    lua_setfield(L, -2, *names);
  }
}

/* Opens a library of Lua and pushes a table of its functions `names`. The functions `own` replace functions
 * with equal names. */
static void push_library(lua_State *L, lua_CFunction open, const char *const *names, const luaL_Reg *own) {
  lua_pushcfunction(L, open);
  lua_call(L, 0, 1);
  push_subset(L, lua_gettop(L), names);
  if (own) luaL_setfuncs(L, own, 0);
  lua_remove(L, -2);
}

/* Pushes the string library. Strings use it through a metatable that scripts cannot access. */
static void push_string_library(lua_State *L) {
  lua_pushcfunction(L, luaopen_string);
  lua_call(L, 0, 1);
  push_subset(L, lua_gettop(L), string_names);
  luaL_setfuncs(L, sl_string_functions, 0);
  lua_getfield(L, -2, "format");
  lua_pushcclosure(L, sl_string_format, 1);
  lua_setfield(L, -2, "format");
  lua_remove(L, -2);
  lua_pushliteral(L, "");
  lua_createtable(L, 0, 2);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  sl_set_boolean(L, "__metatable", 0);
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}

/* Pops the library on top of the stack and sets it as the read-only built-in `name` of the table at
 * `names`. */
static void set_library(lua_State *L, int names, const char *name) {
  sl_push_readonly(L, name, 1);
  lua_setfield(L, names, name);
}

/* Adds the keys of the table at index to the table on top of the stack. */
static void add_keys(lua_State *L, int index) {
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushboolean(L, 1);
    lua_rawset(L, -5);
  }
}

/* Metamethod __index for undefined globals; upvalue 1: the built-in names, 2: the script's globals. */
static int undefined_global(lua_State *L) {
  const char *name = sl_tostring(L, 2);
  lua_newtable(L);
  add_keys(L, lua_upvalueindex(1));
  add_keys(L, lua_upvalueindex(2));
  return luaL_error(L, "undefined global '%s'%s", name, sl_hint_table(L, name, -1));
}

/* Metamethod __newindex for new globals; upvalue 1: the built-in names. */
static int new_global(lua_State *L) {
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
    return luaL_error(L, "'%s' is built in and cannot be set", sl_tostring(L, 2));
  lua_settop(L, 3);
  lua_rawset(L, 1);
  return 0;
}

/* Replaces the globals of the Lua state by the script's table of globals. */
static void install_globals(lua_State *L, int names) {
  lua_newtable(L);
  int script = lua_gettop(L);
  lua_pushvalue(L, script);
  lua_setfield(L, names, "_G");
  // reading a name that is not built in raises an error
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, names);
  lua_pushvalue(L, script);
  lua_pushcclosure(L, undefined_global, 2);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, names);
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, names);
  lua_setfield(L, -2, "__index");
  lua_pushvalue(L, names);
  lua_pushcclosure(L, new_global, 1);
  lua_setfield(L, -2, "__newindex");
  sl_set_boolean(L, "__metatable", 0);
  lua_setmetatable(L, script);
  lua_pushvalue(L, script);
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}

static void open_trusted(lua_State *L, int names) {
  static const struct {
    const char *name;
    lua_CFunction open;
  } libraries[] = {{"io", luaopen_io}, {"os", luaopen_os}};
  for (int i = 0; i < 2; i++) {
    lua_pushcfunction(L, libraries[i].open);
    lua_call(L, 0, 1);
    lua_setfield(L, names, libraries[i].name);
  }
}

void sl_open_sandbox(lua_State *L) {
  lua_pushcfunction(L, luaopen_base);
  lua_call(L, 0, 1);
  push_subset(L, lua_gettop(L), base_names);
  int names = lua_gettop(L);
  luaL_setfuncs(L, sl_protect_functions, 0);
  luaL_setfuncs(L, sl_base_functions, 0);
  luaL_setfuncs(L, sl_order_functions, 0);
  if (sl_runtime_of(L)->def.trust) {
    lua_getfield(L, names - 1, "collectgarbage");
    lua_setfield(L, names, "collectgarbage");
    open_trusted(L, names);
  }
  push_library(L, luaopen_coroutine, coroutine_names, sl_coroutine_functions),
      set_library(L, names, "coroutine");
  push_library(L, luaopen_table, table_names, sl_table_functions), set_library(L, names, "table");
  push_library(L, luaopen_math, math_names, sl_random_functions), set_library(L, names, "math");
  push_library(L, luaopen_utf8, utf8_names, NULL), set_library(L, names, "utf8");
  push_string_library(L), set_library(L, names, "string");
  lua_pushcfunction(L, sl_require);
  lua_setfield(L, names, "require");
  lua_pushcfunction(L, sl_error);
  lua_setfield(L, names, "error");
  // the engine's module, for require and as a global
  luaL_getsubtable(L, LUA_REGISTRYINDEX, "scree.loaded");
  sl_open_module(L);
  sl_push_readonly(L, "scree", 1);
  lua_pushvalue(L, -1);
  lua_setfield(L, names, "scree");
  lua_setfield(L, -2, "scree");
  install_globals(L, names);
  lua_settop(L, names - 2);
}
