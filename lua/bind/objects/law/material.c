/* Materials and pairs of materials: w:material{name=, density=}, w:pair{"a", "b", law=, mu=, ...}. */
#include "bind/objects/law/law.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"

#include <stdio.h>
#include <string.h>

static int world_material(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  scree_material_def def;
  scree_param_defaults(scree_material_params, scree_material_params_count, &def);
  SL_READ_TABLE(L, 2, "material", scree_material_params, &def);
  SL_TRY(L, scree_world_add_material(world->world, &def, &error) < 0);
  return lua_pushstring(L, def.name), 1;
}

/* ---- pairs ---- */

/* Names of the two materials of a pair. A scree_pair_def has their indices instead. */
typedef struct pair_names {
  const char *a, *b;
} pair_names;
static const scree_param name_params[] = {
    SL_STRING("a", offsetof(pair_names, a), "first material"),
    SL_STRING("b", offsetof(pair_names, b), "second material"),
};

/* Returns the index of the material named by a list item or by a key. Raises an error if both are given. */
static int pair_material(lua_State *L, const sl_world *world, int item, const char *key, const char *value) {
  scree_error error = {SCREE_OK, ""};
  int type = lua_rawgeti(L, 2, item);
  if (type != LUA_TNIL && value) sl_refuse(L, "pair.%s is given twice: as list item %d too", key, item);
  if (type != LUA_TNIL && type != LUA_TSTRING)
    sl_refuse(L, "pair[%d] must be the name of a material, not a %s", item, luaL_typename(L, -1));
  const char *name = value ? value : lua_tostring(L, -1);
  if (!name) sl_refuse(L, "pair.%s is missing: name both materials, w:pair{\"a\", \"b\", law = ...}", key);
  int material = scree_world_find_material(world->world, name, &error);
  if (material < 0) sl_raise(L, error.status, "pair.%s: %s", key, error.text);
  lua_pop(L, 1);
  return material;
}

/* Returns the parameter table of a law. Its offsets refer to the parameter vector, in which whole numbers and
 * choices are doubles, too. */
static const scree_param *find_law(lua_State *L, sl_world *world, const char *law, int *count) {
  sl_law *own;
  sl_law_params(L, law, "pair.law", count, &own);
  if (own) sl_law_into_world(L, world, law);
  return scree_world_law_params(world->world, law, count);
}

static const scree_param vectors_params[] = {
    SL_VALUE("vectors", "law directional: list of vectors {x, y, z}, in place of v1_x, v1_y, ...")};

/* Reads the list `vectors` into the parameters v1_x, v1_y, v1_z, v2_x, ... of a law. */
static void read_vectors(lua_State *L, const scree_param *params, int count, double *out) {
  if (lua_getfield(L, 2, "vectors") == LUA_TNIL) return lua_pop(L, 1);
  if (!lua_istable(L, -1)) sl_refuse(L, "pair.vectors must be a list, not a %s", luaL_typename(L, -1));
  int list = lua_gettop(L), most = (int)lua_rawlen(L, list);
  for (int i = 1; i <= most; i++, lua_pop(L, 1)) {
    char name[32], path[48];
    snprintf(name, sizeof name, "v%d_x", i);
    snprintf(path, sizeof path, "pair.vectors[%d]", i);
    const scree_param *first = scree_param_find(params, count, name);
    if (!first) sl_refuse(L, "%s: the law takes %d vectors at most", path, i - 1);
    lua_rawgeti(L, list, i);
    sl_read_vec3(L, -1, path, NULL, false, out + (first - params));
  }
  lua_pop(L, 1);
}

/* Raises an error for the key `rolling` if the law has rolling_friction instead. */
static void refuse_rolling(lua_State *L, const char *law, const scree_param *params, int count) {
  if (scree_param_find(params, count, "rolling") || !scree_param_find(params, count, "rolling_friction") ||
      !sl_has_key(L, 2, "rolling"))
    return;
  sl_refuse(L,
      "pair.rolling is a length [m] of the hard laws; law '%s' has rolling_friction, without unit: the "
      "moment "
      "over the normal force and the reduced radius, as rolling was here before",
      law);
}

/* Raises an error if the table has the key ks = 0 together with kn. In the engine, ks 0 stands for the
 * default 0.8 kn; a contact without shear stiffness cannot be expressed. */
static void refuse_no_shear(lua_State *L, const scree_stiffness *s) {
  if (s->kn > 0 && s->ks == 0 && sl_has_key(L, 2, "ks"))
    sl_refuse(L, "pair.ks must be greater than 0; without the key ks is 0.8 kn");
}

