/* Handles of bodies. A handle has the id of a body and a reference to its world. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"

#include <stdio.h>
#include <string.h>

void sl_push_body(lua_State *L, int world_index, scree_id id) {
  world_index = lua_absindex(L, world_index);
  sl_body *body = lua_newuserdatauv(L, sizeof *body, 1);
  body->world = lua_touserdata(L, world_index);
  body->id = id;
  sl_set_type_in(L, SL_BODY, world_index);
}

scree_id sl_read_body(lua_State *L, const char *path, const char *key) {
  lua_getfield(L, 2, key);
  const sl_body *body = sl_test(L, -1, SL_BODY);
  if (!body && !lua_isnil(L, -1))
    sl_refuse(L, "%s.%s must be a body, not a %s", path, key, luaL_typename(L, -1));
  if (body && body->world != lua_touserdata(L, 1))
    sl_refuse(L, "%s.%s is a body of another world", path, key);
  scree_id id = body ? body->id : 0;
  lua_pop(L, 1);
  return id;
}

void sl_set_body(lua_State *L, const char *name, scree_id id) {
  sl_push_body(L, 1, id);
  lua_setfield(L, -2, name);
}

static sl_body *check_body(lua_State *L) { return sl_check(L, 1, SL_BODY); }

extern const luaL_Reg sl_body_methods[];

static void get_body_state(lua_State *L, scree_body_state *state) {
  const sl_body *body = check_body(L);
  sl_take_none(L, sl_body_methods);
  SL_TRY(L, scree_world_get(body->world->world, body->id, state, &error));
}

static int set_body_state(lua_State *L, int mask, const scree_body_state *state) {
  const sl_body *body = check_body(L);
  if (body->world->stepping) sl_refuse(L, "a body cannot be changed from within a friction law");
  SL_TRY(L, scree_world_set(body->world->world, body->id, mask, state, &error));
  return 0;
}

static const char *const kinds[] = {"dynamic", "kinematic", "fixed", NULL};

/* Defines a getter. pushed: expression that pushes values from the state s and returns their number. */
#define GETTER(name, pushed) \
  static int body_##name(lua_State *L) { \
    scree_body_state s; \
    get_body_state(L, &s); \
    return pushed; \
  }
GETTER(position, sl_push_numbers(L, s.position, 3))
GETTER(velocity, sl_push_numbers(L, s.velocity, 3))
GETTER(spin, sl_push_numbers(L, s.spin, 3))
GETTER(surface_velocity, sl_push_numbers(L, s.surface_velocity, 3))
GETTER(surface_spin, sl_push_numbers(L, s.surface_spin, 3))
GETTER(orientation, sl_push_numbers(L, s.orientation, 4))
GETTER(inertia, sl_push_numbers(L, s.inertia, 6))
GETTER(mass, sl_push_numbers(L, &s.mass, 1))
GETTER(radius, sl_push_numbers(L, &s.radius, 1))
GETTER(group, (lua_pushinteger(L, s.group), 1))
GETTER(name, (lua_pushstring(L, s.name), 1))
GETTER(kind, (lua_pushstring(L, kinds[s.kind]), 1))

static int body_id(lua_State *L) { return lua_pushinteger(L, (lua_Integer)check_body(L)->id), 1; }

static int body_alive(lua_State *L) {
  const sl_body *body = check_body(L);
  return lua_pushboolean(L, scree_world_alive(body->world->world, body->id)), 1;
}

static int body_remove(lua_State *L) {
  const sl_body *body = check_body(L);
  if (body->world->stepping) sl_refuse(L, "a body cannot be removed from within a friction law");
  SL_TRY(L, scree_world_remove(body->world->world, body->id, &error));
  return 0;
}

/* Sets one vector of the body's state. member: offset of the vector in scree_body_state. what: bit of
 * scree_world_set. verb: name of the method in messages. */
