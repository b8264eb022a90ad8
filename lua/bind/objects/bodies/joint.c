/* Joints: w:hinge{a=, b=, at=, axis=, limits=, motor=, friction=} and its kin, and handles of joints. */
#include "bind/bind.h"
#include "bind/sandbox/inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AT(member) offsetof(scree_joint_def, member)
static const scree_param joint_params[] = {
    {"a", SCREE_OPAQUE, SCREE_REQUIRED, "", 0, 0, 0, 0, NULL, "the first body"},
    {"b", SCREE_OPAQUE, 0, "", 0, 0, 0, 0, NULL, "the second body; without it the ground"},
    {"at", SCREE_VEC3, 0, "m", 0, 0, 0, AT(at), NULL,
        "a point of the joint; distance, spring: the anchor on a"},
    {"at_b", SCREE_VEC3, 0, "m", 0, 0, 0, AT(at_b), NULL, "distance, spring: the anchor on b"},
    {"axis", SCREE_VEC3, 0, "", 0, 0, 0, AT(axis), NULL,
        "axis of hinge, slider, cylindrical, ball; of a in universal, gear, rack; of any joint for parts of "
        "its load"},
    {"axis_b", SCREE_VEC3, 0, "", 0, 0, 0, AT(axis_b), NULL,
        "universal, gear: axis of b; rack: direction that b moves in"},
    {"swing", SCREE_REAL, 0, "rad", INFINITY, 0, INFINITY, AT(second.upper), NULL,
        "ball: largest angle between the axis of a and that of b"},
    {"second", SCREE_OPAQUE, 0, "", 0, 0, 0, 0, NULL,
        "universal: limits, motor, servo, friction and spring of the turn about axis_b; cylindrical: of the "
        "turn"},
    {"turn_stiffness", SCREE_REAL, 0, "N m/rad", 0, 0, INFINITY, AT(turn_stiffness), NULL,
        "fixed, ball: springs against all turns from the orientation as placed"},
    {"turn_damping", SCREE_REAL, 0, "N m s/rad", 0, 0, INFINITY, AT(turn_damping), NULL,
        "dampers beside them"},
    {"ratio", SCREE_REAL, 0, "", 1, 0, 0, AT(ratio), NULL,
        "gear: w_a + ratio w_b = 0; rack: v_b = ratio w_a [m/rad]"},
    {"length", SCREE_REAL, 0, "m", -1, -1, INFINITY, AT(length), NULL,
        "distance: kept at this; spring: at ease at this; without it as placed"},
    {"break_force", SCREE_REAL, SCREE_UNBOUNDED, "N", INFINITY, 0, INFINITY, AT(break_force), NULL,
        "it breaks after a step with a larger force"},
    {"break_torque", SCREE_REAL, SCREE_UNBOUNDED, "N m", INFINITY, 0, INFINITY, AT(break_torque), NULL,
        "or a larger torque about its point"},
    {"break_energy", SCREE_REAL, SCREE_UNBOUNDED, "J", INFINITY, 0, INFINITY, AT(break_energy), NULL,
        "or with more energy in its springs"},
    {"break_tension", SCREE_REAL, SCREE_UNBOUNDED, "N", INFINITY, 0, INFINITY, AT(break_tension), NULL,
        "or with a larger force along `axis`, from a to b, that draws them apart"},
    {"break_compression", SCREE_REAL, SCREE_UNBOUNDED, "N", INFINITY, 0, INFINITY, AT(break_compression),
        NULL, "or with a larger one that presses them together"},
    {"break_shear", SCREE_REAL, SCREE_UNBOUNDED, "N", INFINITY, 0, INFINITY, AT(break_shear), NULL,
        "or with a larger force across the axis"},
    {"break_bending", SCREE_REAL, SCREE_UNBOUNDED, "N m", INFINITY, 0, INFINITY, AT(break_bending), NULL,
        "or with a larger torque across the axis"},
    {"break_twist", SCREE_REAL, SCREE_UNBOUNDED, "N m", INFINITY, 0, INFINITY, AT(break_twist), NULL,
        "or with a larger torque about the axis"},
    {"collide", SCREE_BOOLEAN, 0, "", 0, 0, 0, AT(collide), NULL, "contacts between the two bodies are kept"},
    {"image", SCREE_OPAQUE, 0, "", 0, 0, 0, 0, NULL,
        "{i, j, k}: the image of b that is joined, in edges of the cell; points are given where that image "
        "is"},
};
enum { SL_IMAGE_MOST = 1 << 20 };
enum { JOINT_PARAMS = sizeof joint_params / sizeof *joint_params };

