/* The report of a scene: key figures, and files that it writes into the directory of the run.
 *
 * report(w, p, out) returns a list of {name, value, unit}. value is a number, a string, or nil if the run
 * ended too early; unit is optional. out:write(name, text) writes a file into the directory of the run. */
#include "bind/scene/figures.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WHY = SL_FIGURE_TEXT - 128, FILES_MOST = 64, BYTES_MOST = 256 << 20 };

/* Lua function out:write(name, text). Upvalue 1: number of files so far, 2: their total size [bytes]. */
static int write_file(lua_State *L) {
  if (!lua_istable(L, 1)) sl_refuse(L, "out:write takes a name and a text (call it with a colon)");
  const char *name = luaL_checkstring(L, 2);
  size_t size;
  const char *text = luaL_checklstring(L, 3, &size);
  char path[SL_PATH];
  sl_output_path(L, name, "out:write", path);
  lua_Integer files = lua_tointeger(L, lua_upvalueindex(1)) + 1;
  lua_Integer bytes = lua_tointeger(L, lua_upvalueindex(2)) + (lua_Integer)size;
  if (files > FILES_MOST || bytes > BYTES_MOST)
    return sl_refuse(L, "out:write: at most %d files and 256 MiB in all", FILES_MOST);
  lua_pushinteger(L, files);
  lua_replace(L, lua_upvalueindex(1));
  lua_pushinteger(L, bytes);
  lua_replace(L, lua_upvalueindex(2));
  FILE *file = fopen(path, "wb");
  int good = file && fwrite(text, 1, size, file) == size;
  if (file) good = !fclose(file) && good;
  if (!good) return sl_raise(L, SCREE_E_IO, "out:write: cannot write %s: %s", path, strerror(errno));
  return 0;
}

/* Lua function (directory): returns the table `out`. */
static int make_out(lua_State *L) {
  const char *directory = lua_touserdata(L, 1);
  lua_newtable(L);
  lua_pushinteger(L, 0);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, write_file, 2);
  lua_setfield(L, -2, "write");
  sl_set_string(L, "directory", directory);
  return 1;
}

/* Reads the entry {name, value, unit} on top of the stack. Returns the description of a mistake, or NULL. */
static const char *read_figure(lua_State *L, sl_figure *figure) {
  memset(figure, 0, sizeof *figure);
  if (!lua_istable(L, -1)) return "is not a table {name, value, unit}";
  if (lua_rawgeti(L, -1, 1) != LUA_TSTRING) return "does not begin with a name";
  snprintf(figure->name, sizeof figure->name, "%s", lua_tostring(L, -1));
  int type = lua_rawgeti(L, -2, 2);
  figure->is_text = type == LUA_TSTRING;
  figure->value = type == LUA_TNIL ? NAN : lua_tonumber(L, -1);
  if (figure->is_text) snprintf(figure->text, sizeof figure->text, "%s", lua_tostring(L, -1));
  const int unit = lua_rawgeti(L, -3, 3);
  if (unit == LUA_TSTRING) snprintf(figure->unit, sizeof figure->unit, "%s", lua_tostring(L, -1));
  lua_pop(L, 3);
  if (unit != LUA_TSTRING && unit != LUA_TNIL) return "has a unit that is not a text";
  return type == LUA_TSTRING || type == LUA_TNUMBER || type == LUA_TNIL
      ? NULL
      : "has a value that is neither a number nor a text";
}

/* Returns whether the table on top of the stack has a key. */
static bool has_keys(lua_State *L) {
  lua_pushnil(L);
  if (!lua_next(L, -2)) return false;
  return lua_pop(L, 2), true;
}

/* Reads the list of figures on top of the stack into `out`. Returns false, with the reason in text, if an
 * entry is wrong. */
static bool read_list(
    lua_State *L, sl_figures *out, sl_figure_judge *judge, const void *context, char text[WHY]) {
  const int type = lua_type(L, -1), count = type == LUA_TTABLE ? (int)lua_rawlen(L, -1) : 0;
  if (type != LUA_TNIL && (type != LUA_TTABLE || (!count && has_keys(L))))
    return snprintf(text, WHY, "report must return a list of tables {name, value, unit}"), false;
  if (count > SL_FIGURES) return snprintf(text, WHY, "report returned too many figures"), false;
  for (int i = 0; i < count; i++) {
    sl_figure *figure = out->figure + i;
    lua_rawgeti(L, -1, i + 1);
    const char *wrong = read_figure(L, figure);
    if (!wrong && judge) wrong = judge(context, out, i);
    if (wrong) {
      snprintf(text, WHY, "report: entry %d%s%s%s of the list %s", i + 1, *figure->name ? ", '" : "",
          figure->name, *figure->name ? "'," : "", wrong);
      return false;
    }
    lua_pop(L, 1);
    out->count = i + 1;
  }
  return true;
}

sl_trouble sl_scene_take_figures(sl_scene *scene, const char *directory, sl_figures *figures,
    sl_figure_judge *judge, const void *context, char text[SL_FIGURE_TEXT]) {
  lua_State *L = sl_runtime_lua(scene->runtime);
  if (!sl_scene_has(scene, SL_REPORT)) return SL_FINE;
  const int base = lua_gettop(L);
  lua_pushcfunction(L, make_out);
  lua_pushlightuserdata(L, (void *)directory);
  sl_trouble trouble = sl_call(scene->runtime, 1, 1);
  if (!trouble) trouble = sl_scene_report(scene);
  char why[WHY], place[SL_PLACE];
  if (!trouble && !read_list(L, figures, judge, context, why)) {
    snprintf(text, SL_FIGURE_TEXT, "%.120s: %.380s", sl_scene_place(scene, SL_REPORT, place), why);
    trouble = SL_SCRIPT;
  }
  lua_settop(L, base);
  return trouble;
}
