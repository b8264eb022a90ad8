/* Joints: w:hinge{a=, b=, at=, axis=, limits=, motor=, friction=} and its kin, and handles of joints. */
#include "bind/bind.h"

#include <math.h>
#include <stdio.h>

#define AT(member) offsetof(scree_joint_def, member)
static const scree_param joint_params[] = {
    {"a", SCREE_OPAQUE, SCREE_REQUIRED, "", 0, 0, 0, 0, NULL, "the first body"},
    {"b", SCREE_OPAQUE, 0, "", 0, 0, 0, 0, NULL, "the second body; without it the ground"},
    {"at", SCREE_VEC3, 0, "m", 0, 0, 0, AT(at), NULL, "a point of the joint; distance: the anchor on a"},
    {"at_b", SCREE_VEC3, 0, "m", 0, 0, 0, AT(at_b), NULL, "distance: the anchor on b"},
    {"axis", SCREE_VEC3, 0, "", 0, 0, 0, AT(axis), NULL,
        "axis of hinge, slider, cylindrical; of a in universal, gear, rack"},
    {"axis_b", SCREE_VEC3, 0, "", 0, 0, 0, AT(axis_b), NULL,
        "universal, gear: axis of b; rack: direction that b moves in"},
    {"limits", SCREE_OPAQUE, 0, "rad, m", 0, 0, 0, 0, NULL,
        "{lower, upper} of the free direction, of the distance for a distance joint"},
    {"motor", SCREE_OPAQUE, 0, "", 0, 0, 0, 0, NULL,
        "{speed =, force =}: a speed within a largest force, or without speed a force"},
    {"friction", SCREE_REAL, 0, "N m, N", 0, 0, INFINITY, AT(friction), NULL,
        "largest friction torque or force, whatever the load"},
    {"ratio", SCREE_REAL, 0, "", 1, 0, 0, AT(ratio), NULL,
        "gear: w_a + ratio w_b = 0; rack: v_b = ratio w_a [m/rad]"},
    {"length", SCREE_REAL, 0, "m", -1, -1, INFINITY, AT(length), NULL,
        "distance: kept at this; without it as placed"},
    {"collide", SCREE_BOOLEAN, 0, "", 0, 0, 0, AT(collide), NULL, "contacts between the two bodies are kept"},
};
enum { JOINT_PARAMS = sizeof joint_params / sizeof *joint_params };

typedef struct motor_keys {
  double speed, force;
} motor_keys;
static const scree_param motor_params[] = {
    {"speed", SCREE_REAL, 0, "rad/s, m/s", 0, 0, 0, offsetof(motor_keys, speed), NULL, "target"},
    {"force", SCREE_REAL, SCREE_UNBOUNDED, "N m, N", INFINITY, 0, 0, offsetof(motor_keys, force), NULL,
        "largest torque or force; without speed the torque or force itself"},
};

static scree_id read_body(lua_State *L, const char *path, const char *key) {
  lua_getfield(L, 2, key);
  const sl_body *body = sl_test(L, -1, SL_BODY);
  if (!body && !lua_isnil(L, -1))
    sl_raise(L, SCREE_E_ARGUMENT, "%s.%s must be a body, not a %s", path, key, luaL_typename(L, -1));
  if (body && body->world != lua_touserdata(L, 1))
    sl_raise(L, SCREE_E_ARGUMENT, "%s.%s is a body of another world", path, key);
  scree_id id = body ? body->id : 0;
  lua_pop(L, 1);
  return id;
}

/* limits = {lower, upper}; either may be infinite. */
static void read_limits(lua_State *L, const char *path, scree_joint_def *def) {
  if (lua_getfield(L, 2, "limits") == LUA_TTABLE) {
    double *bounds[2] = {&def->lower, &def->upper};
    for (int i = 0; i < 2; i++) {
      if (lua_rawgeti(L, -1, i + 1) != LUA_TNUMBER)
        sl_raise(L, SCREE_E_ARGUMENT, "%s.limits must be two numbers, {lower, upper}", path);
      *bounds[i] = lua_tonumber(L, -1);
      lua_pop(L, 1);
    }
  } else if (!lua_isnil(L, -1)) {
    sl_raise(
        L, SCREE_E_ARGUMENT, "%s.limits must be a list {lower, upper}, not a %s", path, luaL_typename(L, -1));
  }
  lua_pop(L, 1);
}

