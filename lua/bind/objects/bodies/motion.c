/* Prescribed motions: the velocity of a body is a function of time or a table, velocity = function(t) ...
 * end.
 *
 * Before each step every such body gets the mean velocity of each substep, so that the displacement of the
 * body is the integral of its velocity at any step size. Tables are integrated exactly, functions by the
 * Gauss-Legendre rule with five points, which is exact for polynomials of degree 9. Functions are not
 * saved. A resumed run gets them from its setup, which runs again. */
#include "bind/objects/bodies/motion.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"
#include "bind/sandbox/inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *key, *unit;
  int mask; /* bits of scree_world_set for the quantity that the motion sets */
  bool surface;
  size_t member;
} moves[] = {
    {"velocity", "m/s", SCREE_SET_VELOCITY, false, offsetof(scree_body_state, velocity)},
    {"spin", "rad/s", SCREE_SET_SPIN, false, offsetof(scree_body_state, spin)},
    {"surface_velocity", "m/s", SCREE_SET_SURFACE_VELOCITY, true,
        offsetof(scree_body_state, surface_velocity)},
    {"surface_spin", "rad/s", SCREE_SET_SURFACE_SPIN, true, offsetof(scree_body_state, surface_spin)},
};

/* ---- reading ---- */

/* Returns whether the value at index is a motion: a function, or a list whose first item is a list. */
static bool is_motion(lua_State *L, int index) {
  if (lua_isfunction(L, index)) return true;
  if (!lua_istable(L, index)) return false;
  bool rows = lua_rawgeti(L, index, 1) == LUA_TTABLE;
  return lua_pop(L, 1), rows;
}

int sl_motion_find(lua_State *L, int index) {
  int keys = 0;
  if (!lua_istable(L, index)) return 0;
  for (int i = 0; i < SL_COUNT(moves); i++) {
    lua_getfield(L, index, moves[i].key);
    keys |= is_motion(L, lua_gettop(L)) << i;
    lua_pop(L, 1);
  }
  return keys;
}

void sl_motion_take(lua_State *L, int index, const char *path, int keys, scree_param *params, int count,
    scree_body_def *body) {
  const bool said = sl_has_key(L, index, "kind");
  for (int i = 0; i < SL_COUNT(moves); i++) {
    const int kind = moves[i].surface ? SCREE_FIXED : SCREE_KINEMATIC;
    if (!(keys >> i & 1)) continue;
    for (int k = 0; k < count; k++)
      if (!strcmp(params[k].name, moves[i].key)) params[k].type = SCREE_OPAQUE;
    if (said) {
      lua_getfield(L, index, "kind");
      const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
      if (strcmp(word, kind == SCREE_FIXED ? "fixed" : "kinematic"))
        sl_refuse(L, "%s.%s: a function of time is for a %s body%s", path, moves[i].key,
            kind == SCREE_FIXED ? "fixed" : "kinematic",
            kind == SCREE_FIXED ? "" : "; others move by themselves or not");
      lua_pop(L, 1);
    } else if (i > 1 && keys & 3) {
      sl_refuse(L, "%s.%s is of a fixed body, and %s of a kinematic one", path, moves[i].key,
          keys & 1 ? "velocity" : "spin");
    }
    body->kind = kind;
  }
}

/* Pushes a copy of the table at index. The table has rows { time, vector } with increasing times. The copy
 * contains plain SI numbers instead of quantities. */
static void push_table(lua_State *L, int index, const char *path, const char *unit) {
  double last = -INFINITY;
  lua_createtable(L, (int)lua_rawlen(L, index), 0);
  for (int i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; i++, lua_pop(L, 1)) {
    char place[128];
    double row[4];
    snprintf(place, sizeof place, "%s[%d]", path, i);
    if (!lua_istable(L, -1) || lua_rawlen(L, -1) != 2)
      sl_refuse(L, "%s must be { time, { x, y, z } }", place);
    lua_rawgeti(L, -1, 1);
    row[0] = sl_read_number(L, -1, place, "s");
    if (!(row[0] > last) || isinf(row[0]))
      sl_refuse(L, "%s: times must be finite and rise, %g s does not", place, row[0]);
    last = row[0];
    lua_rawgeti(L, -2, 2);
    sl_read_vec3(L, -1, place, unit, false, row + 1);
    lua_pop(L, 2);
    sl_push_vector(L, row, 4);
    lua_rawseti(L, -3, i);
  }
  lua_pop(L, 1);
}

