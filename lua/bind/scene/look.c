/* The table `view` of a scene, which is checked and stored as JSON in the trajectory and in run.json.
 * Pictures, films and the page in the browser use it. */
#include "bind/scene/scene.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/read.h"
#include "bind/sandbox/inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct look {
  double time, azimuth, elevation, zoom, angle, walls, position[3], target[3], up[3];
  const char *color, *caption;
  int palette;
} look;

#define AT(member) offsetof(look, member)
// clang-format off
static const scree_param camera_params[] = {
    SL_REAL("azimuth", AT(azimuth), "", -60, 0, 0, "of the camera seen from the target, from +x about up [degrees]"),
    SL_REAL("elevation", AT(elevation), "", 25, -90, 90, "of the camera seen from the target [degrees]"),
    SL_POSITIVE("zoom", AT(zoom), "", 1, "1: what moves fits the picture"),
    SL_VEC3("position", AT(position), "m", "of the camera, instead of azimuth, elevation and zoom"),
    SL_VEC3("target", AT(target), "m", "where the camera looks; without it the middle of what moves"),
};
static const scree_param look_params[] = {
    {"up", SCREE_VEC3, SCREE_NONZERO, "", 0, 0, 0, AT(up), NULL, "direction that is up in the picture; (0, 0, 1) without it"},
    SL_REAL("angle", AT(angle), "", 30, 0, 169, "of view, full and vertical [degrees]; 0: parallel"),
    SL_STRING("color", AT(color), "what bodies are coloured by: speed, spin, group, size, ... (docs/film.md)"),
    SL_CHOICE("palette", AT(palette), 0, "viridis|cividis|magma|diverging|grey", "of the colours"),
    SL_REAL("walls", AT(walls), "", 1, 0, 1, "opacity of what does not move freely; without it glass where it hides grains"),
    SL_STRING("caption", AT(caption), "text; {time} and {PARAMETER} stand for their values"),
    SL_VALUE("range", "{low, high} of the colours"),
    SL_VALUE("size", "{width, height} of pictures in pixels"),
    SL_VALUE("path", "cameras by time: list of {time = s, azimuth =, ...}"),
};
static const scree_param time_params[] = {
    {"time", SCREE_REAL, SCREE_REQUIRED, "s", 0, 0, 0, AT(time), NULL, "at which the camera is there"}};
// clang-format on
enum {
  CAMERA = sizeof camera_params / sizeof *camera_params,
  LOOK = sizeof look_params / sizeof *look_params
};

/* ---- JSON ---- */

static void put_look_text(luaL_Buffer *out, const char *text) {
  char code[8];
  luaL_addchar(out, '"');
  for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
    snprintf(code, sizeof code, *at < 0x20 ? "\\u%04x" : *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
    luaL_addstring(out, code);
  }
  luaL_addchar(out, '"');
}

static void put_numbers(luaL_Buffer *out, const double *value, int count) {
  char text[40];
  for (int i = 0; i < count; i++) {
    snprintf(text, sizeof text, "%s%.17g", i ? ", " : count > 1 ? "[" : "", value[i]);
    luaL_addstring(out, text);
  }
  if (count > 1) luaL_addchar(out, ']');
}

/* Writes `"name": `, after a comma unless it is the first member. */
static void put_name(luaL_Buffer *out, const char *name, int *members) {
  luaL_addstring(out, (*members)++ ? ", " : "{");
  put_look_text(out, name);
  luaL_addstring(out, ": ");
}

/* Writes the name of a choice. */
static void put_choice(luaL_Buffer *out, const char *words, int index) {
  char word[32];
  while (index--) words = strchr(words, '|') + 1;
  snprintf(word, sizeof word, "%.*s", (int)strcspn(words, "|"), words);
  put_look_text(out, word);
}

static void put_member(luaL_Buffer *out, const scree_param *param, const look *from, int *members) {
  const char *at = (const char *)from + param->offset;
  if (param->type == SCREE_OPAQUE) return;
  put_name(out, param->name, members);
  if (param->type == SCREE_STRING) put_look_text(out, *(const char *const *)at);
  else if (param->type == SCREE_CHOICE) put_choice(out, param->choices, *(const int *)at);
  else put_numbers(out, (const double *)at, param->type == SCREE_VEC3 ? 3 : 1);
}

/* ---- reading ---- */

/* Reads two rising numbers, or two integers, from the list `name` of the table at index. Returns false
 * without the list. */