static void read_motor(lua_State *L, const char *path, scree_joint_def *def) {
  if (lua_getfield(L, 2, "motor") != LUA_TNIL) {
    char place[64];
    motor_keys keys = {0, INFINITY};
    snprintf(place, sizeof place, "%s.motor", path);
    sl_read(L, -1, place, &(sl_section){motor_params, 2, &keys}, 1, 0);
    def->motor = sl_has_key(L, lua_absindex(L, -1), "speed") ? SCREE_MOTOR_SPEED : SCREE_MOTOR_FORCE;
    def->speed = keys.speed;
    def->force = keys.force;
  }
  lua_pop(L, 1);
}

void sl_push_joint(lua_State *L, int world_index, scree_joint id) {
  world_index = lua_absindex(L, world_index);
  sl_joint *joint = lua_newuserdatauv(L, sizeof *joint, 1);
  joint->world = lua_touserdata(L, world_index);
  joint->id = id;
  sl_set_type(L, SL_JOINT);
  lua_pushvalue(L, world_index);
  lua_setiuservalue(L, -2, 1);
}

static int add(lua_State *L, int type) {
  sl_world *world = sl_change_world(L, 1);
  const char *path = scree_joint_type_name(type);
  scree_joint_def def = scree_joint_defaults(type);
  scree_error error = {SCREE_OK, ""};
  sl_read(L, 2, path, &(sl_section){joint_params, JOINT_PARAMS, &def}, 1, 0);
  if (type != SCREE_JOINT_GEAR && type != SCREE_JOINT_RACK && !sl_has_key(L, 2, "at"))
    sl_raise(L, SCREE_E_ARGUMENT, "%s.at is missing: a point of the joint", path);
  if (type == SCREE_JOINT_DISTANCE && !sl_has_key(L, 2, "at_b"))
    sl_raise(L, SCREE_E_ARGUMENT, "distance.at_b is missing: the anchor on b");
  def.a = read_body(L, path, "a");
  def.b = read_body(L, path, "b");
  read_limits(L, path, &def);
  read_motor(L, path, &def);
  scree_joint id = scree_world_add_joint(world->world, &def, &error);
  if (!id) sl_raise_error(L, &error);
  return sl_push_joint(L, 1, id), 1;
}

static int world_ball(lua_State *L) { return add(L, SCREE_JOINT_BALL); }
static int world_hinge(lua_State *L) { return add(L, SCREE_JOINT_HINGE); }
static int world_slider(lua_State *L) { return add(L, SCREE_JOINT_SLIDER); }
static int world_cylindrical(lua_State *L) { return add(L, SCREE_JOINT_CYLINDRICAL); }
static int world_universal(lua_State *L) { return add(L, SCREE_JOINT_UNIVERSAL); }
static int world_fixed(lua_State *L) { return add(L, SCREE_JOINT_FIXED); }
static int world_distance(lua_State *L) { return add(L, SCREE_JOINT_DISTANCE); }
static int world_gear(lua_State *L) { return add(L, SCREE_JOINT_GEAR); }
static int world_rack(lua_State *L) { return add(L, SCREE_JOINT_RACK); }

static int world_joints_report(lua_State *L) {
  sl_world *world = sl_check_world(L, 1);
  scree_joints_report report;
  scree_error error = {SCREE_OK, ""};
  if (scree_world_joints_report(world->world, &report, &error) != SCREE_OK) sl_raise_error(L, &error);
  lua_newtable(L);
  sl_set_integer(L, "joints", report.joints);
  sl_set_integer(L, "rows", report.rows);
  sl_set_integer(L, "redundant", report.redundant);
  sl_set_number(L, "error", report.error);
  sl_set_number(L, "velocity_error", report.velocity_error);
  return 1;
}

