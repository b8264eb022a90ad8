/* Laws written in Lua: scree.law.define{name=, params={...}, state={...}, base=, refresh=} or {name=,
 * params=, solve=}.
 *
 * refresh(p, s, c) runs once per step and contact. It may change the parameters p and the state s of this
 * contact; c describes the contact. solve(p, Ann, Ant, Ano, Att, Ato, Aoo, bn, bt, bo) returns the impulse,
 * three numbers. A is the Delassus block and b minus the free velocity (scree/law.h); n: normal, t and o:
 * tangents. solve runs many times per contact and step. The tables p, s, c are made once and refilled for
 * each contact, so that calls make no garbage. p is refilled only if its values have changed. The functions
 * run as protected calls in a separate coroutine, under the limits of the script. */
#include "bind/objects/law/law.h"
#include "bind/errors.h"
#include "bind/push.h"
#include "bind/read.h"
#include "bind/sandbox/inside.h"
#include "bind/sandbox/library.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- definition ---- */

typedef struct definition {
  const char *name, *base;
} definition;
static const scree_param keys[] = {
    {"name", SCREE_STRING, SCREE_REQUIRED, "", 0, 0, 0, offsetof(definition, name), NULL,
        "name of the new law"},
    SL_STRING("base", offsetof(definition, base), "law that solves with the refreshed parameters"),
    {.name = "params", .type = SCREE_OPAQUE, .doc = "table of parameters and their defaults"},
    {.name = "state", .type = SCREE_OPAQUE, .doc = "list of names of the state of each contact"},
    {.name = "refresh", .type = SCREE_OPAQUE, .doc = "function(p, s, c), once per step and contact"},
    {.name = "solve",
        .type = SCREE_OPAQUE,
        .doc = "function(p, Ann, Ant, Ano, Att, Ato, Aoo, bn, bt, bo) returning xn, xt, xo"},
};

static bool is_identifier(const char *text) {
  if (!isalpha((unsigned char)*text) && *text != '_') return false;
  for (; *text; text++)
    if (!isalnum((unsigned char)*text) && *text != '_') return false;
  return true;
}

static void check_name(lua_State *L, const char *path, const char *name) {
  if (!is_identifier(name)) sl_refuse(L, "%s must be a name of letters, digits and _, not '%s'", path, name);
  if (strlen(name) >= SL_LAW_NAME) sl_refuse(L, "%s is longer than %d bytes", path, SL_LAW_NAME - 1);
}

