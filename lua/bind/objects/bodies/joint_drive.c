/* Limits, motors, servos and springs along the free directions of joints: their tables, and the methods of
 * joints that change them. */
#include "bind/objects/bodies/joint.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/read.h"

#include <math.h>
#include <stdio.h>

/* Keys of a free direction. Those of the first direction are in the joint's own table. */
#define DRIVE(member) offsetof(scree_drive, member)
static const scree_param drive_params[] = {
    SL_VALUE("limits",
        "{lower, upper} of the free direction, of the twist for a ball, of the distance for a distance "
        "joint"),
    SL_VALUE("motor", "{speed =, force =}: a speed within a largest force, or without speed a force"),
    SL_VALUE("servo",
        "{position =, speed =, stiffness =, damping =, feed =, force =}: pulls to a position, a speed or "
        "both"),
    SL_REAL("friction", DRIVE(friction), "N m, N", 0, 0, INFINITY,
        "largest friction torque or force, whatever the load"),
    SL_REAL("stiffness", DRIVE(stiffness), "N m/rad, N/m", 0, 0, INFINITY,
        "k of a spring along the free direction; fixed: of springs that hold the point"),
    SL_REAL("damping", DRIVE(damping), "N m s/rad, N s/m", 0, 0, INFINITY, "of a damper beside it"),
    SL_REAL("rest", DRIVE(rest), "rad, m", 0, 0, 0,
        "position at which the spring is at ease; without it as placed",
        "hinge|slider|cylindrical|universal|ball|distance"),
};
const sl_keys sl_drive_keys = {drive_params, SL_COUNT(drive_params)};

static const scree_param motor_params[] = {
    SL_REAL("speed", DRIVE(speed), "rad/s, m/s", 0, 0, 0, "target"),
    {"force", SCREE_REAL, SCREE_UNBOUNDED, "N m, N", INFINITY, 0, 0, DRIVE(force), NULL,
        "largest torque or force; without speed the torque or force itself"},
};
static const scree_param servo_params[] = {
    SL_REAL("position", DRIVE(target), "rad, m", 0, 0, 0, "target"),
    SL_REAL("speed", DRIVE(speed), "rad/s, m/s", 0, 0, 0, "target"),
    SL_REAL("stiffness", DRIVE(gain), "N m/rad, N/m", 0, 0, INFINITY,
        "torque or force per distance from the position"),
    SL_REAL("damping", DRIVE(rate_gain), "N m s/rad, N s/m", 0, 0, INFINITY,
        "torque or force per difference from the speed"),
    SL_REAL("feed", DRIVE(feed), "N m, N", 0, 0, 0, "torque or force given besides"),
    SCREE_ROW_LIMIT("force", DRIVE(force), "N m, N", "largest torque or force"),
};
#define TURN(member) offsetof(scree_turn_servo, member)
static const scree_param turn_params[] = {
    SL_QUAT("orientation", TURN(target),
        "target: turn of a against b from where they were placed, {w, x, y, z}, in the world's axes of then"),
    SL_VALUE("turn", "the same as a rotation vector [rad]"),
    SL_VEC3("spin", TURN(spin), "rad/s", "target: of a against b"),
    SL_REAL("stiffness", TURN(gain), "N m/rad", 0, 0, INFINITY, "torque per angle from the orientation"),
    SL_REAL("damping", TURN(rate_gain), "N m s/rad", 0, 0, INFINITY, "torque per difference from the spin"),
    SL_VEC3("feed", TURN(feed), "N m", "torque given besides"),
    SCREE_ROW_LIMIT("torque", TURN(torque), "N m", "largest torque, in any direction"),
};
const sl_params sl_joint_drive_params[] = {{"joint", drive_params, SL_COUNT(drive_params), NULL},
    {"joint.second", drive_params, SL_COUNT(drive_params), NULL}, {"joint.motor", motor_params, 2, NULL},
    {"joint.servo", servo_params, SL_COUNT(servo_params), NULL},
    {"joint.turn_servo", turn_params, SL_COUNT(turn_params), NULL}, {NULL}};

/* Reads the key limits = {lower, upper} of the table at `index`; either may be infinite. */
static void read_limits(lua_State *L, int index, const char *path, scree_drive *drive) {
  if (lua_getfield(L, index, "limits") == LUA_TTABLE) {
    double *bounds[2] = {&drive->lower, &drive->upper};
    for (int i = 0; i < 2; i++) {
      if (lua_rawgeti(L, -1, i + 1) != LUA_TNUMBER)
        sl_refuse(L, "%s.limits must be two numbers, {lower, upper}", path);
      *bounds[i] = lua_tonumber(L, -1);
      lua_pop(L, 1);
    }
  } else if (!lua_isnil(L, -1)) {
    sl_refuse(L, "%s.limits must be a list {lower, upper}, not a %s", path, luaL_typename(L, -1));
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
    if (drive->motor) sl_refuse(L, "%s has a motor and a servo: it takes one of them", path);
    snprintf(place, sizeof place, "%s.servo", path);
    SL_READ(L, -1, place, servo_params, drive);
    drive->motor = SCREE_MOTOR_SERVO;
  }
  lua_pop(L, 2);
}

void sl_read_drive(lua_State *L, int index, const char *path, scree_drive *drive) {
  read_limits(L, index, path, drive);
  read_motor(L, index, path, drive);
}

