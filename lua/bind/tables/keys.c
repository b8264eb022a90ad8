/* scree.check_keys, scree.check_type and scree.quantity. With these functions, modules in Lua check their
 * arguments and read quantities with units like the engine. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/read.h"
#include "bind/sandbox/library.h"

#include <stdio.h>
#include <string.h>

/* Pushes the set of known names: the items of the list at an index, and the keys of its named entries,
 * whose values are units. */
static void push_set(lua_State *L, int list) {
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, list);) {
    const bool unit = lua_type(L, -2) == LUA_TSTRING;
    if (!unit && lua_type(L, -1) != LUA_TSTRING)
      sl_refuse(L, "check_keys: known[%s] must be a string", sl_tostring(L, -2));
    lua_pushvalue(L, unit ? -2 : -1);
    lua_pushboolean(L, 1);
    lua_rawset(L, -5);
    lua_pop(L, 1);
  }
}

/* Pushes the alphabetically first key of a table that is not in a set, as text, or nil. The choice of the
 * first key makes the message reproducible. */
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

/* ---- quantities ---- */

enum { DEEP = 8 };

/* Returns the i-th unit of the list at the stack index `unit`, or its last unit if i is out of range. A
 * text is returned itself. */
static const char *unit_at(lua_State *L, int unit, lua_Integer i) {
  if (lua_type(L, unit) == LUA_TSTRING) return lua_tostring(L, unit);
  const lua_Integer count = (lua_Integer)lua_rawlen(L, unit);
  lua_rawgeti(L, unit, i < 1 || i > count ? count : i);
  const char *text = lua_tostring(L, -1);
  lua_pop(L, 1); /* the list keeps the text alive */
  return text ? text : "";
}

/* Pushes the value at an index with its texts converted to numbers: a quantity, a list of quantities, or a
 * list of rows. If `unit` is a list, the items of a row have different units. Other values do not change. */
static void push_quantity(lua_State *L, int value, int unit, const char *what, int depth, lua_Integer place) {
  char path[256];
  value = lua_absindex(L, value);
  luaL_checkstack(L, 8, "quantities");
  if (lua_type(L, value) == LUA_TSTRING)
    return lua_pushnumber(L, sl_read_number(L, value, what, unit_at(L, unit, depth > 1 ? place : 0)));
  if (!lua_istable(L, value) || depth > DEEP) return lua_pushvalue(L, value);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, value); lua_pop(L, 1)) {
    const lua_Integer item = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : 0;
    snprintf(path, sizeof path, "%.200s[%.40s]", what, sl_tostring(L, -2));
    lua_pop(L, 1);
    lua_pushvalue(L, -2);
    push_quantity(L, -2, unit, path, depth + 1, item);
    lua_rawset(L, -5);
  }
}

/* Pushes a copy of the table whose quantities are numbers. */
static void push_read(lua_State *L, int def, int known, const char *what) {
  char path[256];
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, def); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -1);
    const int type = lua_rawget(L, known);
    snprintf(path, sizeof path, "%.120s.%.120s", what, lua_tostring(L, -2));
    if (type == LUA_TSTRING || type == LUA_TTABLE) push_quantity(L, -3, lua_gettop(L), path, 0, 0);
    else lua_pushvalue(L, -3);
    lua_remove(L, -2);
    lua_rawset(L, -5);
  }
}

/* Returns the kind of the value at index: the kind of an object of scree, such as "world", or the Lua type of
 * any other value. */
static const char *kind_of(lua_State *L, int index) {
  const char *type = sl_test_type(L, index);
  return type ? type : luaL_typename(L, index);
}

/* check_keys(def, known, what): raises an error "WHAT.KEY is not a known key" if def has a key that is not in
 * known. The error names the nearest known key, or all known keys. known: names, and NAME = unit or a list of
 * units for quantities. Returns a copy of def whose quantities are numbers. */
int sl_check_keys(lua_State *L) {
  enum { DEF = 1, KNOWN, WHAT, SET, WORST };
  const char *what = luaL_checkstring(L, WHAT);
  lua_settop(L, WHAT);
  luaL_checktype(L, KNOWN, LUA_TTABLE);
  if (!lua_istable(L, DEF)) return sl_refuse(L, "%s takes a table, not a %s", what, kind_of(L, DEF));
  push_set(L, KNOWN);
  push_unknown(L, DEF, SET);
  if (lua_isnil(L, WORST)) return push_read(L, DEF, KNOWN, what), 1;
  const char *name = lua_tostring(L, WORST);
  return sl_refuse(L, "%s.%s is not a known key%s", what, name, sl_hint_or_all(L, name, SET));
}

/* check_type(value, kind, what, where, key): raises "WHAT takes a KIND WHERE, not a ..." if the value is not
 * of this kind. kind: a result of scree.type, or a type of Lua. key: if it is not nil, a table must have this
 * key. */
int sl_check_type(lua_State *L) {
  enum { VALUE = 1, KIND, WHAT, WHERE, KEY };
  lua_settop(L, KEY);
  const char *wanted = luaL_checkstring(L, KIND), *kind = kind_of(L, VALUE);
  const char *what = luaL_checkstring(L, WHAT), *where = luaL_optstring(L, WHERE, "");
  const char *blank = *where ? " " : "";
  if (strcmp(kind, wanted))
    return sl_refuse(L, "%s takes a %s%s%s, not a %s", what, wanted, blank, where, kind);
  if (lua_isnil(L, KEY) || strcmp(kind, "table")) return 0;
  lua_pushvalue(L, KEY);
  if (lua_rawget(L, VALUE) != LUA_TNIL) return 0;
  if (lua_isinteger(L, KEY))
    return sl_refuse(L, "%s takes a table%s%s; this table is empty", what, blank, where);
  return sl_refuse(L, "%s takes a table%s%s; this table has no %s", what, blank, where, sl_tostring(L, KEY));
}

/* quantity(value, unit, what): returns the value with its texts converted to numbers. */
int sl_read_quantity(lua_State *L) {
  const char *what = luaL_checkstring(L, 3);
  if (lua_type(L, 2) != LUA_TTABLE) luaL_checkstring(L, 2);
  lua_settop(L, 3);
  push_quantity(L, 1, 2, what, 0, 0);
  return 1;
}