/* What acts along a free direction, in the joint's own table for the first one. */
#define DRIVE(member) offsetof(scree_drive, member)
static const scree_param drive_params[] = {
    {"limits", SCREE_OPAQUE, 0, "rad, m", 0, 0, 0, 0, NULL,
        "{lower, upper} of the free direction, of the twist for a ball, of the distance for a distance "
        "joint"},
    {"motor", SCREE_OPAQUE, 0, "", 0, 0, 0, 0, NULL,
        "{speed =, force =}: a speed within a largest force, or without speed a force"},
    {"servo", SCREE_OPAQUE, 0, "", 0, 0, 0, 0, NULL,
        "{position =, speed =, stiffness =, damping =, feed =, force =}: pulls to a position, a speed or "
        "both"},
    {"friction", SCREE_REAL, 0, "N m, N", 0, 0, INFINITY, DRIVE(friction), NULL,
        "largest friction torque or force, whatever the load"},
    {"stiffness", SCREE_REAL, 0, "N m/rad, N/m", 0, 0, INFINITY, DRIVE(stiffness), NULL,
        "of a spring along the free direction; fixed: of springs that hold the point"},
    {"damping", SCREE_REAL, 0, "N m s/rad, N s/m", 0, 0, INFINITY, DRIVE(damping), NULL,
        "of a damper beside it"},
    {"rest", SCREE_REAL, 0, "rad, m", 0, 0, 0, DRIVE(rest), NULL,
        "position at which the spring is at ease; without it as placed"},
};
enum { DRIVE_PARAMS = sizeof drive_params / sizeof *drive_params };

static const scree_param motor_params[] = {
    {"speed", SCREE_REAL, 0, "rad/s, m/s", 0, 0, 0, DRIVE(speed), NULL, "target"},
    {"force", SCREE_REAL, SCREE_UNBOUNDED, "N m, N", INFINITY, 0, 0, DRIVE(force), NULL,
        "largest torque or force; without speed the torque or force itself"},
};
static const scree_param servo_params[] = {
    {"position", SCREE_REAL, 0, "rad, m", 0, 0, 0, DRIVE(target), NULL, "target"},
    {"speed", SCREE_REAL, 0, "rad/s, m/s", 0, 0, 0, DRIVE(speed), NULL, "target"},
    {"stiffness", SCREE_REAL, 0, "N m/rad, N/m", 0, 0, INFINITY, DRIVE(gain), NULL,
        "torque or force per distance from the position"},
    {"damping", SCREE_REAL, 0, "N m s/rad, N s/m", 0, 0, INFINITY, DRIVE(rate_gain), NULL,
        "torque or force per difference from the speed"},
    {"feed", SCREE_REAL, 0, "N m, N", 0, 0, 0, DRIVE(feed), NULL, "torque or force given besides"},
    {"force", SCREE_REAL, SCREE_UNBOUNDED, "N m, N", INFINITY, 0, INFINITY, DRIVE(force), NULL,
        "largest torque or force"},
};
enum { SERVO_PARAMS = sizeof servo_params / sizeof *servo_params };

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

