/* Types of objects: metatables of userdata, and registration of functions. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/sandbox/inside.h"
#include "bind/sandbox/library.h"

#include <string.h>

static const char *const type_names[SL_TYPES + 1] = {"", "world", "body", "view", "contacts", "profile",
    "probe", "geometry", "trajectory", "joint", "cell", "state"};

const char *sl_type_name(int type) { return type_names[type]; }

static bool is_type(lua_State *L, int index, int type) {
  if (!lua_isuserdata(L, index) || !lua_getmetatable(L, index)) return false;
  bool same = lua_rawequal(L, -1, lua_upvalueindex(type));
  lua_pop(L, 1);
  return same;
}

void *sl_test(lua_State *L, int index, int type) {
  return is_type(L, index, type) ? lua_touserdata(L, index) : NULL;
}

const char *sl_test_type(lua_State *L, int index) {
  for (int type = 1; type <= SL_TYPES; type++)
    if (is_type(L, index, type)) return sl_type_name(type);
  return NULL;
}

void *sl_check(lua_State *L, int index, int type) {
  if (is_type(L, index, type)) return lua_touserdata(L, index);
  sl_refuse(L, "argument %d must be a %s, not a %s%s", index, type_names[type], luaL_typename(L, index),
      index == 1 ? " (call methods with a colon)" : "");
  return NULL;
}

sl_world *sl_change_world(lua_State *L, int index) {
  sl_world *world = sl_check_world(L, index);
  if (world->stepping) sl_refuse(L, "the world cannot be changed from within a friction law or a motion");
  return world;
}

const sl_body *sl_check_own_body(lua_State *L, int index, const sl_world *world) {
  const sl_body *body = sl_check(L, index, SL_BODY);
  if (body->world != world) sl_refuse(L, "argument %d is a body of another world", index);
  return body;
}

void sl_register(lua_State *L, const luaL_Reg *functions) {
  for (int type = 1; type <= SL_TYPES; type++) lua_pushvalue(L, lua_upvalueindex(type));
  luaL_setfuncs(L, functions, SL_TYPES);
}

/* Lua function of a verb: calls the function in the upvalue after the metatables, with the same arguments and
 * upvalues, as work of the engine. */
static int call_verb(lua_State *L) {
  sl_runtime *runtime = sl_runtime_of(L);
  const int before = sl_engine_enter(runtime),
            results = lua_tocfunction(L, lua_upvalueindex(SL_TYPES + 1))(L);
  sl_engine_leave(runtime, before);
  return results;
}

void sl_register_verbs(lua_State *L, const luaL_Reg *functions) {
  for (const luaL_Reg *f = functions; f->name; f++) {
    for (int type = 1; type <= SL_TYPES; type++) lua_pushvalue(L, lua_upvalueindex(type));
    lua_pushcfunction(L, f->func);
    lua_pushcclosure(L, call_verb, SL_TYPES + 1);
    lua_setfield(L, -2, f->name);
  }
}

void sl_set_type(lua_State *L, int type) {
  lua_pushvalue(L, lua_upvalueindex(type));
  lua_setmetatable(L, -2);
}

void sl_set_type_in(lua_State *L, int type, int world) {
  sl_set_type(L, type);
  lua_pushvalue(L, world);
  lua_setiuservalue(L, -2, 1);
}

/* Names of methods in other programs, and the names here, for hints in error messages. */
static const struct {
  const char *theirs, *ours;
} words[] = {
    {"plane", "halfspace"},
    {"ground", "halfspace"},
    {"floor", "halfspace"},
    {"cuboid", "box"},
    {"cube", "box"},
    {"ball_joint", "ball"},
    {"spherical", "ball"},
    {"revolute", "hinge"},
    {"prismatic", "slider"},
    {"weld", "fixed"},
    {"rope", "distance"},
    {"convex", "hull"},
    {"trimesh", "mesh"},
    {"raycast", "ray"},
    {"angular_velocity", "spin"},
    {"rotation", "orientation"},
    {"quaternion", "orientation"},
    {"apply_force", "apply"},
    {"add_force", "apply"},
    {"apply_torque", "apply"},
    {"set_angular_velocity", "set_spin"},
    {"set_rotation", "set_orientation"},
};

/* Returns the name of a method here for its name in another program; NULL if there is none. */
static const char *our_word(lua_State *L, const char *name, int methods) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(words[i].theirs, name)) continue;
    const bool has = lua_getfield(L, methods, words[i].ours) != LUA_TNIL;
    lua_pop(L, 1);
    if (has) return words[i].ours;
  }
  return NULL;
}

int sl_unknown_member(lua_State *L, const char *object, int methods) {
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : sl_tostring(L, 2);
  const char *ours = our_word(L, name, methods);
  if (ours) return sl_refuse(L, "a %s has no '%s'; it is '%s' here", object, name, ours);
  return sl_refuse(L, "a %s has no '%s'%s", object, name, sl_hint_table(L, name, methods));
}

int sl_call_create(lua_State *L, const char *module) {
  lua_settop(L, 2);
  lua_pushcfunction(L, sl_require);
  lua_pushfstring(L, "scree.%s", module);
  lua_call(L, 1, 1);
  lua_getfield(L, -1, "create");
  lua_insert(L, 1);
  lua_settop(L, 3);
  lua_call(L, 2, 1);
  return 1;
}