/* Returns a registry reference to the function under a key, LUA_NOREF without the key. */
static int function_of(lua_State *L, const char *key) {
  int type = lua_getfield(L, 1, key);
  if (type == LUA_TNIL) return lua_pop(L, 1), LUA_NOREF;
  if (type != LUA_TFUNCTION) sl_refuse(L, "law.%s must be a function, not a %s", key, luaL_typename(L, -1));
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* One parameter of the law: its default as a number, or {default=, min=, max=, unit=, doc=}. */
typedef struct bounds {
  double fallback, min, max;
  const char *unit, *doc;
} bounds;
static const scree_param bound_keys[] = {
    {"default", SCREE_REAL, SCREE_REQUIRED, "", 0, 0, 0, offsetof(bounds, fallback), NULL, "default"},
    SL_REAL("min", offsetof(bounds, min), "", 0, 0, 0, "lower bound"),
    {"max", SCREE_REAL, SCREE_UNBOUNDED, "", 0, 0, 0, offsetof(bounds, max), NULL, "upper bound"},
    SL_STRING("unit", offsetof(bounds, unit), "unit"),
    SL_STRING("doc", offsetof(bounds, doc), "one line"),
};

/* Returns a copy of a string that lives as long as the Lua state. */
static const char *anchor_text(lua_State *L, const char *text) {
  lua_pushstring(L, text);
  const char *kept = lua_tostring(L, -1);
  luaL_ref(L, LUA_REGISTRYINDEX);
  return kept;
}

/* Raises an error unless the default of parameter i of the law lies within its bounds. */
static void check_fallback(lua_State *L, const sl_law *law, int i, const char *path) {
  double values[SCREE_LAW_MAX_PARAMS];
  char place[112];
  for (int k = 0; k < law->params_count; k++) values[k] = law->params[k].fallback;
  snprintf(place, sizeof place, "%s.default", path);
  SL_TRY(L, scree_param_check(law->params + i, values, place, &error));
}

static void read_param(lua_State *L, sl_law *law, const char *name) {
  char path[96];
  snprintf(path, sizeof path, "law.params.%s", name);
  check_name(L, path, name);
  bounds value = {0, -1e300, 1e300, "", "parameter of a law of the script"};
  if (lua_istable(L, -1)) sl_read(L, -1, path, &(sl_section){bound_keys, 5, &value}, 1, 0);
  else if (lua_type(L, -1) == LUA_TNUMBER) value.fallback = lua_tonumber(L, -1);
  else sl_refuse(L, "%s must be a number or a table, not a %s", path, luaL_typename(L, -1));
  if (!isfinite(value.fallback)) sl_refuse(L, "%s: the default is not finite", path);
  if (value.min > value.max) sl_refuse(L, "%s: min %g is above max %g", path, value.min, value.max);
  // a parameter of the base law gets another default
  for (int i = 0; i < law->params_count; i++)
    if (!strcmp(law->params[i].name, name)) {
      law->params[i].fallback = value.fallback;
      check_fallback(L, law, i, path);
      return;
    }
  int at = law->params_count++;
  snprintf(law->param_names[at], SL_LAW_NAME, "%s", name);
  law->params[at] = (scree_param){law->param_names[at], SCREE_REAL, 0,
      anchor_text(L, value.unit ? value.unit : ""), value.fallback, value.min, value.max,
      (size_t)at * sizeof(double), NULL, anchor_text(L, value.doc)};
  check_fallback(L, law, at, path);
}

/* Reads the parameters: those of the base law, then those of the key params in alphabetical order. */
static void read_params(lua_State *L, sl_law *law) {
  int count = 0;
  const scree_param *base = *law->base ? scree_law_params(law->base, &count) : NULL;
  for (int i = 0; i < count; i++) law->params[i] = base[i];
  law->params_count = count;
  int type = lua_getfield(L, 1, "params");
  if (type == LUA_TNIL) return (void)lua_pop(L, 1);
  if (type != LUA_TTABLE) sl_refuse(L, "law.params must be a table, not a %s", luaL_typename(L, -1));
  const char *names[SCREE_LAW_MAX_PARAMS];
  int own = 0;
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      sl_refuse(L, "law.params must have names as keys, as in { mu = 0.5 }");
    if (own == SCREE_LAW_MAX_PARAMS)
      sl_refuse(L, "law.params has more than %d entries", SCREE_LAW_MAX_PARAMS);
    names[own++] = lua_tostring(L, -2);
  }
  qsort(names, (size_t)own, sizeof *names, compare_texts);
  for (int i = 0; i < own; i++) {
    bool known = scree_param_find(law->params, law->params_count, names[i]);
    if (!known && law->params_count == SCREE_LAW_MAX_PARAMS)
      sl_refuse(L, "law.params: with its base the law has more than %d parameters", SCREE_LAW_MAX_PARAMS);
    lua_getfield(L, -1, names[i]);
    read_param(L, law, names[i]);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static void read_state(lua_State *L, sl_law *law) {
  int type = lua_getfield(L, 1, "state");
  if (type == LUA_TNIL) return (void)lua_pop(L, 1);
  if (type != LUA_TTABLE) sl_refuse(L, "law.state must be a list of names, not a %s", luaL_typename(L, -1));
  int count = (int)lua_rawlen(L, -1);
  if (!count && (lua_pushnil(L), lua_next(L, -2)))
    sl_refuse(L, "law.state must be a list of names, such as { \"slip\" }");
  if (count > SCREE_LAW_MAX_STATE) sl_refuse(L, "law.state has more than %d names", SCREE_LAW_MAX_STATE);
  for (int i = 0; i < count; i++) {
    if (lua_rawgeti(L, -1, i + 1) != LUA_TSTRING)
      sl_refuse(L, "law.state[%d] must be a name, not a %s", i + 1, luaL_typename(L, -1));
    check_name(L, "law.state", lua_tostring(L, -1));
    for (int k = 0; k < i; k++)
      if (!strcmp(law->state_names[k], lua_tostring(L, -1)))
        sl_refuse(L, "law.state: '%s' stands twice", law->state_names[k]);
    snprintf(law->state_names[i], SL_LAW_NAME, "%s", lua_tostring(L, -1));
    lua_pop(L, 1);
  }
  law->state_count = count;
  lua_pop(L, 1);
}

/* Metamethod __index and __newindex of the tables p, s and c: raises an error, because the table lacks the
 * key. Upvalue 1: name of the table. */
static int refuse_law_field(lua_State *L) {
  const char *name = sl_tostring(L, 2);
  return luaL_error(
      L, "%s has no '%s'%s", lua_tostring(L, lua_upvalueindex(1)), name, sl_hint_table(L, name, 1));
}

/* Pushes a new table. Its fields are set by lua_rawset. Reading or setting any other field is an error. */
static void push_strict_table(lua_State *L, const char *name) {
  lua_newtable(L);
  lua_createtable(L, 0, 3);
  for (int i = 0; i < 2; i++) {
    lua_pushstring(L, name);
    lua_pushcclosure(L, refuse_law_field, 1);
    lua_setfield(L, -2, i ? "__newindex" : "__index");
  }
  sl_set_boolean(L, "__metatable", 0);
  lua_setmetatable(L, -2);
}

/* Makes the tables that are the arguments of the functions, with lists for the vectors of a contact. */
static void make_tables(lua_State *L, sl_law *law) {
  static const struct {
    const char *name;
    int count;
  } lists[] = {{"point", 3}, {"normal", 3}, {"tangent", 3}, {"velocity", 3}, {"impulse", 3}, {"slip", 2}};
  push_strict_table(L, "p");
  law->params_table = luaL_ref(L, LUA_REGISTRYINDEX);
  push_strict_table(L, "s");
  law->state_table = luaL_ref(L, LUA_REGISTRYINDEX);
  push_strict_table(L, "c");
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    lua_pushstring(L, lists[i].name);
    lua_createtable(L, lists[i].count, 0);
    lua_rawset(L, -3);
  }
  law->contact_table = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* Stores the law on top of the stack in the tables of laws in the registry. */
static void register_law(lua_State *L, const char *name) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, "scree.laws");
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, "scree.law_order");
  lua_pushstring(L, name);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
}

