/* Columns of bodies. w:column{...} calls create of the bundled module scree.column. The field `engine` of
 * this module contains the functions of this file. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/sandbox/inside.h"
#include "scree/column.h"

#include <stdint.h>

/* Returns the index of the column whose name lies at stack index 2. */
static int find_column(lua_State *L, const sl_world *world) {
  scree_error error;
  const int column = scree_world_find_column(world->world, luaL_checkstring(L, 2), &error);
  if (column < 0)
    sl_raise(L, SCREE_E_ARGUMENT,
        "%s; the world was restored to a time before w:column, or the column is of another world",
        error.text);
  return column;
}

/* declare(w, name, unit, default): adds a column to the world. */
static int column_declare(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  scree_error error;
  if (scree_world_declare_column(
          world->world, luaL_checkstring(L, 2), luaL_checkstring(L, 3), luaL_checknumber(L, 4), &error) < 0)
    sl_raise_error(L, &error);
  return 0;
}

/* get(w, name, body): returns the body's value in the column. */
static int column_get(lua_State *L) {
  const sl_world *world = sl_check_world(L, 1);
  const int column = find_column(L, world);
  const sl_body *body = sl_check_own_body(L, 3, world);
  double value;
  SL_TRY(L, scree_world_get_value(world->world, column, body->id, &value, &error));
  return lua_pushnumber(L, value), 1;
}

/* set(w, name, body, value): sets the body's value in the column. */
static int column_set(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  const int column = find_column(L, world);
  const sl_body *body = sl_check_own_body(L, 3, world);
  SL_TRY(L, scree_world_set_value(world->world, column, body->id, luaL_checknumber(L, 4), &error));
  return 0;
}

/* fill(w, name, value): sets the values of all bodies in the column. */
static int column_fill(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  const int column = find_column(L, world);
  SL_TRY(L, scree_world_fill_column(world->world, column, luaL_checknumber(L, 3), &error));
  return 0;
}

static const luaL_Reg engine[] = {{"declare", column_declare}, {"get", column_get}, {"set", column_set},
    {"fill", column_fill}, {NULL, NULL}};

static int world_column(lua_State *L) {
  sl_change_world(L, 1);
  lua_settop(L, 2);
  lua_pushcfunction(L, sl_require);
  lua_pushliteral(L, "scree.column");
  lua_call(L, 1, 1);
  lua_newtable(L);
  sl_register(L, engine);
  lua_setfield(L, -2, "engine");
  return sl_call_create(L, "column");
}

const luaL_Reg sl_column_methods[] = {{"column", world_column}, {NULL, NULL}};
