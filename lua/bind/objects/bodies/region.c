/* Regions: boxes, balls, cylinders and half-spaces as tables. The keys determine the kind:
 *     {min = {x,y,z}, max = {x,y,z}}                box; min or max may be missing, infinities are allowed
 *     {center = {x,y,z}, radius = r}                ball
 *     {point = {x,y,z}, axis = {x,y,z}, radius = r, length = l}
 *     cylinder from `point` along the axis; without length infinite in both directions
 *     {point = {x,y,z}, normal = {x,y,z}}
 *     half-space behind the plane: the normal points out of it
 * With outside = true, the region contains the points outside of the box, ball, cylinder or half-space. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/read.h"

#include <math.h>
#include <stdio.h>

static void read_corner(
    lua_State *L, int index, const char *path, const char *key, double fallback, double out[3]) {
  char place[256];
  snprintf(place, sizeof place, "%s.%s", path, key);
  for (int i = 0; i < 3; i++) out[i] = fallback;
  lua_pushstring(L, key);
  if (lua_rawget(L, index) != LUA_TNIL) sl_read_vec3(L, -1, place, "m", true, out);
  lua_pop(L, 1);
}

/* Raises an error for a key that no region has. The message suggests the nearest key of all types of regions,
 * because a region with a misspelt `center` or `axis` is read as a box. */
static void check_box_keys(lua_State *L, int index, const char *path) {
  static const char *const known[] = {
      "outside", "min", "max", "center", "radius", "point", "axis", "length", "normal"};
  lua_newtable(L);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    lua_pushboolean(L, 1), lua_setfield(L, -2, known[i]);
  const int names = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) continue;
    lua_pushvalue(L, -2);
    const bool is_known = lua_rawget(L, names) != LUA_TNIL;
    lua_pop(L, 1);
    if (is_known) continue;
    const char *key = lua_tostring(L, -2), *hint = sl_hint_table(L, key, names);
    sl_refuse(L, "%s.%s is not a known key%s", path, key,
        *hint ? hint
              : "; a region is { min, max }, { center, radius }, { point, axis, radius, length } or { point, "
                "normal }");
  }
  lua_pop(L, 1);
}

static void read_box(lua_State *L, int index, const char *path, scree_region *out) {
  sl_read(L, index, path,
      (sl_section[]){SL_TABLE(scree_region_params, out), SL_TABLE(scree_box_region_params, NULL)}, 2, 0);
  out->type = SCREE_REGION_BOX;
  read_corner(L, index, path, "min", -INFINITY, out->min);
  read_corner(L, index, path, "max", INFINITY, out->max);
  SL_TRY(L, scree_region_check(out, path, &error));
}

void sl_read_region(lua_State *L, int index, const char *path, scree_region *out) {
  index = lua_absindex(L, index);
  sl_check_table(L, index, path);
  *out = (scree_region){.type = SCREE_REGION_BOX, .length = INFINITY};
  const sl_section outside = SL_TABLE(scree_region_params, out);
  if (sl_has_key(L, index, "center")) {
    out->type = SCREE_REGION_SPHERE;
    sl_read(L, index, path, (sl_section[]){outside, SL_TABLE(scree_ball_region_params, out)}, 2, 0);
  } else if (sl_has_key(L, index, "axis")) {
    out->type = SCREE_REGION_CYLINDER;
    sl_read(L, index, path, (sl_section[]){outside, SL_TABLE(scree_cylinder_region_params, out)}, 2, 0);
  } else if (sl_has_key(L, index, "normal")) {
    out->type = SCREE_REGION_HALFSPACE;
    sl_read(L, index, path, (sl_section[]){outside, SL_TABLE(scree_halfspace_region_params, out)}, 2, 0);
  } else {
    check_box_keys(L, index, path);
    read_box(L, index, path, out);
  }
}
const sl_params sl_region_params[] = {SL_TABLE_ROWS("region", scree_region_params),
    SL_TABLE_ROWS("region", scree_box_region_params), SL_TABLE_ROWS("region", scree_ball_region_params),
    SL_TABLE_ROWS("region", scree_cylinder_region_params),
    SL_TABLE_ROWS("region", scree_halfspace_region_params), {NULL}};
