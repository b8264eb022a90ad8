/* Basic functions: load (text only), setmetatable (no finalizers), rawset (not on libraries), tostring
 * (no addresses), print. */
#include "bind/sandbox/inside.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"
#include "bind/sandbox/library.h"

#include <stdio.h>
#include <string.h>

enum { LOAD_MOST = 4 << 20, PRINT_MOST = 64 << 20 };

/* ---- load ---- */

/* Calls the reader function at stack index 1 until it ends and pushes the joined pieces. */
static void push_pieces(lua_State *L) {
  luaL_Buffer text;
  size_t total = 0, size;
  luaL_buffinit(L, &text);
  for (;;) {
    sl_guard_poll(L);
    lua_pushvalue(L, 1);
    lua_call(L, 0, 1);
    if (lua_isnil(L, -1)) break;
    if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "reader function must return a string");
    lua_tolstring(L, -1, &size);
    if (!size) break;
    if ((total += size) > LOAD_MOST) luaL_error(L, "load: more than 4 MiB of text");
    luaL_addvalue(&text);
  }
  lua_pop(L, 1);
  luaL_pushresult(&text);
}

/* load(text or function [, name [, mode [, env]]]): only text, if mode allows it. */
static int base_load(lua_State *L) {
  const char *mode = luaL_optstring(L, 3, "t");
  bool own_env = !lua_isnone(L, 4);
  lua_settop(L, 4);
  if (lua_isfunction(L, 1)) push_pieces(L);
  else luaL_checktype(L, 1, LUA_TSTRING), lua_pushvalue(L, 1);
  size_t size;
  const char *text = lua_tolstring(L, 5, &size),
             *name = luaL_optstring(L, 2, lua_isfunction(L, 1) ? "=(load)" : text);
  if (size > LOAD_MOST) return luaL_error(L, "load: more than 4 MiB of text");
  int status = strchr(mode, 't') ? luaL_loadbufferx(L, text, size, name, "t") : LUA_ERRSYNTAX;
  if (!strchr(mode, 't')) lua_pushliteral(L, "only text can be loaded here");
  if (status != LUA_OK) return lua_pushnil(L), lua_insert(L, -2), 2;
  if (own_env) {
    lua_pushvalue(L, 4);
    if (!lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
  }
  return 1;
}

/* ---- tables ---- */

static int base_setmetatable(lua_State *L) {
  int type = lua_type(L, 2);
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
    return luaL_error(L, "cannot change a protected metatable");
  if (type == LUA_TTABLE && sl_has_key(L, 2, "__gc"))
    return luaL_error(L, "setmetatable: finalizers (__gc) are not available to scripts");
  // Lua follows a chain of tables in __call without calling a hook, so __call must be a function
  if (type == LUA_TTABLE && sl_has_key(L, 2, "__call")) {
    lua_getfield(L, 2, "__call");
    if (!lua_isfunction(L, -1)) return luaL_error(L, "setmetatable: __call must be a function");
  }
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  return 1;
}

static const char readonly_mark;

static int base_rawset(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  luaL_checkany(L, 3);
  lua_settop(L, 3);
  if (lua_getmetatable(L, 1)) {
    if (lua_rawgetp(L, -1, &readonly_mark) != LUA_TNIL)
      return luaL_error(L, "rawset: this table is read-only");
    lua_settop(L, 3);
  }
  // modules of the library use the same table of globals, so its built-in names must not change
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  bool globals = lua_rawequal(L, 1, -1);
  lua_settop(L, 3);
  if (globals && luaL_getmetafield(L, 1, "__index") == LUA_TTABLE) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, -2) != LUA_TNIL)
      return luaL_error(L, "rawset: '%s' is built in and cannot be set", sl_tostring(L, 2));
  }
  lua_settop(L, 3);
  lua_rawset(L, 1);
  return 1;
}

/* ---- read-only tables ---- */

/* Metamethod __newindex of a read-only table; upvalue 1: its name. */
static int refuse_change(lua_State *L) {
  return luaL_error(L, "%s.%s cannot be set: %s is read-only", lua_tostring(L, lua_upvalueindex(1)),
      sl_tostring(L, 2), lua_tostring(L, lua_upvalueindex(1)));
}

/* Metamethod __index of the table behind a strict read-only table; upvalue 1: its name. */
static int unknown_name(lua_State *L) {
  return luaL_error(L, "%s has no '%s'%s", lua_tostring(L, lua_upvalueindex(1)), sl_tostring(L, 2),
      sl_hint_table(L, sl_tostring(L, 2), 1));
}

/* Metamethod __pairs of a read-only table; upvalue 1: the table behind it, 2: the function pairs. */
static int pairs_behind(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_call(L, 1, 3);
  return 3;
}

void sl_make_strict(lua_State *L, const char *name) {
  lua_createtable(L, 0, 1);
  lua_pushstring(L, name);
  lua_pushcclosure(L, unknown_name, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

void sl_push_readonly(lua_State *L, const char *name, int strict) {
  int real = lua_gettop(L);
  if (strict) sl_make_strict(L, name);
  lua_newtable(L);
  lua_createtable(L, 0, 6);
  lua_pushvalue(L, real);
  lua_setfield(L, -2, "__index");
  lua_pushstring(L, name);
  lua_pushcclosure(L, refuse_change, 1);
  lua_setfield(L, -2, "__newindex");
  lua_pushvalue(L, real);
  lua_pushcfunction(L, sl_order_functions[0].func);
  lua_pushcclosure(L, pairs_behind, 2);
  lua_setfield(L, -2, "__pairs");
  sl_set_boolean(L, "__metatable", 0);
  lua_pushboolean(L, 1);
  lua_rawsetp(L, -2, &readonly_mark);
  lua_setmetatable(L, -2);
  lua_remove(L, real);
}

/* ---- text ---- */

const char *sl_tostring(lua_State *L, int index) {
  int type = lua_type(L, index);
  bool address = type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD ||
      type == LUA_TUSERDATA || type == LUA_TLIGHTUSERDATA;
  if (!address) return luaL_tolstring(L, index, NULL);
  if (luaL_getmetafield(L, index, "__tostring") != LUA_TNIL)
    return lua_pop(L, 1), luaL_tolstring(L, index, NULL);
  if (luaL_getmetafield(L, index, "__name") == LUA_TSTRING) return lua_tostring(L, -1);
  return lua_pushstring(L, lua_typename(L, type));
}

static int base_tostring(lua_State *L) {
  luaL_checkany(L, 1);
  sl_tostring(L, 1);
  return 1;
}

static int base_print(lua_State *L) {
  sl_runtime *runtime = sl_runtime_of(L);
  int count = lua_gettop(L);
  for (int i = 1; i <= count; i++) {
    size_t size;
    sl_tostring(L, i);
    const char *text = lua_tolstring(L, -1, &size);
    if (!runtime->def.trust && (runtime->printed += size + 1) > PRINT_MOST)
      return luaL_error(L, "print: a script may print at most 64 MiB");
    if (i > 1) fputc('\t', stdout);
    fwrite(text, 1, size, stdout);
    lua_pop(L, 1);
  }
  fputc('\n', stdout);
  fflush(stdout);
  return 0;
}

const luaL_Reg sl_base_functions[] = {{"load", base_load}, {"setmetatable", base_setmetatable},
    {"rawset", base_rawset}, {"tostring", base_tostring}, {"print", base_print}, {NULL, NULL}};
