/* scree.impact: solve{...}, directions{...}, inverse_inertia{...}, apply{...}. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MOST_POINTS = 100000 };

/* ---- the problem ---- */

/* Raises an error unless the value at stack index 1 is a table. Removes the other arguments. */
static void check_table(lua_State *L) {
  sl_check_table(L, 1, "impact");
  lua_settop(L, 1);
}

/* Reads the key W, the inverse inertia of the contact, as three rows of three numbers. */
static void read_inverse_inertia(lua_State *L, int index, double W[9]) {
  if (lua_getfield(L, index, "W") != LUA_TTABLE || lua_rawlen(L, -1) != 3)
    sl_refuse(L, "impact.W must be a list of three rows");
  for (int i = 0; i < 3; i++) {
    char path[32];
    snprintf(path, sizeof path, "impact.W[%d]", i + 1);
    lua_rawgeti(L, -1, i + 1);
    sl_read_vec3(L, -1, path, NULL, false, W + 3 * i);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* Reads the key hodograph and allocates the points of the hodograph, as a userdata that stays on the
 * stack. */
static void make_room(lua_State *L, int index, scree_impact_def *def) {
  int type = lua_getfield(L, index, "hodograph");
  if (type == LUA_TBOOLEAN && lua_toboolean(L, -1)) def->points_max = 600;
  else if (type == LUA_TNUMBER) {
    lua_Number wish = lua_tonumber(L, -1);
    if (!(wish >= 2 && wish <= MOST_POINTS))
      sl_refuse(L, "impact.hodograph must be true or a number of points in [2, %d]", MOST_POINTS);
    def->points_max = (int)wish;
  } else if (type != LUA_TNIL && type != LUA_TBOOLEAN)
    sl_refuse(L, "impact.hodograph must be true or a number of points, not a %s", luaL_typename(L, -1));
  lua_pop(L, 1);
  if (def->points_max) def->points = lua_newuserdatauv(L, (size_t)def->points_max * sizeof *def->points, 0);
}

static void push_events(lua_State *L, const scree_impact_result *result) {
  lua_createtable(L, result->events_count, 0);
  for (int i = 0; i < result->events_count; i++) {
    char name[2] = {result->events[i].name, 0};
    lua_createtable(L, 0, 2);
    sl_set_string(L, "name", name);
    sl_set_number(L, "normal_impulse", result->events[i].normal_impulse);
    lua_rawseti(L, -2, i + 1);
  }
}

static void push_points(lua_State *L, const scree_impact_point *points, int count) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_createtable(L, 0, 3);
    sl_set_vector(L, "impulse", points[i].impulse, 3);
    sl_set_vector(L, "velocity", points[i].velocity, 3);
    sl_set_number(L, "energy", points[i].energy);
    lua_rawseti(L, -2, i + 1);
  }
}

static int impact_solve(lua_State *L) {
  scree_impact_def def = scree_impact_defaults();
  scree_impact_result result;
  check_table(L);
  SL_READ_TABLE(L, 1, "impact", scree_impact_params, &def);
  read_inverse_inertia(L, 1, def.W);
  make_room(L, 1, &def);
  SL_TRY(L, scree_impact_solve(&def, &result, &error));
  lua_createtable(L, 0, 9);
  sl_set_vector(L, "impulse", result.impulse, 3);
  sl_set_vector(L, "v_after", result.v_after, 3);
  sl_set_number(L, "energy_lost", result.energy_lost);
  sl_set_number(L, "energy_stored", result.energy_stored);
  sl_set_string(L, "sequence", result.sequence);
  sl_set_boolean(L, "sticking", result.sticking);
  sl_set_boolean(L, "condition", result.condition);
  push_events(L, &result);
  lua_setfield(L, -2, "events");
  if (def.points) {
    push_points(L, def.points, result.points);
    lua_setfield(L, -2, "hodograph");
  }
  return 1;
}

