/* Readers that several keys of a scene share: functions, and numbers that may be functions. */
#include "bind/scene/output.h"
#include "bind/errors.h"

int sl_scene_take_function(lua_State *L, const char *path) {
  if (lua_isnil(L, -1)) return lua_pop(L, 1), LUA_NOREF;
  if (!lua_isfunction(L, -1)) sl_refuse(L, "%s must be a function, not a %s", path, luaL_typename(L, -1));
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

void sl_scene_resolve_numbers(lua_State *L, const sl_scene *scene) {
  static const char *const names[] = {"time", "steps", "every"};
  if (!lua_istable(L, -1)) return;
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, -3);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  for (int i = 0; i < 3; i++) {
    if (lua_getfield(L, -1, names[i]) == LUA_TFUNCTION) {
      sl_scene_push_params(scene);
      lua_call(L, 1, 1);
      lua_setfield(L, -2, names[i]);
    } else {
      lua_pop(L, 1);
    }
  }
  lua_remove(L, -2);
}
