/* The module `scree`: object types, methods of worlds, functions of the module. */
#include "bind/objects/query/measure.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/objects/shape/shape.h"
#include "bind/sandbox/library.h"
#include "bind/sandbox/state.h"

#include <stdio.h>

extern const luaL_Reg sl_world_metamethods[], sl_body_methods[], sl_body_metamethods[],
    sl_view_object_methods[], sl_view_metamethods[], sl_contacts_metamethods[], sl_profile_methods[],
    sl_probe_methods[], sl_probe_metamethods[], sl_module_functions[], sl_api_functions[],
    sl_measurements_functions[], sl_geometry_object_methods[], sl_geometry_metamethods[],
    sl_trajectory_functions[], sl_trajectory_methods[], sl_trajectory_metamethods[],
    sl_joint_object_methods[], sl_joint_metamethods[], sl_cell_object_methods[], sl_cell_metamethods[],
    sl_state_object_methods[], sl_state_metamethods[], sl_state_functions[], sl_grains_functions[],
    sl_text_table_functions[];

/* Lists of methods of the world, one per object file. */
static const luaL_Reg *const world_methods[] = {
#define OBJECT(name) sl_##name##_methods,
#define MODULE(name)
#include "bind/objects/objects.h"
#undef OBJECT
#undef MODULE
};

/* Tables within the module, such as scree.law. */
static const struct {
  const char *name;
  const luaL_Reg *functions;
} modules[] = {
#define OBJECT(name)
#define MODULE(name) {#name, sl_##name##_functions},
#include "bind/objects/objects.h"
#undef OBJECT
#undef MODULE
    {NULL, NULL}};

int sl_view_item(lua_State *L);

/* Metamethod __index of bodies and views. Upvalue SL_TYPES + 1: the methods, SL_TYPES + 2: the name of the
 * type. */
static int index_methods(lua_State *L) {
  if (lua_isinteger(L, 2) && sl_test(L, 1, SL_VIEW)) return sl_view_item(L);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(SL_TYPES + 1)) != LUA_TNIL) return 1;
  return sl_unknown_member(
      L, lua_tostring(L, lua_upvalueindex(SL_TYPES + 2)), lua_upvalueindex(SL_TYPES + 1));
}

/* Metamethod __newindex of objects. Upvalue SL_TYPES + 1: the methods, SL_TYPES + 2: the name of
 * the type. */
static int refuse_assignment(lua_State *L) {
  const char *type = lua_tostring(L, lua_upvalueindex(SL_TYPES + 2)), *name = sl_tostring(L, 2);
  const char *setter = lua_pushfstring(L, "set_%s", name);
  const bool is_item = lua_type(L, 2) != LUA_TSTRING && sl_test(L, 1, SL_VIEW);
  if (is_item) return sl_refuse(L, "a %s cannot be set by [%s]; use %s:set(row, ...)", type, name, type);
  const bool has_setter = lua_getfield(L, lua_upvalueindex(SL_TYPES + 1), setter) != LUA_TNIL;
  return sl_refuse(L, "'%s' of a %s cannot be set by =%s%s%s%s%s", name, type, has_setter ? "; use " : "",
      has_setter ? type : "", has_setter ? ":" : "", has_setter ? setter : "", has_setter ? "(...)" : "");
}

/* Stores the table of functions on top of the stack under `name`, so that scree.api can list the
 * functions. */
static void note_methods(lua_State *L, const char *name) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, "scree.methods");
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

/* Sets the metamethods and the common members of the metatable of a type. methods become its __index;
 * NULL: none. */
static void fill_type(lua_State *L, int type, const luaL_Reg *metamethods, const luaL_Reg *methods) {
  lua_pushvalue(L, lua_upvalueindex(type));
  sl_set_string(L, "__name", sl_type_name(type));
  sl_set_boolean(L, "__metatable", 0);
  if (methods) {
    for (int t = 1; t <= SL_TYPES; t++) lua_pushvalue(L, lua_upvalueindex(t));
    lua_newtable(L);
    sl_register_verbs(L, methods);
    note_methods(L, sl_type_name(type));
    for (int t = 1; t <= SL_TYPES; t++) lua_pushvalue(L, lua_upvalueindex(t));
    lua_pushvalue(L, -1 - SL_TYPES);
    lua_pushstring(L, sl_type_name(type));
    lua_pushcclosure(L, refuse_assignment, SL_TYPES + 2);
    lua_setfield(L, -3 - SL_TYPES, "__newindex");
    lua_pushstring(L, sl_type_name(type));
    lua_pushcclosure(L, index_methods, SL_TYPES + 2);
    lua_setfield(L, -2, "__index");
  }
  sl_register(L, metamethods);
  lua_pop(L, 1);
}

