/* scree.api(): names and parameter tables of the binding, for the reference and for the tests of the
 * annotations. */
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"
#include "bind/experiment/experiment.h"
#include "bind/objects/shape/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const sl_params *const lists[] = {
#define OBJECT(name)
#define MODULE(name)
#define PARAMS(name) sl_##name##_params,
#include "bind/objects/objects.h"
#undef OBJECT
#undef MODULE
#undef PARAMS
};

static const char *type_name(scree_type type) {
  static const char *const names[] = {
      "number", "integer", "boolean", "string", "choice", "vec3", "quat", "value"};
  return names[type];
}

/* Pushes the name of the choice with an index; nil beyond the last choice. */
static void push_choice(lua_State *L, const char *choices, int index) {
  const char *at = choices;
  for (; at && index > 0; index--) at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL;
  if (at) lua_pushlstring(L, at, strcspn(at, "|"));
  else lua_pushnil(L);
}

/* Pushes a table that describes a row of a parameter table. */
static void push_param(lua_State *L, const scree_param *p) {
  lua_createtable(L, 0, 10);
  sl_set_string(L, "name", p->name);
  sl_set_string(L, "type", type_name(p->type));
  sl_set_string(L, "unit", p->unit ? p->unit : "");
  sl_set_string(L, "doc", p->doc ? p->doc : "");
  if (p->choices) sl_set_string(L, "choices", p->choices);
  /* a fallback that is NaN means: no default */
  if ((p->type == SCREE_REAL || p->type == SCREE_INTEGER) && !isnan(p->fallback))
    sl_set_number(L, "default", p->fallback);
  if (p->type == SCREE_BOOLEAN) lua_pushboolean(L, p->fallback != 0), lua_setfield(L, -2, "default");
  if (p->type == SCREE_CHOICE) push_choice(L, p->choices, (int)p->fallback), lua_setfield(L, -2, "default");
  if (p->min != 0 || p->max != 0) sl_set_number(L, "min", p->min), sl_set_number(L, "max", p->max);
  sl_set_boolean(L, "required", (p->flags & SCREE_REQUIRED) != 0);
  sl_set_boolean(L, "positive", (p->flags & SCREE_POSITIVE) != 0);
}

/* Appends a parameter table to the list with its name in the table on top of the stack. Several tables may
 * have the same name. */
static void add_params(lua_State *L, const sl_params *table) {
  int count = table->count_at ? *table->count_at : table->count;
  luaL_getsubtable(L, -1, table->name);
  for (int i = 0; i < count; i++) {
    push_param(L, table->params + i);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  }
  lua_pop(L, 1);
}

/* Adds the keys of each type of shape under its name. */
static void add_shapes(lua_State *L) {
  sl_params table[4];
  for (int type = 0; type < SCREE_SHAPE_TYPES; type++) {
    sl_shape_tables(type, table);
    for (int i = 0; i < 4; i++) add_params(L, table + i);
  }
}

/* Adds the keys of each kind of measurement under measure.NAME. */
static void add_measurements(lua_State *L) {
  const sl_table *table;
  char name[64];
  for (int i = 0; (table = sl_experiment_measure_table(i)); i++) {
    snprintf(name, sizeof name, "measure.%s", table->path);
    add_params(L, &(sl_params){name, table->params, table->count, NULL});
  }
}

/* Replaces the table on top of the stack by a new table. It has the same keys, and true for each function as
 * value. */
static void push_names(lua_State *L) {
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, -3);) {
    lua_pushvalue(L, -2);
    lua_pushboolean(L, lua_isfunction(L, -2));
    lua_rawset(L, -5);
    lua_pop(L, 1);
  }
  lua_remove(L, -2);
}

/* scree.api(): returns {methods = {world = {step = true, ...}, body = ..., scree = ..., ["scree.law"] = ...},
 * params = {sphere = {...}, ...}}. */
static int module_api(lua_State *L) {
  lua_createtable(L, 0, 2);
  lua_newtable(L);
  lua_getfield(L, LUA_REGISTRYINDEX, "scree.methods");
  for (lua_pushnil(L); lua_next(L, -2);) {
    push_names(L);
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -5);
  }
  lua_pop(L, 1);
  lua_setfield(L, -2, "methods");
  lua_newtable(L);
  add_shapes(L);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    for (const sl_params *table = lists[i]; table->name; table++) add_params(L, table);
  add_measurements(L);
  lua_setfield(L, -2, "params");
  return 1;
}

const luaL_Reg sl_api_functions[] = {{"api", module_api}, {NULL, NULL}};
