/* The loop of a run. The order within a step: before_step, motions, the engine's step, after_step, `every`,
 * then output by the listener. */
#include "bind/scene/loop.h"
#include "bind/errors.h"
#include "bind/object.h"

#include <time.h>

static double read_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Adds the wall time since `before` to loop->lua_seconds, and stores the failure of a call. Returns 0 or
 * SL_CALL_FAILED. */
static int note_call(sl_loop *loop, double before, sl_trouble trouble, const char *doing) {
  loop->lua_seconds += read_clock() - before;
  if (!trouble) return 0;
  loop->trouble = trouble;
  loop->doing = doing;
  return SL_CALL_FAILED;
}

static int tell_listener(sl_loop *loop, sl_event event) {
  return loop->listen ? loop->listen(loop->context, event) : 0;
}

/* Lua function (result of stop, scene): returns the result. Raises an error unless it is a boolean or nil. */
static int check_answer(lua_State *L) {
  const sl_scene *scene = lua_touserdata(L, 2);
  char place[SL_PLACE];
  if (!lua_isnil(L, 1) && !lua_isboolean(L, 1))
    sl_refuse(L, "%s: stop must return true, false or nothing, not a %s",
        sl_scene_place(scene, SL_STOP, place), luaL_typename(L, 1));
  lua_settop(L, 1);
  return 1;
}

int sl_loop_check_end(sl_loop *loop, bool *over) {
  sl_scene *scene = loop->scene;
  const scree_world *world = scene->world->world;
  const double dt = scree_world_get_def(world)->dt;
  *over = scree_world_time(world) >= scene->stop_time - 0.5 * dt ||
      scree_world_steps(world) >= scene->stop_steps || scene->stop_when.met;
  if (*over || !sl_scene_has(scene, SL_STOP)) return 0;
  loop->trouble = sl_scene_call(scene, SL_STOP, 1);
  loop->doing = sl_hook_name(SL_STOP);
  lua_State *L = sl_runtime_lua(scene->runtime);
  if (!loop->trouble && !lua_isboolean(L, -1) && !lua_isnil(L, -1)) {
    lua_pushcfunction(L, check_answer);
    lua_insert(L, -2);
    lua_pushlightuserdata(L, scene);
    loop->trouble = sl_call(scene->runtime, 2, 1);
  }
  if (loop->trouble) return SL_CALL_FAILED;
  *over = lua_toboolean(L, -1);
  return lua_pop(L, 1), 0;
}

static int call_hook(sl_loop *loop, sl_hook hook) {
  if (!sl_scene_has(loop->scene, hook)) return 0;
  const double before = read_clock();
  return note_call(loop, before, sl_scene_call(loop->scene, hook, 0), sl_hook_name(hook));
}

static int call_due(sl_loop *loop) {
  if (!loop->scene->every_count) return 0;
  const double before = read_clock();
  return note_call(loop, before, sl_scene_call_due(loop->scene), "every");
}

int sl_loop_prepare(sl_loop *loop) {
  const int code = call_hook(loop, SL_BEFORE_STEP);
  if (code) return code;
  const double before = read_clock();
  return note_call(loop, before, sl_scene_move(loop->scene), "a motion");
}

int sl_loop_advance(sl_loop *loop) {
  int code;
  loop->error = (scree_error){SCREE_OK, ""};
  loop->step = scree_world_steps(loop->scene->world->world) + 1;
  if (sl_world_advance(loop->scene->world, 1, &loop->error) != SCREE_OK) return SL_STEP_FAILED;
  if ((code = tell_listener(loop, SL_STEPPED)) || (code = call_hook(loop, SL_AFTER_STEP)) ||
      (code = call_due(loop)))
    return code;
  return tell_listener(loop, SL_CALLED);
}

int sl_loop_run(sl_loop *loop) {
  bool over;
  int code;
  while (!(code = sl_loop_check_end(loop, &over)) && !over)
    if ((code = sl_loop_prepare(loop)) || (code = sl_loop_advance(loop))) return code;
  return code;
}
