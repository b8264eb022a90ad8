/* Functions of the script's globals that replace Lua's own: bounded in time, deterministic, without a
 * way out. */
#ifndef SL_LIBRARY_H
#define SL_LIBRARY_H

#include <lua.h>
#include <lauxlib.h>

extern const luaL_Reg sl_protect_functions[];   /* pcall xpcall */
extern const luaL_Reg sl_coroutine_functions[]; /* resume wrap close */
extern const luaL_Reg sl_base_functions[];      /* load setmetatable rawset tostring print */
extern const luaL_Reg sl_order_functions[];     /* pairs next */
extern const luaL_Reg sl_string_functions[];    /* find match gmatch gsub rep format */
extern const luaL_Reg sl_table_functions[];     /* concat insert move remove sort */
extern const luaL_Reg sl_random_functions[];    /* random randomseed */

/* (table) -> list of its keys in the order of pairs. */
int sl_sorted_keys(lua_State *L);
/* Replaces the table on top of the stack by a read-only proxy of it. Reading an unknown name is an error
 * where strict. */
void sl_push_readonly(lua_State *L, const char *name, int strict);
/* Text of a value without addresses, pushed. */
const char *sl_tostring(lua_State *L, int index);

#endif