/* directions{W=, mu=}: returns a list of the invariant directions of slip, {x, y, rate=}. */
static int impact_directions(lua_State *L) {
  scree_impact_def def = scree_impact_defaults();
  double directions[4][2], rates[4];
  check_table(L);
  sl_section section = {(scree_param[]){scree_impact_params[0], scree_impact_params[2]}, 2, &def};
  sl_read(L, 1, "impact", &section, 1, 0);
  read_inverse_inertia(L, 1, def.W);
  int count = scree_impact_directions(def.W, def.mu, directions, rates);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    sl_push_vector(L, directions[i], 2);
    sl_set_number(L, "rate", rates[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* ---- bodies ---- */

/* Row for the key `impulse`, which is an argument of scree_impact_apply and not a member of
 * scree_impact_pair. */
static const scree_param impulse_params[] = {
    {"impulse", SCREE_OPAQUE, 0, "N s", 0, 0, 0, 0, NULL, "for apply: the impulse (x,y,z) on body 1"},
};

/* Reads the key inertia of the table at index. */
static void read_inertia(lua_State *L, int index, const char *path, double out[6]) {
  int type = lua_getfield(L, index, "inertia"),
      count = type == LUA_TTABLE ? (int)lua_rawlen(L, -1)
      : type == LUA_TNUMBER      ? 1
                                 : 0;
  double value[6] = {0};
  for (int i = 0; i < count && count <= 6; i++) {
    if (type == LUA_TTABLE) lua_rawgeti(L, -1, i + 1);
    else lua_pushvalue(L, -1);
    value[i] = lua_isnumber(L, -1) ? lua_tonumber(L, -1) : NAN;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  if (type == LUA_TNIL) return;
  if (count == 1) out[0] = out[3] = out[5] = value[0];
  else if (count == 3) out[0] = value[0], out[3] = value[1], out[5] = value[2];
  else if (count == 6) memcpy(out, value, sizeof value);
  else sl_refuse(L, "%s.inertia must be a number, or a list of three or six", path);
}

/* Reads the two bodies and the contact in the table at stack index 1. */
static void read_impact_pair(lua_State *L, scree_impact_pair *pair) {
  check_table(L);
  *pair = scree_impact_pair_defaults();
  sl_read(L, 1, "impact", (sl_section[]){SL_TABLE(scree_impact_pair_params, pair), {impulse_params, 1, NULL}},
      2, 0);
  for (int k = 0; k < 2; k++) {
    char path[32];
    snprintf(path, sizeof path, "body%d", k + 1);
    int type = lua_getfield(L, 1, path);
    snprintf(path, sizeof path, "impact.body%d", k + 1);
    if (type == LUA_TTABLE) {
      SL_READ_TABLE(L, 2, path, scree_impact_body_params, pair->body + k);
      read_inertia(L, 2, path, pair->body[k].inertia);
    } else if (type != LUA_TNIL || k == 0)
      sl_refuse(L, "%s must be a table, not a %s", path, lua_typename(L, type));
    lua_settop(L, 1);
  }
}

/* inverse_inertia{...}: returns the inverse inertia W of the contact, the relative velocity v and the contact
 * frame. */
static int impact_inverse_inertia(lua_State *L) {
  scree_impact_pair pair;
  double W[9], v[3], frame[9];
  read_impact_pair(L, &pair);
  SL_TRY(L,
      scree_impact_inverse_inertia(&pair, W, frame, &error) != SCREE_OK ||
          scree_impact_velocity(&pair, v, &error));
  sl_push_matrix(L, W);
  sl_push_vector(L, v, 3);
  sl_push_matrix(L, frame);
  return 3;
}

/* apply{..., impulse=}: returns velocity and spin of both bodies after the impulse, as two tables. */
static int impact_apply(lua_State *L) {
  scree_impact_pair pair;
  double impulse[3];
  read_impact_pair(L, &pair);
  lua_getfield(L, 1, "impulse");
  sl_read_vec3(L, -1, "impact.impulse", NULL, false, impulse);
  SL_TRY(L, scree_impact_apply(&pair, impulse, &error));
  for (int k = 0; k < 2; k++) {
    lua_createtable(L, 0, 2);
    sl_set_vector(L, "velocity", pair.body[k].velocity, 3);
    sl_set_vector(L, "spin", pair.body[k].spin, 3);
  }
  return 2;
}

const luaL_Reg sl_impact_functions[] = {{"solve", impact_solve}, {"directions", impact_directions},
    {"inverse_inertia", impact_inverse_inertia}, {"apply", impact_apply}, {NULL, NULL}};
