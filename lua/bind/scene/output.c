/* The key `output` of a scene: which frames and rows a run writes, and how often. */
#include "bind/scene/output.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/read.h"
#include "bind/tables/units.h"
#include "bind/sandbox/inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const scree_param output_params[] = {SL_VALUE("trajectory", "frames; false: none"),
    SL_VALUE("series", "rows of figures; false: none"),
    SL_VALUE("track", "frames of chosen bodies in a file of their own, track.scree")};
static const scree_param frame_params[] = {
    SL_POSITIVE("every", offsetof(sl_clock, time), "s", 0, "interval"),
    SL_INTEGER("steps", offsetof(sl_clock, steps), 0, 1, 1e15, "interval, instead of every"),
};
static const scree_param trajectory_params[] = {
    {"precision", SCREE_OPAQUE, 0, "m", 0, 0, 0, 0, NULL,
        "\"exact\", a length, or \"1e-4 d\" in mean diameters"},
    SL_VALUE("fields", "list of position, orientation, velocity, spin, contacts"),
};
static const scree_param track_params[] = {
    SL_VALUE("ids", "list of the ids of bodies"),
    SL_VALUE("names", "list of the names of bodies"),
    SL_VALUE("groups", "list of groups: all bodies that are in them at the time"),
    {"precision", SCREE_OPAQUE, 0, "m", 0, 0, 0, 0, NULL,
        "\"exact\", a length, or \"1e-4 d\" in mean diameters"},
    SL_VALUE("fields", "list of position, orientation, velocity, spin"),
};
static const scree_param series_params[] = {SL_VALUE("values", "function(w, p): table of further columns")};

/* Sets the default interval: the duration of the run divided by `parts`, or 1e5 steps divided by `parts` if
 * the end is unknown. An end from the command line replaces that of the scene. */
static void default_clock(const sl_scene *scene, double parts, sl_clock *clock) {
  const sl_runtime *runtime = scene->runtime;
  bool by_steps = isinf(scene->stop_time) || (runtime->end_steps > 0 && !(runtime->end_time > 0));
  if (clock->time > 0 || clock->steps) return;
  double steps = scene->stop_steps < INT64_MAX ? (double)scene->stop_steps : 1e5;
  if (by_steps) clock->steps = (int64_t)fmax(1, floor(steps / parts));
  else clock->time = scene->stop_time / parts;
}

/* Reads `precision` of the table on top of the stack. Sets one of the two numbers: *absolute [m], or
 * *relative in mean diameters. */
static void read_precision(lua_State *L, const char *path, double *absolute, double *relative) {
  static const char wanted[] = "must be \"exact\", a length, or like \"1e-4 d\", not";
  const int type = lua_getfield(L, -1, "precision");
  const char *text = lua_tostring(L, -1);
  char *end = NULL;
  if (type == LUA_TSTRING && strcmp(text, "exact")) {
    *relative = strtod(text, &end);
    const char *unit = end + strspn(end, " ");
    const bool is_length = strcmp(unit, "d") && *unit;
    if (is_length) *relative = 0;
    if (end == text || !*unit || (!is_length && (!(*relative > 0) || isinf(*relative))) ||
        (is_length && (sl_quantity_read(text, "m", absolute) != SL_QUANTITY_FINE || !(*absolute >= 0))))
      sl_refuse(L, "%s.precision %s '%s'", path, wanted, text);
  } else if (type == LUA_TNUMBER) {
    *absolute = lua_tonumber(L, -1);
    if (!(*absolute >= 0) || isinf(*absolute)) sl_refuse(L, "%s.precision must be finite and >= 0", path);
  } else if (type != LUA_TNIL && type != LUA_TSTRING) {
    sl_refuse(L, "%s.precision %s a %s", path, wanted, luaL_typename(L, -1));
  }
  lua_pop(L, 1);
}

/* Pushes the list `key` of the table on top of the stack. Returns its length; -1: there is none, and nothing
 * is pushed. */
static int push_series_list(lua_State *L, const char *path, const char *key) {
  if (lua_getfield(L, -1, key) == LUA_TNIL) return lua_pop(L, 1), -1;
  if (!lua_istable(L, -1)) sl_refuse(L, "%s.%s must be a list, not a %s", path, key, luaL_typename(L, -1));
  return (int)lua_rawlen(L, -1);
}

/* Returns the fields (bits) in the list `fields` of the table on top of the stack. choices: names of all
 * fields. */
static int read_fields(lua_State *L, const char *path, const char *choices) {
  const scree_param field = SL_CHOICE("field", 0, 0, choices, "");
  const int count = push_series_list(L, path, "fields");
  if (count < 0) return SCREE_FIELD_DEFAULT;
  int fields = SCREE_FIELD_POSITION;
  for (int i = 1; i <= count; i++, lua_pop(L, 1)) {
    int which = 0;
    char place[80];
    snprintf(place, sizeof place, "%s.fields[%d]", path, i);
    lua_rawgeti(L, -1, i);
    sl_read_value(L, -1, place, &field, &which);
    fields |= 1 << which;
  }
  lua_pop(L, 1);
  return fields;
}

/* Pushes the table `name` of output, or an empty table. Returns false, and pushes nothing, if it is
 * switched off. */
