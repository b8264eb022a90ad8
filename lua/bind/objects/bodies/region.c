/* Regions: boxes, balls, cylinders and half-spaces as tables. The keys say which it is:
 *     {min = {x,y,z}, max = {x,y,z}}                box; either may be left out, infinities are allowed
 *     {center = {x,y,z}, radius = r}                ball
 *     {point = {x,y,z}, axis = {x,y,z}, radius = r, length = l}
 *     cylinder from point along axis; without length infinite both ways
 *     {point = {x,y,z}, normal = {x,y,z}}
 *     half-space behind the plane, where the normal does not point
 * outside = true turns any of them inside out. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/read.h"

#include <math.h>
#include <stdio.h>

#define AT(member) offsetof(scree_region, member)
static const scree_param outside_params[] = {SL_BOOLEAN("outside", AT(invert), "what lies outside instead")};
static const scree_param ball_params[] = {
    {"center", SCREE_VEC3, SCREE_REQUIRED, "m", 0, 0, 0, AT(point), NULL, "centre"},
    {"radius", SCREE_REAL, SCREE_REQUIRED | SCREE_POSITIVE, "m", 0, 0, 0, AT(radius), NULL, "radius"}};
static const scree_param cylinder_params[] = {
    {"point", SCREE_VEC3, SCREE_REQUIRED, "m", 0, 0, 0, AT(point), NULL, "a point on the axis"},
    {"axis", SCREE_VEC3, SCREE_REQUIRED | SCREE_NONZERO, "", 0, 0, 0, AT(axis), NULL,
        "direction of the axis"},
    {"radius", SCREE_REAL, SCREE_REQUIRED | SCREE_POSITIVE, "m", 0, 0, 0, AT(radius), NULL, "radius"},
    {"length", SCREE_REAL, SCREE_POSITIVE | SCREE_UNBOUNDED, "m", 0, 0, 0, AT(length), NULL,
        "along the axis, from point; both ways without end where it is left out"}};
static const scree_param halfspace_params[] = {
    {"point", SCREE_VEC3, SCREE_REQUIRED, "m", 0, 0, 0, AT(point), NULL, "a point of the plane"},
    {"normal", SCREE_VEC3, SCREE_REQUIRED | SCREE_NONZERO, "", 0, 0, 0, AT(axis), NULL, "outward normal"}};
static const scree_param box_params[] = {{"min", SCREE_OPAQUE, 0, "m", 0, 0, 0, 0, NULL, "lower corner"},
    {"max", SCREE_OPAQUE, 0, "m", 0, 0, 0, 0, NULL, "upper corner"}};

static void read_corner(
    lua_State *L, int index, const char *path, const char *key, double fallback, double out[3]) {
  char place[256];
  snprintf(place, sizeof place, "%s.%s", path, key);
  for (int i = 0; i < 3; i++) out[i] = fallback;
  lua_pushstring(L, key);
  if (lua_rawget(L, index) != LUA_TNIL) sl_read_vec3(L, -1, place, "m", true, out);
  lua_pop(L, 1);
}

static void read_box(lua_State *L, int index, const char *path, scree_region *out) {
  sl_read(L, index, path, (sl_section[]){{outside_params, 1, out}, {box_params, 2, NULL}}, 2, 0);
  out->type = SCREE_REGION_BOX;
  read_corner(L, index, path, "min", -INFINITY, out->min);
  read_corner(L, index, path, "max", INFINITY, out->max);
  for (int i = 0; i < 3; i++)
    if (!(out->min[i] <= out->max[i]))
      sl_refuse(L, "%s.max[%d] must not be less than min[%d]: %g < %g", path, i + 1, i + 1, out->max[i],
          out->min[i]);
}

void sl_read_region(lua_State *L, int index, const char *path, scree_region *out) {
  index = lua_absindex(L, index);
  sl_check_table(L, index, path);
  *out = (scree_region){.type = SCREE_REGION_BOX, .length = INFINITY};
  const sl_section outside = {outside_params, 1, out};
  if (sl_has_key(L, index, "center")) {
    out->type = SCREE_REGION_SPHERE;
    sl_read(L, index, path, (sl_section[]){outside, {ball_params, 2, out}}, 2, 0);
  } else if (sl_has_key(L, index, "axis")) {
    out->type = SCREE_REGION_CYLINDER;
    sl_read(L, index, path, (sl_section[]){outside, {cylinder_params, 4, out}}, 2, 0);
  } else if (sl_has_key(L, index, "normal")) {
    out->type = SCREE_REGION_HALFSPACE;
    sl_read(L, index, path, (sl_section[]){outside, {halfspace_params, 2, out}}, 2, 0);
  } else {
    read_box(L, index, path, out);
  }
}
const sl_params sl_region_params[] = {{"region", outside_params, 1, NULL}, {"region", box_params, 2, NULL},
    {"region", ball_params, 2, NULL}, {"region", cylinder_params, 4, NULL},
    {"region", halfspace_params, 2, NULL}, {NULL}};
