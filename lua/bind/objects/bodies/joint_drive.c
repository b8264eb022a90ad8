/* Limits, motors, servos and springs along the free directions of joints, and the methods of joints that
 * change them. */
#include "bind/objects/bodies/joint.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const sl_params sl_joint_drive_params[] = {SL_TABLE_ROWS("joint", scree_drive_params),
    SL_TABLE_ROWS("joint.second", scree_drive_params), SL_TABLE_ROWS("joint.motor", scree_motor_params),
    SL_TABLE_ROWS("joint.servo", scree_servo_params),
    SL_TABLE_ROWS("joint.turn_servo", scree_turn_servo_params), {NULL}};

/* Reads the key limits = {lower, upper} of the table at `index`; either may be infinite. freedom: 1 for a
 * rotation, 2 for a translation, 0 for either. */
static void read_limits(lua_State *L, int index, const char *path, int freedom, scree_drive *drive) {
  static const char *const units[3] = {"rad, m", "rad", "m"};
  char place[80];
  if (lua_getfield(L, index, "limits") == LUA_TTABLE) {
    double *bounds[2] = {&drive->lower, &drive->upper};
    for (int i = 0; i < 2; i++) {
      if (lua_rawgeti(L, -1, i + 1) == LUA_TNIL)
        sl_refuse(L, "%s.limits must be two numbers, {lower, upper}", path);
      snprintf(place, sizeof place, "%.50s.limits[%d]", path, i + 1);
      *bounds[i] = sl_read_number(L, -1, place, units[freedom]);
      lua_pop(L, 1);
    }
  } else if (!lua_isnil(L, -1)) {
    sl_refuse(L, "%s.limits must be a list {lower, upper}, not a %s", path, luaL_typename(L, -1));
  }
  lua_pop(L, 1);
}

static void read_motor(lua_State *L, int index, const char *path, int freedom, scree_drive *drive) {
  sl_section motor = SL_TABLE(scree_motor_params, drive), servo = SL_TABLE(scree_servo_params, drive);
  char place[64];
  motor.unit = servo.unit = freedom;
  if (lua_getfield(L, index, "motor") != LUA_TNIL) {
    snprintf(place, sizeof place, "%s.motor", path);
    sl_read(L, -1, place, &motor, 1, 0);
    drive->motor = sl_has_key(L, lua_absindex(L, -1), "speed") ? SCREE_MOTOR_SPEED : SCREE_MOTOR_FORCE;
  }
  if (lua_getfield(L, index, "servo") != LUA_TNIL) {
    if (drive->motor) sl_refuse(L, "%s has a motor and a servo: it takes one of them", path);
    snprintf(place, sizeof place, "%s.servo", path);
    sl_read(L, -1, place, &servo, 1, 0);
    drive->motor = SCREE_MOTOR_SERVO;
  }
  lua_pop(L, 2);
}

void sl_read_drive(lua_State *L, int index, const char *path, int freedom, scree_drive *drive) {
  read_limits(L, index, path, freedom, drive);
  read_motor(L, index, path, freedom, drive);
}

/* Reads a servo of all rotations from the table at index. Missing keys do not change the servo. */
static void read_turn_servo(lua_State *L, int index, const char *path, scree_turn_servo *servo) {
  char place[64];
  SL_READ_TABLE(L, index, path, scree_turn_servo_params, servo);
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

/* Reads the table of a method. `section` describes a part of the table. Sets *which to 1 if the table has the
 * key second = true. Allows only units of this free direction of the joint. */
static void read_drive_keys(
    lua_State *L, const sl_joint *joint, const char *path, sl_section section, int *which) {
  scree_joint_state state;
  SL_TRY(L, scree_world_get_joint(joint->world->world, joint->id, &state, &error));
  const bool second = lua_istable(L, 2) && lua_getfield(L, 2, "second") == LUA_TBOOLEAN &&
      lua_toboolean(L, -1);
  lua_settop(L, 2);
  section.unit = scree_joint_freedom(state.type, second);
  sl_read(L, 2, path, (sl_section[]){section, {which_params, 1, which}}, 2, 0);
}

/* set_motor{speed =, force =} */
int sl_joint_set_motor(lua_State *L) {
  const sl_joint *joint = check_drive_joint(L);
  scree_drive drive, keys = {.force = INFINITY};
  int which = 0;
  read_drive_keys(L, joint, "set_motor", (sl_section)SL_TABLE(scree_motor_params, &keys), &which);
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
  read_drive_keys(L, joint, "servo", (sl_section)SL_TABLE(scree_servo_params, &keys), &which);
  old_drive(L, joint, which, &drive);
  bool was = drive.motor == SCREE_MOTOR_SERVO;
  for (int k = 0; k < scree_servo_params_count; k++) {
    const scree_param *p = scree_servo_params + k;
    if (!was || sl_has_key(L, 2, p->name))
      memcpy((char *)&drive + p->offset, (const char *)&keys + p->offset, sizeof(double));
  }
  drive.motor = SCREE_MOTOR_SERVO;
  return new_drive(L, joint, which, &drive);
}

/* set_spring{stiffness =, damping =, rest =}: missing keys do not change. */
int sl_joint_set_spring(lua_State *L) {
  const sl_joint *joint = check_drive_joint(L);
  scree_drive drive, keys = {0};
  int which = 0;
  read_drive_keys(L, joint, "set_spring", (sl_section)SL_TABLE(scree_spring_params, &keys), &which);
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
