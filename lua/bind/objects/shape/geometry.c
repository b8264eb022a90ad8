/* Hulls and meshes. scree.geometry.hull{...} and scree.geometry.mesh{...} make a geometry that any number
 * of shapes can use. w:hull{...}, w:mesh{...} and shape tables of these types have the key `geometry`, or
 * the keys from which a geometry is made. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"
#include "bind/objects/shape/placing.h"
#include "bind/sandbox/inside.h"
#include "bind/sandbox/place.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct holder {
  const scree_geometry *geometry;
} holder;
static const scree_param handle_params[] = {
    SL_VALUE("geometry", "made by scree.geometry, instead of the keys beside it")};

/* ---- reading ---- */

/* Returns the list of triples under a key of the table at index: as doubles, or as int32 indices from 0,
 * which are the integers of the list minus 1. Pushes the userdata that owns the triples. */
static void *read_triples(
    lua_State *L, int index, const char *path, const char *key, bool integers, int64_t *count) {
  lua_getfield(L, index, key);
  if (!lua_istable(L, -1))
    sl_refuse(
        L, "%s.%s must be a list of %s", path, key, integers ? "triangles {i, j, k}" : "points {x, y, z}");
  *count = (int64_t)lua_rawlen(L, -1);
  if (*count > 50000000) sl_refuse(L, "%s.%s is too long", path, key);
  double *values = lua_newuserdatauv(L, (size_t)(*count + 1) * 3 * sizeof *values, 0);
  int32_t *rows = (int32_t *)values;
  char place[160];
  for (int64_t i = 0; i < *count; i++) {
    double triple[3];
    lua_rawgeti(L, -2, i + 1);
    snprintf(place, sizeof place, "%s.%s[%lld]", path, key, (long long)i + 1);
    sl_read_vec3(L, -1, place, integers ? NULL : "m", false, triple);
    lua_pop(L, 1);
    for (int k = 0; k < 3; k++) {
      if (!integers) {
        values[3 * i + k] = triple[k];
        continue;
      }
      if (!(triple[k] >= 1 && triple[k] <= 2e9 && floor(triple[k]) == triple[k]))
        sl_refuse(L, "%s[%d] must be the number of a point, not %.17g", place, k + 1, triple[k]);
      rows[3 * i + k] = (int32_t)triple[k] - 1;
    }
  }
  lua_remove(L, -2);
  return values;
}

void sl_find_file(lua_State *L, const char *path, const char *name, char out[SL_PATH]) {
  const sl_runtime *runtime = sl_runtime_of(L);
  if (strlen(name) > 1024) sl_refuse(L, "%s.file is too long", path);
  if (!runtime->def.trust && (*name == '/' || strstr(name, "..")))
    sl_refuse(
        L, "%s.file: a script in the sandbox reads files in or below its own folder, not '%s'", path, name);
  const char *script = runtime->def.script, *slash = script ? strrchr(script, '/') : NULL;
  char folder[SL_PATH] = "";
  if (slash && *name != '/') {
    snprintf(folder, sizeof folder, "%.*s", slash == script ? 1 : (int)(slash - script), script);
    snprintf(out, SL_PATH, "%.*s/%s", (int)(slash - script), script, name);
    if (access(out, R_OK)) *folder = 0;
  }
  if (!*folder) snprintf(out, SL_PATH, "%s", name);
  if (!runtime->def.trust && !sl_is_inside(folder, out))
    sl_refuse(L, "%s.file: %s leads out of the folder it lies in", path, out);
}

/* Returns the largest number of points of a hull (0: no limit). The time to make a hull grows with the square
 * of this number, and a call of the engine cannot be interrupted. */
static int64_t most_points(lua_State *L) { return sl_runtime_of(L)->def.trust ? 0 : SL_HULL_MOST; }

static const scree_geometry *from_file(
    lua_State *L, int index, const char *path, int type, scree_file_def *def, scree_error *error) {
  char file[SL_PATH];
  if (scree_file_has_unit(def->path) && sl_has_key(L, index, "unit"))
    sl_refuse(L, "%s.unit: %s says its unit itself and is read in metres; take scale to change its size",
        path, def->path);
  sl_find_file(L, path, def->path, file);
  def->path = file, def->most = most_points(L);
  const scree_geometry *geometry = type == SCREE_HULL ? scree_geometry_hull_file(def, error)
                                                      : scree_geometry_mesh_file(def, error);
  const size_t size = strlen(error->text);
  if (!geometry && def->most && error->status == SCREE_E_MEMORY)
    snprintf(error->text + size, sizeof error->text - size, " (--trust lifts the cap)");
  return geometry;
}