static int set_vec3(lua_State *L, int what, const char *verb, size_t member) {
  scree_body_state state = {0};
  sl_vec3_argument(L, 2, verb, (double *)((char *)&state + member));
  return set_body_state(L, what, &state);
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

/* Sets one value of the body, described by a row of a parameter table. what: bit of scree_world_set. */
static int set_value(lua_State *L, int what, const char *verb, const scree_param param) {
  scree_body_state state = {0};
  sl_read_value(L, 2, verb, &param, &state);
  return set_body_state(L, what, &state);
}

/* set_orientation(w, x, y, z), or one list; the quaternion is normalised. */
static int body_set_orientation(lua_State *L) {
  if (!lua_istable(L, 2)) {
    lua_createtable(L, 4, 0);
    for (int i = 1; i <= 4; i++) lua_pushvalue(L, 1 + i), lua_rawseti(L, -2, i);
    lua_replace(L, 2);
  }
  return set_value(L, SCREE_SET_ORIENTATION, "set_orientation",
      (scree_param)SL_QUAT("orientation", offsetof(scree_body_state, orientation), ""));
}

static int body_set_kind(lua_State *L) {
  return set_value(L, SCREE_SET_KIND, "set_kind",
      (scree_param)SL_CHOICE("kind", offsetof(scree_body_state, kind), 0, "dynamic|kinematic|fixed", ""));
}

static int body_set_group(lua_State *L) {
  return set_value(L, SCREE_SET_GROUP, "set_group",
      (scree_param)SL_INTEGER("group", offsetof(scree_body_state, group), 0, 0, 0, ""));
}

/* apply{force=, torque=, at=, axes=}: applies a load in the coming step. */
static int body_apply(lua_State *L) {
  const sl_body *body = check_body(L);
  struct {
    double force[3], torque[3], at[3];
    int axes;
  } load = {{0}, {0}, {0}, 0};
  const scree_param params[] = {SL_VEC3("force", 0, "N", "at the centre of mass, or at the point `at`"),
      SL_VEC3("torque", sizeof load.force, "N m", "about the centre of mass"),
      SL_VEC3("at", 2 * sizeof load.force, "m",
          "where the force acts; in the body's axes from its centre of mass"),
      SL_CHOICE(
          "axes", 3 * sizeof load.force, 0, "world|body", "in which force, torque and point are given")};
  sl_read(L, 2, "apply", &(sl_section){params, 4, &load}, 1, 0);
  const bool plain = !load.axes && !sl_has_key(L, 2, "at");
  SL_TRY(L,
      plain ? scree_world_apply(body->world->world, body->id, load.force, load.torque, &error)
            : scree_world_apply_at(
                  body->world->world, body->id, load.force, load.torque, load.at, load.axes, &error));
  return 0;
}

/* A conversion of a point, such as from the body's frame to the world. */
typedef scree_status point_verb(
    const scree_world *world, scree_id body, const double in[3], double out[3], scree_error *error);
static int convert_point(lua_State *L, const char *verb, point_verb *call) {
  const sl_body *body = check_body(L);
  double in[3], out[3];
  sl_vec3_argument(L, 2, verb, in);
  SL_TRY(L, call(body->world->world, body->id, in, out, &error));
  return sl_push_numbers(L, out, 3);
}
static int body_to_world(lua_State *L) { return convert_point(L, "to_world", scree_world_point); }
static int body_to_body(lua_State *L) { return convert_point(L, "to_body", scree_world_local); }
static int body_velocity_at(lua_State *L) { return convert_point(L, "velocity_at", scree_world_velocity_at); }

/* point(x, y, z) or point("NAME"): present position of a point of the frame in which the body was created. */
static int body_point(lua_State *L) {
  const sl_body *body = check_body(L);
  double out[3];
  if (lua_gettop(L) != 2 || lua_type(L, 2) != LUA_TSTRING)
    return convert_point(L, "point", scree_world_frame_point);
  SL_TRY(L, scree_world_named_point(body->world->world, body->id, lua_tostring(L, 2), out, &error));
  return sl_push_numbers(L, out, 3);
}

/* frame(): present position and orientation, as lists, of the frame in which the body was created. */
static int body_frame(lua_State *L) {
  const sl_body *body = check_body(L);
  double position[3], orientation[4];
  SL_TRY(L, scree_world_frame(body->world->world, body->id, position, orientation, &error));
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