/* Reads a servo of all rotations from the table at index. Missing keys do not change the servo. */
static void read_turn_servo(lua_State *L, int index, const char *path, scree_turn_servo *servo) {
  char place[64];
  SL_READ(L, index, path, turn_params, servo);
  if (lua_getfield(L, index, "turn") != LUA_TNIL) {
    double turn[3];
    snprintf(place, sizeof place, "%s.turn", path);
    if (sl_has_key(L, index, "orientation"))
      sl_refuse(L, "%s has an orientation and a turn: it takes one of them", path);
    sl_read_vec3(L, -1, place, "rad", false, turn);
    scree_quat_of_turn(turn, servo->target);
  }
  lua_pop(L, 1);
}

void sl_read_turn_servo(lua_State *L, const char *path, scree_turn_servo *servo) {
  char place[64];
  if (lua_getfield(L, 2, "turn_servo") != LUA_TNIL) {
    snprintf(place, sizeof place, "%s.turn_servo", path);
    read_turn_servo(L, lua_absindex(L, -1), place, servo);
    if (servo->gain == 0 && servo->rate_gain == 0)
      sl_refuse(L, "%s needs a stiffness, which pulls to an orientation, or a damping, which pulls to a spin",
          place);
  }
  lua_pop(L, 1);
}

/* ---- verbs of handles ---- */

static sl_joint *check_drive_joint(lua_State *L) { return sl_check(L, 1, SL_JOINT); }

/* Reads the drive of a direction of an existing joint. The caller changes it and calls new_drive. */
static scree_drive *old_drive(lua_State *L, const sl_joint *joint, int which, scree_drive *drive) {
  SL_TRY(L, scree_world_get_drive(joint->world->world, joint->id, which, drive, &error));
  return drive;
}

static int new_drive(lua_State *L, const sl_joint *joint, int which, const scree_drive *drive) {
  SL_TRY(L, scree_world_set_drive(joint->world->world, joint->id, which, drive, &error));
  return 0;
}

/* The key `second = true`: the method acts on the second free direction. */
static const scree_param which_params[] = {SL_BOOLEAN("second", 0, "of the second free direction")};

/* set_motor{speed =, force =} */
int sl_joint_set_motor(lua_State *L) {
  const sl_joint *joint = check_drive_joint(L);
  scree_drive drive, keys = {.force = INFINITY};
  int which = 0;
  const sl_section sections[] = {{motor_params, 2, &keys}, {which_params, 1, &which}};
  sl_read(L, 2, "set_motor", sections, 2, 0);
  old_drive(L, joint, which, &drive);
  if (drive.motor != SCREE_MOTOR_FORCE) drive.motor = SCREE_MOTOR_SPEED;
  drive.speed = keys.speed;
  drive.force = keys.force;
  return new_drive(L, joint, which, &drive);
}

/* set_force(f): replaces the motor by a constant force or torque. */
int sl_joint_set_force(lua_State *L) {
  const sl_joint *joint = check_drive_joint(L);
  scree_drive drive;
  old_drive(L, joint, 0, &drive);
  drive.motor = SCREE_MOTOR_FORCE;
  drive.force = luaL_checknumber(L, 2);
  return new_drive(L, joint, 0, &drive);
}

int sl_joint_has_servo(lua_State *L) {
  scree_drive drive;
  return lua_pushboolean(L, old_drive(L, check_drive_joint(L), 0, &drive)->motor == SCREE_MOTOR_SERVO), 1;
}

/* servo{position =, speed =, stiffness =, damping =, feed =, force =}: missing keys do not change. */
int sl_joint_servo(lua_State *L) {
  const sl_joint *joint = check_drive_joint(L);
  scree_drive drive, keys = {.force = INFINITY};
  int which = 0;
  const sl_section sections[] = {{servo_params, SL_COUNT(servo_params), &keys}, {which_params, 1, &which}};
  sl_read(L, 2, "servo", sections, 2, 0);
  old_drive(L, joint, which, &drive);
  bool was = drive.motor == SCREE_MOTOR_SERVO;
  double *const to[SL_COUNT(servo_params)] = {
      &drive.target, &drive.speed, &drive.gain, &drive.rate_gain, &drive.feed, &drive.force};
  const double from[SL_COUNT(servo_params)] = {
      keys.target, keys.speed, keys.gain, keys.rate_gain, keys.feed, keys.force};
  for (int k = 0; k < SL_COUNT(servo_params); k++)
    if (!was || sl_has_key(L, 2, servo_params[k].name)) *to[k] = from[k];
  drive.motor = SCREE_MOTOR_SERVO;
  return new_drive(L, joint, which, &drive);
}

/* set_spring{stiffness =, damping =, rest =}: missing keys do not change. */
int sl_joint_set_spring(lua_State *L) {
  const sl_joint *joint = check_drive_joint(L);
  scree_drive drive, keys = {0};
  int which = 0;
  const sl_section sections[] = {
      {drive_params + SL_COUNT(drive_params) - 3, 3, &keys}, {which_params, 1, &which}};
  sl_read(L, 2, "set_spring", sections, 2, 0);
  old_drive(L, joint, which, &drive);
  if (sl_has_key(L, 2, "stiffness")) drive.stiffness = keys.stiffness;
  if (sl_has_key(L, 2, "damping")) drive.damping = keys.damping;
  if (sl_has_key(L, 2, "rest")) drive.rest = keys.rest;
  return new_drive(L, joint, which, &drive);
}

/* turn_servo{orientation =, turn =, spin =, ...}: missing keys do not change. */
int sl_joint_turn_servo(lua_State *L) {
  const sl_joint *joint = check_drive_joint(L);
  scree_turn_servo servo;
  SL_TRY(L, scree_world_get_turn_servo(joint->world->world, joint->id, &servo, &error));
  luaL_checktype(L, 2, LUA_TTABLE);
  read_turn_servo(L, 2, "turn_servo", &servo);
  SL_TRY(L, scree_world_set_turn_servo(joint->world->world, joint->id, &servo, &error));
  return 0;
}
