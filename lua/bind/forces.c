/* w:compatible_forces{...}: the force network that stiff elastic grains would have, for the contacts of the last step. */
#include "bind/bind.h"

#include <stdio.h>
#include <string.h>

/* ---- stiffness per contact ---- */

/* A list of {material, material, value}: every pair of materials in contact must be in it. */
typedef struct pair_value { int material1, material2; double value; } pair_value;

static double read_value(lua_State *L, int index, const char *path) {
  static const scree_param param = {"stiffness", SCREE_REAL, SCREE_POSITIVE, "", 0, 0, 0, 0, NULL, ""};
  double value = 0;
  sl_read_value(L, index, path, &param, &value);
  return value;
}

static int read_name(lua_State *L, int entry, int item, const char *path, const scree_world *world) {
  scree_error error = {SCREE_OK, ""};
  if (lua_rawgeti(L, entry, item) != LUA_TSTRING) sl_raise(L, SCREE_E_ARGUMENT, "%s[%d] must be the name of a material", path, item);
  int material = scree_world_find_material(world, lua_tostring(L, -1), &error);
  if (material < 0) sl_raise(L, SCREE_E_ARGUMENT, "%s: %s", path, error.text);
  lua_pop(L, 1);
  return material;
}

static pair_value read_pair(lua_State *L, int list, int item, const scree_world *world) {
  char path[64];
  snprintf(path, sizeof path, "stiffness[%d]", item);
  lua_rawgeti(L, list, item);
  if (!lua_istable(L, -1)) sl_raise(L, SCREE_E_ARGUMENT, "%s must be {material, material, value}, not a %s", path, luaL_typename(L, -1));
  int entry = lua_gettop(L);
  pair_value pair = {.material1 = read_name(L, entry, 1, path, world), .material2 = read_name(L, entry, 2, path, world)};
  lua_rawgeti(L, entry, 3);
  pair.value = read_value(L, -1, path);
  lua_settop(L, entry - 1);
  return pair;
}

static bool names(const pair_value *pair, const scree_contact *c) {
  return (pair->material1 == c->material1 && pair->material2 == c->material2) || (pair->material1 == c->material2 && pair->material2 == c->material1);
}

static void from_list(lua_State *L, int list, const scree_world *world, int64_t count, double *out) {
  int pairs = (int)lua_rawlen(L, list);
  pair_value *pair = lua_newuserdatauv(L, (size_t)(pairs + 1) * sizeof *pair, 0);
  for (int i = 0; i < pairs; i++) pair[i] = read_pair(L, list, i + 1, world);
  for (int64_t c = 0; c < count; c++) {
    scree_contact contact;
    scree_world_contact(world, c, &contact);
    int found = -1;
    for (int i = 0; i < pairs; i++)
      if (names(pair + i, &contact)) found = i;
    if (found < 0)
      sl_raise(L, SCREE_E_ARGUMENT, "stiffness names no value for the pair (%s, %s)", scree_world_material_name(world, contact.material1),
               scree_world_material_name(world, contact.material2));
    out[c] = pair[found].value;
  }
  lua_pop(L, 1);
}

/* function(contact): called with {body1 =, body2 = (handles), id1 =, id2 =, material1 =, material2 =, index =}. */
static void from_function(lua_State *L, int function, const scree_world *world, int64_t count, double *out) {
  for (int64_t c = 0; c < count; c++) {
    scree_contact contact;
    scree_world_contact(world, c, &contact);
    lua_pushvalue(L, function);
    lua_createtable(L, 0, 7);
    sl_push_body(L, 1, contact.body1);
    lua_setfield(L, -2, "body1");
    sl_push_body(L, 1, contact.body2);
    lua_setfield(L, -2, "body2");
    sl_set_integer(L, "id1", (int64_t)contact.body1);
    sl_set_integer(L, "id2", (int64_t)contact.body2);
    sl_set_string(L, "material1", scree_world_material_name(world, contact.material1));
    sl_set_string(L, "material2", scree_world_material_name(world, contact.material2));
    sl_set_integer(L, "index", c + 1);
    lua_call(L, 1, 1);
    out[c] = read_value(L, -1, "the value of stiffness(contact)");
    lua_pop(L, 1);
  }
}

/* The key `stiffness` of the table at index 2 as one value per contact, in a block left on the stack; NULL where it is absent. */
static const double *read_stiffness(lua_State *L, const scree_world *world, int64_t count) {
  int type = lua_getfield(L, 2, "stiffness"), at = lua_gettop(L);
  if (type == LUA_TNIL) return NULL;
  double *value = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *value, 0);
  if (type == LUA_TFUNCTION) {
    from_function(L, at, world, count, value);
  } else if (type == LUA_TTABLE) {
    from_list(L, at, world, count, value);
  } else {
    double same = read_value(L, at, "stiffness");
    for (int64_t c = 0; c < count; c++) value[c] = same;
  }
  return value;
}

/* ---- results ---- */

static void push_force(lua_State *L, const scree_world *world, int64_t index, const double force[3], double dt) {
  scree_contact c;
  scree_world_contact(world, index, &c);
  double push = 0, solver = 0;
  for (int k = 0; k < 3; k++) push += force[k] * c.normal[k], solver += c.impulse[k] * c.normal[k] / dt;
  lua_createtable(L, 0, 8);
  sl_set_integer(L, "a", (int64_t)c.body1);
  sl_set_integer(L, "b", (int64_t)c.body2);
  sl_set_number(L, "force", push);
  sl_set_number(L, "solver", solver);
  sl_set_vector(L, "vector", force, 3);
  sl_set_vector(L, "normal", c.normal, 3);
  sl_set_vector(L, "point", c.point, 3);
  sl_set_integer(L, "index", index + 1);
}

static void push_report(lua_State *L, const scree_forces_report *report) {
  lua_createtable(L, 0, 4);
  sl_set_integer(L, "iterations", report->iterations);
  sl_set_integer(L, "cg_iterations", report->cg_iterations);
  sl_set_integer(L, "closed", report->closed);
  sl_set_number(L, "residual", report->residual);
}

/* Returns the list of forces, in the order of w:contacts(), and a report. */
static int world_compatible_forces(lua_State *L) {
  sl_world *owner = sl_check_world(L, 1);
  const scree_world *world = owner->world;
  if (lua_isnoneornil(L, 2)) lua_settop(L, 1), lua_newtable(L);
  lua_settop(L, 2);
  scree_forces_def def = scree_forces_defaults();
  sl_read(L, 2, "compatible_forces", &(sl_section){scree_forces_params, scree_forces_params_count, &def}, 1, 0);
  int64_t count = scree_world_contacts_count(world);
  def.stiffness = read_stiffness(L, world, count);
  double(*force)[3] = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *force, 0);
  scree_forces_report report;
  scree_error error = {SCREE_OK, ""};
  int before = sl_engine_enter(owner->runtime);
  scree_status status = scree_world_compatible_forces(world, &def, force, &report, &error);
  sl_engine_leave(owner->runtime, before);
  if (status != SCREE_OK) sl_raise_error(L, &error);
  const scree_world_def *settings = scree_world_get_def(world);
  lua_createtable(L, (int)(count < 1000000 ? count : 1000000), 0);
  for (int64_t c = 0; c < count; c++) {
    push_force(L, world, c, force[c], settings->dt / (double)settings->substeps);
    lua_rawseti(L, -2, c + 1);
  }
  push_report(L, &report);
  return 2;
}

const luaL_Reg sl_forces_methods[] = {{"compatible_forces", world_compatible_forces}, {NULL, NULL}};