/* ---- handles ---- */

static sl_joint *check(lua_State *L) { return sl_check(L, 1, SL_JOINT); }

static const scree_joint_state *get(lua_State *L, scree_joint_state *state) {
  const sl_joint *joint = check(L);
  scree_error error = {SCREE_OK, ""};
  if (scree_world_get_joint(joint->world->world, joint->id, state, &error) != SCREE_OK)
    sl_raise_error(L, &error);
  return state;
}

static int joint_force(lua_State *L) {
  scree_joint_state s;
  return sl_push_numbers(L, get(L, &s)->force, 3);
}
static int joint_torque(lua_State *L) {
  scree_joint_state s;
  return sl_push_numbers(L, get(L, &s)->torque, 3);
}
static int joint_position(lua_State *L) {
  scree_joint_state s;
  return lua_pushnumber(L, get(L, &s)->position), 1;
}
static int joint_speed(lua_State *L) {
  scree_joint_state s;
  return lua_pushnumber(L, get(L, &s)->speed), 1;
}
static int joint_error(lua_State *L) {
  scree_joint_state s;
  return lua_pushnumber(L, get(L, &s)->error), 1;
}
static int joint_type(lua_State *L) {
  scree_joint_state s;
  return lua_pushstring(L, scree_joint_type_name(get(L, &s)->type)), 1;
}

static int joint_remove(lua_State *L) {
  const sl_joint *joint = check(L);
  scree_error error = {SCREE_OK, ""};
  if (joint->world->stepping)
    sl_raise(L, SCREE_E_ARGUMENT, "a joint cannot be removed from within a friction law");
  if (scree_world_remove_joint(joint->world->world, joint->id, &error) != SCREE_OK) sl_raise_error(L, &error);
  return 0;
}

/* set_motor{speed =, force =} */
static int joint_set_motor(lua_State *L) {
  const sl_joint *joint = check(L);
  motor_keys keys = {0, INFINITY};
  scree_error error = {SCREE_OK, ""};
  sl_read(L, 2, "set_motor", &(sl_section){motor_params, 2, &keys}, 1, 0);
  if (scree_world_set_motor(joint->world->world, joint->id, keys.speed, keys.force, &error) != SCREE_OK)
    sl_raise_error(L, &error);
  return 0;
}

static int joint_tostring(lua_State *L) {
  const sl_joint *joint = check(L);
  scree_joint_state state;
  if (scree_world_get_joint(joint->world->world, joint->id, &state, NULL) != SCREE_OK)
    lua_pushliteral(L, "removed joint");
  else lua_pushfstring(L, "%s joint %I", scree_joint_type_name(state.type), (LUAI_UACINT)joint->id);
  return 1;
}

const luaL_Reg sl_joint_methods[] = {{"ball", world_ball}, {"hinge", world_hinge}, {"slider", world_slider},
    {"cylindrical", world_cylindrical}, {"universal", world_universal}, {"fixed", world_fixed},
    {"distance", world_distance}, {"gear", world_gear}, {"rack", world_rack},
    {"joints_report", world_joints_report}, {NULL, NULL}};
const luaL_Reg sl_joint_object_methods[] = {{"force", joint_force}, {"torque", joint_torque},
    {"position", joint_position}, {"speed", joint_speed}, {"error", joint_error}, {"type", joint_type},
    {"remove", joint_remove}, {"set_motor", joint_set_motor}, {NULL, NULL}};
const luaL_Reg sl_joint_metamethods[] = {{"__tostring", joint_tostring}, {NULL, NULL}};
const sl_params sl_joint_params[] = {
    {"joint", joint_params, JOINT_PARAMS, NULL}, {"joint.motor", motor_params, 2, NULL}, {NULL}};
