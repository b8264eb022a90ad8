/* Functions that replace those of Lua's libraries in scripts. They are bounded in time and deterministic,
 * and a script cannot leave the sandbox by them. */
#ifndef SL_LIBRARY_H
#define SL_LIBRARY_H

#include <lua.h>
#include <lauxlib.h>

extern const luaL_Reg sl_protect_functions[];   /* pcall, xpcall */
extern const luaL_Reg sl_coroutine_functions[]; /* resume, wrap, close */
extern const luaL_Reg sl_base_functions[];      /* load, setmetatable, rawset, tostring, print */
extern const luaL_Reg sl_order_functions[];     /* pairs, next */
extern const luaL_Reg sl_string_functions[];    /* find, match, gmatch, gsub, rep, format */
extern const luaL_Reg sl_table_functions[];     /* concat, insert, move, remove, sort */
extern const luaL_Reg sl_random_functions[];    /* random, randomseed */

/* Lua function (table): returns a list of its keys in the order of pairs. */
int sl_sorted_keys(lua_State *L);
/* Makes reading an unknown name of the table on top of the stack an error. name: name of the table in
 * messages. */
void sl_make_strict(lua_State *L, const char *name);
/* Replaces the table on top of the stack by a read-only proxy. name: name of the table in messages. strict:
 * reading an unknown name is an error. */
void sl_push_readonly(lua_State *L, const char *name, int strict);
/* Pushes and returns the text of a value, without addresses. */
const char *sl_tostring(lua_State *L, int index);

#endif
