/* Methods that make joints: w:hinge{a=, b=, at=, axis=, limits=, motor=, friction=} and the other types. */
#include "bind/objects/bodies/joint.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"
#include "bind/sandbox/inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SL_IMAGE_MOST = 1 << 20 };

/* Reads the key frame, a body or "ground". */
static void read_frame(lua_State *L, const char *path, scree_joint_def *def) {
  const int type = lua_getfield(L, 2, "frame");
  const bool named = type == LUA_TSTRING;
  if (named && strcmp(lua_tostring(L, -1), "ground"))
    sl_refuse(L, "%s.frame must be a body or \"ground\", not \"%s\"", path, lua_tostring(L, -1));
  lua_pop(L, 1);
  if (type == LUA_TNIL) return;
  if (def->type != SCREE_JOINT_GEAR && def->type != SCREE_JOINT_RACK)
    sl_refuse(L, "%s.frame: only gears and racks have a housing", path);
  def->find_frame = 0;
  if (!named) def->frame = sl_read_body(L, path, "frame");
}

/* Reads the key image = {i, j, k}: the periodic image of body b to which body a is joined. */
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
    if (!list) sl_refuse(L, "%s.image must be a list of three whole numbers, {i, j, k}", path);
  }
  lua_pop(L, 1);
}

/* Reads the key second = {limits =, motor =, ...}: the drive of the second free direction. freedom: kind of
 * this direction. */
static void read_second(lua_State *L, const char *path, int freedom, scree_drive *drive) {
  char place[64];
  if (lua_getfield(L, 2, "second") != LUA_TNIL) {
    snprintf(place, sizeof place, "%s.second", path);
    sl_section section = SL_TABLE(scree_drive_params, drive);
    section.unit = freedom;
    sl_read(L, -1, place, &section, 1, 0);
    sl_read_drive(L, lua_absindex(L, -1), place, freedom, drive);
  }
  lua_pop(L, 1);
}

void sl_push_joint(lua_State *L, int world_index, scree_joint id) {
  world_index = lua_absindex(L, world_index);
  sl_joint *joint = lua_newuserdatauv(L, sizeof *joint, 1);
  joint->world = lua_touserdata(L, world_index);
  joint->id = id;
  sl_set_type_in(L, SL_JOINT, world_index);
}

/* Adds the joint that the table at stack index 2 describes. path: name of the method, for messages. */
static int add_one(lua_State *L, int type, const char *path, bool needs_rates) {
  sl_world *world = sl_change_world(L, 1);
  scree_joint_def def = scree_joint_defaults(type);
  const int freedom = scree_joint_freedom(type, 0);
  sl_section sections[] = {SL_TABLE(scree_joint_params, &def), SL_TABLE(scree_drive_params, &def.drive)};
  sections[1].unit = freedom;
  sl_read(L, 2, path, sections, 2, 0);
  for (int s = 0; s < 2; s++)
    sl_refuse_unread(L, 2, path, sections + s,
        &(scree_param_reader){"in joints of the type", scree_joint_type_name(type), scree_joint_type_name});
  if (type != SCREE_JOINT_GEAR && type != SCREE_JOINT_RACK && !sl_has_key(L, 2, "at"))
    sl_refuse(L, "%s.at is missing: a point of the joint", path);
  if (type == SCREE_JOINT_DISTANCE && !sl_has_key(L, 2, "at_b"))
    sl_refuse(L, "%s.at_b is missing: the anchor on b", path);
  def.a = sl_read_body(L, path, "a");
  def.b = sl_read_body(L, path, "b");
  read_frame(L, path, &def);
  sl_read_drive(L, 2, path, freedom, &def.drive);
  read_second(L, path, scree_joint_freedom(type, 1), &def.second);
  sl_read_turn_servo(L, path, &def.turn_servo);
  if (type == SCREE_JOINT_DISTANCE && def.length >= 0 && !sl_has_key(L, 2, "rest"))
    def.drive.rest = def.length;
  read_image(L, path, &def);
  if (needs_rates && !sl_has_key(L, 2, "stiffness") && !sl_has_key(L, 2, "damping"))
    sl_refuse(L, "%s needs a stiffness or a damping", path);
  if (def.length < 0 && def.length != -1)
    sl_refuse(L, "%s.length must be at least 0, not %g", path, def.length);
  scree_joint id;
  SL_TRY(L, !(id = scree_world_add_joint(world->world, &def, &error)));
  return sl_push_joint(L, 1, id), 1;
}

static int add_joint(lua_State *L, int type, const char *path) { return add_one(L, type, path, false); }

static int world_ball(lua_State *L) { return add_joint(L, SCREE_JOINT_BALL, "ball"); }
static int world_hinge(lua_State *L) { return add_joint(L, SCREE_JOINT_HINGE, "hinge"); }
static int world_slider(lua_State *L) { return add_joint(L, SCREE_JOINT_SLIDER, "slider"); }
static int world_cylindrical(lua_State *L) { return add_joint(L, SCREE_JOINT_CYLINDRICAL, "cylindrical"); }
static int world_universal(lua_State *L) { return add_joint(L, SCREE_JOINT_UNIVERSAL, "universal"); }
static int world_fixed(lua_State *L) { return add_joint(L, SCREE_JOINT_FIXED, "fixed"); }
static int world_distance(lua_State *L) { return add_joint(L, SCREE_JOINT_DISTANCE, "distance"); }
static int world_spring(lua_State *L) { return add_one(L, SCREE_JOINT_DISTANCE, "spring", true); }
static int world_gear(lua_State *L) { return add_joint(L, SCREE_JOINT_GEAR, "gear"); }
static int world_rack(lua_State *L) { return add_joint(L, SCREE_JOINT_RACK, "rack"); }

/* bond{...}: calls create of the bundled module scree.bond. */
static int world_bond(lua_State *L) {
  sl_change_world(L, 1);
  return sl_call_create(L, "bond");
}

static int world_joints_report(lua_State *L) {
  sl_world *world = sl_check_world(L, 1);
  scree_joints_report report;
  SL_TRY(L, scree_world_joints_report(world->world, &report, &error));
  lua_newtable(L);
  sl_set_integer(L, "joints", report.joints);
  sl_set_integer(L, "rows", report.rows);
  sl_set_integer(L, "broken", report.broken);
  sl_set_integer(L, "resolved", report.resolved);
  sl_set_integer(L, "redundant", report.redundant);
  sl_set_integer(L, "homeless", report.homeless);
  sl_set_number(L, "error", report.error);
  sl_set_number(L, "velocity_error", report.velocity_error);
  return 1;
}

static int world_broken_joints(lua_State *L) {
  const sl_world *world = sl_check_world(L, 1);
  scree_break b;
  lua_newtable(L);
  for (int64_t i = 0; scree_world_break_at(world->world, i, &b); i++) {
    sl_push_break(L, &b);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

const luaL_Reg sl_joint_methods[] = {{"ball", world_ball}, {"hinge", world_hinge}, {"slider", world_slider},
    {"cylindrical", world_cylindrical}, {"universal", world_universal}, {"fixed", world_fixed},
    {"distance", world_distance}, {"gear", world_gear}, {"rack", world_rack}, {"spring", world_spring},
    {"bond", world_bond}, {"joints_report", world_joints_report}, {"broken_joints", world_broken_joints},
    {NULL, NULL}};
const sl_params sl_joint_params[] = {SL_TABLE_ROWS("joint", scree_joint_params), {NULL}};