static const scree_geometry *from_lists(
    lua_State *L, int index, const char *path, int type, const scree_file_def *o, scree_error *error) {
  int64_t points, triangles = 0;
  double(*point)[3] = read_triples(L, index, path, "points", false, &points);
  const int64_t most = most_points(L);
  if (type == SCREE_HULL && most && points > most)
    sl_raise(L, SCREE_E_MEMORY, "%s: %lld points: at most %lld make a hull here (--trust lifts the cap)",
        path, (long long)points, (long long)most);
  if (scree_file_place(o, point, points, error)) return NULL;
  if (type == SCREE_HULL) return scree_geometry_hull((const double(*)[3])point, points, error);
  const int32_t *triangle = read_triples(L, index, path, "triangles", true, &triangles);
  scree_mesh_def def = {.points = (const double(*)[3])point,
      .points_count = points,
      .triangles = (const int32_t(*)[3])triangle,
      .triangles_count = triangles,
      .weld = o->weld,
      .closed = o->closed,
      .solid = o->solid};
  return scree_geometry_mesh(&def, error);
}

/* Makes and pushes the geometry that the keys of the table at an absolute index describe. *o has the keys
 * with a value. */
static const scree_geometry *make_from_options(
    lua_State *L, int index, const char *path, int type, scree_file_def *o) {
  scree_error error = {SCREE_OK, ""};
  if (!o->closed && sl_has_key(L, index, "closed"))
    sl_refuse(L,
        "%s.closed = false says nothing: a mesh is a wall with two sides, closed or open, unless solid = "
        "true",
        path);
  if (o->path && sl_has_key(L, index, "points")) sl_refuse(L, "%s: give points or a file, not both", path);
  if (!o->path && !sl_has_key(L, index, "points")) sl_refuse(L, "%s needs points or a file", path);
  o->is_placed = sl_read_place(L, index, path, o->place);
  const char *file = o->path;
  sl_make_room(L);
  holder *h = lua_newuserdatauv(L, sizeof *h, 0);
  h->geometry = NULL;
  sl_set_type(L, SL_GEOMETRY);
  int top = lua_gettop(L), before = sl_engine_enter(sl_runtime_of(L));
  h->geometry = file ? from_file(L, index, path, type, o, &error)
                     : from_lists(L, index, path, type, o, &error);
  sl_engine_leave(sl_runtime_of(L), before);
  if (!h->geometry) sl_raise(L, error.status, "%s: %s", path, error.text);
  sl_note_scaling(L, index, h->geometry, o, file);
  lua_settop(L, top);
  return h->geometry;
}

/* ---- geometries made from a table of a shape ---- */

/* Raises an error if a table with the key `geometry` also has keys from which a geometry is made. */
static void check_alone(lua_State *L, int index, const char *path, int type) {
  int count;
  const scree_param *params = scree_geometry_params(type, &count);
  for (int i = 0; i < count; i++)
    if (sl_has_key(L, index, params[i].name))
      sl_refuse(L, "%s.%s stands beside geometry; give it to scree.geometry.%s{...}", path, params[i].name,
          type == SCREE_HULL ? "hull" : "mesh");
}

/* Pushes the table of created geometries. It maps a table of keys to an entry with equal keys and the
 * geometry. An entry lives as long as its table of keys. */
static void push_made(lua_State *L) {
  if (luaL_getsubtable(L, LUA_REGISTRYINDEX, "scree.geometries")) return;
  lua_createtable(L, 0, 1);
  sl_set_string(L, "__mode", "k");
  lua_setmetatable(L, -2);
}

/* Returns the geometry that was made from the table at an absolute index before. NULL if there is none, or
 * if the type or a key has changed. */
static const scree_geometry *find_made(lua_State *L, int index, int type) {
  const int top = lua_gettop(L);
  int count;
  const scree_param *params = scree_geometry_params(type, &count);
  const scree_geometry *geometry = NULL;
  push_made(L);
  lua_pushvalue(L, index);
  if (lua_rawget(L, -2) == LUA_TTABLE) {
    const int entry = lua_gettop(L);
    lua_getfield(L, entry, "geometry");
    geometry = ((const holder *)lua_touserdata(L, -1))->geometry;
    for (int i = 0; geometry && i < count; i++) {
      lua_pushstring(L, params[i].name);
      lua_rawget(L, index);
      lua_getfield(L, entry, params[i].name);
      if (!lua_rawequal(L, -1, -2)) geometry = NULL;
      lua_pop(L, 2);
    }
    lua_getfield(L, entry, "type");
    if (lua_tointeger(L, -1) != type) geometry = NULL;
  }
  lua_settop(L, top);
  return geometry;
}

