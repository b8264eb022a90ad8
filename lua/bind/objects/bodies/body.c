/* Handles of bodies: an id and the world it belongs to. */
#include "bind/bind.h"

#include <stdio.h>
#include <string.h>

void sl_push_body(lua_State *L, int world_index, scree_id id) {
  world_index = lua_absindex(L, world_index);
  sl_body *body = lua_newuserdatauv(L, sizeof *body, 1);
  body->world = lua_touserdata(L, world_index);
  body->id = id;
  sl_set_type(L, SL_BODY);
  // the handle keeps its world alive
  lua_pushvalue(L, world_index);
  lua_setiuservalue(L, -2, 1);
}

static sl_body *check_body(lua_State *L) { return sl_check(L, 1, SL_BODY); }

extern const luaL_Reg sl_body_methods[];

/* A method that tells something was given something, as if it could set it. */
static int refuse_argument(lua_State *L) {
  lua_Debug call;
  char setter[64];
  if (!lua_getstack(L, 0, &call) || !lua_getinfo(L, "n", &call) || !call.name) call.name = "this method";
  snprintf(setter, sizeof setter, "set_%s", call.name);
  for (const luaL_Reg *method = sl_body_methods; method->name; method++)
    if (!strcmp(method->name, setter))
      return sl_raise(L, SCREE_E_ARGUMENT, "%s takes no argument; did you mean '%s'?", call.name, setter);
  return sl_raise(L, SCREE_E_ARGUMENT, "%s takes no argument", call.name);
}

static const scree_body_state *get(lua_State *L, scree_body_state *state) {
  const sl_body *body = check_body(L);
  scree_error error = {SCREE_OK, ""};
  if (lua_gettop(L) > 1) refuse_argument(L);
  if (scree_world_get(body->world->world, body->id, state, &error) != SCREE_OK) sl_raise_error(L, &error);
  return state;
}

static int set(lua_State *L, int mask, const scree_body_state *state) {
  const sl_body *body = check_body(L);
  scree_error error = {SCREE_OK, ""};
  if (body->world->stepping)
    sl_raise(L, SCREE_E_ARGUMENT, "a body cannot be changed from within a friction law");
  if (scree_world_set(body->world->world, body->id, mask, state, &error) != SCREE_OK)
    sl_raise_error(L, &error);
  return 0;
}

static int body_position(lua_State *L) {
  scree_body_state s;
  return sl_push_numbers(L, get(L, &s)->position, 3);
}
static int body_velocity(lua_State *L) {
  scree_body_state s;
  return sl_push_numbers(L, get(L, &s)->velocity, 3);
}
static int body_spin(lua_State *L) {
  scree_body_state s;
  return sl_push_numbers(L, get(L, &s)->spin, 3);
}
static int body_orientation(lua_State *L) {
  scree_body_state s;
  return sl_push_numbers(L, get(L, &s)->orientation, 4);
}
static int body_mass(lua_State *L) {
  scree_body_state s;
  return lua_pushnumber(L, get(L, &s)->mass), 1;
}
static int body_inertia(lua_State *L) {
  scree_body_state s;
  return sl_push_numbers(L, get(L, &s)->inertia, 6);
}
static int body_radius(lua_State *L) {
  scree_body_state s;
  return lua_pushnumber(L, get(L, &s)->radius), 1;
}
static int body_group(lua_State *L) {
  scree_body_state s;
  return lua_pushinteger(L, get(L, &s)->group), 1;
}
static int body_name(lua_State *L) {
  scree_body_state s;
  return lua_pushstring(L, get(L, &s)->name), 1;
}
static int body_id(lua_State *L) { return lua_pushinteger(L, (lua_Integer)check_body(L)->id), 1; }

static const char *const kinds[] = {"dynamic", "kinematic", "fixed", NULL};
static int body_kind(lua_State *L) {
  scree_body_state s;
  return lua_pushstring(L, kinds[get(L, &s)->kind]), 1;
}

static int body_alive(lua_State *L) {
  const sl_body *body = check_body(L);
  return lua_pushboolean(L, scree_world_alive(body->world->world, body->id)), 1;
}