static bool read_two(lua_State *L, int index, const char *name, double out[2]) {
  char path[40];
  if (!sl_has_key(L, index, name)) return false;
  lua_getfield(L, index, name);
  snprintf(path, sizeof path, "view.%s", name);
  if (!lua_istable(L, -1) || lua_rawlen(L, -1) != 2) sl_refuse(L, "%s must be a list of two numbers", path);
  for (int i = 0; i < 2; i++) {
    lua_rawgeti(L, -1, i + 1);
    out[i] = sl_read_number(L, -1, path, NULL);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return true;
}

static void check_two(lua_State *L, const char *name, const double v[2]) {
  bool size = !strcmp(name, "size");
  if (!size && !(isfinite(v[0]) && isfinite(v[1]) && v[0] < v[1]))
    sl_refuse(L, "view.range must be {low, high} with low < high");
  for (int i = 0; i < 2 && size; i++)
    if (!(v[i] >= 16 && v[i] <= 8192) || v[i] != floor(v[i]))
      sl_refuse(L, "view.size must be {width, height}, 16 to 8192 pixels each");
}

/* Writes the members that the table at index has. Values of the buffer are on the stack above the table, so
 * index must be absolute. */
static void put_look_table(lua_State *L, luaL_Buffer *out, int index, const scree_param *params, int count,
    const look *from, int *members) {
  for (int i = 0; i < count; i++)
    if (sl_has_key(L, index, params[i].name)) put_member(out, params + i, from, members);
}

/* Reads a camera. Its texts are owned by the table at index. */
static void read_camera(lua_State *L, int index, const char *path, look *out) {
  sl_read(L, index, path, (sl_section[]){{time_params, 1, out}, {camera_params, CAMERA, out}}, 2, 0);
}

/* Pushes the camera path (the list `path` of the table at index) as JSON. Returns false, and pushes nothing,
 * without the list. */
static bool push_path(lua_State *L, int index) {
  luaL_Buffer out;
  double before = -INFINITY;
  if (!sl_has_key(L, index, "path")) return false;
  lua_getfield(L, index, "path");
  if (!lua_istable(L, -1)) sl_refuse(L, "view.path must be a list, not a %s", luaL_typename(L, -1));
  int list = lua_gettop(L), count = (int)lua_rawlen(L, list);
  lua_pushstring(L, "[");
  for (int i = 1; i <= count; i++) {
    char path[40];
    look own = {0};
    int members = 0;
    snprintf(path, sizeof path, "view.path[%d]", i);
    lua_rawgeti(L, list, i);
    int entry = lua_gettop(L);
    read_camera(L, entry, path, &own);
    if (!(own.time > before)) sl_refuse(L, "%s.time must be later than the one before", path);
    before = own.time;
    luaL_buffinit(L, &out);
    if (i > 1) luaL_addstring(&out, ", ");
    put_member(&out, time_params, &own, &members);
    put_look_table(L, &out, entry, camera_params, CAMERA, &own, &members);
    luaL_addchar(&out, '}');
    luaL_pushresult(&out);
    lua_remove(L, entry);
    lua_concat(L, 2);
  }
  lua_pushstring(L, "]");
  lua_concat(L, 2);
  lua_remove(L, list);
  return true;
}

/* Pushes the table at index as JSON. */
static void push_json(lua_State *L, int index) {
  static const char *const pairs[] = {"range", "size"};
  look own = {0};
  double two[2];
  int members = 0;
  luaL_Buffer out;
  sl_read(L, index, "view", (sl_section[]){{camera_params, CAMERA, &own}, {look_params, LOOK, &own}}, 2, 0);
  bool path = push_path(L, index);
  int text = lua_gettop(L);
  luaL_buffinit(L, &out);
  put_look_table(L, &out, index, camera_params, CAMERA, &own, &members);
  put_look_table(L, &out, index, look_params, LOOK, &own, &members);
  for (int i = 0; i < 2; i++) {
    if (!read_two(L, index, pairs[i], two)) continue;
    check_two(L, pairs[i], two);
    put_name(&out, pairs[i], &members);
    put_numbers(&out, two, 2);
  }
  if (path) {
    put_name(&out, "path", &members);
    luaL_addstring(&out, lua_tostring(L, text));
  }
  luaL_addstring(&out, members ? "}" : "{}");
  luaL_pushresult(&out);
  if (path) lua_remove(L, text);
}

void sl_scene_read_look(lua_State *L, sl_scene *scene) {
  scene->look = LUA_NOREF;
  int type = lua_getfield(L, 1, "view");
  if (type == LUA_TFUNCTION) {
    sl_scene_push_params(scene);
    lua_call(L, 1, 1);
  }
  if (lua_isnil(L, -1)) return lua_pop(L, 1);
  sl_check_table(L, -1, "view");
  push_json(L, lua_gettop(L));
  scene->look = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_pop(L, 1);
}

const char *sl_scene_look(const sl_scene *scene) {
  lua_State *L = scene->runtime->L;
  if (scene->look == LUA_NOREF) return NULL;
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->look);
  const char *text = lua_tostring(L, -1);
  lua_pop(L, 1);
  return text;
}

const sl_params sl_look_params[] = {{"scene.view", camera_params, CAMERA, NULL},
    {"scene.view", look_params, LOOK, NULL}, {"scene.view.path[]", time_params, 1, NULL},
    {"scene.view.path[]", camera_params, CAMERA, NULL}, {NULL}};
