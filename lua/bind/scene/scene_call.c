/* Calls the functions of a scene with its world and its parameters. */
#include "bind/scene/scene.h"
#include "bind/objects/query/losses.h"
#include "bind/objects/bodies/motion.h"
#include "bind/sandbox/inside.h"

#include <math.h>
#include <stdio.h>

bool sl_scene_has(const sl_scene *scene, sl_hook hook) { return scene->hook[hook] != LUA_NOREF; }

void sl_scene_push_params(const sl_scene *scene) {
  lua_rawgeti(scene->runtime->L, LUA_REGISTRYINDEX, scene->params);
}

static sl_trouble call_reference(sl_scene *scene, int reference, int results) {
  lua_State *L = scene->runtime->L;
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->world_ref);
  sl_scene_push_params(scene);
  return sl_call(scene->runtime, 2, results);
}

sl_trouble sl_scene_call(sl_scene *scene, sl_hook hook, int results) {
  if (!sl_scene_has(scene, hook)) return SL_FINE;
  scene->runtime->in_hook = hook != SL_SETUP;
  sl_trouble trouble = call_reference(scene, scene->hook[hook], results);
  scene->runtime->in_hook = false;
  return trouble;
}

const char *sl_scene_place(const sl_scene *scene, sl_hook hook, char out[SL_PLACE]) {
  lua_State *L = scene->runtime->L;
  lua_Debug at;
  snprintf(out, SL_PLACE, "%s", scene->path);
  if (!sl_scene_has(scene, hook)) return out;
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->hook[hook]);
  lua_getinfo(L, ">S", &at);
  if (at.linedefined > 0 && *at.source == '@') snprintf(out, SL_PLACE, "%s:%d", at.short_src, at.linedefined);
  return out;
}

bool sl_scene_has_values(const sl_scene *scene) {
  return sl_scene_has(scene, SL_SERIES_VALUES) || scree_world_get_def(scene->world->world)->losses;
}

sl_trouble sl_scene_values(sl_scene *scene) {
  lua_State *L = scene->runtime->L;
  if (!sl_scene_has_values(scene)) return SL_FINE;
  if (sl_scene_has(scene, SL_SERIES_VALUES)) {
    sl_trouble trouble = sl_scene_call(scene, SL_SERIES_VALUES, 1);
    if (trouble || !lua_istable(L, -1)) return trouble;
  } else lua_pushnil(L);
  if (!scree_world_get_def(scene->world->world)->losses) return SL_FINE;
  lua_pushcfunction(L, sl_losses_columns);
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->world_ref);
  lua_rotate(L, -3, 2);
  return sl_call(scene->runtime, 2, 1);
}

static int move_bodies(lua_State *L) { return sl_motion_update(L, 1), 0; }

sl_trouble sl_scene_move(sl_scene *scene) {
  lua_State *L = scene->runtime->L;
  if (!scene->world->motions) return SL_FINE;
  lua_pushcfunction(L, move_bodies);
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->world_ref);
  scene->runtime->in_hook = true;
  sl_trouble trouble = sl_call(scene->runtime, 1, 0);
  scene->runtime->in_hook = false;
  return trouble;
}

typedef struct speeds {
  double end;
  sl_motion_speed *out;
  int most;
} speeds;

/* Lua function (world, speeds): returns the number of motions. */
static int find_speeds(lua_State *L) {
  const speeds *s = lua_touserdata(L, 2);
  return lua_pushinteger(L, sl_motion_find_speeds(L, 1, s->end, s->out, s->most)), 1;
}

int sl_scene_find_speeds(sl_scene *scene, double end, sl_motion_speed *out, int most) {
  lua_State *L = scene->runtime->L;
  speeds s = {end, out, most};
  if (!scene->world->motions) return 0;
  lua_pushcfunction(L, find_speeds);
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->world_ref);
  lua_pushlightuserdata(L, &s);
  scene->runtime->in_hook = true;
  const sl_trouble trouble = sl_call(scene->runtime, 2, 1);
  scene->runtime->in_hook = false;
  if (trouble) return 0;
  const int count = (int)lua_tointeger(L, -1);
  return lua_pop(L, 1), count;
}

sl_trouble sl_scene_report(sl_scene *scene) {
  lua_State *L = scene->runtime->L;
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->hook[SL_REPORT]);
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->world_ref);
  sl_scene_push_params(scene);
  lua_rotate(L, -4, 3);
  scene->runtime->in_hook = true;
  sl_trouble trouble = sl_call(scene->runtime, 3, 1);
  scene->runtime->in_hook = false;
  return trouble;
}

sl_trouble sl_scene_variants(sl_scene *scene) {
  lua_rawgeti(scene->runtime->L, LUA_REGISTRYINDEX, scene->hook[SL_VARIANTS]);
  sl_scene_push_params(scene);
  return sl_call(scene->runtime, 1, 1);
}

/* An interval is complete half a step before its end, so that rounding errors of the time do not shift it
 * by a step. */
bool sl_clock_due(sl_clock *clock, const scree_world *world) {
  double time = scree_world_time(world), dt = scree_world_get_def(world)->dt;
  if (clock->steps) {
    int64_t reached = scree_world_steps(world) / clock->steps;
    if (reached <= clock->done) return false;
    clock->done = reached;
    return true;
  }
  if (!(clock->time > 0)) return false;
  int64_t reached = (int64_t)floor((time + 0.5 * dt) / clock->time);
  if (reached <= clock->done) return false;
  clock->done = reached;
  return true;
}

sl_trouble sl_scene_call_undue(sl_scene *scene) {
  scene->runtime->in_hook = true;
  sl_trouble trouble = SL_FINE;
  for (int i = 0; i < scene->every_count && !trouble; i++)
    if (!scene->every[i].clock.done) trouble = call_reference(scene, scene->every[i].call, 0);
  scene->runtime->in_hook = false;
  return trouble;
}

sl_trouble sl_scene_call_due(sl_scene *scene) {
  scene->runtime->in_hook = true;
  sl_trouble trouble = SL_FINE;
  for (int i = 0; i < scene->every_count && !trouble; i++)
    if (sl_clock_due(&scene->every[i].clock, scene->world->world))
      trouble = call_reference(scene, scene->every[i].call, 0);
  scene->runtime->in_hook = false;
  return trouble;
}
