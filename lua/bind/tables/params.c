/* Parameters of a scene: defaults in the scene's table, overridden by texts key=value, which are read as
 * the type of the default. */
#include "bind/scene/scene.h"
#include "bind/errors.h"
#include "bind/push.h"
#include "bind/read.h"
#include "bind/sandbox/library.h"
#include "bind/experiment/declared.h"
#include "bind/tables/units.h"
#include "bind/sandbox/inside.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Metamethod __index: raises an error for a parameter that the scene does not have. */
static int unknown_param(lua_State *L) {
  const char *name = sl_tostring(L, 2);
  return sl_refuse(L, "params.%s is not a parameter of this scene%s", name, sl_hint_table(L, name, 1));
}

/* ---- values ---- */

static bool is_plain_value(lua_State *L, int index) {
  int type = lua_type(L, index);
  if (type == LUA_TSTRING || type == LUA_TBOOLEAN) return true;
  return type == LUA_TNUMBER && isfinite(lua_tonumber(L, index));
}

/* Raises an error unless a default is a finite number, a string, a boolean, or a list of these. */
static void check_default(lua_State *L, int index, const char *path) {
  if (is_plain_value(L, index)) return;
  if (lua_type(L, index) == LUA_TNUMBER)
    sl_refuse(L, "%s is %s", path, isnan(lua_tonumber(L, index)) ? "NaN" : "infinite");
  if (!lua_istable(L, index))
    sl_refuse(
        L, "%s must be a number, a string, a boolean or a list, not a %s", path, luaL_typename(L, index));
  index = lua_absindex(L, index);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
    if (!lua_isinteger(L, -2) || !is_plain_value(L, -1)) sl_refuse(L, "%s must be a plain list", path);
}

/* Pushes a number with or without a unit. If the scene declares a unit, the number must have its
 * dimension. */
static void push_number(lua_State *L, const char *key, const char *text, const sl_declared *declared) {
  char *end;
  errno = 0;
  long long whole = strtoll(text, &end, 10);
  if (*text && !*end && !errno) return lua_pushinteger(L, whole);
  double value = strtod(text, &end);
  if (end != text && !*end && isfinite(value)) return lua_pushnumber(L, value);
  sl_quantity read = sl_quantity_read(text, declared->unit, &value);
  if (read == SL_QUANTITY_DIMENSION)
    sl_refuse(L, "%s: '%s' has the wrong dimension; expected %s [%s]", key, text,
        sl_unit_words(declared->unit), declared->unit);
  if (read == SL_QUANTITY_RANGE) sl_refuse(L, "%s: the number in '%s' is out of range", key, text);
  if (read != SL_QUANTITY_FINE) sl_refuse(L, "%s must be a number, not '%s'", key, text);
  lua_pushnumber(L, value);
}

/* Pushes the list of numbers in a text such as "1,2,3". */
static void push_list(lua_State *L, const char *key, const char *text, const sl_declared *declared) {
  lua_newtable(L);
  for (int i = 1; *text; i++) {
    char item[64];
    size_t length = strcspn(text, ",");
    snprintf(item, sizeof item, "%.*s", (int)length, text);
    push_number(L, key, item, declared);
    lua_rawseti(L, -2, i);
    text += length + (text[length] == ',');
  }
}

/* Pushes the text as the type of the value at index. */
static void push_as(lua_State *L, int index, const char *key, const char *text, const sl_declared *declared) {
  switch (lua_type(L, index)) {
  case LUA_TNUMBER: push_number(L, key, text, declared); break;
  case LUA_TTABLE: push_list(L, key, text, declared); break;
  case LUA_TBOOLEAN:
    if (strcmp(text, "true") && strcmp(text, "false"))
      sl_refuse(L, "%s must be true or false, not '%s'", key, text);
    lua_pushboolean(L, !strcmp(text, "true"));
    break;
  default: lua_pushstring(L, text);
  }
}

/* ---- resolving ---- */

/* Pushes a copy of the scene's params at the stack index `defaults` (0: none), with a seed. */
static void copy_defaults(lua_State *L, int defaults) {
  lua_newtable(L);
  sl_set_integer(L, "seed", 1);
  if (!defaults) return;
  for (lua_pushnil(L); lua_next(L, defaults); lua_pop(L, 1)) {
    char path[128];
    sl_declared declared;
    if (lua_type(L, -2) != LUA_TSTRING) sl_refuse(L, "params must have names as keys");
    snprintf(path, sizeof path, "params.%s", lua_tostring(L, -2));
    lua_pushvalue(L, -2);
    sl_declared_read(L, -2, path, &declared);
    check_default(L, -1, path);
    lua_rawset(L, -5);
  }
}

static void apply_override(lua_State *L, int params, int defaults, const sl_override *override) {
  char key[128], why[256];
  sl_declared declared = {.min = -INFINITY, .max = INFINITY};
  snprintf(key, sizeof key, "%s", override->key);
  lua_pushstring(L, key);
  if (lua_rawget(L, params) == LUA_TNIL)
    sl_refuse(L, "%s is not a parameter of this scene%s", key, sl_hint_or_all(L, key, params));
  if (defaults && lua_getfield(L, defaults, key) != LUA_TNIL)
    sl_declared_read(L, -1, key, &declared), lua_pop(L, 1);
  if (defaults) lua_pop(L, 1);
  push_as(L, -1, key, override->value, &declared);
  if (*sl_declared_fault(L, &declared, -1, why)) sl_refuse(L, "%s %s", key, why);
  lua_setfield(L, params, key);
  lua_pop(L, 1);
}

/* Expects the scene table at stack index 1. */
void sl_resolve_params(lua_State *L, sl_scene *scene, const sl_override *overrides, int count) {
  int defaults = 0;
  if (lua_getfield(L, 1, "params") != LUA_TNIL) {
    sl_check_table(L, -1, "params");
    defaults = lua_gettop(L);
  }
  copy_defaults(L, defaults);
  int params = lua_gettop(L);
  // values of the command line have no line in the scene
  const char *text = scene->runtime->located;
  sl_locate_in(scene->runtime, NULL, NULL);
  for (int i = 0; i < count; i++) apply_override(L, params, defaults, overrides + i);
  lua_getfield(L, params, "seed");
  if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 0)
    sl_refuse(L, "params.seed must be a whole number >= 0");
  sl_runtime_seed(scene->runtime, (uint64_t)lua_tointeger(L, -1));
  sl_locate_in(scene->runtime, scene->path, text);
  lua_pop(L, 1);
  lua_createtable(L, 0, 1);
  sl_set_function(L, "__index", unknown_param);
  lua_setmetatable(L, params);
  scene->params = luaL_ref(L, LUA_REGISTRYINDEX);
}
