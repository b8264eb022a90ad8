/* Calls laws that scripts define. Their functions run as protected calls in a separate coroutine, under the
 * limits of the script. */
#include "bind/objects/law/law.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/sandbox/library.h"
#include "bind/sandbox/inside.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- calling the script ---- */

/* Message handler: stores the traceback of the law's lines. */
static int keep_law_traceback(lua_State *L) {
  sl_runtime *runtime = sl_runtime_of(L);
  sl_tostring(L, 1);
  luaL_traceback(L, L, NULL, 1);
  snprintf(runtime->traceback, sizeof runtime->traceback, "%s", lua_tostring(L, -1));
  lua_pop(L, 1);
  return 1;
}

/* Calls the function below its arguments within the limits of the script. Returns true on failure. */
static bool call_law(sl_law *law, int arguments, int results, scree_error *error) {
  lua_State *L = law->thread, *running = law->runtime->running;
  int base = lua_gettop(L) - arguments, engine = law->runtime->engine;
  lua_pushcfunction(L, keep_law_traceback);
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

static int fail_law(const sl_law *law, scree_error *error, const char *format, ...) {
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

/* Sets a number of the table on top of the stack, without metamethods. */
static void set_raw(lua_State *L, const char *name, double value) {
  lua_pushstring(L, name);
  lua_pushnumber(L, value);
  lua_rawset(L, -3);
}

/* Pushes the law's table of parameters, filled with `params`. */
static void push_params(sl_law *law, const double *params) {
  lua_State *L = law->thread;
  lua_rawgeti(L, LUA_REGISTRYINDEX, law->params_table);
  if (law->params_table_valid &&
      !memcmp(law->params_table_values, params, (size_t)law->params_count * sizeof *params))
    return;
  for (int i = 0; i < law->params_count; i++) set_raw(L, law->params[i].name, params[i]);
  memcpy(law->params_table_values, params, (size_t)law->params_count * sizeof *params);
  law->params_table_valid = true;
}

/* Writes "FILE:LINE" of the definition of a function to `place`. Messages use it for results that are wrong
 * although the function raised no error. */
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
  if (call_law(law, 10, 3, error)) return 1;
  char place[LUA_IDSIZE + 16];
  for (int i = 0; i < 3; i++) {
    int number;
    x[i] = lua_tonumberx(L, i - 3, &number);
    if (number && isfinite(x[i])) continue;
    place_of(law, law->solve, place, sizeof place);
    fail_law(law, error, "%s: solve returned %s as %s", place,
        number ? isnan(x[i]) ? "NaN" : "infinity" : luaL_typename(L, i - 3), names[i]);
    lua_pop(L, 3);
    return 1;
  }
  lua_pop(L, 3);
  return 0;
}

/* ---- refresh ---- */

static void set_list(lua_State *L, const char *name, const double *value, int count) {
  lua_pushstring(L, name);
  if (lua_rawget(L, -2) != LUA_TTABLE) { /* the script replaced the list */
    lua_pop(L, 1);
    lua_pushstring(L, name);
    lua_createtable(L, count, 0);
    lua_rawset(L, -3);
    lua_pushstring(L, name);
    lua_rawget(L, -2);
  }
  for (int i = 0; i < count; i++) {
    lua_pushnumber(L, value[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_pop(L, 1);
}

static void set_raw_integer(lua_State *L, const char *name, lua_Integer value) {
  lua_pushstring(L, name);
  lua_pushinteger(L, value);
  lua_rawset(L, -3);
}

static void push_contact_info(sl_law *law, const scree_contact_info *c) {
  lua_State *L = law->thread;
  lua_rawgeti(L, LUA_REGISTRYINDEX, law->contact_table);
  set_raw_integer(L, "body1", (lua_Integer)c->body1);
  set_raw_integer(L, "body2", (lua_Integer)c->body2);
  set_raw(L, "gap", c->gap);
  set_raw(L, "dt", c->dt);
  set_raw(L, "area", c->area);
  set_raw(L, "slip_speed", sqrt(c->slip[0] * c->slip[0] + c->slip[1] * c->slip[1]));
  set_list(L, "point", c->point, 3);
  set_list(L, "normal", c->normal, 3);
  set_list(L, "tangent", c->t, 3);
  set_list(L, "velocity", c->velocity, 3);
  set_list(L, "impulse", c->impulse, 3);
  set_list(L, "slip", c->slip, 2);
}

/* Reads the fields name(law, 0..count-1) of the table on top of the stack. Returns nonzero if one is not a
 * finite number. */
static int read_back(sl_law *law, const char *what, int count, const char *(*name)(const sl_law *, int),
    double *out, scree_error *error) {
  lua_State *L = law->thread;
  char place[LUA_IDSIZE + 16];
  for (int i = 0; i < count; i++) {
    int number;
    lua_pushstring(L, name(law, i));
    lua_rawget(L, -2);
    double value = lua_tonumberx(L, -1, &number);
    const char *type = luaL_typename(L, -1);
    lua_pop(L, 1);
    if (number && isfinite(value)) {
      out[i] = value;
      continue;
    }
    place_of(law, law->refresh, place, sizeof place);
    return fail_law(law, error, "%s: refresh left %s.%s as %s", place, what, name(law, i),
        number ? isnan(value) ? "NaN" : "infinity" : type);
  }
  return 0;
}

static const char *param_name(const sl_law *law, int i) { return law->params[i].name; }
static const char *state_name(const sl_law *law, int i) { return law->state_names[i]; }

/* Checks that refresh left all parameters within their bounds. Returns nonzero if not. */
static int check_bounds(sl_law *law, const double *params, scree_error *error) {
  scree_error reason = {SCREE_OK, ""};
  char place[LUA_IDSIZE + 16];
  for (int i = 0; i < law->params_count; i++) {
    if (scree_param_check(law->params + i, params, law->params[i].name, &reason) == SCREE_OK) continue;
    place_of(law, law->refresh, place, sizeof place);
    return fail_law(law, error, "%s: after refresh, %s", place, reason.text);
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
  law->params_table_valid = false;
  push_params(law, params);
  lua_rawgeti(L, LUA_REGISTRYINDEX, law->state_table);
  for (int i = 0; i < law->state_count; i++) set_raw(L, law->state_names[i], state ? state[i] : 0);
  push_contact_info(law, contact);
  int failed = call_law(law, 3, 0, error);
  law->params_table_valid = false;
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

/* ---- worlds ---- */

void sl_law_into_world(lua_State *L, sl_world *world, const char *name) {
  sl_law *law = sl_law_own(L, name);
  int count;
  if (!law || scree_world_law_params(world->world, name, &count)) return;
  const scree_law_callbacks callbacks = {.name = law->name,
      .base = *law->base ? law->base : NULL,
      .params = law->params,
      .params_count = law->params_count,
      .state_count = law->state_count,
      .refresh = law->refresh == LUA_NOREF ? NULL : call_refresh,
      .solve = law->solve == LUA_NOREF ? NULL : sl_law_call_solve,
      .user = law};
  SL_TRY(L, scree_world_define_law(world->world, &callbacks, &error));
}
