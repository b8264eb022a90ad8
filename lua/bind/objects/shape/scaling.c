/* Records what sets the size of the coordinates of a hull or mesh: unit, scale, steps {"scale", s} of place,
 * or a file with a unit. The registry maps geometries to texts, for scree check. */
#include "bind/objects/shape/placing.h"
#include "bind/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char table[] = "scree.scalings";

/* Appends a key to the text, joined by "and". */
static void append_key(char *text, size_t size, const char *key, int *count) {
  const size_t length = strlen(text);
  snprintf(text + length, size - length, "%s%s", *count ? " and " : "", key);
  ++*count;
}

void sl_note_scaling(
    lua_State *L, int index, const scree_geometry *geometry, const scree_file_def *def, const char *file) {
  const double(*place)[4] = def->place, scale = def->scale * scree_length_unit(def->unit);
  char text[SL_SCALING] = "", unit[24];
  int count = 0;
  index = lua_absindex(L, index);
  const double factor = sqrt(
      place[0][0] * place[0][0] + place[1][0] * place[1][0] + place[2][0] * place[2][0]);
  if (lua_getfield(L, index, "unit") == LUA_TSTRING && strcmp(lua_tostring(L, -1), "m")) {
    snprintf(unit, sizeof unit, "unit = \"%.8s\"", lua_tostring(L, -1));
    append_key(text, sizeof text, unit, &count);
  }
  lua_pop(L, 1);
  if (sl_has_key(L, index, "scale")) append_key(text, sizeof text, "scale", &count);
  if (fabs(factor - 1) > 1e-12) append_key(text, sizeof text, "place", &count);
  const size_t length = strlen(text);
  if (count)
    snprintf(
        text + length, sizeof text - length, " scale%s it by %.4g", count > 1 ? "" : "s", scale * factor);
  else if (file && scree_file_has_unit(file))
    snprintf(text, sizeof text, "its file says its unit, and scale changes it");
  luaL_getsubtable(L, LUA_REGISTRYINDEX, table);
  lua_pushlightuserdata(L, (void *)(uintptr_t)geometry);
  if (*text) lua_pushstring(L, text);
  else lua_pushnil(L);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

bool sl_find_scaling(lua_State *L, const scree_geometry *geometry, char text[SL_SCALING]) {
  *text = 0;
  if (lua_getfield(L, LUA_REGISTRYINDEX, table) == LUA_TTABLE) {
    lua_rawgetp(L, -1, geometry);
    if (lua_isstring(L, -1)) snprintf(text, SL_SCALING, "%s", lua_tostring(L, -1));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return *text;
}
