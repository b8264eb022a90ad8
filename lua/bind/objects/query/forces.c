/* w:compatible_forces{...}: the force network that stiff elastic grains would have, for the contacts of
 * the last step. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- stiffness ---- */

static double read_stiffness_value(lua_State *L, int index, const char *path) {
  static const scree_param param = SL_POSITIVE("stiffness", 0, "", 0, "");
  double value = 0;
  sl_read_value(L, index, path, &param, &value);
  return value;
}

static int count_materials(const scree_world *world) {
  int count = 0;
  while (scree_world_material_name(world, count)) count++;
  return count;
}

static int read_material_name(lua_State *L, int entry, int item, const char *path, const scree_world *world) {
  scree_error error = {SCREE_OK, ""};
  if (lua_rawgeti(L, entry, item) != LUA_TSTRING)
    sl_refuse(L, "%s[%d] must be the name of a material", path, item);
  int material = scree_world_find_material(world, lua_tostring(L, -1), &error);
  if (material < 0) sl_refuse(L, "%s: %s", path, error.text);
  lua_pop(L, 1);
  return material;
}

/* Reads {material, material, value} at the top of the stack into the n x n table of stiffnesses. */
static void read_pair(lua_State *L, int item, const scree_world *world, double *table, int n) {
  char path[64];
  snprintf(path, sizeof path, "stiffness[%d]", item);
  if (!lua_istable(L, -1))
    sl_refuse(L, "%s must be {material, material, value}, not a %s", path, luaL_typename(L, -1));
  int entry = lua_gettop(L), one = read_material_name(L, entry, 1, path, world),
      two = read_material_name(L, entry, 2, path, world);
  lua_rawgeti(L, entry, 3);
  table[one * n + two] = table[two * n + one] = read_stiffness_value(L, -1, path);
  lua_pop(L, 1);
}

/* Calls function(contact) with the fields material1 and material2 only, for a pair of materials, and
 * stores the value in the n x n table. */
static void ask_pair(
    lua_State *L, int function, const scree_world *world, int one, int two, double *table, int n) {
  lua_pushvalue(L, function);
  lua_createtable(L, 0, 2);
  sl_set_string(L, "material1", scree_world_material_name(world, one));
  sl_set_string(L, "material2", scree_world_material_name(world, two));
  const int before = sl_script_enter(sl_runtime_of(L));
  lua_call(L, 1, 1);
  sl_engine_leave(sl_runtime_of(L), before);
  table[one * n + two] = table[two * n + one] = read_stiffness_value(
      L, -1, "the value of stiffness(contact)");
  lua_pop(L, 1);
}

/* Reads stiffnesses per pair of materials from the number, list or function at stack index `at`. They are
 * in a userdata that stays on the stack. */
static void read_table(lua_State *L, int at, const scree_world *world, scree_forces_def *def) {
  int n = count_materials(world), type = lua_type(L, at);
  double *table = lua_newuserdatauv(L, (size_t)n * (size_t)n * sizeof *table, 0);
  memset(table, 0, (size_t)n * (size_t)n * sizeof *table);
  for (int item = 1; type == LUA_TTABLE && lua_rawgeti(L, at, item) != LUA_TNIL; item++, lua_pop(L, 1))
    read_pair(L, item, world, table, n);
  if (type == LUA_TTABLE) lua_pop(L, 1);
  double same = type == LUA_TTABLE || type == LUA_TFUNCTION ? 0 : read_stiffness_value(L, at, "stiffness");
  for (int one = 0; one < n && type != LUA_TTABLE; one++)
    for (int two = one; two < n; two++) {
      if (type == LUA_TFUNCTION) ask_pair(L, at, world, one, two, table, n);
      else table[one * n + two] = table[two * n + one] = same;
    }
  def->table = table;
  def->table_materials = n;
}

/* Calls function(contact) for each contact with {body1 =, body2 = (handles), id1 =, id2 =, material1 =,
 * material2 =, index =}, and stores the values in out. */
static void from_function(lua_State *L, int function, const scree_world *world, int64_t count, double *out) {
  for (int64_t c = 0; c < count; c++) {
    scree_contact contact;
    scree_world_contact(world, c, &contact);
    lua_pushvalue(L, function);
    lua_createtable(L, 0, 7);
    sl_set_body(L, "body1", contact.body1);
    sl_set_body(L, "body2", contact.body2);
    sl_set_integer(L, "id1", (int64_t)contact.body1);
    sl_set_integer(L, "id2", (int64_t)contact.body2);
    sl_set_string(L, "material1", scree_world_material_name(world, contact.material1));
    sl_set_string(L, "material2", scree_world_material_name(world, contact.material2));
    sl_set_integer(L, "index", c + 1);
    const int before = sl_script_enter(sl_runtime_of(L));
    lua_call(L, 1, 1);
    sl_engine_leave(sl_runtime_of(L), before);
    out[c] = read_stiffness_value(L, -1, "the value of stiffness(contact)");
    lua_pop(L, 1);
  }
}

