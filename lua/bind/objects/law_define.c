/* Laws written in Lua: scree.law.define{name=, params={...}, state={...}, base=, refresh=} or {name=,
 * params=, solve=}.
 *
 * refresh(p, s, c) runs once per step and contact; it may change the parameters p of this contact and
 * its state s; c tells about the contact. solve(p, Ann, Ant, Ano, Att, Ato, Aoo, bn, bt, bo) answers
 * with three numbers, many times per contact and step. The tables p, s, c are made once and filled again
 * for each contact, so that no call makes garbage; p is written only where it differs from the last
 * call's. The functions run protected on a thread of their own, under the same limits as the rest of the
 * script. */
#include "bind/objects/law.h"
#include "bind/sandbox/inside.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- calling the script ---- */

/* Message handler: the text with the traceback of the law's own lines. */
static int keep_traceback(lua_State *L) {
  sl_runtime *runtime = sl_runtime_of(L);
  luaL_tolstring(L, 1, NULL);
  luaL_traceback(L, L, NULL, 1);
  snprintf(runtime->traceback, sizeof runtime->traceback, "%s", lua_tostring(L, -1));
  lua_pop(L, 1);
  return 1;
}

/* Calls the function below its arguments within the limits of the script; true if it failed, with the
 * reason in error. */
static bool call(sl_law *law, int arguments, int results, scree_error *error) {
  lua_State *L = law->thread, *running = law->runtime->running;
  int base = lua_gettop(L) - arguments, engine = law->runtime->engine;
  lua_pushcfunction(L, keep_traceback);
  lua_insert(L, base);
  law->runtime->running = L;
  law->runtime->ticks = 0;
  law->runtime->engine = 0;
  law->runtime->calls++;
  int status = lua_pcall(L, arguments, results, base);
  law->runtime->calls--;
  law->runtime->engine = engine;
  law->runtime->running = running;
  lua_remove(L, base);
  if (status == LUA_OK) return false;
  if (error) {
    const char *text = lua_tostring(L, -1);
    error->status = SCREE_E_LAW;
    snprintf(
        error->text, sizeof error->text, "law '%s': %s", law->name, text ? text : "an error without a text");
  }
  lua_pop(L, 1);
  return true;
}

static int fail(const sl_law *law, scree_error *error, const char *format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (error) {
    error->status = SCREE_E_LAW;
    snprintf(error->text, sizeof error->text, "law '%s': %s", law->name, text);
  }
  return 1;
}

/* Pushes the table of parameters, brought up to date. */
static void push_params(sl_law *law, const double *params) {
  lua_State *L = law->thread;
  lua_rawgeti(L, LUA_REGISTRYINDEX, law->params_table);
  if (law->shown_valid && !memcmp(law->shown, params, (size_t)law->params_count * sizeof *params)) return;
  for (int i = 0; i < law->params_count; i++) sl_set_number(L, law->params[i].name, params[i]);
  memcpy(law->shown, params, (size_t)law->params_count * sizeof *params);
  law->shown_valid = true;
}

/* "FILE:LINE" where a function was defined, for answers that are wrong without an error. */
static void place_of(sl_law *law, int function, char *place, size_t size) {
  lua_Debug at;
  lua_rawgeti(law->thread, LUA_REGISTRYINDEX, function);
  lua_getinfo(law->thread, ">S", &at);
  snprintf(place, size, "%s:%d", at.short_src, at.linedefined);
}

int sl_law_call_solve(
    void *user, const double *params, const double A[6], const double b[3], double x[3], scree_error *error) {
  static const char *const names[3] = {"x_n", "x_t", "x_o"};
  sl_law *law = user;
  lua_State *L = law->thread;
  lua_rawgeti(L, LUA_REGISTRYINDEX, law->solve);
  push_params(law, params);
  for (int i = 0; i < 6; i++) lua_pushnumber(L, A[i]);
  for (int i = 0; i < 3; i++) lua_pushnumber(L, b[i]);
  if (call(law, 10, 3, error)) return 1;
  char place[LUA_IDSIZE + 16];
  for (int i = 0; i < 3; i++) {
    int number;
    x[i] = lua_tonumberx(L, i - 3, &number);
    if (number && isfinite(x[i])) continue;
    place_of(law, law->solve, place, sizeof place);
    fail(law, error, "%s: solve returned %s as %s", place,
        number ? isnan(x[i]) ? "NaN" : "infinity" : luaL_typename(L, i - 3), names[i]);
    lua_pop(L, 3);
    return 1;
  }
  lua_pop(L, 3);
  return 0;
}

