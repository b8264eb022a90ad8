/* Loads a scene: checks the table that the file returns, resolves its parameters, and stores references to
 * its functions. */
#include "bind/scene/scene.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/read.h"
#include "bind/scene/output.h"
#include "bind/experiment/experiment.h"
#include "bind/sandbox/inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- keys ---- */

static const scree_param scene_params[] = {
    SL_STRING("title", offsetof(sl_scene, title), "one line"),
    SL_VALUE("params", "parameters and their defaults"),
    SL_NEEDED("world", "table of the world, or a function of the parameters that returns it"),
    SL_VALUE("setup", "function(w, p): builds the scene"),
    SL_VALUE("before_step", "function(w, p)"),
    SL_VALUE("after_step", "function(w, p)"),
    SL_VALUE("every", "list of {time = or steps =, call = function(w, p)}"),
    SL_VALUE("output", "trajectory and series: {trajectory = {every =}, series = {every =}}"),
    SL_VALUE("forces", "{compatible = \"hooke\"|\"hertz\", stiffness =}: frames carry compatible forces"),
    SL_VALUE("stop",
        "duration: {time =, steps =}, or a function(w, p) that returns true; without it --time or --steps "
        "say when"),
    SL_VALUE("stop_when", "condition on columns of series.csv, e.g. \"max_speed < 1 mm/s for 0.1 s\""),
    SL_VALUE("report", "function(w, p, out): key figures at the end"),
    SL_VALUE("measure", "list of measurements (docs/measure.md)"),
    SL_VALUE("view", "how pictures, films and the browser look at it (docs/film.md); a table or function(p)"),
    SL_VALUE("variants", "function(p): list of parameter tables to run side by side"),
};

static const char *const hook_names[SL_HOOKS] = {
    "setup", "before_step", "after_step", "stop", "output.series.values", "report", "variants", "world"};
const char *sl_hook_name(sl_hook hook) { return hook_names[hook]; }

static const scree_param every_params[] = {
    SL_POSITIVE("time", offsetof(sl_clock, time), "s", 0, "interval"),
    SL_INTEGER("steps", offsetof(sl_clock, steps), 0, 1, 1e15, "interval"),
};
static const scree_param call_params[] = {SL_NEEDED("call", "function(w, p)")};
static const scree_param stop_params[] = {
    SL_POSITIVE("time", offsetof(sl_scene, stop_time), "s", 0, "end"),
    SL_INTEGER("steps", offsetof(sl_scene, stop_steps), 0, 1, 1e15, "end"),
};

/* ---- small readers ---- */

static void read_every(lua_State *L, sl_scene *scene) {
  if (lua_getfield(L, 1, "every") == LUA_TNIL) return;
  if (!lua_istable(L, -1)) sl_refuse(L, "every must be a list, not a %s", luaL_typename(L, -1));
  int list = lua_gettop(L), count = (int)lua_rawlen(L, list);
  sl_read(L, list, "every", NULL, 0, count);
  if (count > SL_EVERY_MOST) sl_refuse(L, "every may hold at most %d entries", SL_EVERY_MOST);
  for (int i = 0; i < count; i++) {
    char path[64], call[80];
    snprintf(path, sizeof path, "every[%d]", i + 1);
    snprintf(call, sizeof call, "%s.call", path);
    sl_clock *clock = &scene->every[i].clock;
    lua_rawgeti(L, list, i + 1);
    sl_scene_resolve_numbers(L, scene);
    sl_read(L, -1, path, (sl_section[]){{every_params, 2, clock}, {call_params, 1, NULL}}, 2, 0);
    if (!(clock->time > 0) == !clock->steps)
      sl_refuse(L, "%s.time or steps must be given, one of them", path);
    lua_getfield(L, -1, "call");
    scene->every[i].call = sl_scene_take_function(L, call);
    scene->every_count = i + 1;
    lua_pop(L, 1);
  }
}

/* Reads the key stop_when, a text such as "kinetic < 1 uJ for 0.1 s". */
static void read_stop_when(lua_State *L, sl_scene *scene) {
  char why[256];
  int type = lua_getfield(L, 1, "stop_when");
  if (type != LUA_TNIL && type != LUA_TSTRING)
    sl_refuse(L, "stop_when must be a text, not a %s", luaL_typename(L, -1));
  if (type == LUA_TSTRING && !sl_condition_read(lua_tostring(L, -1), &scene->stop_when, why))
    sl_refuse(L, "stop_when: %s", why);
  lua_pop(L, 1);
}