/* Stores the geometry at the top of the stack as made from the table at an absolute index, and pops it. */
static void keep_made(lua_State *L, int index, int type) {
  int count;
  const scree_param *params = scree_geometry_params(type, &count);
  push_made(L);
  lua_pushvalue(L, index);
  lua_createtable(L, 0, count + 2);
  lua_pushvalue(L, -4);
  lua_setfield(L, -2, "geometry");
  sl_set_integer(L, "type", type);
  for (int i = 0; i < count; i++) {
    lua_pushstring(L, params[i].name);
    lua_rawget(L, index);
    lua_setfield(L, -2, params[i].name);
  }
  lua_rawset(L, -3);
  lua_pop(L, 2);
}

/* Reads the keys of the table at an absolute index and makes a geometry, which lives as long as the
 * table. */
static const scree_geometry *make_from_keys(lua_State *L, int index, const char *path, int type) {
  scree_file_def o = scree_file_defaults();
  int count;
  const scree_param *params = scree_geometry_params(type, &count);
  for (int i = 0; i < count; i++) {
    lua_pushstring(L, params[i].name);
    if (params[i].type != SCREE_OPAQUE && lua_rawget(L, index) != LUA_TNIL) {
      char place[128];
      snprintf(place, sizeof place, "%s.%s", path, params[i].name);
      sl_read_value(L, -1, place, params + i, &o);
    }
    lua_pop(L, 1);
  }
  const scree_geometry *geometry = make_from_options(L, index, path, type, &o);
  keep_made(L, index, type);
  return geometry;
}

const scree_geometry *sl_read_geometry(lua_State *L, int index, const char *path, int type) {
  static const char *const names[] = {"hull", "mesh"};
  scree_geometry_info info;
  const scree_geometry *geometry = NULL;
  index = lua_absindex(L, index);
  lua_pushliteral(L, "geometry");
  if (lua_rawget(L, index) != LUA_TNIL) {
    const holder *h = sl_test(L, -1, SL_GEOMETRY);
    if (!h) sl_refuse(L, "%s.geometry must be made by scree.geometry.%s", path, names[type == SCREE_MESH]);
    geometry = h->geometry;
  }
  lua_pop(L, 1);
  if (geometry) check_alone(L, index, path, type);
  else if (!(geometry = find_made(L, index, type))) geometry = make_from_keys(L, index, path, type);
  scree_geometry_get_info(geometry, &info);
  if (info.type != type)
    sl_refuse(
        L, "%s.geometry is a %s, not a %s", path, names[info.type == SCREE_MESH], names[type == SCREE_MESH]);
  return geometry;
}

/* ---- the module ---- */

static void push_point_list(lua_State *L, int64_t points, const double (*point)[3]) {
  lua_createtable(L, (int)points, 0);
  for (int64_t p = 0; p < points; p++) {
    sl_push_vector(L, point[p], 3);
    lua_rawseti(L, -2, p + 1);
  }
}

/* Pushes a list of triangles, whose corners count from 1. */
static void push_triangle_list(lua_State *L, int64_t triangles, const int32_t (*triangle)[3]) {
  lua_createtable(L, (int)triangles, 0);
  for (int64_t t = 0; t < triangles; t++) {
    lua_createtable(L, 3, 0);
    for (int k = 0; k < 3; k++) lua_pushinteger(L, triangle[t][k] + 1), lua_rawseti(L, -2, k + 1);
    lua_rawseti(L, -2, t + 1);
  }
}

static int make_geometry(lua_State *L, int type, const char *path) {
  scree_file_def o = scree_file_defaults();
  int count;
  const scree_param *params = scree_geometry_params(type, &count);
  luaL_checktype(L, 1, LUA_TTABLE);
  sl_read(L, 1, path, &(sl_section){params, count, &o}, 1, 0);
  make_from_options(L, 1, path, type, &o);
  return 1;
}

static int geometry_hull(lua_State *L) { return make_geometry(L, SCREE_HULL, "hull"); }
static int geometry_mesh(lua_State *L) { return make_geometry(L, SCREE_MESH, "mesh"); }

/* Owns the groups of a file until they are copied to tables. */
typedef struct groups {
  scree_file_group *list;
  int64_t count;
} groups;
static int free_groups(lua_State *L) {
  groups *g = lua_touserdata(L, 1);
  scree_file_groups_free(g->list, g->count);
  g->list = NULL;
  return 0;
}

static void push_group(lua_State *L, const scree_file_group *g) {
  lua_createtable(L, 0, 3);
  sl_set_string(L, "name", g->name);
  push_point_list(L, g->points_count, g->points);
  lua_setfield(L, -2, "points");
  push_triangle_list(L, g->triangles_count, g->triangles);
  lua_setfield(L, -2, "triangles");
}