/* ---- refresh ---- */

static void set_list(lua_State *L, const char *name, const double *value, int count) {
  lua_getfield(L, -1, name);
  for (int i = 0; i < count; i++) {
    lua_pushnumber(L, value[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_pop(L, 1);
}

static void push_contact(sl_law *law, const scree_contact_info *c) {
  lua_State *L = law->thread;
  lua_rawgeti(L, LUA_REGISTRYINDEX, law->contact_table);
  sl_set_integer(L, "body1", (int64_t)c->body1);
  sl_set_integer(L, "body2", (int64_t)c->body2);
  sl_set_number(L, "gap", c->gap);
  sl_set_number(L, "dt", c->dt);
  sl_set_number(L, "slip_speed", sqrt(c->slip[0] * c->slip[0] + c->slip[1] * c->slip[1]));
  set_list(L, "point", c->point, 3);
  set_list(L, "normal", c->normal, 3);
  set_list(L, "tangent", c->t, 3);
  set_list(L, "velocity", c->velocity, 3);
  set_list(L, "impulse", c->impulse, 3);
  set_list(L, "slip", c->slip, 2);
}

/* Reads the numbers called names from the table on top of the stack. */
static int read_back(sl_law *law, const char *what, int count, const char *(*name)(const sl_law *, int),
    double *out, scree_error *error) {
  lua_State *L = law->thread;
  char place[LUA_IDSIZE + 16];
  for (int i = 0; i < count; i++) {
    int number;
    lua_getfield(L, -1, name(law, i));
    double value = lua_tonumberx(L, -1, &number);
    const char *type = luaL_typename(L, -1);
    lua_pop(L, 1);
    if (number && isfinite(value)) {
      out[i] = value;
      continue;
    }
    place_of(law, law->refresh, place, sizeof place);
    return fail(law, error, "%s: refresh left %s.%s as %s", place, what, name(law, i),
        number ? isnan(value) ? "NaN" : "infinity" : type);
  }
  return 0;
}

static const char *param_name(const sl_law *law, int i) { return law->params[i].name; }
static const char *state_name(const sl_law *law, int i) { return law->state_names[i]; }

/* Parameters must stay within their bounds: a negative mu is no law. */
static int check_bounds(sl_law *law, const double *params, scree_error *error) {
  scree_error reason = {SCREE_OK, ""};
  char place[LUA_IDSIZE + 16];
  for (int i = 0; i < law->params_count; i++) {
    if (scree_param_check(law->params + i, params, law->params[i].name, &reason) == SCREE_OK) continue;
    place_of(law, law->refresh, place, sizeof place);
    return fail(law, error, "%s: after refresh, %s", place, reason.text);
  }
  return 0;
}

static int call_refresh(
    void *user, double *params, double *state, const scree_contact_info *contact, scree_error *error) {
  sl_law *law = user;
  lua_State *L = law->thread;
  if (law->refresh == LUA_NOREF) return 0;
  int top = lua_gettop(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, law->refresh);
  law->shown_valid = false;
  push_params(law, params);
  lua_rawgeti(L, LUA_REGISTRYINDEX, law->state_table);
  for (int i = 0; i < law->state_count; i++) sl_set_number(L, law->state_names[i], state ? state[i] : 0);
  push_contact(law, contact);
  int failed = call(law, 3, 0, error);
  law->shown_valid = false;
  if (!failed) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, law->params_table);
    failed = read_back(law, "p", law->params_count, param_name, params, error) ||
        check_bounds(law, params, error);
  }
  if (!failed && state) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, law->state_table);
    failed = read_back(law, "s", law->state_count, state_name, state, error);
  }
  lua_settop(L, top);
  return failed;
}

scree_status sl_law_refresh(
    sl_law *own, double *params, double *state, const scree_contact_info *contact, scree_error *error) {
  return own && call_refresh(own, params, state, contact, error) ? SCREE_E_LAW : SCREE_OK;
}

/* ---- definition ---- */

typedef struct definition {
  const char *name, *base;
} definition;
static const scree_param keys[] = {
    {"name", SCREE_STRING, SCREE_REQUIRED, "", 0, 0, 0, offsetof(definition, name), NULL,
        "name of the new law"},
    {"base", SCREE_STRING, 0, "", 0, 0, 0, offsetof(definition, base), NULL,
        "law that solves with the refreshed parameters"},
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
  if (!is_identifier(name))
    sl_raise(L, SCREE_E_ARGUMENT, "%s must be a name of letters, digits and _, not '%s'", path, name);
  if (strlen(name) >= SL_LAW_NAME)
    sl_raise(L, SCREE_E_ARGUMENT, "%s is longer than %d bytes", path, SL_LAW_NAME - 1);
}

