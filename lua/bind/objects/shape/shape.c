/* Bodies of one shape: w:sphere{...} and the other types, whose tables have the keys of the body and of
 * the shape. Also tables of single shapes. */
#include "bind/objects/shape/shape.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/read.h"
#include "bind/objects/bodies/motion.h"
#include "bind/objects/shape/placing.h"
#include "bind/sandbox/inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The key `sites` is read by read_sites, not as a member of scree_body_def, because scree_world_name_point
 * names points of a body that exists. */
static const scree_param sites_params[] = {
    {"sites", SCREE_OPAQUE, 0, "m", 0, 0, 0, 0, NULL,
        "{ NAME = {x, y, z} } in its frame, for body:point(NAME)"},
};
/* The key `type` is the name of a shape type, but scree_shape_def has the index of the type. Therefore a text
 * is read. */
static const scree_param type_params[] = {
    {"type", SCREE_STRING, SCREE_REQUIRED, "", 0, 0, 0, 0, NULL, "sphere, capsule, ..."},
};
static const scree_param point_params[] = {
    SL_VEC3(
        "point", offsetof(scree_body_def, position), "m", "a point of the plane, another word for position"),
};

enum { SL_POINT_NAME = 64 };

static const char *kind_name(const void *context, int i) {
  (void)context;
  return scree_shape_kind_at(i)->name;
}

/* Returns the shape type with this name. Raises an error if there is none. path: name of the table in
 * messages. */
static int find_type(lua_State *L, const char *path, const char *name) {
  for (int i = 0; i < SCREE_SHAPE_TYPES; i++)
    if (!strcmp(scree_shape_kind_at(i)->name, name)) return i;
  const char *hint = sl_hint(L, name, SCREE_SHAPE_TYPES, kind_name, NULL);
  return sl_refuse(L, "%s.type: there is no shape '%s'%s%s", path, name, *hint ? hint : "; shapes are ",
      *hint ? "" : sl_names(L, SCREE_SHAPE_TYPES, kind_name, NULL));
}

/* ---- one shape ---- */

/* Returns the keys of the geometry of a hull or mesh as opaque keys, which sl_read_geometry reads; no keys
 * for other types. */
static sl_section geometry_section(int type, scree_param known[16]) {
  if (!(scree_shape_kind_at(type)->flags & SCREE_SHAPE_GEOMETRY)) return (sl_section){NULL, 0, NULL};
  int count;
  const scree_param *params = scree_geometry_params(type, &count);
  for (int i = 0; i < count; i++) known[i] = params[i], known[i].type = SCREE_OPAQUE;
  return (sl_section){known, count, NULL};
}