static int body_remove(lua_State *L) {
  const sl_body *body = check_body(L);
  scree_error error = {SCREE_OK, ""};
  if (body->world->stepping)
    sl_raise(L, SCREE_E_ARGUMENT, "a body cannot be removed from within a friction law");
  if (scree_world_remove(body->world->world, body->id, &error) != SCREE_OK) sl_raise_error(L, &error);
  return 0;
}

/* A setter of three numbers; member: where the state holds them. */
static int set_vec3(lua_State *L, int what, const char *verb, size_t member) {
  scree_body_state state = {0};
  sl_vec3_argument(L, 2, verb, (double *)((char *)&state + member));
  return set(L, what, &state);
}

#define SETTER(name, flag, member) \
  static int body_##name(lua_State *L) { \
    return set_vec3(L, flag, #name, offsetof(scree_body_state, member)); \
  }
SETTER(set_position, SCREE_SET_POSITION, position)
SETTER(set_velocity, SCREE_SET_VELOCITY, velocity)
SETTER(set_spin, SCREE_SET_SPIN, spin)
SETTER(set_surface_velocity, SCREE_SET_SURFACE_VELOCITY, surface_velocity)
SETTER(set_surface_spin, SCREE_SET_SURFACE_SPIN, surface_spin)

static int body_surface_velocity(lua_State *L) {
  scree_body_state s;
  return sl_push_numbers(L, get(L, &s)->surface_velocity, 3);
}
static int body_surface_spin(lua_State *L) {
  scree_body_state s;
  return sl_push_numbers(L, get(L, &s)->surface_spin, 3);
}

/* Takes w, x, y, z or one list; normalised. */
static int body_set_orientation(lua_State *L) {
  scree_body_state state = {0};
  const scree_param param = {
      "orientation", SCREE_QUAT, 0, "", 0, 0, 0, offsetof(scree_body_state, orientation), NULL, ""};
  if (!lua_istable(L, 2)) {
    lua_createtable(L, 4, 0);
    for (int i = 1; i <= 4; i++) lua_pushvalue(L, 1 + i), lua_rawseti(L, -2, i);
    lua_replace(L, 2);
  }
  sl_read_value(L, 2, "set_orientation", &param, &state);
  return set(L, SCREE_SET_ORIENTATION, &state);
}

static int body_set_kind(lua_State *L) {
  scree_body_state state = {0};
  const scree_param param = {
      "kind", SCREE_CHOICE, 0, "", 0, 0, 0, offsetof(scree_body_state, kind), "dynamic|kinematic|fixed", ""};
  sl_read_value(L, 2, "set_kind", &param, &state);
  return set(L, SCREE_SET_KIND, &state);
}

static int body_set_group(lua_State *L) {
  scree_body_state state = {0};
  const scree_param param = {
      "group", SCREE_INTEGER, 0, "", 0, 0, 0, offsetof(scree_body_state, group), NULL, ""};
  sl_read_value(L, 2, "set_group", &param, &state);
  return set(L, SCREE_SET_GROUP, &state);
}

/* apply{force=, torque=, at=, axes=}: for the coming step. */
static int body_apply(lua_State *L) {
  const sl_body *body = check_body(L);
  struct {
    double force[3], torque[3], at[3];
    int axes;
  } load = {{0}, {0}, {0}, 0};
  const scree_param params[] = {
      {"force", SCREE_VEC3, 0, "N", 0, 0, 0, 0, NULL, "at the centre of mass, or at the point `at`"},
      {"torque", SCREE_VEC3, 0, "N m", 0, 0, 0, sizeof load.force, NULL, "about the centre of mass"},
      {"at", SCREE_VEC3, 0, "m", 0, 0, 0, 2 * sizeof load.force, NULL,
          "where the force acts; in the body's axes from its centre of mass"},
      {"axes", SCREE_CHOICE, 0, "", 0, 0, 0, 3 * sizeof load.force, "world|body",
          "in which force, torque and point are given"}};
  scree_error error = {SCREE_OK, ""};
  sl_read(L, 2, "apply", &(sl_section){params, 4, &load}, 1, 0);
  const bool plain = !load.axes && !sl_has_key(L, 2, "at");
  scree_status status = plain
      ? scree_world_apply(body->world->world, body->id, load.force, load.torque, &error)
      : scree_world_apply_at(
            body->world->world, body->id, load.force, load.torque, load.at, load.axes, &error);
  if (status != SCREE_OK) sl_raise_error(L, &error);
  return 0;
}