/* Metamethod __index of worlds; upvalue SL_TYPES + 1: the methods. */
int sl_world_index(lua_State *L);
int sl_make_world(lua_State *L);
static void fill_world(lua_State *L) {
  fill_type(L, SL_WORLD, sl_world_metamethods, NULL);
  lua_pushvalue(L, lua_upvalueindex(SL_WORLD));
  for (int t = 1; t <= SL_TYPES; t++) lua_pushvalue(L, lua_upvalueindex(t));
  lua_newtable(L);
  sl_measure_register(L);
  sl_shape_register(L);
  for (size_t i = 0; i < sizeof world_methods / sizeof *world_methods; i++)
    sl_register_verbs(L, world_methods[i]);
  note_methods(L, "world");
  lua_pushcclosure(L, sl_world_index, SL_TYPES + 1);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}

/* Lua function with the metatables as upvalues: builds and returns the module. */
static int build_module(lua_State *L) {
  fill_world(L);
  lua_pushvalue(L, lua_upvalueindex(SL_WORLD));
  lua_setfield(L, LUA_REGISTRYINDEX, "scree.world_type");
  fill_type(L, SL_BODY, sl_body_metamethods, sl_body_methods);
  fill_type(L, SL_VIEW, sl_view_metamethods, sl_view_object_methods);
  fill_type(L, SL_CONTACTS, sl_contacts_metamethods, NULL);
  fill_type(L, SL_PROFILE, sl_probe_metamethods, sl_profile_methods);
  fill_type(L, SL_PROBE, sl_probe_metamethods, sl_probe_methods);
  fill_type(L, SL_GEOMETRY, sl_geometry_metamethods, sl_geometry_object_methods);
  fill_type(L, SL_TRAJECTORY, sl_trajectory_metamethods, sl_trajectory_methods);
  fill_type(L, SL_JOINT, sl_joint_metamethods, sl_joint_object_methods);
  fill_type(L, SL_CELL, sl_cell_metamethods, sl_cell_object_methods);
  fill_type(L, SL_STATE, sl_state_metamethods, sl_state_object_methods);
  for (int t = 1; t <= SL_TYPES; t++) lua_pushvalue(L, lua_upvalueindex(t));
  lua_pushcclosure(L, sl_make_world, SL_TYPES);
  lua_setfield(L, LUA_REGISTRYINDEX, "scree.make_world");
  const luaL_Reg kept[] = {
      {"scree.pack_state", sl_pack_state}, {"scree.unpack_state", sl_unpack_state}, {NULL, NULL}};
  lua_pushvalue(L, LUA_REGISTRYINDEX);
  sl_register(L, kept);
  lua_pop(L, 1);
  lua_newtable(L);
  sl_register(L, sl_module_functions);
  sl_register(L, sl_api_functions);
  sl_register(L, sl_measurements_functions);
  sl_register(L, sl_trajectory_functions);
  sl_register(L, sl_state_functions);
  sl_register_verbs(L, sl_grains_functions);
  sl_register_verbs(L, sl_text_table_functions);
  sl_set_string(L, "version", SCREE_VERSION);
  for (int i = 0; modules[i].name; i++) {
    lua_newtable(L);
    sl_register_verbs(L, modules[i].functions);
    char name[64];
    snprintf(name, sizeof name, "scree.%s", modules[i].name);
    note_methods(L, name);
    sl_push_readonly(L, name, 1);
    lua_setfield(L, -2, modules[i].name);
  }
  note_methods(L, "scree");
  return 1;
}

int sl_open_module(lua_State *L) {
  for (int type = 1; type <= SL_TYPES; type++) lua_newtable(L);
  lua_pushcclosure(L, build_module, SL_TYPES);
  lua_call(L, 0, 1);
  return 1;
}