static int world_pair(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  sl_check_table(L, 2, "pair");
  pair_names names = {NULL, NULL};
  scree_pair_def def = {0};
  // the further keys depend on the law
  lua_getfield(L, 2, "law");
  def.law = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "coulomb";
  int count = 0;
  const scree_param *params = find_law(L, world, def.law, &count);
  if (count) scree_param_defaults(params, count, def.params);
  const bool directional = scree_param_find(params, count, "v1_x") != NULL;
  refuse_rolling(L, def.law, params, count);
  sl_section sections[6] = {{name_params, SL_COUNT(name_params), &names}, SL_TABLE(scree_pair_params, &def),
      SL_TABLE(scree_stiffness_params, &def.stiffness)};
  int used = 3;
  // some laws, for example "joint", have a parameter `cohesion` of their own; these keys then belong to the
  // law
  if (!scree_param_find(params, count, "cohesion"))
    sections[used++] = (sl_section)SL_TABLE(scree_cohesion_params, &def.cohesion);
  if (count) sections[used++] = (sl_section){params, count, def.params};
  if (directional) sections[used++] = (sl_section){vectors_params, 1, NULL};
  sl_read(L, 2, "pair", sections, used, 2);
  if (directional) read_vectors(L, params, count, def.params);
  refuse_no_shear(L, &def.stiffness);
  def.material1 = pair_material(L, world, 1, "a", names.a);
  def.material2 = pair_material(L, world, 2, "b", names.b);
  SL_TRY(L, scree_world_set_pair(world->world, &def, &error));
  return 0;
}

static void set_cohesion(lua_State *L, scree_cohesion cohesion) {
  static const char *const laws[] = {"constant", "linear", "capillary", "jkr", "dmt"};
  sl_set_string(L, "cohesion_law", laws[cohesion.law]);
  for (int i = 1; i < scree_cohesion_params_count; i++) {
    const scree_param *p = scree_cohesion_params + i;
    sl_set_number(L, p->name, *(const double *)(const void *)((const char *)&cohesion + p->offset));
  }
}

static void set_stiffness(lua_State *L, scree_stiffness stiffness) {
  static const char *const laws[] = {"linear", "hertz"};
  if (stiffness.kn > 0) stiffness.ks = stiffness.kn * scree_stiffness_ratio(&stiffness), stiffness.ratio = 0;
  for (int i = 0; i < scree_stiffness_params_count; i++) {
    const scree_param *p = scree_stiffness_params + i;
    if (p->type == SCREE_CHOICE) sl_set_string(L, p->name, laws[stiffness.law]);
    else sl_set_number(L, p->name, *(const double *)(const void *)((const char *)&stiffness + p->offset));
  }
}

/* get_pair("a", "b"): returns the law and its parameters. */
static int world_get_pair(lua_State *L) {
  sl_world *world = sl_check_world(L, 1);
  scree_error error = {SCREE_OK, ""};
  int material[2], count = 0;
  for (int i = 0; i < 2; i++)
    if ((material[i] = scree_world_find_material(world->world, luaL_checkstring(L, 2 + i), &error)) < 0)
      sl_raise_error(L, &error);
  const double *values;
  const char *law = scree_world_get_pair(world->world, material[0], material[1], &values);
  const scree_param *params = scree_world_law_params(world->world, law, &count);
  lua_newtable(L);
  sl_set_string(L, "law", law);
  set_cohesion(L, scree_world_get_cohesion(world->world, material[0], material[1]));
  // parameters of the law replace fields of the same name; the law "joint" has its own cohesion
  for (int i = 0; i < count; i++) sl_set_number(L, params[i].name, values[i]);
  set_stiffness(L, scree_world_get_stiffness(world->world, material[0], material[1]));
  static const char *const laws[] = {"stronge", "poisson", "newton"};
  int bounce = 0;
  sl_set_number(
      L, "restitution", scree_world_get_restitution(world->world, material[0], material[1], &bounce));
  sl_set_string(L, "restitution_law", laws[bounce]);
  sl_set_number(L, "tangential_restitution",
      scree_world_get_tangential_restitution(world->world, material[0], material[1]));
  return 1;
}

const luaL_Reg sl_material_methods[] = {
    {"material", world_material}, {"pair", world_pair}, {"get_pair", world_get_pair}, {NULL, NULL}};
const sl_params sl_material_params[] = {SL_TABLE_ROWS("material", scree_material_params),
    SL_ARRAY_ROWS("pair", name_params), SL_TABLE_ROWS("pair", scree_pair_params),
    SL_TABLE_ROWS("pair", scree_cohesion_params), SL_TABLE_ROWS("pair", scree_stiffness_params),
    {"pair", vectors_params, 1, NULL}, {NULL}};