/* A verb that takes a point, three numbers or a list, and gives three numbers. */
typedef scree_status point_verb(
    const scree_world *world, scree_id body, const double in[3], double out[3], scree_error *error);
static int point(lua_State *L, const char *verb, point_verb *call) {
  const sl_body *body = check_body(L);
  double in[3], out[3];
  scree_error error = {SCREE_OK, ""};
  sl_vec3_argument(L, 2, verb, in);
  if (call(body->world->world, body->id, in, out, &error) != SCREE_OK) sl_raise_error(L, &error);
  return sl_push_numbers(L, out, 3);
}
static int body_to_world(lua_State *L) { return point(L, "to_world", scree_world_point); }
static int body_to_body(lua_State *L) { return point(L, "to_body", scree_world_local); }
static int body_velocity_at(lua_State *L) { return point(L, "velocity_at", scree_world_velocity_at); }

/* Of the frame that the body was made in: a point, or the name of one. */
static int body_point(lua_State *L) {
  const sl_body *body = check_body(L);
  double out[3];
  scree_error error = {SCREE_OK, ""};
  if (lua_gettop(L) != 2 || lua_type(L, 2) != LUA_TSTRING) return point(L, "point", scree_world_frame_point);
  if (scree_world_named_point(body->world->world, body->id, lua_tostring(L, 2), out, &error) != SCREE_OK)
    sl_raise_error(L, &error);
  return sl_push_numbers(L, out, 3);
}

/* Position and orientation, as lists, of the frame that the body was made in. */
static int body_frame(lua_State *L) {
  const sl_body *body = check_body(L);
  double position[3], orientation[4];
  scree_error error = {SCREE_OK, ""};
  if (scree_world_frame(body->world->world, body->id, position, orientation, &error) != SCREE_OK)
    sl_raise_error(L, &error);
  sl_push_vector(L, position, 3);
  sl_push_vector(L, orientation, 4);
  return 2;
}

/* ---- metamethods ---- */

static int body_equal(lua_State *L) {
  const sl_body *a = sl_test(L, 1, SL_BODY), *b = sl_test(L, 2, SL_BODY);
  return lua_pushboolean(L, a && b && a->world == b->world && a->id == b->id), 1;
}

static int body_tostring(lua_State *L) {
  const sl_body *body = check_body(L);
  scree_body_state state;
  if (scree_world_get(body->world->world, body->id, &state, NULL) != SCREE_OK)
    lua_pushliteral(L, "removed body");
  else if (state.name) lua_pushfstring(L, "body '%s'", state.name);
  else lua_pushfstring(L, "body %I", (LUAI_UACINT)body->id);
  return 1;
}

const luaL_Reg sl_body_methods[] = {{"position", body_position}, {"velocity", body_velocity},
    {"spin", body_spin}, {"orientation", body_orientation}, {"mass", body_mass}, {"inertia", body_inertia},
    {"radius", body_radius}, {"group", body_group}, {"name", body_name}, {"id", body_id}, {"kind", body_kind},
    {"alive", body_alive}, {"remove", body_remove}, {"set_position", body_set_position},
    {"set_velocity", body_set_velocity}, {"set_spin", body_set_spin},
    {"set_orientation", body_set_orientation}, {"set_kind", body_set_kind}, {"set_group", body_set_group},
    {"surface_velocity", body_surface_velocity}, {"surface_spin", body_surface_spin},
    {"set_surface_velocity", body_set_surface_velocity}, {"set_surface_spin", body_set_surface_spin},
    {"apply", body_apply}, {"to_world", body_to_world}, {"to_body", body_to_body},
    {"velocity_at", body_velocity_at}, {"frame", body_frame}, {"point", body_point}, {NULL, NULL}};
const luaL_Reg sl_body_metamethods[] = {{"__eq", body_equal}, {"__tostring", body_tostring}, {NULL, NULL}};