/* Reads the key stop, a table or a function. Without it the command line or stop_when must give the end. */
static void read_stop(lua_State *L, sl_scene *scene) {
  const sl_runtime *runtime = scene->runtime;
  scene->stop_time = INFINITY;
  scene->stop_steps = INT64_MAX;
  read_stop_when(L, scene);
  int type = lua_getfield(L, 1, "stop");
  if (type == LUA_TFUNCTION) {
    scene->hook[SL_STOP] = sl_scene_take_function(L, "stop");
  } else if (type != LUA_TNIL) {
    sl_scene_resolve_numbers(L, scene);
    sl_read(L, -1, "stop", &(sl_section){stop_params, 2, scene}, 1, 0);
    if (isinf(scene->stop_time) && scene->stop_steps == INT64_MAX)
      sl_refuse(L, "stop must name a time or a number of steps");
  }
  if (runtime->end_time > 0) scene->stop_time = runtime->end_time;
  if (runtime->end_steps > 0) scene->stop_steps = runtime->end_steps;
  if (type == LUA_TNIL && isinf(scene->stop_time) && scene->stop_steps == INT64_MAX &&
      !scene->stop_when.terms)
    sl_refuse(L,
        "scene.stop is missing: {time =, steps =}, or a function(w, p) that returns true; --time and --steps "
        "say it too");
}

/* ---- loading ---- */

typedef struct loading {
  sl_scene *scene;
  const sl_override *overrides;
  int count;
  int64_t threads;
} loading;

void sl_resolve_params(lua_State *L, sl_scene *scene, const sl_override *overrides, int count);

/* Lua function (result of the file, loading): stores references to the result and to the text of the
 * scene. */
static int keep_scene(lua_State *L) {
  sl_scene *scene = ((loading *)lua_touserdata(L, 2))->scene;
  lua_settop(L, 1);
  scene->table = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_getfield(L, LUA_REGISTRYINDEX, "scree.script");
  scene->text = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

/* Lua function (loading): reads the scene table, which replaces the argument at stack index 1. */
static int read_scene(lua_State *L) {
  loading *load = lua_touserdata(L, 1);
  sl_scene *scene = load->scene;
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->table);
  lua_replace(L, 1);
  if (!lua_istable(L, 1))
    luaL_error(L, "%s must return a table (a scene), not %s", scene->path, luaL_typename(L, 1));
  sl_experiment_apply(L);
  if (!sl_experiment_measures(L)) sl_locate_in(scene->runtime, scene->path, sl_scene_text(scene));
  sl_experiment_attach(L);
  lua_pushvalue(L, 1);
  lua_rawseti(L, LUA_REGISTRYINDEX, scene->table);
  sl_locate_in(scene->runtime, scene->path, sl_scene_text(scene));
  SL_READ(L, 1, "scene", scene_params, scene);
  sl_resolve_params(L, scene, load->overrides, load->count);
  static const sl_hook plain[] = {SL_SETUP, SL_BEFORE_STEP, SL_AFTER_STEP, SL_REPORT, SL_VARIANTS};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
    lua_getfield(L, 1, hook_names[plain[i]]);
    scene->hook[plain[i]] = sl_scene_take_function(L, hook_names[plain[i]]);
  }
  const int world = lua_getfield(L, 1, "world");
  if (world == LUA_TUSERDATA)
    sl_refuse(L,
        "world must be the table that scree.world would take, no world that is made; setup(w, p) makes the "
        "bodies. A script that makes and steps a world of its own runs with: scree lua FILE");
  if (world == LUA_TFUNCTION) scene->hook[SL_WORLD_OF] = sl_scene_take_function(L, "world");
  read_every(L, scene);
  read_stop(L, scene);
  sl_scene_read_output(L, scene);
  sl_scene_read_look(L, scene);
  sl_locate_in(scene->runtime, NULL, NULL);
  return 0;
}

static sl_trouble call_protected(sl_scene *scene, lua_CFunction function, loading *load) {
  lua_State *L = scene->runtime->L;
  lua_pushcfunction(L, function);
  lua_pushlightuserdata(L, load);
  sl_trouble trouble = sl_call(scene->runtime, 1, 0);
  sl_locate_in(scene->runtime, NULL, NULL);
  return trouble;
}