/* limits = {lower, upper} in the table at `index`; either may be infinite. */
static void read_limits(lua_State *L, int index, const char *path, scree_drive *drive) {
  if (lua_getfield(L, index, "limits") == LUA_TTABLE) {
    double *bounds[2] = {&drive->lower, &drive->upper};
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

/* image = {i, j, k}, whole numbers. */
static void read_image(lua_State *L, const char *path, scree_joint_def *def) {
  if (lua_getfield(L, 2, "image") != LUA_TNIL) {
    bool list = lua_istable(L, -1) && lua_rawlen(L, -1) == 3;
    for (int k = 0; k < 3 && list; k++) {
      lua_rawgeti(L, -1, k + 1);
      list = lua_isinteger(L, -1) && lua_tointeger(L, -1) >= -SL_IMAGE_MOST &&
          lua_tointeger(L, -1) <= SL_IMAGE_MOST;
      def->image[k] = (int32_t)lua_tointeger(L, -1);
      lua_pop(L, 1);
    }
    if (!list)
      sl_raise(L, SCREE_E_ARGUMENT, "%s.image must be a list of three whole numbers, {i, j, k}", path);
  }
  lua_pop(L, 1);
}

static void read_motor(lua_State *L, int index, const char *path, scree_drive *drive) {
  char place[64];
  if (lua_getfield(L, index, "motor") != LUA_TNIL) {
    snprintf(place, sizeof place, "%s.motor", path);
    sl_read(L, -1, place, &(sl_section){motor_params, 2, drive}, 1, 0);
    drive->motor = sl_has_key(L, lua_absindex(L, -1), "speed") ? SCREE_MOTOR_SPEED : SCREE_MOTOR_FORCE;
  }
  if (lua_getfield(L, index, "servo") != LUA_TNIL) {
    if (drive->motor) sl_raise(L, SCREE_E_ARGUMENT, "%s has a motor and a servo: it takes one of them", path);
    snprintf(place, sizeof place, "%s.servo", path);
    sl_read(L, -1, place, &(sl_section){servo_params, SERVO_PARAMS, drive}, 1, 0);
    drive->motor = SCREE_MOTOR_SERVO;
  }
  lua_pop(L, 2);
}

/* second = {limits =, motor =, ...} */
static void read_second(lua_State *L, const char *path, scree_drive *drive) {
  char place[64];
  if (lua_getfield(L, 2, "second") != LUA_TNIL) {
    snprintf(place, sizeof place, "%s.second", path);
    sl_read(L, -1, place, &(sl_section){drive_params, DRIVE_PARAMS, drive}, 1, 0);
    read_limits(L, lua_absindex(L, -1), place, drive);
    read_motor(L, lua_absindex(L, -1), place, drive);
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

/* path: the verb's name. */
static int add(lua_State *L, int type, const char *path) {
  sl_world *world = sl_change_world(L, 1);
  scree_joint_def def = scree_joint_defaults(type);
  scree_error error = {SCREE_OK, ""};
  const sl_section sections[] = {
      {joint_params, JOINT_PARAMS, &def}, {drive_params, DRIVE_PARAMS, &def.drive}};
  sl_read(L, 2, path, sections, 2, 0);
  if (type != SCREE_JOINT_GEAR && type != SCREE_JOINT_RACK && !sl_has_key(L, 2, "at"))
    sl_raise(L, SCREE_E_ARGUMENT, "%s.at is missing: a point of the joint", path);
  if (type == SCREE_JOINT_DISTANCE && !sl_has_key(L, 2, "at_b"))
    sl_raise(L, SCREE_E_ARGUMENT, "%s.at_b is missing: the anchor on b", path);
  def.a = read_body(L, path, "a");
  def.b = read_body(L, path, "b");
  read_limits(L, 2, path, &def.drive);
  read_motor(L, 2, path, &def.drive);
  read_second(L, path, &def.second);
  if (type == SCREE_JOINT_DISTANCE && def.length >= 0 && !sl_has_key(L, 2, "rest"))
    def.drive.rest = def.length;
  read_image(L, path, &def);
  scree_joint id = scree_world_add_joint(world->world, &def, &error);
  if (!id) sl_raise_error(L, &error);
  return sl_push_joint(L, 1, id), 1;
}

static int world_ball(lua_State *L) { return add(L, SCREE_JOINT_BALL, "ball"); }
static int world_hinge(lua_State *L) { return add(L, SCREE_JOINT_HINGE, "hinge"); }
static int world_slider(lua_State *L) { return add(L, SCREE_JOINT_SLIDER, "slider"); }
static int world_cylindrical(lua_State *L) { return add(L, SCREE_JOINT_CYLINDRICAL, "cylindrical"); }
static int world_universal(lua_State *L) { return add(L, SCREE_JOINT_UNIVERSAL, "universal"); }
static int world_fixed(lua_State *L) { return add(L, SCREE_JOINT_FIXED, "fixed"); }
static int world_distance(lua_State *L) { return add(L, SCREE_JOINT_DISTANCE, "distance"); }
static int world_spring(lua_State *L) {
  if (lua_istable(L, 2) && !sl_has_key(L, 2, "stiffness") && !sl_has_key(L, 2, "damping"))
    sl_raise(L, SCREE_E_ARGUMENT, "spring needs a stiffness or a damping");
  return add(L, SCREE_JOINT_DISTANCE, "spring");
}
static int world_gear(lua_State *L) { return add(L, SCREE_JOINT_GEAR, "gear"); }
static int world_rack(lua_State *L) { return add(L, SCREE_JOINT_RACK, "rack"); }

/* bond{...}: create of the bundled module scree.bond. */
static int world_bond(lua_State *L) {
  sl_change_world(L, 1);
  return sl_call_create(L, "bond");
}

static int world_joints_report(lua_State *L) {
  sl_world *world = sl_check_world(L, 1);
  scree_joints_report report;
  scree_error error = {SCREE_OK, ""};
  if (scree_world_joints_report(world->world, &report, &error) != SCREE_OK) sl_raise_error(L, &error);
  lua_newtable(L);
  sl_set_integer(L, "joints", report.joints);
  sl_set_integer(L, "rows", report.rows);
  sl_set_integer(L, "broken", report.broken);
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
/* Whether a type has a second free direction, whose position and speed come after the first's. */
static bool two_ways(int type) {
  return type == SCREE_JOINT_BALL || type == SCREE_JOINT_UNIVERSAL || type == SCREE_JOINT_CYLINDRICAL;
}

static int joint_position(lua_State *L) {
  scree_joint_state s;
  get(L, &s);
  lua_pushnumber(L, s.position);
  if (two_ways(s.type)) lua_pushnumber(L, s.position_b);
  return 1 + two_ways(s.type);
}
static int joint_speed(lua_State *L) {
  scree_joint_state s;
  get(L, &s);
  lua_pushnumber(L, s.speed);
  if (two_ways(s.type)) lua_pushnumber(L, s.speed_b);
  return 1 + two_ways(s.type);
}
static int joint_effort(lua_State *L) {
  scree_joint_state s;
  return lua_pushnumber(L, get(L, &s)->effort), 1;
}
static int joint_energy(lua_State *L) {
  scree_joint_state s;
  return lua_pushnumber(L, get(L, &s)->elastic), 1;
}
static int joint_id(lua_State *L) { return lua_pushinteger(L, (lua_Integer)check(L)->id), 1; }
static int joint_error(lua_State *L) {
  scree_joint_state s;
  return lua_pushnumber(L, get(L, &s)->error), 1;
}
static int joint_type(lua_State *L) {
  scree_joint_state s;
  return lua_pushstring(L, scree_joint_type_name(get(L, &s)->type)), 1;
}

/* The bodies a and b; b is nil where it is the ground. */
static int joint_bodies(lua_State *L) {
  scree_joint_state s;
  get(L, &s);
  lua_getiuservalue(L, 1, 1);
  int world = lua_gettop(L);
  sl_push_body(L, world, s.a);
  if (s.b) sl_push_body(L, world, s.b);
  else lua_pushnil(L);
  return 2;
}

/* A point of body a that its own frame has, in the world. */
static void point_of_a(lua_State *L, const scree_joint_state *s, const double local[3], double out[3]) {
  scree_error error = {SCREE_OK, ""};
  if (scree_world_point(check(L)->world->world, s->a, local, out, &error) != SCREE_OK)
    sl_raise_error(L, &error);
}

static int joint_point(lua_State *L) {
  scree_joint_state s;
  double at[3];
  point_of_a(L, get(L, &s), s.at, at);
  return sl_push_numbers(L, at, 3);
}

static int joint_axis(lua_State *L) {
  static const double none[3] = {0, 0, 0};
  scree_joint_state s;
  double tip[3], foot[3];
  point_of_a(L, get(L, &s), s.axis, tip);
  point_of_a(L, &s, none, foot);
  for (int k = 0; k < 3; k++) tip[k] -= foot[k];
  return sl_push_numbers(L, tip, 3);
}

static int joint_remove(lua_State *L) {
  const sl_joint *joint = check(L);
  scree_error error = {SCREE_OK, ""};
  if (joint->world->stepping)
    sl_raise(L, SCREE_E_ARGUMENT, "a joint cannot be removed from within a friction law");
  if (scree_world_remove_joint(joint->world->world, joint->id, &error) != SCREE_OK) sl_raise_error(L, &error);
  return 0;
}

/* What acts along a direction of a joint that exists: read, changed by the caller, written back. */
static scree_drive *old_drive(lua_State *L, const sl_joint *joint, int which, scree_drive *drive) {
  scree_error error = {SCREE_OK, ""};
  if (scree_world_get_drive(joint->world->world, joint->id, which, drive, &error) != SCREE_OK)
    sl_raise_error(L, &error);
  return drive;
}

static int new_drive(lua_State *L, const sl_joint *joint, int which, const scree_drive *drive) {
  scree_error error = {SCREE_OK, ""};
  if (scree_world_set_drive(joint->world->world, joint->id, which, drive, &error) != SCREE_OK)
    sl_raise_error(L, &error);
  return 0;
}

/* set_motor{speed =, force =} */
static int joint_set_motor(lua_State *L) {
  const sl_joint *joint = check(L);
  scree_drive drive, keys = {.force = INFINITY};
  sl_read(L, 2, "set_motor", &(sl_section){motor_params, 2, &keys}, 1, 0);
  old_drive(L, joint, 0, &drive);
  if (drive.motor != SCREE_MOTOR_FORCE) drive.motor = SCREE_MOTOR_SPEED;
  drive.speed = keys.speed;
  drive.force = keys.force;
  return new_drive(L, joint, 0, &drive);
}

/* The motor becomes a force. */
static int joint_set_force(lua_State *L) {
  const sl_joint *joint = check(L);
  scree_drive drive;
  old_drive(L, joint, 0, &drive);
  drive.motor = SCREE_MOTOR_FORCE;
  drive.force = luaL_checknumber(L, 2);
  return new_drive(L, joint, 0, &drive);
}

static int joint_has_servo(lua_State *L) {
  scree_drive drive;
  return lua_pushboolean(L, old_drive(L, check(L), 0, &drive)->motor == SCREE_MOTOR_SERVO), 1;
}

/* A key `second = true` among others: which direction a verb means. */
static const scree_param which_params[] = {
    {"second", SCREE_BOOLEAN, 0, "", 0, 0, 0, 0, NULL, "of the second free direction"}};

/* servo{position =, speed =, stiffness =, damping =, feed =, force =}: what is left out stays. */
static int joint_servo(lua_State *L) {
  const sl_joint *joint = check(L);
  scree_drive drive, keys = {.force = INFINITY};
  int which = 0;
  const sl_section sections[] = {{servo_params, SERVO_PARAMS, &keys}, {which_params, 1, &which}};
  sl_read(L, 2, "servo", sections, 2, 0);
  old_drive(L, joint, which, &drive);
  bool was = drive.motor == SCREE_MOTOR_SERVO;
  double *const to[SERVO_PARAMS] = {
      &drive.target, &drive.speed, &drive.gain, &drive.rate_gain, &drive.feed, &drive.force};
  const double from[SERVO_PARAMS] = {
      keys.target, keys.speed, keys.gain, keys.rate_gain, keys.feed, keys.force};
  for (int k = 0; k < SERVO_PARAMS; k++)
    if (!was || sl_has_key(L, 2, servo_params[k].name)) *to[k] = from[k];
  drive.motor = SCREE_MOTOR_SERVO;
  return new_drive(L, joint, which, &drive);
}

/* set_spring{stiffness =, damping =, rest =}: what is left out stays. */
static int joint_set_spring(lua_State *L) {
  const sl_joint *joint = check(L);
  scree_drive drive, keys = {0};
  int which = 0;
  const sl_section sections[] = {{drive_params + DRIVE_PARAMS - 3, 3, &keys}, {which_params, 1, &which}};
  sl_read(L, 2, "set_spring", sections, 2, 0);
  old_drive(L, joint, which, &drive);
  if (sl_has_key(L, 2, "stiffness")) drive.stiffness = keys.stiffness;
  if (sl_has_key(L, 2, "damping")) drive.damping = keys.damping;
  if (sl_has_key(L, 2, "rest")) drive.rest = keys.rest;
  return new_drive(L, joint, which, &drive);
}

/* The world's record of a joint that broke. */
static bool broke(const sl_joint *joint, scree_break *out) {
  for (int64_t i = 0; scree_world_break_at(joint->world->world, i, out); i++)
    if (out->joint == joint->id) return true;
  return false;
}

static int push_break(lua_State *L, const scree_break *b) {
  lua_newtable(L);
  lua_pushstring(L, scree_joint_type_name(b->type));
  lua_setfield(L, -2, "type");
  sl_set_integer(L, "joint", (int64_t)b->joint);
  lua_pushstring(L, scree_break_cause_name(b->cause));
  lua_setfield(L, -2, "cause");
  sl_set_number(L, "time", b->time);
  sl_set_number(L, "force", b->force);
  sl_set_number(L, "torque", b->torque);
  sl_set_number(L, "energy", b->energy);
  lua_createtable(L, 3, 0);
  for (int k = 0; k < 3; k++) lua_pushnumber(L, b->at[k]), lua_rawseti(L, -2, k + 1);
  lua_setfield(L, -2, "at");
  return 1;
}

/* What happened to a joint that broke, or nil. */
static int joint_broken(lua_State *L) {
  scree_break b;
  return broke(check(L), &b) ? push_break(L, &b) : (lua_pushnil(L), 1);
}

static int world_broken_joints(lua_State *L) {
  const sl_world *world = sl_check_world(L, 1);
  scree_break b;
  lua_newtable(L);
  for (int64_t i = 0; scree_world_break_at(world->world, i, &b); i++) {
    push_break(L, &b);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
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
    {"distance", world_distance}, {"gear", world_gear}, {"rack", world_rack}, {"spring", world_spring},
    {"bond", world_bond}, {"joints_report", world_joints_report}, {"broken_joints", world_broken_joints},
    {NULL, NULL}};
const luaL_Reg sl_joint_object_methods[] = {{"force", joint_force}, {"torque", joint_torque},
    {"position", joint_position}, {"speed", joint_speed}, {"error", joint_error}, {"type", joint_type},
    {"remove", joint_remove}, {"set_motor", joint_set_motor}, {"servo", joint_servo},
    {"set_spring", joint_set_spring}, {"broken", joint_broken}, {"effort", joint_effort},
    {"energy", joint_energy}, {"id", joint_id}, {"bodies", joint_bodies}, {"point", joint_point},
    {"axis", joint_axis}, {"set_force", joint_set_force}, {"has_servo", joint_has_servo}, {NULL, NULL}};
const luaL_Reg sl_joint_metamethods[] = {{"__tostring", joint_tostring}, {NULL, NULL}};
const sl_params sl_joint_params[] = {{"joint", joint_params, JOINT_PARAMS, NULL},
    {"joint", drive_params, DRIVE_PARAMS, NULL}, {"joint.second", drive_params, DRIVE_PARAMS, NULL},
    {"joint.motor", motor_params, 2, NULL}, {"joint.servo", servo_params, SERVO_PARAMS, NULL}, {NULL}};