/* groups{file =, ...}: returns a list of { name, points, triangles }. */
static int geometry_groups(lua_State *L) {
  scree_file_def def = scree_file_defaults();
  scree_error error = {SCREE_OK, ""};
  char file[SL_PATH];
  luaL_checktype(L, 1, LUA_TTABLE);
  SL_READ_TABLE(L, 1, "groups", scree_groups_params, &def);
  sl_find_file(L, "groups", def.path, file);
  def.path = file;
  def.is_placed = sl_read_place(L, 1, "groups", def.place);
  groups *g = lua_newuserdatauv(L, sizeof *g, 0);
  *g = (groups){NULL, 0};
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, free_groups);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  int before = sl_engine_enter(sl_runtime_of(L));
  g->count = scree_file_groups_read(&def, &g->list, &error);
  sl_engine_leave(sl_runtime_of(L), before);
  if (g->count < 0) sl_raise(L, error.status, "groups: %s", error.text);
  lua_createtable(L, (int)g->count, 0);
  for (int64_t k = 0; k < g->count; k++) {
    push_group(L, g->list + k);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

static int object_info(lua_State *L) {
  const holder *h = sl_check(L, 1, SL_GEOMETRY);
  scree_geometry_info info;
  scree_geometry_get_info(h->geometry, &info);
  lua_createtable(L, 0, 11);
  sl_set_string(L, "type", info.type == SCREE_HULL ? "hull" : "mesh");
  sl_set_boolean(L, "closed", info.closed);
  sl_set_boolean(L, "solid", info.solid);
  sl_set_integer(L, "turned", info.turned);
  sl_set_integer(L, "points", info.points);
  sl_set_integer(L, "triangles", info.triangles);
  sl_set_integer(L, "faces", info.faces);
  sl_set_integer(L, "welded", info.welded);
  sl_set_integer(L, "dropped", info.dropped);
  sl_set_number(L, "volume", info.volume);
  sl_set_vector(L, "center", info.centre, 3);
  sl_set_vector(L, "min", info.min, 3);
  sl_set_vector(L, "max", info.max, 3);
  return 1;
}

/* geometry:spheres{count =, deviation =}: returns a list of {x, y, z, radius}, the largest deviation and
 * its mean. */
static int object_spheres(lua_State *L) {
  const holder *h = sl_check(L, 1, SL_GEOMETRY);
  scree_spheres_def def = scree_spheres_defaults();
  scree_spheres_result result;
  scree_error error = {SCREE_OK, ""};
  if (!lua_isnoneornil(L, 2)) SL_READ_TABLE(L, 2, "spheres", scree_spheres_params, &def);
  scree_sphere *ball = lua_newuserdatauv(L, (size_t)def.count * sizeof *ball, 0);
  def.stop = sl_time_is_up, def.context = sl_runtime_of(L);
  int before = sl_engine_enter(sl_runtime_of(L));
  scree_status status = scree_geometry_spheres(h->geometry, &def, ball, &result, &error);
  sl_engine_leave(sl_runtime_of(L), before);
  if (sl_time_is_up(def.context)) return 0;
  if (status != SCREE_OK) sl_raise(L, status, "spheres: %s", error.text);
  lua_createtable(L, (int)result.count, 0);
  for (int64_t i = 0; i < result.count; i++) {
    const double row[4] = {ball[i].centre[0], ball[i].centre[1], ball[i].centre[2], ball[i].radius};
    sl_push_vector(L, row, 4);
    lua_rawseti(L, -2, i + 1);
  }
  lua_pushnumber(L, result.deviation);
  lua_pushnumber(L, result.mean);
  return 3;
}

/* geometry:lists(): returns points and triangles, whose corners count from 1. */
static int object_lists(lua_State *L) {
  const holder *h = sl_check(L, 1, SL_GEOMETRY);
  const double(*point)[3];
  const int32_t(*triangle)[3];
  int64_t points = scree_geometry_points(h->geometry, &point),
          triangles = scree_geometry_triangles(h->geometry, &triangle);
  push_point_list(L, points, point);
  push_triangle_list(L, triangles, triangle);
  return 2;
}

static int object_gc(lua_State *L) {
  holder *h = lua_touserdata(L, 1);
  scree_geometry_release(h->geometry);
  h->geometry = NULL;
  return 0;
}

const luaL_Reg sl_geometry_functions[] = {
    {"hull", geometry_hull}, {"mesh", geometry_mesh}, {"groups", geometry_groups}, {NULL, NULL}};
const luaL_Reg sl_geometry_object_methods[] = {
    {"info", object_info}, {"lists", object_lists}, {"spheres", object_spheres}, {NULL, NULL}};
const luaL_Reg sl_geometry_metamethods[] = {{"__gc", object_gc}, {NULL, NULL}};
const sl_params sl_geometry_keys_params[] = {SL_TABLE_ROWS("hull", scree_hull_params),
    {"hull", handle_params, 1, NULL}, SL_TABLE_ROWS("mesh", scree_mesh_params),
    {"mesh", handle_params, 1, NULL}, {NULL}};