sl_trouble sl_scene_load(
    sl_scene *scene, sl_runtime *runtime, const char *path, const sl_override *overrides, int count) {
  memset(scene, 0, sizeof *scene);
  scene->runtime = runtime;
  runtime->is_scene = true;
  scene->path = path;
  for (int i = 0; i < SL_HOOKS; i++) scene->hook[i] = LUA_NOREF;
  scene->look = LUA_NOREF;
  loading load = {scene, overrides, count, 0};
  sl_trouble trouble = sl_load_file(runtime, path);
  if (!trouble) trouble = sl_call(runtime, 0, 1);
  if (trouble) return trouble;
  lua_pushcfunction(runtime->L, keep_scene);
  lua_insert(runtime->L, -2);
  lua_pushlightuserdata(runtime->L, &load);
  trouble = sl_call(runtime, 2, 0);
  return trouble ? trouble : call_protected(scene, read_scene, &load);
}

const char *sl_scene_text(const sl_scene *scene) {
  lua_State *L = scene->runtime->L;
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->text);
  const char *text = lua_tostring(L, -1);
  lua_pop(L, 1);
  return text;
}

/* ---- building ---- */

/* Multiplies the number under a key of the world's table, on top of the stack, by a factor. A missing number
 * counts as 1. */
static void scale_key(lua_State *L, const char *key, double factor) {
  if (!(factor > 0)) return;
  const int type = lua_getfield(L, -1, key);
  const double own = type == LUA_TNIL ? 1 : lua_tonumber(L, -1);
  lua_pop(L, 1);
  if (type != LUA_TNIL && type != LUA_TNUMBER) return; /* the world reports the wrong type later */
  lua_pushnumber(L, own * factor);
  lua_setfield(L, -2, key);
}

static int make_world(lua_State *L) {
  loading *load = lua_touserdata(L, 1);
  sl_scene *scene = load->scene;
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->table);
  if (scene->hook[SL_WORLD_OF] == LUA_NOREF) {
    lua_getfield(L, -1, "world");
    sl_locate_in(scene->runtime, scene->path, sl_scene_text(scene));
  } else {
    lua_rawgeti(L, LUA_REGISTRYINDEX, scene->hook[SL_WORLD_OF]);
    sl_scene_push_params(scene);
    lua_call(L, 1, 1);
    sl_locate_in(scene->runtime, scene->path, sl_scene_text(scene));
    if (!lua_istable(L, -1))
      sl_refuse(L, "world: the function must return a table, not a %s", luaL_typename(L, -1));
    sl_experiment_apply_world(L);
  }
  scale_key(L, "friction_factor", scene->friction_factor);
  scale_key(L, "cohesion_factor", scene->cohesion_factor);
  // the world is made by a function of the module, because it has the metatables of the object types
  lua_getfield(L, LUA_REGISTRYINDEX, "scree.make_world");
  lua_pushvalue(L, -2);
  lua_pushinteger(L, load->threads);
  lua_call(L, 2, 1);
  scene->world = lua_touserdata(L, -1);
  sl_locate_in(scene->runtime, NULL, NULL);
  scene->world_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

/* Lua function (loading): passes the key `forces` to w:record_forces, after setup has made the materials. */
static int record_forces(lua_State *L) {
  sl_scene *scene = ((loading *)lua_touserdata(L, 1))->scene;
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->table);
  if (lua_getfield(L, -1, "forces") == LUA_TNIL) return 0;
  scene->fields |= SCREE_FIELD_CONTACTS;
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->world_ref);
  lua_getfield(L, -1, "record_forces");
  lua_insert(L, -2);
  lua_pushvalue(L, -3);
  sl_locate_in(scene->runtime, scene->path, sl_scene_text(scene));
  lua_call(L, 2, 0);
  return 0;
}

sl_trouble sl_scene_build(sl_scene *scene, int64_t threads) {
  loading load = {scene, NULL, 0, threads};
  sl_trouble trouble = call_protected(scene, make_world, &load);
  if (!trouble) trouble = sl_scene_call(scene, SL_SETUP, 0);
  if (!trouble) scene->world->motions_of_setup = scene->world->motions;
  return trouble ? trouble : call_protected(scene, record_forces, &load);
}

const sl_params sl_scene_params[] = {SL_ARRAY_ROWS("scene", scene_params),
    {"scene.every[]", every_params, 2, NULL}, {"scene.every[]", call_params, 1, NULL},
    {"scene.stop", stop_params, 2, NULL}, {NULL}};