int sl_law_define(lua_State *L) {
  definition def = {NULL, NULL};
  lua_settop(L, 1);
  sl_read(L, 1, "law", &(sl_section){keys, sizeof keys / sizeof *keys, &def}, 1, 0);
  check_name(L, "law.name", def.name);
  if (sl_law_own(L, def.name)) sl_refuse(L, "law.name: there is already a law '%s'", def.name);
  for (int i = 0; i < scree_law_count(); i++)
    if (!strcmp(scree_law_name(i), def.name))
      sl_refuse(L, "law.name: '%s' is one of scree's own laws", def.name);
  int solve = function_of(L, "solve"), refresh = function_of(L, "refresh");
  if ((solve == LUA_NOREF) == !def.base) sl_refuse(L, "law '%s' needs either base or solve", def.name);
  if (def.base) {
    sl_law *own;
    int count;
    sl_law_params(L, def.base, "law.base", &count, &own);
    if (own) sl_refuse(L, "law.base must be one of scree's own laws, not '%s'", def.base);
    if (refresh == LUA_NOREF)
      sl_refuse(L, "law '%s' has a base but no refresh: use the base itself", def.name);
  }
  sl_law *law = lua_newuserdatauv(L, sizeof *law, 1);
  memset(law, 0, sizeof *law);
  law->runtime = sl_runtime_of(L);
  law->solve = solve;
  law->refresh = refresh;
  snprintf(law->name, sizeof law->name, "%s", def.name);
  snprintf(law->base, sizeof law->base, "%s", def.base ? def.base : "");
  read_params(L, law);
  read_state(L, law);
  make_tables(L, law);
  law->thread = lua_newthread(L);
  lua_setiuservalue(L, -2, 1);
  register_law(L, law->name);
  return lua_pushstring(L, law->name), 1;
}
