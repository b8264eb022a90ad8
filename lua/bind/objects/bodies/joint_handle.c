/* Methods of joints that return forces, positions and breaks. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/objects/bodies/joint.h"

static sl_joint *check_joint(lua_State *L) { return sl_check(L, 1, SL_JOINT); }

extern const luaL_Reg sl_joint_object_methods[];

/* Sets *state to the state of the joint at argument 1, and returns state. Raises an error if there are
 * further arguments, because getters have none. */
static const scree_joint_state *get_joint_state(lua_State *L, scree_joint_state *state) {
  const sl_joint *joint = check_joint(L);
  sl_take_none(L, sl_joint_object_methods);
  SL_TRY(L, scree_world_get_joint(joint->world->world, joint->id, state, &error));
  return state;
}

/* Returns whether a type of joint has a second free direction. */
static bool two_ways(int type) {
  return type == SCREE_JOINT_BALL || type == SCREE_JOINT_UNIVERSAL || type == SCREE_JOINT_CYLINDRICAL;
}

static int push_ways(lua_State *L, int type, double first, double second) {
  lua_pushnumber(L, first);
  if (two_ways(type)) lua_pushnumber(L, second);
  return 1 + two_ways(type);
}

/* Defines a getter. pushed: expression that pushes values from the state s and returns their number. */
#define GETTER(name, pushed) \
  static int joint_##name(lua_State *L) { \
    scree_joint_state s; \
    get_joint_state(L, &s); \
    return pushed; \
  }
GETTER(force, sl_push_numbers(L, s.force, 3))
GETTER(torque, sl_push_numbers(L, s.torque, 3))
GETTER(position, push_ways(L, s.type, s.position, s.position_b))
GETTER(speed, push_ways(L, s.type, s.speed, s.speed_b))
GETTER(effort, push_ways(L, s.type, s.effort, s.effort_b))
GETTER(turn, sl_push_numbers(L, s.turn, 3))
GETTER(turn_effort, sl_push_numbers(L, s.turn_effort, 3))
GETTER(energy, sl_push_numbers(L, &s.elastic, 1))
GETTER(error, sl_push_numbers(L, &s.error, 1))
GETTER(type, (lua_pushstring(L, scree_joint_type_name(s.type)), 1))

static int joint_id(lua_State *L) { return lua_pushinteger(L, (lua_Integer)check_joint(L)->id), 1; }

/* bodies(): the bodies a and b; b is nil if it is the ground. */
static int joint_bodies(lua_State *L) {
  scree_joint_state s;
  get_joint_state(L, &s);
  lua_getiuservalue(L, 1, 1);
  int world = lua_gettop(L);
  sl_push_body(L, world, s.a);
  if (s.b) sl_push_body(L, world, s.b);
  else lua_pushnil(L);
  return 2;
}

/* Converts a point from the frame of body a to the world. */
static void point_of_a(lua_State *L, const scree_joint_state *s, const double local[3], double out[3]) {
  SL_TRY(L, scree_world_point(check_joint(L)->world->world, s->a, local, out, &error));
}

static int joint_point(lua_State *L) {
  scree_joint_state s;
  double at[3];
  point_of_a(L, get_joint_state(L, &s), s.at, at);
  return sl_push_numbers(L, at, 3);
}

static int joint_axis(lua_State *L) {
  static const double none[3] = {0, 0, 0};
  scree_joint_state s;
  double tip[3], foot[3];
  point_of_a(L, get_joint_state(L, &s), s.axis, tip);
  point_of_a(L, &s, none, foot);
  for (int k = 0; k < 3; k++) tip[k] -= foot[k];
  return sl_push_numbers(L, tip, 3);
}

static int joint_remove(lua_State *L) {
  const sl_joint *joint = check_joint(L);
  if (joint->world->stepping) sl_refuse(L, "a joint cannot be removed from within a friction law");
  SL_TRY(L, scree_world_remove_joint(joint->world->world, joint->id, &error));
  return 0;
}

/* Finds the world's record of a joint that broke. Returns false if the joint did not break. */
static bool find_break(const sl_joint *joint, scree_break *out) {
  for (int64_t i = 0; scree_world_break_at(joint->world->world, i, out); i++)
    if (out->joint == joint->id) return true;
  return false;
}

int sl_push_break(lua_State *L, const scree_break *b) {
  lua_newtable(L);
  sl_set_string(L, "type", scree_joint_type_name(b->type));
  sl_set_integer(L, "joint", (int64_t)b->joint);
  sl_set_string(L, "cause", scree_break_cause_name(b->cause));
  sl_set_number(L, "time", b->time);
  sl_set_number(L, "force", b->force);
  sl_set_number(L, "torque", b->torque);
  sl_set_number(L, "energy", b->energy);
  sl_set_vector(L, "at", b->at, 3);
  return 1;
}

/* broken(): the table of a joint that broke, or nil. */
static int joint_broken(lua_State *L) {
  scree_break b;
  return find_break(check_joint(L), &b) ? sl_push_break(L, &b) : (lua_pushnil(L), 1);
}

static int joint_tostring(lua_State *L) {
  const sl_joint *joint = check_joint(L);
  scree_joint_state state;
  if (scree_world_get_joint(joint->world->world, joint->id, &state, NULL) != SCREE_OK)
    lua_pushliteral(L, "removed joint");
  else lua_pushfstring(L, "%s joint %I", scree_joint_type_name(state.type), (LUAI_UACINT)joint->id);
  return 1;
}

const luaL_Reg sl_joint_object_methods[] = {{"force", joint_force}, {"torque", joint_torque},
    {"position", joint_position}, {"speed", joint_speed}, {"error", joint_error}, {"type", joint_type},
    {"remove", joint_remove}, {"set_motor", sl_joint_set_motor}, {"servo", sl_joint_servo},
    {"set_spring", sl_joint_set_spring}, {"broken", joint_broken}, {"effort", joint_effort},
    {"energy", joint_energy}, {"id", joint_id}, {"bodies", joint_bodies}, {"point", joint_point},
    {"axis", joint_axis}, {"set_force", sl_joint_set_force}, {"has_servo", sl_joint_has_servo},
    {"turn_servo", sl_joint_turn_servo}, {"turn", joint_turn}, {"turn_effort", joint_turn_effort},
    {NULL, NULL}};
const luaL_Reg sl_joint_metamethods[] = {{"__tostring", joint_tostring}, {NULL, NULL}};