void sl_motion_keep(lua_State *L, int world_index, int index, const char *path, int keys, scree_id id) {
  char place[96];
  sl_world *world = lua_touserdata(L, world_index);
  lua_getiuservalue(L, world_index, SL_MOTIONS_SLOT);
  lua_createtable(L, 0, 3);
  sl_set_integer(L, "id", (int64_t)id);
  for (int i = 0; i < SL_COUNT(moves); i++) {
    if (!(keys >> i & 1)) continue;
    snprintf(place, sizeof place, "%.40s.%s", path, moves[i].key);
    lua_getfield(L, index, moves[i].key);
    if (lua_istable(L, -1)) push_table(L, lua_gettop(L), place, moves[i].unit), lua_remove(L, -2);
    lua_setfield(L, -2, moves[i].key);
  }
  lua_rawseti(L, -2, ++world->motions);
  lua_pop(L, 1);
}

/* ---- moving ---- */

/* Reads row i of the table on top of the stack: time and vector. */
static void get_row(lua_State *L, int i, double row[4]) {
  lua_rawgeti(L, -1, i);
  for (int k = 0; k < 4; k++) {
    lua_rawgeti(L, -1, k + 1);
    row[k] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* Adds the integral of a constant value from t to end to sum. */
static void add_constant(const double value[3], double t, double end, double sum[3]) {
  for (int k = 0; k < 3 && end > t; k++) sum[k] += (end - t) * value[k];
}

/* Adds the integral of the linear function between the rows a and b to sum, over the part of [t, end]
 * between the times of a and b. */
static void add_between(const double a[4], const double b[4], double t, double end, double sum[3]) {
  const double from = fmax(t, a[0]), to = fmin(end, b[0]);
  const double share = (from + (to - from) / 2 - a[0]) / (b[0] - a[0]);
  for (int k = 0; k < 3 && to > from; k++) sum[k] += (to - from) * (a[1 + k] + share * (b[1 + k] - a[1 + k]));
}

/* Sets out to the mean from t to `end` of the table at the top of the Lua stack. The value is linear
 * between rows and constant outside of them. */
static void find_table_mean(lua_State *L, double t, double end, double out[3]) {
  const int rows = (int)lua_rawlen(L, -1);
  double a[4], b[4], sum[3] = {0, 0, 0};
  get_row(L, 1, b);
  add_constant(b + 1, t, fmin(end, b[0]), sum);
  for (int i = 2; i <= rows && b[0] < end; i++) {
    memcpy(a, b, sizeof a);
    get_row(L, i, b);
    add_between(a, b, t, end, sum);
  }
  add_constant(b + 1, fmax(t, b[0]), end, sum);
  for (int k = 0; k < 3; k++) out[k] = sum[k] / (end - t);
}

/* Calls the function on top of the stack with the time t. It returns three numbers or a list. */
static void follow_function(lua_State *L, sl_world *world, double t, int i, double out[3]) {
  const int top = lua_gettop(L);
  lua_pushvalue(L, -1);
  lua_pushnumber(L, t);
  world->stepping = true; /* the function must not change the world */
  const int before = sl_script_enter(world->runtime), status = lua_pcall(L, 1, 3, 0);
  sl_engine_leave(world->runtime, before);
  world->stepping = false;
  if (status) lua_error(L);
  if (lua_istable(L, top + 1)) sl_read_vec3(L, top + 1, moves[i].key, moves[i].unit, false, out);
  for (int k = 0; k < 3 && !lua_istable(L, top + 1); k++) {
    out[k] = lua_tonumber(L, top + 1 + k);
    if (lua_type(L, top + 1 + k) != LUA_TNUMBER || !isfinite(out[k]))
      sl_refuse(
          L, "%s: the function of time must return three finite numbers, or a list of them", moves[i].key);
  }
  lua_settop(L, top);
}

/* Sets out to the mean from t to `end` of the function at the top of the Lua stack. */
static void find_function_mean(lua_State *L, sl_world *world, double t, double end, int i, double out[3]) {
  /* positions of the Gauss points relative to the middle, in half intervals */
  static const double at[] = {0.53846931010568309, 0.90617984593866399};
  static const double weight[] = {0.47862867049936647 / 2, 0.23692688505618909 / 2};
  const double middle = t + (end - t) / 2;
  double value[3], sum[3] = {0, 0, 0};
  follow_function(L, world, middle, i, out);
  for (int k = 0; k < 4; k++) {
    follow_function(L, world, middle + (k & 1 ? 0.5 : -0.5) * at[k / 2] * (end - t), i, value);
    for (int m = 0; m < 3; m++) sum[m] += weight[k / 2] * (value[m] - out[m]);
  }
  for (int m = 0; m < 3; m++) out[m] += sum[m];
}

/* Computes the means from t to `end` of the motions in the entry {id =, velocity =, ...} on top of the stack,
 * and writes them to state. Returns the mask for scree_world_set. */
static int find_means(lua_State *L, sl_world *world, double t, double end, scree_body_state *state) {
  int mask = 0;
  for (int i = 0; i < SL_COUNT(moves); i++) {
    double *value = (double *)((char *)state + moves[i].member);
    const int type = lua_getfield(L, -1, moves[i].key);
    if (type == LUA_TFUNCTION) find_function_mean(L, world, t, end, i, value);
    else if (type == LUA_TTABLE) find_table_mean(L, t, end, value);
    if (type != LUA_TNIL) mask |= moves[i].mask;
    lua_pop(L, 1);
  }
  return mask;
}

/* Sets the velocities of the body of the entry on top of the stack, for all substeps of the step that starts
 * at t. Returns false if the world has removed the body. */
static bool move_body(lua_State *L, sl_world *world, double t, double dt) {
  const int64_t substeps = scree_world_get_def(world->world)->substeps;
  scree_status status = SCREE_OK;
  lua_getfield(L, -1, "id");
  const scree_id id = (scree_id)lua_tointeger(L, -1);
  lua_pop(L, 1);
  for (int64_t part = 0; part < substeps && status == SCREE_OK; part++) {
    scree_body_state state = {0};
    scree_error error = {SCREE_OK, ""};
    const double from = (double)part / (double)substeps, to = (double)(part + 1) / (double)substeps;
    const int mask = find_means(L, world, t + from * dt, t + to * dt, &state);
    status = part ? scree_world_set_at_substep(world->world, id, part, mask, &state, &error)
                  : scree_world_set(world->world, id, mask, &state, &error);
    if (status && status != SCREE_E_STALE) sl_raise_error(L, &error);
  }
  return status == SCREE_OK;
}

void sl_motion_update(lua_State *L, int world_index) {
  sl_world *world = lua_touserdata(L, world_index);
  const double t = scree_world_time(world->world), dt = scree_world_get_def(world->world)->dt;
  if (!world->motions) return;
  luaL_checkstack(L, 16, "motions");
  lua_getiuservalue(L, world_index, SL_MOTIONS_SLOT);
  const int list = lua_gettop(L), count = world->motions;
  int left = 0, of_setup = 0;
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, list, i);
    if (!move_body(L, world, t, dt)) {
      lua_pop(L, 1);
      continue;
    }
    lua_rawseti(L, list, ++left);
    of_setup += i <= world->motions_of_setup;
  }
  for (int i = left + 1; i <= count; i++) lua_pushnil(L), lua_rawseti(L, list, i);
  world->motions_of_setup = of_setup;
  world->motions = left;
  lua_settop(L, list - 1);
}