/* Reference to the function under a key, LUA_NOREF without one. */
static int function_of(lua_State *L, const char *key) {
  int type = lua_getfield(L, 1, key);
  if (type == LUA_TNIL) return lua_pop(L, 1), LUA_NOREF;
  if (type != LUA_TFUNCTION)
    sl_raise(L, SCREE_E_ARGUMENT, "law.%s must be a function, not a %s", key, luaL_typename(L, -1));
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* One parameter of the script: a number, its default, or {default=, min=, max=, unit=, doc=}. Lies on
 * top of the stack. */
typedef struct bounds {
  double fallback, min, max;
  const char *unit, *doc;
} bounds;
static const scree_param bound_keys[] = {
    {"default", SCREE_REAL, SCREE_REQUIRED, "", 0, 0, 0, offsetof(bounds, fallback), NULL, "default"},
    {"min", SCREE_REAL, 0, "", 0, 0, 0, offsetof(bounds, min), NULL, "lower bound"},
    {"max", SCREE_REAL, SCREE_UNBOUNDED, "", 0, 0, 0, offsetof(bounds, max), NULL, "upper bound"},
    {"unit", SCREE_STRING, 0, "", 0, 0, 0, offsetof(bounds, unit), NULL, "unit"},
    {"doc", SCREE_STRING, 0, "", 0, 0, 0, offsetof(bounds, doc), NULL, "one line"},
};

/* Keeps a string of the script alive and returns it. */
static const char *anchor(lua_State *L, const char *text) {
  lua_pushstring(L, text);
  const char *kept = lua_tostring(L, -1);
  luaL_ref(L, LUA_REGISTRYINDEX);
  return kept;
}

static void read_param(lua_State *L, sl_law *law, const char *name) {
  char path[96];
  snprintf(path, sizeof path, "law.params.%s", name);
  check_name(L, path, name);
  bounds value = {0, -1e300, 1e300, "", "parameter of a law of the script"};
  if (lua_istable(L, -1)) sl_read(L, -1, path, &(sl_section){bound_keys, 5, &value}, 1, 0);
  else if (lua_type(L, -1) == LUA_TNUMBER) value.fallback = lua_tonumber(L, -1);
  else sl_raise(L, SCREE_E_ARGUMENT, "%s must be a number or a table, not a %s", path, luaL_typename(L, -1));
  // one of the base's own parameters: another default
  for (int i = 0; i < law->params_count; i++)
    if (!strcmp(law->params[i].name, name)) {
      law->params[i].fallback = value.fallback;
      return;
    }
  int at = law->params_count++;
  snprintf(law->param_names[at], SL_LAW_NAME, "%s", name);
  law->params[at] = (scree_param){law->param_names[at], SCREE_REAL, 0,
      anchor(L, value.unit ? value.unit : ""), value.fallback, value.min, value.max,
      (size_t)at * sizeof(double), NULL, anchor(L, value.doc)};
}

/* The base's table, then law.params in alphabetical order. */
static void read_params(lua_State *L, sl_law *law) {
  int count = 0;
  const scree_param *base = *law->base ? scree_law_params(law->base, &count) : NULL;
  for (int i = 0; i < count; i++) law->params[i] = base[i];
  law->params_count = count;
  int type = lua_getfield(L, 1, "params");
  if (type == LUA_TNIL) return (void)lua_pop(L, 1);
  if (type != LUA_TTABLE)
    sl_raise(L, SCREE_E_ARGUMENT, "law.params must be a table, not a %s", luaL_typename(L, -1));
  const char *names[SCREE_LAW_MAX_PARAMS];
  int own = 0;
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      sl_raise(L, SCREE_E_ARGUMENT, "law.params must have names as keys, as in { mu = 0.5 }");
    if (own == SCREE_LAW_MAX_PARAMS)
      sl_raise(L, SCREE_E_ARGUMENT, "law.params has more than %d entries", SCREE_LAW_MAX_PARAMS);
    names[own++] = lua_tostring(L, -2);
  }
  qsort(names, (size_t)own, sizeof *names, by_text);
  for (int i = 0; i < own; i++) {
    bool known = scree_param_find(law->params, law->params_count, names[i]);
    if (!known && law->params_count == SCREE_LAW_MAX_PARAMS)
      sl_raise(L, SCREE_E_ARGUMENT, "law.params: with its base the law has more than %d parameters",
          SCREE_LAW_MAX_PARAMS);
    lua_getfield(L, -1, names[i]);
    read_param(L, law, names[i]);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static void read_state(lua_State *L, sl_law *law) {
  int type = lua_getfield(L, 1, "state");
  if (type == LUA_TNIL) return (void)lua_pop(L, 1);
  if (type != LUA_TTABLE)
    sl_raise(L, SCREE_E_ARGUMENT, "law.state must be a list of names, not a %s", luaL_typename(L, -1));
  int count = (int)lua_rawlen(L, -1);
  if (count > SCREE_LAW_MAX_STATE)
    sl_raise(L, SCREE_E_ARGUMENT, "law.state has more than %d names", SCREE_LAW_MAX_STATE);
  for (int i = 0; i < count; i++) {
    if (lua_rawgeti(L, -1, i + 1) != LUA_TSTRING)
      sl_raise(L, SCREE_E_ARGUMENT, "law.state[%d] must be a name, not a %s", i + 1, luaL_typename(L, -1));
    check_name(L, "law.state", lua_tostring(L, -1));
    snprintf(law->state_names[i], SL_LAW_NAME, "%s", lua_tostring(L, -1));
    lua_pop(L, 1);
  }
  law->state_count = count;
  lua_pop(L, 1);
}

/* The tables handed to the functions, with lists for the vectors of a contact. */
static void make_tables(lua_State *L, sl_law *law) {
  static const struct {
    const char *name;
    int count;
  } lists[] = {{"point", 3}, {"normal", 3}, {"tangent", 3}, {"velocity", 3}, {"impulse", 3}, {"slip", 2}};
  lua_newtable(L);
  law->params_table = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_newtable(L);
  law->state_table = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_newtable(L);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    lua_createtable(L, lists[i].count, 0);
    lua_setfield(L, -2, lists[i].name);
  }
  law->contact_table = luaL_ref(L, LUA_REGISTRYINDEX);
}

sl_law *sl_law_own(lua_State *L, const char *name) {
  sl_law *law = NULL;
  if (lua_getfield(L, LUA_REGISTRYINDEX, "scree.laws") == LUA_TTABLE) {
    lua_getfield(L, -1, name);
    law = lua_touserdata(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return law;
}

/* Puts the law on top of the stack into the registry's tables. */
static void keep(lua_State *L, const char *name) {
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
  if (sl_law_own(L, def.name))
    sl_raise(L, SCREE_E_ARGUMENT, "law.name: there is already a law '%s'", def.name);
  for (int i = 0; i < scree_law_count(); i++)
    if (!strcmp(scree_law_name(i), def.name))
      sl_raise(L, SCREE_E_ARGUMENT, "law.name: '%s' is one of scree's own laws", def.name);
  int solve = function_of(L, "solve"), refresh = function_of(L, "refresh");
  if ((solve == LUA_NOREF) == !def.base)
    sl_raise(L, SCREE_E_ARGUMENT, "law '%s' needs either base or solve", def.name);
  if (def.base) {
    sl_law *own;
    int count;
    sl_law_params(L, def.base, "law.base", &count, &own);
    if (own) sl_raise(L, SCREE_E_ARGUMENT, "law.base must be one of scree's own laws, not '%s'", def.base);
    if (refresh == LUA_NOREF)
      sl_raise(L, SCREE_E_ARGUMENT, "law '%s' has a base but no refresh: use the base itself", def.name);
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
  keep(L, law->name);
  return lua_pushstring(L, law->name), 1;
}

/* ---- worlds ---- */

void sl_law_into_world(lua_State *L, sl_world *world, const char *name) {
  sl_law *law = sl_law_own(L, name);
  int count;
  if (!law || scree_world_law_params(world->world, name, &count)) return;
  scree_error error = {SCREE_OK, ""};
  const scree_law_callbacks callbacks = {.name = law->name,
      .base = *law->base ? law->base : NULL,
      .params = law->params,
      .params_count = law->params_count,
      .state_count = law->state_count,
      .refresh = law->refresh == LUA_NOREF ? NULL : call_refresh,
      .solve = law->solve == LUA_NOREF ? NULL : sl_law_call_solve,
      .user = law};
  if (scree_world_define_law(world->world, &callbacks, &error) != SCREE_OK) sl_raise_error(L, &error);
}
