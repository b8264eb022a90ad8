/* scree.check_keys: modules in Lua refuse unknown keys of their tables as the engine refuses those of
 * its own. */
#include "bind/bind.h"
#include "bind/sandbox/library.h"

#include <string.h>

/* Pushes the set of the names in the list at an index. */
static void push_set(lua_State *L, int list) {
  lua_newtable(L);
  for (lua_Integer i = 1; i <= luaL_len(L, list); i++) {
    if (lua_geti(L, list, i) != LUA_TSTRING)
      sl_raise(L, SCREE_E_ARGUMENT, "check_keys: known[%d] must be a string", (int)i);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
  }
}

/* Pushes the alphabetically first key of a table that is not in a set, as text, so that the message is
 * always the same; else nil. */
static void push_unknown(lua_State *L, int table, int set) {
  lua_pushnil(L);
  int worst = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, table); lua_settop(L, worst + 1)) {
    lua_pushvalue(L, worst + 1);
    if (lua_rawget(L, set) != LUA_TNIL) continue;
    const char *name = sl_tostring(L, worst + 1);
    if (lua_isnil(L, worst) || strcmp(name, lua_tostring(L, worst)) < 0) lua_replace(L, worst);
  }
}

/* The names of the list at an index, with commas. */
static const char *push_joined(lua_State *L, int list) {
  luaL_Buffer names;
  luaL_buffinit(L, &names);
  for (lua_Integer i = 1; i <= luaL_len(L, list); i++) {
    luaL_addstring(&names, i > 1 ? ", " : "");
    lua_geti(L, list, i);
    luaL_addvalue(&names);
  }
  luaL_pushresult(&names);
  return lua_tostring(L, -1);
}

/* check_keys(def, known, what): raises what.key of a key of def that the list known lacks, with the
 * nearest known one, or all. */
int sl_check_keys(lua_State *L) {
  enum { DEF = 1, KNOWN, WHAT, SET, WORST };
  const char *what = luaL_checkstring(L, WHAT);
  lua_settop(L, WHAT);
  luaL_checktype(L, KNOWN, LUA_TTABLE);
  if (!lua_istable(L, DEF))
    return sl_raise(L, SCREE_E_ARGUMENT, "%s takes a table, not a %s", what, luaL_typename(L, DEF));
  push_set(L, KNOWN);
  push_unknown(L, DEF, SET);
  if (lua_isnil(L, WORST)) return 0;
  const char *name = lua_tostring(L, WORST), *hint = sl_hint_table(L, name, SET);
  if (*hint) return sl_raise(L, SCREE_E_ARGUMENT, "%s.%s is not a known key%s", what, name, hint);
  return sl_raise(
      L, SCREE_E_ARGUMENT, "%s.%s is not a known key; known are %s", what, name, push_joined(L, KNOWN));
}