/* ---- largest velocities ---- */

enum { SAMPLES = 500 };
/* Golden ratio. Its multiples modulo 1 are evenly distributed sample times that do not coincide with the
 * period of a motion. */
static const double GOLDEN = 0.61803398874989485;

static double measure_length(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* Returns the largest length of the vectors of the motion table on top of the stack: of its rows up to the
 * time `end`, and of its value at `end`. */
static double find_table_most(lua_State *L, double end) {
  const int rows = (int)lua_rawlen(L, -1);
  double most = 0, row[4];
  for (int i = 1; i <= rows; i++) {
    get_row(L, i, row);
    if (i > 1 && row[0] > end) {
      find_table_mean(L, end, nextafter(end, INFINITY), row + 1);
      i = rows;
    }
    most = fmax(most, measure_length(row + 1));
  }
  return most;
}

/* Returns the largest length of the vectors that the function on top of the stack returns at sampled
 * times. */
static double find_function_most(lua_State *L, sl_world *world, double from, double end, int i) {
  double most = 0, value[3];
  for (int k = 0; k <= SAMPLES; k++) {
    const double share = k * GOLDEN - floor(k * GOLDEN);
    follow_function(L, world, from + share * (end - from), i, value);
    most = fmax(most, measure_length(value));
  }
  return most;
}

int sl_motion_find_speeds(lua_State *L, int world_index, double end, sl_motion_speed *out, int most) {
  sl_world *world = lua_touserdata(L, world_index);
  const double from = scree_world_time(world->world);
  if (!world->motions) return 0;
  luaL_checkstack(L, 16, "motions");
  lua_getiuservalue(L, world_index, SL_MOTIONS_SLOT);
  for (int k = 0; k < world->motions && k < most; k++) {
    lua_rawgeti(L, -1, k + 1);
    lua_getfield(L, -1, "id");
    out[k] = (sl_motion_speed){.id = (scree_id)lua_tointeger(L, -1)};
    lua_pop(L, 1);
    for (int i = 0; i < SL_COUNT(moves); i++) {
      const int type = lua_getfield(L, -1, moves[i].key);
      double *sum = moves[i].mask & (SCREE_SET_SPIN | SCREE_SET_SURFACE_SPIN) ? &out[k].spin : &out[k].speed;
      if (type == LUA_TFUNCTION) *sum += find_function_most(L, world, from, end, i);
      else if (type == LUA_TTABLE) *sum += find_table_most(L, end);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return world->motions;
}