static bool push_output(lua_State *L, int output, const char *name) {
  int type = output ? lua_getfield(L, output, name) : (lua_pushnil(L), LUA_TNIL);
  if (type == LUA_TBOOLEAN && !lua_toboolean(L, -1)) return lua_pop(L, 1), false;
  if (type == LUA_TNIL) lua_pop(L, 1), lua_newtable(L);
  return true;
}

/* ---- tracks ---- */

/* Returns memory that lives as long as the Lua state. */
static void *allocate_kept_memory(lua_State *L, size_t bytes) {
  void *memory = lua_newuserdatauv(L, bytes + 1, 0);
  luaL_ref(L, LUA_REGISTRYINDEX);
  return memory;
}

/* Reads a list of integers. *count 0: there is no list. */
static int64_t *read_numbers(lua_State *L, const char *key, double least, int64_t *count) {
  const scree_param number = SL_INTEGER("number", 0, 0, least, 9007199254740992.0, "");
  const int length = push_series_list(L, "output.track", key);
  *count = 0;
  if (length < 0) return NULL;
  int64_t *out = allocate_kept_memory(L, (size_t)length * sizeof *out);
  for (int i = 1; i <= length; i++, lua_pop(L, 1)) {
    char place[64];
    snprintf(place, sizeof place, "output.track.%s[%d]", key, i);
    lua_rawgeti(L, -1, i);
    sl_read_value(L, -1, place, &number, out + i - 1);
  }
  lua_pop(L, 1);
  *count = length;
  return out;
}

static const char **read_names(lua_State *L, int64_t *count) {
  const scree_param name = SL_STRING("name", 0, "");
  const int length = push_series_list(L, "output.track", "names");
  *count = 0;
  if (length < 0) return NULL;
  const char **out = allocate_kept_memory(L, (size_t)length * sizeof *out);
  for (int i = 1; i <= length; i++, lua_pop(L, 1)) {
    char place[64];
    snprintf(place, sizeof place, "output.track.names[%d]", i);
    lua_rawgeti(L, -1, i);
    sl_read_value(L, -1, place, &name, out + i - 1);
    out[i - 1] = strcpy(allocate_kept_memory(L, strlen(out[i - 1])), out[i - 1]);
  }
  lua_pop(L, 1);
  *count = length;
  return out;
}

static int compare_ids(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Reads the table `track` on top of the stack. */
static void read_track(lua_State *L, sl_scene *scene) {
  sl_track *track = &scene->track;
  sl_scene_resolve_numbers(L, scene);
  sl_read(L, -1, "output.track",
      (sl_section[]){{frame_params, 2, &track->clock}, {track_params, SL_COUNT(track_params), NULL}}, 2, 0);
  track->id = read_numbers(L, "ids", 1, &track->ids);
  track->group = read_numbers(L, "groups", -9007199254740992.0, &track->groups);
  track->name = read_names(L, &track->names);
  if (!track->ids && !track->groups && !track->names)
    sl_refuse(L, "output.track must choose bodies: ids, names or groups, one of them");
  if (track->ids) qsort(track->id, (size_t)track->ids, sizeof *track->id, compare_ids);
  default_clock(scene, 1000, &track->clock);
  read_precision(L, "output.track", &track->precision, &track->relative_precision);
  track->fields = read_fields(L, "output.track", "position|orientation|velocity|spin");
}

/* ---- all of output ---- */

void sl_scene_read_output(lua_State *L, sl_scene *scene) {
  int output = 0;
  if (lua_getfield(L, 1, "output") != LUA_TNIL) {
    output = lua_gettop(L);
    sl_read(L, output, "output", &(sl_section){output_params, 3, NULL}, 1, 0);
  }
  if (push_output(L, output, "trajectory")) {
    sl_scene_resolve_numbers(L, scene);
    sl_read(L, -1, "output.trajectory",
        (sl_section[]){{frame_params, 2, &scene->trajectory}, {trajectory_params, 2, NULL}}, 2, 0);
    default_clock(scene, 100, &scene->trajectory);
    read_precision(L, "output.trajectory", &scene->precision, &scene->relative_precision);
    scene->fields = read_fields(L, "output.trajectory", "position|orientation|velocity|spin|contacts");
  }
  if (push_output(L, output, "series")) {
    sl_scene_resolve_numbers(L, scene);
    sl_read(L, -1, "output.series",
        (sl_section[]){{frame_params, 2, &scene->series}, {series_params, 1, NULL}}, 2, 0);
    default_clock(scene, 1000, &scene->series);
    lua_getfield(L, -1, "values");
    scene->hook[SL_SERIES_VALUES] = sl_scene_take_function(L, "output.series.values");
  }
  if (output && lua_getfield(L, output, "track") != LUA_TNIL && push_output(L, output, "track"))
    read_track(L, scene);
}

const sl_params sl_output_params[] = {{"scene.output", output_params, 3, NULL},
    {"scene.output.trajectory", frame_params, 2, NULL},
    {"scene.output.trajectory", trajectory_params, 2, NULL}, {"scene.output.series", frame_params, 2, NULL},
    {"scene.output.series", series_params, 1, NULL}, {"scene.output.track", frame_params, 2, NULL},
    SL_ARRAY_ROWS("scene.output.track", track_params), {NULL}};