/* Reads the key `stiffness` of the table at stack index 2. The owner of its data stays on the stack. */
static void read_stiffness(lua_State *L, const scree_world *world, int64_t count, scree_forces_def *def) {
  int type = lua_getfield(L, 2, "stiffness"), at = lua_gettop(L);
  if (type == LUA_TFUNCTION) {
    double *value = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *value, 0);
    from_function(L, at, world, count, value);
    def->stiffness = value;
  } else if (type != LUA_TNIL) {
    read_table(L, at, world, def);
  }
}

/* ---- results ---- */

static void push_force(
    lua_State *L, const scree_world *world, int64_t index, const double force[3], double dt) {
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

static void push_solver_report(lua_State *L, const scree_forces_report *report) {
  lua_createtable(L, 0, 4);
  sl_set_integer(L, "iterations", report->iterations);
  sl_set_integer(L, "cg_iterations", report->cg_iterations);
  sl_set_integer(L, "closed", report->closed);
  sl_set_number(L, "residual", report->residual);
}

/* compatible_forces{...}: returns the list of forces, in the order of w:contacts(), and a report. */
static int world_compatible_forces(lua_State *L) {
  sl_world *owner = sl_check_world(L, 1);
  const scree_world *world = owner->world;
  if (lua_isnoneornil(L, 2)) lua_settop(L, 1), lua_newtable(L);
  lua_settop(L, 2);
  scree_forces_def def = scree_forces_defaults();
  SL_READ_TABLE(L, 2, "compatible_forces", scree_forces_params, &def);
  int64_t count = scree_world_contacts_count(world);
  read_stiffness(L, world, count, &def);
  double(*force)[3] = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *force, 0);
  scree_forces_report report;
  scree_error error = {SCREE_OK, ""};
  int before = sl_engine_enter_world(owner);
  scree_status status = scree_world_compatible_forces(world, &def, force, &report, &error);
  sl_engine_leave(owner->runtime, before);
  if (status != SCREE_OK) sl_raise_error(L, &error);
  const scree_world_def *settings = scree_world_get_def(world);
  lua_createtable(L, (int)(count < 1000000 ? count : 1000000), 0);
  for (int64_t c = 0; c < count; c++) {
    push_force(L, world, c, force[c], settings->dt);
    lua_rawseti(L, -2, c + 1);
  }
  push_solver_report(L, &report);
  return 2;
}

/* ---- rest ---- */

static void set_finite(lua_State *L, const char *key, double value) {
  if (isfinite(value)) sl_set_number(L, key, value);
}

/* w:rest_range{...}: the smallest friction with which the structure can rest. */
static int world_rest_range(lua_State *L) {
  sl_world *owner = sl_check_world(L, 1);
  if (lua_isnoneornil(L, 2)) lua_settop(L, 1), lua_newtable(L);
  lua_settop(L, 2);
  scree_rest_def def = scree_rest_defaults();
  SL_READ_TABLE(L, 2, "rest_range", scree_rest_params, &def);
  scree_rest_range range;
  scree_error error = {SCREE_OK, ""};
  const int before = sl_engine_enter_world(owner);
  const scree_status status = scree_world_rest_range(owner->world, &def, &range, &error);
  sl_engine_leave(owner->runtime, before);
  if (status != SCREE_OK) sl_raise_error(L, &error);
  lua_createtable(L, 0, 5);
  set_finite(L, "associated", range.associated);
  set_finite(L, "restricted", range.restricted);
  if (range.why) sl_set_string(L, "why", range.why);
  sl_set_integer(L, "closed", range.closed);
  sl_set_integer(L, "rounds", range.rounds);
  if (range.first) sl_set_integer(L, "first", (int64_t)range.first);
  return 1;
}

/* ---- forces in frames ---- */

enum { MOST_KEYS = 32 };
/* Writes the parameter table of `forces` in a scene to out: the keys of compatible_forces, with `compatible`
 * instead of `law`. Returns the number of keys. */
static int recorded_keys(scree_param out[MOST_KEYS]) {
  for (int i = 0; i < scree_forces_params_count; i++) {
    out[i] = scree_forces_params[i];
    if (!strcmp(out[i].name, "law")) out[i].name = "compatible", out[i].flags |= SCREE_REQUIRED;
  }
  return scree_forces_params_count;
}

/* w:record_forces{compatible = "hooke", ...}: frames with contacts contain the compatible forces from now on.
 * false ends the recording. */
static int world_record_forces(lua_State *L) {
  sl_world *owner = sl_change_world(L, 1);
  if (lua_isboolean(L, 2) && !lua_toboolean(L, 2))
    return scree_world_record_forces(owner->world, NULL, NULL), 0;
  if (!lua_istable(L, 2)) sl_refuse(L, "forces must be a table or false, not a %s", luaL_typename(L, 2));
  lua_settop(L, 2);
  scree_param keys[MOST_KEYS];
  int count = recorded_keys(keys);
  scree_forces_def def = scree_forces_defaults();
  sl_read(L, 2, "forces", &(sl_section){keys, count, &def}, 1, 0);
  if (lua_getfield(L, 2, "stiffness") != LUA_TNIL) read_table(L, lua_gettop(L), owner->world, &def);
  SL_TRY(L, scree_world_record_forces(owner->world, &def, &error));
  return 0;
}

const luaL_Reg sl_forces_methods[] = {{"compatible_forces", world_compatible_forces},
    {"rest_range", world_rest_range}, {"record_forces", world_record_forces}, {NULL, NULL}};
