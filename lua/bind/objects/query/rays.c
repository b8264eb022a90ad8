/* Rays: w:ray{from =, direction =, ...}, and w:rays{from =, direction =, ...} for many rays. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"

#include <math.h>
#include <stdio.h>

#define AT(member) offsetof(scree_ray, member)
/* Rows for the keys `avoids` and `without`, which are arguments of scree_world_rays and not members of
 * scree_ray. */
static const scree_param ray_filter_params[] = {
    SL_VALUE("avoids", "layer that it passes through, or a list of them"),
    SL_VALUE("without", "a body that it passes through"),
};

static void push_hit(lua_State *L, const scree_hit *hit) {
  lua_createtable(L, 0, 5);
  sl_set_body(L, "body", hit->body);
  sl_set_number(L, "distance", hit->distance);
  sl_set_vector(L, "point", hit->point, 3);
  sl_set_vector(L, "normal", hit->normal, 3);
  sl_set_integer(L, "shape", hit->shape + 1);
  if (hit->triangle >= 0) sl_set_integer(L, "triangle", hit->triangle + 1);
}

/* ray{...}: returns the first hit, or nil. */
static int world_ray(lua_State *L) {
  sl_world *world = sl_check_world(L, 1);
  scree_ray ray = {.reach = INFINITY};
  scree_hit hit;
  sl_read(L, 2, "ray", (sl_section[]){SL_TABLE(scree_ray_params, &ray), {ray_filter_params, 2, NULL}}, 2, 0);
  uint32_t avoids = sl_read_layers(L, 2, "ray", "avoids", 0);
  SL_TRY(L, scree_world_rays(world->world, &ray, 1, avoids, sl_read_body(L, "ray", "without"), &hit, &error));
  if (hit.body) push_hit(L, &hit);
  else lua_pushnil(L);
  return 1;
}

static const scree_param rays_params[] = {
    {"from", SCREE_OPAQUE, SCREE_REQUIRED, "m", 0, 0, 0, 0, NULL, "a point, or a list of a point per ray"},
    SL_NEEDED("direction", "a direction, or a list of one per ray"),
    SCREE_ROW_LIMIT("reach", AT(reach), "m", "how far they go"),
    SL_VALUE("avoids", "layer that they pass through, or a list of them"),
    SL_VALUE("without", "a body that they pass through"),
};

/* Returns the number of vectors in the list at the top of the stack; 0 if it is a single vector. */
static lua_Integer count_vectors(lua_State *L, const char *key) {
  if (!lua_istable(L, -1)) sl_refuse(L, "rays.%s must be a list, not a %s", key, luaL_typename(L, -1));
  bool one = lua_rawgeti(L, -1, 1) != LUA_TTABLE;
  lua_pop(L, 1);
  return one ? 0 : (lua_Integer)lua_rawlen(L, -1);
}

/* Reads a list of three finite numbers at the top of the stack. Returns false if it is anything else. */
static bool plain_vector(lua_State *L, double to[3]) {
  if (!lua_istable(L, -1)) return false;
  for (int k = 0; k < 3; k++) {
    bool number = lua_rawgeti(L, -1, k + 1) == LUA_TNUMBER;
    to[k] = lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (!number || !isfinite(to[k])) return false;
  }
  return lua_rawlen(L, -1) == 3;
}

static void read_ray_vectors(
    lua_State *L, const char *key, lua_Integer listed, scree_ray *ray, lua_Integer count, size_t member) {
  char path[64];
  lua_getfield(L, 2, key);
  for (lua_Integer i = 0; i < count; i++) {
    double *to = (double *)((char *)(ray + i) + member);
    if (listed) lua_rawgeti(L, -1, i + 1);
    else lua_pushvalue(L, -1);
    if (plain_vector(L, to)) {
      lua_pop(L, 1);
      continue;
    }
    if (listed) snprintf(path, sizeof path, "rays.%s[%lld]", key, (long long)i + 1);
    else snprintf(path, sizeof path, "rays.%s", key);
    sl_read_vec3(L, -1, path, NULL, false, to);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* rays{...}: returns lists of distances (math.huge: no hit), of bodies (false: no hit) and of normals. */
static int world_rays(lua_State *L) {
  sl_world *world = sl_check_world(L, 1);
  scree_ray common = {.reach = INFINITY};
  sl_read(L, 2, "rays", &(sl_section){rays_params, 5, &common}, 1, 0);
  uint32_t avoids = sl_read_layers(L, 2, "rays", "avoids", 0);
  scree_id without = sl_read_body(L, "rays", "without");
  lua_getfield(L, 2, "from");
  lua_Integer points = count_vectors(L, "from");
  lua_getfield(L, 2, "direction");
  lua_Integer directions = count_vectors(L, "direction");
  lua_pop(L, 2);
  if (points && directions && points != directions)
    sl_refuse(
        L, "rays: %d points and %d directions; both lists have one per ray", (int)points, (int)directions);
  lua_Integer count = points ? points : directions ? directions : 1;
  scree_ray *ray = lua_newuserdatauv(L, (size_t)count * sizeof *ray, 0);
  scree_hit *hit = lua_newuserdatauv(L, (size_t)count * sizeof *hit, 0);
  for (lua_Integer i = 0; i < count; i++) ray[i].reach = common.reach;
  read_ray_vectors(L, "from", points, ray, count, AT(from));
  read_ray_vectors(L, "direction", directions, ray, count, AT(direction));
  SL_TRY(L, scree_world_rays(world->world, ray, count, avoids, without, hit, &error));
  for (int list = 0; list < 3; list++) {
    lua_createtable(L, (int)count, 0);
    for (lua_Integer i = 0; i < count; i++) {
      if (list == 0) lua_pushnumber(L, hit[i].distance);
      else if (!hit[i].body) lua_pushboolean(L, false);
      else if (list == 1) sl_push_body(L, 1, hit[i].body);
      else sl_push_vector(L, hit[i].normal, 3);
      lua_rawseti(L, -2, i + 1);
    }
  }
  return 3;
}

const luaL_Reg sl_rays_methods[] = {{"ray", world_ray}, {"rays", world_rays}, {NULL, NULL}};
const sl_params sl_rays_params[] = {SL_TABLE_ROWS("ray", scree_ray_params),
    {"ray", ray_filter_params, 2, NULL}, {"rays", rays_params, 5, NULL}, {NULL}};