uint32_t sl_read_layers(lua_State *L, int index, const char *path, const char *key, uint32_t otherwise) {
  uint32_t bits = 0;
  int type = lua_getfield(L, index, key);
  if (type == LUA_TNIL) bits = otherwise;
  lua_Integer count = type == LUA_TTABLE ? (lua_Integer)lua_rawlen(L, -1) : type != LUA_TNIL;
  for (lua_Integer i = 1; i <= count; i++) {
    if (type == LUA_TTABLE) lua_rawgeti(L, -1, i);
    else lua_pushvalue(L, -1);
    if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 1 || lua_tointeger(L, -1) > 32)
      sl_refuse(L, "%s.%s must be a layer, a whole number from 1 to 32, or a list of layers", path, key);
    bits |= 1u << (lua_tointeger(L, -1) - 1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return bits;
}

static void read_filter(lua_State *L, int index, const char *path, scree_shape_def *shape) {
  shape->layers = sl_read_layers(L, index, path, "layer", 1);
  shape->avoids = sl_read_layers(L, index, path, "avoids", 0);
}

void sl_read_shape(
    lua_State *L, int index, const char *path, const scree_world *world, scree_shape_def *shape) {
  index = lua_absindex(L, index);
  sl_check_table(L, index, path);
  lua_pushliteral(L, "type");
  if (lua_rawget(L, index) != LUA_TSTRING) sl_refuse(L, "%s.type is missing: sphere, capsule, ...", path);
  const int type = find_type(L, path, lua_tostring(L, -1));
  const scree_shape_kind *kind = scree_shape_kind_at(type);
  lua_pop(L, 1);
  *shape = scree_shape_defaults();
  scree_param_defaults(kind->params, kind->params_count, shape);
  shape->type = type;
  const char *ignored;
  scree_param known[16];
  sl_read(L, index, path,
      (sl_section[]){{type_params, 1, &ignored}, SL_TABLE(scree_shape_place_params, shape),
          SL_TABLE(scree_shape_params, shape), {kind->params, kind->params_count, shape},
          geometry_section(type, known)},
      5, 0);
  if (kind->flags & SCREE_SHAPE_GEOMETRY) shape->geometry = sl_read_geometry(L, index, path, type);
  sl_read_turn(L, index, path, shape->orientation);
  read_filter(L, index, path, shape);
  shape->material = sl_read_material(L, index, path, world);
}

/* Sets the default kind of a mesh, fixed, because a mesh has no mass. Raises an error if it is dynamic. */
static void check_mesh(lua_State *L, int index, scree_body_def *body) {
  if (!sl_has_key(L, index, "kind") && body->kind == SCREE_DYNAMIC) body->kind = SCREE_FIXED;
  else if (body->kind == SCREE_DYNAMIC)
    sl_refuse(L,
        "mesh.kind must be fixed or kinematic; a body that moves freely takes a hull, or a body of several "
        "hulls");
}

/* ---- bodies ---- */

void sl_read_inertia(lua_State *L, int index, const char *path, scree_body_def *body) {
  body->has_centre = sl_has_key(L, index, "centre");
  lua_pushliteral(L, "inertia");
  if (lua_rawget(L, index) == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  if (!lua_istable(L, -1) || lua_rawlen(L, -1) != 6)
    sl_refuse(L, "%s.inertia must be a list of six numbers {xx, xy, xz, yy, yz, zz}", path);
  for (int i = 0; i < 6; i++) {
    lua_rawgeti(L, -1, i + 1);
    body->inertia[i] = lua_tonumber(L, -1);
    if (lua_type(L, -1) != LUA_TNUMBER || !isfinite(body->inertia[i]))
      sl_refuse(L, "%s.inertia[%d] must be a finite number", path, i + 1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* Sets the default kind of a half-space, fixed, because it has no mass. Raises an error if it is dynamic. */
static void check_halfspace(lua_State *L, int index, scree_body_def *body) {
  static const char *const heavy[] = {"mass", "density", "inertia", "centre"};
  for (int i = 0; i < 4; i++)
    if (sl_has_key(L, index, heavy[i]))
      sl_refuse(L, "halfspace.%s: a half-space is infinite and has no %s", heavy[i], heavy[i]);
  if (!sl_has_key(L, index, "kind") && body->kind == SCREE_DYNAMIC) body->kind = SCREE_FIXED;
  else if (body->kind == SCREE_DYNAMIC)
    sl_refuse(L, "halfspace.kind must be fixed or kinematic: a half-space is infinite");
  if (sl_has_key(L, index, "point") && sl_has_key(L, index, "position"))
    sl_refuse(L, "halfspace.point: position is given too, and means the same");
}

sl_section sl_body_section(lua_State *L, sl_body_keys *keys, const char *path, scree_body_def *body) {
  memcpy(keys->params, scree_body_params, sizeof scree_body_params);
  keys->params[SCREE_BODY_KEYS] = sites_params[0];
  keys->motions = sl_motion_find(L, 2);
  if (keys->motions) sl_motion_take(L, 2, path, keys->motions, keys->params, SCREE_BODY_KEYS, body);
  return (sl_section){keys->params, SCREE_BODY_KEYS + 1, body};
}

/* Reads the key sites = { NAME = {x, y, z} } of the table at stack index 2. Adds the sites to the body;
 * body 0: only checks them. */
static void read_sites(lua_State *L, sl_world *world, const char *path, scree_id body) {
  char place[128];
  double at[3];
  scree_error error = {SCREE_OK, ""};
  if (lua_getfield(L, 2, "sites") != LUA_TNIL) {
    if (!lua_istable(L, -1))
      sl_refuse(L, "%s.sites must be a table of points by names, not a %s", path, luaL_typename(L, -1));
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
      if (lua_type(L, -2) != LUA_TSTRING || !lua_rawlen(L, -2) || lua_rawlen(L, -2) >= SL_POINT_NAME)
        sl_refuse(L, "%s.sites: keys must be names of 1 to %d characters", path, SL_POINT_NAME - 1);
      snprintf(place, sizeof place, "%.40s.sites.%s", path, lua_tostring(L, -2));
      sl_read_vec3(L, lua_gettop(L), place, "m", false, at);
      if (body && scree_world_name_point(world->world, body, lua_tostring(L, -2), at, &error) != SCREE_OK)
        sl_raise_error(L, &error);
    }
  }
  lua_pop(L, 1);
}

int sl_add_body(
    lua_State *L, sl_world *world, const char *path, const scree_body_def *body, const sl_body_keys *keys) {
  scree_error error = {SCREE_OK, ""};
  scree_body_def turned = *body;
  // checked for every 4096th body only, because a report costs more than adding a body
  if (++world->runtime->added % 4096 == 0) sl_limit_bodies(L, world, 4096);
  read_sites(L, world, path, 0);
  sl_read_turn(L, 2, path, turned.orientation);
  scree_id id = scree_world_add(world->world, &turned, &error);
  if (!id) sl_raise(L, error.status, "%s: %s", path, error.text);
  read_sites(L, world, path, id);
  if (keys->motions) sl_motion_keep(L, 1, 2, path, keys->motions, id);
  return sl_push_body(L, 1, id), 1;
}

static int add_shape(lua_State *L, int type) {
  sl_world *world = sl_change_world(L, 1);
  const scree_shape_kind *kind = scree_shape_kind_at(type);
  scree_body_def body = scree_body_defaults();
  scree_shape_def shape = scree_shape_defaults();
  scree_param_defaults(kind->params, kind->params_count, &shape);
  shape.type = type;
  const bool plane = type == SCREE_HALFSPACE;
  scree_param known[16];
  sl_body_keys keys;
  sl_read(L, 2, kind->name,
      (sl_section[]){sl_body_section(L, &keys, kind->name, &body), SL_TABLE(scree_shape_params, &shape),
          {kind->params, kind->params_count, &shape},
          plane ? (sl_section){point_params, SL_COUNT(point_params), &body} : geometry_section(type, known)},
      4, 0);
  if (plane) check_halfspace(L, 2, &body);
  if (type == SCREE_MESH) check_mesh(L, 2, &body);
  if (kind->flags & SCREE_SHAPE_GEOMETRY) shape.geometry = sl_read_geometry(L, 2, kind->name, type);
  sl_read_inertia(L, 2, kind->name, &body);
  shape.material = sl_read_material(L, 2, kind->name, world->world);
  read_filter(L, 2, kind->name, &shape);
  body.shapes = &shape;
  body.shapes_count = 1;
  return sl_add_body(L, world, kind->name, &body, &keys);
}

/* w:NAME{...}; the type is an upvalue. */
static int world_shape(lua_State *L) {
  sl_runtime *runtime = sl_runtime_of(L);
  const int before = sl_engine_enter(runtime),
            results = add_shape(L, (int)lua_tointeger(L, lua_upvalueindex(SL_TYPES + 1)));
  sl_engine_leave(runtime, before);
  return results;
}

void sl_shape_register(lua_State *L) {
  for (int i = 0; i < SCREE_SHAPE_TYPES; i++) {
    for (int type = 1; type <= SL_TYPES; type++) lua_pushvalue(L, lua_upvalueindex(type));
    lua_pushinteger(L, i);
    lua_pushcclosure(L, world_shape, SL_TYPES + 1);
    lua_setfield(L, -2, scree_shape_kind_at(i)->name);
  }
}

const sl_params sl_shape_params[] = {SL_TABLE_ROWS("body", scree_body_params),
    {"body", sites_params, 1, NULL}, {"halfspace", point_params, 1, NULL},
    {"body.shapes[]", type_params, 1, NULL}, SL_TABLE_ROWS("body.shapes[]", scree_shape_place_params),
    SL_TABLE_ROWS("body.shapes[]", scree_shape_params), {NULL}};

void sl_shape_tables(int type, sl_params out[4]) {
  const scree_shape_kind *kind = scree_shape_kind_at(type);
  const bool solid = !(kind->flags & SCREE_SHAPE_GEOMETRY);
  out[0] = (sl_params)SL_TABLE_ROWS(kind->name, scree_body_params);
  out[1] = (sl_params){kind->name, sites_params, 1, NULL};
  out[2] = (sl_params)SL_TABLE_ROWS(kind->name, scree_shape_params);
  out[3] = (sl_params){kind->name, kind->params, solid ? kind->params_count : 0, NULL};
}
